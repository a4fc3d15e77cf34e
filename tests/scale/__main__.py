"""What a fleet and a large repository cost, measured as whole processes: `make bench-scale`.

python -m tests.scale [--worktrees N] [--fleet-files N] [--files N,N,...]
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.benchmarks import budgets
from tests.benchmarks.__main__ import heading, line
from tests.benchmarks.budgets import STATUS, Row, derived_size, milliseconds, objects_size
from tests.benchmarks.corpus import ENVIRONMENT, git
from tests.benchmarks.measure import GRAPH, PeakMemory, graph, process, seconds
from tests.scale import simulate


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-scale", description=__doc__)
    parser.add_argument("--worktrees", type=int, default=400)
    parser.add_argument("--fleet-files", type=int, default=2_400)
    parser.add_argument("--files", default="1000,10000,100000", help="sizes of single repositories, empty for none")
    options = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="git-graph-scale-", ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        for row in chain(fleet_rows(work, options), growth_rows(work, options)):
            if isinstance(row, str):
                print(row, flush=True)
                continue
            missed += not row.met
            print(line(row), flush=True)
    print(f"{missed} missed" if missed else "all met")
    sys.exit(0)


def fleet_rows(work: Path, options: argparse.Namespace) -> Iterator[Row | str]:
    """A fleet of worktrees of one repository."""
    if not options.worktrees:
        return
    count = options.worktrees
    print(heading(f"{count} worktrees of {options.fleet_files:,} files"), flush=True)
    (work / "of").mkdir()
    root = simulate.repository(work / "of", options.fleet_files)
    graph(root, "sync")
    places = simulate.fleet(root, count)
    ENVIRONMENT["GIT_OPTIONAL_LOCKS"] = "0"  # not before the indexes of all are fresh
    git(root, "gc", "-q", "--prune=now")
    objects, derived = objects_size(root), derived_size(root)
    plain = simulate.size(root / ".git") - objects - derived
    said: list[dict[str, int]] = []
    first = []
    for place in places:
        floor = seconds(process(place, STATUS))
        first.append((floor, seconds(lambda: said.append(json.loads(graph(place, "sync", "--json"))))))  # noqa: B023
    parsed = sum(document["parsed"] for document in said)
    yield Row("parsed in all of them", "", f"{parsed} files", parsed, "files", 0)
    yield _more("first sync of a worktree", first, 500)
    yield _more("of the last tenth of them", first[-max(1, count // 10) :], 500)
    yield from _growth("clean worktrees", root, objects, derived, plain, count, 40)
    edits = []
    for number, place in enumerate(places):
        simulate.edit(place, number, options.fleet_files, f"own_{number}")
        edits.append((seconds(process(place, STATUS)), seconds(process(place, [*GRAPH, "sync"]))))
    yield _more("one file edited in each", edits, 150)
    yield from _growth("with an edit each", root, objects, derived, plain, count, 40)
    yield from _isolation(places)
    with PeakMemory() as memory:
        took = seconds(lambda: graph(root, "views"))
    yield Row("views, all looked at", "", f"{took:.1f} s", took, "s", 60)
    yield Row("its memory", "", f"{memory.peak / 1e6:.0f} MB", memory.peak / 1e6, "MB", 400)
    floor, subject = zip(*[
        (seconds(process(p, ["git", "grep", "-nw", "helper_7"])), seconds(process(p, [*GRAPH, "callers", "helper_7"])))
        for p in places[:: max(1, count // 20)]
    ], strict=True)  # fmt: skip
    grep, asked = statistics.median(floor), statistics.median(subject)
    yield Row("callers, in one of them", f"git grep {milliseconds(grep)}", milliseconds(asked), asked / grep, "x",
              math.inf)  # fmt: skip
    took = seconds(lambda: graph(root, "gc"))
    yield Row("gc", "", f"{took:.1f} s", took, "s", 60)
    took = seconds(lambda: graph(root, "verify"))
    yield Row("verify", "", f"{took:.1f} s", took, "s", 120)


def _more(what: str, pairs: list[tuple[float, float]], budget: float) -> Row:
    floor, subject = (statistics.median(column) for column in zip(*pairs, strict=True))
    more = (subject - floor) * 1000
    return Row(what, f"git status {milliseconds(floor)}", milliseconds(subject), more, "ms more", budget)


def _growth(what: str, root: Path, objects: int, derived: int, plain: int, count: int, budget: float) -> Iterator[Row]:
    """What each worktree has added to the git directory beyond git's own, as it is and after `git gc`."""
    loose = objects_size(root) - objects
    rows = derived_size(root) - derived
    rest = simulate.size(root / ".git") - objects_size(root) - derived_size(root) - plain
    whole = (loose + rows + max(rest, 0)) / count / 1e3
    said = f"{loose / count / 1e3:.1f} + {rows / count / 1e3:.1f} KB"
    yield Row(f"a worktree's share, {what}", "objects + derived", said, whole, "KB", budget)


def _isolation(places: list[Path]) -> Iterator[Row]:
    """Each worktree sees its own edit and nobody else's."""
    wrong = 0
    for number, place in list(enumerate(places))[:: max(1, len(places) // 40)]:
        found = json.loads(graph(place, "find", "own_*", "--json"))
        wrong += [result["name"] for result in found["results"]] != [f"own_{number}"]
    yield Row("worktrees that see another's edit", "", f"{wrong}", wrong, "", 0)


def growth_rows(work: Path, options: argparse.Namespace) -> Iterator[Row | str]:
    """How cost grows with the number of files."""
    for count in map(int, filter(None, options.files.split(","))):
        print(heading(f"{count:,} files"), flush=True)
        (work / f"of{count}").mkdir()
        root = simulate.repository(work / f"of{count}", count)
        git(root, "config", "graph.resolveAhead", "0")  # nothing in the background while we measure
        with PeakMemory() as memory:
            took = seconds(lambda: graph(root, "sync"))  # noqa: B023 (called at once)
        yield Row("first index", "", f"{took:.1f} s", took / count * 1000, "ms a file", 20)
        yield Row("largest process", "", f"{memory.peak / 1e6:.0f} MB", memory.peak / 1e6, "MB", 1000)
        yield from budgets.nothing_changed(root)
        yield from budgets.one_file_changed(root, "pkg0/sub0/mod7.py", 0.250)
        yield _many_edits(root, count)
        yield from budgets.new_worktree(root, work / f"of{count}")


def _many_edits(root: Path, count: int) -> Row:
    """A hundred edits taken in at once."""
    edits = min(100, count // 10)
    for number in range(edits):
        simulate.edit(root, number, count, f"many_{number}")
    floor = seconds(process(root, STATUS))
    took = seconds(process(root, [*GRAPH, "sync"]))
    git(root, "checkout", "-q", ".")
    graph(root, "sync")
    return Row(
        f"{edits} files edited at once", f"git status {milliseconds(floor)}", milliseconds(took),
        (took - floor) * 1000, "ms more", 250 + 20 * edits,
    )  # fmt: skip


main()
