"""The options that commands share, and how a command comes by its session."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, TypeVar

import click

from git_graph import meter
from git_graph.cli.choice import Choice
from git_graph.cli.session import Options, Session
from git_graph.errors import GraphError
from git_graph.model import KINDS

F = TypeVar("F", bound=Callable[..., Any])


def go_to(context: click.Context, parameter: click.Parameter, directories: Sequence[str]) -> None:
    """What `-C DIR` does: each taken from the one before, as in git."""
    for directory in directories:
        try:
            os.chdir(directory or os.curdir)
        except OSError as error:
            if context.resilient_parsing:  # a shell asks what could come next
                return
            raise GraphError(
                f"cannot change to '{directory}': {error.strerror}", "name a directory after -C"
            ) from error


def names_of_symbols(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What a shell offers for a SYMBOL: names from what is indexed, as it is; none where anything is wrong."""
    try:
        session = Session(Options(sync=False))
        return list(session.answering().view.symbol_names(f"{incomplete}*"))[:OFFERED]
    except Exception:
        return []


OFFERED = 200
"""So many names are offered at most."""

_COMMON = (
    click.option(
        "-C", "directories", metavar="DIR", multiple=True, expose_value=False, is_eager=True, callback=go_to,
        help="Run as if started in DIR.",
    ),
    click.option("--json", is_flag=True, help="Print one JSON object (schema git-graph/1)."),
    click.option("--color", type=Choice(("auto", "always", "never")), help="Colour, if not as git is set."),
    click.option("--metrics", is_flag=True, help="Tell on standard error what the command has cost."),
)  # fmt: skip
_VIEW = (
    click.option("--view", metavar="VIEW", help="Ask another view: a worktree's, an epoch, a head, a snapshot (@{1})."),
    click.option("--rev", metavar="REV", help="Ask about a commit instead of the files on disk."),
    click.option("--keep", is_flag=True, help="With --rev: keep the graph of that commit, as an epoch."),
    click.option("--no-sync", is_flag=True, help="Answer from what is indexed, without looking at the files."),
)  # fmt: skip
_LIMIT = click.option(
    "--limit", type=click.IntRange(min=0), metavar="N", help="Show at most N results, 0 for all.  [default: 100]"
)


def _options(arguments: dict[str, Any]) -> Options:
    """Take the common options out of a command's arguments."""
    arguments.pop("metrics", None)  # main tells it
    return Options(
        arguments.pop("json", False),
        arguments.pop("limit", None),
        arguments.pop("view", None),
        arguments.pop("rev", None),
        not arguments.pop("no_sync", False),
        arguments.pop("color", None),
        arguments.pop("keep", False),
    )


def with_session(function: F) -> F:
    """Give a command a session made of the options in front of it and behind its name."""

    @click.pass_context
    def run(context: click.Context, /, **arguments: Any) -> int:
        context.obj = _options(arguments).over(context.obj)
        meter.command = context.info_name or ""
        session = Session(context.obj)
        function(session, **arguments)
        return session.status

    return update_wrapper(run, function)  # type: ignore[return-value]


def root(function: F) -> F:
    """The common options in front of the command; they are given as Options."""

    @click.pass_context
    def run(context: click.Context, /, **arguments: Any) -> Any:
        return function(context, _options(arguments), **arguments)

    wrapped: F = update_wrapper(run, function)  # type: ignore[assignment]
    return _all(wrapped, (*_COMMON, _LIMIT, *_VIEW))


def question(function: F) -> F:
    """Options of every command that asks a view; the command is given a session."""
    return _all(with_session(function), (*_COMMON, _LIMIT, *_VIEW))


def comparing(function: F) -> F:
    """Options of every command that looks at two sides or at history; the command is given a session."""
    return _all(with_session(function), (*_COMMON, _LIMIT, _VIEW[-1]))


def writing(function: F) -> F:
    """Options of a command that writes what a view holds, in a format of its own; the command is given a session."""
    return _all(with_session(function), (_COMMON[0], _COMMON[-1], *_VIEW))


def action(function: F) -> F:
    """Options of every command that acts on a repository; the command is given a session."""
    return _all(with_session(function), _COMMON)


def narrowing(function: F) -> F:
    """Options that narrow a list of symbols."""
    return _all(
        function,
        (
            click.option(
                "--kind", "kinds", type=Choice(KINDS), multiple=True, metavar="KIND",
                help=f"Only symbols of this kind; may be repeated. There are {', '.join(KINDS)}.",
            ),
            click.option(
                "--path", "paths", metavar="PATH", multiple=True,
                help="Only what is in this file or folder, or matches this glob; may be repeated.",
            ),
            click.option(
                "--language", "languages", metavar="LANGUAGE", multiple=True,
                help="Only symbols of this language; may be repeated.",
            ),
        ),
    )  # fmt: skip


def _all(function: F, decorators: Sequence[Callable[[F], F]]) -> F:
    for decorate in reversed(decorators):
        function = decorate(function)
    return function
