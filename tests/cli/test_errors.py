from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from git_graph.cli import main as way_in


@pytest.fixture
def known(repo):
    repo.write("pkg/mod.py", "def work():\n    return 1\n\ndef boss():\n    return work()\n")
    repo.commit()
    return repo


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    return text


def test_no_repository(graph, tmp_path: Path) -> None:
    done = graph("definitions", "f", cwd=tmp_path)
    assert (done.status, done.out) == (128, "")
    assert one_line(done.err).startswith(f"fatal: not a git repository: {tmp_path}; ")


def test_an_error_is_an_object_too_where_json_is_asked(graph, tmp_path: Path) -> None:
    done = graph("definitions", "f", "--json", cwd=tmp_path)
    assert done.status == 128
    assert done.json["schema"] == "git-graph/1"
    assert done.json["error"]["code"] == "not-a-repository"
    assert done.json["error"]["hint"]
    assert "fatal: " in done.err


def test_a_bare_repository(graph, make_repo) -> None:
    bare = make_repo("bare.git", "--bare")
    done = graph("definitions", "f", "--json", cwd=bare.path)
    assert (done.status, done.json["error"]["code"]) == (128, "bare-repository")
    assert "--rev" in done.json["error"]["hint"]


def test_a_bare_repository_answers_about_a_commit(graph, known, tmp_path: Path) -> None:
    known.git("clone", "-q", "--bare", known.path, tmp_path / "bare.git")
    done = graph("callers", "work", "--rev", "main", cwd=tmp_path / "bare.git")
    assert (done.status, done.lines) == (0, ["pkg/mod.py:5: boss calls work  (exact)"])


def test_an_unknown_view_names_those_that_there_are(graph, known) -> None:
    graph("sync")
    done = graph("definitions", "work", "--view", "main-tree")
    assert done.status == 128
    assert "main-tree" in one_line(done.err)
    assert "main-worktree" in done.err


def test_where_there_is_no_view_at_all_the_hint_is_what_works_there(graph, known, make_repo) -> None:
    done = graph("definitions", "work", "--view", "other", "--json")
    assert done.json["error"]["hint"] == "there are none yet; git graph sync makes one"
    done = graph("definitions", "work", "--view", "other", "--json", cwd=make_repo("bare.git", "--bare").path)
    assert done.json["error"]["code"] == "unknown-view"
    assert done.json["error"]["hint"] == "there are none; ask about a commit with --rev REV"


def test_an_unknown_revision(graph, known) -> None:
    done = graph("definitions", "work", "--rev", "nowhere", "--json")
    assert (done.status, done.json["error"]["code"]) == (128, "unknown-revision")


@pytest.mark.parametrize("command", ["definitions", "references", "callers", "callees", "impact"])
def test_a_symbol_that_does_not_exist(graph, known, command: str) -> None:
    done = graph(command, "wrok")
    assert (done.status, done.out) == (1, "")
    assert one_line(done.err) == "error: no symbol 'wrok' in view main-worktree; did you mean work?\n"
    answer = graph(command, "wrok", "--json")
    assert answer.status == 1
    assert (answer.json["results"], answer.json["total"], answer.json["near"]) == ([], 0, ["work"])


def test_a_file_that_does_not_exist(graph, known) -> None:
    done = graph("outline", "src/mod.py")
    assert done.status == 1
    assert one_line(done.err) == "error: no file 'src/mod.py' in view main-worktree; did you mean pkg/mod.py?\n"


@pytest.mark.parametrize("command", ["outline", "deps"])
@pytest.mark.parametrize("path", ["../mod.py", "..", "/etc/passwd"])
def test_a_path_outside_of_the_worktree_is_said_to_be_there(graph, known, command: str, path: str) -> None:
    done = graph(command, path)
    assert (done.status, done.out) == (1, "")
    assert one_line(done.err) == f"error: '{path}' is outside of the worktree\n"


def test_nothing_found_is_told_by_the_status(graph, known) -> None:
    assert graph("find", "zzz").status == 1
    assert graph("find", "wor").status == 0


def test_an_empty_list_about_what_exists_is_an_answer(graph, known) -> None:
    done = graph("callers", "boss")
    assert (done.status, done.out) == (0, "")
    assert done.err == "no calls of function boss (pkg/mod.py:4)\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frobnicate"], "'frobnicate' is no git graph command; see git graph help"),
        (["calers", "x"], "did you mean callers"),
        (["callers"], "Missing argument 'SYMBOL'; see git graph help callers"),
        (["callers", "a", "b"], "unexpected extra argument"),
        (["callers", "a", "--frob"], "No such option"),
        (["callers", "a", "--limit", "-1"], "'--limit'"),
        (["callers", "a", "--limit", "many"], "'--limit'"),
        (["find", "a", "--kind", "banana"], "'--kind'"),
        (["find", "a", "--language", "klingon"], "no language 'klingon'"),
        (["impact", "a", "--depth", "0"], "'--depth'"),
        (["top", "--by", "beauty"], "'--by'"),
        (["impact"], "Missing argument"),
        (["--frob"], "No such option"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(graph, known, arguments: list[str], said: str) -> None:
    done = graph(*arguments)
    assert (done.status, done.out) == (2, "")
    assert one_line(done.err).startswith("fatal: ")
    assert said in done.err
    answer = graph("--json", *arguments)
    assert (answer.status, answer.json["error"]["code"]) == (2, "usage")


def test_a_directory_that_is_not_there(graph, known) -> None:
    done = graph("-C", "nowhere", "find", "work")
    assert done.status == 128
    assert one_line(done.err).startswith("fatal: cannot change to 'nowhere': No such file or directory")


def test_a_setting_with_a_bad_value(graph, known) -> None:
    known.git("config", "graph.maxFileSize", "huge")
    done = graph("sync", "--json")
    assert (done.status, done.json["error"]["code"]) == (2, "usage")
    assert "graph.maxFileSize" in done.json["error"]["message"]


def test_a_bug_shows_no_traceback(graph, known, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_in, "_command", lambda arguments: 1 // 0)
    done = graph("find", "work")
    assert done.status == 128
    assert "ZeroDivisionError" in one_line(done.err)
    assert "GIT_GRAPH_DEBUG=1" in done.err
    monkeypatch.setenv("GIT_GRAPH_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        graph("find", "work")


def test_an_interrupt_ends_quietly(graph, known, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(way_in, "_command", interrupted)
    assert graph("find", "work") == (130, "", "")


def test_a_reader_that_goes_away_is_no_error(known) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "git_graph", "find", "work"],
        cwd=known.path, stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) in ((141, ""), (141, "1 symbol\n"))


def test_names_from_files_cannot_drive_the_terminal(graph, repo) -> None:
    repo.write("evil\x1b[31m.py", "def f():\n    '''\x1b]0;owned\x07'''\n    x = '\u202e'\n")
    repo.write("sig.py", "def g(a='\x1b[2J', b='\u202e'): ...\n")
    repo.commit()
    for arguments in (["find", "f"], ["outline", "sig.py"], ["definitions", "\x1b[31mnope"], ["status"]):
        done = graph(*arguments)
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err


def test_output_survives_any_locale(known) -> None:
    known.write("größe.py", "def größe(): ...\n")
    done = subprocess.run(
        [sys.executable, "-m", "git_graph", "find", "größe"],
        cwd=known.path, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"gr\\xf6\\xdfe.py:1:")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["find", "a", "--kind", "clas"], "did you mean class?"),
        (["find", "a", "--kind", "x"], " more\n"),
        (["top", "--by", "x"], "there are fan-in"),
        (["completion", "bsh"], "did you mean bash or zsh?"),
    ],
)
def test_a_value_that_an_option_does_not_have_is_told_in_a_short_line(graph, known, arguments, hint: str) -> None:
    done = graph(*arguments)
    assert done.status == 2
    assert hint in one_line(done.err)
    assert len(done.err) < 220


@pytest.mark.parametrize("command", ["init", "sync", "status"])
def test_a_hint_in_a_bare_repository_offers_no_option_that_the_command_lacks(graph, make_repo, command: str) -> None:
    done = graph(command, "--json", cwd=make_repo("bare.git", "--bare").path)
    assert (done.status, done.json["error"]["code"]) == (128, "bare-repository")
    assert "--rev" not in done.json["error"]["hint"]
    assert "git worktree add" in done.json["error"]["hint"]


def test_what_options_leave_out_is_not_said_to_be_missing_altogether(graph, known) -> None:
    done = graph("find", "work", "--kind", "class", "--path", "pkg")
    assert done.status == 1
    assert one_line(done.err) == "error: no symbol 'work' in view main-worktree that --kind and --path let through\n"


@pytest.mark.parametrize("glob", ["pkg/m?d.py", "pkg/[lm]od.py", "pkg/*.py", "pkg"])
def test_every_wildcard_makes_a_path_a_glob_from_the_root(graph, known, glob: str) -> None:
    assert graph("find", "work", "--path", glob).lines == ["pkg/mod.py:1: function work  def work()"]
    if glob != "pkg":
        assert graph("find", "work", "--path", glob, cwd=known.path / "pkg").status == 0


def test_every_command_named_in_a_message_exists() -> None:
    import re

    import git_graph
    from git_graph.cli.app import SECTIONS

    known_ones = {name for names in SECTIONS.values() for name in names}
    places = Path(git_graph.__file__).parent.rglob("*.py")
    named = {
        word
        for place in places
        for text in re.findall(r"\"[^\"\n]*\"", place.read_text("utf-8"))
        for word in re.findall(r"\bgit graph (?!does\b)([a-z]+)", text)  # "what git graph does" is prose
    }
    assert len(named) > 3
    assert named - {"command"} <= known_ones
