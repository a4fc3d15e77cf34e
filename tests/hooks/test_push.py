"""The pre-push hook: what it checks, what it stops, and whom it never disturbs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from git_graph import hooks
from git_graph.git.repository import Repository

Repo = Any
LIBRARY = "def total(items):\n    return sum(items)\n\n\ndef other():\n    return 2\n"
USER = "from lib import total\n\nprint(total([1]))\n"
FINDING = "app.py:1: renamed-symbol: imports total, but function total (lib.py:1) is sum_up now"


@pytest.fixture
def shared(repo: Repo, make_repo: Callable[..., Repo]) -> Repo:
    """A repository whose `main` is pushed to `origin`, with our hooks, and one more commit that breaks `app.py`."""
    remote = make_repo("remote.git", "--bare")
    repo.git("remote", "add", "origin", remote.path)
    repo.write("lib.py", LIBRARY)
    repo.write("app.py", USER)
    repo.commit("begin")
    repo.git("push", "-q", "-u", "origin", "main")
    hooks.install(Repository.discover(repo.path))
    repo.write("lib.py", LIBRARY.replace("total", "sum_up"))
    repo.commit("break")
    return repo


def push(repo: Repo, *args: str) -> tuple[int, str]:
    """The exit status of a push and what it said on standard error."""
    done = subprocess.run(["git", "push", "-q", *args], cwd=repo.path, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_nothing_is_checked_unless_it_is_asked_for(shared: Repo) -> None:
    assert push(shared) == (0, "")
    shared.git("config", "graph.check", "no")
    shared.git("commit", "-q", "--allow-empty", "-m", "more")
    assert push(shared) == (0, "")


def test_a_push_that_breaks_something_is_stopped(shared: Repo) -> None:
    shared.git("config", "graph.check", "yes")
    status, said = push(shared)
    assert status != 0
    assert FINDING in said
    assert "git push --no-verify pushes all the same" in said
    assert push(shared, "--no-verify")[0] == 0


def test_a_warning_stops_nothing(shared: Repo) -> None:
    shared.git("config", "graph.check", "warn")
    status, said = push(shared)
    assert status == 0
    assert FINDING in said


def test_a_push_that_breaks_nothing_goes_through(shared: Repo) -> None:
    shared.git("config", "graph.check", "strict")
    shared.write("app.py", USER.replace("total", "sum_up"))
    shared.commit("mend")
    assert push(shared)[0] == 0


def test_a_new_branch_is_measured_from_where_it_left_what_the_remote_has(shared: Repo) -> None:
    shared.git("config", "graph.check", "yes")
    shared.git("switch", "-q", "-c", "topic")
    status, said = push(shared, "origin", "topic")
    assert status != 0
    assert FINDING in said
    shared.git("branch", "fine", "origin/main")
    assert push(shared, "origin", "fine") == (0, "")


def test_a_deleted_branch_and_a_tag_are_not_checked(shared: Repo) -> None:
    push(shared, "--no-verify", "origin", "HEAD:refs/heads/topic")
    shared.git("config", "graph.check", "yes")
    assert push(shared, "origin", ":topic") == (0, "")
    shared.git("tag", "v1")
    assert push(shared, "origin", "v1") == (0, "")


def test_a_forced_push_is_measured_from_what_both_have(shared: Repo) -> None:
    push(shared, "--no-verify")
    shared.git("config", "graph.check", "yes")
    shared.git("reset", "-q", "--hard", "HEAD~1")
    shared.write("lib.py", LIBRARY.replace("def other", "def another"))
    shared.commit("instead")
    assert push(shared, "--force") == (0, "")


def test_a_first_push_has_nothing_to_break(shared: Repo, make_repo: Callable[..., Repo]) -> None:
    shared.git("config", "graph.check", "strict")
    shared.git("remote", "add", "elsewhere", make_repo("elsewhere.git", "--bare").path)
    assert push(shared, "elsewhere", "main") == (0, "")


def test_a_fault_of_ours_stops_only_who_asked_for_that(shared: Repo) -> None:
    shared.write(".gitgraph/rules.toml", "[[forbid]]\nform = 'a'\n")
    shared.commit("a slip")
    shared.git("config", "graph.check", "yes")
    status, said = push(shared)
    assert status == 0
    assert "git-graph: the push was not checked: .gitgraph/rules.toml: [[forbid]] number 1 has 'form'" in said
    shared.git("commit", "-q", "--allow-empty", "-m", "more")
    shared.git("config", "graph.check", "strict")
    assert push(shared)[0] != 0


def test_a_python_that_is_gone_stops_only_who_asked_for_that(shared: Repo) -> None:
    script = shared.path / ".git/graph/pre-push.sh"
    lines = script.read_text().splitlines()
    script.write_text("\n".join("python=/nowhere" if line.startswith("python=") else line for line in lines) + "\n")
    shared.git("config", "graph.check", "yes")
    status, said = push(shared)
    assert status == 0
    assert "the push was not checked" in said
    shared.git("commit", "-q", "--allow-empty", "-m", "more")
    shared.git("config", "graph.check", "strict")
    assert push(shared)[0] != 0


def test_a_hook_that_was_there_still_reads_what_is_pushed(shared: Repo, tmp_path: Path) -> None:
    hooks.uninstall(Repository.discover(shared.path))
    log = tmp_path / "log"
    hook = shared.path / ".git/hooks/pre-push"
    hook.write_text(f'#!/bin/sh -e\necho "$1" >{log}\nwhile read -r line; do echo "$line" >>{log}; done\n')
    hook.chmod(0o755)
    hooks.install(Repository.discover(shared.path))
    shared.git("config", "graph.check", "warn")
    assert push(shared)[0] == 0
    base = shared.git("rev-parse", "HEAD~1")
    assert log.read_text() == f"origin\nrefs/heads/main {shared.head()} refs/heads/main {base}\n"
    push(shared)
    assert log.read_text() == "origin\n", "nothing was pushed, and no empty line was read"


def test_a_push_from_a_linked_worktree_is_checked(shared: Repo, tmp_path: Path) -> None:
    shared.git("config", "graph.check", "yes")
    linked = shared.worktree(tmp_path / "linked", "-b", "topic")
    assert push(linked, "origin", "topic")[0] != 0
