from __future__ import annotations

import pytest
from query_samples import Look

from git_graph.query.filters import Filter
from git_graph.query.find import find
from git_graph.query.outline import outline

FILES = {
    "src/store.py": """
        class Store:
            def get(self): ...
            def get_all(self): ...
            def target(self): ...

        def get(): ...

        def Get(): ...
    """,
    "web/store.ts": """
        export class Store {
          get(): number { return 1; }
        }
    """,
}


def names(look: Look, pattern: str, **options) -> list[str]:
    return [symbol.qualified for symbol in find(look(FILES), pattern, **options).results]


def test_a_part_of_the_name_is_enough_and_whole_names_come_first(look: Look) -> None:
    assert names(look, "get") == ["Store.get", "get", "Store.get", "Store.get_all", "Store.target"]


def test_case_counts_unless_it_is_ignored(look: Look) -> None:
    assert names(look, "Get") == ["Get"]
    assert names(look, "GET") == []
    assert sorted(names(look, "GET", ignore_case=True)) == sorted(
        ["Store.get", "get", "Get", "Store.get", "Store.get_all", "Store.target"]
    )


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("get_*", ["Store.get_all"]),
        ("*all", ["Store.get_all"]),
        ("?et", ["Store.get", "get", "Get", "Store.get"]),
        ("Store.*", ["Store.get", "Store.get_all", "Store.target", "Store.get"]),
        ("Store.g", ["Store.get", "Store.get_all", "Store.get"]),
        ("[a-z]*", []),
        ("store", []),
    ],
)
def test_a_glob_means_the_whole_name_and_a_dot_the_qualified_one(look: Look, pattern: str, found: list[str]) -> None:
    assert names(look, pattern) == found


def test_a_list_is_narrowed_by_kind_path_and_language(look: Look) -> None:
    assert names(look, "get", narrow=Filter(kinds=("function",))) == ["get"]
    assert names(look, "get", narrow=Filter(paths=("web",))) == ["Store.get"]
    assert names(look, "get", narrow=Filter(paths=("*.ts",))) == ["Store.get"]
    assert names(look, "get", narrow=Filter(paths=("src/store.py",), kinds=("class",))) == []
    assert names(look, "get", narrow=Filter(languages=("typescript",))) == ["Store.get"]


def test_modules_are_found_only_when_asked_for(look: Look) -> None:
    assert names(look, "store") == []
    assert names(look, "store", narrow=Filter(kinds=("module",))) == ["src/store.py", "web/store.ts"]


def test_nothing_found_names_what_is_like_it(look: Look) -> None:
    answer = find(look(FILES), "targett")
    assert (answer.found, answer.total) == (False, 0)
    assert "target" in answer.near


def test_a_list_that_is_cut_says_so(look: Look) -> None:
    answer = find(look(FILES), "get", limit=2)
    assert (len(answer.results), answer.total, answer.truncated) == (2, 5, True)


def test_many_names_are_found_by_reading_files(look: Look) -> None:
    text = "".join(f"def name_{number}(): ...\n" for number in range(500))
    assert find(look({"many.py": text}), "name", limit=0).total == 500


def test_an_outline_is_in_the_order_of_the_file(look: Look) -> None:
    answer = outline(look(FILES), "src/store.py")
    assert [symbol.name for symbol in answer.results] == ["Store", "get", "get_all", "target", "get", "Get"]
    assert answer.facts["language"] == "python"
    assert [s.name for s in outline(look(FILES), "src/store.py", kinds=["class"]).results] == ["Store"]


def test_an_outline_tells_what_could_not_be_read(look: Look) -> None:
    answer = outline(look({"bad.py": "def f(:\n    return )\n\ndef g():\n    return 1\n"}), "bad.py")
    assert answer.facts["unparsed"]
    assert "could not be parsed" in answer.warnings[0]


def test_the_outline_of_no_file_names_files_like_it(look: Look) -> None:
    answer = outline(look(FILES), "lib/store.py")
    assert (answer.found, answer.near) == (False, ("src/store.py",))
