"""The syncer that hooks leave work to."""

import os
import sys
import time

from git_graph.git.lock import FileLock
from git_graph.git.repository import Repository
from git_graph.store import views
from git_graph.sync import background, status

CODE = "def f():\n    return 1\n"


def wait_until(condition, seconds=20):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


def test_every_marked_worktree_is_synced_and_no_other(repo, tmp_path):
    repo.write("a.py", CODE)
    repo.commit()
    side, other = repo.worktree(tmp_path / "side"), repo.worktree(tmp_path / "other")
    for place in (repo, side):
        background.mark(Repository.discover(place.path))
    repository = Repository.discover(other.path)
    assert background.drain(repository) == 2
    assert views.names(repository) == ["main-worktree", "worktrees/side"]
    assert background.pending(repository) == []


def test_a_burst_is_one_sync(repo):
    repo.write("a.py", CODE)
    repo.commit()
    repository = Repository.discover(repo.path)
    for _ in range(5):
        background.mark(repository)
    assert background.drain(repository) == 1


def test_a_launched_syncer_works_detached_and_ends(repo):
    repo.write("a.py", CODE)
    repo.commit()
    repository = Repository.discover(repo.path)
    background.mark(repository)
    background.launch(repository)
    assert wait_until(lambda: status(repository).freshness == "current")
    assert wait_until(lambda: (repository.graph_dir / background.LOCK).read_text() == "")
    assert repo.git("status", "--porcelain") == ""


def test_only_one_syncer_is_at_work(repo, monkeypatch):
    repo.write("a.py", CODE)
    repo.commit()
    repository = Repository.discover(repo.path)
    background.mark(repository)
    monkeypatch.setattr(background, "HANDOVER", 0.1)
    with FileLock(repository.make_graph_dir() / background.LOCK, 1):
        monkeypatch.setattr(sys, "executable", os.devnull)  # nothing is started while that one is alive
        background.launch(repository)
        assert background.drain(repository) == 0
    assert background.pending(repository)


def test_a_marker_of_a_worktree_that_is_gone_is_taken_away(repo, tmp_path):
    repo.write("a.py", CODE)
    repo.commit()
    side = repo.worktree(tmp_path / "side")
    background.mark(Repository.discover(side.path))
    (side.path / "a.py").unlink()
    (side.path / ".git").unlink()
    side.path.rmdir()
    repository = Repository.discover(repo.path)
    assert background.drain(repository) == 0
    assert background.pending(repository) == []


def test_what_goes_wrong_is_logged_and_the_others_are_synced(repo, tmp_path):
    repo.write("a.py", CODE)
    repo.commit()
    side = repo.worktree(tmp_path / "side")
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "graph.maxFileSize", "many")
    for place in (repo, side):
        background.mark(Repository.discover(place.path))
    repository = Repository.discover(side.path)
    background.drain(repository)
    assert views.names(repository) == ["worktrees/side"]
    assert "graph.maxFileSize" in (repository.graph_dir / background.LOG).read_text()
