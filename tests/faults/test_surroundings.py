"""What goes wrong around us: no room, no permission, locks and refs of others, prunings, a clock that jumps."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import time

import pytest

from git_graph.git.repository import Repository
from git_graph.store import views
from git_graph.upkeep.collect import collect
from git_graph.upkeep.verify import Wish, verify

SLOW = pytest.mark.slow
DECADE = 10 * 365 * 86400
PRUNE = ("git", "prune", "--expire=now")
SYNC = [sys.executable, "-m", "git_graph", "sync"]


def one_line(done) -> str:
    """What a failed command complained of, which is one line that begins with `fatal:`."""
    text = done.stderr if isinstance(done.stderr, str) else done.stderr.decode()
    assert text.count("\n") == 1 and text.startswith("fatal: "), text
    assert ";" in text, "it must say what to do next"
    return text


# no room


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a few hundred kilobytes."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "none", place], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_is_told_and_room_is_all_it_takes(small_disk, repo, graph_of):
    """Filled to the last block, then a little less, until a sync gets through."""
    small = type(repo)(small_disk / "repo")
    subprocess.run(["git", "init", "-q", "-b", "main", small.path], check=True)
    small.write("a.py", "def f():\n    return 1\n")
    small.write("d/b.py", "def g():\n    return 1\n")
    small.commit()
    graph, filler = graph_of(small), small_disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    told = 0
    while True:
        done = subprocess.run(SYNC, cwd=small.path, capture_output=True, check=False)
        if done.returncode == 0 and b"warning" not in done.stderr:
            break
        told += 1
        assert b"Traceback" not in done.stderr
        if done.returncode:
            one_line(done)
        size = filler.stat().st_size
        assert size, "all the room there is was not enough"
        os.truncate(filler, max(0, size - 8 * 4096))
        assert small.fsck() == ""
    assert told
    os.truncate(filler, 0)
    stored = graph.stored()
    assert sorted(stored) == ["a.py", "d/b.py"] and not graph.sync().published
    assert verify(graph.repository, Wish(extract=True)).found == ()
    assert small.fsck() == ""


@pytest.mark.parametrize("limit", [0, 300, 20_000, *(pytest.param(n, marks=SLOW) for n in (60, 2_000, 70_000))])
def test_where_files_may_not_grow_nothing_is_lost(hurt, limit):
    """As a quota does it: every write beyond so many bytes fails."""
    hurt.graph.sync()
    hurt.change()
    before = hurt.users()

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        SYNC, cwd=hurt.repo.path, capture_output=True, text=True, check=False, preexec_fn=limited
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    if done.returncode:
        one_line(done)
    hurt.check(before)


# no permission

AS_NOBODY = """
import os, sys
from git_graph.git.repository import Repository
from git_graph.sync.answering import answering
os.chdir(sys.argv[1])
import git_graph.engines.memory
from git_graph.extract.extractor import extract
extract("python", b"def f(): pass")
answering(Repository.discover()).view.close()  # so that all is imported while we may read it
os.chdir(sys.argv[2])
os.setgid(65534)
os.setuid(65534)
found = answering(Repository.discover())
print(list(found.view.defining("changed")), [warning.split(":")[0] for warning in found.warnings])
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become somebody else")
def test_whoever_may_not_write_gets_right_answers_and_nothing_is_stored(hurt, make_repo, tmp_path, monkeypatch):
    twin = make_repo("twin")
    for path, content in hurt.users()["files"].items():
        twin.write(path, content)
    hurt.graph.sync()
    hurt.change()
    stored, before = hurt.graph.stored(), hurt.users()
    for place in (tmp_path, *tmp_path.parents[:3]):
        os.chmod(place, os.stat(place).st_mode | 0o055)
    subprocess.run(["chmod", "-R", "a+rX,go-w", hurt.repo.path], check=True)
    for number, (key, value) in enumerate((("safe.directory", "*"), ("graph.jobs", "1"))):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    done = hurt.run(AS_NOBODY, str(twin.path), str(hurt.repo.path))
    assert done.stdout == "['a.py'] ['not-stored']\n", done.stderr
    assert hurt.graph.stored() == stored
    hurt.check(before)


# others


def test_a_lock_that_a_dead_git_left_is_named_and_nothing_waits_for_ever(hurt):
    hurt.graph.sync()
    hurt.change()
    before = hurt.users()
    lock = hurt.repo.path / ".git" / "refs" / "graph" / "views" / "main-worktree.lock"
    lock.touch()
    done = subprocess.run(SYNC, cwd=hurt.repo.path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 128 and str(lock) in one_line(done)
    lock.unlink()
    hurt.check(before)


MEANWHILE = """
import subprocess, sys
from git_graph.git.repository import Repository
from git_graph.store.transaction import Transaction
from git_graph.sync import sync
real, seen = getattr(Transaction, sys.argv[1]), []
def beside(self, *args, **options):
    if not seen:
        seen.append(1)
        subprocess.run(sys.argv[2:], check=True)
    return real(self, *args, **options)
setattr(Transaction, sys.argv[1], beside)
result = sync(Repository.discover())
assert result.published and seen, result
"""


@pytest.mark.parametrize("at", ["publish", "_write", "_move"])
@pytest.mark.parametrize("what", [PRUNE, pytest.param(("git", "gc", "-q", "--prune=now"), marks=SLOW)])
def test_objects_pruned_between_lookup_and_publication_are_made_again(hurt, at, what):
    """The slices to be reused are held by nothing: an edit was taken back after its view had gone."""
    hurt.graph.sync()
    hurt.change()
    hurt.graph.sync()
    views.delete(hurt.graph.repository, "main-worktree")
    before = hurt.users()
    done = hurt.run(MEANWHILE, at, *what)
    assert done.returncode == 0, done.stderr
    hurt.check(before)


def test_a_ref_moved_by_another_is_planned_again(hurt):
    hurt.graph.sync()
    hurt.change()
    before = hurt.users()
    done = hurt.run(MEANWHILE, "publish", "git", "update-ref", "-d", "refs/graph/views/main-worktree")
    assert done.returncode == 0, done.stderr
    hurt.check(before)


def test_git_maintenance_beside_syncs_disturbs_nobody(hurt):
    hurt.graph.sync()
    hurt.change()
    before = hurt.users()
    for command in (
        ("repack", "-adq"), ("maintenance", "run", "--task=loose-objects", "--quiet"),
        ("maintenance", "run", "--task=incremental-repack", "--quiet"), ("multi-pack-index", "write"),
        ("pack-refs", "--all"),
    ):  # fmt: skip
        hurt.repo.git("-c", "core.multiPackIndex=true", *command)
        hurt.repo.write("a.py", f"def changed():\n    return {command!r}\n")
        assert hurt.graph.sync().published
    hurt.repo.write("a.py", "def changed():\n    return 1\n")
    hurt.check(before)


# the derived store


@pytest.mark.parametrize("how", ["missing", "emptied", "truncated", "flipped", "foreign"])
@pytest.mark.parametrize("which", ["*", pytest.param("engine-*", marks=SLOW), pytest.param("sync-*", marks=SLOW)])
def test_derived_files_may_be_hurt_in_any_way(hurt, which, how):
    hurt.graph.sync()
    hurt.change()
    before = hurt.users()
    chance = random.Random(3)
    for file in sorted(hurt.graph.repository.graph_dir.glob(f"{which}.sqlite")):
        data = bytearray(file.read_bytes())
        if how == "missing":
            file.unlink()
        elif how == "foreign":
            file.write_text("somebody else's\n" * 500)
        else:
            if how == "flipped":
                for _ in range(40):
                    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            file.write_bytes(b"" if how == "emptied" else data[: len(data) // 2] if how == "truncated" else data)
    assert hurt.graph.defines("changed") == ["a.py"]
    verify(hurt.graph.repository)
    hurt.check(before)


def test_journals_may_be_hurt_in_any_way(hurt):
    hurt.graph.sync()
    for name in ("journal", "packs", "journal.taken"):
        (hurt.graph.repository.graph_dir / name).write_bytes(b"\xff" * 120 + b"\n" + b"z" * 51 + b"\n")
    hurt.change()
    hurt.graph.sync()
    collect(hurt.graph.repository)
    hurt.check(hurt.users())


def test_the_whole_folder_of_ours_may_go(hurt):
    hurt.graph.sync()
    before = hurt.users()
    shutil.rmtree(hurt.graph.repository.graph_dir)
    result = hurt.graph.sync()
    assert (result.parsed, result.published) == (0, False)
    hurt.check(before)


# the clock


@pytest.mark.parametrize("jump", [-DECADE, DECADE, pytest.param(-3600, marks=SLOW), pytest.param(3600, marks=SLOW)])
def test_a_clock_that_jumps_changes_no_answer(hurt, monkeypatch, jump):
    hurt.graph.sync()
    before = hurt.users()
    real = time.time
    with monkeypatch.context() as context:
        context.setattr(time, "time", lambda: real() + jump)
        hurt.change()
        assert hurt.graph.sync().published
        hurt.repo.write("d/new.py", "def new():\n    return 2\n")
        assert hurt.graph.sync().modified == 1
        collect(hurt.graph.repository)
    hurt.repo.write("d/new.py", "def new():\n    return 3\n")
    assert hurt.graph.sync().modified == 1, "the clock is right again"
    assert verify(Repository.discover(hurt.repo.path), Wish(extract=True)).found == ()
    hurt.repo.write("a.py", before["files"]["a.py"])
    hurt.repo.write("d/e/c.js", before["files"]["d/e/c.js"])
    hurt.repo.remove("d/new.py")
    hurt.check(before)


def test_files_dated_in_the_future_or_the_past_are_read(hurt):
    hurt.graph.sync()
    for when in (1, 4_000_000_000):
        file = hurt.repo.write("a.py", f"def changed():\n    return {when}\n")
        os.utime(file, (when, when))
        assert hurt.graph.sync().modified == 1
        file = hurt.repo.write("a.py", f"def changed():\n    return {when + 1}\n")
        os.utime(file, (when, when))
        assert hurt.graph.sync().modified == 1, "same size, same time, other content"
    hurt.check(hurt.users())


# the parser

PARSER = """
import sys, time, os
from git_graph.sync import decide
from git_graph.extract import pool
from git_graph.git.repository import Repository
from git_graph.sync import sync
def task(language, source, source_id):
    if b"bad" in source:
        if sys.argv[1] == "hang":
            while True: pass
        if sys.argv[1] == "crash":
            os.kill(os.getpid(), 11)
        if sys.argv[1] == "raise":
            raise RuntimeError("no")
        data = []
        while True: data.append(bytearray(50_000_000))
    return pool.encoded_slice(language, source, source_id)
real = decide.extract_many
decide.extract_many = lambda jobs, **options: real(jobs, **(options | {"time_limit": 1.0, "task": task}))
pool.MEMORY_LIMIT = 200_000_000
result = sync(Repository.discover())
print([(item.path, item.reason) for item in result.skipped], result.files)
"""


@pytest.mark.parametrize(
    ("how", "reason"), [("hang", "timed-out"), ("crash", "crashed"), ("raise", "crashed"), ("memory", "crashed")]
)
def test_a_parser_that_fails_costs_that_file_only(hurt, how, reason):
    hurt.repo.write("x_bad.py", "def bad():\n    pass\n")
    before = hurt.users()
    done = hurt.run(PARSER, how, timeout=120)
    assert done.stdout == f"[('x_bad.py', '{reason}')] 4\n", done.stderr
    os.utime(hurt.repo.path / "x_bad.py")
    hurt.graph.sync(full=True)
    shutil.rmtree(hurt.graph.repository.graph_dir)
    views.delete(hurt.graph.repository, "main-worktree")
    hurt.check(before)
