"""Strongly connected components and shortest ways round them, over any directed graph.

Without recursion, so that a chain of 100,000 nodes is as good as one of ten.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def components(graph: Mapping[N, Collection[N]]) -> list[list[N]]:
    """The strongly connected components of two nodes or more (Tarjan)."""
    order: dict[N, int] = {}
    low: dict[N, int] = {}
    held: dict[N, None] = {}  # nodes of components not closed yet, in order
    found: list[list[N]] = []
    for root in graph:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        held[root] = None
        stack = [(root, iter(graph[root]))]
        while stack:
            node, successors = stack[-1]
            for successor in successors:
                if successor not in order:
                    order[successor] = low[successor] = len(order)
                    held[successor] = None
                    stack.append((successor, iter(graph.get(successor, ()))))
                    break
                if successor in held:
                    low[node] = min(low[node], order[successor])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == order[node]:
                    component = [held.popitem()[0]]
                    while component[-1] != node:
                        component.append(held.popitem()[0])
                    if len(component) > 1:
                        found.append(component)
    return found


def shortest_cycle(graph: Mapping[N, Collection[N]], start: N) -> list[N]:
    """A shortest way from a node back to itself, the node first and not repeated; empty if there is none."""
    came: dict[N, N] = {}
    frontier = [start]
    while frontier:
        reached = []
        for node in frontier:
            for successor in graph.get(node, ()):
                if successor == start:
                    way = [node]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return way[::-1]
                if successor not in came:
                    came[successor] = node
                    reached.append(successor)
        frontier = reached
    return []
