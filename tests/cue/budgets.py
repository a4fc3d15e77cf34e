"""Hold every view of a cue, as text and as JSON, to every budget: whole and within it, or the error that states more.

python -m tests.cue.budgets FOCUS [--most N] [--since REV] [--show VIEW]    in the repository of the current directory
"""

from __future__ import annotations

import argparse
import json
import re
import time

from git_graph.cli.commands.cue import SHOWN, Request
from git_graph.cli.session import Options, Session
from git_graph.errors import UsageError
from git_graph.query.cue_fit import fit


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.cue.budgets", description=__doc__)
    parser.add_argument("focus")
    parser.add_argument("--most", type=int, default=4000)
    parser.add_argument("--since", default="HEAD~10", help="what delta begins at")
    parser.add_argument("--show", choices=SHOWN, action="append", help="only this view; may be repeated")
    options = parser.parse_args()
    for show in options.show or SHOWN:
        for as_json in (False, True):
            started = time.monotonic()
            held = _held(show, options.focus, options.since, options.most, as_json)
            print(f"{show} {'JSON' if as_json else 'text'}: {held}, {time.monotonic() - started:.0f} s", flush=True)


def _held(show: str, focus: str, since: str, most: int, as_json: bool) -> str:
    session = Session(Options(json=as_json))
    request = Request(session, show, (focus,), None, since if show == "delta" else "HEAD", most)
    answering = session.answering()
    cue = request.cue(answering)
    assert cue is not None
    draw = request.draw(cue, answering)
    refused, least = 0, 0
    for budget in range(1, most + 1):
        try:
            output = fit(cue, draw, budget)
        except UsageError as error:
            stated = int(re.findall(r"\d+", error.hint)[-1])
            assert stated > budget and least in (0, stated), (budget, stated)
            refused, least = refused + 1, stated
            continue
        cost = -(-len(output.encode()) // 4)
        assert cost <= budget, (budget, cost)
        told = json.loads(output)["tokens"] if as_json else int(re.search(r"(\d+) tokens", output).group(1))  # type: ignore[union-attr]
        assert told == cost, (budget, told, cost)
    assert least in (0, refused + 1), (least, refused)
    return f"{most - refused} held, {refused} refused (at least {least})"


if __name__ == "__main__":
    main()
