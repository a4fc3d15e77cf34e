"""A progress bar on standard error: on a terminal only, after half a second only, gone when the work is done."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

from git_graph.cli.terminal import is_terminal

DELAY, INTERVAL, WIDTH = 0.5, 0.1, 30


class Progress:
    """Call it with how much of how much is done; use it as a context so that the bar is taken away."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.wanted = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self.next = time.monotonic() + DELAY
        self.shown = False

    def __call__(self, done: int, total: int, label: str = "") -> None:
        """Show that `done` of `total` are done, if it is time to."""
        if not self.wanted or (now := time.monotonic()) < self.next:
            return
        self.next = now + INTERVAL
        self.shown = True
        share = min(done / total, 1.0) if total else 0.0
        bar = "#" * round(share * WIDTH)
        sys.stderr.write(f"\r{label or self.label} [{bar:<{WIDTH}}] {done:,}/{total:,}\x1b[K")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
