"""One repository as seen from one directory: where its parts lie, which view we stand in, what is set.

Found by git itself in one call, so that GIT_DIR, safe.directory, core.worktree and linked worktrees mean what they
mean to git. Refuses by name what libgit2 cannot open. Imports nothing heavy: a warm query gets by with this, `refs`
and the light half of `objects`.
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import BareRepository, GitFailed, NotARepository, UnsupportedRepository
from git_graph.git import process, settings
from git_graph.git.settings import Settings

if TYPE_CHECKING:
    from git_graph.git.objects import Objects
    from git_graph.git.refs import Refs

MAIN_VIEW = "main-worktree"
LINKED_PREFIX = "worktrees/"


@dataclass(frozen=True, slots=True)
class Worktree:
    """A worktree as git knows it. `gone`: its directory is no longer there, git has yet to prune it."""

    view: str
    path: Path | None
    """Its root; None for the main one of a bare repository."""
    git_dir: Path
    gone: bool


class Repository:
    """A repository and the worktree we stand in, if any. All paths are absolute."""

    git_dir: Path
    """This worktree's own git directory (HEAD, index)."""
    common_dir: Path
    """What all worktrees share (objects, refs)."""
    worktree: Path | None
    """The root of the worktree, None in a bare repository or inside a git directory."""
    bare: bool
    view: str
    """The name of the view of this worktree: `main-worktree` or `worktrees/<id>`."""
    env: process.Environment
    """What each git call for this repository gets on top of the inherited environment."""

    def __init__(
        self, git_dir: Path, common_dir: Path, worktree: Path | None, bare: bool, env: process.Environment | None = None
    ) -> None:
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.worktree = worktree
        self.bare = bare
        self.env = env or {}
        self.view = MAIN_VIEW if git_dir == common_dir else LINKED_PREFIX + git_dir.name

    @classmethod
    def discover(cls, directory: Path | None = None, *, foreign: bool = False) -> Repository:
        """The repository that git finds from `directory` (the current one by default).

        `foreign`: it is another one than we were called in, so what git exported to us does not apply.

        Raises:
            NotARepository, UnsupportedRepository, GitFailed (git refuses it, `safe.directory`).
        """
        raise NotImplementedError

    def git(self, *args: process.Argument, stdin: bytes | None = None) -> bytes:
        """What `git ARGS` prints, run at the root of the worktree (or in the git directory if there is none)."""
        raise NotImplementedError

    def attempt(self, *args: process.Argument, stdin: bytes | None = None) -> process.Completed:
        """As `git`, whatever it comes to."""
        raise NotImplementedError

    def start(self, *args: process.Argument, stdin: bool = False) -> process.Running:
        """As `git`, without waiting."""
        raise NotImplementedError

    def require_worktree(self) -> Path:
        """The root of the worktree.

        Raises:
            BareRepository: there is none.
        """
        raise NotImplementedError

    @property
    def graph_dir(self) -> Path:
        """`<common dir>/graph`: every file of ours that is not a git object; may not exist yet."""
        return self.common_dir / "graph"

    def make_graph_dir(self) -> Path:
        """`graph_dir`, made if need be.

        Raises:
            NotWritable: the common directory cannot be written.
        """
        raise NotImplementedError

    def writable(self) -> bool:
        """Whether objects and refs can be written in the common directory by this process."""
        raise NotImplementedError

    @functools.cached_property
    def settings(self) -> Settings:
        """The settings as they apply here (read once). Raises UsageError for a bad value."""
        raise NotImplementedError

    @functools.cached_property
    def objects(self) -> Objects:
        """The object store."""
        from git_graph.git.objects import Objects

        return Objects(self)

    @functools.cached_property
    def refs(self) -> Refs:
        """The references."""
        from git_graph.git.refs import Refs

        return Refs(self)

    def worktrees(self) -> list[Worktree]:
        """Every worktree, the main one first, the linked ones by id; gone ones included."""
        raise NotImplementedError

    def at(self, worktree: Worktree) -> Repository:
        """This repository seen from another of its worktrees (one that is there)."""
        raise NotImplementedError
