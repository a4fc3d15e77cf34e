"""What the engine's file costs: room, and work that goes with what changed and not with what there is."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine_samples import Forest, make

from git_graph.engines import database, sweep
from git_graph.engines.cache import SliceCache
from git_graph.engines.sqlite import SqliteEngine

VIEW = "main-worktree"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "graph"


@pytest.fixture
def engine(directory: Path) -> SqliteEngine:
    return SqliteEngine(directory)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets time pass."""
    now = [1_700_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])

    def tick(seconds: float) -> None:
        now[0] += seconds

    return tick


def many(forest: Forest, count: int, mark: str = "") -> dict[str, str]:
    """Files of twenty names each, most of them their own, in directories of fifty."""
    return {
        f"d{n // 50}/f{n}{mark}.py": forest.put(make([f"n{n}_{i}{mark}" for i in range(10)], ["get", f"u{n % 97}"]))
        for n in range(count)
    }


def rows(directory: Path, statement: str) -> Any:
    """What is in the file."""
    (file,) = directory.glob("engine-*.sqlite")
    with contextlib.closing(sqlite3.connect(file)) as db:
        return db.execute(statement).fetchone()[0]


def room(directory: Path) -> int:
    return sum(file.stat().st_size for file in directory.iterdir())


# room


def test_a_further_worktree_of_the_same_tree_costs_a_row(engine: SqliteEngine, directory: Path, forest: Forest) -> None:
    files = many(forest, 500)
    forest.bring(engine, VIEW, files)
    before = room(directory)
    for n in range(50):
        forest.bring(engine, f"worktrees/w{n}", files)
    assert rows(directory, "SELECT count(*) FROM view_file") == 0
    assert room(directory) - before <= 50 * 1024
    assert forest.listings == 1


def test_a_worktree_that_differs_costs_what_differs(engine: SqliteEngine, directory: Path, forest: Forest) -> None:
    files = many(forest, 500)
    forest.bring(engine, VIEW, files)
    before = room(directory)
    for n in range(20):
        own = forest.put(make([f"own{n}"]))
        changed = {**files, f"d1/f5{n}.py": own, f"new{n}.py": own}
        del changed[f"d2/f10{n % 10}.py"]
        forest.bring(engine, f"worktrees/w{n}", changed)  # by everything, as if nobody knew where to start
    assert rows(directory, "SELECT count(*) FROM view_file") == 60
    assert rows(directory, "SELECT count(*) FROM base") == 1
    assert room(directory) - before <= 20 * 16 * 1024


def test_a_view_that_differs_much_becomes_a_base_that_others_share(
    engine: SqliteEngine, directory: Path, forest: Forest
) -> None:
    files, others = many(forest, 500), many(forest, 500, "x")
    forest.bring(engine, VIEW, files)
    state = dict(files)
    for path in list(others)[:400]:
        state[path] = others[path]
        if len(state) % 40 == 0:
            forest.bring(engine, VIEW, state)
    forest.bring(engine, VIEW, state)
    forest.bring(engine, "worktrees/w", state)
    assert 2 <= rows(directory, "SELECT count(*) FROM base") <= 4
    assert rows(directory, "SELECT count(*) FROM view_file") <= 2 * 300
    assert len(engine.open("worktrees/w").paths()) == 900


def test_a_slice_is_stored_once_whoever_has_it(engine: SqliteEngine, directory: Path, forest: Forest) -> None:
    one = forest.put(make(["f"]))
    for n in range(5):
        forest.bring(engine, f"worktrees/w{n}", {f"{n}/{i}.py": one for i in range(9)})
    assert rows(directory, "SELECT count(*) FROM content") == 1


# leisure


def test_what_nothing_holds_goes_after_an_hour_and_not_before(
    engine: SqliteEngine, directory: Path, forest: Forest, clock: Callable[[float], None]
) -> None:
    files = many(forest, 20)
    forest.bring(engine, VIEW, files)
    forest.bring(engine, VIEW, {**files, "x.py": forest.put(make(["gone"]))})
    forest.bring(engine, VIEW, {**files, "x.py": forest.put(make(["stays"]))})
    clock(3500)
    forest.bring(engine, VIEW, {**files, "y.py": forest.put(make(["y"]))})
    assert rows(directory, "SELECT count(*) FROM posting WHERE name = CAST('gone' AS BLOB)") == 1
    clock(200)
    forest.bring(engine, VIEW, {**files, "x.py": forest.put(make(["stays"]))})
    assert rows(directory, "SELECT count(*) FROM posting WHERE name = CAST('gone' AS BLOB)") == 0
    assert engine.open(VIEW).defining("stays") == ("x.py",)
    assert rows(directory, "SELECT count(*) FROM slice") == rows(directory, "SELECT count(*) FROM content") == 22


def test_edits_do_not_pile_up(
    engine: SqliteEngine, directory: Path, forest: Forest, clock: Callable[[float], None]
) -> None:
    files = many(forest, 30)
    for n in range(150):
        forest.bring(engine, VIEW, {**files, "x.py": forest.put(make([f"edit{n}"]))})
        clock(60)
    assert rows(directory, "SELECT count(*) FROM slice") <= 30 + 62
    assert rows(directory, "SELECT count(*) FROM loose") <= 62


def test_an_unused_base_goes_bit_by_bit(
    engine: SqliteEngine,
    directory: Path,
    forest: Forest,
    clock: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweep, "ROWS", 100)
    first, second = many(forest, 350), many(forest, 350, "x")
    forest.bring(engine, VIEW, first)
    forest.bring(engine, VIEW, second)
    left = []
    for n in range(16):
        clock(3700)
        forest.bring(engine, VIEW, {**second, "x.py": forest.put(make([f"v{n % 2}"]))})
        left.append(rows(directory, "SELECT count(*) FROM base_file"))
    assert left[:5] == [600, 500, 400, 350, 350]
    assert rows(directory, "SELECT count(*) FROM base") == 1
    assert rows(directory, "SELECT count(*) FROM slice") <= 352


def test_a_base_that_is_half_gone_is_not_come_back_to(
    engine: SqliteEngine,
    forest: Forest,
    clock: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweep, "ROWS", 100)
    first, second = many(forest, 350), many(forest, 350, "x")
    forest.bring(engine, VIEW, first)
    forest.bring(engine, VIEW, second)
    clock(3700)
    forest.bring(engine, VIEW, {**second, "x.py": forest.put(make(["x"]))})
    forest.bring(engine, "worktrees/w", first)
    assert engine.open("worktrees/w").paths() == tuple(sorted(first))


def test_a_base_that_is_used_again_stays(engine: SqliteEngine, forest: Forest, clock: Callable[[float], None]) -> None:
    first, second = many(forest, 350), many(forest, 350, "x")
    forest.bring(engine, VIEW, first)
    forest.bring(engine, VIEW, second)
    clock(3000)
    forest.bring(engine, "worktrees/w", first)
    for n in range(9):
        clock(3700)
        forest.bring(engine, VIEW, {**second, "x.py": forest.put(make([f"v{n}"]))})
    view = engine.open("worktrees/w")
    assert view.paths() == tuple(sorted(first))
    assert view.defining("n7_7") == ("d0/f7.py",)


def test_compacting_leaves_what_views_hold_and_gives_the_room_back(
    engine: SqliteEngine, directory: Path, forest: Forest
) -> None:
    files = many(forest, 40)
    forest.bring(engine, VIEW, files)
    engine.compact()
    tight = room(directory)
    forest.bring(engine, "worktrees/w", many(forest, 600, "x"))
    engine.drop("worktrees/w")
    engine.compact()
    assert room(directory) <= 1.1 * tight
    assert rows(directory, "SELECT count(*) FROM path") == 40
    assert engine.open(VIEW).paths() == tuple(sorted(files))


# work


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many hundreds of steps SQLite has made since it was asked last."""
    count = [0]
    connect = database._connect

    def counted() -> int:
        count[0] += 1
        return 0

    def counting(path: Path, mode: str) -> database.Connection:
        connection = connect(path, mode)
        connection.set_progress_handler(counted, 100)
        return connection

    monkeypatch.setattr(database, "_connect", counting)

    def taken() -> int:
        found, count[0] = count[0], 0
        return found

    return taken


def test_work_goes_with_what_changed_and_not_with_what_there_is(
    tmp_path: Path, forest: Forest, steps: Callable[[], int]
) -> None:
    def work(size: int) -> list[int]:
        engine = SqliteEngine(tmp_path / str(size))
        files = many(forest, size)
        start = forest.bring(engine, VIEW, files)
        forest.bring(engine, VIEW, {**files, "x.py": forest.put(make(["x", "y"], ["get"]))})
        changed = {**files, "x.py": forest.put(make(["y", "z"], ["get"])), "d1/f60.py": forest.put(make(["z"]))}
        counts = []
        steps()
        forest.bring(engine, VIEW, changed)
        counts.append(steps())
        forest.bring(engine, "worktrees/w", changed)
        counts.append(steps())
        forest.bring(engine, "worktrees/v", {**changed, "y.py": changed["x.py"]}, since=start and engine.root(VIEW))
        counts.append(steps())
        view = engine.open(VIEW)
        view.defining("z")
        view.slice("d1/f60.py")
        view.has("nowhere.py")
        view.paths_in("d1")
        view.paths_named("f60.py")
        view.languages()
        counts.append(steps())
        return counts

    small, large = work(300), work(3000)
    assert all(many <= 1.3 * few + 3 for few, many in zip(small, large, strict=True)), (small, large)


def test_the_cache_of_decoded_slices_is_bounded_and_keeps_what_was_used_last() -> None:
    cache = SliceCache(max_bytes=100)
    for n in range(10):
        cache.put(n, make([str(n)]), 30)
        cache.get(0)
    assert [n for n in range(10) if cache.get(n)] == [0, 8, 9]
    cache.put(0, make(["again"]), 30)
    cache.put("large", make(["large"]), 1000)
    assert cache.get("large") is not None
    assert cache.get(0) is None


def test_compacting_does_not_wait_for_whoever_reads(engine: SqliteEngine, forest: Forest) -> None:
    forest.bring(engine, VIEW, many(forest, 50))
    with contextlib.closing(engine.open(VIEW)) as view:
        assert view.defining("n0_0")
        started = time.monotonic()
        engine.compact()
        assert time.monotonic() - started < database.BUSY_TIMEOUT / 2
        assert view.defining("n1_0")
