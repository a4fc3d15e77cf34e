"""The two sides of a comparison: each a commit, a view or the files on disk, and the contents that differ between them.

What differs is found from the trees of the two commits and from what each side has on top of them, so it costs what
differs and never what is there. Contents are compared, not manifests: a path that one side leaves out for its settings
is no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, GraphError, MissingObject, UnknownRevision, UnknownView
from git_graph.git.worktree import EXECUTABLE, REGULAR
from git_graph.records import NamedTuple
from git_graph.store import manifest, views
from git_graph.sync.answering import answering
from git_graph.sync.context import Context
from git_graph.sync.heads import Heads
from git_graph.sync.values import Answering

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.basis import Basis, OverlayEntry
    from git_graph.sync.observe import Disk

Progress = Callable[[int, int], None]


class ChangedPath(NamedTuple):
    """A path whose content differs: blob ids before and after, None where there is no file."""

    path: str
    old: str | None
    new: str | None


class Side:
    """One side: its view, and the contents of its files. `label` is how it was asked for."""

    def __init__(
        self, repository: Repository, label: str, opened: Answering, overlay: Mapping[bytes, str | None]
    ) -> None:
        self.repository = repository
        self.label = label
        self.answering = opened
        self.overlay = overlay

    def read(self, content: str, path: str) -> bytes | None:
        """The bytes of a content of this side; None if they cannot be had (any more)."""
        try:
            if self.repository.objects.present([content]) or self._disk is None:
                return self.repository.objects.blob(content)
            found = self._disk.load(path.encode("utf-8", "surrogateescape"), content)
        except (MissingObject, GraphError):
            return None
        return found[1] if found is not None and found[0] == content else None

    def content(self, heads: Heads, path: bytes) -> str | None:
        """The content id of a path; None where there is no file that could have symbols."""
        if path in self.overlay:
            return self.overlay[path]
        found = heads.find(self.answering.head, path)
        return found.id if found is not None and found.mode in (REGULAR, EXECUTABLE) else None

    def load(self, path: str) -> bytes | None:
        """The bytes of a file of this side; None if there is none, or they cannot be had."""
        content = self.content(self._heads, path.encode("utf-8", "surrogateescape"))
        return None if content is None else self.read(content, path)

    @cached_property
    def _heads(self) -> Heads:
        return Heads(self.repository)

    @cached_property
    def _disk(self) -> Disk | None:
        if not self.overlay or self.repository.worktree is None or self.answering.name != self.repository.view:
            return None
        context = Context(self.repository)
        try:
            return context.observe(None, self.answering.head).disk
        finally:
            context.close()


class Compared(NamedTuple):
    """Two sides and what differs between them, sorted by path."""

    old: Side
    new: Side
    changed: tuple[ChangedPath, ...]


def compare(
    repository: Repository,
    old: str,
    new: str | None,
    *,
    sync: bool = True,
    earlier: bool = False,
    progress: Progress | None = None,
) -> Compared:
    """Open two sides; `new` None: the files on disk. `earlier`: a name is one of a snapshot before it is a revision.

    Raises:
        UnknownRevision: what is named is no revision and no view; else as `answering`.
    """
    one = open_side(repository, old, sync=sync, earlier=earlier, progress=progress)
    other = open_side(repository, new, sync=sync, earlier=earlier, progress=progress)
    return Compared(one, other, differences(repository, one, other))


def open_side(
    repository: Repository,
    name: str | None,
    *,
    sync: bool = True,
    earlier: bool = False,
    progress: Progress | None = None,
) -> Side:
    """One side: a revision, else a view or snapshot called so (with `earlier` that first), or (None) this worktree."""
    if name is None:
        opened = answering(repository, sync=sync, progress=progress)
        return Side(repository, "the files on disk", opened, overlay_of(repository, opened))
    if earlier and _is_view(repository, name):
        return _of_view(repository, name, None, sync, progress)
    try:
        commit = repository.objects.commit_of(name)
    except UnknownRevision as error:
        return _of_view(repository, name, error, sync, progress)
    return Side(repository, name, answering(repository, rev=commit, progress=progress), {})


def _of_view(
    repository: Repository, name: str, unknown: UnknownRevision | None, sync: bool, progress: Progress | None
) -> Side:
    if unknown is not None and not _is_view(repository, name):
        hint = f"{unknown.hint}, git graph views the views, git graph snapshots the snapshots that are kept"
        raise UnknownRevision(f"'{name}' is neither a revision nor a view or snapshot", hint)
    opened = answering(repository, view=name, sync=sync, progress=progress)
    for worktree in repository.worktrees():
        if worktree.view == name and worktree.path is not None and not worktree.gone:
            repository = repository if name == repository.view else repository.at(worktree)
    return Side(repository, name, opened, overlay_of(repository, opened))


def _is_view(repository: Repository, name: str) -> bool:
    """Whether a view is called so, or an earlier snapshot of one."""
    from git_graph.store import snapshots

    if name in views.roots(repository) or name == repository.view:
        return True
    return snapshots.find(repository, name, repository.view) is not None


def overlay_of(repository: Repository, opened: Answering) -> dict[bytes, str | None]:
    """What a view has on top of its commit; content None where there is nothing that could have symbols."""
    plain = (REGULAR, EXECUTABLE)
    return {
        entry.path.encode("utf-8", "surrogateescape"): entry.content if entry.mode in plain else None
        for entry in _entries(repository, opened)
    }


def entries_of(side: Side) -> tuple[OverlayEntry, ...]:
    """All that a side has on top of its commit, files that could have no symbols included."""
    return _entries(side.repository, side.answering) if side.overlay else ()


def skipped_of(side: Side) -> dict[bytes, str] | None:
    """Path -> why it could not be read; None if that is not known, as of a commit whose manifest is not stored."""
    told = side.answering.result or _stored(side.repository, side.answering.snapshot)
    return {item.path.encode("utf-8", "surrogateescape"): item.reason for item in told.skipped} if told else None


def _entries(repository: Repository, opened: Answering) -> tuple[OverlayEntry, ...]:
    context = Context(repository)
    try:
        published = _published(context, opened.name)
        if published is not None and published.snapshot.id == opened.snapshot:
            return published.basis.overlay
        if (stored := _stored(repository, opened.snapshot)) is not None:
            return stored.overlay
        if repository.worktree is not None:
            return context.observe(None, opened.head).desired.overlay
        return ()
    finally:
        context.close()


def _stored(repository: Repository, snapshot: str) -> Basis | None:
    """What a snapshot is a picture of, if it is stored."""
    try:
        return manifest.read_snapshot(repository, snapshot).basis
    except (MissingObject, CorruptObject):
        return None


def _published(context: Context, name: str) -> views.View | None:
    try:
        return context.published(name)
    except UnknownView:
        return None


def differences(repository: Repository, old: Side, new: Side) -> tuple[ChangedPath, ...]:
    """The paths whose contents differ between two sides, sorted."""
    context = Context(repository)
    try:
        heads = context.heads
        one, other = old.answering.head, new.answering.head
        changed = heads.differences(one, other)
        if changed is None:
            raise MissingObject(f"commit {one} cannot be read", "git fsck tells more")
        paths = {change.path for change in changed} | old.overlay.keys() | new.overlay.keys()

        rows = [
            ChangedPath(path.decode("utf-8", "surrogateescape"), old.content(heads, path), new.content(heads, path))
            for path in sorted(paths)
        ]
    finally:
        context.close()
    return tuple(row for row in rows if row.old != row.new)
