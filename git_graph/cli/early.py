"""What git is asked in any case, before anything else is imported: git looks at the files while Python gets ready.

Reads the command line only so far as to know that the answer will need it; whenever in doubt, nothing is started. The
real reading of the command line comes later and is click's.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_graph.git.repository import Asked
    from git_graph.git.worktree import Reading

_ASKING = frozenset((
    "find", "definitions", "references", "outline", "callers", "callees", "impact", "path",
    "unused", "top", "deps", "cycles", "cue", "task", "sync", "status", "init",
))  # fmt: skip
_ELSEWHERE = ("--view", "--rev", "--help", "-h", "--version", "--git-dir", "--work-tree")
_VALUED = ("--limit", "--color")

started: Reading | None = None
"""The reading that was started for the directory that the command is about, until someone takes it."""
inquired: Asked | None = None
"""What was asked about the repository there, until someone takes it."""


def start(arguments: Sequence[str]) -> None:
    """Start asking git if this command line is sure to be about the worktree it is run in."""
    global started, inquired
    directory = _directory(arguments)
    if directory is None:
        return
    from git_graph.errors import GraphError
    from git_graph.git import worktree

    try:
        started = worktree.start(directory)
        from git_graph.git import repository

        inquired = repository.ask(directory)
    except (GraphError, OSError):
        stop()  # whatever is wrong is met again, and told, by the command itself


def take() -> Reading | None:
    """The reading, once."""
    global started
    taken, started = started, None
    return taken


def asked() -> Asked | None:
    """What was asked about the repository, once."""
    global inquired
    taken, inquired = inquired, None
    return taken


def stop() -> None:
    """End what nobody took."""
    if (reading := take()) is not None:
        reading.running.stop()
    if (inquiry := asked()) is not None:
        inquiry.stop()


def _directory(arguments: Sequence[str]) -> str | None:
    """The directory that the command line is about; None if it asks nothing of a worktree."""
    if any(argument.startswith(_ELSEWHERE) for argument in arguments):
        return None
    directory, rest = os.curdir, list(arguments)
    asking = False
    while rest:
        word = rest.pop(0)
        if word == "-C" and rest:
            directory = os.path.join(directory, rest.pop(0))  # noqa: PTH118 (pathlib is not imported yet)
        elif word.startswith("-C"):
            return None
        elif not asking and word in _VALUED and rest:
            rest.pop(0)
        elif not asking and not word.startswith("-"):
            if word not in _ASKING:
                return None
            asking = True
    return directory if asking else None
