"""DOT, Mermaid and GraphML as their readers see them, and the graph that they are of."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

import networkx
import pydot
import pytest
from export_samples import SOURCES, resolver_of, some_units, units_of
from hypothesis import given, settings

from git_graph.query.export import Export, Unit, around, text
from git_graph.query.export_graphs import dot, edges, graphml, mermaid

FORMATS = {"dot": dot, "mermaid": mermaid, "graphml": graphml}


def shape(units: Iterable[Unit]) -> tuple[int, int]:
    units = list(units)
    return sum(node.primary for unit in units for node in unit.nodes), sum(len(edges(unit)) for unit in units)


# GraphML


def graph_of(units: Iterable[Unit]) -> Any:
    data = "".join(graphml(units)).encode()
    return networkx.MultiDiGraph(networkx.read_graphml(io.BytesIO(data), force_multigraph=True))


def test_graphml_is_read_by_networkx() -> None:
    units = units_of(SOURCES)
    graph = graph_of(units)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == shape(units)
    add = "shop/`cart.py`/Base#add()."
    assert graph.nodes[add] == {
        "name": "add", "qualified": "Base.add", "kind": "method", "path": "shop/cart.py", "line": 2,
        "language": "python",
    }  # fmt: skip
    assert ("shop/`cart.py`/`größe`().", add, {"role": "call", "count": 1}) in graph.edges(data=True)
    assert networkx.has_path(graph, "shop/`use.py`/", "shop/`cart.py`/Base#price().")


@given(some_units())
@settings(max_examples=40)
def test_graphml_keeps_any_names(units: list[Unit]) -> None:
    data = "".join(graphml(units))
    assert all(sign.isprintable() or sign == "\n" for sign in data)
    root = ET.fromstring(data)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert [len(root.findall(f"{space}graph/{space}{what}")) for what in ("node", "edge")] == [*shape(units)]
    names = [found.text or "" for found in root.iter(f"{space}data") if found.get("key") == "name"]
    expected = [text(node.name) for unit in units for node in unit.nodes]
    assert names == ["".join(map(in_xml, name)) for name in expected]


def in_xml(sign: str) -> str:
    """A sign, or what stands for one that XML has no way of writing."""
    legal = sign in "\t\n\r" or (sign >= " " and sign not in "\ufffe\uffff")
    return sign if legal else f"\\x{ord(sign):02x}"


# DOT


def drawing(units: Iterable[Unit]) -> Any:
    (graph,) = pydot.graph_from_dot_data("".join(dot(units)))
    return graph


def test_dot_is_read_by_pydot() -> None:
    units = units_of({path: source for path, source in SOURCES.items() if path.startswith("shop/")})
    graph = drawing(units)
    nodes = [node for node in graph.get_nodes() if node.get_name() != "node"]
    assert (len(nodes), len(graph.get_edges())) == shape(units)
    (node,) = (node for node in nodes if node.get_name() == '"shop/`cart.py`/Base#add()."')
    assert node.get_label() == '"Base.add\\nshop/cart.py:2"'
    (edge,) = (edge for edge in graph.get_edges() if edge.get_label() == '"call"' and "größe" in edge.get_source())
    assert edge.get_destination() == '"shop/`cart.py`/Base#add()."'


@given(some_units())
@settings(max_examples=20)
def test_no_name_breaks_out_of_dot(units: list[Unit]) -> None:
    nodes = [node for node in drawing(units).get_nodes() if node.get_name() != "node"]
    assert len(nodes) == shape(units)[0]
    assert all(sign.isprintable() or sign == "\n" for sign in "".join(dot(units)))


# Mermaid

NODE = re.compile(r'  n(\d+)\["((?:[\w _./:(),-]|#\d+;)*)"\]')
EDGE = re.compile(r"  n(\d+) -->\|([a-z]+)\| n(\d+)")


def chart(units: Iterable[Unit]) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Number -> label, and (from, role, to); every line is a node's or an edge's."""
    first, *lines = "".join(mermaid(units)).splitlines()
    assert first == "flowchart LR"
    nodes, arrows = {}, []
    for line in lines:
        if found := NODE.fullmatch(line):
            assert found[1] not in nodes
            nodes[found[1]] = re.sub(r"#(\d+);", lambda entity: chr(int(entity[1])), found[2])
        else:
            arrow = EDGE.fullmatch(line)
            assert arrow, line
            arrows.append(arrow.groups())
    return nodes, arrows


def test_mermaid_names_nodes_and_draws_edges() -> None:
    units = units_of(SOURCES)
    nodes, arrows = chart(units)
    assert (len(nodes), len(arrows)) == shape(units)
    told = {(nodes[one], role, nodes[other]) for one, role, other in arrows}
    assert ("größe (shop/cart.py:16)", "call", "Base.add (shop/cart.py:2)") in told
    assert ("Cart (shop/cart.py:9)", "inherit", "Base (shop/cart.py:1)") in told


@given(some_units())
@settings(max_examples=40)
def test_no_name_breaks_out_of_mermaid(units: list[Unit]) -> None:
    nodes, arrows = chart(units)
    assert (len(nodes), len(arrows)) == shape(units)
    assert all(one in nodes and other in nodes for one, _, other in arrows)


# what is drawn


def around_(symbol: str, depth: int) -> set[str]:
    resolver = resolver_of(SOURCES)
    chosen = around(resolver, resolver.lookup(symbol), depth)
    graph = graph_of(Export(resolver, chosen).units())
    assert all(graph.has_node(node) and "path" in graph.nodes[node] for edge in graph.edges() for node in edge)
    return {data["qualified"] for _, data in graph.nodes(data=True)}


def test_a_neighbourhood_reaches_as_far_as_is_asked() -> None:
    assert around_("größe", 0) == {"größe"}
    assert around_("größe", 1) == {"größe", "Cart", "Base.add", "shop/use.py", "test_all"}
    assert around_("größe", 2) - around_("größe", 1) == {"Base", "Base.price", "mine", "shop/cart.py"}


def test_a_class_stands_for_its_members() -> None:
    assert around_("Cart", 0) == {"Cart", "Cart.LIMIT", "Cart.price"}
    assert {"Base", "Base.price", "test_all"} <= around_("Cart", 1)


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_written_does_not_depend_on_the_run(format_: str) -> None:
    write = FORMATS[format_]
    other = dict(reversed(SOURCES.items()))
    assert "".join(write(units_of(SOURCES))) == "".join(write(units_of(other)))
