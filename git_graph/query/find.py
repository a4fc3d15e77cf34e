"""Which symbols have a name like this?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from git_graph.engines.protocol import GraphView
from git_graph.model import Definition
from git_graph.query.describe import Describer
from git_graph.query.filters import EVERYTHING, Filter
from git_graph.query.values import Answer
from git_graph.resolve import Resolver

NAME_BY_NAME = 200
"""Up to so many matching names are looked up one by one; above, the files are read through instead."""


def find(
    resolver: Resolver, pattern: str, *, narrow: Filter = EVERYTHING, ignore_case: bool = False, limit: int = 100
) -> Answer:
    """The symbols whose name contains `pattern`, or matches it where it is a glob (`*` any characters, `?` one).

    A pattern with a dot is held against the qualified name. Equal names come first, then those that begin with the
    pattern, then the others, by place.
    """
    query = {"pattern": pattern, "ignore_case": ignore_case, **narrow.query()}
    found = _found(resolver, pattern, narrow, ignore_case)
    key = pattern.lower() if ignore_case else pattern

    def rank(definition: Definition) -> tuple[int, Definition]:
        name = _name(resolver, definition, key)
        name = name.lower() if ignore_case else name
        return (0 if name == key else 1 if name.startswith(key) else 2), definition

    found.sort(key=rank)
    shown = found[:limit] if limit else found
    return Answer(
        "find",
        query,
        Describer(resolver).symbols(shown),
        len(found),
        truncated=len(shown) < len(found),
        found=bool(found),
        near=() if found else tuple(resolver.near(pattern.strip("*?"))),
        facts={} if found else {"missing": pattern},
    )


def matcher(pattern: str, ignore_case: bool) -> Callable[[str], bool]:
    """A test for names: whole if the pattern is a glob, else anywhere in it."""
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    if not is_glob(pattern):
        expression = re.compile(re.escape(pattern), flags)
        return lambda name: expression.search(name) is not None
    parts = (".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern)
    expression = re.compile("".join(parts), flags)
    return lambda name: expression.fullmatch(name) is not None


def is_glob(pattern: str) -> bool:
    """Whether a pattern has wildcards."""
    return "*" in pattern or "?" in pattern


def _name(resolver: Resolver, definition: Definition, pattern: str) -> str:
    return resolver.qualified(definition) if "." in pattern else resolver.symbol(definition).name


def _found(resolver: Resolver, pattern: str, narrow: Filter, ignore_case: bool) -> list[Definition]:
    """The targets of the groups that match."""
    view, matches = resolver.view, matcher(pattern, ignore_case)
    last = pattern.rsplit(".", 1)[-1]
    names = _names(view, last if "." in pattern else pattern, ignore_case)
    found = _definitions(view, names, narrow)
    if "." in pattern:
        found = (definition for definition in found if matches(resolver.qualified(definition)))
    targets = dict.fromkeys(resolver.group(definition).target for definition in found)
    if "module" in narrow.kinds:
        accepts = narrow.accepts_path()
        modules = (Definition(path, 0) for path in view.paths() if accepts(path))
        targets |= dict.fromkeys(d for d in modules if matches(_name(resolver, d, pattern)))
    kinds, slice_ = narrow.kind_indices(), view.slice
    return [d for d in targets if (s := slice_(d.path)) is not None and s.symbols.kind[d.index] in kinds]


def _names(view: GraphView, pattern: str, ignore_case: bool) -> list[str]:
    if ignore_case:
        return [name for name in view.symbol_names() if matcher(pattern, True)(name)]
    return list(view.symbol_names(pattern if is_glob(pattern) else f"*{pattern}*"))


def _definitions(view: GraphView, names: list[str], narrow: Filter) -> Iterator[Definition]:
    """Every definition that has one of the names and may pass the filter."""
    accepts, wanted = narrow.accepts_path(), set(names)
    paths: Iterable[str] = view.paths()
    if len(names) <= NAME_BY_NAME:
        paths = sorted({path for name in names for path in view.defining(name)})
    kinds = narrow.kind_indices()
    for path in paths:
        if not accepts(path) or (narrow.languages and view.language(path) not in narrow.languages):
            continue
        slice_ = view.slice(path)
        if slice_ is None:
            continue
        strings, columns = slice_.strings, slice_.symbols
        for index, (name, kind) in enumerate(zip(columns.name, columns.kind, strict=True)):
            if kind in kinds and index and strings[name] in wanted:
                yield Definition(path, index)
