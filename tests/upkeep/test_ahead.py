"""What references are is found out before anybody asks: once for all who share it, in steps, where it is wanted."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from git_graph.cli.main import run
from git_graph.engines.sqlite import SqliteEngine
from git_graph.git.lock import FileLock
from git_graph.git.repository import Repository
from git_graph.resolve import Resolver, stored
from git_graph.resolve.recording import Recorder
from git_graph.sync import background, sync
from git_graph.upkeep import ahead
from git_graph.upkeep.verify import Wish, verify

Repo = Any
FILES = {f"m{n}.py": f"from m{n - 1} import f{n - 1}\ndef f{n}():\n    return f{n - 1}()\n" for n in range(1, 30)}


@pytest.fixture
def many(repo: Repo) -> Repo:
    repo.write("m0.py", "def f0():\n    return 0\n")
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit()
    sync(Repository.discover(repo.path))
    return repo


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were resolved."""
    paths: list[str] = []
    resolve = Recorder.file

    def file(self: Recorder, path: str) -> object:
        paths.append(path)
        return resolve(self, path)

    monkeypatch.setattr(Recorder, "file", file)
    return paths


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that would have been started in the background."""
    modules: list[str] = []
    monkeypatch.setattr(background, "LEAST", 10)
    monkeypatch.setattr(background, "_start", lambda repository, module: modules.append(module))
    return modules


def sites(repo: Repo, name: str) -> list[object]:
    repository = Repository.discover(repo.path)
    resolver = Resolver(SqliteEngine(repository.graph_dir).open(repository.view))
    return [
        (o, resolver.role(o), resolver.enclosing(o.path, o.index)) for o in resolver.references(resolver.lookup(name))
    ]


def test_answers_are_the_same_before_and_after(many: Repo) -> None:
    before = sites(many, "f7")
    assert ahead.complete(Repository.discover(many.path))
    assert len(before) == 2
    assert sites(many, "f7") == before


def test_worktrees_that_share_their_files_share_what_is_found(many: Repo, tmp_path: Path, found: list[str]) -> None:
    assert ahead.complete(Repository.discover(many.path))
    assert len(found) == len(set(found)) == 30
    found.clear()
    for name in ("one", "two"):
        side = many.worktree(tmp_path / name)
        (side.path / "m3.py").write_text(FILES["m3.py"] + f"\ndef {name}():\n    return f3()\n")
        sync(Repository.discover(side.path))
        assert ahead.complete(Repository.discover(side.path))
        assert any(o.path == "m3.py" for o, *_ in sites(side, "f3"))  # type: ignore[misc]
    assert found == [], "nothing is found again for what is edited: a question does that"


def test_it_goes_on_from_where_it_was_ended(many: Repo, found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "CHUNK", 4)
    monkeypatch.setattr(ahead, "STEPS", 2)
    assert not ahead.complete(Repository.discover(many.path), seconds=1e-9)
    assert 4 <= len(found) < 30
    assert ahead.complete(Repository.discover(many.path))
    assert len(set(found)) == 30
    assert len(found) <= 34, "one step may have been lost"


def test_an_edit_leaves_what_others_found_in_use(many: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ahead.complete(Repository.discover(many.path))
    side = many.worktree(tmp_path / "side")
    (side.path / "new.py").write_text("from m5 import f5\nf5()\n")
    repository = Repository.discover(side.path)
    sync(repository)
    known = stored.stored(SqliteEngine(repository.graph_dir).open(repository.view))
    assert [path for path in FILES if not known.holds(path)] == []
    assert not known.holds("new.py")


def test_a_question_that_found_nothing_stored_has_it_done(
    many: Repo, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(many.path)
    assert run(["references", "f7"]) == 0
    assert started == ["git_graph.upkeep.ahead"]
    started.clear()
    assert ahead.complete(Repository.discover(many.path))
    assert run(["references", "f7"]) == 0
    assert started == []


def test_it_is_not_started_where_it_is_not_wanted(many: Repo, started: list[str]) -> None:
    repository = Repository.discover(many.path)
    background.launch_ahead(repository, 9)
    background.launch_ahead(repository, 20_001)
    many.git("config", "graph.resolveAhead", "0")
    background.launch_ahead(Repository.discover(many.path), 30)
    assert started == []


def test_it_is_not_started_again_at_once_nor_twice(many: Repo, started: list[str]) -> None:
    repository = Repository.discover(many.path)
    file = repository.make_graph_dir() / background.AHEAD_LOCK
    file.write_text("")
    background.launch_ahead(repository, 30)
    assert started == []
    os.utime(file, (1, 1))
    with FileLock(file, 0):
        os.utime(file, (1, 1))
        background.launch_ahead(repository, 30)
        assert ahead.main([str(many.path)]) == 1
    assert started == []
    file.write_text("")
    os.utime(file, (1, 1))
    background.launch_ahead(repository, 30)
    assert len(started) == 1


def test_the_process_ends_when_all_is_found(many: Repo, found: list[str]) -> None:
    subprocess.run([sys.executable, "-P", "-m", background.AHEAD, os.fspath(many.path)], check=True)
    assert ahead.complete(Repository.discover(many.path))
    assert found == []


def test_verify_finds_and_mends_what_is_stored_wrongly(many: Repo) -> None:
    repository = Repository.discover(many.path)
    assert ahead.complete(repository)
    assert verify(repository).found == ()
    (file,) = repository.graph_dir.glob("engine-*.sqlite")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE kept_file SET data = (SELECT data FROM kept_file WHERE path = 7)")
    (found,) = verify(repository).found
    assert "what is stored of the references in m" in found.message
    assert found.mended
    assert verify(repository).found == ()


def test_verify_resolves_all_files_again_where_all_are_extracted_again(many: Repo) -> None:
    repository = Repository.discover(many.path)
    assert ahead.complete(repository)
    (file,) = repository.graph_dir.glob("engine-*.sqlite")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE kept_file SET data = (SELECT data FROM kept_file WHERE path = 7) WHERE path = 8")
    assert len(verify(repository, Wish(extract=True, mend=False)).found) == 1
