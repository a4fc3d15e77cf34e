"""What does it call?"""

from __future__ import annotations

from collections.abc import Iterator

from git_graph.model import Definition
from git_graph.query.calls import CALLS, edges
from git_graph.query.describe import Describer, declined
from git_graph.query.subject import answer, missing, subject
from git_graph.query.values import MAX_CANDIDATES, Answer
from git_graph.query.within import references_within
from git_graph.resolve import Occurrence, Resolver


def callees(
    resolver: Resolver, symbol: str, *, possible: bool = False, explain: bool = False, limit: int = 100
) -> Answer:
    """The symbols that a SYMBOL calls, with the sites in it; what is nested in it counts as part of it.

    `possible` adds each candidate (at most MAX_CANDIDATES of a site) of the calls that claim none. Calls that leave
    the view are counted as `dangling`.
    """
    describer, query = Describer(resolver), {"symbol": symbol, "possible": possible}
    wanted = subject(describer, symbol)
    if not wanted.definitions:
        return missing("callees", query, wanted)
    found = [
        occurrence
        for definition in wanted.definitions
        for part in (definition, *resolver.group(definition).places)
        for occurrence in references_within(resolver, part)
        if resolver.role(occurrence) in CALLS
    ]
    results, total = edges(describer, _pairs(found, possible), limit, explain=explain)
    facts = {"dangling": sum(o.resolution.outcome == "dangling" for o in found)}
    return answer("callees", query, describer, wanted, results, total, limit, declined(found), facts)


def _pairs(found: list[Occurrence], possible: bool) -> Iterator[tuple[Definition, Occurrence]]:
    for occurrence in found:
        resolution = occurrence.resolution
        for target in resolution.targets:
            yield target, occurrence
        if resolution.target is None and possible:
            for candidate in resolution.candidates[:MAX_CANDIDATES]:
                yield candidate, occurrence
