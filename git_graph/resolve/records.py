"""What the references of a file are, as bytes: one row for each distinct (name, resolution), one number a reference.

The candidates of a call on an unknown receiver are left out: they are all definitions of its name, which the view
tells at once, and which change when nothing else does. Numbers stand in arrays that are searched as they are: of most
files, a question looks at one name only.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgpack

from git_graph.model import RESOLUTIONS, Definition, Resolution

if TYPE_CHECKING:
    from git_graph.resolve.recording import FileRecord

UNKNOWN = RESOLUTIONS.index("receiver-unknown")
_SIZES = ((1 << 8, "B"), (1 << 16, "H"), (1 << 32, "I"))


def encode(record: FileRecord) -> bytes:
    """The bytes of a record."""
    slice_ = record.slice
    texts: dict[str, int] = {}
    definitions: dict[Definition, int] = {}
    rows: dict[tuple[int, ...], int] = {}

    def text(words: str) -> int:
        return texts.setdefault(words, len(texts))

    def number(definition: Definition) -> int:
        return definitions.setdefault(definition, len(definitions) + 1)

    which = []
    for name, occurrence in zip(slice_.references.name, record.occurrences, strict=True):
        outcome, target, candidates, rule = occurrence.resolution
        kind = RESOLUTIONS.index(outcome)
        row = (
            text(slice_.strings[name]),
            kind,
            text(rule),
            0 if target is None else number(target),
            *(map(number, candidates) if kind != UNKNOWN else ()),
        )
        which.append(rows.setdefault(row, len(rows)))
    enclosing = list(map(number, record.enclosing))
    columns = (
        [row[0] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
        which,
        enclosing,
        [text(path) for path, _ in definitions],
        [index for _, index in definitions],
    )
    several = {at: list(row[4:]) for at, row in enumerate(rows) if len(row) > 4}
    document = [
        list(texts), *map(_packed, columns), bytes(row[1] for row in rows), list(several.items()),
        bytes(slice_.references.role), bytes(slice_.symbols.kind), list(record.parts),
    ]  # fmt: skip
    packed: bytes = msgpack.packb(document, unicode_errors="surrogateescape")
    return zlib.crc32(packed).to_bytes(4, "big") + packed


def is_whole(data: bytes) -> bool:
    """Whether bytes are as `encode` made them."""
    return zlib.crc32(data[4:]) == int.from_bytes(data[:4], "big")


class StoredFile:
    """What `encode` made, readable. References and symbols are told by their positions in the slice."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        document: Any = msgpack.unpackb(data[4:], unicode_errors="surrogateescape")
        texts, names, rules, targets, which, enclosing, paths, indices, outcomes, several, roles, kinds, parts = (
            document
        )
        self.which: Sequence[int] = _unpacked(which)
        """Reference -> its row (see `resolution`)."""
        self.roles: bytes = roles
        """Reference -> its role as stored."""
        self.kinds: bytes = kinds
        """Symbol -> its kind."""
        self.parts: list[int] = parts
        """The symbols that are a part of another one (see Group)."""
        self._texts: list[str] = texts
        self._names, self._rules, self._targets = _unpacked(names), _unpacked(rules), _unpacked(targets)
        self._outcomes: bytes = outcomes
        self._several: dict[int, list[int]] = dict(several)
        self._enclosing, self._paths, self._indices = _unpacked(enclosing), _unpacked(paths), _unpacked(indices)
        self._definitions: dict[int, Definition] = {}
        self._resolutions: dict[int, tuple[str, Resolution]] = {}

    def resolution(self, row: int) -> tuple[str, Resolution]:
        """The name and the resolution that a row stands for; for `receiver-unknown` without the candidates."""
        found = self._resolutions.get(row)
        if found is None:
            target = self._targets[row]
            resolution = Resolution(
                RESOLUTIONS[self._outcomes[row]],
                self._definition(target) if target else None,
                tuple(map(self._definition, self._several.get(row, ()))),
                self._texts[self._rules[row]],
            )
            found = self._resolutions[row] = self._texts[self._names[row]], resolution
        return found

    def enclosing(self, index: int) -> Definition:
        """The symbol that encloses a reference."""
        return self._definition(self._enclosing[index])

    def rows_of(self, names: Collection[str]) -> Iterator[int]:
        """The rows of references with one of some names."""
        for name in names:
            if name in self._texts:
                yield from _places(self._names, self._texts.index(name))

    def references_of(self, rows: Iterable[int]) -> list[int]:
        """The references that some rows stand for, in their order."""
        return sorted(index for row in rows for index in _places(self.which, row))

    def symbols(self) -> Iterator[Definition]:
        """The symbols of the file that stand for themselves."""
        parts = frozenset(self.parts)
        return (Definition(self.path, index) for index in range(len(self.kinds)) if index not in parts)

    def edges(self) -> Iterator[tuple[Definition, int, tuple[Definition, ...]]]:
        """Each distinct (enclosing symbol, role, targets) of the references that claim something."""
        targets: dict[int, tuple[Definition, ...]] = {}
        for enclosing, role, row in set(zip(self._enclosing, self.roles, self.which, strict=True)):
            if not (target := self._targets[row]):
                continue
            if row not in targets:
                targets[row] = tuple(map(self._definition, self._several.get(row, (target,))))
            yield self._definition(enclosing), role, targets[row]

    def _definition(self, number: int) -> Definition:
        found = self._definitions.get(number)
        if found is None:
            at = number - 1
            found = self._definitions[number] = Definition(self._texts[self._paths[at]], self._indices[at])
        return found


def _packed(numbers: Sequence[int]) -> list[object]:
    """Numbers as bytes, in the smallest units that hold them all."""
    largest = max(numbers, default=0)
    unit = next(unit for limit, unit in _SIZES if largest < limit)
    column = array(unit, numbers)
    if sys.byteorder != "little":
        column.byteswap()
    return [unit, column.tobytes()]


def _unpacked(packed: tuple[str, bytes]) -> array[int]:
    """What `_packed` made bytes of."""
    column = array(packed[0], packed[1])
    if sys.byteorder != "little":
        column.byteswap()
    return column


def _places(column: Sequence[int], number: int) -> Iterator[int]:
    """Where in a column a number stands."""
    at = -1
    try:
        while True:
            at = column.index(number, at + 1)
            yield at
    except ValueError:
        return
