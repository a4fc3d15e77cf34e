"""snapshots, rebaseline, delta."""

from __future__ import annotations

import click

from git_graph.cli.options import action, comparing
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session


@click.command()
@click.option("--view", metavar="VIEW", help="List those of another view.")
@action
def snapshots(session: Session) -> None:
    """List what a view was: its present snapshot, the earlier ones that it keeps, and its epochs.

    Every publication is a snapshot, and answers name theirs. Ask one with --view, by `@{1}` (the one before the present
    one), an epoch's label, or an id, abbreviated at will. How many are kept is up to graph.historyLimit.
    """
    from git_graph.cli import snapshots as text
    from git_graph.query.envelope import SCHEMA, plain
    from git_graph.sync.epochs import listing

    rows = listing(session.repository, session.options.view)
    if session.options.json:
        name = session.options.view or session.repository.view
        results = [plain(row) for row in rows]
        session.print_json(
            {"schema": SCHEMA, "command": "snapshots", "view": name, "results": results, "total": len(results)}
        )
        return
    session.terminal.show(list(text.listing(rows)))


@click.command()
@click.option("--label", metavar="LABEL", required=True, help="What the epoch is called.")
@click.option("--force", is_flag=True, help="In place of an epoch of that label.")
@action
def rebaseline(session: Session, label: str, force: bool) -> None:
    """Pin the present snapshot as an epoch, and begin a new count.

    The epoch stays readable by its label, whatever becomes of the view; `git graph delta` tells what has changed since.
    The view's own history begins anew. `git graph views --delete` lets an epoch go.
    """
    from git_graph.cli import snapshots as text
    from git_graph.query.envelope import SCHEMA
    from git_graph.sync.epochs import rebaseline as begin

    with Progress("indexing") as progress:
        result = begin(session.repository, label, force=force, progress=progress)
    if session.options.json:
        session.print_json({"schema": SCHEMA, "command": "rebaseline", **result._asdict()})
        return
    session.terminal.show([text.began(result)])


@click.command()
@click.argument("since", metavar="[SINCE]", required=False)
@click.argument("until", metavar="[UNTIL]", required=False)
@comparing
def delta(session: Session, since: str | None, until: str | None) -> None:
    """Tell what has changed since a snapshot: branch, head and tree, then files, then symbols.

    SINCE and UNTIL are snapshots (`@{1}`, an epoch's label, an id), views or commits. Without UNTIL it is the files on
    disk; without SINCE the epoch that began last, or the snapshot before the present one. Files are added, deleted,
    restored, changed in content or mode, changed in state (committed or not), or renamed; symbols as in git graph diff.
    """
    from git_graph.cli import snapshots as text
    from git_graph.cli.commands.review import comparison
    from git_graph.query.delta import delta as tell
    from git_graph.query.diff import diff
    from git_graph.sync.delta import delta as files
    from git_graph.sync.epochs import last

    repository = session.repository
    if since is None:
        session.answering()  # what the files are now comes first
        since = last(repository)
    with comparison(session, since, until, earlier=True) as (compared, sides):
        query = {"since": compared.old.label, "until": compared.new.label}
        found = files(repository, compared.old, compared.new)
        with Progress("resolving") as progress:
            symbols = diff(sides, query, limit=session.limit, progress=progress)
        answer = tell(symbols, found, query, session.limit)
        answer = answer._replace(facts={"base": session.state(compared.old.answering), **answer.facts})
        session.show(answer, compared.new.answering, text.changes, text.summary(answer))
