"""The one door for questions: a view brought to the tree in front of us, or one that says that it was not.

A question about this worktree costs a `git status` when nothing has changed. One about another worktree's view is
answered from there; one about a commit derives that commit's manifest from the nearest known one and publishes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, GraphError, MissingObject, UnknownView
from git_graph.git.repository import LINKED_PREFIX, MAIN_VIEW
from git_graph.store import views
from git_graph.store.manifest import Snapshot
from git_graph.store.snapshots import Held
from git_graph.sync import values
from git_graph.sync.context import Context
from git_graph.sync.opening import open_settled, open_stored
from git_graph.sync.reconcile import freshness, reconcile
from git_graph.sync.values import Answering

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.git.worktree import Reading

Progress = Callable[[int, int], None]

__all__ = ["Answering", "answering"]


def answering(
    repository: Repository,
    *,
    view: str | None = None,
    rev: str | None = None,
    sync: bool = True,
    progress: Progress | None = None,
    reading: Reading | None = None,
) -> Answering:
    """A view to ask: this worktree's, that called `view`, or that of the commit `rev`.

    Without `sync` the manifest is taken as it is, and `freshness` says how it stands to the tree. `reading` is a `git
    status` of this worktree that was started already.

    Raises:
        BareRepository: nothing was named and there is no worktree here.
        UnknownView: there is no such view, or it has no manifest and may not be synced.
        UnknownRevision, Locked, RefMoved, NewerFormat, DiskFull, GitFailed
        MissingObject, CorruptObject: a manifest or slice cannot be read and could not be made again.
    """
    if rev is not None:
        from git_graph.sync.derive import derived

        return derived(repository, rev, progress)
    if view is not None and view != repository.view:
        reading = None
        elsewhere = _worktree_of(repository, view)
        if elsewhere is None:
            return _named(repository, view)
        repository = elsewhere
    elif view is not None and repository.worktree is None:
        return _as_stored(repository, view)
    repository.require_worktree("ask about a commit with --rev REV or about a stored view with --view VIEW")
    context = Context(repository)
    try:
        return _synced(context, reading, progress) if sync else _unsynced(context, reading)
    finally:
        context.close()


def _synced(context: Context, reading: Reading | None, progress: Progress | None) -> Answering:
    settled = reconcile(context, reading, progress=progress, asked=True)
    try:
        opened = open_settled(context, settled)
    except (MissingObject, CorruptObject):
        if not context.writable:
            raise
        settled = reconcile(context, full=True, progress=progress, asked=True)
        opened = open_settled(context, settled)
    result = settled.result()
    return Answering(
        opened, settled.name, settled.snapshot.id, result.head, result.branch, result.freshness, result.warnings, result
    )


def _unsynced(context: Context, reading: Reading | None) -> Answering:
    name = context.repository.view
    published = context.published()
    if published is None:
        raise UnknownView(
            f"view '{name}' has no manifest yet, and --no-sync forbids making one", "run git graph sync first"
        )
    tree = context.observe(reading, published.basis.head)
    warnings: list[str] = []
    opened = open_stored(context, name, published.snapshot, warnings)
    basis, fresh = published.basis, freshness(context, published, tree)
    return Answering(opened, name, published.snapshot.id, basis.head, basis.branch, fresh, tuple(warnings))


def _worktree_of(repository: Repository, view: str) -> Repository | None:
    """The repository as seen from the worktree that a view is of, if that is there."""
    if view != MAIN_VIEW and not view.startswith(LINKED_PREFIX):
        return None
    for worktree in repository.worktrees():
        if worktree.view == view and worktree.path is not None and not worktree.gone:
            return repository.at(worktree)
    return None


def _named(repository: Repository, name: str) -> Answering:
    """A view by its whole name, or else a snapshot by one of its own (see store.snapshots)."""
    from git_graph.store import snapshots

    try:
        known = repository.refs.read(views.ref_of(name)) is not None
    except UnknownView:
        known = False
    held = None if known else snapshots.find(repository, name, repository.view)
    if held is not None:
        return _earlier(repository, held)
    if not known:
        raise snapshots.unknown(repository, name, repository.view)
    return _as_stored(repository, name)


def _earlier(repository: Repository, held: Held) -> Answering:
    """A snapshot that a view was once: what differs from the view now is not looked at."""
    from git_graph.store import snapshots
    from git_graph.sync import derive

    context = Context(repository)
    try:
        snapshot = snapshots.read(repository, held)
        name, warnings = derive.EARLIER + held.id, list[str]()
        opened = open_stored(context, name, snapshot, warnings)
        with suppress(GraphError):  # what is to be let go of can wait
            derive.hold(context, context.engine, name)
        basis = snapshot.basis
        return Answering(
            opened, held.name, held.id, basis.head, basis.branch, _then(context, snapshot), tuple(warnings)
        )
    finally:
        context.close()


def _then(context: Context, snapshot: Snapshot) -> str:
    """How fresh a snapshot is that was named: of a worktree's, whether it is the tree of now."""
    basis = snapshot.basis
    if basis.worktree is None:
        return values.DIRTY if basis.overlay else values.CURRENT
    here = context.repository
    if here.worktree is None or basis.worktree != str(here.worktree):
        return values.UNKNOWN
    return freshness(context, views.View(here.view, "", snapshot), context.observe(None, basis.head))


def _as_stored(repository: Repository, name: str) -> Answering:
    """A view that is no tree of now: an epoch, a shared manifest, a worktree that is gone."""
    context = Context(repository)
    try:
        view = views.require(repository, name)
        warnings: list[str] = []
        of_a_tree = name == MAIN_VIEW or name.startswith(LINKED_PREFIX)
        if view.basis.worktree is not None and not of_a_tree:
            return _earlier(repository, Held(name, name, view.snapshot.id))
        if of_a_tree:
            warnings.append(f"gone: the worktree of view '{name}' is not there; this is what was last known of it")
        opened = open_stored(context, name, view.snapshot, warnings)
        basis = view.basis
        dirty = values.DIRTY if basis.overlay else values.CURRENT
        fresh = values.UNKNOWN if of_a_tree else dirty
        return Answering(opened, name, view.snapshot.id, basis.head, basis.branch, fresh, tuple(warnings))
    finally:
        context.close()
