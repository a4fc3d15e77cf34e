"""What may happen to the engine's file: damage, crowds, kills, and places where nothing can be written."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from engine_samples import Forest, differences, make, tree

from git_graph import codec
from git_graph.engines import Corrupt, database, sweep
from git_graph.engines.database import SCHEMA_VERSION
from git_graph.engines.protocol import FileChange
from git_graph.engines.sqlite import SqliteEngine
from git_graph.errors import DiskFull, Locked, NotWritable

VIEW = "main-worktree"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "graph"


@pytest.fixture
def files(forest: Forest) -> dict[str, str]:
    """Enough files for an index of several pages."""
    return {f"d{n % 7}/f{n}.py": forest.put(make([f"name_{n}_{i}" for i in range(12)], ["used"])) for n in range(60)}


def file_of(directory: Path) -> Path:
    (file,) = directory.glob("engine-*.sqlite")
    return file


def answers(engine: SqliteEngine) -> list[object]:
    """Answers that read every table and every slice."""
    view = engine.open(VIEW)
    with contextlib.closing(view):
        slices = [view.slice(path) for path in view.paths()]
        return [
            view.paths(), slices, view.symbol_names(), view.languages(), view.referring("used"),
            view.defining("name_3_3"), view.paths_in("d3"), view.paths_named("f3.py"), view.paths_of_language("python"),
        ]  # fmt: skip


def answers_or_rebuilds(engine: SqliteEngine, forest: Forest, files: dict[str, str]) -> tuple[list[object], bool]:
    """What whoever answers a question does; and whether it had to bring the view again."""
    for attempt in range(2):
        try:
            if engine.root(VIEW) is None:
                forest.bring(engine, VIEW, files)
            return answers(engine), attempt > 0
        except Corrupt:
            assert engine.root(VIEW) is None, "a damaged file is thrown away at once"
    raise AssertionError("it is damaged again")


# damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"not a database at all, but long enough to be one" * 100,
        lambda data: data[:100],
        lambda data: data[:4096],
        lambda data: data[: len(data) // 2],
        lambda data: data[:-4096],
        lambda data: bytes(100) + data[100:],
        lambda data: data[:4096] + bytes(len(data) - 4096),
    ],
    ids=[
        "emptied",
        "not-a-database",
        "in-its-header",
        "one-page",
        "half",
        "without-its-last-page",
        "no-header",
        "zeros",
    ],
)
def test_a_damaged_file_is_thrown_away_and_built_again(
    directory: Path, forest: Forest, files: dict[str, str], damage: Callable[[bytes], bytes]
) -> None:
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    right, file = answers(engine), file_of(directory)
    file.write_bytes(damage(file.read_bytes()))
    again, _ = answers_or_rebuilds(SqliteEngine(directory), forest, files)
    assert again == right
    file_of(directory)  # and there is only one


def test_no_page_can_be_lost_unnoticed(directory: Path, forest: Forest, files: dict[str, str]) -> None:
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    right, whole = answers(engine), file_of(directory).read_bytes()
    rebuilt = 0
    for start in range(0, len(whole), 4096):
        file_of(directory).write_bytes(whole[:start] + bytes(4096) + whole[start + 4096 :])
        again, anew = answers_or_rebuilds(SqliteEngine(directory), forest, files)
        assert again == right, f"page at {start}"
        rebuilt += anew
    assert rebuilt > 10


def test_a_byte_that_changed_in_a_slice_is_noticed(directory: Path, forest: Forest, files: dict[str, str]) -> None:
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    right, file = answers(engine), file_of(directory)
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        (data,) = db.execute("SELECT data FROM content WHERE n = 7").fetchone()
        db.execute("UPDATE content SET data = ? WHERE n = 7", (data[:-9] + b"\x05" + data[-8:],))
    again, anew = answers_or_rebuilds(SqliteEngine(directory), forest, files)
    assert again == right
    assert anew


def test_a_byte_that_changed_in_a_slice_is_noticed_when_it_is_removed(
    directory: Path, forest: Forest, files: dict[str, str]
) -> None:
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    with contextlib.closing(sqlite3.connect(file_of(directory))) as db, db:
        (data,) = db.execute("SELECT data FROM content WHERE n = 7").fetchone()
        db.execute("UPDATE content SET data = ? WHERE n = 7", (b"\x00" + data[1:],))
    engine.drop(VIEW)
    with pytest.raises(Corrupt):
        engine.compact()
    assert engine.root(VIEW) is None, "a damaged file is thrown away at once"
    forest.bring(engine, VIEW, files)
    engine.compact()
    assert engine.audit() == []


def test_a_file_with_slices_of_an_earlier_format_is_not_read_and_goes(
    directory: Path, forest: Forest, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = 100 * database.TABLES_VERSION + codec.FORMAT - 1
    with monkeypatch.context() as earlier:
        earlier.setattr(database, "SCHEMA_VERSION", before)
        forest.bring(SqliteEngine(directory), VIEW, files)
        assert file_of(directory).name == f"engine-{before}.0.sqlite"
    engine = SqliteEngine(directory)
    assert engine.root(VIEW) is None
    forest.bring(engine, VIEW, files)
    assert file_of(directory).name == f"engine-{SCHEMA_VERSION}.0.sqlite"
    assert engine.open(VIEW).paths() == tuple(sorted(files))


def test_damage_that_an_open_view_meets_leaves_an_engine_that_works(
    directory: Path, forest: Forest, files: dict[str, str]
) -> None:
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    right, file = answers(engine), file_of(directory)
    view = engine.open(VIEW)
    file.write_bytes(file.read_bytes()[:8192])
    with pytest.raises(Corrupt):
        view.symbol_names()
    assert file_of(directory).name == f"engine-{SCHEMA_VERSION}.1.sqlite", "nobody may begin again under the old name"
    assert answers_or_rebuilds(engine, forest, files)[0] == right


def test_damage_that_a_bring_meets_leaves_an_engine_that_works(
    directory: Path, forest: Forest, files: dict[str, str]
) -> None:
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    file = file_of(directory)
    file.write_bytes(file.read_bytes()[:8192])
    with pytest.raises(Corrupt):
        forest.bring(engine, VIEW, {"a.py": forest.put(make(["fresh"]))})
    assert engine.root(VIEW) is None
    forest.bring(engine, VIEW, files)
    assert engine.open(VIEW).paths() == tuple(sorted(files))


def test_someone_elses_database_under_our_name_is_no_engine(
    directory: Path, forest: Forest, files: dict[str, str]
) -> None:
    directory.mkdir()
    with contextlib.closing(sqlite3.connect(directory / f"engine-{SCHEMA_VERSION}.0.sqlite")) as db, db:
        db.execute("CREATE TABLE theirs(x)")
        db.execute("PRAGMA user_version = 77")
    engine = SqliteEngine(directory)
    with pytest.raises(Corrupt):
        engine.root(VIEW)
    assert engine.root(VIEW) is None
    forest.bring(engine, VIEW, files)
    assert len(answers(engine)[0]) == len(files)


def test_a_check_reads_the_whole_file(directory: Path, forest: Forest, files: dict[str, str]) -> None:
    engine = SqliteEngine(directory)
    engine.check()
    forest.bring(engine, VIEW, files)
    engine.check()
    file = file_of(directory)
    file.write_bytes(file.read_bytes()[:-4096])
    with pytest.raises(Corrupt):
        engine.check()
    assert engine.root(VIEW) is None


def test_a_process_that_has_the_damaged_file_open_does_not_harm_its_successor(
    directory: Path, forest: Forest, files: dict[str, str]
) -> None:
    engine, other = SqliteEngine(directory), SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    old = other.open(VIEW)
    file_of(directory).write_bytes(file_of(directory).read_bytes()[:8192])
    with pytest.raises(Corrupt):
        answers(engine)
    forest.bring(engine, VIEW, files)
    right = answers(engine)
    with contextlib.suppress(Corrupt):
        old.symbol_names()
    assert answers(engine) == right
    forest.bring(other, VIEW, {**files, "x.py": forest.put(make(["x"]))})
    assert engine.open(VIEW).defining("x") == ("x.py",)
    engine.check()


# crowds


def run(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """A Python of its own that has the helpers of these tests."""
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n" + textwrap.dedent(script)
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


PREAMBLE = """
from pathlib import Path
from engine_samples import Forest, make
from git_graph.engines.sqlite import SqliteEngine
engine, forest, me = SqliteEngine(Path(sys.argv[1])), Forest(), sys.argv[2]

def state(n):
    return {f"p{i}.py": forest.put(make([f"n{n}", f"only{n}_{i}"], ["used"])) for i in range(20)}
"""

WRITER = (
    PREAMBLE
    + """
for n in range(int(sys.argv[3])):
    if n % 5 == 4:
        engine.drop(me)
    forest.bring(engine, me, state(n % 4))
"""
)

READER = (
    PREAMBLE
    + """
import time
until, seen = time.monotonic() + float(sys.argv[3]), set()
while time.monotonic() < until:
    try:
        view = engine.open(me)
    except KeyError:
        continue
    names = [name for name in view.symbol_names("n?")]
    assert len(names) == 1, names
    n = names[0][1:]
    seen.add(n)
    assert len(view.paths()) == len(view.defining(f"n{n}")) == 20
    assert all(f"only{n}_{i}" in view.slice(f"p{i}.py").strings for i in range(20))
    view.close()
print(len(seen))
"""
)


def finish(*processes: subprocess.Popen[str]) -> list[str]:
    outputs = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        outputs.append(out)
    return outputs


def test_readers_see_one_root_each_while_others_write(directory: Path) -> None:
    writers = [run(WRITER, directory, name, "25") for name in ("a", "b")]
    readers = [run(READER, directory, name, "2.5") for name in ("a", "b")]
    seen = finish(*writers, *readers)
    assert all(int(count) > 0 for count in seen[2:])
    SqliteEngine(directory).check()


def test_many_may_make_the_file_at_once(directory: Path) -> None:
    finish(*(run(WRITER, directory, f"view{n}", "1") for n in range(6)))
    engine = SqliteEngine(directory)
    assert engine.views() == [f"view{n}" for n in range(6)]
    engine.check()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_writer_killed_at_any_moment_leaves_the_old_root_or_the_new(directory: Path) -> None:
    chance = random.Random(7)
    endless = PREAMBLE + "n = 0\nprint('on', flush=True)\nwhile True:\n    n += 1; forest.bring(engine, me, state(n))\n"
    for _ in range(6):
        process = run(endless, directory, VIEW)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0.005, 0.12))
        process.kill()
        process.communicate()
        engine = SqliteEngine(directory)
        if engine.root(VIEW) is None:
            continue
        view = engine.open(VIEW)
        (name,) = view.symbol_names("n*")
        assert len(view.defining(name)) == len(view.paths()) == 20
        assert all(view.slice(path) is not None for path in view.paths())
        view.close()
        engine.check()


def test_a_file_that_another_holds_for_too_long_is_locked(
    directory: Path, forest: Forest, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = SqliteEngine(directory)
    root = forest.bring(engine, VIEW, files)
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.1)
    with contextlib.closing(sqlite3.connect(file_of(directory), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked):
            forest.bring(engine, VIEW, {})
        assert engine.root(VIEW) == root
        assert engine.open(VIEW).paths() == tuple(sorted(files))
        other.execute("ROLLBACK")
    forest.bring(engine, VIEW, {})
    assert engine.open(VIEW).paths() == ()


def test_a_view_that_moves_while_its_changes_are_staged_takes_in_everything(
    directory: Path, forest: Forest, files: dict[str, str]
) -> None:
    engine, other = SqliteEngine(directory), SqliteEngine(directory)
    start = forest.bring(engine, VIEW, files)
    after = {**files, "x.py": forest.put(make(["x"]))}

    def read(ids: list[str]) -> Iterator[tuple[str, bytes]]:
        if engine.root(VIEW) == start:
            forest.bring(other, VIEW, {"elsewhere.py": files["d3/f3.py"]})
        return forest.read(ids)

    changes = differences(files, after)
    engine.bring(VIEW, forest.snapshot(VIEW, after), tree(after), changes, after.items, read, start)
    assert engine.open(VIEW).paths() == tuple(sorted(after))


def test_a_slice_that_is_swept_while_changes_are_staged_is_read_again(
    directory: Path, forest: Forest, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, other = SqliteEngine(directory), SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    forest.bring(engine, VIEW, {**files, "x.py": (loose := forest.put(make(["loose"])))})
    forest.bring(engine, VIEW, files)
    after = {**files, "x.py": loose, "y.py": forest.put(make(["y"]))}

    def read(ids: list[str]) -> Iterator[tuple[str, bytes]]:
        if loose not in ids:
            monkeypatch.setattr(sweep, "LEISURE", -10)
            forest.bring(other, "worktrees/w", {})
        return forest.read(ids)

    engine.bring(VIEW, "s", "t", differences(files, after), dict, read)
    assert forest.read_ids[-2:] == [after["y.py"], loose]
    assert engine.open(VIEW).defining("loose") == ("x.py",)


# places


def test_no_room_is_said_and_leaves_the_old_root(
    directory: Path, forest: Forest, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = SqliteEngine(directory)
    root = forest.bring(engine, VIEW, files)
    writer = database.Database.writer

    def cramped(self: database.Database) -> database.Connection:
        connection = writer(self)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(database.Database, "writer", cramped)
        with pytest.raises(DiskFull):
            forest.bring(engine, VIEW, {f"n{n}.py": forest.put(make([f"z{n}" * 50])) for n in range(100)})
    assert engine.root(VIEW) == root
    assert engine.open(VIEW).paths() == tuple(sorted(files))


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A directory that another user can reach."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name) / "graph"


NOBODY = """
import os
import git_graph.engines.sqlite, git_graph.engines.sqlite_writer, git_graph.engines.sweep
if os.geteuid() == 0:  # who may write everywhere
    os.setegid(65534)
    os.seteuid(65534)
"""


def as_nobody(script: str, *arguments: str | Path) -> list[str]:
    """The lines that a script prints that may write nowhere."""
    return finish(run(NOBODY + textwrap.dedent(script), *arguments))[0].splitlines()


QUESTION = """
from pathlib import Path
from git_graph.engines.sqlite import SqliteEngine
from git_graph.errors import NotWritable
engine = SqliteEngine(Path(sys.argv[1]))
view = engine.open("main-worktree")
print(len(view.paths()), *view.defining("name_3_3"))
view.close()
try:
    engine.bring("main-worktree", "s", "t", [], dict, lambda ids: iter(()))
except NotWritable:
    print("not writable")
"""
ANSWER = ["60 d3/f3.py", "not writable"]

needs_users = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no permissions here")


@needs_users
def test_a_directory_that_cannot_be_written_can_be_read(elsewhere: Path, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(SqliteEngine(elsewhere), VIEW, files)
    elsewhere.chmod(0o555)
    try:
        assert as_nobody(QUESTION, elsewhere) == ANSWER
    finally:
        elsewhere.chmod(0o755)


@needs_users
def test_it_can_be_read_while_others_have_it_open(elsewhere: Path, forest: Forest, files: dict[str, str]) -> None:
    engine = SqliteEngine(elsewhere)
    forest.bring(engine, VIEW, {})
    held = engine.open(VIEW)
    forest.bring(engine, VIEW, files)
    elsewhere.chmod(0o555)
    try:
        assert as_nobody(QUESTION, elsewhere) == ANSWER
    finally:
        elsewhere.chmod(0o755)
    held.close()


@needs_users
def test_it_can_be_read_after_a_writer_was_killed(elsewhere: Path, forest: Forest, files: dict[str, str]) -> None:
    script = (
        PREAMBLE
        + """
held = SqliteEngine(Path(sys.argv[1])).open(me)
forest.snapshot(me, {})
files = {f"d{n % 7}/f{n}.py": forest.put(make([f"name_{n}_{i}" for i in range(12)], ["used"])) for n in range(60)}
forest.bring(engine, me, files)
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    forest.bring(SqliteEngine(elsewhere), VIEW, {})
    run(script, elsewhere, VIEW).communicate(timeout=60)
    assert list(elsewhere.glob("*-wal"))
    elsewhere.chmod(0o555)
    try:
        assert as_nobody(QUESTION, elsewhere) == ANSWER
    finally:
        elsewhere.chmod(0o755)


@needs_users
def test_a_damaged_file_that_cannot_be_removed_counts_as_none(elsewhere: Path) -> None:
    elsewhere.mkdir()
    (elsewhere / f"engine-{SCHEMA_VERSION}.0.sqlite").write_bytes(b"nonsense" * 1000)
    elsewhere.chmod(0o555)
    script = """
    from pathlib import Path
    from git_graph.engines import Corrupt
    from git_graph.engines.sqlite import SqliteEngine
    engine = SqliteEngine(Path(sys.argv[1]))
    try:
        engine.root("main-worktree")
    except Corrupt:
        print(engine.root("main-worktree"), engine.views())
    """
    try:
        assert as_nobody(script, elsewhere) == ["None []"]
    finally:
        elsewhere.chmod(0o755)


def test_there_is_nothing_to_read_where_nothing_was_written(directory: Path) -> None:
    engine = SqliteEngine(directory)
    assert engine.root(VIEW) is None
    assert engine.views() == []
    engine.drop(VIEW)
    with pytest.raises(KeyError):
        engine.open(VIEW)
    assert not directory.exists()


def test_a_directory_that_cannot_be_made_is_not_writable(tmp_path: Path, forest: Forest) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotWritable):
        forest.bring(SqliteEngine(tmp_path / "file" / "graph"), VIEW, {})


def test_odd_directory_names_are_fine(tmp_path: Path, forest: Forest, files: dict[str, str]) -> None:
    directory = tmp_path / "a b%20?x#y&mode=ro é\udcff"
    engine = SqliteEngine(directory)
    forest.bring(engine, VIEW, files)
    assert len(answers(engine)[0]) == len(files)
    assert engine.open(VIEW).slice("d3/f3.py") is not None
    engine.bring(VIEW, "s", "t", [FileChange("d3/f3.py", None)], dict, forest.read)
    assert not engine.open(VIEW).has("d3/f3.py")
