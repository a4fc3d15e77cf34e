"""Everything at once for as long as is asked: `make soak`.

    python -m tests.scale.soak [--minutes M] [--processes N] [--worktrees W]

Processes sync and ask in worktrees that editors change all the time, commits and branch switches among the changes,
while `git gc --prune=now` and `git graph gc` run again and again. No process may end in an error; at the end `git fsck`
is clean and every manifest is that of a clean rebuild.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.benchmarks.corpus import ENVIRONMENT, git
from tests.benchmarks.measure import GRAPH
from tests.scale import simulate

QUESTIONS = (
    ("sync",), ("sync",), ("callers", "helper_3"), ("definitions", "Class_5"), ("references", "helper_1"),
    ("find", "own_*"), ("status",), ("outline", "pkg0/sub0/mod1.py"), ("impact", "helper_2", "--depth", "2"),
    ("views", "--quick"),
)  # fmt: skip


MOVED = re.compile(r"cannot lock ref .* is at [0-9a-f]+ but expected")
"""What `git pack-refs` says, and lives with, when any ref moves while it packs; a commit beside it does the same."""


class Soak:
    """The state of one run: what went wrong, and how much was done."""

    def __init__(self, root: Path, places: list[Path], files: int, until: float) -> None:
        self.root, self.places, self.files, self.until = root, places, files, until
        self.errors: list[str] = []
        self.git_at_work = threading.Lock()
        """A commit of git's own loses its objects to a `git gc --prune=now` beside it; ours is not spared."""
        self.done: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until or len(self.errors) > 20

    def ask(self, seed: int) -> None:
        """One of the processes that sync and ask."""
        chance = random.Random(seed)
        while not self.over:
            place, question = chance.choice(self.places), chance.choice(QUESTIONS)
            done = subprocess.run([*GRAPH, *question], cwd=place, env=ENVIRONMENT, capture_output=True, text=True)
            self.done[question[0]] += 1
            if done.returncode not in (0, 1) or "fatal" in done.stderr or "Traceback" in done.stderr:
                self.errors.append(f"{place.name}: {' '.join(question)}: {done.returncode}: {done.stderr.strip()}")

    def edit(self, seed: int) -> None:
        """An editor: edits, new files, deletions, renames; now and then a commit, a branch, a stash."""
        chance, number = random.Random(seed), 0
        mine = self.places[seed % 2 :: 2]
        while not self.over:
            place, number = chance.choice(mine), number + 1
            with_files = sorted((place / "pkg0").rglob("mod*.py"))
            file = chance.choice(with_files)
            what = chance.randrange(12)
            if what < 6:
                file.write_bytes(file.read_bytes() + b"\ndef own_%d():\n    return %d\n" % (number, seed))
            elif what == 6:
                (file.parent / f"new{number}.py").write_text(f"def own_new_{number}():\n    return 1\n")
            elif what == 7:
                file.unlink()
            elif what == 8:
                file.rename(file.with_name(f"mod_moved_{number}.py"))
            elif what == 9:
                self._git(place, "add", "-A")
                self._git(place, "commit", "-q", "-m", f"soak {number}")
            elif what == 10:
                self._git(place, "checkout", "-q", "-B", f"{place.name}-{number % 5}")
            else:
                self._git(place, "stash", "-q")
            self.done["edits"] += 1
            time.sleep(chance.random() * 0.2)

    def collect(self) -> None:
        """git's collection, again and again, as harsh as it gets; then ours."""
        while not self.over:
            with self.git_at_work:
                done = subprocess.run(
                    ["git", "gc", "-q", "--prune=now"], cwd=self.root, env=ENVIRONMENT, capture_output=True, text=True
                )  # fmt: skip
            self.done["git gc"] += 1
            said = [text for text in done.stderr.splitlines() if not MOVED.search(text)]
            if said or (done.returncode and not done.stderr):
                self.errors.append(f"git gc: {' '.join(said)}")
            ours = subprocess.run([*GRAPH, "gc"], cwd=self.root, env=ENVIRONMENT, capture_output=True, text=True)
            self.done["gc"] += 1
            if ours.returncode:
                self.errors.append(f"git graph gc: {ours.stderr.strip()}")
            time.sleep(0.5)

    def _git(self, place: Path, *arguments: str) -> None:
        with self.git_at_work:
            subprocess.run(["git", "-c", "gc.auto=0", *arguments], cwd=place, env=ENVIRONMENT, capture_output=True)

    def finish(self) -> list[str]:
        """What is wrong at the end."""
        for place in self.places:
            self._told(place, "sync")
        stored = {place: self._manifest(place) for place in self.places}
        fsck = subprocess.run(
            ["git", "fsck", "--strict", "--no-dangling", "--no-progress"], cwd=self.root, env=ENVIRONMENT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.errors += [f"git fsck: {text}" for text in fsck.stdout.splitlines()]
        for finding in self._told(self.root, "verify").get("results", ()):
            self.errors.append(f"verify: {finding['code']} {finding['view']} {finding['message']}")
        for ref in git(self.root, "for-each-ref", "--format=%(refname)", "refs/graph/").decode().split():
            git(self.root, "update-ref", "-d", ref)
        shutil.rmtree(self.root / ".git" / "graph")
        git(self.root, "gc", "-q", "--prune=now")
        for place in self.places:
            self._told(place, "sync")
            if self._manifest(place) != stored[place]:
                self.errors.append(f"{place.name}: the manifest is not that of a clean rebuild")
        return self.errors

    def _told(self, place: Path, command: str) -> dict[str, Any]:
        """What a command says, as JSON."""
        done = subprocess.run([*GRAPH, command, "--json"], cwd=place, env=ENVIRONMENT, capture_output=True, text=True)
        said: dict[str, Any] = json.loads(done.stdout)
        if "error" in said:
            self.errors.append(f"{place.name}: {command} at the end: {said['error']}")
        return said

    def _manifest(self, place: Path) -> str:
        """The files tree of a worktree's view."""
        snapshot = self._told(place, "status").get("snapshot")
        return git(place, "rev-parse", f"{snapshot}:files").decode().strip() if snapshot else "none"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--worktrees", type=int, default=6)
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    ENVIRONMENT["GIT_GRAPH_DEBUG"] = os.environ.get("GIT_GRAPH_DEBUG", "")
    with tempfile.TemporaryDirectory(prefix="git-graph-soak-", ignore_cleanup_errors=True) as folder:
        root = simulate.repository(Path(folder), options.files)
        places = [root, *simulate.fleet(root, options.worktrees - 1)]
        soak = Soak(root, places, options.files, time.monotonic() + options.minutes * 60)
        work = [threading.Thread(target=soak.ask, args=(options.seed + n,)) for n in range(options.processes)]
        work += [threading.Thread(target=soak.edit, args=(n,)) for n in range(2)]
        work.append(threading.Thread(target=soak.collect))
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        print(f"seed {options.seed}: " + ", ".join(f"{count} {what}" for what, count in sorted(soak.done.items())))
        wrong = soak.finish()
    for text in wrong:
        print(text)
    print(f"{len(wrong)} wrong" if wrong else "all is well")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
