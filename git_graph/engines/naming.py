"""Which names a slice is found by: what both engines put into their inverted index.

Knows nothing of where the index lies.
"""

from __future__ import annotations

import re

from git_graph.model import ALIAS, BASE, EXPORT, Slice

DEFINES, REFERS, IMPORTS, EXPORTS = range(4)
"""The ways in which a slice names a name."""

_EXPORTS = frozenset((EXPORT, BASE, ALIAS))


def naming(slice_: Slice) -> tuple[set[str], set[str], set[str], set[str]]:
    """The names that a slice defines, refers to, imports (as named there and as named here) and exports.

    The empty name, which stands for no name in every column, is never among them.
    """
    strings, imports, bindings = slice_.strings, slice_.imports, slice_.bindings
    columns = (
        slice_.symbols.name,
        slice_.references.name,
        imports.name + imports.local,
        [name for name, kind in zip(bindings.name, bindings.kind, strict=True) if kind in _EXPORTS],
    )
    defines, refers, imported, exports = ({strings[i] for i in set(column)} - {""} for column in columns)
    return defines, refers, imported, exports


def pattern(glob: str) -> re.Pattern[str]:
    """The regular expression for a glob in which `*` and `?` alone are special; use its `fullmatch`."""
    parts = (".*" if c == "*" else "." if c == "?" else re.escape(c) for c in glob)
    return re.compile("".join(parts), re.DOTALL)


def fragment(glob: str) -> str:
    """The longest run of characters that every name matching the glob contains."""
    return max(re.split(r"[*?]", glob), key=len)
