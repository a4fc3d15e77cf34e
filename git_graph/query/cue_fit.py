"""As much of a cue as goes into a budget, in whole units.

Every section shows its minimum; the rest is filled in one order: the units of the sections in turn, each section in
proportion to its share. The cost is that of the finished output, measured, the estimate in it included.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable

from git_graph.errors import UsageError
from git_graph.query.cue_values import Chosen, Cue

BYTES = 4
"""So many bytes of UTF-8 are taken for a token."""
TRIED = 6
"""So many units beyond the first that does not fit are tried one by one: smaller ones may."""

SHORT = 12
"""A section of more units than this is never shorter to say whole."""

Draw = Callable[[Chosen, int], str]
"""Draws a cue with some of its units and an estimate of its tokens: the output as it will be printed."""


def tokens(output: str) -> int:
    """The estimate for an output: a quarter of its bytes, rounded up."""
    return -(-len(output.encode("utf-8", "surrogateescape")) // BYTES)


def drawn(draw: Draw, chosen: Chosen) -> tuple[str, int]:
    """An output that tells its own estimate, and the estimate."""
    told = 0
    while True:
        output = draw(chosen, told)
        cost = tokens(output)
        if cost == told:
            return output, told
        told = cost


def fit(cue: Cue, draw: Draw, budget: int) -> str:
    """The output of as much of a cue as the budget (tokens; 0: no end) holds.

    Raises:
        UsageError: not even the minimum fits; the message states what would.
    """
    if not budget:
        return drawn(draw, tuple(range(len(section.units)) for section in cue.sections))[0]
    least = _least(cue, draw)
    order = _order(cue, least)

    def taken(count: int) -> Chosen:
        chosen = [set(range(number)) for number in least]
        for section, unit in order[:count]:
            chosen[section].add(unit)
        return tuple(chosen)

    output, floor = drawn(draw, taken(0))
    if floor > budget:
        raise UsageError(
            f"{budget} tokens are too few for this cue", f"it takes at least {floor}: --max-tokens {floor}"
        )
    sizes = _sizes(cue, order)
    low, high, bytes_each = 0, len(order) + 1, 1.0  # the first fits, the second does not
    while high - low > 1:
        room = (budget - floor) * BYTES / bytes_each
        middle = min(max(bisect(sizes, room) - 1, low + 1), high - 1)
        found, cost = drawn(draw, taken(middle))
        if cost <= budget:
            low, output = middle, found
        else:
            high = middle
        bytes_each = max((cost - floor) * BYTES / sizes[middle], 0.01)
    return output if low == len(order) else _filled(draw, taken(low), order[low:], budget, output)


def _sizes(cue: Cue, order: list[tuple[int, int]]) -> list[int]:
    """About how many bytes so many of the units take: where to look first."""
    sizes = [0]
    for section, unit in order:
        sizes.append(sizes[-1] + len(cue.sections[section].units[unit].text) + 2)
    return sizes


def _least(cue: Cue, draw: Draw) -> list[int]:
    """How many units of each section are shown in any case: its minimum, or all where that is shorter to say."""
    least = [min(section.least, len(section.units)) for section in cue.sections]
    for number, section in enumerate(cue.sections):
        if section.total > SHORT:
            continue
        counts = [*least[:number], len(section.units), *least[number + 1 :]]
        some, every = (draw(tuple(range(count) for count in shown), 0) for shown in (least, counts))
        if len(every.encode("utf-8", "surrogateescape")) <= len(some.encode("utf-8", "surrogateescape")):
            least = counts
    return least


def _filled(draw: Draw, chosen: Chosen, order: list[tuple[int, int]], budget: int, output: str) -> str:
    """The output with units that still fit though one before them did not."""
    sets = [set(some) for some in chosen]
    for section, unit in order[1 : TRIED + 1]:
        sets[section].add(unit)
        found, cost = drawn(draw, tuple(sets))
        if cost <= budget:
            output = found
        else:
            sets[section].discard(unit)
    return output


def _order(cue: Cue, least: list[int]) -> list[tuple[int, int]]:
    """(section, unit) beyond the minimum, in the order in which they are taken."""
    rows = []
    for number, section in enumerate(cue.sections):
        for place, unit in enumerate(range(least[number], len(section.units)), 1):
            rows.append((place / section.share, number, unit))
    return [(section, unit) for _, section, unit in sorted(rows)]
