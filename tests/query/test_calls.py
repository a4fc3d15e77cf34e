from __future__ import annotations

import pytest
from query_samples import Look

from git_graph.query.callees import callees
from git_graph.query.callers import callers
from git_graph.query.definitions import definitions
from git_graph.query.path import path
from git_graph.query.references import references
from git_graph.query.values import Answer


def sites(answer: Answer) -> list[tuple[str, str, int, str]]:
    """(symbol, path, line, role) of each site of an answer about calls."""
    return [(edge.symbol.name, site.path, site.line, site.role) for edge in answer.results for site in edge.sites]


SHOP = {
    "shop.py": """
        class Till:
            def ring(self, price):
                return add(price)

        def add(price):
            def rounded():
                return round_up(price)
            return rounded()

        def round_up(price):
            return price

        till = Till()
        till.ring(3)
    """,
    "day.py": """
        from shop import Till, add

        def morning():
            till = Till()
            till.ring(1)
            add(2); add(3)

        def guess(thing):
            thing.ring(4)
    """,
}


def test_callers_are_gathered_by_symbol_and_told_by_site(look: Look) -> None:
    answer = callers(look(SHOP), "add")
    assert sites(answer) == [
        ("morning", "day.py", 6, "call"),
        ("morning", "day.py", 6, "call"),
        ("ring", "shop.py", 3, "call"),
    ]
    assert answer.total == 3
    assert [definition.qualified for definition in answer.definitions] == ["add"]


def test_making_one_of_a_class_is_a_call_of_it(look: Look) -> None:
    assert sites(callers(look(SHOP), "Till")) == [
        ("morning", "day.py", 4, "instantiate"),
        ("shop", "shop.py", 13, "instantiate"),
    ]


def test_a_call_outside_functions_is_the_modules(look: Look) -> None:
    answer = callers(look(SHOP), "Till.ring")
    assert ("shop", "shop.py", 14, "call") in sites(answer)
    assert [edge.symbol.kind for edge in answer.results if edge.symbol.path == "shop.py"] == ["module"]


def test_a_call_on_an_unknown_receiver_is_counted_and_listed_only_on_request(look: Look) -> None:
    resolver = look(SHOP)
    assert callers(resolver, "Till.ring").declined == {"ambiguous": 0, "receiver-unknown": 1}
    assert "guess" not in [edge.symbol.name for edge in callers(resolver, "Till.ring").results]
    answer = callers(resolver, "Till.ring", possible=True)
    assert ("guess", "day.py", 9, "call") in sites(answer)
    [site] = [site for edge in answer.results for site in edge.sites if site.line == 9 and site.path == "day.py"]
    assert (site.resolution, site.target, [c.qualified for c in site.candidates]) == (
        "receiver-unknown",
        None,
        ["Till.ring"],
    )


def test_a_limit_counts_sites_and_the_total_stays(look: Look) -> None:
    answer = callers(look(SHOP), "add", limit=2)
    assert len(sites(answer)) == 2
    assert (answer.total, answer.truncated) == (3, True)
    assert not callers(look(SHOP), "add", limit=0).truncated
    assert not callers(look(SHOP), "add", limit=3).truncated


def test_what_is_nested_in_a_function_is_part_of_it(look: Look) -> None:
    assert sites(callees(look(SHOP), "add")) == [("round_up", "shop.py", 7, "call"), ("rounded", "shop.py", 8, "call")]
    assert sites(callees(look(SHOP), "Till")) == [("add", "shop.py", 3, "call")]


def test_calls_that_leave_the_view_are_counted(look: Look) -> None:
    answer = callees(look({"a.py": "def f(x):\n    print(x)\n    return len(x)\n"}), "f")
    assert (answer.total, answer.facts["dangling"]) == (0, 2)


def test_callees_lists_candidates_only_on_request(look: Look) -> None:
    resolver = look(SHOP)
    assert callees(resolver, "guess").results == ()
    assert callees(resolver, "guess").declined["receiver-unknown"] == 1
    assert sites(callees(resolver, "guess", possible=True)) == [("ring", "day.py", 9, "call")]


def test_callers_and_callees_are_the_same_edges_seen_from_both_ends(look: Look) -> None:
    resolver = look(SHOP)
    names = ("add", "round_up", "rounded", "ring")
    up = {(s.path, s.line, s.column) for n in names for e in callers(resolver, n).results for s in e.sites}
    down = {
        (s.path, s.line, s.column)
        for place in ("shop.py", "day.py")
        for edge in callees(resolver, place).results
        if edge.symbol.name in names
        for s in edge.sites
    }
    assert up == down


@pytest.mark.parametrize("ask", [callers, callees, references, definitions])
def test_a_symbol_that_does_not_exist_has_names_like_it(look: Look, ask) -> None:
    answer = ask(look(SHOP), "round_upp")
    assert (answer.found, answer.results, answer.total) == (False, (), 0)
    assert "round_up" in answer.near


def test_an_ambiguous_name_answers_for_all_its_definitions(look: Look) -> None:
    resolver = look(
        {
            "a.py": "def f():\n    return 1\n\ndef a():\n    return f()\n",
            "b.py": "def f():\n    return 2\n\ndef b():\n    return f()\n",
        }
    )
    answer = callers(resolver, "f")
    assert answer.definitions_total == 2
    assert [(edge.symbol.name, edge.sites[0].target.path) for edge in answer.results] == [("a", "a.py"), ("b", "b.py")]


def test_references_come_certain_ones_first(look: Look) -> None:
    answer = references(look(SHOP), "Till.ring")
    assert [r.resolution for r in answer.results][-1] == "receiver-unknown"
    assert answer.total == 3
    assert references(look(SHOP), "Till.ring", resolutions=["receiver-unknown"]).total == 1
    roles = {r.role for r in references(look(SHOP), "add").results}
    assert roles == {"call", "import"}
    assert references(look(SHOP), "add", roles=["import"]).total == 1


def test_a_rule_is_given_when_it_is_asked_for(look: Look) -> None:
    assert all(not r.rule for r in references(look(SHOP), "add").results)
    assert all(r.rule for r in references(look(SHOP), "add", explain=True).results)


def test_a_path_is_a_shortest_chain_of_calls(look: Look) -> None:
    answer = path(look(SHOP), "morning", "round_up")
    assert [(step.symbol.name, step.site and step.site.line) for step in answer.results] == [
        ("morning", 6),
        ("add", 7),
        ("round_up", None),
    ]


def test_no_path_is_an_answer(look: Look) -> None:
    answer = path(look(SHOP), "round_up", "morning")
    assert (answer.found, answer.results) == (True, ())


def test_a_path_to_itself_has_one_step(look: Look) -> None:
    assert [step.symbol.name for step in path(look(SHOP), "add", "add").results] == ["add"]


def test_a_path_ends_where_calls_go_in_circles(look: Look) -> None:
    resolver = look({"a.py": "def f():\n    g()\n\ndef g():\n    f()\n\ndef far():\n    return 1\n"})
    assert path(resolver, "f", "far").results == ()
