"""From content to slice: (content id, language, fingerprint) -> slice id, found in what is stored already.

Each slice names its key in its head, so nothing is parsed and nothing believed that the slice itself does not say. For
a few contents, `find` walks the known manifests beside their head trees and overlays and reads only the slices that
stand at those contents; `scan` reads the head of every slice there is. Knows nothing of extraction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from git_graph.errors import GraphError
from git_graph.git.objects import TREE
from git_graph.store import manifest, slices, views
from git_graph.store.manifest import Snapshot

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

Key = tuple[str, str, str]
"""Content id, language, fingerprint."""


def scan(repository: Repository, known: Iterable[str] = ()) -> Iterator[tuple[Key, str]]:
    """(key, slice id) of every slice that a manifest holds, each once, those in `known` left out.

    Manifests are views and their histories, epochs, heads and remotes. Slices that are missing or malformed, and
    manifests that cannot be read, are passed over: they are misses.
    """
    seen = set(known)
    trees: set[str] = set()
    for snapshot in snapshots(repository):
        yield from _keys(repository, _new_slices(repository, snapshot.files, trees, seen))


def find(repository: Repository, contents: Collection[str]) -> Iterator[tuple[Key, str]]:
    """(key, slice id) of the slices whose source is one of `contents`, as `scan` would find them."""
    wanted, seen = frozenset(contents), set[str]()
    pairs: set[tuple[str, str | None]] = set()
    if not wanted:
        return
    for snapshot in snapshots(repository):
        candidates = [id for id in _beside(repository, snapshot, wanted, pairs) if id not in seen]
        seen.update(candidates)
        for key, id in _keys(repository, candidates):
            if key[0] in wanted:
                yield key, id


def snapshots(repository: Repository) -> Iterator[Snapshot]:
    """Every snapshot that a ref of ours holds, each once, present ones before history."""
    seen: set[str] = set()
    held: list[views.View] = []
    for name in views.names(repository):
        try:
            view = views.read(repository, name)
        except GraphError:
            continue
        if view is not None and view.snapshot.id not in seen:
            seen.add(view.snapshot.id)
            held.append(view)
            yield view.snapshot
    for view in held:
        try:
            earlier = views.history(repository, view)
        except GraphError:
            continue
        for id in reversed(earlier.values()):
            if id not in seen:
                seen.add(id)
                try:
                    yield manifest.read_snapshot(repository, id)
                except GraphError:
                    continue


def _new_slices(repository: Repository, tree: str, trees: set[str], seen: set[str]) -> Iterator[str]:
    """The slices below a files tree that are not in `seen`, trees in `trees` passed over; both are added to."""
    todo = [tree]
    while todo:
        tree = todo.pop()
        if tree in trees:
            continue
        trees.add(tree)
        try:
            entries = repository.objects.tree(tree)
        except GraphError:
            continue
        for _, mode, id in entries:
            if mode == TREE:
                todo.append(id)
            elif id not in seen:
                seen.add(id)
                yield id


def _keys(repository: Repository, ids: Iterable[str]) -> Iterator[tuple[Key, str]]:
    for id in ids:
        try:
            for _, data in slices.read(repository, [id]):
                head = slices.head(data)
                yield (head.source, head.language, head.fingerprint), id
        except GraphError:
            continue


def _beside(
    repository: Repository, snapshot: Snapshot, wanted: frozenset[str], pairs: set[tuple[str, str | None]]
) -> Iterator[str]:
    """Slices whose path holds one of `wanted`, by the head tree or by the overlay."""
    basis = snapshot.basis
    for entry in basis.overlay:
        if entry.content in wanted:
            path = entry.path.encode("utf-8", "surrogateescape")
            try:
                if slice_id := manifest.find(repository, snapshot.files, path):
                    yield slice_id
            except GraphError:
                continue
    try:
        head = repository.objects.tree_of(basis.head) if basis.head else None
    except GraphError:
        head = None
    todo: list[tuple[str, str | None]] = [(snapshot.files, head)]
    while todo:
        pair = todo.pop()
        if pair in pairs or pair[1] is None:
            continue
        pairs.add(pair)
        try:
            mirrored = repository.objects.tree(pair[0])
            contents = {entry.name: entry for entry in repository.objects.tree(pair[1])}
        except GraphError:
            continue
        for name, mode, id in mirrored:
            beside = contents.get(name[1:])
            if beside is None:
                continue
            if mode == TREE and beside.mode == TREE:
                todo.append((id, beside.id))
            elif mode != TREE and beside.id in wanted:
                yield id
