"""How does a call get from here to there?"""

from __future__ import annotations

from git_graph.model import Definition
from git_graph.query.calls import CALLS
from git_graph.query.describe import Describer, attributed, declined
from git_graph.query.subject import Subject, answer, missing, subject
from git_graph.query.values import Answer, Step
from git_graph.query.within import references_within
from git_graph.resolve import Occurrence, Resolver


def path(resolver: Resolver, start: str, end: str, *, limit: int = 100) -> Answer:
    """A shortest chain of attributed calls from one SYMBOL to another; no result if there is none.

    A construction leads on into what the class holds. Of several shortest chains, the first by the order of the calls.
    """
    describer, query = Describer(resolver), {"from": start, "to": end}
    origin, goal = subject(describer, start), subject(describer, end)
    for one in (origin, goal):
        if not one.definitions:
            return missing("path", query, one)
    search = _Search(resolver, origin.definitions)
    found = search.run(frozenset(goal.definitions))
    chain = search.chain(found) if found is not None else []
    steps = [_step(describer, definition, occurrence) for definition, occurrence in chain]
    whole = Subject(f"{start} {end}", (*origin.definitions, *goal.definitions))
    shown = steps[:limit] if limit else steps
    return answer("path", query, describer, whole, shown, len(steps), limit, declined(search.declined))


def _step(describer: Describer, definition: Definition, occurrence: Occurrence | None) -> Step:
    if occurrence is None:
        return Step(describer.symbol(definition), None, "")
    return Step(describer.symbol(definition), describer.site(occurrence), occurrence.resolution.outcome)


class _Search:
    """Breadth first along calls; remembers by which call each symbol was reached."""

    def __init__(self, resolver: Resolver, origins: tuple[Definition, ...]) -> None:
        self.resolver = resolver
        self.came: dict[Definition, tuple[Definition, Occurrence] | None] = dict.fromkeys(origins)
        self.declined: list[Occurrence] = []

    def run(self, goals: frozenset[Definition]) -> Definition | None:
        """The first goal that is reached, if any is."""
        frontier = list(self.came)
        for origin in frontier:
            if origin in goals:
                return origin
        while frontier:
            reached = []
            for definition in frontier:
                for occurrence in self._calls(definition):
                    for target in occurrence.resolution.targets:
                        if target in self.came:
                            continue
                        self.came[target] = definition, occurrence
                        if target in goals:
                            return target
                        reached.append(target)
            frontier = reached
        return None

    def _calls(self, definition: Definition) -> list[Occurrence]:
        calls: list[Occurrence] = []
        for part in (definition, *self.resolver.group(definition).places):
            for occurrence in references_within(self.resolver, part):
                if self.resolver.role(occurrence) in CALLS:
                    (calls if attributed(occurrence) else self.declined).append(occurrence)
        return calls

    def chain(self, goal: Definition) -> list[tuple[Definition, Occurrence | None]]:
        """The steps from an origin to a goal, each with the call that leads on."""
        chain: list[tuple[Definition, Occurrence | None]] = [(goal, None)]
        while (step := self.came[chain[-1][0]]) is not None:
            chain.append(step)
        return chain[::-1]
