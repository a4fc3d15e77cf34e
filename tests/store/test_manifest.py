from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_samples import BASIS, content_of, file_sets, publish

from git_graph.errors import CorruptObject, MissingObject
from git_graph.git.objects import BLOB, EMPTY_TREE, TREE, Entry
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.transaction import Transaction

FIXTURE = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}

UGLY = [
    b".gitmodules", b".gitattributes", b".gitignore", b".git", b".GIT/config", b"git~1/x", b"GIT~1", b".", b"..",
    b"a/../b", b"with space", b"new\nline", b"quo\"te'", b"\xff\xfe", "ünï/cödé".encode(), b"=", b"=a/=b", b"-",
    b"a/b/c/d/e/f/g", b".git\xe2\x80\x8c/x", b"con", b"aux.py", b"a\\b", b"trailing.", b"trailing ",
]  # fmt: skip


@pytest.fixture
def repository(repo) -> Repository:
    return Repository.discover(repo.path)


@settings(max_examples=40, **FIXTURE)
@given(st.lists(file_sets(), min_size=2, max_size=4))
def test_built_at_once_equals_reached_by_any_updates(repository, states):
    with Transaction(repository) as transaction:
        slices = [{path: transaction.blob(data) for path, data in state.items()} for state in states]
        trees = [manifest.build(transaction, files) for files in slices]
        reached = trees[0]
        for before, after, built in zip(states, states[1:], trees[1:], strict=False):
            changes = {path: None for path in before if path not in after}
            changes |= {path: transaction.blob(data) for path, data in after.items() if before.get(path) != data}
            reached = manifest.update(transaction, reached, changes)
            assert reached == built
        transaction.flush()
    for before, after, old, new in zip(states, states[1:], trees, trees[1:], strict=False):
        found = {change.path: change for change in manifest.diff(repository, old, new)}
        assert set(found) == {path for path in before.keys() | after if before.get(path) != after.get(path)}
        assert all((change.old is not None) == (path in before) for path, change in found.items())
        assert all((change.new is not None) == (path in after) for path, change in found.items())
    assert content_of(repository, trees[-1]) == states[-1]
    for path in states[-1]:
        assert manifest.find(repository, trees[-1], path) is not None
        assert manifest.find(repository, trees[-1], path + b"/x") is None


def test_updates_touch_only_the_directories_on_the_way(repository):
    files = {b"d%d/e%d/f" % (n % 5, n): b"x" for n in range(50)}
    view = publish(repository, files)
    with Transaction(repository) as transaction:
        tree = manifest.update(transaction, view.snapshot.files, {b"d1/e1/f": transaction.blob(b"y")})
        old, new = ({entry.name: entry.id for entry in transaction.read_tree(id)} for id in (view.snapshot.files, tree))
    assert {name for name in old if old[name] != new[name]} == {b"=d1"}


def test_no_changes_give_the_same_tree_unread(repository):
    with Transaction(repository) as transaction:
        assert manifest.update(transaction, "1" * 40, {}) == "1" * 40


def test_an_emptied_directory_goes_and_an_empty_manifest_is_the_empty_tree(repository):
    with Transaction(repository) as transaction:
        tree = manifest.build(transaction, {b"a/b/c": transaction.blob(b"x")})
        assert manifest.update(transaction, tree, {b"a/b/c": None}) == EMPTY_TREE
        assert manifest.update(transaction, tree, {b"never/there": None}) == tree
        assert manifest.build(transaction, {}) == EMPTY_TREE


def test_ugly_names_please_fsck_gc_and_a_checking_remote(repo, repository, make_repo):
    remote = make_repo("remote", "--bare")
    remote.git("config", "transfer.fsckObjects", "true")
    repo.commit()
    large = b"x" * 4096
    view = publish(repository, {path: path + large for path in UGLY})
    assert repo.fsck() == ""
    assert content_of(repository, view.snapshot.files) == {path: path + large for path in UGLY}
    assert repo.said("push", "-q", remote.path, "refs/graph/*:refs/graph/*") == ""
    assert remote.fsck() == "" and views.roots(Repository.discover(remote.path)) == {"main-worktree": view.root}
    assert repo.said("gc", "--quiet", "--prune=now") == "" and repo.fsck() == ""
    assert content_of(repository, view.snapshot.files) == {path: path + large for path in UGLY}


def test_what_is_no_files_tree_is_refused(repo, repository):
    repo.write("a/b", "1")
    repo.commit()
    with pytest.raises(CorruptObject, match="without its `=`"):
        list(manifest.walk(repository, repository.objects.tree_of("HEAD")))
    with pytest.raises(MissingObject):
        list(manifest.walk(repository, "1" * 40))
    with Transaction(repository) as transaction:
        link = transaction.tree([Entry(b"=a", 0o120000, transaction.blob(b"target"))])
        transaction.flush()
    with pytest.raises(CorruptObject, match="not the files of a manifest"):
        list(manifest.walk(repository, link))


def test_a_bomb_of_nested_trees_is_refused_in_bounded_time(repository, monkeypatch):
    monkeypatch.setattr(manifest, "MAX_FILES", 1000)
    with Transaction(repository) as transaction:
        blob = transaction.blob(b"x")
        tree = transaction.tree([Entry(b"=%d" % n, BLOB, blob) for n in range(10)])
        for _ in range(12):
            tree = transaction.tree([Entry(b"=%d" % n, TREE, tree) for n in range(10)])
        transaction.flush()
    with pytest.raises(CorruptObject):
        list(manifest.walk(repository, tree))


def test_a_snapshot_reads_back(repository):
    with Transaction(repository) as transaction:
        tree = manifest.build(transaction, {b"a": transaction.blob(b"x")})
        snapshot = manifest.put_snapshot(transaction, tree, BASIS)
        transaction.flush()
    assert manifest.read_snapshot(repository, snapshot) == manifest.Snapshot(snapshot, tree, BASIS)


@pytest.mark.parametrize("entries", [[], [Entry(b"files", TREE, EMPTY_TREE)], [Entry(b"basis", TREE, EMPTY_TREE)]])
def test_what_is_no_snapshot_is_refused(repository, entries):
    with Transaction(repository) as transaction:
        transaction.tree([])
        tree = transaction.tree(entries)
        transaction.flush()
    with pytest.raises(CorruptObject, match="not the snapshot"):
        manifest.read_snapshot(repository, tree)
