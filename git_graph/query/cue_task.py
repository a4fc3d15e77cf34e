"""What a task's contract says has to be read, in the original text, and then what is worth reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from git_graph.query.cue_values import Cue, Section, Unit
from git_graph.query.task_pins import CURRENT, GONE, Contents, Found, find
from git_graph.query.tasks import Entry, Task
from git_graph.resolve import Resolver

TASK = "task"


def task_cue(resolver: Resolver, task: Task, contents: Contents, query: Mapping[str, Any]) -> Cue:
    """The whole required part, pins that no longer hold, and optional units.

    The required part and what is said of stale pins is never cut: a budget that does not hold them is an error.
    """
    required, optional = _found(resolver, contents, task.required), _found(resolver, contents, task.optional)
    stale = tuple(_stale(found) for found in (*required, *optional) if found.state != CURRENT)
    needed, extra = _units(required), _units(optional)
    sections = (
        Section("stale", "stale: pinned otherwise", stale, least=len(stale)),
        Section("required", "required", needed, least=len(needed)),
        Section("optional", "optional", extra, least=0),
    )
    return Cue(TASK, query, sections, facts={"task": task.name, "description": task.description})


def states(resolver: Resolver, task: Task, contents: Contents) -> list[Found]:
    """What every entry of a task is now."""
    return _found(resolver, contents, (*task.required, *task.optional))


def _found(resolver: Resolver, contents: Contents, entries: Iterable[Entry]) -> list[Found]:
    return [found for entry in entries for found in find(resolver, contents, entry)]


def _units(found: Iterable[Found]) -> tuple[Unit, ...]:
    return tuple(_unit(one) for one in found if one.state != GONE)


def _unit(found: Found) -> Unit:
    entry = found.entry
    fields: dict[str, Any] = {"path": found.path, "lines": list(found.lines), "state": found.state}
    named = {"content": entry.content, "symbol": found.symbol, "note": entry.note}
    fields |= {key: value for key, value in named.items() if value}
    fields["text"] = found.text
    told = "" if found.state == CURRENT else f" ({found.state})"
    note = f" {entry.note}" if entry.note else ""
    head = f"== {found.path}:{place(found.lines)}{told}{note}"
    return Unit("", 0, fields, f"{' '.join(head.split())}\n{found.text}")


def _stale(found: Found) -> Unit:
    fields: dict[str, Any] = {"pin": pinned(found.entry), "state": found.state, "said": found.said}
    if found.path:
        fields |= {"path": found.path, "lines": list(found.lines)}
    return Unit("", 0, fields, f"{pinned(found.entry)}: {found.state}: {found.said}")


def pinned(entry: Entry) -> str:
    """An entry as sentences name it."""
    if not entry.path:
        return entry.symbol
    return f"{entry.path}:{place(entry.lines)}" if entry.lines else entry.path


def place(lines: tuple[int, int]) -> str:
    """Lines as they are written behind a path."""
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"
