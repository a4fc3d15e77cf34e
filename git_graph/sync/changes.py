"""What a view is a picture of beside its graph: what differs from a commit, how contents are read, its documents.

All of it is a function of the view's own basis and of git's objects, so it is of the same moment as the view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.git.objects import TREE
from git_graph.git.worktree import EXECUTABLE, REGULAR
from git_graph.records import NamedTuple
from git_graph.sync.heads import Heads
from git_graph.sync.sides import ChangedPath, Side, differences, overlay_of

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.sync.values import Answering


DOCUMENTS = (".md", ".rst", ".txt", ".adoc", ".org")
FOLDERS = frozenset((b"doc", b"docs", b"documentation"))
"""Folders at the root whose documents are told."""


class Changes(NamedTuple):
    """The paths that differ, and both sides of them. `old.answering` says only which commit it is."""

    old: Side
    new: Side
    changed: tuple[ChangedPath, ...]


def changes(repository: Repository, opened: Answering, since: str | None = None) -> Changes:
    """What a view has that the commit `since` has not; by default the view's own head. Raises UnknownRevision."""
    head = opened.head if since is None else repository.objects.commit_of(since)
    old = Side(repository, since or "HEAD", opened._replace(head=head, name=""), {})
    new = Side(repository, opened.name, opened, overlay_of(repository, opened))
    return Changes(old, new, differences(repository, old, new))


def documents(repository: Repository, opened: Answering) -> list[tuple[str, str]]:
    """(path, content id) of what people read first: documents at the root and in its folders for them, by path."""
    heads, overlay = Heads(repository), overlay_of(repository, opened)
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
