"""Manifests as trees: which path holds which slice.

`files/` mirrors the worktree with a `=` before each component. A tree that does not change stays the same tree, so
building at once and reaching the same files by any sequence of updates give the same id. Knows nothing of slices'
contents and of views.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, MissingObject
from git_graph.git.objects import BLOB, TREE, Entry
from git_graph.records import NamedTuple
from git_graph.store.basis import Basis

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction

MAX_FILES = 10_000_000
"""More files than this are a bomb (a few small trees, nested, can name any number)."""


class Change(NamedTuple):
    """A path whose slice differs between two files trees; None where it has none."""

    path: bytes
    old: str | None
    new: str | None


class Snapshot(NamedTuple):
    """A `snapshot/` tree: its id, its files tree, and its basis."""

    id: str
    files: str
    basis: Basis


def build(transaction: Transaction, files: Mapping[bytes, str]) -> str:
    """The files tree that holds exactly `files` (path -> slice id); its id."""
    return _write(transaction, {b"": {}}, files.items())


def update(transaction: Transaction, files_tree: str, changes: Mapping[bytes, str | None]) -> str:
    """The files tree with `changes` applied (None: the path goes); its id. Costs the directories on changed paths.

    Raises:
        MissingObject, CorruptObject: a tree on the way cannot be read.
    """
    if not changes:
        return files_tree
    return _write(transaction, _load(transaction, files_tree, changes), changes.items())


def walk(repository: Repository, files_tree: str) -> Iterator[tuple[bytes, str]]:
    """(path, slice id) of every file, in git's order.

    Raises:
        MissingObject; CorruptObject: it is no files tree, or has more than MAX_FILES files.
    """
    for count, (path, mode, id) in enumerate(repository.objects.walk(files_tree)):
        if mode != BLOB or count >= MAX_FILES:
            raise CorruptObject(f"tree {files_tree} is not the files of a manifest")
        yield _path(path), id


def find(repository: Repository, files_tree: str, path: bytes) -> str | None:
    """The slice id at `path`, or None."""
    entry = repository.objects.entry(files_tree, _mirrored(path))
    return entry.id if entry and entry.mode == BLOB else None


def diff(repository: Repository, old: str | None, new: str | None) -> Iterator[Change]:
    """What differs between two files trees (None: an empty one); costs what differs. Raises as `walk`."""
    for count, (path, was, now) in enumerate(repository.objects.diff(old, new)):
        if count >= MAX_FILES:
            raise CorruptObject(f"tree {new} is not the files of a manifest")
        yield Change(_path(path), was[1] if was else None, now[1] if now else None)


def put_snapshot(transaction: Transaction, files_tree: str, basis: Basis) -> str:
    """Add the `snapshot/` tree of a files tree and its basis; its id."""
    return transaction.tree(
        [Entry(b"basis", BLOB, transaction.blob(basis.encode())), Entry(b"files", TREE, files_tree)]
    )


def read_snapshot(repository: Repository, snapshot: str) -> Snapshot:
    """The snapshot with that tree id.

    Raises:
        MissingObject, CorruptObject, NewerFormat: never an empty manifest instead.
    """
    try:
        entries = {entry.name: entry for entry in repository.objects.tree(snapshot)}
        files, basis = entries.get(b"files"), entries.get(b"basis")
        if files is None or files.mode != TREE or basis is None or basis.mode != BLOB:
            raise CorruptObject(f"tree {snapshot} is not the snapshot of a manifest", MEND)
        return Snapshot(snapshot, files.id, Basis.decode(repository.objects.blob(basis.id)))
    except MissingObject as error:
        raise MissingObject(f"manifest: {error.message}", MEND) from error


MEND = "git graph sync --full makes the manifest again"


def _mirrored(path: bytes) -> bytes:
    return b"=" + path.replace(b"/", b"/=")


def _path(mirrored: bytes) -> bytes:
    """The path that a path below `files/` stands for."""
    path = b"/" + mirrored
    if path.count(b"/=") != path.count(b"/"):
        raise CorruptObject("a manifest has a path without its `=`")
    return path.replace(b"/=", b"/")[1:]


Directories = dict[bytes, dict[bytes, Entry]]
"""Path of a directory (empty: the root) -> the entries of its tree, by name."""


def _load(transaction: Transaction, files_tree: str, paths: Iterable[bytes]) -> Directories:
    """The trees of every directory on the way to `paths`; empty where there is none yet."""
    loaded: Directories = {b"": _entries(transaction, files_tree)}
    for directory in sorted(_directories(paths), key=_depth):
        parent, _, name = directory.rpartition(b"/")
        entry = loaded[parent].get(b"=" + name)
        is_tree = entry is not None and entry.mode == TREE
        loaded[directory] = _entries(transaction, entry.id) if entry is not None and is_tree else {}
    return loaded


def _write(transaction: Transaction, loaded: Directories, changes: Iterable[tuple[bytes, str | None]]) -> str:
    """Apply `changes` to loaded trees, deepest first, and add them; the id of the root.

    A subdirectory's new tree goes into its parent before the parent's own files do, so that a file may take the place
    of a directory and the other way round.
    """
    files: dict[bytes, list[tuple[bytes, str | None]]] = defaultdict(list)
    for path, slice_id in changes:
        directory, _, name = path.rpartition(b"/")
        files[directory].append((b"=" + name, slice_id))
    for directory in _directories(files, themselves=True):
        loaded.setdefault(directory, {})
    for directory in sorted(loaded.keys() - {b""}, key=_depth, reverse=True):
        entries = _apply(loaded[directory], files[directory])
        parent, _, name = directory.rpartition(b"/")
        name = b"=" + name
        siblings = loaded[parent]
        if entries:
            siblings[name] = Entry(name, TREE, transaction.tree(entries.values()))
        elif name in siblings and siblings[name].mode == TREE:
            del siblings[name]
    return transaction.tree(_apply(loaded[b""], files[b""]).values())


def _apply(entries: dict[bytes, Entry], changes: list[tuple[bytes, str | None]]) -> dict[bytes, Entry]:
    for name, slice_id in changes:
        if slice_id is not None:
            entries[name] = Entry(name, BLOB, slice_id)
        elif name in entries and entries[name].mode != TREE:
            del entries[name]
    return entries


def _entries(transaction: Transaction, tree: str) -> dict[bytes, Entry]:
    return {entry.name: entry for entry in transaction.read_tree(tree)}


def _directories(paths: Iterable[bytes], themselves: bool = False) -> set[bytes]:
    """Every directory above `paths` (of directories `themselves` if asked), the root left out."""
    found: set[bytes] = set()
    for path in paths:
        directory = path if themselves else path.rpartition(b"/")[0]
        while directory and directory not in found:
            found.add(directory)
            directory = directory.rpartition(b"/")[0]
    return found


def _depth(directory: bytes) -> int:
    return directory.count(b"/")
