"""Finding out what references are before anybody asks: one process a repository, detached, of low priority, bounded.

What views share is found once for all of them (ADR 7). Each step is stored, so that it goes on from there whenever the
process ends: it is safe to kill. It holds no lock that a question or a sync waits for but SQLite's own, for a few
milliseconds a step, and takes no more than a part of a processor while others want it.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from git_graph.errors import GraphError
from git_graph.git.lock import FileLock
from git_graph.git.repository import Repository
from git_graph.resolve import stored
from git_graph.sync.background import AHEAD_LOCK

NICENESS = 15
STEPS = 16
"""After so many steps all that is remembered is forgotten: so memory stays bounded."""
SECONDS = 900.0
"""Processor time after which it ends; whoever asks then has it go on."""
REST = 3.0
"""While others want the processors, it rests so many times as long as it has worked."""


def complete(repository: Repository, seconds: float = SECONDS) -> bool:
    """Find what can be found ahead for the view of this worktree; whether that is all of it now.

    Raises GraphError as engines do.
    """
    from git_graph.engines.sqlite import SqliteEngine

    until = time.process_time() + seconds
    engine = SqliteEngine(repository.graph_dir)
    with closing(engine):
        while True:
            try:
                view = engine.open(repository.view)
            except KeyError:
                return False
            with closing(view):
                if _some(stored.ahead(view)):
                    return True
            if time.process_time() > until:
                return False
            gc.collect()


def _some(steps: Iterator[object]) -> bool:
    """Take some steps; whether there are no more."""
    began = time.process_time()
    for number, _ in enumerate(steps):
        took, began = time.process_time() - began, time.process_time()
        if number >= STEPS:
            return False
        if _busy():
            time.sleep(min(took * REST, 2.0))
    return True


def _busy() -> bool:
    """Whether others want the processors: more are at work, or wait for work, than there are besides this one."""
    try:
        return os.getloadavg()[0] > (os.cpu_count() or 1) + 0.5
    except (AttributeError, OSError):
        return False


def main(arguments: list[str]) -> int:
    """Complete the view of the worktree at the directory named, unless another process is at it."""
    with suppress(AttributeError, OSError):
        os.setsid()
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    try:
        repository = Repository.discover(Path(arguments[0]), foreign=True)
        lock = FileLock(repository.make_graph_dir() / AHEAD_LOCK, 0.0, "resolve in the background")
        with lock:
            complete(repository)
            lock.path.write_text("")
    except GraphError:
        return 1  # best effort: a question finds out for itself
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
