"""What a view is a picture of beside its graph: what differs from a commit, how contents are read, its documents.

All of it is a function of the view's own basis and of git's objects, so it is of the same moment as the view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.codec import MAX_BYTES
from git_graph.errors import CorruptObject, MissingObject, UnknownRevision
from git_graph.git.objects import TREE
from git_graph.git.worktree import EXECUTABLE, REGULAR
from git_graph.records import NamedTuple
from git_graph.sync.derive import PREFIX
from git_graph.sync.heads import Heads
from git_graph.sync.sides import ChangedPath, Side, differences, open_side, overlay_of

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.model import Slice
    from git_graph.sync.blobs import Blobs
    from git_graph.sync.values import Answering


DOCUMENTS = (".md", ".rst", ".txt", ".adoc", ".org")
FOLDERS = frozenset((b"doc", b"docs", b"documentation"))
"""Folders at the root whose documents are told."""


class Changes(NamedTuple):
    """The paths that differ, and both sides of them. `old.answering` says only which commit it is."""

    old: Side
    new: Side
    changed: tuple[ChangedPath, ...]


def changes(repository: Repository, opened: Answering, since: str | None = None, *, sync: bool = True) -> Changes:
    """What a view has that `since` has not: a commit, else a view or snapshot; by default the view's own head.

    Raises UnknownRevision; UnknownView, and else as `sides.open_side`.
    """
    old = _since(repository, opened, since, sync)
    new = Side(repository, opened.name, opened, _overlay(repository, opened))
    return Changes(old, new, differences(repository, old, new))


def _since(repository: Repository, opened: Answering, since: str | None, sync: bool) -> Side:
    try:
        head = opened.head if since is None else repository.objects.commit_of(since)
    except UnknownRevision:
        return open_side(repository, since, sync=sync)
    return Side(repository, since or "HEAD", opened._replace(head=head, name=""), {})


def _overlay(repository: Repository, opened: Answering) -> dict[bytes, str | None]:
    """What a view has on top of its commit; that of a commit itself has nothing, whatever lies on disk."""
    return {} if opened.name.startswith(PREFIX) else overlay_of(repository, opened)


def documents(repository: Repository, opened: Answering) -> list[tuple[str, str]]:
    """(path, content id) of what people read first: documents at the root and in its folders for them, by path."""
    heads, overlay = Heads(repository), _overlay(repository, opened)
    held = {path: content for path, content in _held(heads, opened.head) if path not in overlay}
    held |= {path: content for path, content in overlay.items() if content is not None and path.count(b"/") < 2}
    texts = ((path.decode("utf-8", "surrogateescape"), content) for path, content in sorted(held.items()))
    return [(path, content) for path, content in texts if _is_document(path)]


def _held(heads: Heads, commit: str | None) -> Iterator[tuple[bytes, str]]:
    """The files at the root of a commit, and in its folders."""
    for name, entry in heads.entries(commit).items():
        if entry.mode in (REGULAR, EXECUTABLE):
            yield name, entry.id
        elif entry.mode == TREE:
            for below, other in heads.entries(commit, name).items():
                if other.mode in (REGULAR, EXECUTABLE):
                    yield name + b"/" + below, other.id


def _is_document(path: str) -> bool:
    folder, _, name = path.lower().rpartition("/")
    stem = name.partition(".")[0]
    if stem == "readme":
        return True
    return name.endswith(DOCUMENTS) and (not folder or folder.encode("utf-8", "surrogateescape") in FOLDERS)


class Contents:
    """The files of a view as they are, and contents as they were: see query.task_pins."""

    def __init__(self, repository: Repository, opened: Answering) -> None:
        self._repository, self._opened = repository, opened
        self._overlay = _overlay(repository, opened)
        self._side = Side(repository, opened.name, opened, self._overlay)
        self._heads = Heads(repository)
        self._past: Blobs | None = None

    def content(self, path: str) -> str | None:
        """The content id of a file; None if there is none."""
        return self._side.content(self._heads, path.encode("utf-8", "surrogateescape"))

    def load(self, path: str) -> bytes | None:
        """The bytes of a file; None if there is none."""
        content = self.content(path)
        return None if content is None else self._side.read(content, path)

    def past(self, path: str, content: str) -> tuple[Slice | None, bytes] | None:
        """A content as it was at a path, with its slice if it has one; None if it is not in the repository."""
        try:
            data = self._repository.objects.blob(content, MAX_BYTES)
        except (MissingObject, CorruptObject):
            return None
        if self._past is None:
            from git_graph.sync.blobs import Blobs

            self._past = Blobs(self._repository)
        found = self._past.source(path, content)
        return (None if found is None else found[0]), data

    def paths_of(self, content: str) -> list[str]:
        """The files that have a content, by path."""
        held = {path for path, _, id in self._heads.walk(self._opened.head) if id == content} - self._overlay.keys()
        held |= {path for path, id in self._overlay.items() if id == content}
        return sorted(path.decode("utf-8", "surrogateescape") for path in held)

    def folder(self, folder: str) -> list[str]:
        """The files directly in a folder, by path."""
        name = folder.encode("utf-8", "surrogateescape")
        entries = self._heads.entries(self._opened.head, name).values()
        held = {name + b"/" + entry.name for entry in entries if entry.mode in (REGULAR, EXECUTABLE)}
        new = {path for path, id in self._overlay.items() if id and path.rpartition(b"/")[0] == name}
        held = (held - self._overlay.keys()) | new
        return sorted(path.decode("utf-8", "surrogateescape") for path in held)

    def close(self) -> None:
        """Release what is open."""
        if self._past is not None:
            self._past.close()
