"""metrics."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from git_graph.cli.escape import safe
from git_graph.cli.metering import LOG
from git_graph.cli.options import action
from git_graph.cli.session import Session

if TYPE_CHECKING:
    from git_graph.upkeep.metrics import Summary


@click.command()
@click.option("--clear", is_flag=True, help="Forget what was noted.")
@action
def metrics(session: Session, clear: bool) -> None:
    """Sum up what commands have cost in this repository.

    Each command notes its name, times and counts, nothing of what was asked, in the git directory: at most a megabyte.
    `git config graph.metrics no` switches that off. --metrics tells the cost of a single command.
    """
    from git_graph.query.envelope import SCHEMA, plain
    from git_graph.upkeep.metrics import clear as forget
    from git_graph.upkeep.metrics import summary

    log = session.repository.graph_dir / LOG
    files = (log.with_name(f"{LOG}.1"), log)
    if clear:
        forget(files)
    found = summary(files)
    if session.options.json:
        session.print_json({"schema": SCHEMA, "command": "metrics", **plain(found)})
        return
    session.terminal.show(list(_lines(found)))
    if found.unreadable:
        session.complain(f"{found.unreadable:,} lines of the log cannot be understood")
    if not found.runs:
        session.complain("nothing is noted" if session.repository.settings.metrics else "graph.metrics is off")


def _lines(found: Summary) -> Iterator[str]:
    if found.since is None:
        return
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(found.since))
    yield f"{found.runs:,} commands since {day}"
    heads = ("command", "runs", "failed", "median ms", "95% ms", "parsed", "git", "tokens, mean")
    yield "{:<14}{:>7}{:>8}{:>11}{:>9}{:>9}{:>8}{:>14}".format(*heads)
    for row in found.rows:
        yield (
            f"{safe(row.command):<14}{row.runs:>7,}{row.failed:>8,}{row.ms:>11,.0f}{row.slow_ms:>9,.0f}{row.parsed:>9,}"
            f"{row.git:>8,}{row.tokens // row.runs:>14,}"
        )
