"""callers, callees, impact, path."""

from __future__ import annotations

import click

from git_graph.cli import asking
from git_graph.cli.options import names_of_symbols, narrowing, question
from git_graph.cli.session import Session
from git_graph.query.impact import impact as query_impact
from git_graph.query.path import path as query_path

_POSSIBLE = click.option("--possible", is_flag=True, help="Also list calls that could be of something else.")
_EXPLAIN = click.option("--explain", is_flag=True, help="Say by which rule each call was attributed.")


@click.command()
@click.argument("symbol", shell_complete=names_of_symbols)
@_POSSIBLE
@_EXPLAIN
@question
def callers(session: Session, symbol: str, possible: bool, explain: bool) -> None:
    """Show who calls SYMBOL, or makes one of it.

    Each line is a call site. Calls outside any function are the module's.
    """
    asking.callers(session, symbol, possible, explain)


@click.command()
@click.argument("symbol", shell_complete=names_of_symbols)
@_POSSIBLE
@_EXPLAIN
@question
def callees(session: Session, symbol: str, possible: bool, explain: bool) -> None:
    """Show what SYMBOL calls.

    Each line is a call site in it; what is nested in it (functions in a function, methods in a class) counts.
    """
    asking.callees(session, symbol, possible, explain)


@click.command()
@click.argument("symbols", metavar="SYMBOL...", nargs=-1, required=True, shell_complete=names_of_symbols)
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N", help="Follow at most N references from SYMBOL.  [default: all]"
)
@narrowing
@question
def impact(
    session: Session,
    symbols: tuple[str, ...],
    depth: int | None,
    kinds: tuple[str, ...],
    paths: tuple[str, ...],
    languages: tuple[str, ...],
) -> None:
    """Show what may break when SYMBOL changes.

    Follows callers, inheritors, readers and users of a type, as far as they are certain; what could be something else
    is counted and not followed. Modules that use it when they are loaded end the walk; `--kind module` lists them.
    """
    session.answer(
        lambda resolver, progress: query_impact(
            resolver,
            [session.symbol(resolver.view, symbol) for symbol in symbols],
            depth=depth or 0,
            narrow=session.filter(resolver.view, kinds, paths, languages),
            limit=session.limit,
        )
    )


@click.command()
@click.argument("start", metavar="FROM", shell_complete=names_of_symbols)
@click.argument("end", metavar="TO", shell_complete=names_of_symbols)
@question
def path(session: Session, start: str, end: str) -> None:
    """Show a shortest chain of calls from one SYMBOL to another."""
    session.answer(
        lambda resolver, progress: query_path(
            resolver,
            session.symbol(resolver.view, start),
            session.symbol(resolver.view, end),
            limit=session.limit,
        )
    )
