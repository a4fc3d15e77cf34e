"""References that stand in the body of a macro, found again where the macro is used.

What a macro's body names is used wherever the macro is: a compiler sees the call there, and so does a language server.
The places in the bodies stay references of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from git_graph.model import CALL, KIND, Definition, Resolution
from git_graph.resolve.values import Occurrence

if TYPE_CHECKING:
    from git_graph.resolve.world import World

MAX_DEPTH = 8
"""Macros inside macros are followed this far."""
MAX_FOUND = 50_000
"""No more places than this are added."""
_MACRO = KIND["macro"]

Direct = Callable[[frozenset[Definition]], Iterator[Occurrence]]


def expanded(world: World, direct: list[Occurrence], find: Direct) -> Iterator[Occurrence]:
    """The occurrences `direct` and those that they lead to through macros, sorted; `find` gives those of a symbol."""
    found = {(o.path, o.index): o for o in direct}
    queue = [(macro, o.resolution, 0) for o in direct if (macro := _around(world, o)) is not None]
    seen: set[tuple[Definition, Definition]] = set()
    while queue and len(found) < MAX_FOUND:
        macro, resolution, depth = queue.pop(0)
        target = resolution.target
        if target is None or (macro, target) in seen or depth > MAX_DEPTH or macro == target:
            continue
        seen.add((macro, target))
        name = world.at(macro).name_of(macro.index)
        outcome = _weaker(resolution.outcome, several=bool(world.groups.of(macro).places))
        through = Resolution(outcome, target, rule=f"in the body of the macro {name}, which is used here")
        for use in find(frozenset((macro,))):
            if use.resolution.target != macro or not _expands(world, use):
                continue
            here = through._replace(outcome=_weaker(outcome, several=use.resolution.outcome != "exact"))
            found.setdefault((use.path, use.index), Occurrence(use.path, use.index, here))
            if (outer := _around(world, use._replace(resolution=through))) is not None:
                queue.append((outer, through, depth + 1))
    return iter(found[key] for key in sorted(found))


def _weaker(outcome: str, *, several: bool) -> str:
    """What is exact is inferred through a macro that several bodies define, or that is itself not exactly that one."""
    return "inferred" if several and outcome == "exact" else outcome


def _around(world: World, occurrence: Occurrence) -> Definition | None:
    """The macro in whose body an attributed reference stands, if it is one of something that is no macro itself."""
    file, target = world.file(occurrence.path), occurrence.resolution.target
    if file is None or target is None or world.at(target).slice.symbols.kind[target.index] == _MACRO:
        return None
    symbol = file.slice.references.symbol[occurrence.index]
    if file.slice.symbols.kind[symbol] != _MACRO:
        return None
    return world.groups.target(Definition(occurrence.path, symbol))


def _expands(world: World, use: Occurrence) -> bool:
    """Whether the use of a macro is an expansion, not a question whether it is defined."""
    file = world.file(use.path)
    if file is None:
        return False
    r = file.slice.references
    return r.symbol[use.index] != 0 or r.role[use.index] == CALL
