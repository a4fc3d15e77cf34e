"""The journal of what we created, so that our orphans never pile up in the user's repository.

Each loose object that we create, and each pack, is noted in `<common dir>/graph/`, objects before they are made.
Knows nothing of what becomes of them: that is `tend`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.git.repository import write_error

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

LIMIT = 2_000
"""Loose objects of ours that may gather before they are tended (which leaves up to `tend.SPARED`): git starts to act
at about 6,700."""
PACKS = 10
"""Packs of ours that may gather: git packs everything anew, and says so, at 50."""

_ID = re.compile(r"[0-9a-f]{40}")
_LINE = 52
"""Bytes of a note: 40 hex digits, a blank, ten digits of time, a line end."""


class Notes:
    """A file of (40 hex digits, seconds since 1970), appended to by many processes and taken by one at a time.

    A note that is appended between a taker's renaming and reading may be lost; it costs one orphan, which git prunes
    in its own time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._taken = path.with_suffix(".taken")

    def __len__(self) -> int:
        try:
            return self._path.stat().st_size // _LINE
        except OSError:
            return 0

    def append(self, notes: Iterable[tuple[str, float]]) -> None:
        """Add notes. Raises NotWritable, DiskFull."""
        data = b"".join([b"%b %010d\n" % (name.encode(), int(when)) for name, when in notes])
        if not data:
            return
        try:
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("ab", buffering=0) as file:
                file.write(data)
        except OSError as error:
            raise write_error(error, str(self._path)) from error

    def take(self) -> dict[str, float]:
        """Every note (the latest of a name), set aside until `settle`: a process killed in between loses none."""
        try:
            if self._taken.exists():
                self._path.touch()
                with self._path.open("ab", buffering=0) as file:
                    file.write(self._taken.read_bytes())
            self._path.replace(self._taken)
            content = self._taken.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise write_error(error, str(self._path)) from error
        found: dict[str, float] = {}
        for line in content.splitlines():
            name, _, when = line.decode("ascii", "replace").partition(" ")
            if len(line) == _LINE - 1 and when.isdigit() and _ID.fullmatch(name):
                found[name] = max(found.get(name, 0.0), float(when))
        return found

    def settle(self, kept: Iterable[tuple[str, float]]) -> None:
        """What was taken is dealt with, but for `kept`."""
        self.append(kept)
        self._taken.unlink(missing_ok=True)


class Journal:
    """What we created in a repository and have not dealt with yet."""

    def __init__(self, repository: Repository) -> None:
        self.loose = Notes(repository.graph_dir / "journal")
        self.packs = Notes(repository.graph_dir / "packs")

    def note(self, ids: Iterable[str]) -> None:
        """Note loose objects that are about to be created."""
        now = time.time()
        self.loose.append((id, now) for id in ids)

    def note_pack(self, pack: Path) -> None:
        """Note a pack that was created."""
        self.packs.append([(pack.stem.removeprefix("pack-"), time.time())])

    def due(self) -> bool:
        """Whether enough has gathered to be tended."""
        return len(self.loose) > LIMIT or len(self.packs) > PACKS
