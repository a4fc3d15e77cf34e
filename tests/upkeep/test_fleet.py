"""What `git graph views` tells of a fleet."""

from __future__ import annotations

import pytest

from git_graph.errors import UnknownView
from git_graph.store import views
from git_graph.upkeep.collect import forget
from git_graph.upkeep.fleet import fleet

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")


@pytest.fixture
def many(repo, graph, graph_of, tmp_path):
    repo.write("a.py", F)
    repo.write("d/b.py", G)
    repo.commit()
    graph.sync()
    for name in ("same", "own", "late", "new"):
        side = repo.worktree(tmp_path / name)
        if name == "own":
            side.write("own.py", H)
            side.write("d/copy.py", F)
        if name != "new":
            graph_of(side).sync()
        if name == "late":
            side.write("a.py", H + "\n")
    return {member.name.rpartition("/")[2]: member for member in fleet(graph.repository)}


def test_each_view_tells_head_freshness_files_and_what_is_its_own(repo, many):
    assert {name: member.freshness for name, member in many.items()} == {
        "main-worktree": "current", "same": "current", "own": "dirty-but-indexed", "late": "refresh-needed",
        "new": "unknown",
    }  # fmt: skip
    assert {name: (member.files, member.own_files) for name, member in many.items()} == {
        "main-worktree": (2, 0), "same": (2, 0), "own": (4, 1), "late": (2, 0), "new": (0, 0),
    }  # fmt: skip
    assert many["own"].own_bytes > 0 and many["same"].own_bytes == 0
    assert (many["own"].head, many["own"].branch) == (repo.head(), "own")
    assert many["main-worktree"].current and not many["own"].current
    assert many["new"].snapshot is None


def test_without_looking_nothing_is_said_of_freshness(graph, many):
    assert {member.freshness for member in fleet(graph.repository, look=False)} == {None}


def test_a_fleet_is_listed_from_any_of_its_worktrees_and_from_a_bare_one(repo, graph, graph_of, many, tmp_path):
    there = graph_of(type(repo)(tmp_path / "own"))
    assert [member.name for member in fleet(there.repository)] == [member.name for member in fleet(graph.repository)]
    repo.git("clone", "-q", "--mirror", repo.path, tmp_path / "bare")
    bare = fleet(graph_of(type(repo)(tmp_path / "bare")).repository)
    assert {member.name for member in bare} == {"main-worktree", "worktrees/same", "worktrees/own", "worktrees/late"}
    assert {member.files for member in bare} == {2, 4}


def test_a_view_that_cannot_be_read_is_listed_with_the_reason(repo, graph, many):
    id = repo.git("rev-parse", "refs/graph/views/worktrees/own:snapshot/basis")
    (repo.path / ".git" / "objects" / id[:2] / id[2:]).unlink()
    found = {member.name: member for member in fleet(graph.repository)}
    assert id in found["worktrees/own"].problem
    assert found["worktrees/same"].problem is None and found["worktrees/same"].freshness == "current"


def test_views_are_removed_by_name_all_or_none(graph, graph_of, many, tmp_path):
    with pytest.raises(UnknownView, match="none"):
        forget(graph.repository, ["worktrees/own", "none"])
    assert "worktrees/own" in views.names(graph.repository)
    forget(graph.repository, ["worktrees/own", "main-worktree"])
    assert views.names(graph.repository) == ["worktrees/late", "worktrees/same"]
    assert graph.sync().parsed == 0
