"""hooks install, uninstall, status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from git_graph import hooks as room
from git_graph.cli.escape import safe, safe_path
from git_graph.cli.groups import Group
from git_graph.cli.options import action
from git_graph.cli.session import Session
from git_graph.hooks import Report
from git_graph.query.envelope import SCHEMA


@click.group(cls=Group, invoke_without_command=True)
@action
def hooks(session: Session) -> None:
    """Install, remove or look at the hooks.

    They bring the graph up to date in the background after a commit, checkout, merge or rebase, and never fail or delay
    a command of git's. Without a further word, shows how they stand.
    """
    if click.get_current_context().invoked_subcommand is None:
        _tell(session, "status", room.status(session.repository))


@hooks.command()
@action
def install(session: Session) -> None:
    """Install the hooks, or bring them up to date.

    They go where git looks for hooks, as a marked block in hooks that are there already. A hook that is not a shell
    script, or that a hook manager writes, is left alone, and what to do instead is told. Safe to run again.
    """
    _tell(session, "install", room.install(session.repository))


@hooks.command()
@action
def uninstall(session: Session) -> None:
    """Remove the hooks; every other hook is as it was before, byte for byte."""
    _tell(session, "uninstall", room.uninstall(session.repository))


@hooks.command()
@action
def status(session: Session) -> None:
    """Show how the hooks stand.

    Also tells when something has removed ours since they were installed.
    """
    _tell(session, "status", room.status(session.repository))


def _tell(session: Session, action: str, report: Report) -> None:
    if session.options.json:
        session.print_json({"schema": SCHEMA, "command": f"hooks {action}"} | document(report))
        return
    session.terminal.show(list(lines(report)))


def document(report: Report) -> dict[str, Any]:
    """The report as a plain object."""
    return {
        "directory": str(report.directory),
        "installed": report.installed,
        "current": report.current,
        "manager": report.manager,
        "advice": report.advice,
        "hooks": [
            {"name": hook.name, "state": hook.state, "done": hook.done, "detail": hook.detail} for hook in report.hooks
        ],
    }


def lines(report: Report) -> Iterator[str]:
    """The report as text."""
    yield f"hooks in {safe_path(str(report.directory))}"
    for hook in report.hooks:
        done = f" ({hook.done})" if hook.done else ""
        detail = f": {safe(hook.detail)}" if hook.detail else ""
        yield f"  {hook.name:<15} {hook.state}{done}{detail}"
    if report.manager:
        yield f"{safe(report.manager)} is in charge of the hooks here"
    if report.advice:
        yield from (safe(line) for line in report.advice.splitlines())
    if report.installed and not report.current:
        yield "they start another version of git-graph: git graph hooks install brings them up to date"
