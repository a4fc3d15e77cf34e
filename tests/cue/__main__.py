"""Score the ranked cue, and aider's repository map, by what past commits changed.

python -m tests.cue [NAME ...] [--count N] [--tokens N] [--aider PYTHON] [--each]

Given half of the files of a commit, how many of the symbols that it changed in the other half does the output name? A
symbol is named if its name stands as a word in the part of the output that is about its file. AIDER (or --aider) is the
Python of an environment with aider-chat; without it only ours is scored.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path

from tests.benchmarks.corpus import ENVIRONMENT, git
from tests.benchmarks.measure import graph
from tests.cue.commits import SOURCES, Case, Source, cases, fetch

Tool = Callable[[Case], str]


def named(output: str, wanted: Collection[tuple[str, str]]) -> int:
    """How many of the symbols an output names: a line `PATH:` begins what it says of a file."""
    paths, parts, path = {path for path, _ in wanted}, dict[str, list[str]](), ""
    for line in output.splitlines():
        if line.endswith(":") and not line.startswith((" ", "│", "⋮")):
            path = line[:-1]
        elif path in paths:
            parts.setdefault(path, []).append(line)
    texts = {path: "\n".join(lines) for path, lines in parts.items()}
    return sum(bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", texts.get(path, ""))) for path, name in wanted)


def ours(tokens: int) -> Tool:
    """The ranked cue about the commit's parent."""

    def ask(case: Case) -> str:
        focus = [word for path in case.focus for word in ("--focus", path)]
        return graph(case.source.root, "cue", "--rev", case.parent, "--max-tokens", str(tokens), *focus)

    return ask


def aiders(python: str, tokens: int) -> Tool:
    """Aider's map of the commit's parent, checked out."""

    def ask(case: Case) -> str:
        root = case.source.root
        git(root, "checkout", "-q", "--force", case.parent)
        script = str(Path(__file__).with_name("aider_map.py"))
        done = subprocess.run(
            [python, script, str(tokens), *case.focus], cwd=root, env=ENVIRONMENT, input=git(root, "ls-files"),
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        return done.stdout.decode()

    return ask


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.cue", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("names", nargs="*", help="repositories; by default those that were not looked at")
    parser.add_argument("--count", type=int, default=30, help="commits of each")
    parser.add_argument("--tokens", type=int, default=2000)
    parser.add_argument("--aider", default=os.environ.get("AIDER", ""), metavar="PYTHON")
    parser.add_argument("--each", action="store_true", help="tell of each commit")
    options = parser.parse_args()
    tools: dict[str, Tool] = {"git graph cue": ours(options.tokens)}
    if options.aider:
        tools["aider"] = aiders(options.aider, options.tokens)
    chosen = [s for s in SOURCES if (s.name in options.names if options.names else not s.seen)]
    if not chosen:
        sys.exit(f"no repository is called that; there are {', '.join(s.name for s in SOURCES)}")
    for source in chosen:
        _score(source, tools, options.count, options.each)


def _score(source: Source, tools: dict[str, Tool], count: int, each: bool) -> None:
    fetch(source)
    chosen = list(cases(source, count))
    wanted = sum(len(case.wanted) for case in chosen)
    print(f"{source.name}: {len(chosen)} commits before {source.head[:10]}, {wanted} symbols")
    for label, tool in tools.items():
        rows = [(case, output := tool(case), named(output, case.wanted)) for case in chosen]
        if each:
            for case, output, hits in rows:
                print(f"  {case.commit[:10]} {hits}/{len(case.wanted)} {len(output.encode()) // 4} {case.focus}")
        hits = sum(hits for *_, hits in rows)
        mean = sum(hits / len(case.wanted) for case, _, hits in rows) / len(rows)
        most = max(-(-len(output.encode()) // 4) for _, output, _ in rows)
        told = f"names {hits} of {wanted} ({hits / wanted:.0%}), a commit {mean:.0%}, at most {most} tokens"
        print(f"  {label:14} {told}", flush=True)


if __name__ == "__main__":
    main()
