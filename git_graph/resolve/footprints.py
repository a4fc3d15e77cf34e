"""Footprints: what it depends on that something was found, as a set of bits, and the bits of what has changed.

A footprint has a bit for each file that was read, each name that the view was asked for, and each thing that was
looked for (a file that may not be there, what lies in a directory, ...), all of them hashed: what shares a bit with a
change may have changed, what shares none has not. The bits are of what is there, never of positions, so they mean the
same in all views. Knows nothing of resolving.
"""

from __future__ import annotations

import posixpath
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from git_graph.languages.policy import FILE, FILLED

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView
    from git_graph.model import Slice

NAME_BITS = 4096
"""Names share this many bits; those of all else are above."""
OTHER_BITS = 16384
NAMES = (1 << NAME_BITS) - 1
"""The bits of all names."""

READ, LISTED, NAMED, LANGUAGE, SYMBOLS, REFERRED = "read", "listed", "named", "language", "symbols", "referred"
"""Kinds of bits besides FILE and FILLED: a file's content; the files directly in a directory; those of a base name;
those of a language; all names of symbols; the files that refer to a name."""

Sides = tuple["Slice | None", "Slice | None"]


def name_bit(how: str, name: str) -> int:
    """The bit of a name that a view was asked for, DEFINED, IMPORTED or EXPORTED."""
    return 1 << (_hash(f"{how} {name}") % NAME_BITS)


def bit(kind: str, text: str) -> int:
    """The bit of something that is no name."""
    return 1 << (NAME_BITS + _hash(f"{kind} {text}") % OTHER_BITS)


def packed(footprint: int) -> bytes:
    """A footprint as bytes."""
    return zlib.compress(footprint.to_bytes((footprint.bit_length() + 7) // 8, "little"), 1)


def unpacked(data: bytes) -> int:
    """What `packed` made bytes of."""
    return int.from_bytes(zlib.decompress(data), "little")


def changed_bits(view: GraphView, changes: Mapping[str, Sides]) -> int:
    """The bits of all that is different in a view since the files `changes` were as they are on the left sides."""
    from git_graph.resolve.interface import changed_names, interface

    bits = 0
    for path, (old, new) in changes.items():
        if old is not None and new is not None and old.language == new.language:
            if interface(old) == interface(new):
                bits |= _references(old, new)
                continue
            names = changed_names(old, new)
        else:
            names = changed_names(old, None) | changed_names(None, new)
            bits |= _presence(view, path, changes)
        bits |= bit(READ, path) | (bit(SYMBOLS, "") if names else 0)
        for how, name in names:
            bits |= name_bit(how, name)
        bits |= _references(old, new)
    return bits


def _presence(view: GraphView, path: str, changes: Mapping[str, Sides]) -> int:
    """The bits of a file that has come or gone, or is of another language now."""
    directory, base = posixpath.split(path)
    bits = bit(FILE, path) | bit(LISTED, directory) | bit(NAMED, base)
    languages = {side.language for side in changes[path] if side is not None}
    for language in languages:
        bits |= bit(LANGUAGE, language)
    beside = (other for other in view.paths_in(directory) if other not in changes)
    if not languages.issubset({view.language(other) for other in beside}):
        while directory:
            bits |= bit(FILLED, directory)
            directory = posixpath.dirname(directory)
        bits |= bit(FILLED, "")
    return bits


def _references(old: Slice | None, new: Slice | None) -> int:
    bits = 0
    for name in _referred(old) ^ _referred(new):
        bits |= bit(REFERRED, name)
    return bits


def _referred(slice_: Slice | None) -> set[str]:
    return set() if slice_ is None else {slice_.strings[name] for name in set(slice_.references.name)}


def _hash(text: str) -> int:
    """A number of 20 bits; the checksums of similar texts are similar, so their bits are mixed."""
    return (zlib.crc32(text.encode("utf-8", "surrogateescape")) * 2654435761 & 0xFFFFFFFF) >> 12
