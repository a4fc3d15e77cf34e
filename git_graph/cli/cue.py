"""A cue as text: a first line on what it is a picture of, then sections, their units under their files.

Nothing is coloured, so that what is printed is what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from git_graph.cli.escape import safe, safe_path
from git_graph.query.cue_values import Chosen, Cue, Section, grouped

ABBREVIATED = 10
"""Digits of an id in text."""


def text(cue: Cue, chosen: Chosen, state: Mapping[str, Any], tokens: int) -> str:
    """The whole output."""
    return "".join(f"{line}\n" for line in _lines(cue, chosen, state, tokens))


def _lines(cue: Cue, chosen: Chosen, state: Mapping[str, Any], tokens: int) -> Iterator[str]:
    head = f" of {state['head'][:ABBREVIATED]}" if state["head"] else ""
    place = f"{safe(state['view'])} {state['snapshot'][:ABBREVIATED]}{head}"
    yield f"{cue.kind} {place}, {state['freshness']}, {tokens} tokens"
    for section, some in zip(cue.sections, chosen, strict=True):
        if section.units:
            yield from _section(section, some)
    for note in cue.notes:
        yield f"note: {safe(note)}"


def _section(section: Section, chosen: Any) -> Iterator[str]:
    left = section.total - len(chosen)
    yield f"# {section.title}"
    for path, units in grouped(section, chosen):
        if path:
            yield f"{safe_path(path)}:"
        depths: dict[str, int] = {}
        for unit in units:
            depth = depths.get(unit.around, 0) if unit.around else 0
            depths[unit.name] = depth + 1
            for line in (unit.brief if depth else unit.text).split("\n"):
                yield f"{' ' * (depth + bool(path))}{_printable(line)}"
    if left:
        yield f"({left} more: {safe(section.more)})"


def _printable(line: str) -> str:
    return "\t".join(map(safe, line.split("\t")))
