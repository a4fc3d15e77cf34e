"""init, sync, status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from git_graph.cli import early, syncing
from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.options import action
from git_graph.cli.session import Session
from git_graph.query.state import changed, status_document, sync_document

if TYPE_CHECKING:
    from git_graph.sync.values import Status


@click.command()
@action
def init(session: Session) -> None:
    """Index this worktree and install the hooks.

    Safe to run again. The hooks keep the graph fresh in the background; answers are right without them. Where git looks
    for hooks inside the worktree, none are written: git graph hooks install does that.
    """
    from git_graph.cli.commands import hooks
    from git_graph.hooks import install

    result = syncing.synced(session)
    report = install(session.repository, in_worktree=False)
    if session.options.json:
        session.print_json(sync_document(result, "init") | {"hooks": hooks.document(report)})
        return
    session.terminal.show([*syncing.sync_lines(result), *hooks.lines(report)])


@click.command()
@click.option("--full", is_flag=True, help="Look at every path again, and mend what is missing.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@action
def sync(session: Session, full: bool, dry_run: bool) -> None:
    """Bring the graph of this worktree to its files.

    Questions do this by themselves; a hook or a script may want it done before.
    """
    syncing.sync(session, full=full, dry_run=dry_run)


@click.command()
@action
def status(session: Session) -> None:
    """Show how the graph stands to the files.

    What has changed since it was brought to them, and which files were skipped and why. Nothing is changed.
    """
    repository = session.repository
    from git_graph.sync import status as ask

    found = ask(repository, reading=early.take())
    if session.options.json:
        session.print_json(status_document(found))
        return
    syncing.warn(session, found.warnings)
    session.terminal.show(list(_status_lines(found)))


_FRESHNESS = {
    "current": "indexed, as committed",
    "dirty-but-indexed": "indexed, with uncommitted changes",
    "refresh-needed": "files have changed since it was indexed; questions take that in by themselves",
    "unknown": "not indexed yet; any question will, and so will git graph sync",
}


def _status_lines(status: Status) -> Iterator[str]:
    yield f"view       {safe(status.view)}"
    yield f"freshness  {status.freshness} ({_FRESHNESS[status.freshness]})"
    if status.head:
        yield f"head       {status.head[:12]}{f' ({safe(status.branch)})' if status.branch else ' (detached)'}"
    if status.snapshot:
        yield f"snapshot   {status.snapshot[:12]} (number {status.sequence})"
    if status.initialized:
        languages = ", ".join(f"{language} {number:,}" for language, number in status.languages if number)
        yield f"files      {status.files:,}{f': {languages}' if languages else ''}"
    listed = changed(status)
    if listed:
        yield f"to take in {count(len(listed), 'file')}"
        yield from (f"  {letter} {safe_path(path)}" for letter, path in listed[: syncing.LISTED])
        if len(listed) > syncing.LISTED:
            yield f"  and {len(listed) - syncing.LISTED:,} more (--json lists all)"
    yield from syncing.skipped(status)
