"""The references that stand inside a definition, nested definitions included."""

from __future__ import annotations

from collections.abc import Iterator

from git_graph.model import Definition
from git_graph.resolve import Occurrence, Resolver


def contained(resolver: Resolver, definition: Definition) -> frozenset[int]:
    """The indices of the symbols of the definition's file that stand in it, itself included."""
    slice_ = resolver.view.slice(definition.path)
    if slice_ is None:
        return frozenset()
    inside = {definition.index}
    for index, parent in enumerate(slice_.symbols.parent):  # containers come first
        if parent in inside:
            inside.add(index)
    return frozenset(inside)


def references_within(resolver: Resolver, definition: Definition) -> Iterator[Occurrence]:
    """What a definition refers to, in the order of the places; each reference resolved as it is asked for."""
    slice_ = resolver.view.slice(definition.path)
    if slice_ is None:
        return
    inside = contained(resolver, definition)
    for index, symbol in enumerate(slice_.references.symbol):
        if symbol in inside:
            yield Occurrence(definition.path, index, resolver.resolve(definition.path, index))
