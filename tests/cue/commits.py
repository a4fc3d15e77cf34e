"""The commits that a cue is scored by: from public repositories, by one rule, and what each of them changed.

The rule: of the commits without merges up to the pinned one, the newest that change (not add or delete) from 2 to 20
source files, and symbols of those that are not in the focus. The focus is every second one of the files, in the order
of their paths, beginning with the first. Repositories are named by address and commit, and cloned when they are needed;
nothing of them is kept in the project.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.corpus import git
from tests.benchmarks.measure import graph

CLONES = Path(__file__).parents[2] / "build/cue"
"""Clones by the names of the repositories; what is there already is used. All of it can be deleted."""
FEWEST, MOST = 2, 20
"""Source files of a commit."""
LOOKED_AT = 3000
"""Commits are looked for among this many."""
KINDS = frozenset(("function", "method", "constructor", "class", "interface", "struct", "enum", "trait", "type_alias"))
"""Symbols that count: those that both tools list."""


@dataclass(frozen=True)
class Source:
    """A repository: its address, the commit before which commits are taken, and the suffixes of its source files.

    `seen`: its commits were looked at while the ranking was made; the others were chosen before they were scored.
    """

    url: str
    head: str
    suffixes: tuple[str, ...]
    seen: bool = True

    @property
    def name(self) -> str:
        """What the clone is called."""
        return self.url.rpartition("/")[2]

    @property
    def root(self) -> Path:
        """Where the clone is."""
        return CLONES / self.name


SCRIPT = (".js", ".ts", ".tsx", ".jsx", ".mjs")
SOURCES = (
    Source("https://github.com/pallets/flask", "2ac89889f4cc330eabd50f295dcef02828522c69", (".py",), seen=False),
    Source("https://github.com/gin-gonic/gin", "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9", (".go",), seen=False),
    Source("https://github.com/pallets/click", "2c8cd3ac958a7eb316d67f2d316c27086c4c0369", (".py",)),
    Source("https://github.com/psf/requests", "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e", (".py",)),
    Source("https://github.com/spf13/cobra", "adbc8813901bba65827259daa8e22ff94ec1f30e", (".go",)),
    Source("https://github.com/tj/commander.js", "ba6d13ddb4243e5913367734f8c159089ffe7834", SCRIPT),
)


@dataclass(frozen=True)
class Case:
    """A commit, what of it is given, and the symbols of the rest: (path, name) as its parent has them."""

    source: Source
    commit: str
    focus: tuple[str, ...]
    wanted: frozenset[tuple[str, str]]

    @property
    def parent(self) -> str:
        """The commit before it, about which is asked."""
        return f"{self.commit}^"


def fetch(source: Source) -> None:
    """Clone a repository that is not there yet."""
    if not source.root.is_dir():
        CLONES.mkdir(parents=True, exist_ok=True)
        git(CLONES, "clone", "-q", source.url, source.name)
    git(source.root, "checkout", "-q", "--force", "--detach", source.head)


def cases(source: Source, count: int) -> Iterator[Case]:
    """The newest commits that the rule takes."""
    found = 0
    for commit in git(source.root, "rev-list", "--no-merges", f"-n{LOOKED_AT}", source.head).decode().split():
        files = _files(source, commit)
        if not files:
            continue
        focus = files[::2]
        wanted = _changed(source, commit, frozenset(files[1::2]))
        if wanted:
            yield Case(source, commit, tuple(focus), wanted)
            found += 1
            if found == count:
                return


def _files(source: Source, commit: str) -> list[str]:
    """The source files that a commit changed; none if it is not one that the rule takes."""
    try:
        fields = git(source.root, "diff", "--raw", "-z", "--no-renames", "--no-abbrev", f"{commit}^", commit)
    except subprocess.CalledProcessError:  # the first commit
        return []
    told = fields.decode("utf-8", "surrogateescape").split("\0")
    rows = [(meta[-1], path) for meta, path in zip(told[::2], told[1::2], strict=False)]
    ours = [(status, path) for status, path in rows if path.endswith(source.suffixes)]
    if not FEWEST <= len(ours) <= MOST or any(status != "M" for status, _ in ours):
        return []
    return sorted(path for _, path in ours)


def _changed(source: Source, commit: str, paths: frozenset[str]) -> frozenset[tuple[str, str]]:
    """The symbols of some files that a commit changed, removed, renamed or moved, as they were before it."""
    answer = json.loads(graph(source.root, "diff", f"{commit}^", commit, "--json", "--limit", "0"))
    olds = (result["old"] for result in answer["results"] if result["old"] and result["what"] != ["reach"])
    return frozenset((old["path"], old["name"]) for old in olds if old["path"] in paths and old["kind"] in KINDS)
