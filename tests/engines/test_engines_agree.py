"""Whatever is done to them, the engine in a file and the engine in memory give the same answers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from engine_samples import Forest, make
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from git_graph import codec
from git_graph.engines import sqlite_writer, sweep
from git_graph.engines.memory import MemoryEngine
from git_graph.engines.protocol import GraphView
from git_graph.engines.sqlite import SqliteEngine

NAMES = ("get", "get_all", "Get", "né", "\udcff", "*", "a.b")
PATHS = ("a.py", "b.py", "pkg/a.py", "pkg/b.go", "pkg/sub/a.py", "\udcff/a.py", "\U0001f600.py", "d e/f\ng.c", "pkg.py")
VIEWS = ("main-worktree", "worktrees/w", "worktrees/é")
GLOBS = ("*", "get*", "?et", "*\udcff*", "a?b", "")

names = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
slices = st.builds(
    make, names, names, st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=2), names,
    st.sampled_from(("python", "go")),
)  # fmt: skip
trees = st.dictionaries(st.sampled_from(PATHS), slices, max_size=len(PATHS))
edits = st.dictionaries(st.sampled_from(PATHS), st.none() | slices, min_size=1, max_size=3)
view_names = st.sampled_from(VIEWS)


def answers(view: GraphView) -> dict[str, Any]:
    """Every answer that a view can give about what the machine may have put into it."""
    asked: dict[str, Any] = {"snapshot": view.snapshot, "name": view.name, "paths": list(view.paths())}
    asked["languages"] = list(view.languages().items())
    for path in PATHS:
        slice_ = view.slice(path)
        encoded = None if slice_ is None else codec.encode(slice_)
        asked[f"path {path}"] = view.has(path), view.slice_id(path), view.language(path), encoded
    for name in NAMES:
        found = view.defining(name), view.referring(name), view.importing(name), view.exporting(name)
        asked[f"name {name}"] = [list(paths) for paths in found]
    for base in ("a.py", "b.go", "pkg"):
        asked[f"named {base}"] = list(view.paths_named(base))
    for directory in ("", "pkg", "pkg/sub", "d e", "\udcff"):
        asked[f"in {directory}"] = list(view.paths_in(directory))
    for language in ("python", "go", "rust"):
        asked[f"of {language}"] = list(view.paths_of_language(language))
    for glob in GLOBS:
        asked[f"glob {glob}"] = list(view.symbol_names(glob))
    return asked


class Agreement(RuleBasedStateMachine):
    """Two engines led the same way."""

    opened = Bundle("opened")

    @initialize(tree=trees)
    def start(self, tree: dict[str, Any]) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.forest = Forest()
        self.files: dict[str, dict[str, str]] = {}
        self.memory = MemoryEngine()
        self.reopen()
        for view in VIEWS:
            self.bring_elsewhere(view, tree)

    @rule()
    def reopen(self) -> None:
        self.sqlite = SqliteEngine(Path(self.directory.name) / "graph")

    @rule(view=view_names, tree=trees)
    def bring_elsewhere(self, view: str, tree: dict[str, Any]) -> None:
        self.go(view, {path: self.forest.put(slice_) for path, slice_ in tree.items()})

    @rule(view=view_names, edit=edits)
    def edit(self, view: str, edit: dict[str, Any]) -> None:
        self.go(view, self.edited(self.files.get(view, {}), edit))

    @rule(view=view_names, to=view_names)
    def follow(self, view: str, to: str) -> None:
        self.go(view, self.files.get(to, {}))

    @rule(view=view_names, of=view_names, edit=edits)
    def branch_off(self, view: str, of: str, edit: dict[str, Any]) -> None:
        start = self.memory.root(of)
        self.go(view, self.edited(self.files.get(of, {}), edit), start)

    @rule(view=view_names)
    def drop(self, view: str) -> None:
        self.files.pop(view, None)
        self.memory.drop(view)
        self.sqlite.drop(view)

    @rule()
    def compact(self) -> None:
        self.sqlite.compact()

    @rule(target=opened, view=view_names)
    def open(self, view: str) -> tuple[GraphView, dict[str, Any]] | None:
        if view not in self.files:
            return None
        return self.sqlite.open(view), answers(self.memory.open(view))

    @rule(pair=consumes(opened))
    def an_old_view_still_answers_of_its_root(self, pair: tuple[GraphView, dict[str, Any]] | None) -> None:
        if pair:
            assert answers(pair[0]) == pair[1]
            pair[0].close()

    @invariant()
    def they_agree(self) -> None:
        assert self.sqlite.views() == self.memory.views() == sorted(self.files)
        for view, files in self.files.items():
            assert self.sqlite.root(view) == self.memory.root(view)
            assert answers(self.sqlite.open(view)) == answers(self.memory.open(view))
            assert list(self.sqlite.open(view).paths()) == sorted(files)

    def go(self, view: str, files: dict[str, str], since: str | None = None) -> None:
        for engine in (self.memory, self.sqlite):
            self.forest.bring(engine, view, files, since)
        self.files[view] = files

    def edited(self, files: dict[str, str], edit: dict[str, Any]) -> dict[str, str]:
        after = dict(files)
        for path, slice_ in edit.items():
            if slice_ is None:
                after.pop(path, None)
            else:
                after[path] = self.forest.put(slice_)
        return after

    def teardown(self) -> None:
        if hasattr(self, "directory"):
            self.sqlite.check()
            self.sqlite.close()
            self.directory.cleanup()


TestAgreement = Agreement.TestCase
TestAgreement.settings = settings(
    max_examples=20, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(autouse=True)
def everything_happens_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bases are left and nothing is kept for later, which in small views would never come about."""
    monkeypatch.setattr(sqlite_writer, "SMALL_DIFFERENCE", 2)
    monkeypatch.setattr(sqlite_writer, "BATCH", 2)
    monkeypatch.setattr(sweep, "LEISURE", 0)
    monkeypatch.setattr(sweep, "SLICES", 3)
    monkeypatch.setattr(sweep, "ROWS", 2)
