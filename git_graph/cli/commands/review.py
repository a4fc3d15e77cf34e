"""diff."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

from git_graph.cli.options import comparing
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session

if TYPE_CHECKING:
    from git_graph.query.diff import Comparison
    from git_graph.sync.sides import Compared


@click.command()
@click.argument("a", metavar="[A]", default="HEAD")
@click.argument("b", metavar="[B]", required=False)
@click.option("--stat", is_flag=True, help="One line for each file.")
@click.option("--comments", is_flag=True, help="List symbols of which only comments differ as well.")
@click.option(
    "--path", "paths", metavar="PATH", multiple=True,
    help="Only what is in this file or folder, or matches this glob; may be repeated.",
)  # fmt: skip
@comparing
def diff(session: Session, a: str, b: str | None, stat: bool, comments: bool, paths: tuple[str, ...]) -> None:
    """Show what became of the symbols between A and B.

    A and B are commits or views; without B, A is compared with the files on disk, and without A that is HEAD. A..B is
    understood as git diff does, A...B begins where both parted. Symbols are added, removed, moved, renamed, or changed
    in signature or body; below each stand the references that mean something else now. Moved lines, indentation and
    comments are no changes.
    """
    from git_graph.cli import review
    from git_graph.query.diff import diff as ask

    old, new = session.range(a, b)
    with comparison(session, old, new) as (compared, sides):
        with Progress("resolving") as progress:
            answer = ask(
                sides,
                {"a": compared.old.label, "b": compared.new.label, "stat": stat, "comments": comments},
                paths=tuple(map(session.pattern, paths)),
                comments=comments,
                stat=stat,
                limit=session.limit,
                progress=progress,
            )
        answer = answer._replace(facts={"base": session.state(compared.old.answering), **answer.facts})
        session.show(answer, compared.new.answering, review.changes, review.summary(answer))


@contextmanager
def comparison(
    session: Session, old: str, new: str | None, *, earlier: bool = False
) -> Iterator[tuple[Compared, Comparison]]:
    """Two sides, opened and matched; `earlier`: names are those of snapshots first."""
    from git_graph.query.diff import ChangedFile, Comparison
    from git_graph.resolve import Resolver
    from git_graph.sync.sides import compare

    with Progress("indexing") as progress:
        compared = compare(session.repository, old, new, sync=session.options.sync, earlier=earlier, progress=progress)
    one, other = compared.old, compared.new
    changed = [
        ChangedFile(
            path,
            partial(one.read, before, path) if before is not None else None,
            partial(other.read, after, path) if after is not None else None,
        )
        for path, before, after in compared.changed
    ]
    yield compared, Comparison(Resolver(one.answering.view), Resolver(other.answering.view), changed, other.load)
