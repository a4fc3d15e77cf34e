"""An option's value out of several: what is none of them is answered with what may have been meant, in a short line."""

from __future__ import annotations

from typing import Any

import click

LISTED = 10
"""So many values are named in a message."""


class Choice(click.Choice[str]):
    """As click's, but with a suggestion instead of a long list."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The value, if it is one of the choices; otherwise usage is wrong."""
        if value in self.choices:
            return str(value)
        from difflib import get_close_matches

        values = list(self.choices)
        near = get_close_matches(str(value), values, 2, 0.5)
        more = len(values) - LISTED
        listed = ", ".join(values[:LISTED]) + (f" and {more} more" if more > 0 else "")
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {listed}"
        self.fail(f"there is no '{value}'; {hint}", param, ctx)
