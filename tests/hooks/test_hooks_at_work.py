"""What the hooks do when git runs them, and what they never do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from git_graph import hooks, sync
from git_graph.git.repository import Repository
from git_graph.hooks import shipped

Repo = Any
MARKER = "graph-pending"


class Syncer:
    """Stands in for the interpreter that the hooks start: writes down each start, then lives for a while."""

    def __init__(self, place: Path) -> None:
        self.log = place / "starts"
        self.file = place / "in'ter preter"
        self.lives(0)

    def lives(self, seconds: float) -> None:
        self.file.write_text(
            "#!/bin/sh\n"
            'said="start $$ $*\n$(pwd; env | grep ^GIT_)\nend"\n'
            f'echo "$said" >>"{self.log}"\n'  # at once: others write there too
            f"[ {seconds} = 0 ] || sleep {seconds}\n"
        )
        self.file.chmod(0o755)

    def record(self, repo: Repo) -> None:
        """Have the hooks of a repository start this."""
        script = repo.path / ".git/graph/hook.sh"
        text = script.read_text()
        quoted = "'" + str(self.file).replace("'", "'\"'\"'") + "'"
        (line,) = (line for line in text.splitlines() if line.startswith("python="))
        script.write_text(text.replace(line, f"python={quoted}", 1))

    def starts(self, at_least: int = 0) -> list[str]:
        """What was started, waiting until there are as many as that."""
        until = time.monotonic() + 10
        while True:
            found = self.log.read_text().split("start ")[1:] if self.log.exists() else []
            found = [start for start in found if start.endswith("end\n")]
            if len(found) >= at_least or time.monotonic() > until:
                return found
            time.sleep(0.01)

    def stop(self) -> None:
        for start in self.starts():
            subprocess.run(["pkill", "-P", start.split()[0]], check=False)


@pytest.fixture
def syncer(tmp_path: Path) -> Iterator[Syncer]:
    made = Syncer(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def hooked(repo: Repo, syncer: Syncer) -> Repo:
    """A repository with two commits and our hooks, which start the stand-in."""
    repo.write("a.txt", "1\n")
    repo.commit("first")
    repo.write("a.txt", "2\n")
    repo.commit("second")
    hooks.install(Repository.discover(repo.path))
    syncer.record(repo)
    return repo


def marked(git_dir: Path) -> bool:
    """Whether the marker is there; it is taken away."""
    there = (git_dir / MARKER).exists()
    (git_dir / MARKER).unlink(missing_ok=True)
    return there


def test_whatever_moves_head_leaves_a_marker(hooked: Repo) -> None:
    git, git_dir = hooked.git, hooked.path / ".git"

    def did(*args: str) -> bool:
        git(*args)
        return marked(git_dir)

    hooked.write("a.txt", "3\n")
    assert did("commit", "-qam", "third")
    assert did("commit", "-q", "--amend", "-m", "third again")
    assert did("checkout", "-q", "-b", "side", "HEAD~1")
    hooked.write("b.txt", "b\n")
    git("add", "b.txt")
    assert did("commit", "-qm", "on the side")
    assert did("switch", "-q", "main")
    assert did("merge", "-q", "--no-edit", "side")
    assert did("revert", "--no-edit", "-m1", "HEAD")
    assert did("checkout", "-q", "side", "--", "b.txt")
    git("reset", "-q", "--hard")
    patch = git("format-patch", "-1", "side", "--stdout") + "\n"
    git("am", "-q", input=patch.encode())
    assert marked(git_dir)
    git("switch", "-q", "side")
    assert did("rebase", "-q", "main")


def test_a_linked_worktree_is_marked_by_itself(hooked: Repo, tmp_path: Path, syncer: Syncer) -> None:
    side = hooked.worktree(tmp_path / "side by side", "-b", "side")
    git_dir = Path(side.git("rev-parse", "--absolute-git-dir"))
    assert marked(git_dir), "made just now"
    assert not marked(hooked.path / ".git")
    side.write("n.txt", "n\n")
    side.commit()
    assert marked(git_dir)
    assert not marked(hooked.path / ".git")
    assert f"git_graph.sync.background {side.path}\n" in syncer.starts(1)[-1]


def test_a_commit_in_a_subdirectory_marks_its_worktree(hooked: Repo, syncer: Syncer) -> None:
    (hooked.path / "deep/er").mkdir(parents=True)
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=hooked.path / "deep/er", check=True)
    assert marked(hooked.path / ".git")
    assert f"git_graph.sync.background {hooked.path}\n" in syncer.starts(1)[0]


def test_what_is_started_knows_nothing_of_gits_variables_and_runs_outside_the_worktree(
    hooked: Repo, syncer: Syncer
) -> None:
    hooked.git("-c", "user.name=someone", "--git-dir", hooked.path / ".git", "commit", "-q", "--allow-empty", "-m", "x")
    start = syncer.starts(1)[0].splitlines()
    assert start[1] == str(hooked.path / ".git/graph")
    assert {line.split("=")[0] for line in start[2:-1]}.isdisjoint(
        hooked.git("rev-parse", "--local-env-vars").splitlines()
    )
    assert "-P" in start[0].split(), "or modules of the repository could be imported"


def test_one_syncer_serves_a_burst(hooked: Repo, syncer: Syncer) -> None:
    syncer.lives(20)
    for _ in range(6):
        hooked.git("commit", "-q", "--allow-empty", "-m", "x")
    assert len(syncer.starts(1)) == 1
    assert (hooked.path / ".git/graph/syncer.lock").read_text().split() == [syncer.starts()[0].split()[0]]


def test_a_syncer_that_is_gone_is_followed_by_another(hooked: Repo, syncer: Syncer) -> None:
    for count in (1, 2):
        hooked.git("commit", "-q", "--allow-empty", "-m", "x")
        pid = int(syncer.starts(count)[-1].split()[0])
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.01)
    assert len(syncer.starts(2)) == 2


@pytest.mark.parametrize("held", ["", "nonsense\n", "99999999\n", "-1\n", "0\n"])
def test_what_is_no_living_syncer_holds_nobody_up(hooked: Repo, syncer: Syncer, held: str) -> None:
    (hooked.path / ".git/graph/syncer.lock").write_text(held)
    hooked.git("commit", "-q", "--allow-empty", "-m", "x")
    assert len(syncer.starts(1)) == 1


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="nobody says here what a process is")
def test_another_program_under_a_syncers_old_id_holds_nobody_up(hooked: Repo, syncer: Syncer) -> None:
    other = subprocess.Popen(["sleep", "30"])
    (hooked.path / ".git/graph/syncer.lock").write_text(f"{other.pid:<10}\n")
    hooked.git("commit", "-q", "--allow-empty", "-m", "x")
    assert len(syncer.starts(1)) == 1
    other.kill()
    other.wait()


def test_a_commit_does_not_wait_and_whoever_captures_it_does_not_either(hooked: Repo, syncer: Syncer) -> None:
    syncer.lives(30)
    started = time.monotonic()
    done = subprocess.run(
        ["sh", "-c", "exec 7>lock 3>&1; git commit -q --allow-empty -m x 3>&1; echo $?"],
        cwd=hooked.path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert time.monotonic() - started < 15
    assert (done.stdout, done.stderr) == ("0\n", "")
    pid = syncer.starts(1)[0].split()[0]
    if Path(f"/proc/{pid}/fd").exists():
        held = {os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir() if fd.name in "0123456789"}
        assert not any(name.startswith("pipe:") or name.endswith("lock") for name in held), held


SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox", "zsh", "ksh", "mksh") if shutil.which(shell)]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("options", ["", "set -eu", "set -C; IFS=x; set -f; export common=1 pid=2"])
def test_the_hook_below_ours_runs_as_if_it_were_alone(
    hooked: Repo, syncer: Syncer, tmp_path: Path, shell: str, options: str
) -> None:
    file = hooked.path / ".git/hooks/post-rewrite"
    program = f"{shutil.which(shell)}{' sh' if shell == 'busybox' else ''}"
    said = f'"{tmp_path}/said"'
    theirs = f'#!{program}\n{options}\ncat >{said}\necho "$# $1 ${{git_graph_dir-none}} ${{-}}" >>{said}\n'
    file.write_text(theirs)
    file.chmod(0o755)

    def amended() -> list[str]:
        (tmp_path / "said").unlink(missing_ok=True)
        before = hooked.head()
        hooked.git("commit", "-q", "--amend", "-m", f"again {time.monotonic_ns()}")
        return (tmp_path / "said").read_text().replace(before, "OLD").replace(hooked.head(), "NEW").splitlines()

    alone = amended()
    assert alone[0] == "OLD NEW"
    hooks.install(Repository.discover(hooked.path))
    syncer.record(hooked)
    (hooked.path / ".git" / MARKER).unlink(missing_ok=True)
    for other in ("post-commit", "post-checkout"):
        (hooked.path / ".git/hooks" / other).unlink()
    starts = len(syncer.starts())
    assert amended() == alone
    assert marked(hooked.path / ".git")
    assert len(syncer.starts(starts + 1)) == starts + 1


def test_nothing_is_printed_and_nothing_fails_whatever_is_missing(hooked: Repo, syncer: Syncer) -> None:
    def commits_in_silence() -> bool:
        done = subprocess.run(
            ["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=hooked.path, capture_output=True, check=False
        )
        return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    git_dir = hooked.path / ".git"
    assert commits_in_silence()
    (git_dir / MARKER).unlink()
    (git_dir / MARKER).mkdir()
    assert commits_in_silence(), "the marker cannot be made"
    (git_dir / MARKER).rmdir()
    (git_dir / "graph/syncer.lock").unlink()
    (git_dir / "graph/syncer.lock").mkdir()
    assert commits_in_silence(), "the id cannot be written down"
    (git_dir / "graph/syncer.lock").rmdir()
    count = len(syncer.starts(2))
    syncer.file.unlink()
    assert commits_in_silence(), "git-graph was uninstalled"
    shutil.rmtree(git_dir / "graph")
    assert commits_in_silence(), "everything was removed"
    assert len(syncer.starts()) == count
    assert not (git_dir / "graph").exists()


def test_hooks_that_repositories_share_serve_those_that_asked(
    repo: Repo, make_repo: Callable[..., Repo], tmp_path: Path, syncer: Syncer
) -> None:
    other = make_repo("other")
    for each in (repo, other):
        each.git("config", "core.hooksPath", tmp_path / "shared")
    hooks.install(Repository.discover(repo.path))
    syncer.record(repo)
    other.commit()
    assert not (other.path / ".git" / MARKER).exists()
    assert not (other.path / ".git/graph").exists()
    repo.commit()
    assert (repo.path / ".git" / MARKER).exists()


def test_a_repository_that_was_moved_keeps_working(hooked: Repo, syncer: Syncer, tmp_path: Path) -> None:
    moved = hooked.path.rename(tmp_path / "moved to")
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=moved, check=True)
    assert marked(moved / ".git")
    assert f"background {moved}\n" in syncer.starts(1)[0]


def test_a_submodule_is_a_repository_of_its_own(hooked: Repo, make_repo: Callable[..., Repo], syncer: Syncer) -> None:
    inner = make_repo("inner")
    inner.commit()
    hooked.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub mod")
    hooks.install(Repository.discover(hooked.path / "sub mod"))
    (hooked.path / ".git" / MARKER).unlink(missing_ok=True)
    script = hooked.path / ".git/modules/sub mod/graph/hook.sh"
    assert script.is_file()
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=hooked.path / "sub mod", check=True)
    assert marked(hooked.path / ".git/modules/sub mod")
    assert not marked(hooked.path / ".git")


def test_the_command_for_managers_does_the_same(hooked: Repo, syncer: Syncer) -> None:
    for shell in ("sh", "sh -e"):
        (hooked.path / ".git/graph/syncer.lock").write_text("")
        done = subprocess.run(
            [*shell.split(), "-c", shipped.COMMAND], cwd=hooked.path, capture_output=True, check=False, input=b"x"
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert marked(hooked.path / ".git")
    assert len(syncer.starts(2)) == 2
    hooks.uninstall(Repository.discover(hooked.path))
    done = subprocess.run(["sh", "-e", "-c", shipped.COMMAND], cwd=hooked.path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_after_a_commit_the_graph_is_current_without_anyone_asking(repo: Repo) -> None:
    repo.write("a.py", "def f():\n    return 1\n")
    repo.commit()
    hooks.install(Repository.discover(repo.path))
    repo.write("a.py", "def g():\n    return 2\n")
    repo.commit()
    until = time.monotonic() + 60
    while sync.status(Repository.discover(repo.path)).freshness != "current":
        assert time.monotonic() < until, "nobody has synced"
        time.sleep(0.1)
    lock = repo.path / ".git/graph/syncer.lock"
    while lock.read_text().strip():
        assert time.monotonic() < until, "the syncer stays"
        time.sleep(0.05)
    assert repo.git("status", "--porcelain") == ""
    assert not hasattr(signal, "SIGKILL") or not (repo.path / ".git" / MARKER).exists()
