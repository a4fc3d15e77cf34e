"""The whole graph of a view: which symbol depends on which, over attributed references alone."""

from __future__ import annotations

from git_graph.model import IMPORT, WRITE, Definition
from git_graph.query.imports import Progress, quiet
from git_graph.resolve import Resolver

Graph = dict[Definition, set[Definition]]
"""User -> what it uses. Every symbol of the view is a key."""


def graph(resolver: Resolver, progress: Progress = quiet) -> Graph:
    """Resolve every reference of the view. A symbol's use of itself, imports and writes are no edges."""
    edges: Graph = {}
    paths = resolver.view.paths()
    for done, path in enumerate(paths):
        progress(done, len(paths))
        slice_ = resolver.view.slice(path)
        if slice_ is None:
            continue
        for index in range(len(slice_.symbols.name)):
            edges.setdefault(resolver.group(Definition(path, index)).target, set())
        roles = slice_.references.role
        for occurrence in resolver.resolve_file(path):
            targets = occurrence.resolution.targets
            if not targets or roles[occurrence.index] in (IMPORT, WRITE):
                continue
            user = resolver.enclosing(path, occurrence.index)
            edges.setdefault(user, set()).update(target for target in targets if target != user)
    return edges
