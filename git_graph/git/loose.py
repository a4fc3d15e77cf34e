"""Loose objects, written by hand: without importing pygit2, and also where a pack has the object already.

An object is written beside its place under a name that git clears away (`tmp_obj_*`) and renamed into it, so it is
there whole or not at all. Knows nothing of who wants the object.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from git_graph.git.hashing import sha1
from git_graph.git.repository import write_error

_ATTEMPTS = 20


def object_id(kind: str, data: bytes) -> str:
    """The id of an object: `kind` is `blob` or `tree`."""
    return sha1(b"%s %d\0" % (kind.encode(), len(data)) + data, usedforsecurity=False).hexdigest()


class LooseStore:
    """The loose files below an objects directory."""

    def __init__(self, directory: Path, shared: str | None = None) -> None:
        """`shared`: the value of core.sharedRepository."""
        self._directory = directory
        self._group, self._file_mode = _modes(shared)

    def write(self, id: str, kind: str, data: bytes) -> None:
        """Write an object, also if there is one of that id (which then is as new).

        Raises:
            DiskFull, NotWritable
        """
        content = zlib.compress(b"%s %d\0" % (kind.encode(), len(data)) + data, 1)
        try:
            for _ in range(_ATTEMPTS):
                try:
                    self._place(self.path(id), content)
                    return
                except FileNotFoundError:  # no such directory, or `git gc --prune=now` took what was being written
                    self._make(self.path(id).parent)
            self._place(self.path(id), content)
        except OSError as error:
            raise write_error(error, f"object {id}") from error

    def _place(self, path: Path, content: bytes) -> None:
        temporary = path.parent / f"tmp_obj_{os.urandom(6).hex()}"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            if self._file_mode:
                temporary.chmod(self._file_mode)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise

    def age_of(self, ids: Iterable[str]) -> dict[str, float]:
        """When each of `ids` that is a loose object was last written or freshened (seconds since 1970)."""
        found = {}
        for id in ids:
            try:
                found[id] = self.path(id).stat().st_mtime
            except OSError:
                continue
        return found

    def freshen(self, id: str) -> bool:
        """Make the object as new; whether it is still there."""
        try:
            os.utime(self.path(id))
        except OSError:
            return False
        return True

    def remove(self, id: str) -> None:
        """Remove the loose file; nothing happens if there is none."""
        try:
            self.path(id).unlink(missing_ok=True)
        except OSError:
            return

    def path(self, id: str) -> Path:
        """Where the loose file of an object is."""
        return self._directory / id[:2] / id[2:]

    def _make(self, home: Path) -> None:
        home.mkdir(exist_ok=True)
        if self._group:
            home.chmod(home.stat().st_mode | self._group)


def _modes(shared: str | None) -> tuple[int, int]:
    """Bits to add to a directory's mode, and a file's mode (0: as the umask says), for core.sharedRepository."""
    match (shared or "umask").lower():
        case "group" | "true" | "1":
            return 0o2770, 0o440
        case "all" | "world" | "everybody" | "2":
            return 0o2775, 0o444
        case octal if octal.startswith("0") and len(octal) > 1 and octal.isdigit():
            mode = int(octal, 8) & 0o666
            return 0o2000 | mode | (mode & 0o444) >> 2, mode & 0o444
        case _:
            return 0, 0
