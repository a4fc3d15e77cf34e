"""The one door to resolution: what a reference of a view is, and which references a definition has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from git_graph.engines.protocol import GraphView
from git_graph.model import Definition, Resolution, Symbol
from git_graph.resolve.values import Group, Occurrence


class Resolver:
    """Resolves over one view, remembering what it found for as long as it lives. Not for use by several threads."""

    def __init__(self, view: GraphView) -> None:
        self.view = view

    def resolve(self, path: str, index: int) -> Resolution:
        """What reference `index` of the slice of `path` is. Targets and candidates are those of their groups."""
        raise NotImplementedError

    def resolve_file(self, path: str) -> list[Occurrence]:
        """Every reference of a file, in the order of their places; a path without a slice has none."""
        raise NotImplementedError

    def role(self, occurrence: Occurrence) -> int:
        """The role to show: a call whose target is a class, struct or the like is `instantiate`."""
        raise NotImplementedError

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
        raise NotImplementedError

    def qualified(self, definition: Definition) -> str:
        """The enclosing symbols and the name, joined by `.`; the path for a module."""
        raise NotImplementedError

    def enclosing(self, path: str, index: int) -> Definition:
        """The definition that contains reference `index` of `path` (its group's target; the module at top level)."""
        raise NotImplementedError

    def module_targets(self, path: str, index: int) -> tuple[str, ...]:
        """The paths that import `index` of the slice of `path` brings in; empty if it is outside of the view."""
        raise NotImplementedError
