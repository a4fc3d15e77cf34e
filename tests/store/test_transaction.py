from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from store_samples import BASIS, content_of, publish

from git_graph.errors import Locked, MissingObject, RefMoved
from git_graph.git.lock import FileLock
from git_graph.git.loose import object_id
from git_graph.git.objects import BLOB, EMPTY_TREE, Entry
from git_graph.git.repository import Repository
from git_graph.store import manifest, transaction, views
from git_graph.store.transaction import PACK_FROM, Transaction

REF = "refs/graph/views/test"


@pytest.fixture
def repository(repo) -> Repository:
    return Repository.discover(repo.path)


def counts(repo) -> tuple[int, int]:
    """Loose objects and packs."""
    words = dict(line.split(": ") for line in repo.git("count-objects", "-v").splitlines())
    return int(words["count"]), int(words["packs"])


def test_new_objects_are_read_back_before_they_are_written(repo, repository):
    with Transaction(repository) as made:
        blob = made.blob(b"x")
        tree = made.tree([Entry(b"b", BLOB, blob), Entry(b"a", BLOB, blob)])
        assert made.read_blob(blob) == b"x"
        assert made.read_tree(tree) == [Entry(b"a", BLOB, blob), Entry(b"b", BLOB, blob)]
        with pytest.raises(MissingObject):
            made.read_tree("1" * 40)
    assert counts(repo) == (0, 0), "nothing is written that nobody published"


def test_few_objects_are_loose_and_many_are_one_pack(repo, repository):
    publish(repository, {b"a": b"1"})
    assert counts(repo) == (5, 0)
    publish(repository, {b"%d" % n: b"%d" % n for n in range(PACK_FROM)})
    assert counts(repo) == (5, 1)
    assert list(repository.packs.directory.glob("*.keep")) == []
    assert repo.fsck() == ""


def test_while_gc_runs_even_few_and_known_objects_are_a_kept_pack(repo, repository):
    publish(repository, {b"a": b"1"})
    (repo.path / ".git" / "gc.pid").write_text(f"{os.getpid()} {os.uname().nodename}")
    with Transaction(repository) as made:
        known = object_id("blob", b"1")
        assert made.reuse([known]) == set()
        tree = made.tree([Entry(b"x", BLOB, known)])
        made.publish(REF, tree, None)
    (index,) = repository.packs.indexes()
    assert known in index and tree in index


def test_what_is_there_already_is_not_written_again(repo, repository):
    view = publish(repository, {b"%d" % n: b"%d" % n for n in range(PACK_FROM)})
    before = counts(repo)
    for path in (repo.path / ".git" / "objects").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o444)
    with Transaction(repository) as made:
        for n in range(PACK_FROM):
            made.blob(b"%d" % n)
        made.publish(REF, view.snapshot.files, None)
    assert counts(repo) == before


def old(path) -> None:
    past = time.time() - 30 * 24 * 3600
    os.utime(path, (past, past))


def test_reused_objects_survive_a_pruning_of_what_is_old(repo, repository):
    """Loose ones are freshened; packed ones are written again, loose, because a cruft pack keeps ages of its own."""
    repo.commit()
    loose = object_id("blob", b"loose")
    repository.loose.write(loose, "blob", b"loose")
    old(repository.loose.path(loose))
    packed = object_id("blob", b"packed")
    kept = repository.packs.write([("blob", b"packed")])
    kept.release()
    old(kept.pack)
    with Transaction(repository) as made:
        assert made.reuse([loose, packed, "1" * 40]) == {"1" * 40}
        made.tree([])
        assert made.publish(REF, EMPTY_TREE, None)
    repo.git("gc", "-q")
    assert repository.objects.present([loose, packed]) == {loose, packed}


def test_a_reused_object_that_is_pruned_meanwhile_means_plan_again(repository):
    id = object_id("blob", b"x")
    repository.loose.write(id, "blob", b"x")
    with Transaction(repository) as made:
        made.reuse([id])
        tree = made.tree([Entry(b"x", BLOB, id)])
        repository.loose.remove(id)
        with pytest.raises(RefMoved, match=id):
            made.publish(REF, tree, None)
    assert repository.refs.read(REF) is None


def test_a_gc_that_takes_objects_from_under_a_moving_ref_is_undone_or_made_good(repo, repository, monkeypatch):
    """The objects vanish between their writing and the moving of the ref, as under `git gc --prune=now`."""
    update = repository.refs.update

    def publish_while_vanishing(vanish: list[str], data: bytes) -> str:
        def move(ref, new, old):
            for id in vanish or [new]:
                repository.loose.remove(id)
            vanish[:] = ["none"]
            (repo.path / ".git" / "gc.pid.lock").touch()
            (repo.path / ".git" / "gc.pid.lock").unlink()
            return update(ref, new, old)

        with Transaction(repository) as made:
            made.reuse([reused])
            tree = made.tree([Entry(b"new", BLOB, made.blob(data)), Entry(b"old", BLOB, reused)])
            monkeypatch.setattr(repository.refs, "update", move)
            try:
                assert made.publish(REF, tree, repository.refs.read(REF))
            finally:
                monkeypatch.setattr(repository.refs, "update", update)
        return tree

    reused = object_id("blob", b"reused")
    repository.loose.write(reused, "blob", b"reused")
    first = publish_while_vanishing([], b"1")
    assert repository.refs.read(REF) == first and repo.fsck() == "", "the tree that the ref was to point to"
    second = publish_while_vanishing([object_id("blob", b"2")], b"2")
    assert repository.refs.read(REF) == second and repo.fsck() == "", "a blob, noticed after the ref had moved"
    repository.packs.indexes()[0].remove()
    repository.loose.write(reused, "blob", b"reused")
    before = repository.refs.read(REF)
    with pytest.raises(RefMoved, match=reused):
        publish_while_vanishing([reused], b"3")
    assert repository.refs.read(REF) == before, "one whose bytes nobody has any more"


def test_a_lot_is_written_as_it_gathers_and_kept(repo, repository, monkeypatch):
    monkeypatch.setattr(transaction, "FLUSH_BYTES", 10_000)
    with Transaction(repository) as made:
        files = {b"f%d" % n: made.blob(b"%d" % n * 1000) for n in range(20)}
        keeps = list(repository.packs.directory.glob("*.keep"))
        assert len(keeps) >= 2
        repo.commit()
        repo.git("gc", "-q", "--prune=now")
        tree = manifest.build(made, files)
        view, _ = views.publish(made, "main-worktree", tree, BASIS, None)
    assert list(repository.packs.directory.glob("*.keep")) == []
    assert len(content_of(repository, view.snapshot.files)) == 20
    assert repo.fsck() == ""


def test_a_failure_releases_what_was_kept(repository):
    with pytest.raises(ZeroDivisionError), Transaction(repository) as made:
        made.blob(b"x")
        made.flush()
        assert list(repository.packs.directory.glob("*.keep"))
        raise ZeroDivisionError
    assert list(repository.packs.directory.glob("*.keep")) == []
    assert list((repository.graph_dir / "alive").iterdir()) == []


def test_publications_wait_for_each_other_and_not_for_ever(repo, repository):
    repo.git("config", "graph.lockTimeout", "0")
    held = FileLock(repository.make_graph_dir() / "store.lock", 1)
    repository = Repository.discover(repo.path)
    with held, pytest.raises(Locked, match=r"store\.lock"):
        publish(repository, {b"a": b"1"})
    publish(repository, {b"a": b"1"})


def test_racing_a_nonstop_gc_that_prunes_at_once_loses_nothing(repo, repository):
    repo.commit()
    gc = "while :; do git gc -q --prune=now 2>/dev/null; done"
    collector = subprocess.Popen(["sh", "-c", gc], cwd=repo.path, start_new_session=True)
    try:
        until, n = time.monotonic() + 4, 0
        while time.monotonic() < until:
            n += 1
            try:
                view = publish(repository, {b"d%d/f" % i: b"%d" % (n * 10 + i) for i in range(5)})
            except (RefMoved, MissingObject):
                continue
            repository.objects.close()
            assert len(content_of(repository, view.snapshot.files)) == 5
    finally:
        os.killpg(collector.pid, 9)
        collector.wait()
    for left in ("gc.pid", "gc.pid.lock", "packed-refs.lock"):
        (repo.path / ".git" / left).unlink(missing_ok=True)
    assert n > 10 and repo.fsck() == ""


NOBODY = """
import os
from git_graph.errors import NotWritable
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.basis import Basis
from git_graph.store.transaction import Transaction
def publish(count, name, expected):
    with Transaction(repository) as transaction:
        tree = manifest.build(transaction, {b"d%d/f" % n: transaction.blob(b"new %d" % n) for n in range(count)})
        views.publish(transaction, name, tree, Basis("1", {}), expected)
repository = Repository.discover()
for count in (2, 150):  # so that everything is imported while it can be read
    publish(count, f"worktrees/{count}", None)
os.setgid(65534), os.setuid(65534)
repository = Repository.discover()
assert not repository.writable()
view = views.require(repository, "main-worktree")
print(sorted(path for path, _ in manifest.walk(repository, view.snapshot.files)), flush=True)
for count in (3, 200):
    try:
        publish(count, "main-worktree", view)
    except NotWritable as error:
        print(error.message, error.hint, flush=True)
with Transaction(repository) as transaction:
    transaction.blob(b"x")
    try:
        transaction.flush()
    except NotWritable as error:
        print(error.message, flush=True)
try:
    repository.refs.update("refs/graph/views/x", view.root, None)
except NotWritable as error:
    print(error.message, flush=True)
"""


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="needs to become another user")
def test_where_nothing_can_be_written_everything_can_be_read(monkeypatch, sealed):
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        subprocess.run(["git", "init", "-q", place], check=True)
        publish(Repository.discover(Path(place)), {b"a": b"1"})
        for name, value in {"COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": "*"}.items():
            monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
        monkeypatch.setenv("HOME", place)
        monkeypatch.setenv("XDG_CONFIG_HOME", place)
        done = subprocess.run([sys.executable, "-c", NOBODY], cwd=place, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        assert not done.returncode, done.stderr
        assert lines[0] == "[b'a']" and len(lines) == 5, lines
        assert all(line.startswith("cannot write") for line in lines[1:])


KILLED = """
import os, sys, signal
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.basis import Basis
from git_graph.store.transaction import Transaction
repository = Repository.discover()
count, at = int(sys.argv[1]), int(sys.argv[2])
calls = 0
def hook(event, args):
    global calls
    if event in ("open", "os.rename", "subprocess.Popen", "os.remove", "os.mkdir"):
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
view = views.read(repository, "main-worktree")
sys.addaudithook(hook)
with Transaction(repository) as transaction:
    files = {b"d%d/f" % n: transaction.blob(b"new %d" % n) for n in range(count)}
    tree = manifest.build(transaction, files)
    views.publish(transaction, "main-worktree", tree, Basis("1", {}), view)
print("done")
"""


@pytest.mark.parametrize("count", [3, PACK_FROM])
def test_killed_at_any_step_the_old_manifest_or_the_new_one_is_there(repo, repository, count):
    before = publish(repository, {b"old": b"1"})
    states = set()
    for at in range(1, 200, 3 if count == 3 else 1):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(count), str(at)], cwd=repo.path, capture_output=True, check=False
        )
        view = views.require(repository, "main-worktree")
        size = len(content_of(repository, view.snapshot.files))
        states.add(size)
        assert size in (1, count), "a mixture"
        if b"done" in done.stdout:
            break
        assert done.returncode == -9, done.stderr
        if size == count:
            assert views.delete(repository, "main-worktree")
            before = publish(repository, {b"old": b"1"})
    assert states == {1, count} and before
    assert repo.fsck() == ""
    repository.packs.sweep()
    assert list(repository.packs.directory.glob("*.keep")) == []
