from __future__ import annotations

import subprocess
import sys

import pytest

from git_graph.errors import Locked
from git_graph.git import refs as refs_module
from git_graph.git.objects import EMPTY_TREE
from git_graph.git.refs import Refs
from git_graph.git.repository import Repository

REF = "refs/graph/views/main-worktree"


@pytest.fixture
def refs(repo) -> Refs:
    return Repository.discover(repo.path).refs


@pytest.fixture
def trees(repo) -> list[str]:
    """Ids of a few trees that exist."""
    made = []
    for n in range(4):
        blob = repo.git("hash-object", "-w", "--stdin", input=b"%d" % n)
        made.append(repo.git("mktree", input=b"100644 blob %s\tx\n" % blob.encode()))
    return made


def test_loose_packed_and_symbolic_refs_are_read(repo, refs, trees):
    assert refs.read(REF) is None and refs.read("HEAD") is None
    assert refs.update(REF, trees[0], None)
    assert refs.read(REF) == trees[0]
    head = repo.commit()
    repo.git("pack-refs", "--all")
    assert not (repo.path / ".git" / REF).exists()
    assert refs.read(REF) == trees[0] and refs.read("HEAD") == head
    assert refs.read("refs/graph/views/main") is None, "a prefix of a name is another name"
    assert refs.update(REF, trees[1], trees[0])
    assert refs.read(REF) == trees[1], "the loose ref wins over the packed one"


def test_refs_are_listed_wherever_they_lie(repo, refs, trees):
    for n, name in enumerate(("a", "b/c", "b-d")):
        refs.update(f"refs/graph/{name}", trees[n], None)
    repo.git("pack-refs", "--all")
    refs.update("refs/graph/b/c", trees[3], trees[1])
    repo.git("update-ref", "refs/other/x", trees[0])
    assert refs.under("refs/graph/") == {
        "refs/graph/a": trees[0],
        "refs/graph/b-d": trees[2],
        "refs/graph/b/c": trees[3],
    }
    assert refs.under("refs/graph/b/") == {"refs/graph/b/c": trees[3]}
    assert refs.under("refs/nothing/") == {}


def test_a_ref_moves_only_from_what_was_read(refs, trees):
    assert not refs.update(REF, trees[0], trees[1]), "it does not exist"
    assert refs.update(REF, trees[0], None)
    assert not refs.update(REF, trees[1], None), "it exists"
    assert not refs.update(REF, trees[1], trees[2])
    assert refs.update(REF, trees[1], trees[0])
    assert not refs.delete(REF, trees[0])
    assert refs.read(REF) == trees[1]
    assert refs.delete(REF, trees[1]) and refs.read(REF) is None


def test_packed_refs_are_deleted_too(repo, refs, trees):
    refs.update(REF, trees[0], None)
    repo.git("pack-refs", "--all")
    assert refs.delete(REF, trees[0]) and refs.read(REF) is None


def test_no_reflog_and_no_hook_whatever_is_configured(repo, refs, trees):
    repo.git("config", "core.logAllRefUpdates", "always")
    hook = repo.path / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert refs.update(REF, trees[0], None) and refs.update(REF, trees[1], trees[0])
    assert not (repo.path / ".git" / "logs" / REF).exists()


def test_trees_in_refs_show_nowhere(repo, refs, trees):
    repo.write("a", "1")
    repo.commit("one")
    refs.update(REF, trees[0], None)
    assert repo.git("log", "--all", "--format=%s") == "one"
    assert repo.git("status", "--porcelain") == ""
    assert repo.fsck() == ""
    assert repo.said("gc", "--quiet") == ""


def test_a_stale_lock_is_named_with_what_to_do(repo, refs, trees, monkeypatch):
    monkeypatch.setattr(refs_module, "WAIT", 0.2)
    refs.update(REF, trees[0], None)
    lock = repo.path / ".git" / f"{REF}.lock"
    lock.write_text("")
    with pytest.raises(Locked, match=r"main-worktree\.lock") as caught:
        refs.update(REF, trees[1], trees[0])
    assert f"remove {lock}" in caught.value.hint
    assert refs.read(REF) == trees[0]


def test_a_lock_that_goes_is_waited_for(repo, refs, trees):
    refs.update(REF, trees[0], None)
    lock = repo.path / ".git" / f"{REF}.lock"
    lock.write_text("")
    with subprocess.Popen(["sh", "-c", f"sleep 0.5; rm '{lock}'"]):
        assert refs.update(REF, trees[1], trees[0])


def test_concurrent_writers_lose_no_update(repo, refs):
    """Each process adds its lines to a counter kept in a ref; every increment must survive."""
    program = """
import sys
from git_graph.git.repository import Repository
from git_graph.git.objects import BLOB, Entry, serialize_tree
r = Repository.discover()
done = 0
while done < int(sys.argv[1]):
    old = r.refs.read("refs/graph/counter")
    count = int(r.objects.tree(old)[0].name) if old else 0
    name = b"%d" % (count + 1)
    blob = r.git("hash-object", "-w", "--stdin", stdin=b"").decode().strip()
    new = r.git("mktree", stdin=b"100644 blob " + blob.encode() + b"\\t" + name + b"\\n").decode().strip()
    done += r.refs.update("refs/graph/counter", new, old)
"""
    running = [subprocess.Popen([sys.executable, "-c", program, "8"], cwd=repo.path) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    tree = refs.read("refs/graph/counter")
    assert repo.git("ls-tree", "--name-only", tree) == "32"


def test_the_empty_tree_is_known(repo):
    assert repo.git("hash-object", "-t", "tree", "--stdin", input=b"") == EMPTY_TREE
