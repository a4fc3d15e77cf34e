"""Task contracts: what has to be read, in the original text, and pins that say where they went."""

from __future__ import annotations

from typing import Any

import pytest

SOURCE = (
    '"""A."""\n\n\ndef first(x):\n    return x + 1\n\n\ndef second(y):\n    """Doc of it."""\n    total = first(y)\n'
    "    for step in range(total):\n        total += first(step)\n    return total * 2\n\n\n"
    "class Box:\n    def open(self):\n        return second(1)\n"
)
SECOND = SOURCE[SOURCE.index("def second") : SOURCE.index("\n\n\nclass")]


@pytest.fixture
def boxes(repo: Any, graph: Any) -> Any:
    repo.write("src/a.py", SOURCE)
    repo.write("NOTES.txt", "one\ntwo\nthree\n")
    repo.commit()
    done = graph("task", "pin", "boxes", "second", "--description", "How boxes open", "--for", "src/*.py")
    assert done.status == 0
    graph("task", "pin", "boxes", "NOTES.txt:2-3", "--optional", "--note", "why")
    return repo


def stale(graph: Any) -> dict[str, tuple[str, str, list[int]]]:
    (task,) = graph("task", "list", "--json").json["results"]
    return {pin["pin"]: (pin["state"], pin["path"], pin["lines"]) for pin in task["pins"] if pin["state"] != "current"}


def test_a_task_gives_what_is_required_in_the_original_text(boxes: Any, graph: Any) -> None:
    out = graph("cue", "--task", "boxes").out
    assert f"# required\n== src/a.py:8-13\n{SECOND}\n# optional\n== NOTES.txt:2-3 why\ntwo\nthree\n" in out
    (unit,) = graph("cue", "--task", "boxes", "--json").json["sections"][1]["results"]
    assert unit["text"] == SECOND
    assert unit["content"] == boxes.git("rev-parse", "HEAD:src/a.py")


def test_nothing_of_the_text_is_in_the_contract(boxes: Any, graph: Any) -> None:
    text = (boxes.path / ".gitgraph/tasks/boxes.toml").read_text()
    assert "total" not in text and "three" not in text


def test_what_is_required_is_never_cut(boxes: Any, graph: Any) -> None:
    graph("task", "pin", "boxes", "src/a.py", "--optional")
    done = graph("cue", "--task", "boxes", "--max-tokens", "60")
    assert done.status == 2
    least = done.err.split()[-1]
    assert graph("cue", "--task", "boxes", "--max-tokens", str(int(least) - 1)).status == 2
    out = graph("cue", "--task", "boxes", "--max-tokens", least).out
    assert SECOND in out
    assert "(2 more: git graph cue --task boxes --max-tokens" in out


def test_a_file_of_a_task_in_the_focus_is_told(boxes: Any, graph: Any) -> None:
    boxes.commit()
    assert "note: a task is about this: git graph cue --task boxes" in graph("cue", "--focus", "first").lines
    assert "note: a task" not in graph("cue", "--show", "overview").out


def test_a_pin_holds_while_the_content_is_the_same(boxes: Any, graph: Any) -> None:
    boxes.write("src/b.py", "x = 1\n")
    done = graph("task", "list", "--json")
    assert done.status == 0
    assert stale(graph) == {}


def test_lines_that_moved_within_the_file_are_found(boxes: Any, graph: Any) -> None:
    boxes.write("src/a.py", f"# head\n{SOURCE}")
    assert stale(graph) == {"src/a.py:8-13": ("moved", "src/a.py", [9, 14])}
    assert graph("task", "list").status == 1
    assert f"== src/a.py:9-14 (moved)\n{SECOND}\n" in graph("cue", "--task", "boxes").out


def test_a_symbol_that_was_renamed_is_found(boxes: Any, graph: Any) -> None:
    boxes.write("src/a.py", SOURCE.replace("second", "third"))
    assert stale(graph) == {"src/a.py:8-13": ("renamed", "src/a.py", [8, 13])}
    assert "second is third in src/a.py:8-13 now" in graph("cue", "--task", "boxes").out


def test_a_symbol_that_changed_is_found(boxes: Any, graph: Any) -> None:
    boxes.write("src/a.py", SOURCE.replace("total * 2", "total * 3 +\\\n 1"))
    assert stale(graph) == {"src/a.py:8-13": ("changed", "src/a.py", [8, 14])}


def test_a_symbol_that_moved_to_another_file_is_found(boxes: Any, graph: Any) -> None:
    boxes.write("src/a.py", SOURCE.replace(SECOND, "from src.c import second"))
    boxes.write("src/c.py", f"from src.a import first\n\n\n{SECOND}\n")
    assert stale(graph) == {"src/a.py:8-13": ("moved", "src/c.py", [4, 9])}


def test_a_file_that_was_renamed_is_found(boxes: Any, graph: Any) -> None:
    boxes.git("mv", "src/a.py", "src/z.py")
    assert stale(graph) == {"src/a.py:8-13": ("moved", "src/z.py", [8, 13])}


def test_lines_of_no_symbol_are_found_where_they_stood(boxes: Any, graph: Any) -> None:
    boxes.write("NOTES.txt", "zero\none\n2\nthree\n")
    assert stale(graph) == {"NOTES.txt:2-3": ("changed", "NOTES.txt", [3, 4])}


def test_what_is_gone_is_told(boxes: Any, graph: Any) -> None:
    boxes.remove("NOTES.txt")
    assert stale(graph) == {"NOTES.txt:2-3": ("gone", "", [0, 0])}
    out = graph("cue", "--task", "boxes").out
    assert "NOTES.txt:2-3: gone: there is no file NOTES.txt" in out


def test_a_pin_of_a_content_that_is_nowhere_is_found_by_its_symbol(boxes: Any, graph: Any) -> None:
    file = boxes.path / ".gitgraph/tasks/boxes.toml"
    file.write_text(file.read_text().replace(boxes.git("rev-parse", "HEAD:src/a.py"), "1" * 40))
    assert stale(graph)["src/a.py:8-13"] == ("changed", "src/a.py", [8, 13])
    assert "not in this repository" in graph("task", "list").out


def test_renewing_pins_what_went_elsewhere_there(boxes: Any, graph: Any) -> None:
    boxes.write("src/a.py", f"# head\n{SOURCE}".replace("second", "third"))
    assert graph("task", "renew", "boxes").status == 0
    assert stale(graph) == {}
    assert "def third" in graph("cue", "--task", "boxes").out


def test_pinning_again_renews_one_pin_and_keeps_the_rest(boxes: Any, graph: Any) -> None:
    boxes.write("src/a.py", f"# head\n{SOURCE}")
    file = boxes.path / ".gitgraph/tasks/boxes.toml"
    file.write_text(f"# ours\n{file.read_text()}")
    graph("task", "pin", "boxes", "second")
    assert stale(graph) == {}
    text = file.read_text()
    assert text.startswith("# ours\n") and text.count("[[required]]") == 1 and 'note = "why"' in text


def test_entries_without_a_content_are_whatever_is_there(boxes: Any, graph: Any) -> None:
    boxes.write(".gitgraph/tasks/live.toml", '[[required]]\nsymbol = "Box.open"\n[[optional]]\npath = "NOTES.txt"\n')
    out = graph("cue", "--task", "live").out
    assert "== src/a.py:17-18\n    def open(self):\n        return second(1)\n" in out
    assert "== NOTES.txt:1-3\none\ntwo\nthree\n" in out


def test_a_task_that_does_not_exist_lists_those_that_do(boxes: Any, graph: Any) -> None:
    done = graph("cue", "--task", "nope")
    assert (done.status, done.out) == (1, "")
    assert "there are boxes" in done.err


ID = "0" * 40


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = [", "it is not TOML"),
        ("\udcff", "it is not TOML"),
        ("a = " + "[" * 50_000, "it is not TOML"),
        ("x" * 300_000, "more than"),
        ("other = 1", "has 'other'"),
        ("paths = 1", "paths is a list"),
        ("required = 1", "write [[required]]"),
        ("[[required]]\nnote = 'x'", "needs a path or a symbol"),
        ("[[required]]\npath = '../../etc/passwd'", "no path inside"),
        ("[[required]]\npath = '/etc/passwd'", "no path inside"),
        ("[[required]]\npath = '.git/config'", "no path inside"),
        ("[[required]]\npath = 'a/.GIT/config'", "no path inside"),
        ("[[required]]\npath = 'C:/x'", "no path inside"),
        ("[[required]]\npath = 'a\\\\b'", "no path inside"),
        ("[[required]]\npath = 'a'\nlines = [1, 2]", "a content, which is not given"),
        (f"[[required]]\npath = 'a'\ncontent = '{ID}'\nlines = [2, 1]", "no lines from 2 to 1"),
        (f"[[required]]\npath = 'a'\ncontent = '{ID}'\nlines = [0, 1]", "no lines from 0 to 1"),
        (f"[[required]]\npath = 'a'\ncontent = '{ID}'\nlines = [true, 2]", "two numbers"),
        ("[[required]]\npath = 'a'\ncontent = 'HEAD'", "content is the blob id"),
        ("[[required]]\npath = 'a'\n" * 300, "more than 256"),
    ],
)
def test_a_contract_that_is_none_is_one_clear_error(repo: Any, graph: Any, text: str, said: str) -> None:
    repo.write(".gitgraph/tasks/bad.toml", text)
    done = graph("cue", "--task", "bad", "--json")
    assert done.status == 128
    assert done.json["error"]["code"] == "invalid-task"
    assert said in done.json["error"]["message"]
    assert len(done.err.splitlines()) == 1


def test_symbolic_links_lead_nowhere(repo: Any, graph: Any, tmp_path: Any) -> None:
    (tmp_path / "secret").write_text("secret\n")
    (repo.path / "link").symlink_to(tmp_path / "secret")
    repo.write(".gitgraph/tasks/t.toml", "[[required]]\npath = 'link'\n")
    out = graph("cue", "--task", "t").out
    assert "link: gone" in out and "secret\n" not in out


def test_a_pin_is_not_written_through_a_symbolic_link(repo: Any, graph: Any, tmp_path: Any) -> None:
    repo.write("a.py", "def f():\n    pass\n")
    (tmp_path / "outside").mkdir()
    (repo.path / ".gitgraph").symlink_to(tmp_path / "outside")
    assert graph("task", "pin", "t", "f").status == 128
    assert list((tmp_path / "outside").rglob("*.toml")) == []


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b", "x" * 65, "-x"])
def test_names_that_lead_elsewhere_are_refused(repo: Any, graph: Any, name: str) -> None:
    assert graph("cue", f"--task={name}").status == 128
