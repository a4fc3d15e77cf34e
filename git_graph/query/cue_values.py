"""What a cue is made of: sections of whole units, best first, and which of them are shown.

A cue is drawn up without regard to any budget; `cue_fit` then chooses how much of each section is shown. Knows nothing
of output.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from git_graph.query.values import NOTHING
from git_graph.records import NamedTuple


class Unit(NamedTuple):
    """A piece that is shown whole or not at all.

    Units of one `path` are shown together (empty: on its own), in the order of `place` where they have one. `fields` is
    what JSON says of it beside the path, `text` what a line of text says (several lines: original text). Where the
    symbol `around` it, as `name` names it, stands above it, `brief` says enough.
    """

    path: str
    place: int
    fields: Mapping[str, Any]
    text: str
    name: str = ""
    around: str = ""
    brief: str = ""


class Section(NamedTuple):
    """Units of one kind, best first.

    `units` may end before all are made, where no budget would show more of them; there are `made_of` then. At least
    `least` of them are always shown. Of what is left over after that it gets `share` parts, in proportion to
    the shares of the others. `more` is the command that shows what is left out.
    """

    name: str
    title: str
    units: tuple[Unit, ...]
    more: str = ""
    least: int = 1
    share: float = 1.0
    made_of: int = 0

    @property
    def total(self) -> int:
        """How many units there are, made or not."""
        return max(self.made_of, len(self.units))


class Cue(NamedTuple):
    """A cue: what it shows (`kind`), what was asked, its sections, and sentences on what was not looked at."""

    kind: str
    query: Mapping[str, Any]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = NOTHING


Chosen = tuple[Collection[int], ...]
"""For each section the indices of the units that are shown."""


def grouped(section: Section, chosen: Collection[int]) -> list[tuple[str, list[Unit]]]:
    """The chosen units by path: paths in the order of their best units, units by their places."""
    groups: dict[str, list[Unit]] = {}
    for index in sorted(chosen):
        unit = section.units[index]
        groups.setdefault(unit.path, []).append(unit)
    return [(path, sorted(units, key=lambda unit: unit.place)) for path, units in groups.items()]


def document(cue: Cue, chosen: Chosen) -> dict[str, Any]:
    """The fields of a cue in JSON; what says which view it is about is added around them."""
    return {
        "show": cue.kind,
        "query": dict(cue.query),
        **cue.facts,
        "sections": [_section(section, some) for section, some in zip(cue.sections, chosen, strict=True)],
        "notes": list(cue.notes),
    }


def _section(section: Section, chosen: Collection[int]) -> dict[str, Any]:
    total, left = section.total, section.total - len(chosen)
    told: dict[str, Any] = {"name": section.name, "total": total, "omitted": left}
    if left:
        told["more"] = section.more
    results: list[Any] = []
    for path, units in grouped(section, chosen):
        rows = [dict(unit.fields) for unit in units]
        results.extend([{"path": path, "items": rows}] if path else rows)
    told["results"] = results
    return told
