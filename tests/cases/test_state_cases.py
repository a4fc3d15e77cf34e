from __future__ import annotations


def test_what_is_taken_back_before_any_commit_leaves_no_ghost(written, ask) -> None:
    repo = written({"kept.py": "def kept():\n    return 1\n"})
    ask.answer("sync")
    repo.write("kept.py", "def kept():\n    return 1\n\n\ndef fleeting():\n    return 2\n")
    repo.write("stray.py", "def stray():\n    return 3\n")
    assert ask.answer("sync")["freshness"] == "dirty-but-indexed"
    assert ask.found("fleeting")
    assert ask.found("stray")
    repo.git("checkout", "-q", "--", "kept.py")
    repo.remove("stray.py")
    ask.answer("sync")
    assert not ask.found("fleeting")
    assert not ask.found("stray")
    assert ask.freshness() == "current"


def test_a_worktree_inside_the_main_one_is_another_tree(written, ask) -> None:
    repo = written({"mine.py": "def mine():\n    return 1\n", "web/.gitignore": "/made\n"})
    repo.write("web/made/out.py", "def made():\n    return 1\n")
    repo.write(".git/info/exclude", "/draft.py\n")
    repo.write("draft.py", "def draft():\n    return 1\n")
    inner = repo.worktree(repo.path / "trees" / "inner", "-b", "inner")
    inner.write("theirs.py", "def theirs():\n    return 1\n")
    assert not ask.found("theirs")
    assert ask.at(inner.path).found("theirs")
    assert ask.answer("definitions", "mine")["total"] == 1
    assert not ask.found("made")
    assert not ask.found("draft")
    assert repo.git("status", "--porcelain") == "?? trees/"


def test_a_question_sees_the_tree_as_it_is_without_hook_or_sync(written, ask) -> None:
    repo = written({"a.py": "def early():\n    return 1\n"})
    assert ask.found("early")
    repo.write("a.py", "def late():\n    return 1\n")
    assert ask.found("late")
    repo.git("stash", "-q")
    assert not ask.found("late")
    repo.git("stash", "pop", "-q")
    repo.commit("two")
    assert ask.answer("definitions", "late")["freshness"] == "current"
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert ask.found("early")
    assert not ask.found("late")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("b.py", "def aside():\n    return 3\n")
    repo.commit("three")
    assert ask.found("aside")
    repo.git("checkout", "-q", "main")
    assert not ask.found("aside")


def test_a_rename_parses_nothing_and_moves_the_symbols(written, ask) -> None:
    repo = written({"from/here.py": "def moved():\n    return 1\n", "other.py": "def other():\n    return 2\n"})
    ask.answer("sync")
    (repo.path / "to").mkdir()
    repo.git("mv", "from/here.py", "to/there.py")
    synced = ask.answer("sync")
    assert synced["parsed"] == 0
    assert synced["freshness"] == "dirty-but-indexed"
    answer = ask.answer("definitions", "moved")
    assert [result["path"] for result in answer["results"]] == ["to/there.py"]


def test_a_view_that_does_not_exist_is_an_error_and_a_symbol_is_not(written, ask) -> None:
    written({"a.py": "def here():\n    return 1\n"})
    ask.answer("sync")
    assert ask.error("definitions", "here", "--view", "main-wroktree") == "unknown-view"
    assert ask.names("definitions", "nowhere", status=1) == []


def test_worktrees_that_edit_one_path_see_their_own(written, ask, tmp_path) -> None:
    repo = written({"same.py": "def same():\n    return 1\n", "split.py": "def before():\n    return same()\n"})
    ask.answer("sync")
    second = repo.worktree(tmp_path / "second")
    there = ask.at(second.path)
    assert there.answer("sync")["parsed"] == 0
    repo.write("split.py", "def ours():\n    return 1\n")
    second.write("split.py", "def theirs():\n    return 1\n")
    assert ask.found("ours")
    assert not ask.found("theirs")
    assert there.found("theirs")
    assert not there.found("ours")
    assert there.found("same")
