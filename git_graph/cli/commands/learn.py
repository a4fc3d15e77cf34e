"""help, completion."""

from __future__ import annotations

import click

from git_graph.cli.choice import Choice
from git_graph.cli.completion import SHELLS, script


@click.command()
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def help(context: click.Context, words: tuple[str, ...]) -> None:
    """Show what git graph does, or how to use COMMAND."""
    at = context.find_root()
    for word in words:
        if not isinstance(at.command, click.Group):
            raise click.UsageError(f"{at.command_path} has no command '{word}'", context)
        _, found, _ = at.command.resolve_command(at, [word])
        assert found is not None
        at = click.Context(found, info_name=word, parent=at)
    click.echo(at.get_help())


@click.command()
@click.argument("shell", type=Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for SHELL (bash, zsh, fish).

    For bash and zsh put `eval "$(git-graph completion bash)"` (or zsh) into the shell's start-up file, after git's own
    completion; for fish `git-graph completion fish | source`. Both `git graph` and `git-graph` are completed.
    """
    click.echo(script(shell))
