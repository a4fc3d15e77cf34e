from __future__ import annotations

import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def shop(repo):
    repo.write(
        "shop/till.py",
        "class Till:\n    def ring(self, price):\n        return add(price)\n\ndef add(price):\n    return price\n",
    )
    repo.write(
        "shop/day.py",
        "from shop.till import Till, add\n\ndef morning():\n    till = Till()\n    till.ring(1)\n    add(2)\n\n"
        "def guess(x):\n    x.ring(2)\n",
    )
    repo.write("shop/__init__.py", "")
    repo.commit()
    return repo


def test_results_go_to_standard_output_and_notes_to_standard_error(graph, shop) -> None:
    done = graph("callers", "Till.ring")
    assert done.lines == ["shop/day.py:5: morning calls ring  (inferred)"]
    assert done.err.splitlines() == [
        "1 call of method Till.ring (shop/till.py:2)",
        "not followed: 1 on an unknown receiver; --possible lists them",
    ]


def test_every_question_answers_in_text_and_in_json(graph, shop) -> None:
    questions = (
        ["find", "add"],
        ["definitions", "add"],
        ["references", "add"],
        ["outline", "shop/day.py"],
        ["callers", "add"],
        ["callees", "morning"],
        ["impact", "add"],
        ["path", "morning", "add"],
        ["unused"],
        ["top"],
        ["deps"],
        ["cycles"],
    )
    for question in questions:
        text, answer = graph(*question), graph(*question, "--json")
        assert text.status == answer.status == 0, question
        document = answer.json
        assert document["schema"] == "git-graph/1"
        assert document["command"] == question[0]
        assert document["view"] == "main-worktree"
        assert document["head"] == shop.head()
        assert document["freshness"] == "current"
        assert len(document["snapshot"]) == 40
        assert document["total"] >= len(text.lines) > 0 or question == ["cycles"], question
        assert {"query", "definitions", "definitions_total", "truncated", "declined", "warnings"} <= set(document)
        for line in text.lines:
            path, number, _ = line.split(":", 2)
            assert (shop.path / path).is_file()
            assert number.isdecimal()


def test_a_limit_is_told_with_the_total(graph, shop) -> None:
    done = graph("find", "n", "--limit", "1")
    assert len(done.lines) == 1
    assert "showing 1 of 2; --limit 0 shows all" in done.err
    document = graph("find", "n", "--limit", "1", "--json").json
    assert (len(document["results"]), document["total"], document["truncated"]) == (1, 2, True)
    assert len(graph("find", "n", "--limit", "0").lines) == 2


def test_options_may_stand_in_front_of_the_command(graph, shop) -> None:
    assert graph("--json", "--limit", "1", "find", "n").json["truncated"]
    assert graph("--no-sync", "find", "n").status == 0


def test_c_goes_to_directories_one_after_the_other(graph, shop, tmp_path: Path) -> None:
    done = graph("-C", str(shop.path), "-C", "shop", "outline", "day.py", cwd=tmp_path)
    assert done.lines[0].startswith("shop/day.py:3: function morning")
    assert graph("find", "add", "-C", str(shop.path), cwd=tmp_path).status == 0


def test_paths_are_taken_from_the_current_directory_and_else_from_the_root(graph, shop) -> None:
    inside = shop.path / "shop"
    assert graph("outline", "till.py", cwd=inside).status == 0
    assert graph("outline", "./till.py", cwd=inside).status == 0
    assert graph("outline", "../shop/till.py", cwd=inside).status == 0
    assert graph("outline", "shop/till.py", cwd=inside).status == 0
    assert graph("outline", str(inside / "till.py"), cwd=inside).status == 0
    assert graph("callers", "till.py:5", cwd=inside).lines == graph("callers", "shop/till.py:5").lines
    assert graph("deps", ".", cwd=inside).lines == graph("deps", "shop").lines
    assert graph("find", "add", "--path", ".", cwd=inside).status == 0


def test_what_a_list_is_narrowed_to_may_be_absolute_or_lead_through_a_link(graph, shop, tmp_path: Path) -> None:
    inside, link = shop.path / "shop", tmp_path / "link"
    link.symlink_to(shop.path)
    (link_in := tmp_path / "in").symlink_to(inside)
    found = ["shop/till.py:5: function add  def add(price)"]
    for path in (shop.path, inside, inside / "till.py", link, link / "shop", link_in, link_in / "till.py"):
        for place in (shop.path, inside):
            assert graph("find", "add", "--path", str(path), cwd=place).lines == found
    assert graph("find", "add", "--path", f"{inside}/*", cwd=inside).status == 0
    assert graph("find", "add", "--path", "shop/till.py", cwd=inside).status == 0
    assert graph("outline", str(link_in / "till.py")).lines == graph("outline", "shop/till.py").lines


def test_narrowing_to_a_path_where_nothing_is_indexed_is_an_error(graph, shop, tmp_path: Path) -> None:
    for question in (["find", "add"], ["unused"], ["top"], ["impact", "add"], ["cycles"]):
        for path in ("nowhere", "till.py", str(tmp_path), f"{shop.path}x"):
            done = graph(*question, "--path", path)
            assert done.status == 2, question
            assert done.err == f"fatal: nothing at '{path}' is indexed; name a file or folder of sources\n"
    assert graph("unused", "--path", "*.rs").lines == []


def test_a_path_with_brackets_is_a_path_before_it_is_a_glob(graph, repo) -> None:
    repo.write("app/[id]/page.py", "def page():\n    return 1\n")
    repo.write("app/i/page.py", "def page():\n    return 1\n")
    repo.commit()
    repo.write("app/[id]/page.py", "def page():\n    return 2\n")
    for path, place in (("app/[id]", "."), ("[id]", "app"), ("app/[id]/page.py", ".")):
        found = graph("find", "page", "--path", path, "--json", cwd=repo.path / place).json["results"]
        assert "app/[id]/page.py" in [symbol["path"] for symbol in found]
    assert graph("diff", "--path", "app/[id]").lines != []
    assert graph("outline", "[id]/page.py", cwd=repo.path / "app").status == 0


def test_a_place_is_the_definition_on_or_around_the_line(graph, shop) -> None:
    assert [r["qualified"] for r in graph("definitions", "shop/till.py:3", "--json").json["results"]] == ["Till.ring"]
    assert [r["qualified"] for r in graph("definitions", "shop/till.py:5", "--json").json["results"]] == ["add"]


@pytest.mark.parametrize("written", ["Till.ring", "Till::ring", "Till#ring", "till.Till.ring", "shop.till.Till.ring"])
def test_a_qualified_name_is_any_suffix_in_any_spelling(graph, shop, written: str) -> None:
    assert graph("callers", written).lines == ["shop/day.py:5: morning calls ring  (inferred)"]


def test_a_question_about_a_commit_reads_that_commit(graph, shop) -> None:
    shop.write("shop/day.py", "def evening(): ...\n")
    assert graph("definitions", "morning").status == 1
    assert graph("definitions", "morning", "--rev", "HEAD").status == 0


def test_without_sync_the_answer_is_old_and_says_so(graph, shop) -> None:
    graph("sync")
    shop.write("shop/day.py", "def evening(): ...\n")
    done = graph("definitions", "morning", "--no-sync")
    assert done.status == 0
    assert "this is about an earlier state: the files have changed since" in done.err
    assert graph("definitions", "morning", "--no-sync", "--json").json["freshness"] == "refresh-needed"


def test_without_sync_there_must_be_something_indexed(graph, shop) -> None:
    done = graph("definitions", "morning", "--no-sync")
    assert done.status == 128
    assert "git graph sync" in done.err


def test_status_tells_what_a_sync_would_take_in(graph, shop) -> None:
    assert "not indexed yet" in graph("status").out
    assert graph("status", "--json").json["initialized"] is False
    graph("sync")
    shop.write("shop/new.py", "x = 1\n")
    shop.write("shop/day.py", "y = 1\n")
    shop.remove("shop/till.py")
    done = graph("status")
    assert "refresh-needed" in done.out
    assert [line.strip() for line in done.lines[-3:]] == ["M shop/day.py", "A shop/new.py", "D shop/till.py"]
    changed = graph("status", "--json").json["changed_paths"]
    assert {(c["status"], c["path"]) for c in changed} == {
        ("M", "shop/day.py"),
        ("A", "shop/new.py"),
        ("D", "shop/till.py"),
    }
    assert graph("sync", "--dry-run").out.startswith("main-worktree: ")
    assert graph("status", "--json").json["freshness"] == "refresh-needed"
    synced = graph("sync", "--json").json
    assert (synced["added"], synced["modified"], synced["removed"]) == (1, 1, 1)
    assert graph("status", "--json").json["freshness"] == "dirty-but-indexed"


def test_a_second_sync_has_nothing_to_do(graph, shop) -> None:
    assert graph("sync").out == "main-worktree: 3 files; 3 added; 3 parsed, 0 reused\n"
    assert graph("sync").out == "main-worktree: 3 files, up to date\n"


def test_a_run_that_indexed_nothing_says_why(graph, repo) -> None:
    repo.write("README", "nothing here\n")
    repo.commit()
    assert "no file here is in a language" in graph("sync").out


def test_views_lists_worktrees_indexed_or_not(graph, shop, tmp_path: Path) -> None:
    graph("sync")
    shop.worktree(tmp_path / "side")
    done = graph("views")
    assert done.lines[0].startswith("* main-worktree")
    assert done.lines[1].startswith("  worktrees/side")
    assert "not indexed" in done.lines[1]
    views = {view["view"]: view for view in graph("views", "--json").json["results"]}
    assert views["main-worktree"]["files"] == 3
    assert views["worktrees/side"]["snapshot"] is None


def test_another_worktree_is_asked_by_its_view(graph, shop, tmp_path: Path) -> None:
    side = shop.worktree(tmp_path / "side")
    side.write("only.py", "def only_here(): ...\n")
    assert graph("definitions", "only_here").status == 1
    assert graph("definitions", "only_here", "--view", "worktrees/side").status == 0


def test_help_is_there_for_everything(graph, tmp_path: Path) -> None:
    for arguments in ((), ("help",), ("--help",), ("-h",)):
        done = graph(*arguments, cwd=tmp_path)
        assert done.status == 0
        assert "Usage: git graph" in done.out
        assert "callers" in done.out
    for arguments in (("help", "callers"), ("callers", "--help")):
        assert "Usage: git graph callers [OPTIONS] SYMBOL" in graph(*arguments, cwd=tmp_path).out
    assert graph("help", "nonsense", cwd=tmp_path).status == 2


def test_the_version_is_told(graph, tmp_path: Path) -> None:
    assert graph("--version", cwd=tmp_path).out.startswith("git-graph version ")


def test_init_indexes_and_installs_the_hooks_and_can_be_run_again(graph, shop) -> None:
    for done in ("added", ""):
        document = graph("init", "--json").json
        assert document["files"] == 3
        assert document["freshness"] == "current"
        assert {(hook["state"], hook["done"]) for hook in document["hooks"]["hooks"]} == {("installed", done)}
    assert (shop.path / ".git/hooks/post-commit").is_file()


def test_hooks_are_installed_looked_at_and_removed(graph, shop) -> None:
    assert "post-commit     absent" in graph("hooks").out
    assert "post-commit     installed (added)" in graph("hooks", "install").out
    assert "post-commit     installed" in graph("hooks", "status").out
    assert graph("hooks", "--json").json["installed"]
    assert "post-commit     absent (removed)" in graph("hooks", "uninstall").out
    assert graph("hooks", "instal").status == 2


def test_nothing_is_left_in_the_worktree(graph, shop) -> None:
    graph("sync")
    graph("callers", "add")
    assert shop.git("status", "--porcelain", "--ignored") == ""


def test_git_finds_the_command(shop, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil
    import sys

    place = shutil.which("git-graph", path=str(Path(sys.executable).parent))
    if place is None:
        pytest.skip("not installed")
    monkeypatch.setenv("PATH", f"{Path(place).parent}:{__import__('os').environ['PATH']}")
    done = subprocess.run(
        ["git", "-C", str(shop.path), "graph", "callers", "add"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].startswith("shop/day.py:6: morning calls add")


def test_a_signature_that_says_no_more_than_kind_and_name_is_left_out(graph, repo) -> None:
    repo.write("mode.rs", "enum Mode {\n    Fast,\n    Slow(u8),\n}\npub enum Other {}\n")
    assert graph("outline", "mode.rs").lines == [
        "mode.rs:1: enum Mode",
        "mode.rs:2:   enum_member Fast",
        "mode.rs:3:   enum_member Slow  Slow(u8)",
        "mode.rs:5: enum Other  pub enum Other",
    ]
