"""Resolving while noting what was looked at: what a file's resolutions depend on, and so when they still hold.

Whatever is remembered is remembered with its footprint, and whoever is told it has seen what it depends on. Knows
nothing of where footprints are kept, nor of what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from git_graph.languages.policy import FILE, Context
from git_graph.model import Definition, Slice
from git_graph.resolve.files import File
from git_graph.resolve.footprints import LANGUAGE, LISTED, NAMED, NAMES, READ, REFERRED, SYMBOLS, bit, name_bit
from git_graph.resolve.groups import Groups
from git_graph.resolve.interface import DEFINED, EXPORTED, IMPORTED
from git_graph.resolve.resolver import Resolver
from git_graph.resolve.values import Group, Occurrence
from git_graph.resolve.world import World

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView

R = TypeVar("R")
_WAYS = frozenset((DEFINED, IMPORTED, EXPORTED))


class FileRecord(NamedTuple):
    """What was found of a file: what each reference is, in their order, and what encloses it; the symbols that are a
    part of another one; and the footprint of finding it."""

    slice: Slice
    occurrences: Sequence[Occurrence]
    enclosing: Sequence[Definition]
    parts: Sequence[int]
    footprint: int


class Recorder:
    """Resolves whole files of a view."""

    def __init__(self, view: GraphView) -> None:
        self._world = _World(view)
        self.resolver = Resolver(view, world=self._world)

    def file(self, path: str) -> FileRecord:
        """Resolve all references of a file. Raises KeyError if it has no slice."""
        world, resolver = self._world, self.resolver
        world.seen = 0
        slice_ = world.at(Definition(path, 0)).slice
        occurrences = resolver.resolve_file(path)
        enclosing = [resolver.enclosing(path, occurrence.index) for occurrence in occurrences]
        own = (Definition(path, index) for index in range(len(slice_.symbols.name)))
        parts = [definition.index for definition in own if world.groups.target(definition) != definition]
        return FileRecord(slice_, occurrences, enclosing, parts, world.seen)


class _Memo(dict[Hashable, Any]):
    """Answers, each with its footprint; whoever gets one has seen what it depends on."""

    def __init__(self, world: _World) -> None:
        super().__init__()
        self.world = world
        self.footprints: dict[Hashable, int] = {}
        self.shared: dict[int, int] = {}

    def get(self, key: Hashable, default: Any = None) -> Any:
        found = super().get(key, default)
        if found is not default:
            self.world.seen |= self.footprints[key]
        return found

    def put(self, key: Hashable, footprint: int) -> None:
        self.footprints[key] = self.shared.setdefault(footprint, footprint)

    def clear(self) -> None:
        super().clear()
        self.footprints.clear()
        self.shared.clear()


class _World(World):
    """A world in which what is looked at leaves a footprint."""

    def __init__(self, view: GraphView) -> None:
        self.seen = 0
        self._bits: dict[tuple[str, str], int] = {}
        super().__init__(_View(view, self))  # type: ignore[arg-type]
        self.context = _Context(self, view)
        self.memo: _Memo = _Memo(self)

    def _groups(self) -> Groups:
        return _Groups(self)

    def looked(self, at: str, text: str) -> None:
        """Note that something was looked at."""
        bits = self._bits.get((at, text))
        if bits is None:
            bits = self._bits[at, text] = name_bit(at, text) if at in _WAYS else bit(at, text)
        self.seen |= bits

    def file(self, path: str) -> File | None:
        self.looked(READ, path)
        return super().file(path)

    def remembered(self, key: Hashable, find: Callable[[], R]) -> R:
        if key in self.memo:
            return self.memo.get(key)  # type: ignore[no-any-return]
        before, self.seen = self.seen, 0
        try:
            result = super().remembered(key, find)
        finally:
            self._note(key, before)
        return result

    def guarded(self, key: Hashable, find: Callable[[], R], otherwise: R) -> R:
        if key in self.memo:
            return self.memo.get(key)  # type: ignore[no-any-return]
        before, self.seen = self.seen, 0
        try:
            result = super().guarded(key, find, otherwise)
        finally:
            self._note(key, before)
        return result

    def _note(self, key: Any, before: int) -> None:
        """What was seen since is the footprint of an answer, if it is remembered."""
        if key[0] == "candidates":  # kept is only whether there are any, which facts of the name alone decide
            self.seen &= NAMES
        elif type(key[1]) is str:  # most keys have the path of the file at hand, which the caller has read
            self.looked(READ, key[1])
        if key in self.memo or key in self._circles:
            self.seen |= self.memo.footprints.get(key, 0)
            self.memo.put(key, self.seen)
        self.seen |= before


class _Context(Context):
    """What policies look at and remember, noted."""

    def __init__(self, world: _World, view: GraphView) -> None:
        super().__init__(_View(view, world))  # type: ignore[arg-type]
        self._world = world
        self._all = view
        self._footprints: dict[Hashable, int] = {}

    def remembered(self, key: Hashable, find: Callable[[], R]) -> R:
        world = self._world
        if key not in self.memo:
            before, world.seen = world.seen, 0
            try:
                self.memo[key] = find()
            finally:
                self._footprints[key] = world.seen
                world.seen |= before
        world.seen |= self._footprints[key]
        found: R = self.memo[key]
        return found

    def table(self, key: Hashable, find: Callable[[GraphView], R]) -> R:
        if key not in self.memo:
            self.memo[key] = find(self._all)
        found: R = self.memo[key]
        return found

    def looked(self, at: str, text: str) -> None:
        self._world.looked(at, text)


class _Groups(Groups):
    """Groups with the footprints of what made them one; each use is a use of all files that a group stands in."""

    def __init__(self, world: _World) -> None:
        super().__init__(world)
        self._recording = world
        self._footprints: dict[Definition, int] = {}

    def of(self, definition: Definition) -> Group:
        world = self._recording
        if definition not in self._footprints:
            before, world.seen = world.seen, 0
            try:
                found = super().of(definition)
                parts = (found.target, *found.places)
                for place in found.places:
                    world.looked(READ, place.path)
                self._footprints.update(dict.fromkeys(parts, world.seen))
                self._footprints[definition] = world.seen
            finally:
                world.seen |= before
        world.seen |= self._footprints[definition]
        return super().of(definition)

    def target(self, definition: Definition) -> Definition:
        return self.of(definition).target


class _View:
    """A view that notes what it is asked; it can be asked nothing that it does not note."""

    def __init__(self, view: GraphView, world: _World) -> None:
        self._view = view
        self._looked = world.looked

    def slice(self, path: str) -> Slice | None:
        self._looked(READ, path)
        return self._view.slice(path)

    def has(self, path: str) -> bool:
        self._looked(FILE, path)
        return self._view.has(path)

    def language(self, path: str) -> str | None:  # of a path that was found by something that is noted
        return self._view.language(path)

    def paths_in(self, directory: str) -> Sequence[str]:
        self._looked(LISTED, directory)
        return self._view.paths_in(directory)

    def paths_named(self, base: str) -> Sequence[str]:
        self._looked(NAMED, base)
        return self._view.paths_named(base)

    def paths_of_language(self, language: str) -> Sequence[str]:
        self._looked(LANGUAGE, language)
        return self._view.paths_of_language(language)

    def defining(self, name: str) -> Sequence[str]:
        self._looked(DEFINED, name)
        return self._view.defining(name)

    def importing(self, name: str) -> Sequence[str]:
        self._looked(IMPORTED, name)
        return self._view.importing(name)

    def exporting(self, name: str) -> Sequence[str]:
        self._looked(EXPORTED, name)
        return self._view.exporting(name)

    def referring(self, name: str) -> Sequence[str]:
        self._looked(REFERRED, name)
        return self._view.referring(name)

    def symbol_names(self) -> Sequence[str]:
        self._looked(SYMBOLS, "")
        return self._view.symbol_names()
