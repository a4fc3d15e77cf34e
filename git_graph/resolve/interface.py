"""What other files can see of a slice: if it stays the same, what was resolved elsewhere still holds.

References are no part of it, nor are columns, documentation and the numbers of lines (their order is), nor locals that
nothing visible from outside mentions. So most edits in the body of a function leave it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from typing import Any

from git_graph.model import ALIAS, BASE, EXPORT, FIRST_EXPRESSION, LOCAL, NARROW, Slice

DEFINED, IMPORTED, EXPORTED = "defined", "imported", "exported"
"""How a view is asked for a name."""
_INNER = frozenset((LOCAL, NARROW))
_NAMED = frozenset((EXPORT, BASE, ALIAS))


def interface(slice_: Slice) -> tuple[Any, ...]:
    """What other files can see of a slice, comparable."""
    s, b, t = slice_.symbols, slice_.bindings, slice_.strings
    written = _Expressions(slice_)
    kept = _visible_bindings(slice_, written)
    spans = list(zip(s.start_line, s.end_line, s.line, strict=True))[1:]  # that of the file says nothing of its symbols
    lines = sorted({*chain.from_iterable(spans), *(line for r in kept for line in (b.line[r], b.end_line[r]))})
    rank = dict(zip(lines, range(len(lines)), strict=True))
    ranks = [(rank[start], rank[end], rank[line]) for start, end, line in spans]
    bindings = [
        (t[b.name[r]], b.kind[r], b.symbol[r], written.of(b.value[r]), rank[b.line[r]], rank[b.end_line[r]])
        for r in kept
    ]
    return slice_.language, slice_.omitted, _symbols(slice_), ranks, _imports(slice_), bindings


def _symbols(slice_: Slice) -> list[tuple[Any, ...]]:
    s, t = slice_.symbols, slice_.strings
    return [
        (t[name], kind, parent, t[sign], flags, [t[x] for x in bases], t[ret], t[own])
        for name, kind, parent, sign, flags, bases, ret, own in zip(
            s.name, s.kind, s.parent, s.signature, s.flags, s.bases, s.returns, s.owner, strict=True
        )
    ]


def _imports(slice_: Slice) -> list[tuple[Any, ...]]:
    i, t = slice_.imports, slice_.strings
    return [
        (t[local], t[module], t[name], depth, symbol, flags)
        for local, module, name, depth, symbol, flags in zip(
            i.local, i.module, i.name, i.depth, i.symbol, i.flags, strict=True
        )
    ]


def changed_names(old: Slice | None, new: Slice | None) -> set[tuple[str, str]]:
    """The names of which two slices say different things to who asks a view for a name, and who asks in which way."""
    before, after = _facts(old), _facts(new)
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def _facts(slice_: Slice | None) -> dict[tuple[str, str], set[Any]]:
    """DEFINED, IMPORTED or EXPORTED and a name -> how the slice does that."""
    found: dict[tuple[str, str], set[Any]] = {}
    if slice_ is None:
        return found
    s, b, i, t = slice_.symbols, slice_.bindings, slice_.imports, slice_.strings
    for name, kind, parent, flags, owner in zip(s.name, s.kind, s.parent, s.flags, s.owner, strict=True):
        around = s.kind[parent] if parent >= 0 else -1
        found.setdefault((DEFINED, t[name]), set()).add((kind, around, flags, t[owner]))
    for local, name in zip(i.local, i.name, strict=True):
        found[IMPORTED, t[local]] = found[IMPORTED, t[name]] = set()
    for name, kind in zip(b.name, b.kind, strict=True):
        if kind in _NAMED:
            found[EXPORTED, t[name]] = set()
    return found


class _Expressions:
    """Expressions without their numbers in the slice: equal digests for equal expressions, however deep."""

    def __init__(self, slice_: Slice) -> None:
        self._slice = slice_
        self._known: dict[int, bytes] = {n: bytes((n,)) for n in range(FIRST_EXPRESSION)}

    def of(self, expression: int) -> bytes:
        """The digest of an expression."""
        pending: list[int] = []
        while expression not in self._known:
            pending.append(expression)
            expression = self._slice.expression(expression).of
        for one in reversed(pending):
            kind, of, text = self._slice.expression(one)
            words = self._slice.strings[text].encode("utf-8", "surrogateescape")
            self._known[one] = blake2b(bytes((kind,)) + self._known[of] + b"\0" + words, digest_size=16).digest()
            expression = one
        return self._known[expression]

    def texts(self, expression: int) -> Iterator[str]:
        """The words in an expression."""
        while expression >= FIRST_EXPRESSION:
            _, expression, text = self._slice.expression(expression)
            yield self._slice.strings[text]


def _visible_bindings(slice_: Slice, written: _Expressions) -> list[int]:
    """The bindings that can be asked for from outside: a local only if something else that can be mentions it."""
    s, b, t = slice_.symbols, slice_.bindings, slice_.strings
    rows = range(len(b.name))
    inner = {r for r in rows if b.kind[r] in _INNER and not _is_path(t[b.name[r]])}
    mentioned = {t[x] for x in chain(s.signature, s.returns, s.owner, chain.from_iterable(s.bases))}
    mentioned |= {"self", "cls", "this"}
    fresh = [r for r in rows if r not in inner]
    while fresh:
        mentioned.update(text for r in fresh for text in written.texts(b.value[r]))
        words = "\0".join(mentioned)
        fresh = [r for r in inner if t[b.name[r]] in words]
        inner.difference_update(fresh)
    return [r for r in rows if r not in inner]


def _is_path(name: str) -> bool:
    """Whether what a binding narrows is longer than a bare name."""
    return any(character in name for character in ".:<[(")
