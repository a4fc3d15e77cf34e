"""What `git graph gc` lets go of, and what git then reclaims."""

from __future__ import annotations

import os
import time

import pytest

from git_graph.errors import GraphError, NotWritable
from git_graph.git.repository import Repository
from git_graph.store import manifest, tend, views
from git_graph.store.journal import Journal
from git_graph.store.transaction import Transaction
from git_graph.upkeep.collect import collect

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")


def slices_held(repo) -> set[str]:
    """Every blob that a ref of ours reaches at a path of a manifest, as git tells it."""
    held = set()
    for ref in repo.git("for-each-ref", "--format=%(refname)", "refs/graph/").split():
        listed = repo.git("ls-tree", "-r", "-t", ref).splitlines()
        held |= {line.split()[2] for line in listed if "/=" in line or "files/" in line}
    return held


def objects_there(repo) -> set[str]:
    return {line.split()[0] for line in repo.git("cat-file", "--batch-check", "--batch-all-objects").splitlines()}


def edited(repo, graph, times: int) -> None:
    for number in range(times):
        repo.write("a.py", f"def edit_{number}():\n    pass\n")
        graph.sync()


def test_git_reclaims_exactly_what_no_view_holds(committed, graph, graph_of, tmp_path):
    """An edit, a deleted view and a removed worktree; what they alone held is gone, all else is there."""
    repo = committed
    repo.git("config", "graph.historyLimit", "2")
    graph.sync()
    gone, deleted, stays = (graph_of(repo.worktree(tmp_path / name, "--detach")) for name in ("one", "two", "three"))
    for side in (gone, deleted, stays):
        (side.path / "own.py").write_text(f"def own_{side.path.name}():\n    pass\n")
        side.sync()
    edited(repo, graph, 5)
    held_before = slices_held(repo)
    repo.git("worktree", "remove", "--force", gone.path)
    views.delete(graph.repository, "worktrees/two")
    repo.git("config", "graph.historyLimit", "0")
    done = collect(graph.repository)
    held = slices_held(repo)
    lost = held_before - held
    assert done.views == ("worktrees/one",) and done.snapshots == 2 and lost
    assert done.reclaimable >= len(lost & objects_there(repo)) > 0
    foreign = objects_there(repo) - held_before
    repo.git("gc", "-q", "--prune=now")
    there = objects_there(repo)
    assert lost & there == set(), "what nothing holds is reclaimed"
    assert held <= there, "what a view holds stays"
    commits = set(repo.git("rev-list", "--all", "--objects", "--no-object-names").split())
    assert foreign & commits <= there, "what is git's own stays"
    assert repo.fsck() == ""
    assert stays.defines("own_three") == ["own.py"] and graph.defines("edit_4") == ["a.py"]
    assert deleted.sync().parsed == 1, "only what was its own has to be parsed again"


def test_histories_are_cut_to_the_limit_and_the_present_stays(committed, graph):
    graph.sync()
    edited(committed, graph, 6)
    present = graph.stored()
    assert len(views.history(graph.repository, views.require(graph.repository, "main-worktree"))) == 6
    committed.git("config", "graph.historyLimit", "3")
    assert collect(graph.repository, dry_run=True).snapshots == 3
    done = collect(graph.repository)
    view = views.require(graph.repository, "main-worktree")
    assert (done.snapshots, list(views.history(graph.repository, view))) == (3, [4, 5, 6])
    assert graph.stored() == present
    assert not graph.sync().published
    assert collect(graph.repository).snapshots == 0
    committed.write("a.py", H)
    assert graph.sync().sequence == 8


def test_a_dry_run_changes_nothing_and_tells_the_same(committed, graph, graph_of, tmp_path):
    graph.sync()
    side = committed.worktree(tmp_path / "side")
    side.write("own.py", H)
    graph_of(side).sync()
    committed.git("worktree", "remove", "--force", side.path)
    before = committed.git("for-each-ref")
    told = collect(graph.repository, dry_run=True)
    assert committed.git("for-each-ref") == before and views.names(graph.repository) == [
        "main-worktree",
        "worktrees/side",
    ]
    done = collect(graph.repository)
    assert (told.views, told.reclaimable, told.derived) == (done.views, done.reclaimable, done.derived)
    assert done.derived == ("worktrees/side",)
    assert collect(graph.repository).reclaimable == 0


def test_pinned_snapshots_stay(committed, graph, graph_of, tmp_path):
    side = committed.worktree(tmp_path / "side")
    side.write("own.py", H)
    graph_of(side).sync()
    repository = graph.repository
    with Transaction(repository) as transaction:
        name = views.pin(transaction, views.require(repository, "worktrees/side"), "v1")
    committed.git("worktree", "remove", "--force", side.path)
    done = collect(graph.repository)
    assert done.views == ("worktrees/side",)
    committed.git("gc", "-q", "--prune=now")
    assert list(graph.ask(view=name).view.defining("h")) == ["own.py"]
    assert committed.fsck() == ""


def test_what_we_wrote_loose_is_packed_and_our_old_orphans_go(committed, graph):
    graph.sync()
    edited(committed, graph, 3)
    repository = graph.repository
    orphan = Journal(repository)
    old = time.time() - tend.AGE - 60
    from git_graph.git.loose import object_id

    id = object_id("blob", b"orphan")
    orphan.loose.append([(id, old)])
    repository.loose.write(id, "blob", b"orphan")
    os.utime(repository.loose.path(id), (old, old))
    done = collect(graph.repository)
    assert done.tended.packed > 10 and done.tended.removed >= 1
    assert not repository.loose.path(id).exists()
    there = Repository.discover(committed.path)
    loose = [id for id in slices_held(committed) if there.loose.path(id).exists()]
    assert loose == []
    assert committed.fsck() == ""
    edited(committed, graph, 1)
    assert graph.defines("edit_0") == ["a.py"]


def test_the_derived_store_forgets_what_is_gone_and_gives_the_room_back(committed, graph, graph_of, tmp_path):
    graph.sync()
    side = committed.worktree(tmp_path / "side")
    for number in range(60):
        side.write(f"own{number}.py", "\n".join(f"def own_{number}_{n}():\n    pass" for n in range(40)))
    graph_of(side).sync()
    committed.git("worktree", "remove", "--force", side.path)
    before = sum(file.stat().st_size for file in graph.repository.graph_dir.glob("*.sqlite*"))
    (graph.repository.graph_dir / "engine-0.7.sqlite").write_bytes(b"of a schema that nobody reads any more")
    done = collect(graph.repository)
    assert done.derived_bytes[1] < before * 0.7
    assert not (graph.repository.graph_dir / "engine-0.7.sqlite").exists()
    assert graph.paths() == ["a.py", "d/b.py"] and graph.ask().warnings == ()
    committed.write("a.py", H)
    assert (graph.sync().parsed, graph.defines("h")) == (1, ["a.py"])


def test_what_is_still_known_is_not_parsed_again_afterwards(committed, graph, graph_of, tmp_path):
    graph.sync()
    collect(graph.repository)
    side = graph_of(committed.worktree(tmp_path / "side"))
    assert side.sync().parsed == 0


def test_while_git_collects_nothing_is_packed_and_it_is_said(committed, graph):
    graph.sync()
    (committed.path / ".git" / "gc.pid").write_text(f"{os.getpid()} {os.uname().nodename}")
    done = collect(graph.repository)
    assert done.tended.packed == 0 and done.warnings[0].startswith("not-packed:")


def test_a_manifest_that_cannot_be_read_ends_it_before_anything_goes(committed, graph, graph_of, tmp_path):
    graph.sync()
    side = committed.worktree(tmp_path / "side")
    graph_of(side).sync()
    tree = committed.git("rev-parse", "refs/graph/views/main-worktree:snapshot/files/=d")
    (committed.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    committed.git("worktree", "remove", "--force", side.path)
    with pytest.raises(GraphError, match=tree) as caught:
        collect(graph.repository)
    assert "verify" in caught.value.hint
    assert "worktrees/side" in views.names(graph.repository)


def test_where_nothing_can_be_written_it_says_so(committed, graph, monkeypatch):
    graph.sync()
    monkeypatch.setattr(Repository, "writable", lambda self: False)
    with pytest.raises(NotWritable):
        collect(graph.repository)
    assert collect(graph.repository, dry_run=True).views == ()


# the ids of worktrees


def test_a_reused_worktree_id_inherits_nothing(committed, graph, graph_of, tmp_path):
    """Even at the same place: until it is synced there is no view, and then it is its own."""
    side = committed.worktree(tmp_path / "side")
    side.write("dead.py", H)
    graph_of(side).sync()
    committed.git("worktree", "remove", "--force", side.path)
    again = graph_of(committed.worktree(tmp_path / "side", "--detach"))
    assert again.repository.view == "worktrees/side"
    with pytest.raises(GraphError, match="no manifest yet"):
        again.ask(sync=False)
    assert again.status().initialized is False
    result = again.sync()
    assert (result.sequence, result.parsed, again.defines("h")) == (1, 0, [])
    assert views.history(again.repository, views.require(again.repository, "worktrees/side")) == {}


def test_the_view_of_a_reused_id_is_swept_when_nobody_syncs_it(committed, graph, graph_of, tmp_path):
    side = committed.worktree(tmp_path / "side")
    graph_of(side).sync()
    committed.git("worktree", "remove", "--force", side.path)
    committed.worktree(tmp_path / "side", "--detach")
    assert collect(graph.repository).views == ("worktrees/side",)


def test_a_worktree_that_was_moved_keeps_its_view(committed, graph_of, tmp_path):
    side = committed.worktree(tmp_path / "side")
    graph_of(side).sync()
    committed.git("worktree", "move", side.path, tmp_path / "moved")
    moved = graph_of(type(side)(tmp_path / "moved"))
    assert moved.sync().sequence == 2
    assert moved.basis().worktree == str(tmp_path / "moved")


def test_a_worktree_whose_folder_is_away_keeps_its_view(committed, graph, graph_of, tmp_path):
    side = committed.worktree(tmp_path / "side")
    graph_of(side).sync()
    side.path.rename(tmp_path / "unplugged")
    assert collect(graph.repository).views == ()
    assert manifest.find(graph.repository, views.require(graph.repository, "worktrees/side").snapshot.files, b"a.py")
