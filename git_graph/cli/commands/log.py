"""log."""

from __future__ import annotations

import click

from git_graph.cli.options import comparing, names_of_symbols
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session
from git_graph.model import KIND

MOST = 50
"""So many definitions of one name are followed."""


@click.command()
@click.argument("symbol", shell_complete=names_of_symbols)
@click.option(
    "-n", "--max-count", "number", type=click.IntRange(min=0), metavar="N", help="At most N commits, 0 for all."
)
@click.option("--since", metavar="DATE", help="Only commits since DATE, as git understands dates.")
@click.option("--until", metavar="DATE", help="Only commits until DATE.")
@click.option("--rev", metavar="REV", help="Begin at REV instead of HEAD.")
@click.option("--first-parent", is_flag=True, help="Follow only the first parent of merges.")
@click.option("--comments", is_flag=True, help="List commits that changed only comments as well.")
@comparing
def log(
    session: Session,
    symbol: str,
    number: int | None,
    since: str | None,
    until: str | None,
    first_parent: bool,
    comments: bool,
) -> None:
    """Show the commits that added, changed, moved, renamed or removed SYMBOL.

    Newest first, through renames of the symbol and of its file, and moves from other files. SYMBOL is what it is called
    at HEAD (or REV); one that was removed is found by its name in the newest commits that mention it.
    """
    from git_graph.cli import review
    from git_graph.git.history import seconds
    from git_graph.query.describe import Describer
    from git_graph.query.diff_symbols import space
    from git_graph.query.log import Start, removed
    from git_graph.query.log import log as ask
    from git_graph.query.subject import missing, subject
    from git_graph.resolve import Resolver
    from git_graph.sync.answering import answering
    from git_graph.sync.blobs import Past

    repository, rev = session.repository, session.options.rev or "HEAD"
    with Progress("indexing") as progress:
        opened = answering(repository, rev=rev, progress=progress)
    resolver = Resolver(opened.view)
    wanted = subject(Describer(resolver), session.symbol(opened.view, symbol))
    limit = session.limit if number is None else number
    query = {"symbol": symbol, "rev": rev, "limit": limit, "since": since, "until": until}
    past = Past(repository, first_parent=first_parent)
    assert opened.head is not None
    try:
        starts = []
        for definition in wanted.definitions[:MOST]:
            parts = tuple(resolver.qualified(definition).split(".")) if definition.index else ()
            kind = space(KIND[resolver.symbol(definition).kind])
            starts.append(Start(opened.head, definition.path, parts, kind))
        starts = starts or removed(past, opened.head, symbol)
        if not starts:
            session.show(missing("log", query, wanted), opened, review.history, [])
            return
        with Progress("looking at commits") as progress:
            answer = ask(
                starts,
                past,
                query,
                limit=limit,
                since=None if since is None else seconds(repository, "since", since),
                until=None if until is None else seconds(repository, "until", until),
                comments=comments,
                progress=progress,
            )
    finally:
        past.close()
    answer = answer._replace(
        definitions=Describer(resolver).symbols(wanted.definitions, MOST), definitions_total=len(wanted.definitions)
    )
    session.show(answer, opened, review.history, review.told(answer))
