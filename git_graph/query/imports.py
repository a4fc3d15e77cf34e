"""The import graph between files: what deps and cycles look at.

An edge is one file importing another, told once, at its first line. Knows nothing of what the imported names are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from git_graph.model import KIND, ImportFlag
from git_graph.query.values import Dependency
from git_graph.resolve import Resolver

Progress = Callable[[int, int], None]
"""Told how many of how many files are done."""
FUNCTIONS = frozenset(KIND[kind] for kind in ("function", "method", "constructor", "property"))
"""Kinds of symbols whose bodies run later than their file is loaded."""


def quiet(done: int, total: int) -> None:
    """The progress that nobody looks at."""


def dependencies(resolver: Resolver, paths: Iterable[str], progress: Progress = quiet) -> Iterator[Dependency]:
    """The imports of several files, by path and line; those that leave the view have no target."""
    chosen = list(paths)
    for done, path in enumerate(chosen):
        progress(done, len(chosen))
        yield from imports_of(resolver, path)


def imports_of(resolver: Resolver, path: str) -> Iterator[Dependency]:
    """The files that one file imports, each once; an import that runs at load time is told before one that does not."""
    slice_ = resolver.view.slice(path)
    if slice_ is None:
        return
    columns, strings = slice_.imports, slice_.strings
    found: dict[tuple[str, str], Dependency] = {}
    for index, line in enumerate(columns.line):
        module = "." * columns.depth[index] + strings[columns.module[index]]
        deferred = slice_.symbols.kind[columns.symbol[index]] in FUNCTIONS
        type_only = bool(columns.flags[index] & ImportFlag.TYPE_ONLY)
        for target in resolver.module_targets(path, index) or ("",):
            edge = Dependency(path, line, target, module, deferred, type_only)
            key = target, "" if target else module
            known = found.get(key)
            if target != path and (known is None or _weight(edge) < _weight(known)):
                found[key] = edge
    yield from sorted(found.values(), key=lambda edge: (edge.line, edge.target, edge.module))


def _weight(edge: Dependency) -> tuple[bool, bool]:
    return edge.type_only, edge.deferred
