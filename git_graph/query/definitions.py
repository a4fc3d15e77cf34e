"""Where is it defined?"""

from __future__ import annotations

from git_graph.query.describe import Describer
from git_graph.query.subject import answer, missing, subject
from git_graph.query.values import Answer
from git_graph.resolve import Resolver


def definitions(resolver: Resolver, symbol: str, *, limit: int = 100) -> Answer:
    """The definitions that a SYMBOL names, one for each symbol; further places stand in `places`."""
    describer, query = Describer(resolver), {"symbol": symbol}
    wanted = subject(describer, symbol)
    if not wanted.definitions:
        return missing("definitions", query, wanted)
    shown, total = describer.symbols(wanted.definitions, limit), len(wanted.definitions)
    return answer("definitions", query, describer, wanted, shown, total, limit)
