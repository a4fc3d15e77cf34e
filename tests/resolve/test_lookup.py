"""What people call symbols, and what they are told when there is none."""

from __future__ import annotations

import pytest

FILES = {
    "pkg/__init__.py": "",
    "pkg/mod.py": "class Session:\n    def get(self):\n        return 1\n\ndef slugify(text):\n    return text\n",
    "pkg/other.py": "def slugify(text):\n    def get(): ...\n    return get\n",
    "src/lib.rs": "pub struct Tax;\nimpl Tax {\n    pub fn apply(&self) {}\n}\n",
}


@pytest.mark.parametrize(
    ("symbol", "places"),
    [
        ("slugify", ["pkg/mod.py:5", "pkg/other.py:1"]),
        ("mod.slugify", ["pkg/mod.py:5"]),
        ("pkg.mod.slugify", ["pkg/mod.py:5"]),
        ("Session.get", ["pkg/mod.py:2"]),
        ("Session::get", ["pkg/mod.py:2"]),
        ("Session#get", ["pkg/mod.py:2"]),
        ("slugify.get", ["pkg/other.py:2"]),
        ("od.slugify", []),
        ("Tax.apply", ["src/lib.rs:3"]),
        ("nothing", []),
        ("", []),
        (".", []),
    ],
)
def test_name_or_dotted_suffix_names_a_symbol(project, symbol, places) -> None:
    assert project(FILES).places(symbol) == places


def test_place_is_the_name_on_the_line_else_the_innermost_around(project) -> None:
    found = project(FILES)
    assert found.places("pkg/mod.py:2") == ["pkg/mod.py:2"]
    assert found.places("pkg/mod.py:3") == ["pkg/mod.py:2"]
    assert found.places("./pkg/mod.py:3:9") == ["pkg/mod.py:2"]
    assert found.places("pkg/mod.py:4") == ["pkg/mod.py:1"]
    assert found.places("pkg/mod.py:99") == []
    assert found.places("pkg/absent.py:1") == []


def test_path_names_the_module(project) -> None:
    resolver = project(FILES).resolver
    (module,) = resolver.lookup("pkg/mod.py")
    assert module.index == 0
    assert resolver.qualified(module) == "pkg/mod.py"
    assert resolver.symbol(module).name == "mod"


def test_near_names_are_offered_best_first(project) -> None:
    resolver = project(FILES).resolver
    assert resolver.near("mod.slugfy")[0] == "slugify"
    assert resolver.near("SESSION")[0] == "Session"
    assert resolver.near("other/mod.py:3") == ["pkg/mod.py"]
    assert resolver.near("qqqqqq") == []
