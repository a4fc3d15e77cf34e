"""export."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from git_graph import __version__
from git_graph.cli.choice import Choice
from git_graph.cli.options import names_of_symbols, writing
from git_graph.cli.progress import Progress
from git_graph.cli.session import NOT_FOUND, Session
from git_graph.errors import NotWritable, UsageError
from git_graph.query.envelope import SCHEMA

if TYPE_CHECKING:
    from git_graph.query.export import Unit
    from git_graph.sync.answering import Answering

FORMATS = ("scip", "ctags", "dot", "mermaid", "graphml", "jsonl")


@click.command()
@click.option("--format", "format_", type=Choice(FORMATS), required=True, help="What to write.")
@click.option("--around", metavar="SYMBOL", shell_complete=names_of_symbols, help="Only the neighbourhood of SYMBOL.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="How many uses away that reaches.  [default: 1]")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
@writing
def export(session: Session, format_: str, around: str | None, depth: int | None, output: str | None) -> None:
    """Write the graph for other tools.

    SCIP for code-intelligence services, a tags file for editors, DOT, Mermaid and GraphML to draw or analyse it, JSON
    lines for programs. Only attributed uses are edges. It is written as it is found; -o replaces FILE when it is whole.
    A class around which is asked stands for its members, a file for all that is in it.
    """
    if depth is not None and around is None:
        raise UsageError("--depth says how far --around reaches", "name a symbol: --around SYMBOL")
    if session.options.json:
        raise UsageError("--json is for answers, and this is a file", "--format jsonl writes JSON, one object a line")
    output = None if output == "-" else output
    if format_ == "scip":
        _ready(output)
    answering = session.answering()
    for warning in answering.warnings:
        session.complain(f"warning: {warning}")
    from git_graph.query.export import Export
    from git_graph.query.export import around as neighbourhood
    from git_graph.resolve import Resolver

    resolver, chosen = Resolver(answering.view), None
    if around is not None:
        start = resolver.lookup(session.symbol(answering.view, around))
        if not start:
            near = ", ".join(resolver.near(around))
            session.complain(f"no symbol '{around}'" + (f"; did you mean {near}?" if near else ""))
            session.status = NOT_FOUND
            return
        chosen = neighbourhood(resolver, start, 1 if depth is None else depth)
    with Progress("exporting") as progress:
        pieces = _pieces(session, answering, format_, Export(resolver, chosen).units(progress))
        _write(pieces if format_ != "mermaid" else _within(session, pieces), output)


def _ready(output: str | None) -> None:
    """Refuse early what could not be written: without the package, or to a terminal."""
    from git_graph.query.export_scip import messages

    messages()
    if output is None and sys.stdout.isatty():
        raise UsageError("SCIP is binary, and this is a terminal", "name a file with -o FILE")


def _pieces(session: Session, answering: Answering, format_: str, units: Iterable[Unit]) -> Iterator[bytes]:
    """What is written, in the format."""
    from git_graph.query import export_graphs, export_lists

    if format_ == "scip":
        from git_graph.query.export_scip import scip

        root = session.repository.worktree or session.repository.git_dir
        return scip(units, __version__, root.as_uri())
    about = {"schema": SCHEMA, "view": answering.name, "snapshot": answering.snapshot, "head": answering.head}
    writers: dict[str, Callable[[], Iterator[str]]] = {
        "ctags": lambda: export_lists.ctags(units, __version__),
        "jsonl": lambda: export_lists.jsonl(units, about),
        "dot": lambda: export_graphs.dot(units),
        "mermaid": lambda: export_graphs.mermaid(units),
        "graphml": lambda: export_graphs.graphml(units),
    }
    errors = "surrogateescape" if format_ == "ctags" else "replace"
    return (piece.encode("utf-8", errors) for piece in writers[format_]())


DRAWN = 500
"""So many edges Mermaid draws at most, unless its `maxEdges` is set."""


def _within(session: Session, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a chart; at their end a word if Mermaid would not draw it."""
    edges = 0
    for piece in pieces:
        edges += b" -->|" in piece
        yield piece
    if edges > DRAWN:
        session.complain(f"{edges:,} edges, and Mermaid draws {DRAWN} unless maxEdges is set; --around SYMBOL narrows")


def _write(pieces: Iterable[bytes], output: str | None) -> None:
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    partial = f"{output}.{os.getpid()}.partial"
    try:
        try:
            with open(partial, "wb") as file:  # noqa: PTH123
                file.writelines(pieces)
            os.replace(partial, output)  # noqa: PTH105
        except OSError as error:
            raise NotWritable(f"cannot write {output}: {error.strerror}", "name another file after -o") from error
    finally:
        if os.path.exists(partial):  # noqa: PTH110
            os.unlink(partial)  # noqa: PTH108
