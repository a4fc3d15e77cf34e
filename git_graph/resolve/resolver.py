"""The one door to resolution: what a reference of a view is, and which references a definition has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from git_graph.engines.protocol import GraphView
from git_graph.model import CALL, INSTANTIATE, WRITE, Definition, Resolution, Symbol
from git_graph.resolve.attribution import Attribution
from git_graph.resolve.explaining import Explaining
from git_graph.resolve.files import ALIAS_KIND, CLASS_KINDS, File
from git_graph.resolve.finding import Finding
from git_graph.resolve.naming import Naming
from git_graph.resolve.values import MODULE, Group, Occurrence
from git_graph.resolve.world import World

if TYPE_CHECKING:
    from git_graph.resolve.records import StoredFile
    from git_graph.resolve.stored import Progress, Stored

TYPES = CLASS_KINDS | {ALIAS_KIND}
"""Stored kinds of symbols that a call makes a value of."""


class Resolver:
    """Resolves over one view, remembering what it found for as long as it lives. Not for use by several threads."""

    def __init__(self, view: GraphView, world: World | None = None, *, candidates: bool = True) -> None:
        """Open a view for resolving; a `world` of one's own resolves everything, whatever is stored of the view.

        Without `candidates`, what a call on an unknown receiver could mean is not looked for (and a name that the view
        does not have is not told from one).
        """
        self.view = view
        self._world = world or World(view)
        self._stored: Stored | None = None
        self._recalls = world is None
        self._finding = Finding(self._world, Attribution(self._world, candidates=candidates), self._known)
        self._naming = Naming(self._world)
        self._explaining = Explaining(self._world)

    def resolve(self, path: str, index: int) -> Resolution:
        """What reference `index` of the slice of `path` is. Targets and candidates are those of their groups."""
        return self._finding.resolve(self._file(path), index)

    def resolve_file(self, path: str) -> list[Occurrence]:
        """Every reference of a file, in the order of their places; a path without a slice has none."""
        file = self._world.file(path)
        if file is None:
            return []
        resolve = self._finding.resolve
        return [Occurrence(path, index, resolve(file, index)) for index in range(len(file.slice.references.name))]

    def role(self, occurrence: Occurrence) -> int:
        """The role to show: a call whose target is a class, struct or the like is `instantiate`."""
        role = self._role(occurrence.path, occurrence.index)
        target = occurrence.resolution.target
        if role == CALL and target is not None:
            return INSTANTIATE if self._file(target.path).slice.symbols.kind[target.index] in TYPES else role
        return role

    def explain(self, path: str, index: int) -> str:
        """One line on what attributed reference `index` of `path`: the scope, imports, the receiver's type."""
        return self._explaining.explain(self._file(path), index, self.resolve(path, index))

    def redefines(self, path: str, index: int) -> bool:
        """Whether reference `index` of `path` is the name of a definition: an overload, a setter, another branch.

        Such a reference writes the symbol that it is a part of; it is no use of it.
        """
        if self._role(path, index) != WRITE:
            return False
        file = self._file(path)
        r, s = file.slice.references, file.slice.symbols
        place = r.line[index], r.column[index]
        return any((s.line[i], s.column[i]) == place for i in file.symbols_of(file.slice.strings[r.name[index]]))

    def references(self, definitions: Iterable[Definition]) -> Iterator[Occurrence]:
        """Every site attributed to one of the definitions, and those that have one among their candidates.

        Sorted by path and place. Import sites count, and so do uses under another name (`import x as y`, re-exports).
        The references of a constructor are the constructions of its class.
        """
        return self._finding.references(definitions)

    def overriding(self, definition: Definition) -> tuple[Definition, ...]:
        """The members of other types that override, or implement, a member."""
        from git_graph.resolve.overriding import overriding

        return overriding(self._world, definition)

    def lookup(self, text: str) -> list[Definition]:
        """The definitions that a SYMBOL names, one a group, sorted by place; empty if there is none.

        A SYMBOL is a name, a dotted suffix of module path and qualified name (`::` and `#` are as good as `.`), a
        place (`path:line`), or a path, which names the file's module.
        """
        return self._naming.lookup(text)

    def near(self, text: str, limit: int = 5) -> list[str]:
        """Names (or paths) in the view that are like a SYMBOL that was not found, best first."""
        return self._naming.near(text, limit)

    def group(self, definition: Definition) -> Group:
        """The symbol that a definition is a part of; the same value for each of its parts."""
        return self._world.groups.of(definition)

    def symbol(self, definition: Definition) -> Symbol:
        """The definition's record; a module's name is its file's stem."""
        found = self._file(definition.path).slice.symbol(definition.index)
        if definition.index:
            return found
        base = definition.path.rpartition("/")[2]
        return found._replace(name=base.rpartition(".")[0] or base)

    def qualified(self, definition: Definition) -> str:
        """The enclosing symbols and the name, joined by `.`; the path for a module."""
        return ".".join(self._file(definition.path).slice.parts(definition.index)) or definition.path

    def enclosing(self, path: str, index: int) -> Definition:
        """The symbol that contains reference `index` of `path` (its group's target); the module at top level.

        What a decorator names belongs to the definition that it decorates; what it calls runs where that stands.
        """
        if (known := self._known(path)) is not None:
            return known.enclosing(index)
        file = self._file(path)
        r = file.slice.references
        symbol = r.symbol[index]
        if r.role[index] not in (CALL, INSTANTIATE):
            symbol = self._decorated(file, symbol, r.line[index])
        return self._world.groups.target(Definition(path, symbol))

    @staticmethod
    def _decorated(file: File, symbol: int, line: int) -> int:
        """The symbol in `symbol` whose name stands below a line that is its own already, else `symbol`."""
        s = file.slice.symbols
        if line in file.heads:
            for i in file.heads[line]:
                if s.parent[i] == symbol:
                    return i
        return symbol

    def module_targets(self, path: str, index: int) -> tuple[str, ...]:
        """The paths that import `index` of the slice of `path` brings in; empty if it is outside of the view.

        `from package import name` brings in the module `name` where that is one, else the package.
        """
        file = self._file(path)
        files = self._world.modules.of_import(file, index)
        for value in self._world.modules.imported(file, index).values:
            if value.kind == MODULE and value.files:
                files = value.files
        return tuple(target for target in files if not target.endswith("/"))

    def complete(self, progress: Progress) -> Stored:
        """What all references of the view are, found now as far as it is not stored, and stored for the next time.

        From here on nothing is resolved any more. See `Stored.files`.
        """
        from git_graph.resolve.stored import completed

        self._stored = completed(self.view, progress)
        return self._stored

    @property
    def lacking(self) -> bool:
        """Whether a question had to find out what could have been stored."""
        return self._stored is not None and self._stored.lacking

    def _known(self, path: str) -> StoredFile | None:
        """What is stored of the references of a file."""
        if not self._recalls:
            return None
        if self._stored is None:
            from git_graph.resolve.stored import stored

            self._stored = stored(self.view)
        return self._stored.file(path)

    def _role(self, path: str, index: int) -> int:
        """The role of a reference, as stored."""
        if (known := self._known(path)) is not None:
            return known.roles[index]
        return self._file(path).slice.references.role[index]

    def _file(self, path: str) -> File:
        file = self._world.file(path)
        if file is None:
            raise KeyError(path)
        return file
