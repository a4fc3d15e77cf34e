"""find, definitions, references, outline."""

from __future__ import annotations

import click

from git_graph.cli import asking
from git_graph.cli.choice import Choice
from git_graph.cli.options import names_of_symbols, narrowing, question
from git_graph.cli.session import Session
from git_graph.model import KINDS, RESOLUTIONS, ROLES
from git_graph.query.find import find as query_find
from git_graph.query.outline import outline as query_outline


@click.command()
@click.argument("pattern", shell_complete=names_of_symbols)
@click.option("-i", "--ignore-case", is_flag=True, help="Do not tell upper case from lower case.")
@narrowing
@question
def find(
    session: Session,
    pattern: str,
    ignore_case: bool,
    kinds: tuple[str, ...],
    paths: tuple[str, ...],
    languages: tuple[str, ...],
) -> None:
    """Find symbols by name.

    PATTERN is a part of the name, or a glob for all of it (`get_*`). With a dot in it, it is held against the
    qualified name (`Session.*`). Exact matches come first.
    """
    session.answer(
        lambda resolver, progress: query_find(
            resolver,
            pattern,
            narrow=session.filter(resolver.view, kinds, paths, languages),
            ignore_case=ignore_case,
            limit=session.limit,
        )
    )


@click.command()
@click.argument("symbol", shell_complete=names_of_symbols)
@question
def definitions(session: Session, symbol: str) -> None:
    """Show where SYMBOL is defined.

    Overloads, prototypes and conditional definitions of one symbol are one definition with several places.
    """
    asking.definitions(session, symbol)


@click.command()
@click.argument("symbol", shell_complete=names_of_symbols)
@click.option(
    "--role", "roles", type=Choice(ROLES), multiple=True, metavar="ROLE",
    help=f"Only this role ({', '.join(ROLES)}); may be repeated.",
)  # fmt: skip
@click.option(
    "--resolution", "resolutions", type=Choice(RESOLUTIONS[:-1]), multiple=True, metavar="RESOLUTION",
    help=f"Only what was attributed like this ({', '.join(RESOLUTIONS[:-1])}); may be repeated.",
)  # fmt: skip
@click.option("--explain", is_flag=True, help="Say by which rule each was attributed.")
@click.option("--overrides", is_flag=True, help="The uses of the members that override or implement it as well.")
@question
def references(
    session: Session, symbol: str, roles: tuple[str, ...], resolutions: tuple[str, ...], explain: bool, overrides: bool
) -> None:
    """Show every use of SYMBOL.

    Uses that are certain come first, then those that could be of something else: ambiguous ones, and calls on a
    receiver of unknown type. A use through a base or an interface is one of the base's member.
    """
    asking.references(session, symbol, roles, resolutions, explain, overrides)


@click.command()
@click.argument("path", type=click.Path(), metavar="PATH")
@click.option(
    "--kind", "kinds", type=Choice(KINDS), multiple=True, metavar="KIND", help="Only this kind; may be repeated."
)
@question
def outline(session: Session, path: str, kinds: tuple[str, ...]) -> None:
    """Show what the file PATH defines."""
    session.answer(
        lambda resolver, progress: query_outline(
            resolver, session.path(resolver.view, path) or path, kinds=kinds, limit=session.limit
        )
    )
