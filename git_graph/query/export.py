"""A view, or the neighbourhood of a symbol in it, file by file, for those who write it in a format.

Every file is resolved once and let go of; what it is made of is the symbols it has and the uses in it. Knows nothing of
formats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from git_graph.model import FLAG_NAMES, IMPORT, KIND, KINDS, ROLES, Definition
from git_graph.query.imports import Progress, quiet
from git_graph.records import NamedTuple
from git_graph.resolve import Resolver

FUNCTIONS = frozenset(KIND[kind] for kind in ("function", "method", "constructor"))


class Node(NamedTuple):
    """A definition in a file. `id` is the same for all places of one symbol; `primary`: this is its target."""

    id: str
    primary: bool
    row: int
    parent: str
    name: str
    qualified: str
    kind: str
    line: int
    column: int
    start_line: int
    end_line: int
    signature: str
    doc: str
    flags: tuple[str, ...]


class Use(NamedTuple):
    """A reference: who uses what. `targets` are empty where nothing is claimed; `candidates` counts what could be."""

    user: str
    name: str
    role: str
    line: int
    column: int
    resolution: str
    targets: tuple[str, ...]
    candidates: int


class Unit(NamedTuple):
    """One file of what is exported."""

    path: str
    language: str
    nodes: tuple[Node, ...]
    uses: tuple[Use, ...]


class Export:
    """What is exported: all of a view, or what `chosen` holds (targets of groups)."""

    def __init__(self, resolver: Resolver, chosen: frozenset[Definition] | None = None) -> None:
        self._resolver = resolver
        self._chosen = chosen
        self._ids: dict[str, list[str]] = {}

    def units(self, progress: Progress = quiet) -> Iterator[Unit]:
        """Every file, in order of paths. A whole view is resolved once, as other questions about all of it do."""
        if self._chosen is None:
            self._resolver.complete(progress)
            paths = sorted(self._resolver.view.paths())
        else:
            paths = sorted({place.path for one in self._chosen for place in self._places(one)})
        for done, path in enumerate(paths):
            progress(done, len(paths))
            unit = self._unit(path)
            if unit is not None:
                yield unit

    def _places(self, definition: Definition) -> tuple[Definition, ...]:
        target, others = self._resolver.group(definition)
        return target, *others

    def _unit(self, path: str) -> Unit | None:
        slice_ = self._resolver.view.slice(path)
        if slice_ is None:
            return None
        nodes = [self._node(Definition(path, index)) for index in range(len(slice_.symbols.name))]
        kept = tuple(node for node in nodes if node is not None)
        return Unit(path, slice_.language, kept, tuple(self._uses(path)))

    def _node(self, definition: Definition) -> Node | None:
        resolver = self._resolver
        target = resolver.group(definition).target
        if self._chosen is not None and target not in self._chosen:
            return None
        symbol = resolver.symbol(definition)
        parent = self.id(Definition(definition.path, symbol.parent)) if symbol.parent >= 0 else ""
        return Node(
            self.id(definition), target == definition, definition.index, parent, symbol.name,
            resolver.qualified(definition), symbol.kind, symbol.line, symbol.column, symbol.start_line,
            symbol.end_line, symbol.signature, symbol.doc,
            tuple(name for flag, name in FLAG_NAMES if flag in symbol.flags),
        )  # fmt: skip

    def _uses(self, path: str) -> Iterator[Use]:
        resolver, chosen = self._resolver, self._chosen
        slice_ = resolver.view.slice(path)
        assert slice_ is not None
        r = slice_.references
        for occurrence in resolver.resolve_file(path):
            index, found = occurrence.index, occurrence.resolution
            user = resolver.enclosing(path, index)
            targets = tuple(resolver.group(target).target for target in found.targets)
            if chosen is not None:
                targets = tuple(target for target in targets if target in chosen)
                if user not in chosen or not targets:
                    continue
            if resolver.redefines(path, index):
                continue
            yield Use(
                self.id(user), slice_.strings[r.name[index]], ROLES[resolver.role(occurrence)], r.line[index],
                r.column[index], found.outcome, tuple(map(self.id, targets)), len(found.candidates),
            )  # fmt: skip

    def id(self, definition: Definition) -> str:
        """The id of the symbol that a definition is of: its path and descriptors, as SCIP writes them."""
        target = self._resolver.group(definition).target
        found = self._ids.get(target.path)
        if found is None:
            found = self._ids[target.path] = self._named(target.path)
        return found[target.index]

    def _named(self, path: str) -> list[str]:
        """The ids of a file's symbols."""
        slice_ = self._resolver.view.slice(path)
        assert slice_ is not None
        s, strings = slice_.symbols, slice_.strings
        ids: list[str] = []
        taken: set[str] = set()
        seen: Counter[str] = Counter()
        for index, (name, kind, parent) in enumerate(zip(s.name, s.kind, s.parent, strict=True)):
            if index == 0:
                ids.append("".join(f"{identifier(part)}/" for part in path.split("/")))
                continue
            owner = strings[s.owner[index]]
            above = ids[parent] + (f"{identifier(owner)}#" if owner else "")
            plain = id = above + descriptor(strings[name], kind, 0)
            while id in taken:  # an overload, another branch; rarely a name that ends as ours do
                seen[plain] += 1
                id = above + descriptor(strings[name], kind, seen[plain])
            taken.add(id)
            ids.append(id)
        return ids


def around(resolver: Resolver, start: Iterable[Definition], depth: int) -> frozenset[Definition]:
    """The symbols at most `depth` attributed uses away from `start`, in either direction.

    What `start` contains counts as `start`: a class stands for its members, a file for all that is in it. Imports and
    uses of itself are no steps.
    """
    found = frontier = {resolver.group(one).target for one in _contained(resolver, start)}
    for _ in range(depth):
        reached = _users(resolver, frontier) | _used(resolver, frontier)
        frontier = reached - found
        found = found | frontier
    return frozenset(found)


def _contained(resolver: Resolver, start: Iterable[Definition]) -> Iterator[Definition]:
    """`start`, and what stands in any place of it."""
    for one in start:
        target, others = resolver.group(one)
        for place in (target, *others):
            slice_ = resolver.view.slice(place.path)
            assert slice_ is not None
            inside = {place.index}
            for index, parent in enumerate(slice_.symbols.parent):
                if parent in inside:
                    inside.add(index)
            yield from (Definition(place.path, index) for index in sorted(inside))


def _users(resolver: Resolver, of: set[Definition]) -> set[Definition]:
    found = set()
    for occurrence in resolver.references(of):
        targets = {resolver.group(target).target for target in occurrence.resolution.targets}
        if targets & of and resolver.role(occurrence) != IMPORT:
            found.add(resolver.enclosing(occurrence.path, occurrence.index))
    return found


def _used(resolver: Resolver, by: set[Definition]) -> set[Definition]:
    found = set()
    for path in {one.path for one in by}:
        for occurrence in resolver.resolve_file(path):
            if not occurrence.resolution.targets or resolver.role(occurrence) == IMPORT:
                continue
            if resolver.enclosing(path, occurrence.index) in by:
                found |= {resolver.group(target).target for target in occurrence.resolution.targets}
    return found


def descriptor(name: str, kind: int, number: int) -> str:
    """A symbol's last descriptor; `number` tells those of one name in one place apart (0: the first)."""
    if kind in FUNCTIONS:
        return f"{identifier(name)}({f'+{number}' if number else ''})."
    word = identifier(f"{name}+{number}" if number else name)
    return word + _ENDINGS.get(KINDS[kind], ".")


_ENDINGS = {"macro": "!", "module": "/", "namespace": "/", "package": "/"} | dict.fromkeys(
    ("class", "interface", "struct", "enum", "trait", "union", "type_alias"), "#"
)


def identifier(name: str) -> str:
    """A name as SCIP's grammar has it: simple, or between backticks."""
    if name and all(sign.isascii() and (sign.isalnum() or sign in "_+-$") for sign in name):
        return name
    return "`" + (text(name) or " ").replace("`", "``") + "`"


def text(name: str) -> str:
    r"""Text that is nothing but Unicode: each byte that is not UTF-8 is written as `\xff` is."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
