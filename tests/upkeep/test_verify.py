"""What `git graph verify` finds, and that what it says it mended is mended."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess

import pytest

from git_graph import codec
from git_graph.extract.extractor import extract
from git_graph.git.objects import TREE, Entry
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.transaction import Transaction
from git_graph.upkeep import findings
from git_graph.upkeep.collect import collect
from git_graph.upkeep.verify import Wish, verify

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")
LOOK = Wish(mend=False)
SELDOM = [pytest.param(how, marks=pytest.mark.slow) for how in ("truncated", "flipped")]


@pytest.fixture
def indexed(repo, graph):
    """Two commits' worth of files, an edit, a history of three."""
    repo.write("a.py", F)
    repo.write("d/b.py", G)
    repo.write("d/e/c.js", "export function c() { return 1 }\n")
    repo.commit()
    graph.sync()
    repo.write("a.py", H)
    graph.sync()
    repo.write("new.py", F)
    graph.sync()
    return graph


def codes(done):
    return sorted({finding.code for finding in done.found})


def object_file(repo, id):
    return repo.path / ".git" / "objects" / id[:2] / id[2:]


def damage(file, how):
    file.chmod(0o644)
    data = bytearray(file.read_bytes())
    if how == "missing":
        file.unlink()
        return
    if how == "emptied":
        data = bytearray()
    elif how == "truncated":
        data = data[: len(data) // 2]
    else:
        data[len(data) // 2] ^= 0x10
    file.write_bytes(data)


def assert_whole(repo, graph, before):
    """As after a clean rebuild, git content, and the next sync has nothing to do."""
    assert graph.stored() == before
    assert repo.fsck() == ""
    assert repo.said("gc", "-q", "--prune=now") == ""
    assert not graph.sync().published
    assert graph.defines("h") == ["a.py"] and graph.defines("g") == ["d/b.py"]
    again = verify(graph.repository, Wish(extract=True))
    assert again.found == () and again.unverifiable == 0


def test_a_sound_repository_is_found_to_be_sound(repo, indexed, graph_of, tmp_path):
    graph_of(repo.worktree(tmp_path / "side")).sync()
    done = verify(indexed.repository, Wish(extract=True))
    assert (done.found, done.views, done.snapshots) == ((), 2, 4)
    assert (done.extracted, done.unverifiable) == (done.slices, 0)
    assert verify(indexed.repository, Wish(extract=True, sample=2)).extracted == 2


@pytest.mark.parametrize("how", ["missing", "truncated", "flipped", "emptied"])
@pytest.mark.parametrize("path", ["a.py", pytest.param("d/b.py", marks=pytest.mark.slow)])
def test_a_lost_slice_is_named_and_extracted_again(repo, indexed, how, path):
    before = indexed.stored()
    damage(object_file(repo, before[path]), how)
    looked = verify(indexed.repository, LOOK)
    assert {(f.view, f.path) for f in looked.left if f.sequence is None} == {("main-worktree", path)}
    assert set(codes(looked)) <= {findings.MISSING, findings.DAMAGED}
    done = verify(indexed.repository)
    assert done.left == () and {finding.mended for finding in done.found} == {"extracted again"}
    assert_whole(repo, indexed, before)


def test_a_lost_slice_is_made_again_also_where_nothing_is_remembered(repo, indexed):
    before = indexed.stored()
    object_file(repo, before["a.py"]).unlink()
    shutil.rmtree(indexed.repository.graph_dir)
    done = verify(indexed.repository)
    assert done.left == () and codes(done) == [findings.MISSING]
    assert_whole(repo, indexed, before)


@pytest.mark.parametrize("how", ["missing", *SELDOM])
@pytest.mark.parametrize("what", ["", ":snapshot", ":snapshot/basis", ":snapshot/files", ":snapshot/files/=d"])
def test_a_manifest_that_cannot_be_read_is_made_again(repo, indexed, what, how):
    before = indexed.stored()
    damage(object_file(repo, repo.git("rev-parse", f"refs/graph/views/main-worktree{what}")), how)
    looked = verify(indexed.repository, LOOK)
    assert looked.left and codes(looked) == [findings.UNREADABLE]
    done = verify(indexed.repository)
    assert done.left == (), done.left
    assert_whole(repo, indexed, before)


def test_an_earlier_snapshot_that_cannot_be_read_is_dropped(repo, indexed):
    before = indexed.stored()
    tree = repo.git("rev-parse", "refs/graph/views/main-worktree:history/1/files")
    object_file(repo, tree).unlink()
    assert repo.said("gc", "-q") != "", "git stumbles over it"
    done = verify(indexed.repository)
    assert {(f.code, f.sequence) for f in done.found} == {(findings.UNREADABLE, 1)} and done.left == ()
    view = views.require(indexed.repository, "main-worktree")
    assert list(views.history(indexed.repository, view)) == [2]
    assert_whole(repo, indexed, before)


def test_a_lost_slice_of_history_whose_content_is_nowhere_drops_what_held_it(repo, indexed):
    repo.write("new.py", "def fleeting():\n    pass\n")
    indexed.sync()
    lost = indexed.stored()["new.py"]
    repo.write("new.py", F)
    indexed.sync()
    before = indexed.stored()
    object_file(repo, lost).unlink()
    done = verify(indexed.repository)
    assert {(f.code, f.path, f.sequence) for f in done.found} == {(findings.MISSING, "new.py", 4)} and done.left == ()
    assert_whole(repo, indexed, before)


@pytest.mark.parametrize("how", ["missing", "truncated", "flipped", "emptied"])
def test_a_damaged_pack_of_ours_is_replaced(repo, graph, how):
    for number in range(120):
        repo.write(f"f{number}.py", f"def f{number}():\n    return {'x' * number!r}\n")
    repo.write("a.py", H)
    repo.write("d/b.py", G)
    repo.commit()
    graph.sync()
    before = graph.stored()
    (pack,) = (repo.path / ".git" / "objects" / "pack").glob("*.pack")
    damage(pack, how)
    done = verify(graph.repository)
    assert done.left == (), done.left[:3]
    assert_whole(repo, graph, before)


def republished(graph, files=None, basis=None):
    """Publish the view again with some paths at other slices, or with another basis."""
    repository = graph.repository
    view = views.require(repository, "main-worktree")
    with Transaction(repository) as transaction:
        tree = manifest.update(transaction, view.snapshot.files, files or {})
        snapshot = manifest.put_snapshot(transaction, tree, basis(view.basis) if basis else view.basis)
        root = transaction.tree([Entry(b"snapshot", TREE, snapshot)])
        assert transaction.publish(views.ref_of("main-worktree"), root, view.root)


def test_a_ghost_a_gap_and_a_mix_up_are_found_and_put_right(repo, indexed):
    before = indexed.stored()
    slices = indexed.stored()
    republished(indexed, {b"ghost.py": slices["a.py"], b"d/b.py": slices["new.py"], b"d/e/c.js": None})
    looked = verify(indexed.repository, LOOK)
    wrong = {(f.code, f.path) for f in looked.left}
    assert {(findings.MISPLACED, "ghost.py"), (findings.MISPLACED, "d/b.py")} <= wrong
    assert (findings.COUNTS, "") in wrong
    done = verify(indexed.repository)
    assert done.left == ()
    assert_whole(repo, indexed, before)


def test_wrong_counts_are_put_right(repo, indexed):
    before, counts = indexed.stored(), indexed.basis().counts
    republished(indexed, basis=lambda basis: basis._replace(counts={"files": 9, "python": 9}))
    done = verify(indexed.repository)
    assert codes(done) == [findings.COUNTS] and done.left == ()
    assert indexed.basis().counts == counts
    assert_whole(repo, indexed, before)


def test_a_slice_that_is_none_is_made_again(repo, indexed):
    before = indexed.stored()
    repository = indexed.repository
    with Transaction(repository) as transaction:
        id = transaction.blob(b"\x9a\x01 this is no slice")
        transaction.flush()
    republished(indexed, {b"d/b.py": id})
    done = verify(indexed.repository)
    assert findings.MALFORMED in codes(done) and done.left == ()
    assert_whole(repo, indexed, before)


def test_only_a_fresh_extraction_finds_a_slice_that_lies(repo, indexed):
    before = indexed.stored()
    lying = extract("python", G.encode())
    lying.strings = [text.replace("g", "q") if text == "g" else text for text in lying.strings]
    with Transaction(indexed.repository) as transaction:
        id = transaction.blob(codec.encode(lying))
        transaction.flush()
    republished(indexed, {b"d/b.py": id})
    repository = indexed.repository
    from git_graph.sync.context import Context

    context = Context(repository)
    context.cache.forget_slices([before["d/b.py"]])
    context.close()
    done = verify(indexed.repository, Wish(extract=True))
    assert {(f.code, f.path) for f in done.found} >= {(findings.DIFFERS, "d/b.py")} and done.left == ()
    assert_whole(repo, indexed, before)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM posting WHERE name = x'68'",
        "UPDATE posting SET kinds = 2 WHERE name = x'67'",
        "UPDATE content SET data = zeroblob(100)",
        "UPDATE view_file SET slice = 1",
        "UPDATE base_file SET slice = 1",
        "UPDATE base_language SET files = 77",
        "DELETE FROM slice WHERE n = 1",
    ],
)
def test_a_derived_store_that_says_something_else_is_built_again(repo, indexed, statement):
    before = indexed.stored()
    (file,) = indexed.repository.graph_dir.glob("engine-*.sqlite")
    with sqlite3.connect(file) as connection:
        assert connection.execute(statement).rowcount
    connection.close()
    assert codes(verify(indexed.repository, LOOK)) == [findings.ENGINE]
    done = verify(indexed.repository)
    assert codes(done) == [findings.ENGINE] and done.left == ()
    assert_whole(repo, indexed, before)


def test_a_damaged_derived_store_is_built_again(repo, indexed):
    before = indexed.stored()
    (file,) = indexed.repository.graph_dir.glob("engine-*.sqlite")
    data = bytearray(file.read_bytes())
    for at in range(4096, len(data), 512):
        data[at] ^= 0xFF
    file.write_bytes(data)
    done = verify(indexed.repository)
    assert codes(done) == [findings.ENGINE] and done.left == ()
    assert_whole(repo, indexed, before)


def test_what_sync_remembers_wrongly_is_forgotten(repo, indexed):
    before = indexed.stored()
    (file,) = indexed.repository.graph_dir.glob("sync-*.sqlite")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE slice SET slice = (SELECT slice FROM slice LIMIT 1)")
    connection.close()
    done = verify(indexed.repository)
    assert findings.CACHE in codes(done) and done.left == ()
    assert_whole(repo, indexed, before)


def test_a_reflog_of_ours_is_removed_and_an_old_lock_is_named(repo, indexed):
    log = repo.path / ".git" / "logs" / "refs" / "graph" / "views" / "main-worktree"
    log.parent.mkdir(parents=True)
    log.write_text("")
    lock = repo.path / ".git" / "refs" / "graph" / "views" / "main-worktree.lock"
    lock.touch()
    assert codes(verify(indexed.repository, LOOK)) == [findings.REFLOG], "a fresh lock is somebody's"
    import os

    os.utime(lock, (1, 1))
    done = verify(indexed.repository)
    assert [(f.code, bool(f.hint)) for f in done.left] == [(findings.LOCK, True)] and not log.exists()


def test_what_only_a_user_could_make_again_is_named_and_left(repo, indexed):
    repository = indexed.repository
    with Transaction(repository) as transaction:
        name = views.pin(transaction, views.require(repository, "main-worktree"), "v1")
    repo.write("a.py", "def after():\n    pass\n")
    repo.git("config", "graph.historyLimit", "0")
    indexed.sync()
    object_file(repo, repo.git("rev-parse", f"{views.ref_of(name)}:files")).unlink()
    done = verify(indexed.repository)
    assert [(f.code, f.view) for f in done.left] == [(findings.UNREADABLE, name)]
    assert name in views.names(indexed.repository) and indexed.defines("after") == ["a.py"]


def test_a_view_without_a_worktree_that_cannot_be_read_goes(repo, indexed, graph_of, tmp_path):
    side = repo.worktree(tmp_path / "side")
    side.write("own.py", "def own():\n    pass\n")
    graph_of(side).sync()
    object_file(repo, repo.git("rev-parse", "refs/graph/views/worktrees/side:snapshot")).unlink()
    shutil.rmtree(side.path)
    done = verify(indexed.repository)
    assert done.left == () and views.names(indexed.repository) == ["main-worktree"]
    assert repo.fsck() == ""


def test_random_damage_to_objects_of_ours_is_found_and_mended(repo, indexed):
    before = indexed.stored()
    listed = subprocess.run(
        ["git", "rev-list", "--objects", "--no-object-names", "refs/graph/views/main-worktree"],
        cwd=repo.path, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    chance = random.Random(7)
    for id in chance.sample(sorted(set(listed)), 6):
        damage(object_file(repo, id), chance.choice(["missing", "truncated", "flipped", "emptied"]))
    done = verify(indexed.repository)
    assert done.found and done.left == ()
    assert_whole(repo, indexed, before)


def test_collecting_and_verifying_get_along(repo, indexed):
    collect(indexed.repository)
    assert verify(Repository.discover(repo.path), Wish(extract=True)).found == ()


def test_where_nothing_can_be_written_it_is_only_told(repo, indexed, monkeypatch):
    object_file(repo, indexed.stored()["a.py"]).unlink()
    monkeypatch.setattr(Repository, "writable", lambda self: False)
    assert codes(verify(indexed.repository)) == [findings.MISSING]
    assert [f.mended for f in verify(indexed.repository).found if f.mended] == []
