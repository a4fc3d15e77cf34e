"""What may break when it changes?

The closure of those who refer to it, by whatever role but import: callers, inheritors, readers, and those who name it
as a type. Only attributed references are walked; what could be something else is counted and never bridges. What a
module does when it is loaded makes the module itself one of them, which is counted and listed only where modules are
asked for; the walk ends there, since importing a module is not depending on all of it. A name that is assigned from it
(`lazy = wrap(it)`) is reached like a function would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from git_graph.model import IMPORT, KIND, ROLES, Definition
from git_graph.query.describe import Describer, attributed, declined
from git_graph.query.filters import EVERYTHING, Filter
from git_graph.query.imports import FUNCTIONS
from git_graph.query.subject import Subject, answer, missing, subject
from git_graph.query.values import Answer, Impacted, Via
from git_graph.resolve import Occurrence, Resolver

_ASSIGNED = frozenset(KIND[kind] for kind in ("constant", "variable", "field", "property", "enum_member"))


def impact(
    resolver: Resolver, symbols: Sequence[str], *, depth: int = 0, narrow: Filter = EVERYTHING, limit: int = 100
) -> Answer:
    """The symbols that depend on any of `symbols`, nearest first, at most `depth` (0: any) references away.

    The walk goes everywhere, whatever the list is narrowed to. `modules` counts those reached.
    """
    describer, query = Describer(resolver), {"symbols": list(symbols), "depth": depth, **narrow.query()}
    wanted = [subject(describer, symbol) for symbol in symbols]
    for one in wanted:
        if not one.definitions:
            return missing("impact", query, one)
    definitions = tuple(dict.fromkeys(definition for one in wanted for definition in one.definitions))
    walk = Walk(resolver, definitions)
    while walk.frontier and (not depth or walk.depth < depth):
        walk.step()
    kept = narrow.accepts(resolver.view)
    found = [(user, how) for user, how in walk.reached.items() if kept(user)]
    results = [
        Impacted(describer.symbol(user), level, Via(describer.symbol(target), role, describer.site(occurrence)))
        for user, (level, target, role, occurrence) in (found[:limit] if limit else found)
    ]
    facts = {
        "depth": max((how[0] for _, how in found), default=0),
        "modules": sum(user.index == 0 for user in walk.reached),
    }
    whole = Subject(" ".join(symbols), definitions)
    return answer("impact", query, describer, whole, results, len(found), limit, declined(walk.declined), facts)


class Walk:
    """A walk against the references, breadth first.

    `reached`: who depends on the start -> how many steps away, through which definition, in what role, and where.
    """

    def __init__(self, resolver: Resolver, start: Sequence[Definition]) -> None:
        self.resolver = resolver
        self.start = frozenset(start)
        self.frontier: list[Definition] = list(start)
        self.depth = 0
        self.reached: dict[Definition, tuple[int, Definition, str, Occurrence]] = {}
        self._declined: dict[tuple[str, int], Occurrence] = {}

    @property
    def declined(self) -> Sequence[Occurrence]:
        """The references met that claim nothing, each once."""
        return list(self._declined.values())

    def step(self) -> None:
        """Walk all references to the frontier; those reached for the first time are the next one."""
        self.depth += 1
        found = []
        for occurrence in self.resolver.references(self.frontier):
            target = occurrence.resolution.target
            if not attributed(occurrence) or target is None:
                self._declined.setdefault((occurrence.path, occurrence.index), occurrence)
                continue
            role = self.resolver.role(occurrence)
            if role == IMPORT or self.resolver.redefines(occurrence.path, occurrence.index):
                continue
            for user in users(self.resolver, occurrence):
                if user not in self.reached and user not in self.start:
                    self.reached[user] = self.depth, target, ROLES[role], occurrence
                    found.append(user)
        self.frontier = [user for user in found if user.index != 0]


def users(resolver: Resolver, occurrence: Occurrence) -> Iterator[Definition]:
    """Who depends on what a reference refers to: what is assigned from it, else what encloses it."""
    assigned = assignee(resolver, occurrence)
    yield assigned if assigned is not None else resolver.enclosing(occurrence.path, occurrence.index)


def assignee(resolver: Resolver, occurrence: Occurrence) -> Definition | None:
    """The variable, constant or field whose assignment holds the reference, outside of functions."""
    slice_ = resolver.view.slice(occurrence.path)
    if slice_ is None:
        return None
    symbols, references, index = slice_.symbols, slice_.references, occurrence.index
    line, column, around = references.line[index], references.column[index], references.symbol[index]
    if symbols.kind[around] in FUNCTIONS:
        return None
    best: tuple[int, int, int] | None = None
    for symbol, parent in enumerate(symbols.parent):
        if parent != around or symbols.kind[symbol] not in _ASSIGNED:
            continue
        place = symbols.line[symbol], symbols.column[symbol]
        if place < (line, column) and line <= symbols.end_line[symbol] and (best is None or place > best[:2]):
            best = (*place, symbol)
    return resolver.group(Definition(occurrence.path, best[2])).target if best else None
