"""Publishing and fetching: what leaves a machine, what another one starts from, and whose object it is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from git_graph.errors import GitFailed, GraphError, RefMoved, UnknownRemote, UnknownRevision, UnknownView
from git_graph.git import remotes
from git_graph.store import views
from git_graph.sync.fetching import fetch
from git_graph.sync.sharing import push, withdraw

CODE = "def f():\n    return g()\n\ndef g():\n    return 1\n"


@pytest.fixture
def hub(repo: Any, make_repo: Callable[..., Any]) -> Any:
    """A bare repository that `repo` has as its origin, with one commit."""
    hub = make_repo("hub", "--bare")
    repo.write("a.py", CODE)
    repo.write("pkg/b.py", "from a import f\nf()\n")
    repo.write("pkg/__init__.py", "")
    repo.commit()
    repo.git("remote", "add", "origin", hub.path)
    repo.git("push", "-q", "-u", "origin", "main")
    return hub


@pytest.fixture
def clone(tmp_path: Path) -> Callable[..., Any]:
    def make(of: Any, name: str = "clone", *args: str) -> Any:
        subprocess.run(["git", "clone", "-q", *args, f"file://{of.path}", tmp_path / name], check=True)
        return type(of)(tmp_path / name)

    return make


def published(repo: Any, branch: str = "main") -> str:
    return repo.git("rev-parse", views.ref_of(f"heads/{branch}"))


def objects(repo: Any, root: str) -> dict[str, bytes]:
    """Every object below a tree, with its bytes."""
    ids = [line.split(" ")[0] for line in repo.git("rev-list", "--objects", root).splitlines()]
    return {id: repo.raw("cat-file", repo.git("cat-file", "-t", id), id) for id in ids}


def test_a_fresh_clone_that_fetches_parses_nothing(repo, hub, clone, graph_of) -> None:
    push(graph_of(repo).repository)
    other = graph_of(clone(hub))
    done = fetch(other.repository)
    assert [(branch.view, branch.outcome, branch.files) for branch in done.branches] == [
        ("remotes/origin/main", "new", 3)
    ]
    assert done.warnings == ()
    result = other.sync()
    assert (result.parsed, result.files) == (0, 3)
    assert other.defines("g") == ["a.py"]
    assert other.stored() == graph_of(repo).stored("heads/main") == other.stored("remotes/origin/main")


def test_what_changed_since_is_all_that_is_parsed(repo, hub, clone, graph_of) -> None:
    push(graph_of(repo).repository)
    repo.write("a.py", CODE + "\ndef h():\n    return 2\n")
    repo.commit()
    repo.git("push", "-q")
    other = graph_of(clone(hub))
    fetch(other.repository)
    assert other.sync().parsed == 1
    assert other.defines("h") == ["a.py"]


MACHINE = """
import sys
from git_graph.git.repository import Repository
from git_graph.sync.sharing import push
print(push(Repository.discover(), "origin", sys.argv[1], dry_run=True).snapshot)
"""


def test_two_machines_make_the_same_object_of_one_commit(repo, hub, clone, graph_of, tmp_path) -> None:
    repo.write(".gitattributes", "gen/** linguist-generated\n")
    repo.write("gen/made.py", "def made(): pass\n")
    repo.write("big.py", "x = 1\n" * 2000)
    repo.write("sh", "#!/usr/bin/env python3\ndef tool(): pass\n")
    first = repo.commit("one")
    repo.write("a.py", CODE.replace("g", "h"))
    repo.write("new.py", "def new(): pass\n")
    repo.remove("pkg/b.py")
    second = repo.commit("two")
    repo.git("push", "-q")
    clean, dirty = clone(hub, "clean"), clone(hub, "dirty")
    dirty.git("checkout", "-q", first)
    for key, value in {
        "graph.maxFileSize": "1k", "graph.untracked": "no", "graph.jobs": "1", "graph.engine": "memory",
        "core.autocrlf": "true", "graph.historyLimit": "0",
    }.items():  # fmt: skip
        dirty.git("config", key, value)
    (dirty.path / ".git" / "info" / "attributes").write_text("*.py -graph\n")
    attributes = tmp_path / "attributes"
    attributes.write_text("*.py linguist-language=Go\n")
    dirty.git("config", "core.attributesFile", attributes)
    dirty.write("a.py", "def dirty(): pass\n")
    dirty.write("secret_untracked.py", "def secret(): pass\n")
    graph_of(dirty).sync()
    dirty.write("a.py", CODE + "# other\n")
    graph_of(dirty).sync()
    found = set()
    for machine, zone, seed in ((clean, "UTC", "1"), (dirty, "Pacific/Auckland", "77"), (repo, "America/Lima", "0")):
        env = os.environ | {"TZ": zone, "PYTHONHASHSEED": seed, "LC_ALL": "C" if seed == "77" else "C.UTF-8"}
        command = [sys.executable, "-c", MACHINE, f"{second}:main"]
        done = subprocess.run(command, cwd=machine.path, env=env, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    found.add(push(graph_of(repo).repository, "origin", f"{second}:x").snapshot + "\n")
    assert len(found) == 1
    paths = graph_of(repo).stored("heads/x")
    assert sorted(paths) == ["a.py", "big.py", "new.py", "pkg/__init__.py", "sh"]


def test_nothing_uncommitted_or_untracked_leaves_the_machine(repo, hub, graph_of) -> None:
    repo.write("a.py", "def overlay_name(): pass\n")
    repo.write("staged_file.py", "def staged_name(): pass\n")
    repo.git("add", "staged_file.py")
    repo.write("untracked_file.py", "def untracked_name(): pass\n")
    graph_of(repo).sync()
    push(graph_of(repo).repository)
    sent = objects(hub, published(hub))
    everything = b"\0".join(sent.values())
    for name in (b"overlay_name", b"staged", b"untracked", os.fsencode(repo.path), b"main-worktree", b"observed"):
        assert name not in everything, name
    assert b"pkg" in everything
    there = set(hub.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split())
    committed = {line.split(" ")[0] for line in hub.git("rev-list", "--objects", "main").splitlines()}
    assert there == committed | sent.keys(), "an object was sent that is no part of the commit or its manifest"


def test_what_is_published_again_takes_the_place_of_the_old(repo, hub, clone, graph_of) -> None:
    first = push(graph_of(repo).repository)
    assert push(graph_of(repo).repository).sent is False
    repo.write("a.py", "def other(): pass\n")
    repo.commit()
    repo.git("push", "-q")
    second = push(graph_of(repo).repository)
    assert (second.sent, second.replaced) == (True, first.snapshot)
    assert list(hub.git("for-each-ref", "--format=%(refname)", "refs/graph").splitlines()) == ["refs/graph/heads/main"]
    hub.git("gc", "-q", "--prune=now")
    hub.git("cat-file", "-e", second.snapshot)
    with pytest.raises(AssertionError):
        hub.git("cat-file", "-e", first.snapshot)
    other = clone(hub)
    fetch(graph_of(other).repository)
    assert other.fsck() == hub.fsck() == repo.fsck() == ""


def test_a_push_that_another_machine_overtook_is_told_and_changes_nothing(repo, hub, graph_of) -> None:
    done = push(graph_of(repo).repository)
    tree = hub.git("rev-parse", "main^{tree}")
    for seen in (tree, None):
        with pytest.raises(RefMoved, match="moved by another machine"):
            remotes.send(graph_of(repo).repository, "origin", "refs/graph/heads/main", tree, seen)
    assert published(hub) == done.snapshot


def test_a_fetch_leaves_no_trace_but_its_ref(repo, hub, clone, graph_of) -> None:
    push(graph_of(repo).repository)
    repo.git("tag", "-a", "-m", "t", "v1")
    repo.git("push", "-q", "--tags")
    other = clone(hub, "clone", "--no-tags")
    other.git("config", "core.logAllRefUpdates", "always")
    before = other.git("for-each-ref"), sorted(path.name for path in (other.path / ".git").iterdir())
    fetch(graph_of(other).repository)
    assert other.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags") == before[0]
    assert other.git("for-each-ref", "--format=%(refname)", "refs/graph") == "refs/graph/remotes/origin/main"
    assert {path.name for path in (other.path / ".git").iterdir()} - set(before[1]) == {"graph"}
    assert not list((other.path / ".git" / "logs").rglob("*graph*"))
    assert not list((other.path / ".git" / "graph").glob("incoming-*"))
    assert not list((other.path / ".git" / "objects" / "pack").glob("*.keep"))
    assert other.git("log", "--all", "--oneline") == other.git("log", "--oneline")
    other.git("gc", "-q", "--prune=now")
    assert graph_of(other).sync().parsed == 0


def test_what_is_no_longer_published_goes_here_too(repo, hub, clone, graph_of) -> None:
    push(graph_of(repo).repository)
    push(graph_of(repo).repository, "origin", "HEAD:release/2-(éà)#%")
    other = graph_of(clone(hub))
    views_ = [branch.view for branch in fetch(other.repository).branches]
    assert views_ == ["remotes/origin/main", "remotes/origin/release/2-(éà)#%"]
    assert len(other.stored("remotes/origin/release/2-(éà)#%")) == 3
    assert withdraw(graph_of(repo).repository, "origin", "release/2-(éà)#%").sent
    done = fetch(other.repository)
    assert [(branch.branch, branch.outcome) for branch in done.branches] == [
        ("main", "up-to-date"), ("release/2-(éà)#%", "gone")
    ]  # fmt: skip
    assert list(views.roots(other.repository)) == ["remotes/origin/main"]


def test_a_remote_without_manifests_is_no_error_but_a_branch_named_is(repo, hub, graph_of) -> None:
    done = fetch(graph_of(repo).repository)
    assert done.branches == () and done.warnings[0].startswith("nothing-published")
    with pytest.raises(UnknownView):
        fetch(graph_of(repo).repository, "origin", ["main"])
    with pytest.raises(UnknownRemote, match="no remote 'nowhere'"):
        fetch(graph_of(repo).repository, "nowhere")


def test_a_detached_head_needs_a_branch_to_publish_for(repo, hub, graph_of) -> None:
    repo.git("checkout", "-q", "--detach")
    with pytest.raises(GraphError, match="detached"):
        push(graph_of(repo).repository)
    with pytest.raises(UnknownRevision, match="not a branch"):
        push(graph_of(repo).repository, "origin", "HEAD")
    with pytest.raises(UnknownRevision, match="cannot be the name"):
        push(graph_of(repo).repository, "origin", "HEAD:a..b")
    assert push(graph_of(repo).repository, "origin", "HEAD:main").sent


def test_a_remote_that_refuses_is_told_in_its_own_words(repo, hub, graph_of) -> None:
    hook = hub.path / "hooks" / "update"
    hook.write_text("#!/bin/sh\necho not on my watch >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(GitFailed, match=r"hook declined.*not on my watch"):
        push(graph_of(repo).repository)
    assert hub.git("for-each-ref", "refs/graph") == ""
    repo.git("remote", "set-url", "origin", "/nowhere/at/all")
    with pytest.raises(GitFailed, match="nowhere"):
        push(graph_of(repo).repository)


def test_the_users_own_hooks_do_not_run_for_a_push(repo, hub, graph_of) -> None:
    hook = repo.path / ".git" / "hooks" / "pre-push"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert push(graph_of(repo).repository).sent


def test_shallow_and_partial_clones_fetch_and_stay_what_they_are(repo, hub, clone, graph_of) -> None:
    repo.write("a.py", CODE + "#\n")
    repo.commit()
    repo.git("push", "-q")
    push(graph_of(repo).repository)
    hub.git("config", "uploadpack.allowFilter", "true")
    shallow, partial = clone(hub, "shallow", "--depth=1"), clone(hub, "partial", "--filter=blob:none")
    grafts = (shallow.path / ".git" / "shallow").read_bytes()
    for other in (shallow, partial):
        assert fetch(graph_of(other).repository).warnings == ()
        assert graph_of(other).sync().parsed == 0
        assert other.fsck() == ""
    assert (shallow.path / ".git" / "shallow").read_bytes() == grafts
    assert shallow.git("rev-list", "--count", "HEAD") == "1"


def test_a_manifest_of_a_commit_that_is_not_here_is_taken_with_a_warning(repo, hub, clone, graph_of) -> None:
    other = graph_of(clone(hub))
    repo.write("a.py", CODE + "#\n")
    repo.commit()
    push(graph_of(repo).repository)
    done = fetch(other.repository)
    assert [branch.outcome for branch in done.branches] == ["new"]
    assert done.warnings[0].startswith("unchecked: ")
    assert other.sync().parsed == 1  # a.py as it is here; the others are known


def test_a_commit_with_a_file_that_failed_is_not_published(repo, hub, graph_of, monkeypatch) -> None:
    from git_graph.extract import pool
    from git_graph.sync import decide

    def failing(jobs: Any, **options: Any) -> Any:
        for job in jobs:
            yield pool.Result(job.key, None, "timed-out")

    monkeypatch.setattr(decide, "extract_many", failing)
    with pytest.raises(GraphError, match=r"could not be extracted.*timed-out"):
        push(graph_of(repo).repository)
    assert hub.git("for-each-ref", "refs/graph") == ""


def test_a_bare_repository_publishes_what_it_holds(repo, hub, make_repo, graph_of) -> None:
    mirror = make_repo("mirror", "--bare")
    hub.git("remote", "add", "mirror", mirror.path)
    hub.git("config", "remote.mirror.mirror", "true")
    assert push(graph_of(hub).repository, "mirror", "main").sent
    assert published(mirror) == push(graph_of(repo).repository).snapshot
