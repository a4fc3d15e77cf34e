"""Installing, removing and looking at the hooks, in the directory that git itself names.

A hook that is not ours is never overwritten, moved or disabled: a shell script gets a marked block after its first
line and loses it again byte for byte; anything else is left alone and reported, with what to do instead.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import GraphError
from git_graph.git.repository import write_error
from git_graph.hooks import blocks, managers, shipped

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

NAMES = ("post-commit", "post-checkout", "post-merge", "post-rewrite", "post-applypatch", shipped.PUSH)

INSTALLED, OUTDATED, ABSENT, WIPED = "installed", "outdated", "absent", "wiped"
MANAGED, FOREIGN, DISABLED, BROKEN = "managed", "foreign", "disabled", "broken"
"""States of a hook.

- installed: our block is in it. outdated: a block of another version is.
- absent: there is none, and the hooks were not installed. wiped: they were, and something has removed our block since.
- managed: a hook manager's configuration runs our command.
- foreign: it is not a shell script, or a link to a file elsewhere; disabled: it may not be executed, so git passes it
  over, and we do not wake it; broken: our block has lost its end. These are left alone.
"""


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook: its state, and what was done to it just now (`added`, `updated`, `removed`, or nothing)."""

    name: str
    state: str
    done: str = ""
    detail: str = ""
    """Why it was left alone and what to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """How the hooks of a repository stand.

    `directory` is where git looks for them; `installed` says whether this repository asked for them at all.
    `manager` is the hook manager in charge, if any, and `advice` what to add to its configuration for the hooks that it
    writes.
    """

    directory: Path
    hooks: tuple[Hook, ...]
    installed: bool
    current: bool
    """Whether what the hooks source is of this version of git-graph and starts this very installation."""
    manager: str | None = None
    advice: str = ""


def status(repository: Repository) -> Report:
    """How the hooks stand. Changes nothing."""
    place = _Place(repository)
    return place.report({})


def install(repository: Repository, *, in_worktree: bool = True) -> Report:
    """Install the hooks, or bring those that are there up to date; safe to run again.

    A directory inside the worktree (`core.hooksPath`) is written only if `in_worktree`, since git sees what is there.

    Raises:
        NotWritable, DiskFull: the git directory or the hooks directory cannot be written.
    """
    place = _Place(repository)
    for script in shipped.SCRIPTS:
        _write(repository.make_graph_dir() / script, shipped.script(script), 0o666)
    place.wanted = True
    done = {}
    for name in NAMES:
        hook = place.state(name)
        if hook.state not in (ABSENT, WIPED, OUTDATED) or not place.may_write(in_worktree):
            continue
        before = place.content.get(name)
        content = blocks.insert(blocks.NEW_FILE if before is None else before, shipped.block(name))
        _write(place.directory / name, content, 0o777 if before is None else None)
        place.content[name] = content
        done[name] = "updated" if hook.state == OUTDATED else "added"
    return place.report(done)


def uninstall(repository: Repository) -> Report:
    """Take our blocks out again, every hook as it was before; nothing happens where there are none.

    Raises:
        NotWritable, DiskFull: the git directory or the hooks directory cannot be written.
    """
    place = _Place(repository)
    done = {}
    for name in NAMES:
        before = place.content.get(name)
        if before is None or name in place.links or blocks.find(before) is None:
            continue
        after = blocks.remove(before)
        if after == blocks.NEW_FILE:
            _remove(place.directory / name)
            del place.content[name]
        else:
            _write(place.directory / name, after, None)
            place.content[name] = after
        done[name] = "removed"
    for script in shipped.SCRIPTS:
        _remove(repository.graph_dir / script)
    place.wanted = False
    return place.report(done)


class _Place:
    """The hooks directory of a repository and what was found in it."""

    def __init__(self, repository: Repository) -> None:
        named = repository.git("rev-parse", "--path-format=absolute", "--git-path", "hooks")
        self.directory = Path(os.fsdecode(named.removesuffix(b"\n")))
        self.repository = repository
        self.script = repository.graph_dir / shipped.SCRIPT
        self.wanted = self.script.is_file()
        self.content: dict[str, bytes] = {}
        self.links: set[str] = set()
        for name in NAMES:
            file = self.directory / name
            if file.is_symlink():
                self.links.add(name)
            try:
                self.content[name] = file.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                pass
            except OSError as error:
                raise GraphError(f"cannot read {file}: {error.strerror}", "check who owns the hooks") from error
        self.manager = managers.in_charge(self.directory, repository.worktree, self.content)

    def may_write(self, in_worktree: bool) -> bool:
        """Whether hooks may be put into the directory."""
        if self.manager is not None and self.manager.owns_directory:
            return False
        root = self.repository.worktree
        inside = root is not None and self.directory.is_relative_to(root)
        return in_worktree or not inside or self.directory.is_relative_to(self.repository.common_dir)

    def state(self, name: str) -> Hook:
        """How one hook stands."""
        content, manager = self.content.get(name), self.manager
        if self.directory.exists() and not self.directory.is_dir():
            return Hook(name, DISABLED, detail=f"git looks for hooks in {self.directory}, where there can be none")
        if manager and managers.writes(manager, content):
            if managers.configured(manager, self.repository.worktree, name):
                return Hook(name, MANAGED, detail=f"{manager.name} runs it")
            if manager.owns_directory:
                return Hook(name, ABSENT, detail=f"{manager.name} writes this directory anew")
        if name in self.links:
            return Hook(name, FOREIGN, detail=_instead("it is a link to a file elsewhere", name))
        if content is None:
            return Hook(name, WIPED if self.wanted else ABSENT)
        if not blocks.is_shell(content):
            return Hook(name, FOREIGN, detail=_instead("it is not a shell script", name))
        if blocks.is_broken(content):
            return Hook(name, BROKEN, detail="our block in it has lost its end: remove the rest of it by hand")
        if os.name != "nt" and not os.access(self.directory / name, os.X_OK):
            return Hook(name, DISABLED, detail="it is not executable, so git passes it over: make it so, or remove it")
        found = blocks.find(content)
        if found is None:
            return Hook(name, WIPED if self.wanted else ABSENT)
        return Hook(name, INSTALLED if found == shipped.block(name) else OUTDATED)

    def report(self, done: dict[str, str]) -> Report:
        """How everything stands now."""
        hooks = tuple(
            Hook(hook.name, hook.state, done.get(hook.name, ""), hook.detail) for hook in map(self.state, NAMES)
        )
        advice = ""
        if self.manager is not None and self.wanted:
            passing = tuple(
                hook.name
                for hook in hooks
                if hook.state != MANAGED and managers.writes(self.manager, self.content.get(hook.name))
            )
            advice = managers.advice(self.manager, self.repository.worktree, passing) if passing else ""
        name = self.manager.name if self.manager else None
        return Report(self.directory, hooks, self.wanted, self._is_current(), name, advice)

    def _is_current(self) -> bool:
        try:
            graph = self.repository.graph_dir
            return all((graph / name).read_bytes() == shipped.script(name) for name in shipped.SCRIPTS)
        except OSError:
            return False


def _instead(why: str, hook: str) -> str:
    command = f"{shipped.PUSH_COMMAND} REMOTE" if hook == shipped.PUSH else shipped.COMMAND
    return f"{why}, so it is left alone: have it run {command}"


def _write(file: Path, content: bytes, mode: int | None) -> None:
    """Write a file in one step, so that a hook that runs meanwhile is the old one or the new one; `mode` None: kept."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if mode is None:
            mode = file.stat().st_mode & 0o7777
        else:
            mode &= ~_umask()
        descriptor, name = tempfile.mkstemp(prefix=".git-graph-", dir=file.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
            Path(name).chmod(mode)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise write_error(error, str(file)) from error


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(error, str(file)) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
