"""Summing up the local log of what commands have cost: `git graph metrics`.

The log holds names of commands and numbers, no symbol, path or argument. It never leaves the repository's git
directory, and is bounded: the newest half to whole of a megabyte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from git_graph.records import NamedTuple


class Row(NamedTuple):
    """What runs of one command have cost: times in milliseconds, of the middle run and of the slowest but 5 %."""

    command: str
    runs: int
    failed: int
    ms: float
    slow_ms: float
    parsed: int
    reused: int
    git: int
    output: int
    tokens: int


class Summary(NamedTuple):
    """All rows, most time in all first; `since` is when the oldest line was written (seconds since 1970)."""

    rows: tuple[Row, ...]
    since: int | None
    runs: int
    unreadable: int


def summary(files: Sequence[Path]) -> Summary:
    """Sum up logs; lines that cannot be understood are counted and left out."""
    runs: dict[str, list[dict[str, Any]]] = {}
    unreadable, since = 0, None
    for line in _lines(files):
        entry = _entry(line)
        if entry is None:
            unreadable += 1
            continue
        runs.setdefault(entry["command"], []).append(entry)
        since = entry["at"] if since is None else min(since, entry["at"])
    rows = sorted((_row(command, entries) for command, entries in runs.items()), key=lambda row: -row.ms * row.runs)
    return Summary(tuple(rows), since, sum(map(len, runs.values())), unreadable)


def clear(files: Sequence[Path]) -> None:
    """Remove the logs. Raises OSError."""
    for file in files:
        file.unlink(missing_ok=True)


_NUMBERS = ("at", "status", "ms", "parsed", "reused", "git", "output", "tokens")


def _lines(files: Sequence[Path]) -> Iterator[bytes]:
    for file in files:
        with suppress(OSError):
            yield from filter(None, file.read_bytes().split(b"\n"))


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
        sound = type(entry["command"]) is str and all(type(entry[key]) in (int, float) for key in _NUMBERS)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return entry if sound else None


def _row(command: str, entries: list[dict[str, Any]]) -> Row:
    times = sorted(entry["ms"] for entry in entries)
    totals = {key: sum(int(entry[key]) for entry in entries) for key in ("parsed", "reused", "git", "output", "tokens")}
    failed = sum(entry["status"] not in (0, 1) for entry in entries)
    slow = times[min(len(times) - 1, int(len(times) * 0.95))]
    return Row(command, len(entries), failed, times[len(times) // 2], slow, **totals)
