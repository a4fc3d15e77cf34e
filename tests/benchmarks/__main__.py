"""Print the budgets beside their floors. `--files N` sets the synthetic repository's size (0 leaves it out)."""

from __future__ import annotations

import argparse
import math
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import budgets, corpus
from tests.benchmarks.budgets import Row
from tests.benchmarks.measure import PeakMemory, graph, seconds


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="files of the synthetic repository")
    parser.add_argument("--only", default="", help="only the measurements whose name holds this")
    options = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="git-graph-bench-", ignore_cleanup_errors=True) as folder:
        for row in rows(Path(folder), options):
            missed += not row.met
            print(line(row), flush=True)
            for profile in () if row.met else row.why():
                print(f"    {profile}", flush=True)
    print(f"{missed} missed" if missed else "all met")
    sys.exit(0)


def rows(work: Path, options: argparse.Namespace) -> Iterator[Row]:
    def wanted(name: str) -> bool:
        return options.only in name

    print(heading("Django " + corpus.DJANGO))
    root = corpus.django(work)
    if wanted("first"):
        yield from budgets.first_index(root)
    graph(root, "sync")
    if wanted("nothing"):
        yield from budgets.nothing_changed(root)
    if wanted("one file"):
        yield from budgets.one_file_changed(root, "django/utils/text.py", 0.250)
    if wanted("warm"):
        names = ("slugify", "reverse", "save", "get")
        yield from budgets.warm_questions(root, names, ("definitions", "references", "callers"), "")
        yield from budgets.resolving_ahead(root)
        yield from budgets.warm_questions(root, names, ("references", "callers"), ", ahead")
    if wanted("sizes"):
        yield from budgets.sizes(root)
    if wanted("worktree"):
        yield from budgets.new_worktree(root, work)
    if wanted("fresh clone"):
        yield from budgets.fresh_clone(root, work)
    if wanted("commit"):
        yield from budgets.commits(root)
    if not options.files or not wanted("many"):
        return
    print(heading(f"{options.files:,} files"))
    many = corpus.many_files(work, options.files)
    with PeakMemory() as memory:
        took = seconds(lambda: graph(many, "sync"))
    yield Row(
        "largest process while indexing",
        "",
        f"{memory.peak / 1e6:.0f} MB in {took:.0f} s",
        memory.peak / 1e6,
        "MB",
        1000,
    )
    yield from budgets.nothing_changed(many)
    yield from budgets.one_file_changed(many, "pkg0/sub0/mod7.py", 0.250)
    yield from budgets.new_worktree(many, work)


def heading(text: str) -> str:
    return f"\n{text}\n{'what':38} {'floor':24} {'measured':18} {'':>16} {'budget':>8}"


def line(row: Row) -> str:
    value = f"{row.value:.2f} {row.unit}" if row.unit == "x" else f"{row.value:.0f} {row.unit}"
    mark = "" if row.met else "  MISSED"
    budget = "" if row.budget == math.inf else f"{row.budget:g}"
    return f"{row.what:38} {row.floor:24} {row.measured:18} {value:>16} {budget:>8}{mark}"


if __name__ == "__main__":
    main()
