"""Which files import which?"""

from __future__ import annotations

from git_graph.query.filters import path_filter
from git_graph.query.imports import Progress, dependencies, quiet
from git_graph.query.subject import near_paths
from git_graph.query.values import Answer
from git_graph.resolve import Resolver

BOTH, OUT, IN = "both", "out", "in"
DIRECTIONS = (BOTH, OUT, IN)


def deps(
    resolver: Resolver,
    path: str = "",
    *,
    direction: str = BOTH,
    external: bool = False,
    limit: int = 100,
    progress: Progress = quiet,
) -> Answer:
    """The imports between files: by the file or folder `path` (`out`), then of it by others (`in`), or all there are.

    `external` adds the imports that leave the view; otherwise they are only counted. `found` is False if the view
    has nothing at `path`.
    """
    query = {"path": path or None, "direction": direction, "external": external}
    within = path_filter((path,) if path else ())
    paths = resolver.view.paths()
    if path and not any(map(within, paths)):
        return Answer("deps", query, found=False, near=near_paths(resolver, path), facts={"missing": path})
    outward = [p for p in paths if within(p)] if direction == OUT else paths
    edges = [
        edge
        for edge in dependencies(resolver, outward, progress)
        if (direction != IN and within(edge.path)) or (direction != OUT and edge.target and within(edge.target))
    ]
    if path:
        edges.sort(key=lambda edge: not within(edge.path))
    leaving = sum(not edge.target for edge in edges)
    kept = edges if external else [edge for edge in edges if edge.target]
    shown = kept[:limit] if limit else kept
    return Answer("deps", query, tuple(shown), len(kept), truncated=len(shown) < len(kept), facts={"external": leaving})
