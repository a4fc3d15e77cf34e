"""Which names a slice is found by: what both engines put into their inverted index.

Knows nothing of where the index lies.
"""

from __future__ import annotations

import re

from git_graph.model import ALIAS, BASE, EXPORT, Slice

DEFINES, REFERS, IMPORTS, EXPORTS = 1, 2, 4, 8
"""The ways in which a slice names a name: bits, since it often does so in several."""

_EXPORTS = frozenset((EXPORT, BASE, ALIAS))


def naming(slice_: Slice) -> dict[str, int]:
    """The names in a slice and how it names them; imports by their name there and by the one here.

    The empty name, which stands for no name in every column, is never among them.
    """
    strings, imports, bindings = slice_.strings, slice_.imports, slice_.bindings
    kinds = dict.fromkeys(slice_.symbols.name, DEFINES)
    columns = (
        (REFERS, slice_.references.name),
        (IMPORTS, imports.name + imports.local),
        (EXPORTS, [name for name, kind in zip(bindings.name, bindings.kind, strict=True) if kind in _EXPORTS]),
    )
    for kind, column in columns:
        for name in set(column):
            kinds[name] = kinds.get(name, 0) | kind
    kinds.pop(0, None)
    return {strings[name]: kind for name, kind in kinds.items()}


def pattern(glob: str) -> re.Pattern[str]:
    """The regular expression for a glob in which `*` and `?` alone are special; use its `fullmatch`."""
    parts = (".*" if c == "*" else "." if c == "?" else re.escape(c) for c in glob)
    return re.compile("".join(parts), re.DOTALL)


def fragment(glob: str) -> str:
    """The longest run of characters that every name matching the glob contains."""
    return max(re.split(r"[*?]", glob), key=len)
