"""Definitions and references as answers show them, each definition described once.

Knows the resolver and the view, and nothing of questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from git_graph.model import ATTRIBUTED, FLAG_NAMES, KINDS, ROLES, Definition
from git_graph.query.values import DECLINED, MAX_CANDIDATES, Place, ReferenceInfo, SymbolInfo
from git_graph.resolve import Occurrence, Resolver

MAX_CANDIDATES_SHOWN = 2000
"""Over a whole answer; sites beyond only say how many candidates they have."""


class Describer:
    """Describes what a resolver finds; keep one for one answer."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.view = resolver.view
        self._symbols: dict[Definition, SymbolInfo] = {}
        self.asked: frozenset[Definition] = frozenset()
        """What the question is about."""
        self._candidates_left = MAX_CANDIDATES_SHOWN

    def symbol(self, definition: Definition) -> SymbolInfo:
        """The definition, with the further places of the same symbol."""
        known = self._symbols.get(definition)
        if known is None:
            known = self._symbols[definition] = self._describe(definition)
        return known

    def _describe(self, definition: Definition) -> SymbolInfo:
        resolver, path = self.resolver, definition.path
        symbol = resolver.symbol(definition)
        target, others = resolver.group(definition)
        places = others if target == definition else (target, *(other for other in others if other != definition))
        return SymbolInfo(
            symbol.name,
            resolver.qualified(definition),
            symbol.kind,
            path,
            symbol.line,
            symbol.column,
            symbol.start_line,
            symbol.end_line,
            symbol.signature,
            self.view.language(path) or "",
            tuple(name for flag, name in FLAG_NAMES if flag in symbol.flags),
            tuple(map(self.place, places)),
        )

    def place(self, definition: Definition) -> Place:
        """Where the definition's name stands."""
        symbol = self.resolver.symbol(definition)
        return Place(definition.path, symbol.line, symbol.column)

    def symbols(self, definitions: Iterable[Definition], limit: int = 0) -> tuple[SymbolInfo, ...]:
        """Several definitions, at most `limit` (0: all)."""
        chosen = list(definitions)
        return tuple(self.symbol(definition) for definition in (chosen[:limit] if limit else chosen))

    def reference(self, occurrence: Occurrence, *, explain: bool = False) -> ReferenceInfo:
        """A reference and what it was found to be, with the rule that decided if asked."""
        path, index, resolution = occurrence
        place = self.site(occurrence)
        return ReferenceInfo(
            path,
            place.line,
            place.column,
            self.name(occurrence),
            ROLES[self.resolver.role(occurrence)],
            self.symbol(self.resolver.enclosing(path, index)),
            resolution.outcome,
            self.symbol(resolution.target) if resolution.target else None,
            self._candidates(resolution.candidates),
            len(resolution.candidates),
            resolution.rule if explain else "",
        )

    def _candidates(self, candidates: Sequence[Definition]) -> tuple[SymbolInfo, ...]:
        """As many as may be shown, those that were asked about before others."""
        limit = min(MAX_CANDIDATES, self._candidates_left)
        if len(candidates) > limit:
            asked = [candidate for candidate in candidates if candidate in self.asked][:MAX_CANDIDATES]
            others = [candidate for candidate in candidates if candidate not in self.asked]
            candidates = [*asked, *others[: max(0, limit - len(asked))]]
        self._candidates_left = max(0, self._candidates_left - len(candidates))
        return self.symbols(candidates)

    def name(self, occurrence: Occurrence) -> str:
        """The name as it stands at the reference."""
        slice_ = self.view.slice(occurrence.path)
        assert slice_ is not None
        return slice_.strings[slice_.references.name[occurrence.index]]

    def kind(self, definition: Definition) -> str:
        """The kind of a definition, without describing it."""
        slice_ = self.view.slice(definition.path)
        assert slice_ is not None
        return KINDS[slice_.symbols.kind[definition.index]]

    def site(self, occurrence: Occurrence) -> Place:
        """Where a reference stands."""
        slice_ = self.view.slice(occurrence.path)
        assert slice_ is not None
        columns, index = slice_.references, occurrence.index
        return Place(occurrence.path, columns.line[index], columns.column[index])


def declined(occurrences: Iterable[Occurrence]) -> dict[str, int]:
    """How many references name candidates and claim none, by resolution."""
    counts = dict.fromkeys(DECLINED, 0)
    for occurrence in occurrences:
        if occurrence.resolution.outcome in counts:
            counts[occurrence.resolution.outcome] += 1
    return counts


def attributed(occurrence: Occurrence) -> bool:
    """Whether the reference claims a definition."""
    return occurrence.resolution.outcome in ATTRIBUTED
