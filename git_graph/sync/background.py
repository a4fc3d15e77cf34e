"""The syncer that hooks leave work to: one a repository, detached, of low priority, and gone when all is done.

What a hook does takes two files, so that a shell script can do it without starting anything else:

- it makes the marker of its worktree, `graph-pending` in that worktree's own git directory (`mark`);
- it starts a syncer (`launch`, or `python -P -m git_graph.sync.background DIRECTORY`, its id written into that file),
  unless the process whose id is in `graph/syncer.lock` of the common git directory is alive.

Something else is left to another process (`launch_ahead`; see `git_graph.upkeep.ahead`): finding out what references
are before anybody asks, which takes far longer and can wait.

A syncer takes that id away before it looks for markers a last time, so no marker falls between two of them. Whatever
goes wrong is best effort gone wrong (a query reconciles anyway): it is written to `graph/syncer.log`.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import GraphError
from git_graph.git import process
from git_graph.git.lock import FileLock
from git_graph.git.repository import Repository
from git_graph.sync import sync

if TYPE_CHECKING:
    from git_graph.git.repository import Worktree

MARKER, LOCK, LOG = "graph-pending", "syncer.lock", "syncer.log"
QUIET = 0.2
"""Seconds without a new marker before work begins: commits come in bursts."""
PATIENCE = 5.0
"""Seconds after which work begins although it never gets quiet."""
HANDOVER = 1.0
"""Seconds to wait for another syncer that is about to end."""
LOG_BYTES = 32 * 1024
NICENESS = 10
AHEAD, AHEAD_LOCK = "git_graph.upkeep.ahead", "ahead.lock"
LEAST = 200
"""Below so many files, questions are quick without."""
AGAIN = 60.0
"""Seconds before it is tried again."""


def mark(repository: Repository) -> None:
    """Say that this worktree has to be synced. Raises nothing: where it cannot be said, a query finds out."""
    with suppress(OSError):
        (repository.git_dir / MARKER).touch()


def launch(repository: Repository) -> None:
    """Start a syncer for the repository, unless one is alive; returns at once."""
    if not _is_alive(repository, LOCK):
        _start(repository, __name__)


def launch_ahead(repository: Repository, files: int) -> None:
    """Have what the references of a view of so many files are found out in the background, if that is worth it and
    wanted; returns at once. Raises nothing."""
    if not LEAST <= files <= repository.settings.resolve_ahead or repository.settings.engine != "sqlite":
        return
    with suppress(OSError):
        if time.time() - (repository.graph_dir / AHEAD_LOCK).stat().st_mtime < AGAIN:
            return
    if not _is_alive(repository, AHEAD_LOCK):
        with suppress(OSError):
            _start(repository, AHEAD)


def _start(repository: Repository, module: str) -> None:
    """Start a module as a detached process for this worktree."""
    if repository.worktree is None:
        return
    import subprocess

    subprocess.Popen(
        [sys.executable, "-P", "-m", module, os.fspath(repository.worktree)],
        cwd=repository.common_dir,
        env=process.environment(process.foreign_environment()),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def drain(repository: Repository) -> int:
    """Sync every worktree that is marked, until none is; how many syncs that took. 0 if another syncer is at it."""
    try:
        lock = FileLock(repository.make_graph_dir() / LOCK, HANDOVER, "sync in the background")
        with lock:
            return _drain(repository, lock.path)
    except GraphError:
        return 0


def _drain(repository: Repository, lock: Path) -> int:
    done = 0
    while True:
        marked = pending(repository)
        if not marked:
            lock.write_text("")  # from now on a hook starts another syncer
            marked = pending(repository)
            if not marked:
                return done
            lock.write_text(f"{os.getpid()}\n")
        _wait_for_quiet(repository)
        for worktree in marked:
            with suppress(OSError):
                (worktree.git_dir / MARKER).unlink()
            if worktree.gone or worktree.path is None:
                continue
            done += 1
            try:
                here = repository.at(worktree)
                result = sync(here)
                if result.changed >= LEAST:
                    launch_ahead(here, result.files)
            except GraphError as error:
                _log(repository, f"{worktree.view}: {error.message}")


def pending(repository: Repository) -> list[Worktree]:
    """The worktrees that are marked."""
    return [worktree for worktree in repository.worktrees() if (worktree.git_dir / MARKER).exists()]


def _wait_for_quiet(repository: Repository) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        now, latest = time.time(), 0.0
        for worktree in pending(repository):
            with suppress(OSError):
                latest = max(latest, (worktree.git_dir / MARKER).stat().st_mtime)
        rest = latest + QUIET - now
        if rest <= 0 or rest > QUIET:
            return
        time.sleep(rest)


def _is_alive(repository: Repository, lock: str) -> bool:
    try:
        number = int((repository.graph_dir / lock).read_text())
        os.kill(number, 0)
    except (OSError, ValueError, OverflowError):
        return False
    return True


def _log(repository: Repository, message: str) -> None:
    file = repository.graph_dir / LOG
    with suppress(OSError):
        if file.exists() and file.stat().st_size > LOG_BYTES:
            file.write_bytes(file.read_bytes()[-LOG_BYTES // 2 :])
        with file.open("a", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {message}\n")


def main(arguments: list[str]) -> int:
    """Drain the repository at the directory named; what a detached syncer runs."""
    with suppress(AttributeError, OSError):
        os.setsid()  # a hook's shell cannot do that: whoever closes its terminal does not mean us
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    try:
        repository = Repository.discover(Path(arguments[0]), foreign=True)
    except GraphError:
        return 1
    try:
        drain(repository)
    except Exception as error:
        _log(repository, f"{type(error).__name__}: {error}")
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
