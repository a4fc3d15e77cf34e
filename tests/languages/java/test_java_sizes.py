"""Hostile sizes in Java: bounded in time, nothing raised, and what cannot be read is said."""

from __future__ import annotations

import time

import pytest

from git_graph.extract import extract

N = 5000
SECONDS = 30
"""Far above what any of these takes on a busy machine; a quadratic walk would take minutes."""

CASES = {
    "brackets": "[" * 100_000,
    "chain": "class A { void f() { x" + ".y" * N + " = 1; a" + ".b()" * N + "; } }",
    "sum": "class A { int x = " + "+".join("y" * N) + "; }",
    "locals": "class A { void f() {" + "int x = 1;\n" * N + "} }",
    "blocks": "class A { void f() {" + "{" * 2000 + "}" * 2000 + "} }",
    "nested anonymous": "class A { Object x = " + "new A() { Object f() { return " * 500 + "1" + "; }}" * 500 + "; }",
    "nested classes": "class A {" * 1000 + "}" * 1000,
    "ternaries": "class A { int x = " + "a ? b : " * N + "c; }",
    "else if": "class A { void f() { if (a) {} " + "else if (b) {}" * N + "} }",
    "dimensions": "class A { T" + "[]" * N + " x; }",
    "cases": "class A { void f() { switch (x) {" + "case A: f();" * N + "} } }",
}


@pytest.mark.parametrize("name", CASES)
def test_hostile_sizes_are_bounded(name: str) -> None:
    start = time.process_time()
    found = extract("java", CASES[name].encode())
    assert time.process_time() - start < SECONDS
    assert found.symbols.name[0] == 0


def test_a_chain_without_end_is_opaque_at_some_length() -> None:
    found = extract("java", CASES["chain"].encode())
    longest, lengths = 0, [0] * len(found.expressions.kind)
    for row, of in enumerate(found.expressions.of):
        lengths[row] = 1 + (lengths[of - 4] if of >= 4 else 0)
        longest = max(longest, lengths[row])
    assert longest <= 200
