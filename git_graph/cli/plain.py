"""The plainest command lines, run without click: importing that costs as much as the rest of a warm question.

`definitions`, `references`, `callers` and `callees` of one SYMBOL, and `sync`, with none but the options named here.
Whatever is not exactly that, wrong usage included, is left to click, which means the same by it; a test holds them
together.
"""

from __future__ import annotations

from collections.abc import Sequence

from git_graph import meter
from git_graph.cli.session import Options, Session
from git_graph.records import NamedTuple

_QUESTIONS = ("definitions", "references", "callers", "callees")


class Line(NamedTuple):
    """A command line that was understood: the command, the SYMBOL that it asks about (None: `sync`), its options."""

    command: str
    symbol: str | None
    options: Options

    def run(self) -> int:
        """Run the command; the exit status."""
        meter.command = self.command
        session = Session(self.options)
        if self.symbol is None:
            from git_graph.cli.syncing import sync

            sync(session)
        else:
            from git_graph.cli import asking

            getattr(asking, self.command)(session, self.symbol)
        return session.status


def read(arguments: Sequence[str]) -> Line | None:
    """The line, if it is one of the plainest."""
    command, *rest = arguments or ("",)
    as_json = "--json" in rest
    words = [word for word in rest if word != "--json"]
    if command == "sync":
        return None if words else Line(command, None, Options(as_json))
    if command not in _QUESTIONS:
        return None
    limit, sync, symbols = None, True, []
    following = iter(words)
    for word in following:
        if word == "--no-sync":
            sync = False
        elif word == "--limit":
            number = next(following, "")
            if not (number.isascii() and number.isdecimal() and len(number) < 10):
                return None
            limit = int(number)
        elif word.startswith("-") or not word:
            return None
        else:
            symbols.append(word)
    return Line(command, symbols[0], Options(as_json, limit, sync=sync)) if len(symbols) == 1 else None
