"""What becomes of what a command printed: an answer of bounded size, or an error that says what there is.

Whole results only. What is left out is counted, list by list, under `left_out`. Knows nothing of the protocol.
"""

from __future__ import annotations

import json
from typing import Any

from git_graph.cli.mcp.tools import LEAST_BYTES, MAX_BYTES
from git_graph.errors import GraphError, UsageError
from git_graph.records import NamedTuple

ANSWERS = {"check": 1, "find": 1}
"""Command -> a status that goes with an answer as well: there are findings, or there is no such name."""
MOST_SAID = 4_000
"""How long an error is at most, in characters."""
_ADVICE = "ask for less (path, kind, limit), or allow more with " + MAX_BYTES


class Ended(NamedTuple):
    """A command that has ended: its status and what it printed."""

    status: int
    output: str
    errors: str


class Reply(NamedTuple):
    """What a client is told."""

    text: str
    is_error: bool = False


def reply(command: str, ended: Ended, *, text: bool, most: int, view: str | None = None) -> Reply:
    """What a client is told of a command that has ended.

    `text`: it was not asked for JSON. `view`: the only one that the answer may be about, if the call leaves no choice.
    """
    if text:
        if ended.status:
            return failed(_complaint(ended), None)
        return _strayed(view, ended.output.split(maxsplit=2)[1]) or Reply(ended.output)
    try:
        document = json.loads(ended.output)
    except ValueError:
        return failed(_complaint(ended), None)
    if "error" in document:
        return failed(document["error"]["message"], document["error"]["hint"])
    if ended.status not in (0, ANSWERS.get(command)):
        return _missing(document) if "missing" in document else failed(_complaint(ended), None)
    if strayed := _strayed(view, document.get("view")):
        return strayed
    try:
        return Reply(fit(brief(document), most))
    except GraphError as error:
        return failed(error.message, error.hint)


def failed(message: str, hint: str | None) -> Reply:
    """An error in a client's words; not all of them if they are many (it may repeat what was asked)."""
    told = f"{message}; {hint}" if hint else message
    return Reply(told if len(told) <= MOST_SAID else f"{told[:MOST_SAID]} ...", True)


def _strayed(expected: str | None, view: str | None) -> Reply | None:
    """The error in place of an answer about another worktree than that of the directory that was asked about."""
    if expected is None or view is None or view == expected or view.startswith("revisions/"):
        return None
    return failed(f"the directory was in view {expected} and is in view {view} now", "ask again")


def brief(document: dict[str, Any]) -> dict[str, Any]:
    """An answer without what is empty in its entries, and with symbols inside of entries told by name and place."""
    return {
        key: [_brief(entry) for entry in value] if isinstance(value, list) else value for key, value in document.items()
    }


def _brief(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {key: short for key, value in entry.items() if (short := _inner(value)) not in _EMPTY}


def _inner(value: Any) -> Any:
    if isinstance(value, list):
        return [_inner(one) for one in value]
    if isinstance(value, dict):
        return {key: value[key] for key in _PLACE} if value.keys() >= _PLACE else _brief(value)
    return value


_PLACE = {"qualified": 0, "kind": 0, "path": 0, "line": 0}.keys()
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def fit(document: dict[str, Any], most: int) -> str:
    """An answer in at most `most` bytes: whole entries are taken off the end of its largest lists.

    Raises:
        UsageError: what is left without any entry is larger still; says how much it needs.
    """
    whole = _text(document)
    if len(whole) <= most:
        return whole
    lists = {key: value for key, value in document.items() if isinstance(value, list) and value}
    sizes = {key: [len(_text(entry)) + 1 for entry in value] for key, value in lists.items()}
    kept = {key: len(value) for key, value in lists.items()}
    totals = {key: sum(own) for key, own in sizes.items()}
    least = len(_text(_cut(document, lists, dict.fromkeys(lists, 0)))) + len(str(kept))
    while sum(totals.values()) > most - least:
        largest = max(totals, key=lambda key: totals[key], default="")
        if not kept.get(largest):
            needed = f"{MAX_BYTES} has to be {max(least, LEAST_BYTES)} at least"
            raise UsageError(f"this answer cannot be told in {most} bytes", needed)
        kept[largest] -= 1
        totals[largest] -= sizes[largest][kept[largest]]
    return _text(_cut(document, lists, kept))


def _cut(document: dict[str, Any], lists: dict[str, list[Any]], kept: dict[str, int]) -> dict[str, Any]:
    """The document with so many entries of each list."""
    left_out = {key: len(value) - kept[key] for key, value in lists.items() if kept[key] < len(value)}
    cut = {key: lists[key][: kept[key]] if key in kept else value for key, value in document.items()}
    if "results" in left_out and "truncated" in cut:
        cut["truncated"] = True
    return {**cut, "left_out": {**left_out, "advice": _ADVICE}} if left_out else cut


def _text(value: Any) -> str:
    """As compact JSON, ASCII alone: so its length is that of its bytes."""
    return json.dumps(value, separators=(",", ":"))


def _missing(document: dict[str, Any]) -> Reply:
    view, what = document.get("view"), document["missing"]
    near = document.get("near") or []
    hint = f"there are {', '.join(near)}" if near else "find PATTERN lists names, outline PATH what a file defines"
    return failed(f"view {view} has no '{what}'", hint)


def _complaint(ended: Ended) -> str:
    lines = [line for line in ended.errors.splitlines() if line.strip()]
    said = "; ".join(line.removeprefix("fatal: ").removeprefix("error: ") for line in lines)
    return said or f"the command ended with status {ended.status} and said nothing"
