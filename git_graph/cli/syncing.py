"""Bringing the graph to the files, and saying what came of it. Knows nothing of click."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.cli import early
from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session

if TYPE_CHECKING:
    from git_graph.sync.values import Status, SyncResult

MANY = 200
"""What changes in so many files may leave nothing that questions could go by."""
LISTED = 20
"""So many paths are named in a text."""


def sync(session: Session, full: bool = False, dry_run: bool = False) -> None:
    """Bring the graph of this worktree to its files and show what it took."""
    result = synced(session, full=full, dry_run=dry_run)
    if session.options.json:
        from git_graph.query.state import sync_document

        session.print_json(sync_document(result) | {"dry_run": dry_run})
        return
    session.terminal.show(list(sync_lines(result, dry_run)))


def synced(session: Session, *, full: bool = False, dry_run: bool = False) -> SyncResult:
    """Bring it, showing progress and, in a text, what to be warned of."""
    repository = session.repository
    from git_graph.sync import sync as bring

    with Progress("indexing") as progress:
        result = bring(repository, full=full, dry_run=dry_run, progress=progress, reading=early.take())
    if not session.options.json:
        warn(session, result.warnings)
    if result.published and result.changed >= MANY:
        session.ahead(result.files)
    return result


def warn(session: Session, warnings: tuple[str, ...]) -> None:
    """Print warnings."""
    for warning in warnings:
        session.complain(f"warning: {warning}")


def sync_lines(result: SyncResult, dry_run: bool = False) -> Iterator[str]:
    """A result as text."""
    name = f"{safe(result.view)}: {count(result.files, 'file')}"
    if not result.changed and not result.parsed:
        yield f"{name}, nothing to do" if dry_run else f"{name}, up to date"
    else:
        parts = [f"{number:,} {what}" for what, number in _changes(result) if number]
        would = "would be " if dry_run else ""
        yield f"{name}; {would}{', '.join(parts)}; {result.parsed:,} parsed, {result.reused:,} reused"
    if not result.files:
        yield "no file here is in a language that git-graph reads"
    yield from skipped(result)


def _changes(result: SyncResult) -> tuple[tuple[str, int], ...]:
    return (("added", result.added), ("modified", result.modified), ("removed", result.removed))


def skipped(told: Status | SyncResult) -> Iterator[str]:
    """The files that were skipped, as text."""
    if not told.skipped:
        return
    yield f"skipped    {count(len(told.skipped), 'file')}"
    yield from (f"  {safe_path(item.path)}: {safe(item.reason)}" for item in told.skipped[:LISTED])
    if len(told.skipped) > LISTED:
        yield f"  and {len(told.skipped) - LISTED:,} more (--json lists all)"
