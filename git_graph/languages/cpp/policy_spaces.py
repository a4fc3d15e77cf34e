"""Namespaces that macros open: `#define LIB_BEGIN_NAMESPACE namespace lib {`.

What stands in a file that uses such a macro is taken for the namespace's: how far the macro reaches is not told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from git_graph.languages.policy import Context
from git_graph.model import KIND

_OPENS = re.compile(r"(?<!inline )\bnamespace\s+([A-Za-z_][\w:]*)\s*\{")
_MACRO = KIND["macro"]


def files_in_space(context: Context, parts: tuple[str, ...]) -> Collection[str]:
    """The files in which a macro opens the namespace `parts`."""
    return _spaces(context).get(parts, ())


def _spaces(context: Context) -> Mapping[tuple[str, ...], frozenset[str]]:

    def find() -> Mapping[tuple[str, ...], frozenset[str]]:
        found: dict[tuple[str, ...], set[str]] = {}
        for name in context.view.symbol_names():
            if "NAMESPACE" in name and name.isupper():
                for space in _opened(context, name):
                    found.setdefault(space, set()).update(
                        path for path in context.view.referring(name) if context.view.language(path) == "cpp"
                    )
        return {space: frozenset(paths) for space, paths in found.items()}

    return context.remembered("cpp.spaces", find)


def _opened(context: Context, name: str) -> set[tuple[str, ...]]:
    """The namespaces that the macro `name` opens, by its definitions."""
    found = set()
    for path in context.view.defining(name):
        slice_ = context.view.slice(path)
        if slice_ is None or name not in slice_.strings:
            continue
        s, text = slice_.symbols, slice_.strings.index(name)
        for index, own in enumerate(s.name):
            if own == text and s.kind[index] == _MACRO:
                opened = _OPENS.findall(slice_.strings[s.signature[index]])
                if opened:
                    found.add(tuple(part for space in opened for part in space.split("::") if part))
    return found
