"""Children and pipes that carry messages, under the names that `multiprocessing` gives them.

Where children are forked (Linux) that takes two system calls, and importing `multiprocessing` takes 20 ms of what one
edited file costs; everywhere else it is what there is. Knows nothing of what is sent.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

FORKS = sys.platform == "linux"
_LENGTH = 8
"""Bytes of a message's length, which stands before it."""
_CHUNK = 1 << 20


class Channel(Protocol):
    """One end of a pipe, as `multiprocessing.connection.Connection` has it."""

    def fileno(self) -> int:
        """Its file descriptor."""

    def send_bytes(self, buf: bytes) -> None:
        """Send a message. Raises OSError if nobody will read it."""

    def recv_bytes(self) -> bytes:
        """The next message. Raises EOFError if there will be none."""

    def close(self) -> None:
        """Close it."""


class Process(Protocol):
    """A child, as `multiprocessing.Process` has it."""

    @property
    def pid(self) -> int | None:
        """Its process id."""

    def kill(self) -> None:
        """End it, whatever it is doing."""

    def join(self) -> None:
        """Wait for its end."""


def pipe() -> tuple[Channel, Channel]:
    """(the end that receives, the end that sends)"""
    if FORKS:
        receiving, sending = os.pipe()
        return _End(receiving), _End(sending)
    import multiprocessing

    return multiprocessing.Pipe(duplex=False)


def start(run: Callable[..., None], *args: Any) -> Process:
    """Run a function in a child, which shares no memory with us and does not outlive its pipes' other ends by much."""
    if FORKS:
        return _Forked(run, args)
    import multiprocessing

    child = multiprocessing.get_context("spawn").Process(target=run, args=args, daemon=True)
    child.start()
    return child


def wait(channels: Sequence[Channel], timeout: float) -> list[Channel]:
    """Those of the channels that have a message or are at their end; none if none has within `timeout` seconds."""
    if FORKS:
        poll = select.poll()
        of = {channel.fileno(): channel for channel in channels}
        for number in of:
            poll.register(number, select.POLLIN)
        return [of[number] for number, _ in poll.poll(timeout * 1000)]
    from multiprocessing import connection

    theirs: Any = channels
    ready: list[Any] = connection.wait(theirs, timeout)
    return ready


class _End:
    def __init__(self, number: int) -> None:
        self._number = number

    def fileno(self) -> int:
        return self._number

    def send_bytes(self, buf: bytes) -> None:
        left = memoryview(len(buf).to_bytes(_LENGTH, "big") + buf)
        while left:
            left = left[os.write(self._number, left) :]

    def recv_bytes(self) -> bytes:
        return self._read(int.from_bytes(self._read(_LENGTH), "big"))

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._number, min(size, _CHUNK))
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        os.close(self._number)


class _Forked:
    def __init__(self, run: Callable[..., None], args: Sequence[Any]) -> None:
        self._pid: int | None = os.fork()
        if not self._pid:
            try:
                run(*args)
            finally:
                os._exit(1)  # nothing that the parent was about to do, or to print, is done here, whatever was raised

    @property
    def pid(self) -> int | None:
        return self._pid

    def kill(self) -> None:
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)  # not waited for yet, so the number is still its own

    def join(self) -> None:
        if self._pid is not None:
            with suppress(ChildProcessError):  # whoever embeds us waits for every child
                os.waitpid(self._pid, 0)
            self._pid = None
