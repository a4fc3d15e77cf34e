"""Installing, removing and looking at hooks, whoever else has hooks there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from git_graph import hooks
from git_graph.errors import NotWritable
from git_graph.git.repository import Repository
from git_graph.hooks import blocks, shipped

Repo = Any
THEIRS = b"#!/bin/bash\nset -euo pipefail\necho theirs >> ran\n"


def opened(repo: Repo) -> Repository:
    return Repository.discover(repo.path)


def put(file: Path, content: bytes, mode: int = 0o755) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    file.chmod(mode)
    return file


def states(report: hooks.Report) -> dict[str, str]:
    return {hook.name: hook.state for hook in report.hooks}


def everything(state: str) -> dict[str, str]:
    return dict.fromkeys(hooks.NAMES, state)


def tree(directory: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mode) for file in directory.iterdir() if file.is_file()}


def test_install_and_uninstall_leave_the_hooks_as_they_were(repo: Repo) -> None:
    directory = repo.path / ".git/hooks"
    put(directory / "post-commit", THEIRS)
    put(directory / "pre-commit", b"#!/bin/sh\nexit 0\n")
    put(directory / "post-merge", b"#!/bin/sh", 0o700)
    before = tree(directory)
    repository = opened(repo)
    assert states(hooks.status(repository)) == everything("absent")
    report = hooks.install(repository)
    assert states(report) == states(hooks.status(repository)) == everything("installed")
    assert {hook.done for hook in report.hooks} == {"added"}
    assert (report.directory, report.installed, report.current) == (directory, True, True)
    report = hooks.uninstall(repository)
    assert {hook.done for hook in report.hooks} == {"removed"}
    assert tree(directory) == before
    assert states(hooks.status(repository)) == everything("absent")
    assert not report.installed


def test_installing_again_changes_nothing(repo: Repo) -> None:
    repository = opened(repo)
    hooks.install(repository)
    before = tree(repo.path / ".git/hooks")
    report = hooks.install(repository)
    assert {hook.done for hook in report.hooks} == {""}
    assert tree(repo.path / ".git/hooks") == before


def test_uninstalling_what_is_not_there_changes_nothing(repo: Repo) -> None:
    put(repo.path / ".git/hooks/post-commit", THEIRS)
    before = tree(repo.path / ".git/hooks")
    report = hooks.uninstall(opened(repo))
    assert {hook.done for hook in report.hooks} == {""}
    assert tree(repo.path / ".git/hooks") == before


def test_what_was_added_to_a_hook_of_ours_stays(repo: Repo) -> None:
    repository = opened(repo)
    hooks.install(repository)
    file = repo.path / ".git/hooks/post-commit"
    file.write_bytes(file.read_bytes() + b"echo added\n")
    hooks.uninstall(repository)
    assert file.read_bytes() == blocks.NEW_FILE + b"echo added\n"
    assert not (repo.path / ".git/hooks/post-merge").exists()


def test_a_block_of_another_version_is_brought_up_to_date(repo: Repo) -> None:
    repository = opened(repo)
    hooks.install(repository)
    file = repo.path / ".git/hooks/post-commit"
    new = file.read_bytes()
    file.write_bytes(new.replace(b"unset IFS", b"unset FOO"))
    assert states(hooks.status(repository))["post-commit"] == "outdated"
    assert hooks.install(repository).hooks[0].done == "updated"
    assert file.read_bytes() == new


def test_status_tells_what_another_tool_has_wiped(repo: Repo) -> None:
    repository = opened(repo)
    hooks.install(repository)
    put(repo.path / ".git/hooks/post-commit", THEIRS)
    (repo.path / ".git/hooks/post-merge").unlink()
    found = states(hooks.status(repository))
    assert (found["post-commit"], found["post-merge"], found["post-checkout"]) == ("wiped", "wiped", "installed")
    assert states(hooks.install(repository)) == everything("installed")


def test_what_the_hooks_start_is_recorded_and_compared(repo: Repo) -> None:
    repository = opened(repo)
    hooks.install(repository)
    script = repo.path / ".git/graph/hook.sh"
    assert os.fsencode(os.sys.executable) in script.read_bytes()
    script.write_bytes(script.read_bytes().replace(b"python", b"old-python"))
    assert not hooks.status(repository).current
    assert hooks.install(repository).current


@pytest.mark.parametrize("content", [b"#!/usr/bin/env python3\nprint()\n", b"\x7fELF\0\0", b"#!/usr/bin/fish\n"])
def test_a_hook_that_is_no_shell_script_is_never_touched(repo: Repo, content: bytes) -> None:
    file = put(repo.path / ".git/hooks/post-commit", content)
    report = hooks.install(opened(repo))
    assert states(report) == {**everything("installed"), "post-commit": "foreign"}
    assert file.read_bytes() == content
    assert shipped.COMMAND in report.hooks[0].detail


def test_a_hook_that_is_a_link_is_never_written_through(repo: Repo) -> None:
    target = put(repo.path / "tools/post-commit.sh", THEIRS)
    (repo.path / ".git/hooks").mkdir(exist_ok=True)
    (repo.path / ".git/hooks/post-commit").symlink_to(target)
    report = hooks.install(opened(repo))
    assert states(report)["post-commit"] == "foreign"
    hooks.uninstall(opened(repo))
    assert target.read_bytes() == THEIRS
    assert (repo.path / ".git/hooks/post-commit").is_symlink()


def test_a_hook_that_is_turned_off_is_not_woken(repo: Repo) -> None:
    file = put(repo.path / ".git/hooks/post-commit", THEIRS, 0o644)
    assert states(hooks.install(opened(repo)))["post-commit"] == "disabled"
    assert file.read_bytes() == THEIRS


def test_a_block_without_its_end_is_left_to_its_owner(repo: Repo) -> None:
    repository = opened(repo)
    hooks.install(repository)
    file = repo.path / ".git/hooks/post-commit"
    broken = file.read_bytes().replace(blocks.END, b"")
    file.write_bytes(broken)
    assert states(hooks.install(repository))["post-commit"] == "broken"
    hooks.uninstall(repository)
    assert file.read_bytes() == broken


# where git looks for them


def test_linked_worktrees_share_the_hooks_of_the_repository(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.py", "x = 1\n")
    repo.commit()
    side = repo.worktree(tmp_path / "side")
    assert hooks.install(opened(side)).directory == repo.path / ".git/hooks"
    assert states(hooks.status(opened(repo))) == everything("installed")
    assert (repo.path / ".git/graph/hook.sh").is_file()


def test_a_hooks_path_outside_the_repository_is_where_they_go(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "core.hooksPath", tmp_path / "our hooks")
    report = hooks.install(opened(repo))
    assert report.directory == tmp_path / "our hooks"
    assert states(report) == everything("installed")
    assert not (repo.path / ".git/hooks/post-commit").exists()
    hooks.uninstall(opened(repo))
    assert list((tmp_path / "our hooks").iterdir()) == []


def test_a_hooks_path_in_the_worktree_is_written_only_when_that_is_asked_for(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".githooks")
    report = hooks.install(opened(repo), in_worktree=False)
    assert set(states(report).values()) == {"wiped"}
    assert not (repo.path / ".githooks").exists()
    assert repo.git("status", "--porcelain") == ""
    assert states(hooks.install(opened(repo))) == everything("installed")
    assert (repo.path / ".githooks/post-commit").is_file()


def test_hooks_that_are_turned_off_altogether_stay_off(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", os.devnull)
    report = hooks.install(opened(repo))
    assert states(report) == everything("disabled")
    assert os.devnull in report.hooks[0].detail
    hooks.uninstall(opened(repo))


def test_a_bare_repository_has_hooks_too(make_repo: Callable[..., Repo]) -> None:
    bare = make_repo("bare", "--bare")
    assert states(hooks.install(opened(bare))) == everything("installed")
    assert (bare.path / "hooks/post-commit").is_file()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_said(repo: Repo) -> None:
    (repo.path / ".git/hooks").chmod(0o555)
    with pytest.raises(NotWritable):
        hooks.install(opened(repo))


# other managers


def test_husky_is_told_what_to_add_and_its_directory_is_left_alone(repo: Repo) -> None:
    put(repo.path / ".husky/_/post-commit", b'#!/usr/bin/env sh\n. "${0%/*}/h"\n')
    repo.git("config", "core.hooksPath", ".husky/_")
    before = tree(repo.path / ".husky/_")
    report = hooks.install(opened(repo))
    assert (report.manager, states(report)) == ("husky", everything("absent"))
    assert tree(repo.path / ".husky/_") == before
    assert ".husky/post-commit" in report.advice
    assert f"\n{shipped.COMMAND}\n" in report.advice
    for name in hooks.NAMES[:2]:
        put(repo.path / ".husky" / name, f"npm test\n{shipped.COMMAND}\n".encode())
    found = hooks.status(opened(repo))
    assert [hook.state for hook in found.hooks] == ["managed"] * 2 + ["absent"] * 4
    assert ".husky/post-commit" not in found.advice
    assert ".husky/post-merge" in found.advice


def test_lefthooks_hooks_get_the_block_and_its_configuration_the_advice(repo: Repo) -> None:
    theirs = b'#!/bin/sh\ncall_lefthook()\n{\n  lefthook "$@"\n}\ncall_lefthook run "post-commit" "$@"\n'
    put(repo.path / ".git/hooks/post-commit", theirs)
    repo.write("lefthook.yml", "post-commit:\n  commands:\n    x:\n      run: echo\n")
    report = hooks.install(opened(repo))
    assert (report.manager, states(report)) == ("lefthook", everything("installed"))
    assert f"post-commit:\n  commands:\n    git-graph:\n      run: {shipped.COMMAND}\n" in report.advice
    assert "add this to lefthook.yml" in report.advice
    assert "post-merge:" not in report.advice, "lefthook does not write that one"
    repo.write("lefthook.yml", report.advice.partition("\n\n")[2])
    put(repo.path / ".git/hooks/post-commit", theirs)
    found = hooks.status(opened(repo))
    assert (states(found)["post-commit"], found.advice) == ("managed", "")
    hooks.install(opened(repo))
    assert (repo.path / ".git/hooks/post-commit").read_bytes() == theirs


def test_pre_commits_hooks_get_the_block_and_its_configuration_the_advice(repo: Repo) -> None:
    theirs = b"#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\nexec pre-commit hook-impl\n"
    for name in ("post-checkout", "post-applypatch"):
        put(repo.path / ".git/hooks" / name, theirs)
    report = hooks.install(opened(repo))
    assert (report.manager, states(report)) == ("pre-commit", everything("installed"))
    assert "stages: [post-checkout]\n" in report.advice
    assert "pre-commit install -t post-checkout:" in report.advice
    assert f"        entry: {shipped.COMMAND}\n" in report.advice
    put(repo.path / ".git/hooks/post-checkout", theirs)
    assert states(hooks.status(opened(repo)))["post-checkout"] == "wiped"


def test_no_manager_no_advice(repo: Repo) -> None:
    repo.write(".pre-commit-config.yaml", "repos: []\n")
    put(repo.path / ".git/hooks/pre-commit", b"#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n")
    report = hooks.install(opened(repo))
    assert (report.manager, report.advice, states(report)) == (None, "", everything("installed"))
