"""Hostile sizes in Rust: bounded in time, nothing raised, and what cannot be read is said."""

from __future__ import annotations

import time

import pytest

from git_graph.extract import extract

N = 5000
SECONDS = 30
"""Far above what any of these takes on a busy machine; a quadratic walk would take minutes."""

CASES = {
    "brackets": "[" * 100_000,
    "chain": "fn f() { m!(" + "a." * N + "b); a" + ".b()" * N + "; }",
    "sum": "const X: i32 = " + "+".join("y" * N) + ";",
    "shadows": "fn f() {\n" + "let x = x.f();\n" * N + "}\n",
    "blocks": "fn f() {" + "{" * 2000 + "}" * 2000 + "}\n",
    "macros in macros": "fn f() { " + "m!(" * 2000 + ")" * 2000 + "; }",
    "macro of calls": "fn f() { m!(" + "a::b(c).d(); " * N + "); }",
    "macro of bars": "fn f() { m!(" + "|" * 20_000 + "); }",
    "macro of angles": "fn f() { m!(a::<" + "<" * 20_000 + "); }",
    "nested use": "use " + "a::{" * 2000 + "b" + "}" * 2000 + ";",
    "supers": "use " + "super::" * N + "a;",
    "nested modules": "mod a {" * 1000 + "}" * 1000,
    "nested patterns": "fn f() { match x { " + "Some(" * 2000 + "y" + ")" * 2000 + " => 1 } }",
    "attributes": "#[a]" * N + "fn f() {}",
}


@pytest.mark.parametrize("name", CASES)
def test_hostile_sizes_are_bounded(name: str) -> None:
    start = time.process_time()
    found = extract("rust", CASES[name].encode())
    assert time.process_time() - start < SECONDS
    assert found.symbols.name[0] == 0


def test_a_chain_without_end_is_opaque_at_some_length() -> None:
    found = extract("rust", CASES["chain"].encode())
    longest, lengths = 0, [0] * len(found.expressions.kind)
    for row, of in enumerate(found.expressions.of):
        lengths[row] = 1 + (lengths[of - 4] if of >= 4 else 0)
        longest = max(longest, lengths[row])
    assert longest <= 200
