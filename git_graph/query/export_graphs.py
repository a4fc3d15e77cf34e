"""The graph formats: DOT, Mermaid, GraphML. Nodes are symbols, edges attributed uses, one for each role.

Each is written as it comes; only the ids of what was written are remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from git_graph.query.export import Node, Unit


def edges(unit: Unit) -> dict[tuple[str, str, str], int]:
    """(user, used, role) -> how often, in one file; imports and uses of itself are none."""
    found: dict[tuple[str, str, str], int] = {}
    for use in unit.uses:
        for target in use.targets:
            if use.role != "import" and target != use.user:
                key = use.user, target, use.role
                found[key] = found.get(key, 0) + 1
    return found


def dot(units: Iterable[Unit]) -> Iterator[str]:
    """Graphviz' language."""
    yield "digraph graph_ {\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n"
    for unit in units:
        for node in _primary(unit):
            label = f"{node.qualified}\n{unit.path}:{node.line}"
            yield f"  {_quoted(node.id)} [label={_quoted(label)}, kind={_quoted(node.kind)}];\n"
        for (user, used, role), count in edges(unit).items():
            yield f"  {_quoted(user)} -> {_quoted(used)} [label={_quoted(role)}, weight={min(count, 100)}];\n"
    yield "}\n"


def mermaid(units: Iterable[Unit]) -> Iterator[str]:
    """Mermaid's flowchart."""
    numbers: dict[str, int] = {}
    yield "flowchart LR\n"
    for unit in units:
        for node in _primary(unit):
            number = numbers.setdefault(node.id, len(numbers))
            yield f'  n{number}["{_entities(f"{node.qualified} ({unit.path}:{node.line})")}"]\n'
        for user, used, role in edges(unit):
            here, there = (numbers.setdefault(id, len(numbers)) for id in (user, used))
            yield f"  n{here} -->|{role}| n{there}\n"


_KEYS = (
    ("name", "node"), ("qualified", "node"), ("kind", "node"), ("path", "node"), ("line", "node"),
    ("language", "node"), ("role", "edge"), ("count", "edge"),
)  # fmt: skip


def graphml(units: Iterable[Unit]) -> Iterator[str]:
    """GraphML, with the attributes that _KEYS names."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for name, kind in _KEYS:
        type_ = "int" if name in ("line", "count") else "string"
        yield f'<key id="{name}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for unit in units:
        for node in _primary(unit):
            rows = {
                "name": node.name, "qualified": node.qualified, "kind": node.kind, "path": unit.path,
                "line": node.line, "language": unit.language,
            }  # fmt: skip
            yield f'<node id="{_xml(node.id)}">{_data(rows)}</node>\n'
        for (user, used, role), count in edges(unit).items():
            rows = {"role": role, "count": count}
            yield f'<edge source="{_xml(user)}" target="{_xml(used)}">{_data(rows)}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _primary(unit: Unit) -> Iterator[Node]:
    return (node for node in unit.nodes if node.primary)


def _quoted(text: str) -> str:
    """A string of DOT: only the quote and the backslash mean something in it."""
    plain = "".join(sign if sign.isprintable() or sign == "\n" else f"\\x{ord(sign):02x}" for sign in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _entities(text: str) -> str:
    """A label of Mermaid: whatever is not plain is an entity."""
    plain = frozenset(" _./:()-,")
    return "".join(sign if sign.isalnum() or sign in plain else f"#{ord(sign)};" for sign in text)


def _data(rows: dict[str, str | int]) -> str:
    return "".join(f'<data key="{key}">{_xml(str(value))}</data>' for key, value in rows.items())


def _xml(text: str) -> str:
    """Text of XML 1.0, which has no way of writing most control characters: they stand as `?`."""
    legal = "".join(sign if sign in "\t\n\r" or (sign >= " " and not _unwritable(sign)) else "?" for sign in text)
    return legal.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _unwritable(sign: str) -> bool:
    return "\ud800" <= sign <= "\udfff" or sign in "\ufffe\uffff"
