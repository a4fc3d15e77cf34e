"""gc, verify."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from git_graph.cli.escape import safe
from git_graph.cli.notes import count
from git_graph.cli.options import action
from git_graph.cli.session import Session
from git_graph.query.envelope import SCHEMA

if TYPE_CHECKING:
    from git_graph.upkeep.collect import Collected


@click.command()
@click.option("--dry-run", is_flag=True, help="Only tell what could go.")
@action
def gc(session: Session, dry_run: bool) -> None:
    """Let go of what nobody asks any more.

    Views of worktrees that are gone, earlier snapshots beyond graph.historyLimit, derived data about them; and pack
    what git-graph has written loose. What nothing holds any more is git's to reclaim, as always: by git gc, in time.
    """
    repository = session.repository
    from git_graph.upkeep.collect import collect

    done = collect(repository, dry_run=dry_run)
    if session.options.json:
        session.print_json(_collected(done, dry_run))
        return
    for warning in done.warnings:
        session.complain(f"warning: {warning}")
    session.terminal.show(list(_collected_lines(done, dry_run)))


def _collected(done: Collected, dry_run: bool) -> dict[str, object]:
    before, after = done.derived_bytes
    return {
        "schema": SCHEMA,
        "command": "gc",
        "dry_run": dry_run,
        "views": list(done.views),
        "derived": list(done.derived),
        "snapshots": done.snapshots,
        "packed": done.tended.packed,
        "orphans": {"removed": done.tended.removed, "left": done.tended.left},
        "reclaimable": {"objects": done.reclaimable, "bytes": done.reclaimable_bytes},
        "derived_bytes": {"before": before, "after": after},
        "warnings": list(done.warnings),
    }


def _collected_lines(done: Collected, dry_run: bool) -> Iterator[str]:
    would = "would be " if dry_run else ""
    if done.views:
        names = ", ".join(map(safe, done.views))
        yield f"views      {count(len(done.views), 'view')} of worktrees that are gone {would}removed: {names}"
    if done.snapshots:
        yield f"history    {count(done.snapshots, 'earlier snapshot')} {would}dropped"
    if done.tended.packed or done.tended.removed:
        yield f"objects    {done.tended.packed:,} packed, {count(done.tended.removed, 'orphan')} removed"
    before, after = done.derived_bytes
    yield f"derived    {_size(after)}{f', was {_size(before)}' if before != after else ''}"
    if done.reclaimable:
        held = f"{count(done.reclaimable, 'object')} ({_size(done.reclaimable_bytes)})"
        yield f"to reclaim {held} that no view {'would hold' if dry_run else 'holds any more'}; git gc does it in time"
    elif not (done.views or done.snapshots):
        yield "nothing to let go of"


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} KB"
