"""gc, verify."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.options import action
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session
from git_graph.cli.sizes import size
from git_graph.query.envelope import SCHEMA

if TYPE_CHECKING:
    from git_graph.upkeep.collect import Collected
    from git_graph.upkeep.verify import Verified


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
    yield f"derived    {size(after)}{f', was {size(before)}' if before != after else ''}"
    if done.reclaimable:
        held = f"{count(done.reclaimable, 'object')} ({size(done.reclaimable_bytes)})"
        yield f"to reclaim {held} that no view {'would hold' if dry_run else 'holds any more'}; git gc does it in time"
    elif not (done.views or done.snapshots):
        yield "nothing to let go of"


@click.command()
@click.option("--extract", is_flag=True, help="Compare slices with a fresh extraction of the same bytes.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="With --extract: only N of them, at random.")
@click.option("--dry-run", is_flag=True, help="Only tell what is wrong; mend nothing.")
@action
def verify(session: Session, extract: bool, sample: int | None, dry_run: bool) -> None:
    """Check everything that is kept, and mend it.

    Every view and its history, every slice and the derived store, each against the others. What is lost is made again
    where its content is still there. Exit status 1 if something is left that could not be mended.
    """
    if sample is not None and not extract:
        raise click.UsageError("--sample is about --extract; give both")
    repository = session.repository
    from git_graph.upkeep.verify import Wish, verify

    with Progress("verifying") as progress:
        done = verify(repository, Wish(extract, sample or 0, not dry_run), progress)
    session.status = 1 if done.left else 0
    if session.options.json:
        session.print_json(_verified(done, dry_run))
        return
    session.terminal.show(list(_verified_lines(done)))


def _verified(done: Verified, dry_run: bool) -> dict[str, object]:
    results = [
        {
            "code": finding.code,
            "view": finding.view or None,
            "sequence": finding.sequence,
            "path": finding.path or None,
            "object": finding.object or None,
            "message": finding.message,
            "hint": finding.hint or None,
            "mended": finding.mended or None,
        }
        for finding in done.found
    ]
    return {
        "schema": SCHEMA,
        "command": "verify",
        "dry_run": dry_run,
        "checked": {"views": done.views, "snapshots": done.snapshots, "trees": done.trees, "slices": done.slices},
        "extracted": done.extracted,
        "unverifiable": done.unverifiable,
        "results": results,
        "total": len(results),
        "left": len(done.left),
    }


def _verified_lines(done: Verified) -> Iterator[str]:
    for finding in done.found:
        where = safe(finding.view) + (f" (number {finding.sequence})" if finding.sequence is not None else "")
        place = ": ".join(part for part in (where, safe_path(finding.path) if finding.path else "") if part)
        after = f"; {finding.mended}" if finding.mended else f"; {finding.hint}" if finding.hint else ""
        mark = "mended" if finding.mended else "wrong "
        yield f"{mark}  {finding.code}  {f'{place}: ' if place else ''}{safe(finding.message)}{safe(after)}"
    checked = (count(done.views, "view"), count(done.snapshots, "snapshot"), count(done.slices, "slice"))
    said = f"{', '.join(checked)} checked"
    if done.extracted or done.unverifiable:
        said += f", {count(done.extracted, 'slice')} extracted again, {done.unverifiable:,} could not be"
    found = f"{len(done.found) - len(done.left):,} mended, {len(done.left):,} left" if done.found else "all is well"
    yield f"{said}: {found}"
