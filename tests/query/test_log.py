"""The way of a symbol through history, in real repositories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from git_graph.git.repository import Repository
from git_graph.query.log import Start, log, removed
from git_graph.sync.blobs import Past

BODY = """(items):
    result = 0
    for item in items:
        result += item.price * item.count
    return result
"""
Repo = Any


def told(repo: Repo, path: str, *parts: str, rev: str = "HEAD", **options: Any) -> list[str]:
    """`subject: change what` of each entry."""
    past = Past(Repository.discover(repo.path), first_parent=options.pop("first_parent", False))
    try:
        start = Start(repo.git("rev-parse", rev), path, parts, 1)
        answer = log([start], past, {}, **options)
    finally:
        past.close()
    lines = []
    for entry in answer.results:
        what = [word for word in entry.change.what if word != entry.change.change]
        lines.append(f"{entry.subject}: {entry.change.change}" + (f", {', '.join(what)}" if what else ""))
    return lines


def test_a_rename_and_a_file_move_tell_the_whole_story(repo: Repo) -> None:
    repo.write("shop.py", f"def gross{BODY}")
    repo.commit("begin")
    repo.write("shop.py", f"import os\n\n\ndef gross{BODY}")
    repo.commit("above")
    text = f"import os\n\n\ndef gross{BODY}".replace("result = 0", "result = 0.0")
    repo.write("shop.py", text)
    repo.commit("body")
    text = text.replace("gross", "sum_up")
    repo.write("shop.py", text)
    repo.commit("rename")
    repo.git("mv", "shop.py", "till.py")
    repo.commit("file")
    text = text.replace("(items)", "(items, tax=0)")
    repo.write("till.py", text)
    repo.commit("signature")
    repo.write("money.py", text.removeprefix("import os\n\n\n"))
    repo.write("till.py", "import os\n")
    repo.commit("elsewhere")
    assert told(repo, "money.py", "sum_up") == [
        "elsewhere: moved",
        "signature: changed, signature",
        "file: moved",
        "rename: renamed",
        "body: changed, body",
        "begin: added",
    ]


def test_a_symbol_that_came_back_tells_of_both_lives(repo: Repo) -> None:
    for message, text in [("one", f"def f{BODY}"), ("two", "X = 1\n"), ("three", f"X = 1\n\ndef f{BODY}")]:
        repo.write("a.py", text)
        repo.commit(message)
    assert told(repo, "a.py", "f") == ["three: added", "two: removed", "one: added"]


def test_a_merge_is_not_told_for_what_its_branches_did(repo: Repo) -> None:
    repo.write("a.py", f"def f{BODY}\n\nX = 1\n")
    repo.commit("begin")
    repo.git("switch", "-q", "-c", "topic")
    repo.write("a.py", f"def f{BODY}\n\nX = 1\n".replace("= 0", "= 1"))
    repo.commit("topic")
    repo.git("switch", "-q", "main")
    repo.write("a.py", f"def f{BODY}\n\nX = 2\n")
    repo.commit("main")
    repo.git("merge", "-q", "--no-edit", "topic")
    assert told(repo, "a.py", "f") == ["topic: changed, body", "begin: added"]
    assert told(repo, "a.py", "f", first_parent=True) == ["Merge branch 'topic': changed, body", "begin: added"]


@pytest.fixture
def dated(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Five commits that each change `f`, at 100, 200, ... 500 seconds after the start of a day."""
    for number in range(1, 6):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{1_700_000_000 + 100 * number} +0000")
        repo.write("a.py", f"def f(a):\n    return {number}\n")
        repo.commit(str(number))
    return repo


def test_dates_and_numbers_bound_what_is_told(dated: Repo) -> None:
    assert told(dated, "a.py", "f", limit=2) == ["5: changed, body", "4: changed, body"]
    assert told(dated, "a.py", "f", since=1_700_000_350) == ["5: changed, body", "4: changed, body"]
    assert told(dated, "a.py", "f", until=1_700_000_250) == ["2: changed, body", "1: added"]


def test_a_removed_symbol_is_found_by_its_name(repo: Repo) -> None:
    repo.write("a.py", f"class A:\n    x = 1\n\n\ndef f{BODY}")
    repo.commit("one")
    repo.write("a.py", "class A:\n    x = 1\n")
    repo.commit("two")
    repo.write("a.py", "class A:\n    x = 2  # ff\n")
    repo.commit("three")
    past = Past(Repository.discover(repo.path))
    (start,) = removed(past, repo.head(), "f")
    answer = log([start], past, {})
    assert [(entry.subject, entry.change.change) for entry in answer.results] == [("two", "removed"), ("one", "added")]
    assert removed(past, repo.head(), "nothing_such") == []
    past.close()


def test_a_walk_through_history_stores_nothing(dated: Repo) -> None:
    before = sorted(path for path in (dated.path / ".git/objects").rglob("*"))
    told(dated, "a.py", "f")
    assert sorted(path for path in (dated.path / ".git/objects").rglob("*")) == before


def test_paths_of_any_bytes_are_followed(repo: Repo) -> None:
    repo.write(b"d\xe9/*.py", f"def f{BODY}")
    repo.commit("one")
    assert told(repo, Path("d\udce9/*.py").as_posix(), "f") == ["one: added"]
