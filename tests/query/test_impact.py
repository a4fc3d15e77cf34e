from __future__ import annotations

from query_samples import Look

from git_graph.query.filters import Filter
from git_graph.query.impact import impact
from git_graph.query.values import Answer

CHAIN = {
    "base.py": """
        LIMIT = 3

        def leaf():
            return LIMIT

        class Shape:
            def area(self):
                return leaf()

        lazy = leaf()
    """,
    "user.py": """
        from base import Shape, lazy, leaf

        class Square(Shape):
            pass

        def draw(square: Square):
            return square.area()

        def paint():
            return draw(Square())

        def late():
            return lazy

        table = {"leaf": leaf}
        leaf()

        def guess(thing):
            return thing.area()
    """,
}


def reached(answer: Answer) -> dict[str, tuple[int, str, str]]:
    return {r.symbol.qualified: (r.depth, r.via.role, r.via.symbol.qualified) for r in answer.results}


def test_the_walk_goes_on_through_callers_inheritors_readers_and_assignments(look: Look) -> None:
    assert reached(impact(look(CHAIN), ["leaf"])) == {
        "Shape.area": (1, "call", "leaf"),
        "lazy": (1, "call", "leaf"),
        "table": (1, "read", "leaf"),
        "draw": (2, "call", "Shape.area"),
        "late": (2, "read", "lazy"),
        "paint": (3, "call", "draw"),
    }


def test_a_module_that_uses_it_when_loaded_is_counted_and_listed_on_request(look: Look) -> None:
    assert impact(look(CHAIN), ["leaf"]).facts["modules"] == 1
    asked = impact(look(CHAIN), ["leaf"], narrow=Filter(kinds=("module", "method")))
    assert reached(asked) == {"user.py": (1, "call", "leaf"), "Shape.area": (1, "call", "leaf")}


def test_what_claims_nothing_is_counted_and_not_walked(look: Look) -> None:
    answer = impact(look(CHAIN), ["leaf"])
    assert answer.declined == {"ambiguous": 0, "receiver-unknown": 1}
    assert "guess" not in reached(answer)


def test_a_class_reaches_its_inheritors_and_those_who_name_or_make_it(look: Look) -> None:
    assert reached(impact(look(CHAIN), ["Shape"])) == {
        "Square": (1, "inherit", "Shape"),
        "draw": (2, "type", "Square"),
        "paint": (2, "instantiate", "Square"),
    }


def test_a_constant_reaches_its_readers(look: Look) -> None:
    assert reached(impact(look(CHAIN), ["LIMIT"], depth=1)) == {"leaf": (1, "read", "LIMIT")}


def test_depth_ends_the_walk(look: Look) -> None:
    answer = impact(look(CHAIN), ["leaf"], depth=1)
    assert {depth for depth, _, _ in reached(answer).values()} == {1}
    assert answer.facts["depth"] == 1


def test_nearest_come_first_and_a_limit_cuts_the_farthest(look: Look) -> None:
    answer = impact(look(CHAIN), ["leaf"], limit=4)
    assert [r.depth for r in answer.results] == [1, 1, 1, 2]
    assert (answer.total, answer.truncated) == (6, True)


def test_several_symbols_are_one_question(look: Look) -> None:
    both = reached(impact(look(CHAIN), ["leaf", "Shape"]))
    assert {"Square", "draw", "late"} <= set(both)
    assert "Shape" not in both


def test_circles_end(look: Look) -> None:
    resolver = look({"a.py": "def f():\n    g()\n\ndef g():\n    f()\n    g()\n"})
    assert reached(impact(resolver, ["f"])) == {"g": (1, "call", "f")}


def test_one_symbol_that_does_not_exist_is_told(look: Look) -> None:
    answer = impact(look(CHAIN), ["leaf", "lef"])
    assert not answer.found
    assert "leaf" in answer.near


def test_an_ambiguous_edge_never_bridges(look: Look) -> None:
    def file(side: str) -> str:
        return f"""
            def leaf_{side}(): ...
            def helper(): leaf_{side}()
            def top_{side}(): helper()
        """

    resolver = look({"a.py": file("a"), "b.py": file("b")})
    assert set(reached(impact(resolver, ["leaf_a"]))) == {"helper", "top_a"}


def test_a_chain_of_a_thousand_is_walked(look: Look) -> None:
    text = "def f0():\n    return 1\n" + "".join(f"def f{i}():\n    return f{i - 1}()\n" for i in range(1, 1000))
    answer = impact(look({"long.py": text}), ["f0"], limit=0)
    assert (answer.total, answer.facts["depth"]) == (999, 999)
