"""agents, mcp."""

from __future__ import annotations

from pathlib import Path

import click

from git_graph.cli.options import go_to


@click.command()
def agents() -> None:
    """Print a short instruction file for coding agents.

    Put it where yours look: git graph agents >> AGENTS.md
    """
    from git_graph.cli import asking

    click.echo(Path(asking.__file__).with_name("agents.md").read_text(encoding="utf-8"), nl=False)


@click.command()
@click.option(
    "-C", "directories", metavar="DIR", multiple=True, expose_value=False, is_eager=True, callback=go_to,
    help="Run as if started in DIR.",
)  # fmt: skip
@click.option(
    "--allow", "allowed", metavar="DIR", multiple=True, type=click.Path(),
    help="Also answer about DIR's repository, and those below DIR; may be repeated.",
)  # fmt: skip
def mcp(allowed: tuple[str, ...]) -> None:
    """Serve the questions to agents over the Model Context Protocol.

    Speaks on standard input and output, so an agent's configuration names `git-graph mcp` as a command
    (docs/agents.md). Each call answers about the worktree it names, by default the server's directory; only worktrees
    of the repository that it was started in are answered about, unless --allow names others. Needs the extra mcp.
    """
    from git_graph.errors import UsageError

    places = [Path(directory).absolute() for directory in allowed]
    for place in places:
        if not place.is_dir():
            raise UsageError(f"there is no directory {place}", "name one after --allow")
    try:
        from git_graph.cli.mcp.server import serve
    except ModuleNotFoundError as error:
        raise UsageError("git graph mcp needs the package mcp", "pip install 'git-code-graph[mcp]'") from error
    serve(places)
