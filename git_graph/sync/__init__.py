"""Bringing views to trees: `sync` and `status`; questions go through `answering`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.sync.values import REFRESH_NEEDED, UNKNOWN, Status, SyncResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_graph.git.repository import Repository
    from git_graph.git.worktree import Reading
    from git_graph.sync.context import Context

__all__ = ["Status", "SyncResult", "status", "sync"]


def sync(
    repository: Repository,
    *,
    full: bool = False,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
    reading: Reading | None = None,
) -> SyncResult:
    """Bring this worktree's view, and the derived store, to the tree in front of us.

    `full` looks at every path and trusts no slice to be there; `dry_run` changes nothing and tells what would be done;
    `reading` is a `git status` that was started already.

    Raises:
        BareRepository, Locked, RefMoved, NewerFormat, DiskFull, GitFailed
    """
    from contextlib import closing

    from git_graph.errors import CorruptObject, MissingObject
    from git_graph.sync.context import Context
    from git_graph.sync.opening import open_settled
    from git_graph.sync.reconcile import pretend, reconcile

    repository.require_worktree()
    with closing(Context(repository)) as context:
        if dry_run:
            return pretend(context, reading, full=full)
        settled = reconcile(context, reading, full=full, progress=progress)
        if settled.stored:
            try:
                open_settled(context, settled).close()
            except (MissingObject, CorruptObject):
                if full:
                    raise
                settled = reconcile(context, full=True, progress=progress)
                open_settled(context, settled).close()
        return settled.result()


def status(repository: Repository, *, reading: Reading | None = None) -> Status:
    """How this worktree's view stands to the tree; nothing is changed.

    Raises:
        BareRepository, GitFailed; MissingObject, CorruptObject, NewerFormat if the manifest cannot be read
    """
    from contextlib import closing

    from git_graph.sync.context import Context
    from git_graph.sync.reconcile import differing, freshness

    repository.require_worktree()
    with closing(Context(repository)) as context:
        published = context.published()
        tree = context.observe(reading, published.basis.head if published else None)
        desired, fresh = tree.desired, freshness(context, published, tree)
        known = Status(
            view=repository.view,
            freshness=fresh,
            initialized=published is not None,
            head=desired.head,
            branch=desired.branch,
            changed_paths=differing(context, published, tree) if fresh in (REFRESH_NEEDED, UNKNOWN) else (),
            overlay=desired.overlay,
            warnings=_cautions(context),
        )
        if published is None:
            return known
        basis = published.basis
        return known._replace(
            snapshot=published.snapshot.id,
            sequence=basis.sequence,
            epoch=basis.epoch,
            observed_at=basis.observed_at,
            tool=basis.tool,
            files=basis.counts.get("files", 0),
            languages=tuple((key, count) for key, count in sorted(basis.counts.items()) if key != "files"),
            skipped=basis.skipped,
        )


def _cautions(context: Context) -> tuple[str, ...]:
    return () if context.writable else (f"not-stored: {context.repository.common_dir} cannot be written",)
