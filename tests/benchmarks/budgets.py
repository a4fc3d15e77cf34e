"""Each budget of the design's section 9 as a function from a repository to rows."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import shutil
import sqlite3
import statistics
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import why
from tests.benchmarks.corpus import git
from tests.benchmarks.measure import GRAPH, PYTHON, PeakMemory, alternate, graph, process, seconds

STATUS = "git --no-optional-locks status --porcelain=v2 -z --branch --untracked-files=all --no-renames".split()


class Row(NamedTuple):
    """One line of the report; `budget` is what `value` may be at the most, `why` profiles it when it is more."""

    what: str
    floor: str
    measured: str
    value: float
    unit: str
    budget: float
    why: Callable[[], Iterable[str]] = tuple

    @property
    def met(self) -> bool:
        return self.value <= self.budget


def milliseconds(value: float) -> str:
    return f"{value * 1000:.0f} ms"


def first_index(root: Path, times: int = 3) -> Iterator[Row]:
    """A first index, all included, against only parsing the same bytes in as many processes; and its memory."""
    floors, subjects, peak = [], [], 0
    for _ in range(times):
        floors.append(seconds(lambda: parse_only(root)))
        forget(root)
        with PeakMemory() as memory:
            subjects.append(seconds(process(root, [*GRAPH, "sync"])))
        peak = max(peak, memory.peak)
    floor, subject = statistics.median(floors), statistics.median(subjects)
    yield Row("first index", f"parse only {floor:.2f} s", f"{subject:.2f} s", subject / floor, "x", 3.0,
              lambda: why_first_index(root))  # fmt: skip
    yield Row("largest process while indexing", "", f"{peak / 1e6:.0f} MB", peak / 1e6, "MB", 400)


def why_first_index(root: Path) -> Iterator[str]:
    """The workers' time, and that of the process that feeds them and stores what they make."""
    yield from why.extraction(root)
    forget(root)
    yield from why.command(root, "sync")


def parse_only(root: Path) -> None:
    """Read and parse every Python file in as many processes as there are cores."""
    paths = [str(root / name) for name in git(root, "ls-files", "*.py").decode().splitlines()]
    count = os.cpu_count() or 1
    with multiprocessing.get_context("fork").Pool(count) as pool:
        pool.map(_parse, [paths[n : n + 64] for n in range(0, len(paths), 64)], chunksize=1)


def _parse(paths: list[str]) -> None:
    from git_graph.extract.extractor import parser

    for path in paths:
        parser("python").parse(Path(path).read_bytes())


def forget(root: Path) -> None:
    """Remove all that git-graph has made of a repository."""
    for ref in git(root, "for-each-ref", "--format=%(refname)", "refs/graph/").decode().split():
        git(root, "update-ref", "-d", ref)
    shutil.rmtree(root / ".git" / "graph", ignore_errors=True)
    git(root, "prune", "--expire=now")
    git(root, "gc", "-q", "--prune=now")


def nothing_changed(root: Path, allowance: float = 0.100) -> Iterator[Row]:
    """Asking when nothing changed, against `git status`."""
    floor, subject = alternate(process(root, STATUS), process(root, [*GRAPH, "sync"]))
    yield Row("nothing changed", f"git status {milliseconds(floor)}", milliseconds(subject),
              (subject - floor) * 1000, "ms more", allowance * 1000,
              lambda: why.command(root, "sync"))  # fmt: skip


def one_file_changed(root: Path, path: str, allowance: float) -> Iterator[Row]:
    """Taking in one edited file, against `git status`."""
    file, edits = root / path, iter(range(1000))
    original = file.read_bytes()

    def edit_and_sync() -> None:
        process(root, [*GRAPH, "sync"])()

    def edit() -> None:
        file.write_bytes(original + b"\ndef edited_%d():\n    return 1\n" % next(edits))

    def profile() -> Iterator[str]:
        edit()
        yield from why.command(root, "sync")

    pairs = []
    for _ in range(7):
        edit()
        pairs.append((seconds(process(root, STATUS)), seconds(edit_and_sync)))
    floor, subject = (statistics.median(column) for column in zip(*pairs, strict=True))
    yield Row("one file changed", f"git status {milliseconds(floor)}", milliseconds(subject),
              (subject - floor) * 1000, "ms more", allowance * 1000, profile)  # fmt: skip
    file.write_bytes(original)
    graph(root, "sync")


def warm_questions(root: Path, names: tuple[str, ...], commands: tuple[str, ...], state: str) -> Iterator[Row]:
    """Warm questions as whole processes, against `git grep -nw`; 20 us more are allowed for each candidate site."""
    for name in names:
        sites = len(git(root, "grep", "-now", name, "--", "*.py").splitlines())
        for command in commands:
            floor, subject = alternate(
                process(root, ["git", "grep", "-nw", name]), process(root, [*GRAPH, command, name])
            )
            allowed = 2.5 + sites * 20e-6 / floor
            yield Row(f"{command} {name} ({sites} sites){state}", f"git grep {milliseconds(floor)}",
                      milliseconds(subject), subject / floor, "x", round(allowed, 2),
                      lambda command=command, name=name: why.command(root, command, name))  # fmt: skip


def resolving_ahead(root: Path) -> Iterator[Row]:
    """What the background process does once for all worktrees that share a base; here alone and in the foreground."""
    with PeakMemory() as memory:
        took = seconds(process(root, [PYTHON, "-P", "-m", "git_graph.upkeep.ahead", str(root)]))
    yield Row("resolving ahead, once", "", f"{took:.1f} s", memory.peak / 1e6, "MB", 400)


def sizes(root: Path) -> Iterator[Row]:
    """What the graph adds to the repository once git has packed it, and what a further worktree adds."""
    source, packed = source_sizes(root)
    before = objects_size(root)
    git(root, "gc", "-q", "--prune=now")
    with_graph = objects_size(root)
    bare = without_graph(root)
    yield Row("graph objects after gc", f"sources packed {packed / 1e6:.1f} MB", f"{(with_graph - bare) / 1e6:.1f} MB",
              (with_graph - bare) / packed, "x", 1.1, lambda: why.slices(root))  # fmt: skip
    derived = derived_size(root)
    yield Row("derived SQLite", f"sources {source / 1e6:.1f} MB", f"{derived / 1e6:.1f} MB", derived / source, "x", 1.5)
    assert before >= 0


def new_worktree(root: Path, work: Path, allowance: float = 0.5) -> Iterator[Row]:
    """A new worktree of an indexed commit: nothing is parsed, and it costs little time and room."""
    git(root, "gc", "-q", "--prune=now")
    objects, derived = objects_size(root), derived_size(root)
    linked = work / "linked"
    git(root, "worktree", "add", "-q", "--detach", str(linked))
    git(linked, "status", "--porcelain")
    floor = seconds(process(linked, STATUS))
    started = seconds(process(linked, [*GRAPH, "sync"]))
    parsed = json.loads(graph(linked, "sync", "--json")).get("parsed")
    git(root, "gc", "-q", "--prune=now")
    yield Row("new worktree", f"git status {milliseconds(floor)}", f"{milliseconds(started)}, {parsed} parsed",
              (started - floor) * 1000, "ms more", allowance * 1000,
              lambda: why.command(linked, "sync", "--full"))  # fmt: skip
    more = objects_size(root) - objects
    yield Row("objects of a further worktree", "", f"{more / 1e3:.1f} KB", more / 1e3, "KB", 20)
    more = derived_size(root) - derived
    yield Row("SQLite of a further worktree", "", f"{more / 1e3:.1f} KB", more / 1e3, "KB", 16)
    git(root, "worktree", "remove", "--force", str(linked))


def fresh_clone(root: Path, work: Path, times: int = 1) -> Iterator[Row]:
    """A fresh clone that fetches the published graph and asks its first question, against one that indexes first.

    The graph is pushed to a bare repository on this disk, so what a network adds is not in it; cloning is in neither.
    """
    remote = work / "published.git"
    git(work, "clone", "-q", "--bare", str(root), str(remote))
    git(root, "remote", "add", "published", str(remote))
    graph(root, "push", "published", "HEAD:main")
    git(root, "remote", "remove", "published")
    clone = work / "clone"
    question = process(clone, [*GRAPH, "callers", "slugify"])

    def anew() -> None:
        shutil.rmtree(clone, ignore_errors=True)
        git(work, "clone", "-q", str(remote), str(clone))
        git(clone, "status", "--porcelain")

    alone, shared = [], []
    for _ in range(times):
        anew()
        alone.append(seconds(question))
        anew()
        shared.append(seconds(process(clone, [*GRAPH, "fetch"])) + seconds(question))
    anew()
    graph(clone, "fetch")
    parsed = json.loads(graph(clone, "sync", "--json"))["parsed"]
    shutil.rmtree(clone)
    shutil.rmtree(remote)
    floor, subject = statistics.median(alone), statistics.median(shared)
    yield Row("fresh clone: fetch, first question", f"first index {floor:.2f} s", f"{subject:.2f} s, {parsed} parsed",
              subject / floor, "x", 1.0)  # fmt: skip


def commits(root: Path, allowance: float = 0.010) -> Iterator[Row]:
    """`git commit` with our hooks against without, alone and 25 back to back."""
    commit = process(root, ["git", "commit", "-q", "--allow-empty", "-m", "empty"])
    plain, plain_25 = (
        statistics.median(seconds(commit) for _ in range(9)),
        seconds(lambda: [commit() for _ in range(25)]) / 25,
    )
    graph(root, "hooks", "install")
    alone = []
    for _ in range(9):
        alone.append(seconds(commit))
        process(root, ["sleep", "1"])()
    row = seconds(lambda: [commit() for _ in range(25)]) / 25
    graph(root, "hooks", "uninstall")
    with_hooks = statistics.median(alone)
    yield Row("git commit with hooks", milliseconds(plain), milliseconds(with_hooks), (with_hooks - plain) * 1000,
              "ms more", allowance * 1000, lambda: why.commits(root))  # fmt: skip
    yield Row("25 commits back to back, each", milliseconds(plain_25), milliseconds(row), (row - plain_25) * 1000,
              "ms more", allowance * 1000)  # fmt: skip


def source_sizes(root: Path) -> tuple[int, int]:
    """Bytes of the indexed sources, each content once, and what git needs for them in a pack of their own."""
    mirrored = git(root, "ls-tree", "-r", "-z", "--name-only", "refs/graph/views/main-worktree:snapshot/files")
    indexed = {re.sub(rb"(^|/)=", rb"\1", path) for path in mirrored.split(b"\0")}
    rows = (row.split(b"\t") for row in git(root, "ls-files", "-s", "-z").split(b"\0") if row)
    ids = sorted({stage.split()[1].decode() for stage, path in rows if path in indexed})
    asked = "\n".join(ids).encode()
    total = sum(int(size) for size in git(root, "cat-file", "--batch-check=%(objectsize)", stdin=asked).split())
    pack = git(root, "pack-objects", "--stdout", "--window=10", stdin=asked)
    return total, len(pack)


def objects_size(root: Path) -> int:
    """Bytes under .git/objects."""
    return sum(file.stat().st_size for file in (root / ".git" / "objects").rglob("*") if file.is_file())


def without_graph(root: Path) -> int:
    """Bytes that the repository's objects take without ours: those of a clone, which takes no refs of ours along."""
    clone = root.parent / "without.git"
    shutil.rmtree(clone, ignore_errors=True)
    git(root.parent, "clone", "-q", "--bare", "--no-local", str(root), str(clone))
    git(clone, "gc", "-q", "--prune=now")
    size = sum(file.stat().st_size for file in (clone / "objects").rglob("*") if file.is_file())
    shutil.rmtree(clone)
    return size


def derived_size(root: Path) -> int:
    """Bytes of all that can be deleted and built again, write-ahead logs folded in."""
    folder = root / ".git" / "graph"
    for file in folder.glob("*.sqlite*"):
        if not file.name.endswith(("-wal", "-shm")):
            with sqlite3.connect(file) as connection:
                connection.execute("pragma wal_checkpoint(truncate)")
            connection.close()
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
