"""Locks among processes: held by the operating system, so that the dead hold none.

`fcntl` where there is one, because importing the portable `filelock` costs more than a small sync; that one elsewhere.
Lock files are never removed (removing one that somebody waits for would give two holders). Knows nothing of what is
locked.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from git_graph.errors import Locked, NotWritable

try:
    import fcntl
except ImportError:  # not POSIX
    fcntl = None  # type: ignore[assignment]

QUEUE = 10
"""A lock that goes from one holder to the next is waited for so many times as long as for one who keeps it."""

_held: set[FileLock] = set()


class FileLock:
    """An exclusive lock on a file, as a context manager; not reentrant. Held by this process, not by its children."""

    def __init__(self, path: Path, timeout: float, purpose: str = "") -> None:
        """`timeout`: seconds to wait for one holder; `purpose`: what the holder does, for the error."""
        self.path = path
        self._timeout = timeout
        self._purpose = purpose
        self._file: Any = None

    def __enter__(self) -> FileLock:
        began, pause = time.monotonic(), 0.005
        until, last = began + self._timeout, began + self._timeout * QUEUE
        holder = ""
        while not self.acquire():
            if (now := self.holder()) != holder:  # it goes from hand to hand: nobody is stuck
                holder, until = now, time.monotonic() + self._timeout
            if time.monotonic() > min(until, last):
                doing = f" to {self._purpose}" if self._purpose else ""
                raise Locked(
                    f"another git-graph (process {self.holder()}) has held {self.path} for {self._timeout:g} s{doing}",
                    "wait for it, or raise graph.lockTimeout",
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def acquire(self) -> bool:
        """Take the lock if it is free; whether we have it.

        Raises:
            NotWritable: the lock file cannot be made.
        """
        assert self._file is None, f"{self.path} is held already"
        try:
            if fcntl is None:
                return self._acquire_portable()
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise NotWritable(f"cannot write {self.path}: {error.strerror or error}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._file = descriptor
        _held.add(self)
        os.write(descriptor, b"%-10d\n" % os.getpid())
        return True

    def release(self) -> None:
        """Give the lock back; nothing happens if it is not held."""
        if self._file is None:
            return
        if fcntl is None:
            self._file.release()
        else:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            os.close(self._file)
        self._file = None
        _held.discard(self)

    def _acquire_portable(self) -> bool:
        import filelock

        lock = filelock.FileLock(self.path)
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout:
            return False
        self._file = lock
        return True

    def holder(self) -> str:
        """The id of the process that has the lock, or had it last; `unknown` if that cannot be told."""
        try:
            return self.path.read_text().strip() or "unknown"
        except OSError:
            return "unknown"


def _close_in_child() -> None:
    """A forked child shares our descriptors: it must not keep a lock when we are gone."""
    for lock in _held:
        os.close(lock._file)
        lock._file = None
    _held.clear()


if fcntl is not None:
    os.register_at_fork(after_in_child=_close_in_child)
