"""help, completion."""

from __future__ import annotations

import click

from git_graph.cli.completion import SHELLS, script


@click.command()
@click.argument("command", required=False)
@click.pass_context
def help(context: click.Context, command: str | None) -> None:
    """Show what git graph does, or how to use COMMAND."""
    root = context.find_root()
    if command is None:
        click.echo(root.get_help())
        return
    assert isinstance(root.command, click.Group)
    _, found, _ = root.command.resolve_command(root, [command])
    assert found is not None
    click.echo(found.get_help(click.Context(found, info_name=command, parent=root)))


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for SHELL (bash, zsh, fish).

    For bash and zsh put `eval "$(git-graph completion bash)"` (or zsh) into the shell's start-up file, after git's own
    completion; for fish `git-graph completion fish | source`. Both `git graph` and `git-graph` are completed.
    """
    click.echo(script(shell))
