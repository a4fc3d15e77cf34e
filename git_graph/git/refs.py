"""References: read without pygit2, moved only by compare-and-swap, never with a reflog.

Reading looks at the loose file and then at `packed-refs`, in the order in which git writes them (reftable repositories
are refused before we get here). Writing is `git update-ref`, which also knows the locks; the user's hooks do not run
for it. Knows nothing of what a ref means.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.errors import DiskFull, GraphError, Locked, MissingObject, NotWritable
from git_graph.git.process import failure

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

ABSENT = "0" * 40
"""What git calls the value of a ref that does not exist."""
WAIT = 3.0
"""Seconds to try again while somebody holds a ref's lock; git itself holds one for milliseconds."""

_PER_WORKTREE = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")


class Refs:
    """The references of a repository, those shared by all worktrees and HEAD of this one."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def read(self, name: str) -> str | None:
        """The id that a ref points to (symbolic ones followed), or None."""
        for _ in range(5):
            value = self._read_once(name)
            if value is None or not value.startswith(b"ref: "):
                return value.decode("ascii", "replace") if value else None
            name = os.fsdecode(value[5:].strip())
        return None

    def names(self, prefix: str) -> list[str]:
        """The names of all refs that start with `prefix`, sorted; what they point to is not looked at."""
        return sorted({*self._loose_names(prefix), *self._packed_under(prefix)})

    def under(self, prefix: str) -> dict[str, str]:
        """Every ref whose name starts with `prefix` (`refs/graph/`), sorted by name."""
        loose = {name: value for name in self._loose_names(prefix) if (value := self.read(name))}
        return dict(sorted((self._packed_under(prefix) | loose).items()))

    def _packed_under(self, prefix: str) -> dict[str, str]:
        start = os.fsencode(prefix)
        return {
            os.fsdecode(line[41:]): line[:40].decode("ascii", "replace")
            for line in self._packed().split(b"\n")
            if line[41:].startswith(start) and line[:1] not in (b"#", b"^")
        }

    def _loose_names(self, prefix: str) -> Iterator[str]:
        directory = prefix.rpartition("/")[0]
        names = self._loose(os.path.join(self._repository.common_dir, directory), directory)  # noqa: PTH118 (hundreds)
        return (name for name in names if name.startswith(prefix))

    def update(self, name: str, new: str, old: str | None) -> bool:
        """Point `name` to `new` if it points to `old` (None: does not exist); whether it did.

        Raises:
            Locked: somebody holds the ref's lock for longer than we wait; the lock file is named.
            MissingObject: there is no object `new` (any more).
            NotWritable, DiskFull, GitFailed
        """
        return self._move(name, [name, new, old or ABSENT], old)

    def delete(self, name: str, old: str) -> bool:
        """Delete `name` if it points to `old`; whether it did. Raises as `update`."""
        return self._move(name, ["-d", name, old], old)

    def _move(self, name: str, args: list[str], old: str | None) -> bool:
        quiet = ["-c", "core.logAllRefUpdates=false", "-c", f"core.hooksPath={os.devnull}"]
        command = [*quiet, "update-ref", "--no-deref", *args]
        until, pause = time.monotonic() + WAIT, 0.02
        while True:
            done = self._repository.attempt(*command)
            if done.status == 0:
                return True
            if self.read(name) != old:
                return False
            said = done.stderr.decode("utf-8", "replace")
            if ".lock'" not in said or "File exists" not in said:
                raise self._error(name, said) or failure(command, done)
            if time.monotonic() > until:
                raise self._stale(name)
            time.sleep(pause)
            pause = min(pause * 2, 0.3)

    def _error(self, name: str, said: str) -> GraphError | None:
        if "nonexistent object" in said:
            return MissingObject(f"{name} cannot point to an object that was pruned just now", "run the command again")
        if "No space left" in said or "quota" in said or "couldn't write" in said:
            return DiskFull(f"no room to write {name}", "free some space and run the command again; nothing was lost")
        if "Permission denied" in said or "Read-only file system" in said:
            return NotWritable(f"cannot write {name} in {self._repository.common_dir}", "check who owns it")
        return None

    def _stale(self, name: str) -> Locked:
        names = (f"{name}.lock", "packed-refs.lock")
        locks = [lock for lock in (self._repository.common_dir / name for name in names) if lock.exists()]
        lock = locks[0] if locks else self._repository.common_dir / names[0]
        return Locked(
            f"{lock} has been held for {WAIT:.0f} seconds",
            f"if no git command is running, a dead one has left it behind: remove {lock}",
        )

    def _loose(self, place: str, name: str) -> Iterator[str]:
        """The refs that lie in a directory, at any depth."""
        try:
            with os.scandir(place) as found:
                entries = list(found)
        except (FileNotFoundError, NotADirectoryError):
            return
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from self._loose(entry.path, f"{name}/{entry.name}")
            elif not entry.name.endswith(".lock"):
                yield f"{name}/{entry.name}"

    def _read_once(self, name: str) -> bytes | None:
        shared = name.startswith("refs/") and not name.startswith(_PER_WORKTREE)
        base = self._repository.common_dir if shared else self._repository.git_dir
        try:
            with open(os.path.join(base, name), "rb") as file:  # noqa: PTH118, PTH123 (Path takes three times as long)
                value = file.read().strip()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            value = b""
        if value:
            return value
        ending = b" " + os.fsencode(name) + b"\n"
        packed = self._packed()
        at = packed.find(ending)
        while at >= 0:
            if at >= 40 and (at == 40 or packed[at - 41 : at - 40] == b"\n"):
                return packed[at - 40 : at]
            at = packed.find(ending, at + 1)
        return None

    def _packed(self) -> bytes:
        try:
            return (self._repository.common_dir / "packed-refs").read_bytes()
        except FileNotFoundError:
            return b""
