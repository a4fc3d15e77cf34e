"""The whole graph of a view: which symbol depends on which, over attributed references alone.

Resolved once for each state of a view: see `Resolver.complete`.
"""

from __future__ import annotations

from git_graph.model import IMPORT, WRITE, Definition
from git_graph.query.imports import Progress, quiet
from git_graph.resolve import Resolver

Graph = dict[Definition, set[Definition]]
"""User -> what it uses. Every symbol of the view is a key."""


def graph(resolver: Resolver, progress: Progress = quiet) -> Graph:
    """The graph of the view. A symbol's use of itself, imports and writes are no edges."""
    edges: Graph = {}
    for file in resolver.complete(progress).files():
        for symbol in file.symbols():
            edges.setdefault(symbol, set())
        for user, role, targets in file.edges():
            if role not in (IMPORT, WRITE):
                edges.setdefault(user, set()).update(target for target in targets if target != user)
    return edges
