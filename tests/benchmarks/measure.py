"""Measuring: whole processes, alternating with their floors so that a slow moment of the machine hits both."""

from __future__ import annotations

import os
import shlex
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.corpus import ENVIRONMENT

GRAPH = shlex.split(os.environ.get("GIT_GRAPH", str(Path(sys.executable).parent / "git-graph")))
PYTHON = os.environ.get("GIT_GRAPH_PYTHON", sys.executable)
"""The Python that has the git-graph which is measured."""


def graph(where: Path, *arguments: str) -> str:
    """Run git-graph; what it printed."""
    done = subprocess.run([*GRAPH, *arguments], cwd=where, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"git-graph {' '.join(arguments)} exited {done.returncode}: {done.stderr}")
    return done.stdout


def seconds(action: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def process(where: Path, argv: Sequence[str]) -> Callable[[], object]:
    """An action that runs a whole process and throws its output away."""
    return lambda: subprocess.run(
        argv, cwd=where, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def alternate(floor: Callable[[], object], subject: Callable[[], object], times: int = 9) -> tuple[float, float]:
    """Median seconds of the floor and of the subject, run in turn."""
    floor(), subject()
    pairs = [(seconds(floor), seconds(subject)) for _ in range(times)]
    return statistics.median(f for f, _ in pairs), statistics.median(s for _, s in pairs)


class PeakMemory:
    """The largest resident size of any single process below this one while the block runs (Linux)."""

    def __enter__(self) -> PeakMemory:
        self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.05):
            self.peak = max([self.peak, *map(_high_water, _below(os.getpid()))])


def _below(pid: int) -> list[int]:
    found = []
    for task in _listed(f"/proc/{pid}/task"):
        try:
            children = Path(f"/proc/{pid}/task/{task}/children").read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            found += [child, *_below(child)]
    return found


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _high_water(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
