"""The engine that lives in its process: for tests, other revisions, and repositories that cannot be written.

Slices are kept as their bytes and indexed by name once, whichever views hold them; a view is two dictionaries, copied
when it changes, so a view that is open stays at its root. Knows nothing of git and of files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from git_graph import codec
from git_graph.engines.cache import SliceCache
from git_graph.engines.naming import DEFINES, EXPORTS, IMPORTS, REFERS, naming, pattern
from git_graph.engines.protocol import FileChange, GraphView, Kept, KeptFile
from git_graph.errors import MissingObject
from git_graph.model import Slice

SWEEP_FLOOR = 4096
"""Below this many slices, those that no view holds are not worth looking for."""


class Contents:
    """Slices by id and the index from names to them. Only ever added to."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self.languages: dict[str, str] = {}
        self.index: dict[str, list[tuple[str, int]]] = {}  # name -> slices, and how they name it
        self.cache = SliceCache()
        self.kept: tuple[str, dict[str, str], dict[str, KeptFile], bool] | None = None  # mark, files then, found, whole

    def add(self, slice_id: str, data: bytes, decode: Callable[[bytes], Slice] = codec.decode) -> None:
        """Take in a slice. Raises CorruptObject if the bytes are none."""
        if slice_id in self.data:
            return
        slice_ = self.cache.put(slice_id, decode(data), len(data))
        self.data[slice_id] = data
        self.languages[slice_id] = slice_.language
        for name, kinds in naming(slice_).items():
            self.index.setdefault(name, []).append((slice_id, kinds))

    def slice(self, slice_id: str) -> Slice:
        """A slice that was taken in."""
        kept = self.cache.get(slice_id)
        if kept is None:
            data = self.data[slice_id]
            kept = self.cache.put(slice_id, codec.decode_trusted(data), len(data))
        return kept


class MemoryView:
    """A view at one root, in memory; see GraphView."""

    def __init__(self, name: str, snapshot: str, files_tree: str, contents: Contents, files: dict[str, str]) -> None:
        self.name = name
        self.snapshot = snapshot
        self.files_tree = files_tree
        self._contents = contents
        self._files = files

    @cached_property
    def _places(self) -> dict[str, list[str]]:
        places: dict[str, list[str]] = {}
        for path, slice_id in self._files.items():
            places.setdefault(slice_id, []).append(path)
        return places

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._files))

    @cached_property
    def _by_base(self) -> dict[str, list[str]]:
        return _grouped(self._paths, lambda path: path.rpartition("/")[2])

    @cached_property
    def _by_directory(self) -> dict[str, list[str]]:
        return _grouped(self._paths, lambda path: path.rpartition("/")[0])

    @cached_property
    def _by_language(self) -> dict[str, list[str]]:
        languages = self._contents.languages
        return _grouped(self._paths, lambda path: languages[self._files[path]])

    def paths(self) -> Sequence[str]:
        """See GraphView."""
        return self._paths

    def has(self, path: str) -> bool:
        """See GraphView."""
        return path in self._files

    def slice_id(self, path: str) -> str | None:
        """See GraphView."""
        return self._files.get(path)

    def slice(self, path: str) -> Slice | None:
        """See GraphView."""
        slice_id = self._files.get(path)
        return None if slice_id is None else self._contents.slice(slice_id)

    def language(self, path: str) -> str | None:
        """See GraphView."""
        slice_id = self._files.get(path)
        return None if slice_id is None else self._contents.languages[slice_id]

    def paths_named(self, base: str) -> Sequence[str]:
        """See GraphView."""
        return tuple(self._by_base.get(base, ()))

    def paths_in(self, directory: str) -> Sequence[str]:
        """See GraphView."""
        return tuple(self._by_directory.get(directory, ()))

    def paths_of_language(self, language: str) -> Sequence[str]:
        """See GraphView."""
        return tuple(self._by_language.get(language, ()))

    def languages(self) -> Mapping[str, int]:
        """See GraphView."""
        return {language: len(paths) for language, paths in sorted(self._by_language.items())}

    def defining(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._naming(DEFINES, name)

    def referring(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._naming(REFERS, name)

    def importing(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._naming(IMPORTS, name)

    def exporting(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._naming(EXPORTS, name)

    def symbol_names(self, glob: str = "*") -> Sequence[str]:
        """See GraphView."""
        places, matches = self._places, pattern(glob).fullmatch
        return sorted(
            name
            for name, named in self._contents.index.items()
            if matches(name) and any(kinds & DEFINES and slice_id in places for slice_id, kinds in named)
        )

    def shared(self) -> GraphView | None:
        """See GraphView."""
        return None

    def kept(self, mark: str, most: int | None = None) -> Kept | None:
        """See GraphView."""
        known = self._contents.kept
        if known is None or known[0] != mark:
            return None
        _, then, files, whole = known
        now = self._files
        changes = {p: (then.get(p), now.get(p)) for p in then.keys() | now.keys() if then.get(p) != now.get(p)}
        return Kept(changes, files, files, whole) if most is None or len(changes) <= most else None

    def keep(self, mark: str, files: Mapping[str, KeptFile], *, whole: bool = False) -> bool:
        """See GraphView. Only what was kept last stays."""
        known = self._contents.kept
        same = known is not None and known[:2] == (mark, self._files)
        before = known[2] if known is not None and same else {}
        self._contents.kept = mark, self._files, {**before, **files}, whole
        return True

    def any_slice(self, slice_id: str) -> Slice | None:
        """See GraphView."""
        return self._contents.slice(slice_id) if slice_id in self._contents.data else None

    def reopener(self) -> Callable[[], GraphView] | None:
        """See GraphView."""
        return None

    def most_referred(self, most_definitions: int, limit: int) -> Sequence[tuple[str, int]]:
        """See GraphView."""
        counts = []
        for name in self.symbol_names():
            number = len(self.referring(name))
            if number and len(self.defining(name)) <= most_definitions:
                counts.append((name, number))
        return sorted(counts, key=lambda row: (-row[1], row[0].encode("utf-8", "surrogateescape")))[:limit]

    def close(self) -> None:
        """See GraphView."""

    def _naming(self, kind: int, name: str) -> Sequence[str]:
        places = self._places
        named = self._contents.index.get(name, ())
        return tuple(sorted(path for slice_id, kinds in named if kinds & kind for path in places.get(slice_id, ())))


class MemoryEngine:
    """Views in memory; see Engine."""

    def __init__(self) -> None:
        self._contents = Contents()
        self._views: dict[str, tuple[str, str, dict[str, str]]] = {}  # name -> snapshot, files tree, files
        self._sweep_at = SWEEP_FLOOR

    def root(self, view: str) -> str | None:
        """See Engine."""
        known = self._views.get(view)
        return known[0] if known else None

    def bring(
        self,
        view: str,
        snapshot: str,
        files_tree: str,
        changes: Iterable[FileChange] | None,
        everything: Callable[[], Iterable[tuple[str, str]]],
        read: Callable[[Sequence[str]], Iterator[tuple[str, bytes]]],
        since: str | None = None,
    ) -> None:
        """See Engine."""
        files = self._files(view, files_tree, changes, everything, since)
        known = self._contents.data
        if missing := sorted({slice_id for slice_id in files.values() if slice_id not in known}):
            for slice_id, data in read(missing):
                self._contents.add(slice_id, data)
            if lost := [slice_id for slice_id in missing if slice_id not in known]:
                raise MissingObject(f"slice {lost[0]} of view {view} is missing", "run: git graph verify")
        self._views[view] = snapshot, files_tree, files
        self._sweep()

    def take_in(self, slices: Iterable[tuple[str, bytes]]) -> None:
        """See Engine."""
        for slice_id, data in slices:
            self._contents.add(slice_id, data, codec.decode_trusted)

    def open(self, view: str) -> GraphView:
        """See Engine."""
        snapshot, files_tree, files = self._views[view]
        return MemoryView(view, snapshot, files_tree, self._contents, files)

    def drop(self, view: str) -> None:
        """See Engine."""
        self._views.pop(view, None)

    def views(self) -> Sequence[str]:
        """See Engine."""
        return sorted(self._views)

    def close(self) -> None:
        """See Engine."""
        self._views.clear()
        self._contents = Contents()

    def _files(
        self,
        view: str,
        files_tree: str,
        changes: Iterable[FileChange] | None,
        everything: Callable[[], Iterable[tuple[str, str]]],
        since: str | None,
    ) -> dict[str, str]:
        """The files of the root that a view is brought to."""
        for _, tree, files in self._views.values():
            if tree == files_tree:
                return files
        start = self._views.get(view)
        if since is not None and (start is None or start[0] != since):
            start = next((known for known in self._views.values() if known[0] == since), None)
        if changes is None or start is None:
            return dict(everything())
        files = start[2].copy()
        for path, slice_id in changes:
            if slice_id is None:
                files.pop(path, None)
            else:
                files[path] = slice_id
        return files

    def _sweep(self) -> None:
        """Leave the slices that no view holds behind, when they may be half of all."""
        if len(self._contents.data) < self._sweep_at:
            return
        held = {slice_id for _, _, files in self._views.values() for slice_id in files.values()}
        if 2 * len(held) < len(self._contents.data):
            old, self._contents = self._contents, Contents()
            for slice_id in held:
                self._contents.add(slice_id, old.data[slice_id], codec.decode_trusted)
        self._sweep_at = max(SWEEP_FLOOR, 2 * len(held))


def view_of(files: Mapping[str, Slice], name: str = "view") -> GraphView:
    """A view of slices at paths, for tests and for answering without a store."""
    encoded = {path: codec.encode(slice_) for path, slice_ in files.items()}
    ids = {path: hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() for path, data in encoded.items()}
    data = {ids[path]: content for path, content in encoded.items()}
    engine = MemoryEngine()
    engine.bring(name, "", "", None, lambda: ids.items(), lambda wanted: ((i, data[i]) for i in wanted))
    return engine.open(name)


def _grouped(paths: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(key(path), []).append(path)
    return groups
