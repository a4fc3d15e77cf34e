"""The command tree. A command's module is imported when the command is run, or when all are listed."""

from __future__ import annotations

import importlib

import click

from git_graph.cli.groups import Group
from git_graph.cli.options import root
from git_graph.cli.session import Options

SECTIONS: dict[str, tuple[str, ...]] = {
    "Look up": ("find", "definitions", "references", "outline"),
    "Follow": ("callers", "callees", "impact", "path"),
    "Survey": ("cue", "task", "unused", "top", "deps", "cycles"),
    "Review": ("diff", "log", "check", "delta", "snapshots", "rebaseline"),
    "Keep": ("init", "sync", "status", "views", "hooks", "watch", "gc", "verify", "metrics"),
    "Share": ("push", "fetch", "export"),
    "Agents": ("agents", "mcp"),
    "Learn": ("help", "completion"),
}
"""The commands as they are listed."""

_MODULES = {
    "find": "lookup", "definitions": "lookup", "references": "lookup", "outline": "lookup",
    "callers": "follow", "callees": "follow", "impact": "follow", "path": "follow",
    "cue": "cue", "task": "task", "unused": "survey", "top": "survey", "deps": "survey", "cycles": "survey",
    "diff": "review", "log": "log", "check": "check",
    "delta": "snapshots", "snapshots": "snapshots", "rebaseline": "snapshots",
    "init": "keep", "sync": "keep", "status": "keep", "views": "fleet", "watch": "fleet",
    "gc": "upkeep", "verify": "upkeep", "metrics": "metrics",
    "push": "share", "fetch": "share", "export": "export", "agents": "agents", "mcp": "agents",
    "hooks": "hooks", "help": "learn", "completion": "learn",
}  # fmt: skip


class Commands(Group):
    """A group whose commands are found by name in `commands/`."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Every command, as listed."""
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of a name."""
        module = _MODULES.get(name)
        if module is None:
            return None
        found = importlib.import_module(f"git_graph.cli.commands.{module}")
        command: click.Command = getattr(found, name)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section."""
        for section, names in SECTIONS.items():
            rows = []
            for name in names:
                command = self.get_command(context, name)
                if command is not None:
                    rows.append((name, command.get_short_help_str(90)))
            with formatter.section(section):
                formatter.write_dl(rows)


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from git_graph import __version__

        click.echo(f"git-graph version {__version__}")
        context.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="[-C DIR] [--json]",
    subcommand_metavar="COMMAND [ARGUMENTS]",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
@root
def cli(context: click.Context, options: Options) -> int:
    """Who defines what, who refers to it, and what breaks when it changes.

    Answers are about the files in front of you, uncommitted changes included: every question first
    brings the graph to the tree. A SYMBOL is a name (slugify), a qualified name (Session.get), or a
    place (src/app.py:120).
    """
    context.obj = options
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    return 0
