"""Which symbols matter most?"""

from __future__ import annotations

from collections import Counter

from git_graph.model import Definition
from git_graph.query.describe import Describer
from git_graph.query.filters import EVERYTHING, Filter
from git_graph.query.graph import Graph, graph
from git_graph.query.imports import Progress, quiet
from git_graph.query.values import Answer, Ranked
from git_graph.resolve import Resolver

FAN_IN, FAN_OUT, RANK = "fan-in", "fan-out", "rank"
MEASURES = (FAN_IN, FAN_OUT, RANK)
DAMPING, ROUNDS, PRECISION = 0.85, 100, 1e-9


def top(
    resolver: Resolver, *, by: str = FAN_IN, narrow: Filter = EVERYTHING, limit: int = 100, progress: Progress = quiet
) -> Answer:
    """The symbols with the highest score, which is above zero.

    `fan-in`: how many symbols use it; `fan-out`: how many it uses; `rank`: its share (of 1) of PageRank over the uses.
    The whole view is scored, whatever the filter.
    """
    query = {"by": by, **narrow.query()}
    scores = _SCORES[by](graph(resolver, progress))
    kept = narrow.accepts(resolver.view)
    ranked = sorted((-score, definition) for definition, score in scores.items() if score)
    found = [(definition, -score) for score, definition in ranked if kept(definition)]
    shown = found[:limit] if limit else found
    describer = Describer(resolver)
    results = tuple(Ranked(describer.symbol(definition), score) for definition, score in shown)
    return Answer("top", query, results, len(found), truncated=len(shown) < len(found))


def fan_in(edges: Graph) -> dict[Definition, float]:
    """How many symbols use each."""
    return dict(Counter(target for targets in edges.values() for target in targets))


def fan_out(edges: Graph) -> dict[Definition, float]:
    """How many symbols each uses."""
    return {user: len(targets) for user, targets in edges.items()}


def rank(edges: Graph) -> dict[Definition, float]:
    """PageRank: a symbol that uses nothing gives its rank to all alike."""
    nodes = sorted(edges.keys() | {target for targets in edges.values() for target in targets})
    number = {node: index for index, node in enumerate(nodes)}
    links = [sorted(number[target] for target in edges.get(node, ())) for node in nodes]
    count = len(nodes)
    ranks = [1 / count] * count if count else []
    for _ in range(ROUNDS):
        idle = sum(score for score, out in zip(ranks, links, strict=True) if not out)
        fresh = [(1 - DAMPING + DAMPING * idle) / count] * count
        for score, out in zip(ranks, links, strict=True):
            if out:
                share = DAMPING * score / len(out)
                for target in out:
                    fresh[target] += share
        change = sum(abs(a - b) for a, b in zip(ranks, fresh, strict=True))
        ranks = fresh
        if change < PRECISION:
            break
    return {node: round(score, 9) for node, score in zip(nodes, ranks, strict=True)}


_SCORES = {FAN_IN: fan_in, FAN_OUT: fan_out, RANK: rank}
