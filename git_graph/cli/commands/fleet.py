"""views, watch."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from git_graph.cli import syncing
from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.options import action
from git_graph.cli.session import Session
from git_graph.cli.sizes import size
from git_graph.query.envelope import SCHEMA

if TYPE_CHECKING:
    from git_graph.upkeep.fleet import Member
    from git_graph.upkeep.watch import Happened


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


@click.command()
@click.option("--all", "every", is_flag=True, help="Watch every worktree of the repository, those that come too.")
@click.option(
    "--interval", type=click.FloatRange(min=1), metavar="SECONDS", default=300.0, show_default=True,
    help="Look at everything this often, whatever the system has told.",
)  # fmt: skip
@action
def watch(session: Session, every: bool, interval: float) -> None:
    """Keep the graph in step while files change.

    Runs until it is interrupted, and says what it takes in; with --json one object a line. One watcher a view.
    Questions are right without it; it only has the work done before they are asked.
    """
    repository = session.repository
    from git_graph.upkeep.watch import watch

    for happened in watch(repository, every=every, interval=interval):
        if session.options.json:
            session.print_json(_happened(happened))
        else:
            _tell(session, happened)
        sys.stdout.flush()


def _happened(happened: Happened) -> dict[str, Any]:
    from git_graph.query.state import sync_document

    document = {
        "schema": SCHEMA,
        "command": "watch",
        "event": happened.kind,
        "view": happened.view or None,
        "message": happened.message or None,
        "hint": happened.hint or None,
    }
    if happened.result is None:
        return document
    return document | sync_document(happened.result, "watch") | {"milliseconds": round(happened.seconds * 1000)}


def _tell(session: Session, happened: Happened) -> None:
    from git_graph.upkeep import watch

    name = safe(happened.view)
    hint = f"; {happened.hint}" if happened.hint else ""
    if happened.kind == watch.SYNCED and happened.result is not None:
        for warning in happened.result.warnings:
            session.complain(f"warning: {warning}")
        took = f" ({happened.seconds * 1000:,.0f} ms)"
        for line in syncing.sync_lines(happened.result):
            session.terminal.show([f"{time.strftime('%H:%M:%S')} {line}{took}"])
            took = ""
    elif happened.kind == watch.FAILED:
        session.complain(f"warning: {happened.view}: {happened.message}{hint}; it is tried again")
    elif happened.kind == watch.BLIND:
        session.complain(
            f"warning: the system tells of no changes ({happened.message}); looking every few seconds{hint}"
        )
    else:
        session.complain(f"{'watching' if happened.kind == watch.JOINED else 'no longer watching'} {name}")
