"""One repository as seen from one directory: where its parts lie, which view we stand in, what is set.

Found by git itself in one call, so that GIT_DIR, safe.directory, core.worktree and linked worktrees mean what they
mean to git. Refuses by name what libgit2 cannot open. Imports nothing heavy: a warm query gets by with this, `refs`
and the light half of `objects`.
"""

from __future__ import annotations

import errno
import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import (
    BareRepository,
    DiskFull,
    GitFailed,
    GraphError,
    NotARepository,
    NotWritable,
    UnsupportedRepository,
)
from git_graph.git import process, settings
from git_graph.git.settings import Settings
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.git.loose import LooseStore
    from git_graph.git.objects import Objects
    from git_graph.git.packs import PackStore
    from git_graph.git.refs import Refs

_PLACES = ("--git-dir", "--git-common-dir", "--show-toplevel")
FACTS = (
    "rev-parse", "--is-bare-repository", "--show-object-format", "--show-ref-format", "--path-format=absolute", *_PLACES
)  # fmt: skip
MAIN_VIEW = "main-worktree"
LINKED_PREFIX = "worktrees/"


class Worktree(NamedTuple):
    """A worktree as git knows it. `gone`: its directory is no longer there, git has yet to prune it."""

    view: str
    path: Path | None
    """Its root; None for the main one of a bare repository."""
    git_dir: Path
    gone: bool


class Asked(NamedTuple):
    """What git is being asked about a repository: where and what it is, and its settings."""

    facts: process.Running
    settings: process.Running

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self.facts.stop()
        self.settings.stop()


def ask(directory: process.Argument | None = None, env: process.Environment | None = None) -> Asked:
    """Start asking; returns at once. Raises GitFailed: there is no git, or no such directory."""
    return Asked(process.start(FACTS, directory, env=env), process.start(settings.ARGUMENTS, directory, env=env))


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
        self._configured: process.Completed | None = None
        self.view = MAIN_VIEW if git_dir == common_dir else LINKED_PREFIX + git_dir.name

    @classmethod
    def discover(
        cls, directory: Path | None = None, *, foreign: bool = False, asked: Asked | None = None
    ) -> Repository:
        """The repository that git finds from `directory` (the current one by default).

        `foreign`: it is another one than we were called in, so what git exported to us does not apply. `asked`: git was
        asked about that directory already.

        Raises:
            NotARepository, UnsupportedRepository, GitFailed (git refuses it, `safe.directory`).
        """
        env: process.Environment = process.foreign_environment() if foreign else {}
        asked = asked or ask(directory, env)
        try:
            facts, places = _facts(asked, directory, env)
        except GraphError:
            asked.settings.stop()
            raise
        found = asked.settings.complete()
        if facts["object"] != "sha1":
            raise _unsupported(f"objects named by {facts['object'].upper()}", directory)
        if facts["refs"] not in ("files", "--show-ref-format"):
            raise _unsupported(f"references stored as {facts['refs']}", directory)
        git_dir, common_dir, *top = places
        if "GIT_DIR" in os.environ and not foreign:
            env = {"GIT_DIR": str(git_dir), **({"GIT_WORK_TREE": str(top[0])} if top else {})}
        repository = cls(git_dir, common_dir, top[0] if top else None, facts["bare"] == "true", env)
        repository._configured = found
        return repository

    def git(self, *args: process.Argument, stdin: bytes | None = None) -> bytes:
        """What `git ARGS` prints, run at the root of the worktree (or in the git directory if there is none)."""
        return process.run(args, self._directory, stdin=stdin, env=self.env)

    def attempt(self, *args: process.Argument, stdin: bytes | None = None) -> process.Completed:
        """As `git`, whatever it comes to."""
        return process.attempt(args, self._directory, stdin=stdin, env=self.env)

    def start(self, *args: process.Argument, stdin: bool = False, file_limit: int | None = None) -> process.Running:
        """As `git`, without waiting; `file_limit` as in `process.start`."""
        return process.start(args, self._directory, stdin=stdin, env=self.env, file_limit=file_limit)

    def require_worktree(self, instead: str = "run it in a worktree; git worktree add DIR makes one") -> Path:
        """The root of the worktree; `instead`: what to do in a bare repository, which has none.

        Raises:
            BareRepository: there is none.
        """
        if self.worktree is not None:
            return self.worktree
        if self.bare:
            raise BareRepository(f"{self.git_dir} is a bare repository: it has no files of its own", instead)
        raise BareRepository(f"{self._directory} is inside a git directory, not in a worktree", "go to the worktree")

    @property
    def graph_dir(self) -> Path:
        """`<common dir>/graph`: every file of ours that is not a git object; may not exist yet."""
        return self.common_dir / "graph"

    def make_graph_dir(self) -> Path:
        """`graph_dir`, made if need be.

        Raises:
            NotWritable: the common directory cannot be written.
        """
        try:
            self.graph_dir.mkdir(exist_ok=True)
        except OSError as error:
            raise write_error(error, str(self.graph_dir)) from error
        return self.graph_dir

    def writable(self) -> bool:
        """Whether objects and refs can be written in the common directory by this process."""
        places = (self.common_dir, self.common_dir / "objects", self.common_dir / "refs")
        return all(os.access(place, os.W_OK | os.X_OK) for place in places)

    @functools.cached_property
    def settings(self) -> Settings:
        """The settings as they apply here (read once). Raises UsageError for a bad value."""
        done = self._configured or self.attempt(*settings.ARGUMENTS)
        if done.status > 1:
            raise process.failure(settings.ARGUMENTS, done)
        return settings.parse(done.stdout)

    @functools.cached_property
    def packs(self) -> PackStore:
        """The packs."""
        from git_graph.git.packs import PackStore

        return PackStore(self)

    @functools.cached_property
    def loose(self) -> LooseStore:
        """The loose objects."""
        from git_graph.git.loose import LooseStore

        return LooseStore(self.objects.directory, self.settings.shared)

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

    def merge_base(self, one: str, *others: str) -> str | None:
        """The best commit that `one` and (a merge of) the others have in common; None if there is none."""
        done = self.attempt("merge-base", "--end-of-options", one, *others)
        return done.stdout.decode("ascii", "replace").strip() or None

    def worktrees(self) -> list[Worktree]:
        """Every worktree, the main one first, the linked ones by id; gone ones included."""
        root = self._main_root()
        result = [Worktree(MAIN_VIEW, root, self.common_dir, gone=root is not None and not root.is_dir())]
        try:
            places = sorted((self.common_dir / "worktrees").iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return result
        for place in places:
            try:
                dot_git = Path(os.fsdecode((place / "gitdir").read_bytes().rstrip(b"\n")))
            except (FileNotFoundError, NotADirectoryError):
                continue
            dot_git = Path(os.path.normpath(place / dot_git))
            result.append(Worktree(LINKED_PREFIX + place.name, dot_git.parent, place, gone=not dot_git.exists()))
        return result

    def at(self, worktree: Worktree) -> Repository:
        """This repository seen from another of its worktrees (one that is there)."""
        bare = worktree.path is None
        return Repository(worktree.git_dir, self.common_dir, worktree.path, bare, process.foreign_environment())

    @property
    def _directory(self) -> Path:
        return self.worktree or self.git_dir

    def _main_root(self) -> Path | None:
        """The root of the main worktree; None if the repository is bare."""
        if self.git_dir == self.common_dir:
            return self.worktree
        env = process.foreign_environment() | {"GIT_DIR": str(self.common_dir)}
        done = process.attempt(["rev-parse", "--show-toplevel"], self.common_dir.parent, env=env)
        root = Path(os.fsdecode(done.stdout.removesuffix(b"\n")))
        return root if done.status == 0 and (root / ".git").exists() else None


def write_error(error: OSError, what: str) -> GraphError:
    """The error to raise when writing `what` failed with `error`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"no room to write {what}", "free some space and run the command again; nothing was lost")
    return NotWritable(f"cannot write {what}: {error.strerror or error}", "check who owns the git directory")


def _facts(asked: Asked, directory: Path | None, env: process.Environment) -> tuple[dict[str, str], list[Path]]:
    """What git says of a repository: its facts, and git dir, common dir and (if any) worktree root."""
    done = asked.facts.complete()
    lines = done.stdout.split(b"\n")[:-1]
    if len(lines) < 5:
        raise _refusal(done, directory)
    facts = dict(zip(("bare", "object", "refs"), map(os.fsdecode, lines[:3]), strict=True))
    places = lines[3:]
    if len(places) != (2 if done.status else 3):  # a path with a newline in it: ask for each by itself
        one = ("rev-parse", "--path-format=absolute")
        answers = [process.attempt([*one, place], directory, env=env) for place in _PLACES]
        places = [answer.stdout.removesuffix(b"\n") for answer in answers if answer.status == 0]
    return facts, [Path(os.fsdecode(place)) for place in places]


def _refusal(done: process.Completed, directory: Path | None) -> GraphError:
    """Why git would not say anything of the repository."""
    where = directory or Path.cwd()
    said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
    if "not a git repository" in said:
        return NotARepository(f"not a git repository: {where}", "go to one, or name it with -C DIR")
    if "unknown repository extension" in said or "repository version" in said or "ref storage" in said:
        return _unsupported(" ".join(said.split()), directory)
    return GitFailed(f"git refuses the repository at {where}: {said}", "mend what git complains of")


def _unsupported(what: str, directory: Path | None) -> UnsupportedRepository:
    return UnsupportedRepository(
        f"{directory or Path.cwd()} is a repository that git-graph cannot read yet: {what}",
        "use it in a clone with SHA-1 objects and file references (git init --object-format=sha1 --ref-format=files)",
    )
