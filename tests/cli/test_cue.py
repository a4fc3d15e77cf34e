"""`git graph cue`: what is worth reading, whole, within its budget, the same each time, about the tree as it is."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest

SOURCES = {
    "pkg/text.py": (
        '"""Text."""\n\nfrom pkg.base import clean\n\n\n'
        "def slugify(value, allow=False):\n    return clean(value)\n\n\n"
        "class Truncator:\n    def chars(self, count):\n        return slugify(count)\n\n"
        "    def words(self, count):\n        return self.chars(count)\n"
    ),
    "pkg/base.py": (
        "def clean(value):\n    return strip(value)\n\n\ndef strip(value):\n    return value\n\n\nLIMIT = 3\n"
    ),
    "pkg/far.py": "def far_away():\n    return 1\n",
    "tests/test_text.py": "from pkg.text import slugify\n\n\ndef test_slugify():\n    assert slugify('a') == 'a'\n",
    "main.go": "package main\n\nfunc main() { helper() }\n\nfunc helper() {}\n",
    "README.md": "# Words\n",
    "docs/guide.rst": "Guide\n",
    "pyproject.toml": '[project]\nname = "pkg"\n[project.scripts]\ncut = "pkg.text:slugify"\n',
}
SHOWN = ("ranked", "overview", "delta", "provenance")


@pytest.fixture
def words(repo: Any) -> Any:
    for path, text in SOURCES.items():
        repo.write(path, text)
    repo.commit()
    return repo


def names(document: dict[str, Any], section: str) -> list[str]:
    found = next(s for s in document["sections"] if s["name"] == section)
    return [item["name"] for group in found["results"] for item in group.get("items", [group])]


def cost(output: str) -> int:
    return -(-len(output.encode()) // 4)


def test_a_symbol_is_shown_with_who_uses_it_and_what_it_uses(words: Any, graph: Any) -> None:
    document = graph("cue", "--focus", "slugify", "--json").json
    assert names(document, "focus") == ["slugify"]
    related = {
        item["name"]: item.get("relation")
        for group in document["sections"][1]["results"]
        for item in group["items"]
    }  # fmt: skip
    assert related["test_slugify"] == "uses"
    assert related["Truncator.chars"] == "uses"
    assert related["clean"] == "used"
    assert "far_away" not in related


def test_text_says_the_same(words: Any, graph: Any) -> None:
    lines = graph("cue", "--focus", "slugify").lines
    assert " 6 def slugify(value, allow=False)" in lines
    assert " <4 def test_slugify()" in lines
    assert " >1 def clean(value)" in lines


def test_a_file_in_the_focus_is_not_among_what_is_related(words: Any, graph: Any) -> None:
    document = graph("cue", "--focus", "pkg/text.py", "--json").json
    assert set(names(document, "focus")) == {"slugify", "Truncator", "Truncator.chars", "Truncator.words"}
    assert "pkg/text.py" not in [group["path"] for group in document["sections"][1]["results"]]


def test_a_folder_and_words_are_a_focus_too(words: Any, graph: Any) -> None:
    assert "clean" in names(graph("cue", "--focus", "pkg", "--json").json, "focus")
    assert "far_away" in names(graph("cue", "--focus", "something far", "--json").json, "focus")


def test_a_focus_that_leads_nowhere_is_told(words: Any, graph: Any) -> None:
    done = graph("cue", "--focus", "slugfy")
    assert (done.status, done.out) == (1, "")
    assert "slugify" in done.err


def test_what_has_changed_is_in_the_focus(words: Any, graph: Any) -> None:
    words.write("pkg/base.py", SOURCES["pkg/base.py"].replace("return value", "return value + 1"))
    document = graph("cue", "--json").json
    assert document["freshness"] == "dirty-but-indexed"
    assert document["show"] == "ranked"
    assert names(document, "focus") == ["strip"]
    assert "clean" in names(document, "related")
    assert " *5 def strip(value)" in graph("cue").lines


def test_what_has_changed_since_a_commit_is_in_the_focus(words: Any, graph: Any) -> None:
    first = words.head()
    words.write("pkg/far.py", SOURCES["pkg/far.py"] + "\n\ndef more():\n    return far_away()\n")
    words.commit()
    assert graph("cue", "--json").json["show"] == "overview"
    assert names(graph("cue", "--since", first, "--json").json, "focus") == ["more"]


def test_overview_says_what_the_repository_is(words: Any, graph: Any) -> None:
    out = graph("cue", "--show", "overview").out
    for line in (
        "4 python",
        "3 pkg/",
        "README.md",
        "docs/guide.rst",
        " 4 entry-point pkg.text:slugify",
        " 3 func main()",
    ):
        assert f"{line}\n" in out
    symbols = graph("cue", "--show", "overview", "--json").json["sections"][-1]
    counted = {item["name"]: item["files"] for group in symbols["results"] for item in group["items"]}
    assert counted["slugify"] == 2


def test_delta_tells_symbols_as_diff_does(words: Any, graph: Any) -> None:
    first = words.head()
    words.write("pkg/base.py", SOURCES["pkg/base.py"].replace("def strip(value)", "def strip(value, more)"))
    words.remove("pkg/far.py")
    document = graph("cue", "--show", "delta", "--since", first, "--json").json
    told = {item["name"]: item["change"] for g in document["sections"][1]["results"] for item in g["items"]}
    assert told == {"far_away": "removed", "strip": "changed"}
    assert [row["path"] for row in document["sections"][0]["results"]] == ["pkg/base.py", "pkg/far.py"]


def test_provenance_names_contents_and_sizes(words: Any, graph: Any) -> None:
    words.write("pkg/text.py", SOURCES["pkg/text.py"] + "# more\n")
    document = graph("cue", "--focus", "slugify", "--show", "provenance", "--json").json
    row = document["sections"][0]["results"][0]
    assert row["path"] == "pkg/text.py"
    assert row["content"] == words.git("hash-object", "pkg/text.py")
    assert row["bytes"] == len(SOURCES["pkg/text.py"]) + 7
    assert "tests/test_text.py" in [row["path"] for row in document["sections"][1]["results"]]


@pytest.mark.parametrize("show", SHOWN)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_at_every_budget_it_is_whole_and_within_it_or_says_what_it_takes(
    words: Any, graph: Any, show: str, form: tuple[str, ...]
) -> None:
    words.write("pkg/base.py", SOURCES["pkg/base.py"] + "\n\ndef extra():\n    return clean(2)\n")
    question = ["cue", "--show", show, "--focus", "slugify", *form]
    refused = graph(*question, "--max-tokens", "1")
    assert refused.status == 2
    least = int(re.search(r"--max-tokens (\d+)", refused.err).group(1))  # type: ignore[union-attr]
    assert graph(*question, "--max-tokens", str(least - 1)).status == 2
    before = 0
    for budget in (least, least + 1, least + 13, *range(least + 20, 1200, 97), 4000):
        done = graph(*question, "--max-tokens", str(budget))
        assert done.status == 0
        assert cost(done.out) <= budget
        told = done.json["tokens"] if form else int(re.search(r"(\d+) tokens", done.lines[0]).group(1))  # type: ignore[union-attr]
        assert told == cost(done.out)
        if form:
            for section in done.json["sections"]:
                shown = sum(len(group.get("items", [1])) for group in section["results"])
                assert shown + section["omitted"] == section["total"]
                assert bool(section["omitted"]) == ("more" in section)
                assert shown or not section["total"]
        assert told >= before - 60  # a larger budget shows no less, but for a unit that did not fit
        before = told
    everything = graph(*question, "--max-tokens", "0").out
    assert cost(everything) >= before and (cost(everything) > 4000 or everything == done.out)


def test_the_command_that_it_names_shows_what_is_left_out(words: Any, graph: Any) -> None:
    document = graph("cue", "--focus", "pkg/text.py", "--json", "--max-tokens", "220").json
    section = document["sections"][1]
    assert section["omitted"]
    again = graph(*shlex.split(section["more"])[2:], "--json").json["sections"][1]
    assert (again["total"], again["omitted"]) == (section["total"], 0)


@pytest.mark.parametrize("show", SHOWN)
def test_the_same_question_gives_the_same_bytes_whatever_is_stored(words: Any, graph: Any, show: str) -> None:
    words.write("pkg/base.py", SOURCES["pkg/base.py"] + "\n\ndef extra():\n    return clean(2)\n")
    question = ("cue", "--show", show, "--focus", "slugify", "--json", "--max-tokens", "700")
    first = graph(*question).out
    assert graph(*question).out == first
    graph("top")  # stores what every reference is
    assert graph(*question).out == first
    words.git("config", "graph.engine", "memory")
    assert graph(*question).out == first


def test_a_tree_that_moves_meanwhile_is_looked_at_again(
    words: Any, graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from git_graph.query import cue

    ask, times = cue.ranked, []

    def meanwhile(*arguments: Any, **options: Any) -> Any:
        times.append(1)
        if len(times) < 2 or times[0] == 2:
            words.write("pkg/far.py", f"def far_{len(times)}():\n    return 1\n")
        return ask(*arguments, **options)

    monkeypatch.setattr(cue, "ranked", meanwhile)
    document = graph("cue", "--focus", "slugify", "--json").json
    assert len(times) == 2
    assert document["snapshot"] == json.loads(graph("status", "--json").out)["snapshot"]
    times[:] = [2]
    done = graph("cue", "--focus", "slugify", "--json")
    assert done.status == 128
    assert done.json["error"]["code"] == "ref-moved"


def test_a_name_cannot_drive_a_terminal(repo: Any, graph: Any) -> None:
    repo.write("a.js", "function f() {}\nconst o = { '\x1b[31mred': () => f() };\n")
    out = graph("cue", "--focus", "a.js").out
    assert "\x1b" not in out


def test_a_commit_is_asked_about_without_a_checkout(words: Any, graph: Any) -> None:
    first = words.head()
    words.remove("pkg/text.py")
    words.commit()
    assert names(graph("cue", "--rev", first, "--focus", "slugify", "--json").json, "focus") == ["slugify"]


def test_what_lies_on_disk_is_no_part_of_a_commit(words: Any, graph: Any) -> None:
    question = ("cue", "--rev", "HEAD", "--focus", "slugify", "--json")
    clean = graph(*question).out
    words.write("pkg/base.py", SOURCES["pkg/base.py"] + "\n\ndef extra():\n    return clean(2)\n")
    words.write("NEW.md", "new\n")
    assert graph(*question).out == clean
    assert "NEW.md" not in graph("cue", "--rev", "HEAD").out
    assert "NEW.md" in graph("cue", "--show", "overview").out


def test_an_empty_repository_has_an_overview(repo: Any, graph: Any) -> None:
    document = graph("cue", "--json").json
    assert (document["show"], document["files"]) == ("overview", 0)
