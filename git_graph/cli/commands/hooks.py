"""hooks install, uninstall, status."""

from __future__ import annotations

import click


@click.group()
def hooks() -> None:
    """Install, remove or look at the hooks that keep the graph fresh."""
