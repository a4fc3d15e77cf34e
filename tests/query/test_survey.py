from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from query_samples import Look

from git_graph.query.components import components, shortest_cycle
from git_graph.query.cycles import cycles
from git_graph.query.deps import deps
from git_graph.query.filters import Filter
from git_graph.query.top import top
from git_graph.query.unused import REASONS, unused

LIBRARY = {
    "lib.py": """
        import functools
        from outside import Base, register

        __all__ = ["offered"]

        def offered(): ...

        def used(): ...

        def alone():
            return alone()

        def handed(): ...

        @register
        def hooked(): ...

        @functools.lru_cache
        def cached(): ...

        class Own:
            def __enter__(self): ...
            def called(self): ...
            def dead(self): ...
            def maybe(self): ...

        class Child(Own):
            def called(self): ...
            def dead(self): ...

        class Foreign(Base):
            def hook(self): ...

        def main(): ...

        LIMIT = 1
        DEAD = 2
    """,
    "use.py": """
        from lib import Child, Foreign, LIMIT, Own, handed, used

        used()
        print(map(handed, [LIMIT]))
        own = Own()
        own.called()
        Child(), Foreign()

        def anything(x):
            return x.maybe()

        anything(own)

        def test_it():
            assert used()
    """,
}


def unused_names(look: Look, **options) -> set[str]:
    return {found.symbol.qualified for found in unused(look(LIBRARY), **options).results}


def test_what_nothing_refers_to_is_named_and_what_may_be_used_unseen_is_not(look: Look) -> None:
    assert unused_names(look) == {"alone", "cached", "Own.dead", "Child.dead", "DEAD"}


def test_what_is_left_out_is_counted_and_listed_on_request(look: Look) -> None:
    answer = unused(look(LIBRARY), include=REASONS)
    reasons = {found.symbol.qualified: found.reason for found in answer.results}
    assert reasons["hooked"] == "decorated"
    assert reasons["Own.__enter__"] == "entry-point"
    assert reasons["main"] == "entry-point"
    assert reasons["test_it"] == "entry-point"
    assert reasons["Child.called"] == "override"
    assert reasons["Foreign.hook"] == "override"
    assert reasons["Own.maybe"] == "possible"
    assert reasons["alone"] == ""
    excluded = unused(look(LIBRARY)).facts["excluded"]
    assert (excluded["decorated"], excluded["override"]) == (1, 2)
    assert "Foreign.hook" in unused_names(look, include=["override"])


def test_unused_is_narrowed_like_other_lists(look: Look) -> None:
    assert unused_names(look, narrow=Filter(kinds=("constant",))) == {"DEAD"}
    assert unused_names(look, narrow=Filter(paths=("use.py",))) == set()


def test_a_use_under_another_name_is_a_use(look: Look) -> None:
    resolver = look(
        {
            "a.ts": "export default function made() { return 1; }\nexport function lost() { return 2; }\n",
            "b.ts": "import other from './a';\nconsole.log(other());\n",
        }
    )
    assert [found.symbol.name for found in unused(resolver).results] == ["lost"]


def test_fan_in_counts_the_symbols_that_use_it(look: Look) -> None:
    resolver = look(
        {
            "a.py": """
                def hub(): ...
                def one(): hub(); hub()
                def two(): hub(); one()
                def three(): hub(); one(); two()
            """
        }
    )
    assert [(r.symbol.name, r.score) for r in top(resolver).results] == [("hub", 3), ("one", 2), ("two", 1)]
    assert [(r.symbol.name, r.score) for r in top(resolver, by="fan-out").results] == [
        ("three", 3),
        ("two", 2),
        ("one", 1),
    ]
    ranked = top(resolver, by="rank").results
    assert ranked[0].symbol.name == "hub"
    assert sum(r.score for r in top(resolver, by="rank", narrow=Filter(kinds=("function", "module"))).results) == (
        pytest.approx(1, abs=1e-6)
    )
    assert top(resolver, limit=1).truncated


CIRCLE = {
    "a.py": "import b\nfrom typing import Any\n",
    "b.py": "import c\n",
    "c.py": "def f():\n    import a\n",
    "d.py": "import a\nimport e\n",
    "e.py": "import d\n",
    "pkg/__init__.py": "",
    "pkg/x.py": "from . import y\n",
    "pkg/y.py": "",
}


def test_files_that_import_each_other_are_a_cycle(look: Look) -> None:
    answer = cycles(look(CIRCLE))
    assert [cycle.paths for cycle in answer.results] == [("a.py", "b.py", "c.py"), ("d.py", "e.py")]
    assert [(e.path, e.target) for e in answer.results[0].edges] == [
        ("a.py", "b.py"),
        ("b.py", "c.py"),
        ("c.py", "a.py"),
    ]


def test_an_import_in_a_function_closes_no_circle_at_run_time(look: Look) -> None:
    assert [cycle.paths for cycle in cycles(look(CIRCLE), runtime=True).results] == [("d.py", "e.py")]


def edges(answer) -> set[tuple[str, str]]:
    return {(edge.path, edge.target) for edge in answer.results}


def test_deps_tells_what_a_file_imports_and_what_imports_it(look: Look) -> None:
    resolver = look(CIRCLE)
    assert edges(deps(resolver, "a.py")) == {("a.py", "b.py"), ("c.py", "a.py"), ("d.py", "a.py")}
    assert edges(deps(resolver, "a.py", direction="out")) == {("a.py", "b.py")}
    assert edges(deps(resolver, "a.py", direction="in")) == {("c.py", "a.py"), ("d.py", "a.py")}
    assert ("pkg/x.py", "pkg/y.py") in edges(deps(resolver, "pkg"))
    assert len(edges(deps(resolver))) >= 7


def test_imports_that_leave_the_view_are_counted_or_listed(look: Look) -> None:
    resolver = look(CIRCLE)
    assert deps(resolver, "a.py").facts["external"] == 1
    assert ("a.py", "") in edges(deps(resolver, "a.py", external=True))


def test_deps_of_nothing_is_not_found(look: Look) -> None:
    assert not deps(look(CIRCLE), "nowhere.py").found


GRAPHS = st.dictionaries(st.integers(0, 12), st.lists(st.integers(0, 12), max_size=4), max_size=13)


def reach(graph, start):
    seen, stack = set(), [start]
    while stack:
        for successor in graph.get(stack.pop(), ()):
            if successor not in seen:
                seen.add(successor)
                stack.append(successor)
    return seen


@given(GRAPHS)
def test_components_are_the_nodes_that_reach_each_other(graph) -> None:
    nodes = set(graph) | {n for targets in graph.values() for n in targets}
    expected = {frozenset(m for m in nodes if m == n or (m in reach(graph, n) and n in reach(graph, m))) for n in nodes}
    assert {frozenset(c) for c in components(graph)} == {c for c in expected if len(c) > 1}


@given(GRAPHS)
def test_a_cycle_leads_back_to_its_start(graph) -> None:
    for start in graph:
        way = shortest_cycle(graph, start)
        assert bool(way) == (start in reach(graph, start))
        for node, after in zip(way, [*way[1:], *way[:1]], strict=True):
            assert after in graph[node]


def test_a_chain_of_many_nodes_needs_no_recursion() -> None:
    graph = {n: [n + 1] for n in range(50_000)} | {50_000: [0]}
    assert len(components(graph)[0]) == 50_001
