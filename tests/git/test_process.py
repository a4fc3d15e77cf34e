from __future__ import annotations

import pytest

from git_graph.errors import GitFailed
from git_graph.git import process


def test_a_failure_carries_what_git_said(repo):
    with pytest.raises(GitFailed, match="git rev-parse failed: Needed a single revision"):
        process.run(["-c", "a.b=c", "rev-parse", "--verify", "nothing"], repo.path)


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(GitFailed, match=r"no such directory: .*nowhere"):
        process.run(["status"], tmp_path / "nowhere")


def test_a_missing_git_says_what_to_do(repo, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitFailed) as caught:
        process.run(["status"], repo.path)
    assert "install git" in caught.value.hint


def test_git_speaks_english_but_keeps_the_character_set(monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    env = process.environment()
    assert "LC_ALL" not in env and "LANGUAGE" not in env
    assert env["LC_MESSAGES"] == "C" and env["LC_CTYPE"] == "de_DE.UTF-8"


def test_git_takes_no_optional_locks(repo):
    repo.write("a", "1")
    repo.commit()
    (repo.path / "a").touch()
    index = repo.path / ".git" / "index"
    before = index.read_bytes()
    process.run(["status"], repo.path)
    assert index.read_bytes() == before, "git status refreshed the index"


def test_a_foreign_environment_drops_what_binds_git_to_a_repository(repo, make_repo, monkeypatch):
    other = make_repo("other")
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    ask = ["rev-parse", "--absolute-git-dir"]
    assert process.run(ask, other.path).decode().strip() == str(repo.path / ".git")
    found = process.run(ask, other.path, env=process.foreign_environment()).decode().strip()
    assert found == str(other.path / ".git")


def test_a_started_git_runs_beside_us(repo):
    running = process.start(["hash-object", "--stdin"], repo.path, stdin=True)
    assert running.finish(b"").decode().strip() == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
