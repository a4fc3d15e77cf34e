"""The plainest command lines mean the same whether click reads them or not."""

from __future__ import annotations

import inspect
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph.cli import asking, plain, syncing
from git_graph.cli.app import cli
from git_graph.cli.plain import Line

WORDS = [
    "definitions", "references", "callers", "callees", "sync", "find", "slugify", "a.py:3", "", "-", "--", "--json",
    "--no-sync", "--limit", "0", "7", "-1", "x", "--limit=3", "--explain", "--possible", "--help", "--view", "--rev",
    "--color", "always", "-C", ".", "--full", "--lim", "99999999999",
]  # fmt: skip


def by_click(line: list[str]) -> Any:
    """What click makes of a line: the command, its SYMBOL and options; None where it would be refused."""
    seen: list[Any] = []

    def note(name: str, asked: Any) -> Any:
        def noting(session: Any, *args: Any, **named: Any) -> None:
            given = inspect.signature(asked).bind(session, *args, **named)
            given.apply_defaults()
            symbol = given.arguments.pop("symbol", None)
            given.arguments.pop("session")
            assert not any(given.arguments.values()), "an option that is not one of the plainest"
            seen.append(Line(name, symbol, session.options))

        return noting

    with pytest.MonkeyPatch.context() as patch:
        for name in ("definitions", "references", "callers", "callees"):
            patch.setattr(asking, name, note(name, getattr(asking, name)))
        patch.setattr(syncing, "sync", note("sync", syncing.sync))
        try:
            with cli.make_context("git graph", list(line)) as context:
                cli.invoke(context)
        except click.ClickException:
            return None
    return seen[0]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_read_plainly_click_reads_the_same(line):
    if (read := plain.read(line)) is not None:
        assert by_click(line) == read


@given(st.sampled_from(WORDS[:5]), st.lists(st.sampled_from([*WORDS[6:18], "slugify"]), max_size=5))
def test_a_line_that_begins_with_a_command_too(command, rest):
    test_what_is_read_plainly_click_reads_the_same.hypothesis.inner_test([command, *rest])


@pytest.mark.parametrize("line", ["definitions slugify", "references --json a.b --limit 3", "callers --no-sync f",
                                  "callees f", "sync", "sync --json"])  # fmt: skip
def test_the_usual_lines_are_plain(line):
    assert plain.read(line.split()) is not None


@pytest.mark.parametrize("line", ["", "definitions", "definitions a b", "definitions --limit", "find f",
                                  "definitions --limit x f", "sync f", "--json sync", "sync --limit 3"])  # fmt: skip
def test_what_is_not_plain_is_left_to_click(line):
    assert plain.read(line.split()) is None
