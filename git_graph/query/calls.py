"""What callers and callees share: call sites gathered under the symbol at their other end.

The roles are call and instantiate; a limit counts sites.
"""

from __future__ import annotations

from collections.abc import Iterable

from git_graph.model import CALL, INSTANTIATE, Definition
from git_graph.query.describe import Describer
from git_graph.query.values import CallEdge
from git_graph.resolve import Occurrence

CALLS = frozenset((CALL, INSTANTIATE))


def edges(
    describer: Describer, pairs: Iterable[tuple[Definition, Occurrence]], limit: int, *, explain: bool = False
) -> tuple[tuple[CallEdge, ...], int]:
    """Sites gathered by symbol, in the order in which the symbols come first; and how many sites there are."""
    gathered: dict[Definition, list[Occurrence]] = {}
    for definition, occurrence in pairs:
        gathered.setdefault(definition, []).append(occurrence)
    total = sum(map(len, gathered.values()))
    left = limit or total
    result = []
    for definition, sites in gathered.items():
        if left <= 0:
            break
        shown = tuple(describer.reference(site, explain=explain) for site in sites[:left])
        left -= len(shown)
        result.append(CallEdge(describer.symbol(definition), shown))
    return tuple(result), total
