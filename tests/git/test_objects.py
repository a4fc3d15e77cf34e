from __future__ import annotations

import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph.errors import CorruptObject, MissingObject, UnknownRevision
from git_graph.git.objects import BLOB, EMPTY_BLOB, EMPTY_TREE, TREE, Entry, Objects, parse_tree, serialize_tree
from git_graph.git.repository import Repository

ABSENT = "1" * 40


@pytest.fixture(params=["light", "bulk"])
def objects(request, repo) -> Objects:
    objects = Repository.discover(repo.path).objects
    if request.param == "bulk":
        objects.bulk()
    return objects


def test_loose_and_packed_objects_read_alike(repo, objects):
    repo.write("a/b", "content")
    repo.commit()
    blob, tree = repo.git("rev-parse", "HEAD:a/b"), repo.git("rev-parse", "HEAD:a")
    assert objects.blob(blob) == b"content"
    assert objects.tree(tree) == [Entry(b"b", BLOB, blob)]
    repo.git("gc", "-q", "--prune=now")
    assert not objects.loose_path(blob).exists()
    assert objects.blob(blob) == b"content"
    assert objects.tree(tree) == [Entry(b"b", BLOB, blob)]
    assert objects.raw(repo.head())[0] == "commit"
    objects.close()
    assert objects.blob(blob) == b"content"


def test_missing_objects_are_errors(objects):
    with pytest.raises(MissingObject, match=ABSENT):
        objects.blob(ABSENT)
    with pytest.raises(MissingObject):
        objects.tree(ABSENT)
    assert objects.present([ABSENT]) == set()


def test_objects_of_another_kind_are_errors(repo, objects):
    repo.write("a", "1")
    repo.commit()
    with pytest.raises(CorruptObject, match="it is a commit, not a blob"):
        objects.blob(repo.head())
    with pytest.raises(CorruptObject, match="not a tree"):
        objects.tree(repo.git("rev-parse", "HEAD:a"))


@pytest.mark.parametrize("name", ["../../../../etc/passwd", "HEAD", "", "abc", "é" * 40])
def test_what_is_no_id_is_refused(objects, name):
    with pytest.raises(CorruptObject):
        objects.blob(name)
    assert objects.present([name]) == set()


@pytest.mark.parametrize("content", [b"", b"garbage", zlib.compress(b"blob 9\0short"), zlib.compress(b"blub 1\0x")])
def test_damaged_loose_objects_are_errors(repo, objects, content):
    repo.write("a", "1")
    repo.commit()
    id = repo.git("rev-parse", "HEAD:a")
    objects.loose_path(id).unlink()
    objects.loose_path(id).write_bytes(content)
    with pytest.raises((CorruptObject, MissingObject)):
        objects.blob(id)


def test_an_object_above_the_limit_is_refused_unread(repo, objects):
    id = repo.git("hash-object", "-w", "--stdin", input=b"x" * 100_000)
    assert dict(objects.blobs([id], 100_000))[id] == b"x" * 100_000
    with pytest.raises(CorruptObject, match="more than 99999 bytes"):
        dict(objects.blobs([id], 99_999))
    repo.git("update-ref", "refs/tags/x", id)
    repo.git("gc", "-q")
    with pytest.raises(CorruptObject, match="more than 99999 bytes"):
        dict(objects.blobs([id], 99_999))
    assert objects.blob(id) == b"x" * 100_000


def test_few_reads_do_not_import_pygit2(repo):
    repo.write("a", "1")
    repo.commit()
    repo.git("gc", "-q")
    program = (
        "import sys; from git_graph.git.repository import Repository as R; r = R.discover();"
        "print(list(r.objects.walk(r.objects.tree_of('HEAD'))), r.refs.read('HEAD'), r.settings);"
        "assert not {'pygit2', 'tree_sitter', 'filelock'} & set(sys.modules), sys.modules.keys()"
    )
    import subprocess

    subprocess.run([sys.executable, "-c", program], cwd=repo.path, check=True)


def test_many_reads_go_to_libgit2(repo):
    repo.write("a", "1")
    repo.commit()
    objects = Repository.discover(repo.path).objects
    id = repo.git("rev-parse", "HEAD:a")
    assert all(data == b"1" for _, data in objects.blobs([id] * 400))


def test_revisions_are_resolved_by_git(repo, objects):
    repo.write("a", "1")
    head = repo.commit()
    repo.git("tag", "-a", "-m", "x", "v1")
    assert objects.commit_of("HEAD") == objects.commit_of("v1") == objects.commit_of("main") == head
    assert objects.tree_of("v1") == objects.tree_of(repo.git("rev-parse", "HEAD^{tree}"))
    for bad in ("nothing", "--all", "HEAD:a", ""):
        with pytest.raises(UnknownRevision, match="unknown revision"):
            objects.commit_of(bad)


def test_diff_finds_what_git_finds(repo, objects):
    for path in ("same", "dir/changed", "dir/gone", "swap", "deep/a/b/c"):
        repo.write(path, path)
    old = repo.commit()
    repo.write("dir/changed", "2")
    repo.remove("dir/gone")
    repo.remove("swap")
    repo.write("swap/now/a/directory", "x")
    repo.write("deep/a/b/d", "x")
    new = repo.commit()
    changes = {change.path: change for change in objects.diff(objects.tree_of(old), objects.tree_of(new))}
    listed = repo.raw("diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new).split(b"\0")[:-1]
    assert sorted(changes) == sorted(listed)
    assert changes[b"dir/gone"].new is None and changes[b"deep/a/b/d"].old is None
    assert changes[b"swap"].new is None and changes[b"swap/now/a/directory"].old is None
    everything = list(objects.diff(None, objects.tree_of(new)))
    assert [change.path for change in everything if change.old] == []
    assert len(everything) == len(list(objects.walk(objects.tree_of(new))))


def test_an_entry_is_found_by_path(repo, objects):
    repo.write("a/b/c", "1")
    repo.commit()
    tree = objects.tree_of("HEAD")
    assert objects.entry(tree, b"a/b/c") == Entry(b"c", BLOB, repo.git("rev-parse", "HEAD:a/b/c"))
    assert [objects.entry(tree, path) for path in (b"a/x/c", b"x", b"a/b/c/d")] == [None] * 3


def test_objects_of_alternates_are_read(repo, tmp_path, monkeypatch):
    repo.write("a", "1")
    repo.commit()
    repo.git("clone", "-q", "--shared", repo.path, tmp_path / "shared")
    for bulk in (False, True):
        objects = Repository.discover(tmp_path / "shared").objects
        if bulk:
            objects.bulk()
        assert objects.blob(repo.git("rev-parse", "HEAD:a")) == b"1"
    quarantine = tmp_path / "quarantine"
    quarantine.mkdir()
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(quarantine))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(repo.path / ".git" / "objects"))
    id = repo.git("hash-object", "-w", "--stdin", input=b"new")
    objects = Repository.discover(repo.path).objects
    objects.bulk()
    assert objects.blob(id) == b"new" and objects.loose_path(id).parent.parent == quarantine
    assert objects.blob(repo.git("rev-parse", "HEAD:a")) == b"1"


names = st.binary(min_size=1, max_size=6).filter(lambda name: b"/" not in name and b"\0" not in name)


@given(st.dictionaries(names, st.sampled_from([TREE, BLOB]), max_size=8))
def test_trees_round_trip_in_gits_order(modes):
    entries = [Entry(name, mode, EMPTY_TREE if mode == TREE else EMPTY_BLOB) for name, mode in modes.items()]
    data = serialize_tree(entries)
    assert sorted(parse_tree(data)) == sorted(entries)
    assert serialize_tree(parse_tree(data)) == data


@given(st.binary(max_size=80))
def test_no_bytes_make_the_tree_parser_do_anything_but_read_or_refuse(data):
    try:
        assert serialize_tree(parse_tree(data)) is not None
    except CorruptObject:
        pass


def test_raw_trees_are_those_that_git_makes(repo):
    for path in (b"a.b", b"a/x", b"a0", b"a-", b"\xff\xfe", b"with space", "ü".encode(), b"new\nline"):
        repo.write(path, path)
    repo.commit()
    objects = Repository.discover(repo.path).objects
    tree = objects.tree_of("HEAD")
    assert serialize_tree(reversed(objects.tree(tree))) == objects.raw(tree)[1]
