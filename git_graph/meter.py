"""What the running command costs: how its time is spent, and counts of what it does.

A process runs one command, so there is one meter. Counting costs a dictionary lookup; nothing is printed or kept here.
"""

from __future__ import annotations

import time
from contextlib import ContextDecorator
from types import TracebackType

STARTING = "starting"
"""The phase before any other: Python itself, imports, reading the command line."""
OTHER = "other"

command = ""
"""The command that is run, once that is known."""
counts: dict[str, int] = {}
"""git: processes of git that were started; files, bytes: contents that were read; parsed: files; reused: files whose
slice was known; output: bytes on standard output."""

_before = time.process_time()
"""Seconds of processor time before this was imported; nearly all of them were not spent waiting."""
_began = time.perf_counter()
_spent: dict[str, float] = {STARTING: _before}
_open = [STARTING]
_since = _began


def count(name: str, number: int = 1) -> None:
    """Count something."""
    counts[name] = counts.get(name, 0) + number


def phases() -> dict[str, float]:
    """Phase -> seconds spent in it, phases inside of it aside."""
    _switch()
    return dict(_spent)


def seconds() -> float:
    """How long the command has taken."""
    return _before + time.perf_counter() - _began


def processor() -> float:
    """Processor time of this process so far, in seconds."""
    return time.process_time()


class phase(ContextDecorator):  # noqa: N801 (used as a statement)
    """Time spent in the block, or in the function, is that of a phase; of one within another, the inner one's."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        _switch()
        if _open == [STARTING]:
            _open[0] = OTHER
        _open.append(self._name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _switch()
        _open.pop()


def _switch() -> None:
    """Give the time since the last switch to the phase that it was spent in."""
    global _since
    now = time.perf_counter()
    _spent[_open[-1]] = _spent.get(_open[-1], 0.0) + now - _since
    _since = now
