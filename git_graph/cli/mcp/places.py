"""Which directory a call is about, and whether the server may answer about it.

It may about every worktree of the repository that it was started in, and about what `--allow` names. Both are looked at
anew at each call: worktrees come and go, and so do the links that lead to them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from git_graph.errors import GraphError, NotARepository, UsageError
from git_graph.git.repository import Repository
from git_graph.records import NamedTuple

LISTED = 20
"""So many worktrees are named in a message."""


class Place(NamedTuple):
    """A directory to run a command in, and the view of the worktree that it belongs to."""

    directory: str
    view: str


class Places:
    """Where answers may be about. `allowed`: directories beside the server's own repository."""

    def __init__(self, allowed: Sequence[Path] = ()) -> None:
        self._allowed = tuple(allowed)
        self._home = _here()

    def find(self, asked: str | None) -> Place:
        """Where a call is about that names a directory, or none: then it is the server's own.

        Raises:
            UsageError: there is no such directory, or it is none of those that may be asked about.
            NotARepository, UnsupportedRepository, GitFailed: git does not find, or refuses, a repository there.
        """
        directory = self._directory(asked)
        try:
            repository = Repository.discover(directory, foreign=True)
        except NotARepository as error:
            raise NotARepository(f"{directory} is in no repository", "pass a worktree's path as worktree") from error
        if not self._may(repository):
            raise UsageError(
                f"{directory} is no worktree of the repository that this server is for",
                f"there are {self._worktrees()}; to ask about others, start it with --allow {directory}",
            )
        _check_lost(directory, repository)
        return Place(str(directory), repository.view)

    @staticmethod
    def _directory(asked: str | None) -> Path:
        try:
            here = Path.cwd()
        except OSError as error:
            if asked is None or not Path(asked).is_absolute():
                raise UsageError("the server's directory is gone", "pass a worktree's path as worktree") from error
            here = Path(os.sep)
        directory = here / Path(asked).expanduser() if asked else here
        if not directory.is_dir():
            raise UsageError(f"there is no directory {directory}", "pass the path of a worktree, or of a folder in it")
        return directory.resolve()

    def _may(self, repository: Repository) -> bool:
        common = repository.common_dir.resolve()
        self._home = self._home or _here()  # it may have been made since
        if self._home is not None and common == self._home.common_dir.resolve():
            return True
        top = (repository.worktree or repository.git_dir).resolve()
        for allowed in self._allowed:
            if not allowed.is_dir():
                continue
            if top.is_relative_to(allowed.resolve()):
                return True
            there = _found(allowed)
            if there is not None and there.common_dir.resolve() == common:
                return True
        return False

    def _worktrees(self) -> str:
        """The worktrees that may be asked about, for a message."""
        if self._home is None:
            return "none, since it was started in no repository"
        found = [str(worktree.path) for worktree in self._home.worktrees() if worktree.path and not worktree.gone]
        more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
        return ", ".join(found[:LISTED]) + more


def _check_lost(directory: Path, repository: Repository) -> None:
    """A worktree inside of another that has lost its `.git` is not answered about as a folder of the outer one.

    Raises:
        UsageError: that is so.
    """
    outer = repository.worktree
    if outer is None or directory == outer:
        return
    for inner in repository.worktrees():
        if inner.gone and inner.path and directory.is_relative_to(inner.path) and inner.path.is_relative_to(outer):
            raise UsageError(f"the worktree {inner.path} has lost its .git", "git worktree prune forgets it")


def _here() -> Repository | None:
    """The repository that the server stands in; None if there is none, or its directory is gone."""
    try:
        return _found(Path.cwd())
    except OSError:
        return None


def _found(directory: Path) -> Repository | None:
    """The repository there; None if there is none that can be read."""
    try:
        return Repository.discover(directory, foreign=True)
    except GraphError:
        return None
