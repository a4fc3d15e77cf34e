"""push, fetch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from git_graph.cli.escape import safe
from git_graph.cli.notes import count
from git_graph.cli.options import action
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session
from git_graph.errors import Refused, UsageError
from git_graph.query.envelope import SCHEMA

if TYPE_CHECKING:
    from git_graph.sync.fetching import Branch, Fetched
    from git_graph.sync.sharing import Published


@click.command()
@click.option("--delete", is_flag=True, help="Remove what is published for BRANCH.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@click.argument("remote", required=False)
@click.argument("source", required=False, metavar="[BRANCH|REV:BRANCH]")
@action
def push(session: Session, remote: str | None, source: str | None, delete: bool, dry_run: bool) -> None:
    """Publish the graph of a commit on a remote, for everyone who fetches it.

    By default that of the branch that is checked out, as committed: nothing uncommitted or untracked is sent. It takes
    the place of what was published for the branch before.
    """
    repository = session.repository
    from git_graph.sync import sharing

    if delete:
        branch = source or sharing.checked_out(repository)
        if branch is None or ":" in branch:
            raise UsageError("--delete needs the name of a branch", "git graph push --delete REMOTE BRANCH")
        done = sharing.withdraw(repository, remote, branch, dry_run=dry_run)
    else:
        with Progress("indexing") as progress:
            done = sharing.push(repository, remote, source, dry_run=dry_run, progress=progress)
    if session.options.json:
        session.print_json({"schema": SCHEMA, "command": "push", **_pushed(done, dry_run)})
        return
    session.terminal.show([_push_line(done, dry_run)])


def _pushed(done: Published, dry_run: bool) -> dict[str, object]:
    return {
        "remote": done.remote,
        "branch": done.branch,
        "commit": done.commit,
        "snapshot": done.snapshot,
        "replaced": done.replaced,
        "sent": done.sent and not dry_run,
        "files": done.files,
        "dry_run": dry_run,
        "warnings": list(done.warnings),
    }


def _push_line(done: Published, dry_run: bool) -> str:
    where, would = safe(done.remote), "would be " if dry_run else ""
    if done.commit is None:
        gone = f"{would}removed" if done.sent else "was not published"
        return f"{where}: {safe(done.branch)} {gone}"
    what = f"{where}: {safe(done.branch)} at {done.commit[:12]}"
    return f"{what} {would}published, {count(done.files, 'file')}" if done.sent else f"{what} is published already"


@click.command()
@click.argument("remote", required=False)
@click.argument("branches", nargs=-1, metavar="[BRANCH]...")
@action
def fetch(session: Session, remote: str | None, branches: tuple[str, ...]) -> None:
    """Fetch what others have published, so that what they have indexed need not be indexed here.

    What arrives is checked before it is used; what does not hold is refused. Questions about it: --view
    remotes/REMOTE/BRANCH.
    """
    repository = session.repository
    from git_graph.sync.fetching import fetch as take

    done = take(repository, remote, branches)
    refused = [branch for branch in done.branches if branch.outcome == "refused"]
    if session.options.json:
        session.print_json(_fetched(done))
    else:
        for warning in done.warnings:
            session.complain(f"warning: {warning}")
        session.terminal.show(list(_fetch_lines(done)))
    if refused:
        session.status = Refused.exit_status


def _fetched(done: Fetched) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "command": "fetch",
        "remote": done.remote,
        "results": [branch._asdict() for branch in done.branches],
        "total": len(done.branches),
        "warnings": list(done.warnings),
    }


def _fetch_lines(done: Fetched) -> Iterator[str]:
    width = max((len(safe(branch.view)) for branch in done.branches), default=0)
    for branch in done.branches:
        yield f"{safe(branch.view):<{width}}  {_fate(branch)}"


def _fate(branch: Branch) -> str:
    if branch.outcome == "refused":
        return f"refused: {safe(branch.reason)}"
    if branch.outcome == "gone":
        return "no longer published"
    at = f" at {branch.commit[:12]}" if branch.commit else ""
    return f"{branch.outcome.replace('-', ' ')}{at}, {count(branch.files, 'file')}"
