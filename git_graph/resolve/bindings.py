"""Which bindings of a local hold at a line, by the language's rules of flow. Knows nothing of what values are."""

from __future__ import annotations

from git_graph.model import LOCAL, NARROW, TYPE_PARAMETER
from git_graph.resolve.files import File

TYPE_PARAMETERS = frozenset((TYPE_PARAMETER,))


def chosen(file: File, rows: list[int], line: int, *, nested: bool) -> list[int] | None:
    """The bindings that hold at a line, best first; None if none reaches it."""
    b, policy = file.slice.bindings, file.policy
    covering = [i for i in rows if b.line[i] <= line <= b.end_line[i]]
    if narrowed := _narrowed(file, covering, line):
        return narrowed
    covering = [i for i in covering if b.kind[i] != NARROW]
    if policy.block_scoped:
        if not covering:
            return None
        innermost = max(b.line[i] for i in covering)
        return [i for i in covering if b.line[i] == innermost] if not nested else covering
    flowing = [i for i in rows if b.kind[i] == LOCAL]
    if not covering and not flowing:
        return None
    held = [i for i in covering if b.kind[i] != LOCAL]
    if nested and flowing:
        return [*held, *flowing]
    return _flowed(file, held, flowing, line)


def _narrowed(file: File, covering: list[int], line: int) -> list[int]:
    """The guards that hold at a line, unless the name was assigned since."""
    b = file.slice.bindings
    narrows = [i for i in covering if b.kind[i] == NARROW]
    if not narrows:
        return []
    last = max(b.line[i] for i in narrows)
    if any(last < b.line[i] < line for i in covering if b.kind[i] == LOCAL):
        return []
    return [i for i in narrows if b.line[i] == last]


def _flowed(file: File, held: list[int], flowing: list[int], line: int) -> list[int]:
    """What was assigned before a line and still holds; `held` are parameters, of the function or of what is in it.

    An assignment in a branch that has ended may have run or not: what was there before may hold as well.
    """
    b = file.slice.bindings
    since = max((b.line[i] for i in held), default=0)
    innermost = [i for i in held if b.line[i] == since]
    found: list[int] = []
    for i in sorted((i for i in flowing if b.line[i] < line), key=lambda i: (-b.line[i], i)):
        if b.line[i] < since or (found and _certain(file, found[-1], line) and b.line[i] < b.line[found[-1]]):
            break
        found.append(i)
    if found and _certain(file, found[-1], line):
        return found
    return [*found, *innermost] or [i for i in flowing if b.line[i] == line] or flowing


def _certain(file: File, row: int, line: int) -> bool:
    """Whether the block of an assignment has not ended at a line."""
    return file.slice.bindings.end_line[row] >= line
