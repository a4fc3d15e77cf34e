"""What a stranger publishes: what is no manifest of its commit is refused with a reason, and nothing of it is kept."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from typing import Any

import pytest

from git_graph import codec
from git_graph.errors import GraphError, NewerFormat, Refused
from git_graph.git.objects import Entry, serialize_tree
from git_graph.model import Slice
from git_graph.store import published
from git_graph.sync.fetching import fetch
from git_graph.sync.sharing import push
from git_graph.upkeep.verify import Wish, verify

BLOB, TREE = 0o100644, 0o40000
CODE = "def f():\n    return g()\n\ndef g():\n    return 1\n"


class Forger:
    """A remote's repository, and a sound manifest in it to make others of."""

    def __init__(self, hub: Any, root: str) -> None:
        self.hub = hub
        entries = self.tree(root)
        self.basis = json.loads(hub.raw("cat-file", "blob", entries["basis"].id))
        self.files = dict(self.tree(entries["files"].id))

    def tree(self, id: str) -> dict[str, Entry]:
        rows = [line.split(None, 3) for line in self.hub.git("ls-tree", id).splitlines()]
        return {name: Entry(os.fsencode(name), int(mode, 8), id) for mode, _, id, name in rows}

    def put(self, kind: str, data: bytes) -> str:
        found: str = self.hub.git("hash-object", "-w", "-t", kind, "--literally", "--stdin", input=data)
        return found

    def put_tree(self, entries: dict[str, Entry] | list[Entry]) -> str:
        rows = entries.values() if isinstance(entries, dict) else entries
        return self.put("tree", serialize_tree(rows))

    def add(self, name: str, data: bytes, mode: int = BLOB) -> None:
        kind = "tree" if mode == TREE else "blob"
        self.files[name] = Entry(name.encode(), mode, self.put(kind, data))

    def root(self, basis: bytes | None = None) -> str:
        data = json.dumps(self.basis, sort_keys=True, separators=(",", ":")).encode() if basis is None else basis
        files = self.put_tree(self.files)
        return self.put_tree([Entry(b"basis", BLOB, self.put("blob", data)), Entry(b"files", TREE, files)])

    def slice(self, name: str = "=a.py") -> Slice:
        return codec.decode(self.hub.raw("cat-file", "blob", self.files[name].id))


def not_a_manifest(forger: Forger) -> str:
    return str(forger.hub.git("rev-parse", "main^{tree}"))


def bad_msgpack(forger: Forger) -> str:
    forger.add("=a.py", b"\x9c\x01\xff\xff")
    return forger.root()


def nested_msgpack(forger: Forger) -> str:
    forger.add("=a.py", b"\x91" * 200_000)
    return forger.root()


def endless_arrays(forger: Forger) -> str:
    forger.add("=a.py", b"\xdd\xff\xff\xff\xff")
    return forger.root()


def wrong_source(forger: Forger) -> str:
    forger.files["=a.py"] = forger.files["=c.py"]._replace(name=b"=a.py")
    return forger.root()


def source_of_nothing(forger: Forger) -> str:
    slice_ = forger.slice()
    slice_.source = "1" * 40
    forger.add("=a.py", codec.encode(slice_))
    return forger.root()


def other_language(forger: Forger) -> str:
    slice_ = forger.slice()
    slice_.language, slice_.fingerprint = "go", "0" * 16
    forger.add("=a.py", codec.encode(slice_))
    forger.basis["rules"]["go"] = [1, "0" * 16]
    forger.basis["counts"] |= {"python": forger.basis["counts"]["python"] - 1, "go": 1}
    return forger.root()


def other_fingerprint(forger: Forger) -> str:
    slice_ = forger.slice()
    slice_.fingerprint = "0" * 16
    forger.add("=a.py", codec.encode(slice_))
    return forger.root()


def hole(forger: Forger) -> str:
    del forger.files["=a.py"]
    forger.basis["counts"] = {key: count - 1 for key, count in forger.basis["counts"].items()}
    return forger.root()


def hole_explained(forger: Forger) -> str:
    content = forger.slice().source
    forger.basis["skipped"] = [["a.py", "too-large", content, 1, 0]]
    return hole(forger)


def hole_unexplained(forger: Forger) -> str:
    forger.basis["skipped"] = [["a.py", "timed-out", forger.slice().source, 1, 0]]
    return hole(forger)


def invented(forger: Forger) -> str:
    forger.files["=b.py"] = forger.files["=a.py"]._replace(name=b"=b.py")
    forger.basis["counts"] = {key: count + 1 for key, count in forger.basis["counts"].items()}
    return forger.root()


def miscounted(forger: Forger) -> str:
    forger.basis["counts"]["files"] += 1
    return forger.root()


def named(name: str) -> Callable[[Forger], str]:
    def forge(forger: Forger) -> str:
        forger.files[name] = forger.files["=a.py"]._replace(name=name.encode())
        return forger.root()

    forge.__name__ = f"named {name!r}"
    return forge


def symlink(forger: Forger) -> str:
    forger.files["=l"] = Entry(b"=l", 0o120000, forger.files["=a.py"].id)
    return forger.root()


def submodule(forger: Forger) -> str:
    forger.files["=s"] = Entry(b"=s", 0o160000, "1" * 40)
    return forger.root()


def deep(forger: Forger) -> str:
    id = forger.put_tree([forger.files["=a.py"]])
    for _ in range(published.MAX_DEPTH + 50):
        id = forger.put_tree([Entry(b"=d", TREE, id)])
    forger.files["=d"] = Entry(b"=d", TREE, id)
    return forger.root()


def bomb(forger: Forger) -> str:
    """A few small trees that name 100 to the tenth files."""
    id = forger.files["=a.py"].id
    for mode in (BLOB, *[TREE] * 9):
        id = forger.put_tree([Entry(b"=%02d" % n, mode, id) for n in range(100)])
    forger.files["=d"] = Entry(b"=d", TREE, id)
    return forger.root()


def inflated(forger: Forger) -> str:
    """Nothing on the wire, and more than any slice has when it is unpacked."""
    forger.add("=a.py", bytes(codec.MAX_BYTES + 1))
    return forger.root()


def inflated_basis(forger: Forger) -> str:
    return forger.root(b'{"format":1,"tool":"' + b"x" * (published.MAX_BASIS + 1) + b'"}')


def with_overlay(forger: Forger) -> str:
    forger.basis["overlay"] = [["A", BLOB, "x.py", "1" * 40]]
    return forger.root()


def with_worktree(forger: Forger) -> str:
    forger.basis["worktree"] = "/home/you"
    return forger.root()


def without_head(forger: Forger) -> str:
    forger.basis["head"] = None
    return forger.root()


def nested_json(forger: Forger) -> str:
    return forger.root(b"[" * 100_000)


def sloppy_json(forger: Forger) -> str:
    return forger.root(json.dumps(forger.basis, sort_keys=True).encode())


def speaking_tool(forger: Forger) -> str:
    forger.basis["tool"] = "\x1b]0;owned\x07\x1b[2J"
    return forger.root()


def empty_folder(forger: Forger) -> str:
    forger.files["=e"] = Entry(b"=e", TREE, forger.put_tree([]))
    return forger.root()


def doubled(forger: Forger) -> str:
    rows = [*forger.files.values(), forger.files["=a.py"]]
    basis = json.dumps(forger.basis, sort_keys=True, separators=(",", ":")).encode()
    return forger.put_tree(
        [Entry(b"basis", BLOB, forger.put("blob", basis)), Entry(b"files", TREE, forger.put_tree(rows))]
    )


def with_history(forger: Forger) -> str:
    root = forger.tree(forger.root())
    root["history"] = Entry(b"history", TREE, forger.put_tree([]))
    return forger.put_tree(root)


FORGERIES = [
    (not_a_manifest, "does not consist of"),
    (bad_msgpack, "slice"),
    (nested_msgpack, "slice"),
    (endless_arrays, "slice"),
    (wrong_source, "another content"),
    (source_of_nothing, "another content"),
    (other_language, "language"),
    (other_fingerprint, "other rules"),
    (hole, "does not have the files"),
    (hole_explained, "not too large"),
    (hole_unexplained, "left out: timed-out"),
    (invented, "has not"),
    (miscounted, "count"),
    (named("=.."), "component '..'"),
    (named("=.git"), "component '.git'"),
    (named("=.GIT"), "component '.GIT'"),
    (named("="), "name"),
    (named("a.py"), "name 'a.py'"),
    (named("esc\x1b[31m"), r"name 'esc\?\[31m'"),
    (symlink, "no file"),
    (submodule, "no file"),
    (deep, "deep"),
    (bomb, "more than"),
    (inflated, "more than"),
    (inflated_basis, "more than"),
    (with_overlay, "clean commit"),
    (with_worktree, "clean commit"),
    (without_head, "clean commit"),
    (nested_json, "basis"),
    (sloppy_json, "canonical"),
    (speaking_tool, "word"),
    (empty_folder, "empty"),
    (doubled, "sound|order"),
    (with_history, "does not consist of"),
]


@pytest.fixture
def forger(repo: Any, make_repo: Callable[..., Any], graph_of: Any) -> Forger:
    hub = make_repo("hub", "--bare")
    repo.write("a.py", CODE)
    repo.write("c.py", "x = 1\n")
    repo.commit()
    repo.git("remote", "add", "origin", hub.path)
    repo.git("push", "-q", "-u", "origin", "main")
    done = push(graph_of(repo).repository)
    repo.git("update-ref", "-d", "refs/graph/heads/main")
    repo.git("gc", "-q", "--prune=now")
    return Forger(hub, done.snapshot)


def state(repo: Any) -> tuple[str, ...]:
    objects = sorted(repo.git("cat-file", "--batch-all-objects", "--batch-check").splitlines())
    left = [path.name for path in (repo.path / ".git" / "graph").glob("incoming-*")]
    return repo.git("for-each-ref"), *objects, *left


@pytest.mark.parametrize(("forge", "why"), FORGERIES, ids=[forge.__name__ for forge, _ in FORGERIES])
def test_what_is_no_manifest_of_its_commit_is_refused(forge, why, forger, repo, graph_of, monkeypatch) -> None:
    monkeypatch.setattr(published, "MAX_FILES", 20_000)
    forger.hub.git("update-ref", "refs/graph/heads/main", forge(forger))
    before = state(repo)
    began = time.process_time()
    with pytest.raises(Refused, match=why) as refused:
        fetch(graph_of(repo).repository, "origin", ["main"])
    assert time.process_time() - began < 5
    assert refused.value.message.isprintable()
    assert state(repo) == before
    assert [branch.outcome for branch in fetch(graph_of(repo).repository).branches] == ["refused"]
    assert state(repo) == before
    assert graph_of(repo).defines("g") == ["a.py"]


def test_a_newer_format_is_told_as_such(forger, repo, graph_of) -> None:
    slice_ = bytearray(codec.encode(forger.slice()))
    slice_[1] = codec.FORMAT + 1
    forger.add("=a.py", bytes(slice_))
    newer = forger.root()
    forger.basis["format"] = 99
    for root in (newer, forger.root()):
        forger.hub.git("update-ref", "refs/graph/heads/main", root)
        before = state(repo)
        with pytest.raises(NewerFormat, match="format"):
            fetch(graph_of(repo).repository, "origin", ["main"])
        assert state(repo) == before


def test_more_than_is_allowed_is_cut_off_while_it_arrives(forger, repo, graph_of) -> None:
    forger.add("=a.py", os.urandom(300_000))
    forger.hub.git("update-ref", "refs/graph/heads/main", forger.root())
    repo.git("config", "graph.maxFetchSize", "100k")
    before = state(repo)
    with pytest.raises(Refused, match="larger than 102,400 bytes"):
        fetch(graph_of(repo).repository, "origin", ["main"])
    assert state(repo) == before


def test_a_manifest_with_something_missing_is_not_taken(forger, repo, graph_of) -> None:
    forger.files["=a.py"] = Entry(b"=a.py", BLOB, "1" * 40)
    forger.hub.git("update-ref", "--no-deref", "refs/graph/heads/main", forger.root())
    before = state(repo)
    with pytest.raises(GraphError):
        fetch(graph_of(repo).repository, "origin", ["main"])
    assert state(repo) == before


def test_one_that_is_refused_keeps_no_other_from_being_taken(forger, repo, graph_of) -> None:
    sound = forger.hub.git("rev-parse", "refs/graph/heads/main")
    forger.hub.git("update-ref", "refs/graph/heads/evil", doubled(forger))
    forger.hub.git("update-ref", "refs/graph/heads/a%2Fb%", sound)
    done = {branch.branch: branch.outcome for branch in fetch(graph_of(repo).repository).branches}
    assert done == {"evil": "refused", "main": "new"}
    assert graph_of(repo).sync().parsed == 0


def test_slices_of_other_rules_are_taken_and_extracted_again(forger, repo, graph_of) -> None:
    for name in ("=a.py", "=c.py"):
        slice_ = forger.slice(name)
        slice_.fingerprint = "0" * 16
        forger.add(name, codec.encode(slice_))
    forger.basis["rules"] = {"python": [1, "0" * 16]}
    forger.hub.git("update-ref", "refs/graph/heads/main", forger.root())
    done = fetch(graph_of(repo).repository)
    assert [branch.outcome for branch in done.branches] == ["new"]
    assert done.warnings[0].startswith("other-rules: python")
    assert graph_of(repo).sync().parsed == 2
    assert graph_of(repo).defines("g") == ["a.py"]


# what is already here, however it came


def lying(forger: Forger) -> str:
    slice_ = forger.slice()
    slice_.strings = [{"g": "q"}.get(text, text) for text in slice_.strings]
    forger.add("=a.py", codec.encode(slice_))
    return forger.root()


@pytest.mark.parametrize("forge", [named("=.."), miscounted, with_overlay, sloppy_json])
def test_verify_names_what_another_git_has_brought(forge, forger, repo, graph_of) -> None:
    forger.hub.git("update-ref", "refs/graph/heads/main", forge(forger))
    repo.git("fetch", "-q", "origin", "+refs/graph/heads/*:refs/graph/remotes/origin/*")
    done = verify(graph_of(repo).repository)
    assert {finding.view for finding in done.left} == {"remotes/origin/main"}
    assert graph_of(repo).defines("g") == ["a.py"]


def test_what_nobody_inspected_is_no_start_but_its_slices_are_known(forger, repo, graph_of) -> None:
    forger.add("=b.py", forger.hub.raw("cat-file", "blob", forger.files["=a.py"].id))
    forger.hub.git("update-ref", "refs/graph/heads/main", forger.root())
    repo.git("fetch", "-q", "origin", "+refs/graph/heads/*:refs/graph/remotes/origin/*")
    shutil.rmtree(repo.path / ".git" / "graph")
    done = graph_of(repo).sync()
    assert graph_of(repo).paths() == ["a.py", "c.py"]
    assert done.parsed == 0


def test_a_slice_that_lies_is_found_by_extracting_it_again(forger, repo, graph_of) -> None:
    forger.hub.git("update-ref", "refs/graph/heads/main", lying(forger))
    assert [branch.outcome for branch in fetch(graph_of(repo).repository).branches] == ["new"]
    assert verify(graph_of(repo).repository).found == ()
    for sample in (0, 2):
        done = verify(graph_of(repo).repository, Wish(extract=True, sample=sample, mend=False))
        assert [(f.code, f.view, f.path) for f in done.found] == [("wrong-slice", "remotes/origin/main", "a.py")]
    assert done.extracted == 2


def test_a_sound_manifest_has_nothing_that_verify_names(forger, repo, graph_of) -> None:
    forger.hub.git("update-ref", "refs/graph/heads/main", forger.root())
    fetch(graph_of(repo).repository)
    done = verify(graph_of(repo).repository, Wish(extract=True))
    assert (done.found, done.extracted, done.unverifiable) == ((), 2, 0)
