"""Who calls it?"""

from __future__ import annotations

from git_graph.query.calls import CALLS, edges
from git_graph.query.describe import Describer, attributed, declined
from git_graph.query.subject import answer, missing, subject
from git_graph.query.values import Answer
from git_graph.resolve import Resolver


def callers(
    resolver: Resolver, symbol: str, *, possible: bool = False, explain: bool = False, limit: int = 100
) -> Answer:
    """The symbols that call a SYMBOL, with their sites; a call outside any function is its module's.

    `possible` adds the sites that have it among their candidates without claiming it.
    """
    describer, query = Describer(resolver), {"symbol": symbol, "possible": possible}
    wanted = subject(describer, symbol)
    if not wanted.definitions:
        return missing("callers", query, wanted)
    found = [o for o in resolver.references(wanted.definitions) if resolver.role(o) in CALLS]
    pairs = ((resolver.enclosing(o.path, o.index), o) for o in found if possible or attributed(o))
    results, total = edges(describer, pairs, limit, explain=explain)
    return answer("callers", query, describer, wanted, results, total, limit, declined(found))
