"""The graph formats: DOT, Mermaid, GraphML. Nodes are symbols, edges attributed uses, one for each role.

Each is written as it comes; only the ids of what was written are remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from git_graph.query.export import Node, Unit, text


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
    yield 'digraph "git-graph" {\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n'
    for unit in units:
        for node in _primary(unit):
            label = _quoted(f"{node.qualified}\n{unit.path}:{node.line}" if node.row else unit.path)
            yield f"  {_quoted(node.id)} [label={label}, kind={_quoted(node.kind)}];\n"
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
            label = f"{node.qualified} ({unit.path}:{node.line})" if node.row else unit.path
            yield f'  n{number}["{_entities(label)}"]\n'
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
    yield '<graph id="git-graph" edgedefault="directed">\n'
    for unit in units:
        for node in _primary(unit):
            rows: dict[str, str | int] = {
                "name": node.name, "qualified": node.qualified, "kind": node.kind, "path": unit.path,
                "line": node.line, "language": unit.language,
            }  # fmt: skip
            yield f'<node id="{_xml(node.id)}">{_data(rows)}</node>\n'
        for (user, used, role), count in edges(unit).items():
            said = _data({"role": role, "count": count})
            yield f'<edge source="{_xml(user)}" target="{_xml(used)}">{said}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _primary(unit: Unit) -> Iterator[Node]:
    return (node for node in unit.nodes if node.primary)


def _quoted(written: str) -> str:
    """A string of DOT: only the quote and the backslash mean something in it."""
    plain = "".join(sign if sign.isprintable() or sign == "\n" else f"\\x{ord(sign):02x}" for sign in text(written))
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _entities(written: str) -> str:
    """A label of Mermaid: whatever is not plain is an entity."""
    plain = frozenset(" _./:()-,")
    return "".join(sign if sign.isalnum() or sign in plain else f"#{ord(sign)};" for sign in text(written))


def _data(rows: dict[str, str | int]) -> str:
    return "".join(f'<data key="{key}">{_xml(str(value))}</data>' for key, value in rows.items())


_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def _xml(written: str) -> str:
    """Text of XML 1.0: what it has no way of writing stands as `\\x1b` does."""
    return "".join(_XML.get(sign, sign) if sign.isprintable() else _rare(ord(sign)) for sign in text(written))


def _rare(number: int) -> str:
    legal = number in (9, 10, 13) or (
        number >= 32 and not 0xD800 <= number <= 0xDFFF and number not in (0xFFFE, 0xFFFF)
    )
    return f"&#{number};" if legal else f"\\x{number:02x}"
