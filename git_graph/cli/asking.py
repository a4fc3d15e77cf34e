"""What the questions asked most often do, once their command line has been read. Knows nothing of click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_graph.cli.session import Session


def definitions(session: Session, symbol: str) -> None:
    """Show where a SYMBOL is defined."""
    from git_graph.query.definitions import definitions as ask

    session.answer(lambda resolver, progress: ask(resolver, session.symbol(resolver.view, symbol), limit=session.limit))


def references(
    session: Session,
    symbol: str,
    roles: Sequence[str] = (),
    resolutions: Sequence[str] = (),
    explain: bool = False,
    overrides: bool = False,
) -> None:
    """Show every use of a SYMBOL."""
    from git_graph.query.references import references as ask

    session.answer(
        lambda resolver, progress: ask(
            resolver,
            session.symbol(resolver.view, symbol),
            roles=roles,
            resolutions=resolutions,
            explain=explain,
            overrides=overrides,
            limit=session.limit,
        )
    )


def callers(session: Session, symbol: str, possible: bool = False, explain: bool = False) -> None:
    """Show who calls a SYMBOL."""
    from git_graph.query.callers import callers as ask

    session.answer(
        lambda resolver, progress: ask(
            resolver, session.symbol(resolver.view, symbol), possible=possible, explain=explain, limit=session.limit
        )
    )


def callees(session: Session, symbol: str, possible: bool = False, explain: bool = False) -> None:
    """Show what a SYMBOL calls."""
    from git_graph.query.callees import callees as ask

    session.answer(
        lambda resolver, progress: ask(
            resolver, session.symbol(resolver.view, symbol), possible=possible, explain=explain, limit=session.limit
        )
    )
