"""The one door to resolution: what a reference of a view is, and which references a definition has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from git_graph.engines.protocol import GraphView
from git_graph.model import CALL, INSTANTIATE, Definition, Resolution, Symbol
from git_graph.resolve.values import Group, Occurrence

TYPES = frozenset(("class", "interface", "struct", "enum", "trait", "union", "type_alias"))
"""Kinds of symbols that a call makes a value of."""


class Resolver:
    """Resolves over one view, remembering what it found for as long as it lives. Not for use by several threads."""

    def __init__(self, view: GraphView) -> None:
        self.view = view

    def resolve(self, path: str, index: int) -> Resolution:
        """What reference `index` of the slice of `path` is. Targets and candidates are those of their groups."""
        return Resolution("dangling", rule="not resolved yet")

    def resolve_file(self, path: str) -> list[Occurrence]:
        """Every reference of a file, in the order of their places; a path without a slice has none."""
        raise NotImplementedError

    def role(self, occurrence: Occurrence) -> int:
        """The role to show: a call whose target is a class, struct or the like is `instantiate`."""
        slice_ = self.view.slice(occurrence.path)
        if slice_ is None:
            raise KeyError(occurrence.path)
        role, target = slice_.references.role[occurrence.index], occurrence.resolution.target
        if role == CALL and target is not None and self.symbol(target).kind in TYPES:
            return INSTANTIATE
        return role

    def references(self, definitions: Iterable[Definition]) -> Iterator[Occurrence]:
        """Every site attributed to one of the definitions, and those that have one among their candidates.

        Sorted by path and place. Import sites count, and so do uses under another name (`import x as y`, re-exports).
        """
        raise NotImplementedError

    def lookup(self, text: str) -> list[Definition]:
        """The definitions that a SYMBOL names, one a group, sorted by place; empty if there is none.

        A SYMBOL is a name, a dotted suffix of module path and qualified name (`::` and `#` are as good as `.`), a
        place (`path:line`), or a path, which names the file's module.
        """
        raise NotImplementedError

    def near(self, text: str, limit: int = 5) -> list[str]:
        """Names in the view that are like the last part of a SYMBOL that was not found, best first."""
        raise NotImplementedError

    def group(self, definition: Definition) -> Group:
        """The symbol that a definition is a part of; the same value for each of its parts."""
        raise NotImplementedError

    def symbol(self, definition: Definition) -> Symbol:
        """The definition's record; a module's name is its file's stem."""
        slice_ = self.view.slice(definition.path)
        if slice_ is None:
            raise KeyError(definition.path)
        found = slice_.symbol(definition.index)
        if definition.index:
            return found
        base = definition.path.rpartition("/")[2]
        return found._replace(name=base.rpartition(".")[0] or base)

    def qualified(self, definition: Definition) -> str:
        """The enclosing symbols and the name, joined by `.`; the path for a module."""
        slice_ = self.view.slice(definition.path)
        if slice_ is None or not definition.index:
            return definition.path
        parts, index = [], definition.index
        while index > 0:
            symbol = slice_.symbol(index)
            parts.append(symbol.name)
            if symbol.owner:
                parts.append(symbol.owner)
            index = symbol.parent
        return ".".join(reversed(parts))

    def enclosing(self, path: str, index: int) -> Definition:
        """The definition that contains reference `index` of `path`; the module at top level."""
        slice_ = self.view.slice(path)
        if slice_ is None:
            raise KeyError(path)
        return Definition(path, slice_.references.symbol[index])

    def module_targets(self, path: str, index: int) -> tuple[str, ...]:
        """The paths that import `index` of the slice of `path` brings in; empty if it is outside of the view."""
        raise NotImplementedError
