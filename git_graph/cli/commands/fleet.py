"""views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.options import action
from git_graph.cli.session import Session
from git_graph.cli.sizes import size
from git_graph.query.envelope import SCHEMA

if TYPE_CHECKING:
    from git_graph.upkeep.fleet import Member


@click.command()
@click.option("--quick", is_flag=True, help="Do not look at the worktrees: nothing is said of how fresh they are.")
@click.option("--delete", "deleted", metavar="VIEW", multiple=True, help="Remove a view instead; may be repeated.")
@action
def views(session: Session, quick: bool, deleted: Sequence[str]) -> None:
    """List the views that can be asked with --view.

    Each worktree has one; so has each epoch, and each published or fetched branch. Own is what no other view holds. A
    worktree's view that was removed is made again by the next question there.
    """
    repository = session.repository
    if deleted:
        _delete(session, deleted)
        return
    from git_graph.upkeep.fleet import fleet

    members = fleet(repository, look=not quick)
    if session.options.json:
        results = [_document(member) for member in members]
        session.print_json({"schema": SCHEMA, "command": "views", "results": results, "total": len(results)})
        return
    session.terminal.show(list(_lines(members)))
    if not members:
        session.complain("no views yet")


def _delete(session: Session, names: Sequence[str]) -> None:
    from git_graph.upkeep.collect import forget

    forget(session.repository, names)
    if session.options.json:
        session.print_json({"schema": SCHEMA, "command": "views", "deleted": list(names)})
        return
    session.terminal.show([f"removed {safe(name)}" for name in names])


def _document(member: Member) -> dict[str, Any]:
    return {
        "view": member.name,
        "current": member.current,
        "snapshot": member.snapshot,
        "head": member.head,
        "branch": member.branch,
        "sequence": member.sequence,
        "observed_at": member.observed_at,
        "freshness": member.freshness,
        "files": member.files,
        "own": {"files": member.own_files, "bytes": member.own_bytes},
        "shared": {"files": member.files - member.own_files},
        "worktree": member.path,
        "gone": member.gone,
        "problem": member.problem,
    }


def _lines(members: Sequence[Member]) -> Iterator[str]:
    width = max((len(safe(member.name)) for member in members), default=0)
    for member in members:
        where = f"  {safe_path(member.path)}" if member.path else ""
        gone = "  (its worktree is gone)" if member.gone else ""
        yield f"{'*' if member.current else ' '} {safe(member.name):<{width}}  {_said(member)}{where}{gone}"


def _said(member: Member) -> str:
    if member.problem:
        return f"cannot be read: {safe(member.problem)}; git graph verify"
    if member.snapshot is None:
        return "not indexed"
    head = member.head[:12] if member.head else "no commit yet"
    branch = f" ({safe(member.branch)})" if member.branch else ""
    own = f"{member.own_files:,} its own, {size(member.own_bytes)}" if member.own_bytes else "all shared"
    fresh = f"  {member.freshness}" if member.freshness else ""
    return f"{head}{branch}  {count(member.files, 'file')}, {own}{fresh}"
