"""Resolving while noting what was looked at: what a file's resolutions depend on, and so when they still hold.

A footprint is a set of bits: which files of the view were read, and (hashed) which names the view was asked for. What
policies look at is not told apart by file: `policy_paths` and `policy_names` are what any of them read or asked for.
Knows nothing of where footprints are kept, nor of what changed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from git_graph.model import Definition, Slice
from git_graph.resolve.files import File
from git_graph.resolve.groups import Groups
from git_graph.resolve.resolver import Resolver
from git_graph.resolve.values import Group, Occurrence
from git_graph.resolve.world import World

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView

R = TypeVar("R")

NAME_BITS = 4096
"""Names share this many bits; the files' are above."""
FILE_BITS = 16384
_NAMES = (1 << NAME_BITS) - 1
_MISSING: Any = object()


def name_bits(names: Iterable[str]) -> int:
    """The bits of names."""
    bits = 0
    for name in names:
        bits |= 1 << (zlib.crc32(name.encode("utf-8", "surrogateescape")) % NAME_BITS)
    return bits


def file_bits(numbers: Iterable[int]) -> int:
    """The bits of files, by their positions in the sorted list of the view's paths."""
    bits = 0
    for number in numbers:
        bits |= 1 << (NAME_BITS + number % FILE_BITS)
    return bits


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

    @property
    def policy_paths(self) -> frozenset[str]:
        """The files whose slices a policy has read so far."""
        return frozenset(self._world.policies.paths)

    @property
    def policy_names(self) -> frozenset[str]:
        """The names that a policy has asked the view for so far."""
        return frozenset(self._world.policies.names)

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
        self._bits = {path: file_bits((number,)) for number, path in enumerate(view.paths())}
        super().__init__(_Names(view, self))
        self.policies = _Policies(view)
        self.context.view = self.policies  # type: ignore[assignment]
        self.memo: _Memo = _Memo(self)

    def _groups(self) -> Groups:
        return _Groups(self)

    def saw(self, path: str) -> None:
        """Note that a file was read, or was found not to be there."""
        self.seen |= self._bits.get(path, 0)

    def file(self, path: str) -> File | None:
        self.seen |= self._bits.get(path, 0)
        return super().file(path)

    def remembered(self, key: Hashable, find: Callable[[], R]) -> R:
        if key in self.memo:
            return self.memo.get(key)  # type: ignore[no-any-return]
        before, self.seen = self.seen, 0
        result = super().remembered(key, find)
        self._note(key, before)
        return result

    def guarded(self, key: Hashable, find: Callable[[], R], otherwise: R) -> R:
        if key in self.memo:
            return self.memo.get(key)  # type: ignore[no-any-return]
        before, self.seen = self.seen, 0
        result = super().guarded(key, find, otherwise)
        self._note(key, before)
        return result

    def _note(self, key: Any, before: int) -> None:
        """What was seen since is the footprint of an answer, if it is remembered."""
        if key[0] == "candidates":  # kept is only whether there are any, which facts of the name alone decide
            self.seen &= _NAMES
        elif type(key[1]) is str:  # most keys have the path of the file at hand, which the caller has read
            self.seen |= self._bits.get(key[1], 0)
        if key in self.memo or key in self._circles:
            self.seen |= self.memo.footprints.get(key, 0)
            self.memo.put(key, self.seen)
        self.seen |= before


class _Groups(Groups):
    """Groups of which each use is a use of all files that a group stands in."""

    def of(self, definition: Definition) -> Group:
        found = super().of(definition)
        for place in found.places:
            self.world.saw(place.path)  # type: ignore[attr-defined]
        return found

    def target(self, definition: Definition) -> Definition:
        return self.of(definition).target


class _Names:
    """A view that notes which names it was asked for."""

    def __init__(self, view: GraphView, world: _World) -> None:
        self._view = view
        self._world = world
        self._bits: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)

    def _noted(self, name: str) -> None:
        bits = self._bits.get(name)
        if bits is None:
            bits = self._bits[name] = name_bits((name,))
        self._world.seen |= bits

    def defining(self, name: str) -> Sequence[str]:
        self._noted(name)
        return self._view.defining(name)

    def importing(self, name: str) -> Sequence[str]:
        self._noted(name)
        return self._view.importing(name)

    def exporting(self, name: str) -> Sequence[str]:
        self._noted(name)
        return self._view.exporting(name)


class _Policies:
    """A view that notes what it was asked for by whichever policy."""

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self.paths: set[str] = set()
        self.names: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)

    def slice(self, path: str) -> Slice | None:
        self.paths.add(path)
        return self._view.slice(path)

    def defining(self, name: str) -> Sequence[str]:
        self.names.add(name)
        return self._view.defining(name)

    def importing(self, name: str) -> Sequence[str]:
        self.names.add(name)
        return self._view.importing(name)

    def exporting(self, name: str) -> Sequence[str]:
        self.names.add(name)
        return self._view.exporting(name)
