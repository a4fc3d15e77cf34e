"""What resolving gives: occurrences and groups, and the values that expressions are found to have.

Knows nothing of how they are found.
"""

from __future__ import annotations

from typing import NamedTuple

from git_graph.model import Definition, Resolution


class Occurrence(NamedTuple):
    """Reference `index` of the slice of `path`, and what it was found to be."""

    path: str
    index: int
    resolution: Resolution


class Group(NamedTuple):
    """All definitions that are one symbol: `target` stands for it, `places` are the others."""

    target: Definition
    places: tuple[Definition, ...] = ()
