"""A group of commands that knows what may have been meant."""

from __future__ import annotations

import click


class Group(click.Group):
    """As click's, but an unknown command gets a suggestion."""

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name."""
        if args and not args[0].startswith("-") and self.get_command(context, args[0]) is None:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(context), 2, 0.5)
            help_ = f"see {context.find_root().info_name} help {context.info_name if context.parent else ''}".rstrip()
            hint = f"did you mean {' or '.join(near)}?" if near else help_
            raise click.UsageError(f"'{args[0]}' is no {context.command_path} command; {hint}", context)
        return super().resolve_command(context, args)
