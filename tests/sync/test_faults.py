"""What goes wrong: locks, other writers, older and newer tools, damage, files that fail, and being killed."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from git_graph.errors import Locked, NewerFormat
from git_graph.extract.pool import Result
from git_graph.git.lock import FileLock
from git_graph.git.objects import BLOB, TREE, Entry
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.transaction import Transaction
from git_graph.sync import decide, plan, reconcile

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")


@pytest.fixture
def indexed(repo, graph):
    repo.write("a.py", F)
    repo.write("d/b.py", G)
    repo.commit()
    graph.sync()
    return graph


def republished(graph, **changes):
    """Publish the view again with another basis, as another tool would."""
    repository = graph.repository
    view = views.require(repository, "main-worktree")
    with Transaction(repository) as transaction:
        snapshot = manifest.put_snapshot(transaction, view.snapshot.files, view.basis._replace(**changes))
        root = transaction.tree([Entry(b"snapshot", TREE, snapshot)])
        assert transaction.publish(views.ref_of("main-worktree"), root, view.root)


# others at work


def test_a_lock_that_is_held_too_long_is_a_clear_error_and_an_unchanged_tree_needs_none(repo, indexed):
    repo.git("config", "graph.lockTimeout", "0")
    with FileLock(indexed.repository.graph_dir / "view-main-worktree.lock", 1):
        assert indexed.ask().freshness == "current"
        repo.write("a.py", H)
        with pytest.raises(Locked, match="sync view 'main-worktree'"):
            indexed.sync()
        answer = indexed.ask()
        assert (list(answer.view.defining("h")), answer.warnings[0].split(":")[0]) == (["a.py"], "not-stored")
    assert indexed.defines("h") == ["a.py"] and indexed.ask().warnings == ()


def test_whoever_waited_looks_at_the_tree_again(repo, indexed, monkeypatch):
    """Else the older of two pictures could be published last."""
    repo.write("a.py", H)
    acquire = FileLock.acquire

    def late(lock):
        if "view-" in lock.path.name and not os.environ.get("WAITED"):
            monkeypatch.setenv("WAITED", "1")
            repo.write("a.py", "def later():\n    pass\n")
            return False
        return acquire(lock)

    monkeypatch.setattr(FileLock, "acquire", late)
    assert indexed.defines("later") == ["a.py"]


def test_a_view_that_is_moved_meanwhile_is_planned_again(repo, indexed, monkeypatch):
    from git_graph.errors import RefMoved

    real, calls = views.publish, []

    def beaten(*args, **options):
        calls.append(1)
        if len(calls) < 3:
            raise RefMoved("moved")
        return real(*args, **options)

    monkeypatch.setattr(views, "publish", beaten)
    repo.write("a.py", H)
    assert indexed.sync().published and len(calls) == 3
    calls.clear()
    monkeypatch.setattr(reconcile, "ATTEMPTS", 2)
    repo.write("a.py", F)
    with pytest.raises(RefMoved, match="kept being moved"):
        indexed.sync()


def test_many_processes_at_once_end_in_the_right_view(repo, indexed):
    repo.write("a.py", H)
    code = (
        "from git_graph.git.repository import Repository; from git_graph.sync import sync; sync(Repository.discover())"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=repo.path) for _ in range(3)]
    repo.write("c.py", "def last():\n    pass\n")
    assert [process.wait() for process in running] == [0, 0, 0]
    assert indexed.defines("last") == ["c.py"]
    assert repo.fsck() == ""


# tools of other versions


def test_an_older_tool_answers_from_memory_and_never_publishes_over_a_newer_one(repo, indexed):
    rules = indexed.basis().rules
    republished(indexed, rules={"python": (rules["python"][0] + 1, "f" * 16)}, tool="99.0")
    before = indexed.basis()
    repo.write("a.py", H)
    answer = indexed.ask()
    assert list(answer.view.defining("h")) == ["a.py"]
    assert answer.warnings[0].startswith("older-tool:") and answer.freshness == "dirty-but-indexed"
    assert indexed.basis() == before


def test_a_language_that_this_tool_does_not_know_is_of_a_newer_one(repo, indexed):
    rules = indexed.basis().rules
    republished(indexed, rules={**rules, "klingon": (1, "f" * 16)})
    assert indexed.sync().warnings[0].startswith("older-tool:")


def test_a_newer_format_is_an_error_by_name(repo, indexed):
    repository = indexed.repository
    view = views.require(repository, "main-worktree")
    document = json.loads(view.basis.encode()) | {"format": 99}
    with Transaction(repository) as transaction:
        basis = transaction.blob(json.dumps(document).encode())
        snapshot = transaction.tree([Entry(b"basis", BLOB, basis), Entry(b"files", TREE, view.snapshot.files)])
        root = transaction.tree([Entry(b"snapshot", TREE, snapshot)])
        assert transaction.publish(views.ref_of("main-worktree"), root, view.root)
    for ask in (indexed.sync, indexed.ask, indexed.status):
        with pytest.raises(NewerFormat):
            ask()


def test_a_manifest_by_older_rules_is_taken_over(repo, indexed):
    republished(indexed, rules={"python": (0, "0" * 16)}, tool="0.0.1")
    result = indexed.sync()
    assert (result.published, result.changed, result.warnings) == (True, 0, ())


# damage


@pytest.mark.parametrize("what", ["sync", "engine"])
@pytest.mark.parametrize("damage", ["deleted", "garbage", "emptied"])
def test_a_derived_file_may_be_deleted_or_damaged_at_any_time(repo, indexed, what, damage):
    for file in list(indexed.repository.graph_dir.glob(f"{what}-*")):
        if damage == "deleted":
            file.unlink()
        else:
            file.write_bytes(b"\xff" * 8192 if damage == "garbage" else b"")
    answer = indexed.ask()
    assert (list(answer.view.paths()), answer.freshness) == (["a.py", "d/b.py"], "current")
    repo.write("a.py", H)
    result = indexed.sync()
    assert (result.parsed, result.modified) == (1, 1)
    repo.write("a.py", F)
    assert indexed.sync().parsed == 0


def test_a_lost_slice_is_made_again(repo, indexed):
    slice_id = indexed.stored()["a.py"]
    (repo.path / ".git" / "objects" / slice_id[:2] / slice_id[2:]).unlink()
    for file in indexed.repository.graph_dir.glob("engine-*"):
        file.unlink()
    assert indexed.defines("f") == ["a.py"]
    assert repo.fsck() == ""


def test_a_lost_manifest_is_made_again_and_said_so(repo, indexed):
    root = repo.git("rev-parse", "refs/graph/views/main-worktree:snapshot/files")
    (repo.path / ".git" / "objects" / root[:2] / root[2:]).unlink()
    repo.write("a.py", H)
    result = indexed.sync()
    assert (result.files, result.warnings[0].split(":")[0]) == (2, "rebuilt")
    assert repo.fsck() == ""


def test_a_view_that_cannot_be_read_is_made_again(repo, indexed):
    for file in indexed.repository.graph_dir.glob("sync-*"):
        file.unlink()
    root = repo.git("rev-parse", "refs/graph/views/main-worktree:snapshot")
    (repo.path / ".git" / "objects" / root[:2] / root[2:]).unlink()
    result = indexed.sync()
    assert (result.files, result.warnings[0].split(":")[0]) == (2, "rebuilt")
    assert repo.fsck() == ""


def test_slices_are_learnt_from_manifests_before_anything_is_parsed(repo, indexed):
    for file in indexed.repository.graph_dir.glob("*.sqlite*"):
        file.unlink()
    repo.write("copy.py", F)
    result = indexed.sync()
    assert (result.added, result.parsed) == (1, 0)


# files that fail


def failing(reason):
    def extract(jobs, **options):
        for job in jobs:
            yield Result(job.key, None, reason)

    return extract


@pytest.mark.parametrize("reason", ["timed-out", "crashed"])
def test_a_file_that_fails_is_skipped_named_and_tried_again_later(repo, indexed, monkeypatch, reason):
    repo.write("bad.py", H)
    with monkeypatch.context() as context:
        context.setattr(decide, "extract_many", failing(reason))
        result = indexed.sync()
        assert [(item.path, item.reason, item.attempts) for item in result.skipped] == [("bad.py", reason, 1)]
        assert result.freshness == "dirty-but-indexed"
    assert not indexed.sync().published, "it is too early to try again"
    monkeypatch.setattr(time, "time", lambda now=time.time: now() + 100)
    result = indexed.sync()
    assert (result.parsed, result.skipped) == (1, ())
    assert indexed.defines("h") == ["bad.py"]


def test_a_skipped_file_that_changes_is_tried_at_once_and_one_that_goes_is_forgotten(repo, indexed, monkeypatch):
    for name in ("bad.py", "worse.py"):
        repo.write(name, f"# {name}\n{H}")
    with monkeypatch.context() as context:
        context.setattr(decide, "extract_many", failing("crashed"))
        indexed.sync()
    repo.write("bad.py", "def good():\n    pass\n")
    repo.remove("worse.py")
    result = indexed.sync()
    assert (result.skipped, indexed.defines("good")) == ((), ["bad.py"])


def test_pauses_grow_and_end():
    from git_graph.store.basis import Skipped

    pauses = []
    for attempts in range(1, 30):
        skipped = Skipped("a", "crashed", None, attempts, 1000)
        pauses.append(
            next(pause for pause in (60, 240, 960, 3840, 15360, 61440, 86400) if plan.is_due(skipped, 1000 + pause))
        )
    assert pauses == sorted(pauses) and pauses[0] == 60 and pauses[-1] == 86400
    assert not plan.is_due(Skipped("a", "too-large", None, 1, 0), 1e12)
    assert plan.is_due(Skipped("a", "crashed", None, 1, 10**12), 1000), "a clock that was wrong"


# killed

SCRIPT = """
import os, signal, sys
from git_graph.git.repository import Repository
from git_graph.sync import sync, decide
decide.KEEP_AFTER = decide.KEPT_SHARE = 0.0
from git_graph.extract import pool
real = decide.extract_many
def some(jobs, **options):
    for number, result in enumerate(real(jobs, **options)):
        if number == int(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        yield result
decide.extract_many = some
sync(Repository.discover())
"""


def test_an_interrupted_first_index_keeps_what_it_has_done(repo, graph):
    for number in range(20):
        repo.write(f"f{number}.py", f"def f{number}():\n    pass\n")
    repo.commit()
    done = subprocess.run([sys.executable, "-c", SCRIPT, "12"], cwd=repo.path, check=False)
    assert done.returncode == -signal.SIGKILL
    assert graph.status().initialized is False
    result = graph.sync()
    assert (result.files, result.parsed) == (20, 8)
    assert repo.fsck() == ""


KILLED_AT = """
import os, signal, sys
from git_graph.git.repository import Repository
import git_graph.git.process as process
count, us = 0, os.getpid()
def stop(event, args):
    global count
    if event in ("open", "os.rename", "os.link", "subprocess.Popen", "os.mkdir", "os.remove", "sqlite3.connect"):
        count += 1
        if count == int(sys.argv[1]) and os.getpid() == us:  # else it is a worker, which may crash
            os.kill(os.getpid(), signal.SIGKILL)
from git_graph.sync import sync, apply, decide, opening
from git_graph.engines import sqlite, sqlite_writer
from git_graph.store import transaction
import pygit2
sys.addaudithook(stop)
sync(Repository.discover())
print(count)
"""


def killed_at(repo, step):
    command = [sys.executable, "-c", KILLED_AT, str(step)]
    return subprocess.run(command, cwd=repo.path, capture_output=True, check=False)


def check_kills(repo, indexed, every):
    """Kill a sync at its first, `every`th, ... step until one gets through."""
    first = indexed.stored()
    repo.write("a.py", H)
    repo.write("new.py", "def new():\n    pass\n")
    step = 1
    while (done := killed_at(repo, step)).returncode != 0:
        assert done.returncode == -signal.SIGKILL, done.stderr
        stored = indexed.stored()
        assert stored == first or sorted(stored) == ["a.py", "d/b.py", "new.py"]
        step += every
    assert repo.fsck() == ""
    assert indexed.paths() == ["a.py", "d/b.py", "new.py"]
    assert not indexed.sync().published


def test_killed_somewhere_the_old_manifest_or_the_new_one_is_published(repo, indexed):
    check_kills(repo, indexed, 25)


@pytest.mark.slow
def test_killed_anywhere_the_old_manifest_or_the_new_one_is_published(repo, indexed):
    check_kills(repo, indexed, 1)


# a repository that cannot be written


@pytest.fixture
def unwritable(monkeypatch):
    """As root nothing is unwritable and there may be no mount to be had, so this stands in at our own seam."""

    def make(repository_class=Repository):
        monkeypatch.setattr(repository_class, "writable", lambda self: False)

    return make


def test_where_nothing_can_be_written_the_answer_is_right_and_says_so(repo, indexed, unwritable):
    before = indexed.basis()
    unwritable()
    assert indexed.ask().warnings == ()
    repo.write("a.py", H)
    answer = indexed.ask()
    assert (list(answer.view.defining("h")), answer.freshness) == (["a.py"], "dirty-but-indexed")
    assert answer.warnings[0].startswith("not-stored:")
    assert indexed.basis() == before
    result = indexed.sync()
    assert (result.published, result.parsed, result.warnings[0].split(":")[0]) == (False, 1, "not-stored")


def test_a_linked_worktree_without_any_index_is_answered_from_memory(repo, graph, graph_of, unwritable, tmp_path):
    repo.write("a.py", F)
    repo.commit()
    side = graph_of(repo.worktree(tmp_path / "side"))
    unwritable()
    answer = side.ask()
    assert list(answer.view.defining("f")) == ["a.py"]
    assert not (repo.path / ".git" / "graph").exists()
    assert views.names(graph.repository) == []


def immutable(path, on):
    return (
        subprocess.run(["chattr", "-R", "+i" if on else "-i", path], capture_output=True, check=False).returncode == 0
    )


def test_a_common_directory_that_really_is_unwritable(repo, indexed):
    if not immutable(repo.path / ".git", True):
        pytest.skip("this file system knows no immutable files")
    try:
        answer = indexed.ask()
        assert (type(answer.view).__name__, answer.warnings) == ("SqliteView", ())
        repo.write("a.py", H)
        answer = indexed.ask()
        assert (list(answer.view.defining("h")), answer.warnings[0].split(":")[0]) == (["a.py"], "not-stored")
    finally:
        immutable(repo.path / ".git", False)


def test_a_partial_clone_fetches_what_it_needs_at_once(repo, graph, tmp_path):
    for name in ("a.py", "b.py", "LICENSE", "tool", "c.txt"):
        repo.write(name, f"# {name}\n{F}")
    repo.commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", tmp_path / "partial")
    partial = type(graph)(tmp_path / "partial")
    answer = partial.ask(rev="main")
    assert list(answer.view.paths()) == ["a.py", "b.py"]
    assert answer.snapshot == graph.ask(rev="main").snapshot
