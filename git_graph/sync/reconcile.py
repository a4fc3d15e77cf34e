"""Bringing this worktree's view to the tree: observe, plan, build, publish, and again while others move it too.

One process at a time writes a view; whoever had to wait looks at the tree again. Where nothing may be stored, the same
work is done in memory and nothing is published.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, GraphError, Locked, MissingObject, NotWritable, RefMoved
from git_graph.records import Record, field
from git_graph.store import manifest, views
from git_graph.store.manifest import Snapshot
from git_graph.store.views import View
from git_graph.sync import plan, values
from git_graph.sync.context import Context, Tree
from git_graph.sync.values import SyncResult

if TYPE_CHECKING:
    from git_graph.git.lock import FileLock
    from git_graph.git.repository import Repository
    from git_graph.git.worktree import Reading
    from git_graph.sync.apply import Builder, Change

PATIENCE = 3.0
"""Seconds that a question waits for whoever writes its view."""
ATTEMPTS = 5
"""How often to plan again when the view is moved by someone who does not hold our lock."""

Progress = Callable[[int, int], None]


class Settled(Record):
    """A view at the tree. `change` is what it took (None: nothing), `builder` reads the slices that are new.

    `stored`: the snapshot is the published one.
    """

    name: str
    snapshot: Snapshot
    stored: bool
    published: bool = False
    first: bool = False
    change: Change | None = None
    builder: Builder | None = None
    warnings: list[str] = field(factory=list)

    def result(self) -> SyncResult:
        """What is told of it."""
        basis, change = self.snapshot.basis, self.change
        files = basis.counts.get("files", 0)
        sides = list(change.files.values()) if change else []
        added = files if self.first else sum(old is None for old, _ in sides)
        removed = 0 if self.first else sum(new is None for _, new in sides)
        modified = 0 if self.first else len(sides) - added - removed
        parsed = change.parsed if change else 0
        reused = files - parsed if self.first else max(0, change.assigned - parsed) if change else 0
        return SyncResult(
            view=self.name,
            snapshot=self.snapshot.id,
            head=basis.head,
            branch=basis.branch,
            freshness=values.DIRTY if basis.overlay else values.CURRENT,
            published=self.published,
            sequence=basis.sequence,
            files=files,
            changed=added + modified + removed,
            added=added,
            modified=modified,
            removed=removed,
            parsed=parsed,
            reused=max(reused, 0),
            skipped=basis.skipped,
            warnings=tuple(self.warnings),
        )


def reconcile(
    context: Context,
    reading: Reading | None = None,
    *,
    full: bool = False,
    progress: Progress | None = None,
    asked: bool = False,
) -> Settled:
    """Bring this worktree's view to the tree in front of us.

    `asked`: a question is waiting; while another process writes the view it is answered from memory.

    Raises:
        Locked: another process writes the view for too long.
        RefMoved: the view kept moving; NewerFormat, DiskFull, GitFailed
    """
    warnings: list[str] = []
    published = _published(context, warnings, full)
    tree = context.observe(reading, published.basis.head if published else None)
    if published is not None and not full and _agrees(context, published, tree):
        return Settled(context.repository.view, published.snapshot, stored=True, warnings=warnings)
    if published is not None and not _may_follow(context, published):
        warnings.append(f"older-tool: the view was written by git-graph {published.basis.tool}, newer than this one")
        return apart(context, None, tree, warnings, progress)
    if context.writable:
        try:
            patience = PATIENCE if asked and published is not None else None
            return _publish(context, tree, warnings, full, progress, patience)
        except NotWritable as error:
            warnings.append(f"not-stored: {error.message}")
        except Locked as error:
            if not asked or published is None:
                raise
            warnings.append(f"not-stored: {error.message}")
    else:
        warnings.append(f"not-stored: {context.repository.common_dir} cannot be written")
    return apart(context, published.snapshot if published else None, tree, warnings, progress)


def freshness(context: Context, published: View | None, tree: Tree) -> str:
    """How a manifest stands to a tree."""
    if published is None:
        return values.UNKNOWN
    if not _agrees(context, published, tree):
        return values.REFRESH_NEEDED
    return values.DIRTY if tree.desired.overlay else values.CURRENT


def pretend(context: Context, reading: Reading | None = None, *, full: bool = False) -> SyncResult:
    """What `reconcile` would come to; nothing is extracted or changed."""
    published = context.published()
    tree = context.observe(reading, published.basis.head if published else None)
    settled = apart(context, published.snapshot if published else None, tree, [], pretended=True, full=full)
    settled.first = published is None
    result = settled.result()
    fresh = freshness(context, published, tree)
    return result._replace(snapshot=published.snapshot.id if published else None, freshness=fresh)


def differing(context: Context, published: View | None, tree: Tree) -> tuple[tuple[str, str], ...]:
    """The paths whose slices would change if a manifest were brought to a tree, each with `A`, `M` or `D`."""
    settled = apart(context, published.snapshot if published else None, tree, [], pretended=True)
    assert settled.change is not None
    start = published.snapshot if published else None
    if settled.change.start is not start:  # it would start from another view's manifest
        return tuple((path, "A") for path, _ in settled.change.everything(context))
    rows = [
        (path.decode("utf-8", "surrogateescape"), "A" if old is None else "D" if new is None else "M")
        for path, (old, new) in sorted(settled.change.files.items())
    ]
    return tuple(rows)


def misplaced(context: Context) -> tuple[str, ...]:
    """The paths at which a manifest that says it is a picture of the tree is none; nothing if it does not say so."""
    from git_graph.sync.decide import UNKNOWN

    published = context.published()
    tree = context.observe(None, published.basis.head if published else None)
    if published is None or not _agrees(context, published, tree):
        return ()
    change = apart(context, published.snapshot, tree, [], pretended=True, full=True).change
    assert change is not None
    sides = sorted(change.files.items())
    return tuple(path.decode("utf-8", "surrogateescape") for path, (old, new) in sides if new != UNKNOWN or not old)


def apart(
    context: Context,
    start: Snapshot | None,
    tree: Tree,
    warnings: list[str],
    progress: Progress | None = None,
    *,
    pretended: bool = False,
    full: bool = False,
) -> Settled:
    """The state of a view at a tree, computed and not stored anywhere; `pretended`: without extracting anything."""
    from git_graph.sync.apply import Builder, Unpublished

    builder = Builder(context, transaction := Unpublished(context.repository), progress, pretend=pretended)
    start = start or context.start(tree.desired)
    try:
        change = builder.compute(start, tree, full=full)
    except (MissingObject, CorruptObject):
        change = builder.compute(None, tree)
    snapshot = Snapshot(
        manifest.put_snapshot(transaction, change.files_tree, change.basis), change.files_tree, change.basis
    )
    name = context.repository.view
    return Settled(name, snapshot, False, change=change, builder=builder, warnings=warnings)


def writing(repository: Repository, patience: float | None = None) -> FileLock:
    """The lock of whoever writes the view of this worktree; `patience`: seconds to wait, if not as it is set."""
    from git_graph.git.lock import FileLock

    file = repository.make_graph_dir() / f"view-{views.encode(repository.view)}.lock"
    longest = repository.settings.lock_timeout
    timeout = longest if patience is None else min(patience, longest)
    return FileLock(file, timeout, f"sync view '{repository.view}'")


def _publish(
    context: Context,
    tree: Tree,
    warnings: list[str],
    full: bool,
    progress: Progress | None,
    patience: float | None = None,
) -> Settled:
    repository = context.repository
    lock = writing(repository, patience)
    with ExitStack() as held:
        waited = not lock.acquire()
        if waited:
            held.enter_context(lock)
        held.callback(lock.release)
        for attempt in range(ATTEMPTS):
            published = _published(context, warnings, full)
            if waited or attempt:
                tree = context.observe(None, published.basis.head if published else None)
            if published is not None and not full and _agrees(context, published, tree):
                return Settled(repository.view, published.snapshot, stored=True, warnings=warnings)
            with suppress(RefMoved):
                return _publish_once(context, published, tree, warnings, full, progress)
    raise RefMoved(f"view '{repository.view}' kept being moved by another program", "run the command again")


def _publish_once(
    context: Context,
    published: View | None,
    tree: Tree,
    warnings: list[str],
    full: bool,
    progress: Progress | None,
) -> Settled:
    from git_graph.store.transaction import Transaction
    from git_graph.sync.apply import Builder

    name = context.repository.view
    with Transaction(context.repository) as transaction:
        builder = Builder(context, transaction, progress)
        start = published.snapshot if published else context.start(tree.desired)
        try:
            change = builder.compute(start, tree, full=full)
        except (MissingObject, CorruptObject):
            if start is None:
                raise
            change = builder.compute(None, tree)
            if published is not None and start is published.snapshot:
                # What is missing is missing in its history as well, and would be in git's way there for ever.
                views.delete(context.repository, name)
                published = None
                warnings.append("rebuilt: the manifest could not be read and was made again")
        view, moved = views.publish(transaction, name, change.files_tree, change.basis, published)
        if not moved:
            transaction.flush()  # slices that were missing are made again without anything else having changed
    builder.published()
    context.remember(view)
    if moved and published is not None:
        context.cache.forget_note(
            "scanned", published.root
        )  # its slices are known by now, and nobody is at it any more
    context.cache.put_note("scanned", view.root, True)
    if tree.disk is not None:
        context.cache.keep_files(name, (_bytes(entry.path) for entry in change.basis.overlay))
    context.cache.save()
    if moved:
        sweep(context)
    return Settled(name, view.snapshot, True, moved, published is None, change, builder, warnings)


def _published(context: Context, warnings: list[str], full: bool) -> View | None:
    """The view as it is published; one that cannot be read is taken away, so that it is made again."""
    try:
        return context.published(remembered=not full)
    except (MissingObject, CorruptObject) as error:
        if context.writable:
            views.delete(context.repository, context.repository.view)
        warnings.append(f"rebuilt: {error.message}")
        return None


def _agrees(context: Context, published: View, tree: Tree) -> bool:
    import time

    return plan.agrees(published.basis, tree.desired, context.rules.of, time.time())


def _may_follow(context: Context, published: View) -> bool:
    return not views.writer_is_newer(published.basis, context.rules.of_all(published.basis.rules))


def sweep(context: Context) -> None:
    """Forget worktrees that are gone; it can wait if it does not work out."""
    with suppress(GraphError, OSError):
        for name in views.sweep(context.repository):
            context.engine.drop(name)


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
