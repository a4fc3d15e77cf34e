"""SCIP, read with the official schema's classes and held to what its linter asks."""

from __future__ import annotations

from typing import Any

import pytest
from export_samples import SOURCES, resolver_of, some_units, units_of
from hypothesis import given, settings
from scip_lint import canonical, problems, read

from git_graph.query.export import Export, around, text
from git_graph.query.export_scip import scip

HEAD = "git-graph . . . "


def index_of(units: Any) -> Any:
    return read(b"".join(scip(units, "1.0", "file:///shop")))


@pytest.fixture(scope="module")
def index() -> Any:
    return index_of(units_of(SOURCES))


def at(index: Any, path: str, symbol: str) -> list[tuple[tuple[int, ...], int]]:
    """(range, roles) of a symbol's occurrences in a file."""
    (document,) = (one for one in index.documents if one.relative_path == path)
    return [(tuple(one.range), one.symbol_roles) for one in document.occurrences if one.symbol == HEAD + symbol]


def described(index: Any, symbol: str) -> Any:
    (found,) = (one for document in index.documents for one in document.symbols if one.symbol == HEAD + symbol)
    return found


def test_an_index_has_nothing_that_the_linter_complains_of(index: Any) -> None:
    assert problems(index, SOURCES) == []
    assert {one.language for one in index.documents} == {
        "Python", "C", "CPP", "TypeScript", "TypeScriptReact", "JavaScript", "Go", "Rust", "Java", "JSON",
    }  # fmt: skip


def test_every_occurrence_stands_on_its_name(index: Any) -> None:
    for document in index.documents:
        lines = SOURCES[document.relative_path].split("\n")
        names = {one.symbol: one.display_name for other in index.documents for one in other.symbols}
        for one in document.occurrences:
            line, start, end = one.range
            written = lines[line][start:end]
            assert written.strip("'") in (names[one.symbol], "", "c", "Box", "two word"), (document.relative_path, one)


def test_definitions_uses_and_imports_are_told_apart(index: Any) -> None:
    cart = "shop/`cart.py`/Cart#"
    assert at(index, "shop/cart.py", cart) == [((8, 6, 10), 1), ((15, 16, 20), 8)]
    assert at(index, "shop/use.py", cart) == [((0, 22, 26), 2), ((3, 7, 11), 8), ((8, 19, 23), 8)]
    assert at(index, "shop/use.py", "shop/`cart.py`/`größe`().") == [((5, 2, 7), 8), ((8, 13, 18), 8)]
    assert at(index, "shop/use.py", "shop/`use.py`/test_all().") == [((7, 4, 12), 1 | 32)]


def test_columns_count_code_points(index: Any) -> None:
    assert at(index, "shop/cart.py", "shop/`cart.py`/Base#add().")[-1] == ((16, 21, 24), 8)


def test_a_prototype_is_a_forward_definition_of_the_one_symbol(index: Any) -> None:
    assert at(index, "src/sum.h", "src/`sum.c`/sum().") == [((2, 4, 7), 64)]
    assert at(index, "src/sum.c", "src/`sum.c`/sum().") == [((1, 4, 7), 1)]


def test_overloads_have_numbers(index: Any) -> None:
    symbols = [one.symbol.removeprefix(HEAD) for document in index.documents for one in document.symbols]
    assert {"a b/`#1.py`/f()."} & set(symbols) == set()
    assert "`a b`/```odd```/`#1.py`/f()." in symbols
    assert "lib/`A.java`/A#A(+1)." in symbols


def test_what_a_symbol_is_says_its_kind_its_text_and_its_bases(index: Any) -> None:
    cart = described(index, "shop/`cart.py`/Cart#")
    assert (cart.kind, cart.display_name) == (7, "Cart")
    assert [(one.symbol, one.is_implementation) for one in cart.relationships] == [
        (HEAD + "shop/`cart.py`/Base#", True)
    ]
    add = described(index, "shop/`cart.py`/Base#add().")
    assert (add.kind, add.signature_documentation.text) == (26, "def add(self, item)")
    assert add.signature_documentation.language == "Python"
    square = described(index, "web/`app.ts`/Square#")
    assert [one.symbol for one in square.relationships] == [HEAD + "web/`app.ts`/Shape#"]


def test_the_neighbourhood_of_a_symbol_is_an_index_of_its_own() -> None:
    resolver = resolver_of(SOURCES)
    chosen = around(resolver, resolver.lookup("Square.area"), 1)
    index = index_of(Export(resolver, chosen).units())
    assert problems(index, SOURCES) == []
    assert [one.relative_path for one in index.documents] == ["web/app.ts", "web/view.tsx"]
    assert at(index, "web/view.tsx", "web/`app.ts`/Square#area().") == [((1, 43, 47), 8)]
    assert at(index, "web/view.tsx", "web/`app.ts`/make().") == []


@given(some_units())
@settings(max_examples=40)
def test_any_names_make_canonical_symbols(units: Any) -> None:
    index = index_of(units)
    assert [one.relative_path for one in index.documents] == [text(unit.path) for unit in units]
    for document in index.documents:
        assert all(canonical(one.symbol) for one in (*document.symbols, *document.occurrences))


def test_the_linter_complains_of_what_is_wrong() -> None:
    """The yardstick itself: each rule is broken once."""
    index = index_of(units_of({"a.py": "class A:\n    pass\n\nA()\n"}))
    document = index.documents[0]
    document.occurrences.append(document.occurrences[-1])
    document.occurrences.add(range=[9, 0, 1], symbol="git-graph . . . `plain`#", symbol_roles=1 | 64)
    document.symbols.append(document.symbols[0])
    document.symbols[1].relationships.add(symbol="git-graph . . . b#", is_implementation=True)
    said = "\n".join(problems(index, {"a.py": "class A:\n    pass\n\nA()\n"}))
    for words in ("twice (", "described twice", "not described", "only declared", "outside of", "empty relationship"):
        assert words in said
