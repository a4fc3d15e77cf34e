"""Which files import each other in a circle?"""

from __future__ import annotations

from git_graph.query.components import components, shortest_cycle
from git_graph.query.filters import path_filter
from git_graph.query.imports import Progress, dependencies, quiet
from git_graph.query.values import Answer, Cycle, Dependency
from git_graph.resolve import Resolver


def cycles(
    resolver: Resolver,
    *,
    paths: tuple[str, ...] = (),
    runtime: bool = False,
    limit: int = 100,
    progress: Progress = quiet,
) -> Answer:
    """The groups of files that import each other, largest first, each with one shortest circle through its first file.

    `runtime` leaves out imports that cannot hurt while files are loaded: those inside functions, and of types only.
    `paths` looks only at the files they match.
    """
    query = {"paths": list(paths), "runtime": runtime}
    within = path_filter(paths)
    edges: dict[tuple[str, str], Dependency] = {}
    graph: dict[str, list[str]] = {path: [] for path in resolver.view.paths() if within(path)}
    for edge in dependencies(resolver, graph, progress):
        if edge.target in graph and not (runtime and (edge.deferred or edge.type_only)):
            edges[edge.path, edge.target] = edge
            graph[edge.path].append(edge.target)
    found = sorted((sorted(component) for component in components(graph)), key=lambda files: (-len(files), files))
    shown = found[:limit] if limit else found
    results = []
    for files in shown:
        inside = frozenset(files)
        part = {path: [target for target in graph[path] if target in inside] for path in files}
        way = shortest_cycle(part, files[0])
        pairs = zip(way, [*way[1:], way[0]], strict=True)
        results.append(Cycle(tuple(files), tuple(edges[pair] for pair in pairs)))
    return Answer("cycles", query, tuple(results), len(found), truncated=len(shown) < len(found))
