"""Hostile sizes in Go: bounded in time, nothing raised, and what cannot be read is said."""

from __future__ import annotations

import time

import pytest

from git_graph.extract import extract

N = 5000
SECONDS = 30
"""Far above what any of these takes on a busy machine; a quadratic walk would take minutes."""

CASES = {
    "brackets": "[" * 100_000,
    "chain": "package a\nfunc f() { x" + ".y" * 300 + " = 1; a" + ".b()" * N + " }\n",
    "sum": "package a\nvar x = " + "+".join("y" * N),
    "redeclared": "package a\nfunc f() {\n" + "".join(f"x{i}, err := g(err)\n" for i in range(N)) + "}\n",
    "blocks": "package a\nfunc f() {" + "{" * 2000 + "}" * 2000 + "}\n",
    "literal": "package a\nvar x = []int{" + "1," * 50_000 + "}\n",
    "nested literals": "package a\nvar x = T" + "{" * N + "}" * N + "\n",
    "nested types": "package a\ntype T " + "[]" * N + "int\n",
    "nested structs": "package a\ntype S struct {\n" + "a struct {\n" * 1000 + "}\n" * 1001,
}


@pytest.mark.parametrize("name", CASES)
def test_hostile_sizes_are_bounded(name: str) -> None:
    start = time.process_time()
    found = extract("go", CASES[name].encode())
    assert time.process_time() - start < SECONDS
    assert found.symbols.name[0] == 0


def test_a_chain_without_end_is_opaque_at_some_length() -> None:
    found = extract("go", CASES["chain"].encode())
    longest, lengths = 0, [0] * len(found.expressions.kind)
    for row, of in enumerate(found.expressions.of):
        lengths[row] = 1 + (lengths[of - 4] if of >= 4 else 0)
        longest = max(longest, lengths[row])
    assert longest <= 200
