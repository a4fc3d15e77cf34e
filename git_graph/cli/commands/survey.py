"""unused, top, deps, cycles."""

from __future__ import annotations

import click

from git_graph.cli.choice import Choice
from git_graph.cli.options import narrowing, question
from git_graph.cli.session import Session
from git_graph.query.cycles import cycles as query_cycles
from git_graph.query.deps import DIRECTIONS
from git_graph.query.deps import deps as query_deps
from git_graph.query.top import MEASURES
from git_graph.query.top import top as query_top
from git_graph.query.unused import REASONS
from git_graph.query.unused import unused as query_unused


@click.command()
@narrowing
@click.option(
    "--include", type=Choice((*REASONS, "all")), multiple=True, metavar="REASON",
    help=f"Also list what is left out for REASON ({', '.join(REASONS)}, all); may be repeated.",
)  # fmt: skip
@question
def unused(
    session: Session,
    kinds: tuple[str, ...],
    paths: tuple[str, ...],
    languages: tuple[str, ...],
    include: tuple[str, ...],
) -> None:
    """List definitions that nothing refers to.

    Left out, unless --include asks, is what may be used unseen: what a call on an unknown receiver could mean
    (possible), methods that override one of a base (override), what a decorator takes (decorated), and what a language
    or a test runner calls by name (entry-point).
    """
    session.answer(
        lambda resolver, progress: query_unused(
            resolver,
            narrow=session.filter(resolver.view, kinds, paths, languages),
            include=REASONS if "all" in include else include,
            limit=session.limit,
            progress=progress,
        )
    )


@click.command()
@click.option(
    "--by", type=Choice(MEASURES), default="fan-in", show_default=True,
    help="How many use it, how many it uses, or its PageRank.",
)  # fmt: skip
@narrowing
@question
def top(session: Session, by: str, kinds: tuple[str, ...], paths: tuple[str, ...], languages: tuple[str, ...]) -> None:
    """List the symbols that matter most."""
    session.answer(
        lambda resolver, progress: query_top(
            resolver,
            by=by,
            narrow=session.filter(resolver.view, kinds, paths, languages),
            limit=session.limit,
            progress=progress,
        )
    )


@click.command()
@click.argument("path", required=False, type=click.Path(), metavar="[PATH]")
@click.option(
    "--direction", type=Choice(DIRECTIONS), default="both", show_default=True,
    help="What PATH imports (out), what imports it (in), or both.",
)  # fmt: skip
@click.option("--external", is_flag=True, help="Also list imports of what is not in the view.")
@question
def deps(session: Session, path: str | None, direction: str, external: bool) -> None:
    """Show which files import which.

    With the file or folder PATH, its imports and those of it; otherwise all imports of the view.
    """
    session.answer(
        lambda resolver, progress: query_deps(
            resolver,
            session.path(resolver.view, path) if path else "",
            direction=direction,
            external=external,
            limit=session.limit,
            progress=progress,
        )
    )


@click.command()
@click.option("--path", "paths", metavar="PATH", multiple=True, help="Only files in this folder; may be repeated.")
@click.option("--runtime", is_flag=True, help="Leave out imports inside functions and imports of types alone.")
@question
def cycles(session: Session, paths: tuple[str, ...], runtime: bool) -> None:
    """Show files that import each other in a circle.

    Each group of files that reach one another is shown by one shortest circle in it.
    """
    session.answer(
        lambda resolver, progress: query_cycles(
            resolver,
            paths=session.paths(resolver.view, paths),
            runtime=runtime,
            limit=session.limit,
            progress=progress,
        )
    )
