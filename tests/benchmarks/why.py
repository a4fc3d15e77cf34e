"""Where the time or the room of a missed budget goes: short profiles, taken when a row is missed and printed below it.

Profiles slow down what they measure, Python's calls most of all: they tell shares, not times.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import re
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgpack

from tests.benchmarks.corpus import ENVIRONMENT, git

SHOWN = 8
"""So many shares are told of a profile."""
_PACKAGE = f"{os.sep}git_graph{os.sep}"
_WAITING = re.compile(r"[' .](wait|poll|select|read|acquire|flock|waitpid|fork_exec|write|recv|sleep)['>]")
"""Built-in functions that wait for another process or for the disk."""


_PROFILED = """
import cProfile, os, sys

profile, leave, mine = cProfile.Profile(), os._exit, os.getpid()


def write_and_leave(status):
    if os.getpid() == mine:  # not a worker
        profile.disable()
        profile.dump_stats(file)
    leave(status)


os._exit = write_and_leave  # a command ends so, and not as cProfile expects it
file = sys.argv.pop(1)
sys.argv[0] = "git-graph"
profile.enable()
from git_graph.cli.main import main

try:
    main()
finally:
    write_and_leave(0)
"""


def command(root: Path, *arguments: str) -> Iterator[str]:
    """The own time of one git-graph command by room, its imports and its waiting for other processes apart."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        subprocess.run(
            [sys.executable, "-c", _PROFILED, str(file), *arguments],
            cwd=root, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        if file.exists():
            yield shares(f"profile of {' '.join(arguments)}", by_room(pstats.Stats(str(file))))


def extraction(root: Path, pattern: str = "*.py", files: int = 300) -> Iterator[str]:
    """A worker's time on some files: parsing, walking, encoding; then the walk by function."""
    from git_graph import codec
    from git_graph.extract.extractor import extract, parser

    names = git(root, "ls-files", pattern).decode().splitlines()
    sources = [(root / name).read_bytes() for name in names[:: max(1, len(names) // files)]]
    spent: Counter[str] = Counter()
    parse = parser("python").parse
    for source in sources:
        spent["parse"] += _spent(lambda source=source: parse(source))
        slice_, took = _timed(lambda source=source: extract("python", source, "0" * 40))
        spent["parse, walk and columns"] += took
        spent["encode"] += _spent(lambda slice_=slice_: codec.encode(slice_))
    parts = ", ".join(f"{name} {took / spent['parse']:.2f}" for name, took in spent.items())
    yield f"one worker, {len(sources)} files, in units of the parse: {parts}"
    profile = cProfile.Profile()
    profile.enable()
    for source in sources:
        extract("python", source, "0" * 40)
    profile.disable()
    yield shares("profile of extraction", by_function(pstats.Stats(profile)))


def slices(root: Path, pattern: str = "*.py", files: int = 300) -> Iterator[str]:
    """What each section of slices takes: how much smaller they compress without it."""
    from git_graph import codec
    from git_graph.extract.extractor import extract

    names = git(root, "ls-files", pattern).decode().splitlines()
    documents = [
        msgpack.unpackb(codec.encode(extract("python", (root / name).read_bytes())), unicode_errors="surrogateescape")
        for name in names[:: max(1, len(names) // files)]
    ]
    whole = _compressed(documents)
    sections = {"strings": 4, "expressions": 5, "symbols": 6, "references": 7, "imports": 8, "bindings": 9}
    without = {
        name: whole - _compressed([*d[:at], [], *d[at + 1 :]] for d in documents) for name, at in sections.items()
    }
    yield shares(f"{len(documents)} slices compressed one by one", Counter(without), whole)


def commits(root: Path) -> Iterator[str]:
    """What the shell alone takes that git has to start for a hook."""
    hook = root / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    commit = ["git", "commit", "-q", "--allow-empty", "-m", "empty"]
    plain, empty = [], []
    for _ in range(9):
        plain.append(_spent(lambda: git(root, *commit[1:])))
        hook.write_text("#!/bin/sh\n:\n")
        hook.chmod(0o755)
        empty.append(_spent(lambda: git(root, *commit[1:])))
        hook.unlink()
    more = (sorted(empty)[4] - sorted(plain)[4]) * 1000
    yield f"a hook that does nothing (`#!/bin/sh`, `:`) costs + {more:.0f} ms of it"


def by_room(stats: Any) -> Counter[str]:
    """Own time by room of ours, by package otherwise."""
    return _grouped(stats, lambda file, line, name: _room(file, name))


def by_function(stats: Any) -> Counter[str]:
    """Own time by function."""
    return _grouped(stats, lambda file, line, name: f"{Path(file).stem}.{name}" if file != "~" else name.strip("<>"))


def shares(title: str, times: Counter[str], whole: float = 0.0) -> str:
    """One line: the largest shares of a whole, in per cent."""
    total = whole or times.total() or 1
    return f"{title}: " + ", ".join(f"{name} {share / total:.0%}" for name, share in times.most_common(SHOWN))


def _grouped(stats: Any, group: Callable[[str, int, str], str]) -> Counter[str]:
    times: Counter[str] = Counter()
    for (file, line, name), (_, _, own, _, _) in stats.stats.items():
        times[group(file, line, name)] += own
    return times


def _room(file: str, name: str) -> str:
    if (
        name == "<module>"
        or "importlib" in file
        or any(word in name for word in ("marshal", "builtins.exec", "compile"))
    ):
        return "importing"
    if _PACKAGE in file:
        return file.rpartition(_PACKAGE)[2].split(os.sep)[0].removesuffix(".py")
    if file == "~":
        if "sqlite3" in name:
            return "sqlite"
        return "waiting" if _WAITING.search(name) else "built-in"
    if "site-packages" in file:
        return file.rpartition("site-packages" + os.sep)[2].split(os.sep)[0]
    return "dataclasses" if "dataclasses" in file else "standard library"


def _compressed(documents: Iterable[list[Any]]) -> int:
    return sum(len(zlib.compress(msgpack.packb(list(d), unicode_errors="surrogateescape"))) for d in documents)


def _timed(action: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    return action(), time.perf_counter() - started


def _spent(action: Callable[[], Any]) -> float:
    return _timed(action)[1]
