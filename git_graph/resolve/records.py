"""What the references of a file are, as bytes: one row for each distinct (name, resolution), one number a reference.

The candidates of a call on an unknown receiver are left out: they are all definitions of its name, which the view
tells at once, and which change when nothing else does.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any

import msgpack

from git_graph.model import RESOLUTIONS, Definition, Resolution
from git_graph.resolve.recording import FileRecord

UNKNOWN = RESOLUTIONS.index("receiver-unknown")


def encode(record: FileRecord) -> bytes:
    """The bytes of a record."""
    slice_ = record.slice
    texts: dict[str, int] = {}
    definitions: dict[Definition, int] = {}
    rows: dict[tuple[int, ...], int] = {}

    def text(words: str) -> int:
        return texts.setdefault(words, len(texts))

    def number(definition: Definition) -> int:
        return definitions.setdefault(definition, len(definitions))

    which = []
    for name, occurrence in zip(slice_.references.name, record.occurrences, strict=True):
        outcome, target, candidates, rule = occurrence.resolution
        kind = RESOLUTIONS.index(outcome)
        row = (
            text(slice_.strings[name]),
            kind,
            text(rule),
            -1 if target is None else number(target),
            *(map(number, candidates) if kind != UNKNOWN else ()),
        )
        which.append(rows.setdefault(row, len(rows)))
    enclosing = list(map(number, record.enclosing))
    places = [n for path, index in definitions for n in (text(path), index)]
    kinds, roles = bytes(slice_.symbols.kind), bytes(slice_.references.role)
    document = [list(texts), places, list(rows), which, roles, enclosing, kinds, list(record.parts)]
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
        self._texts: list[str]
        self._rows: list[list[int]]
        self.which: list[int]
        """Reference -> its row (see `resolution`)."""
        self.roles: bytes
        """Reference -> its role as stored."""
        self.kinds: bytes
        """Symbol -> its kind."""
        self.parts: list[int]
        """The symbols that are a part of another one (see Group)."""
        self._places: list[int]
        self._enclosing: list[int]
        self._texts, self._places, self._rows, self.which, self.roles, self._enclosing, self.kinds, self.parts = (
            document
        )
        self._resolutions: dict[int, tuple[str, Resolution]] = {}

    @cached_property
    def definitions(self) -> list[Definition]:
        """Every definition that is a target, a candidate or encloses a reference."""
        texts, places = self._texts, iter(self._places)
        return [Definition(texts[path], index) for path, index in zip(places, places, strict=True)]

    def resolution(self, row: int) -> tuple[str, Resolution]:
        """The name and the resolution that a row stands for; for `receiver-unknown` without the candidates."""
        found = self._resolutions.get(row)
        if found is None:
            name, outcome, rule, target, *candidates = self._rows[row]
            d = self.definitions
            several = tuple(d[candidate] for candidate in candidates)
            claimed = None if target < 0 else d[target]
            resolution = Resolution(RESOLUTIONS[outcome], claimed, several, self._texts[rule])
            found = self._resolutions[row] = self._texts[name], resolution
        return found

    def enclosing(self, index: int) -> Definition:
        """The symbol that encloses a reference."""
        return self.definitions[self._enclosing[index]]

    def rows_of(self, names: Collection[str]) -> Iterator[int]:
        """The rows of references with one of some names."""
        wanted = {number for number, text in enumerate(self._texts) if text in names}
        return (row for row, (name, *_) in enumerate(self._rows) if name in wanted)

    def symbols(self) -> Iterator[Definition]:
        """The symbols of the file that stand for themselves."""
        parts = frozenset(self.parts)
        return (Definition(self.path, index) for index in range(len(self.kinds)) if index not in parts)

    def edges(self) -> Iterator[tuple[Definition, int, tuple[Definition, ...]]]:
        """Each distinct (enclosing symbol, role, targets) of the references that claim something."""
        d = self.definitions
        targets: list[tuple[Definition, ...]] = []
        for _, _, _, target, *candidates in self._rows:
            targets.append(() if target < 0 else tuple(d[c] for c in candidates) or (d[target],))
        for enclosing, role, row in set(zip(self._enclosing, self.roles, self.which, strict=True)):
            if targets[row]:
                yield d[enclosing], role, targets[row]
