"""SCIP, the protocol of code-intelligence services: an index of documents, one after the other.

The message of a whole index is its parts in a row, so each document is written and forgotten. The messages are built
from the numbers that the protocol gives its fields; the `protobuf` package (extra `scip`) does the encoding. Positions
count code points, as ours do. What is not claimed has no occurrence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from git_graph.errors import GraphError
from git_graph.languages import scip_name
from git_graph.query.export import Node, Unit, Use, text

SCHEME = "git-graph . . . "
"""What every symbol begins with: the scheme, and a package without manager, name and version."""
DEFINITION, IMPORTED, WRITTEN, READ, TEST, FORWARD = 1, 2, 4, 8, 32, 64
UTF8, CODE_POINTS = 1, 3

_STRING, _INT, _BOOL, _ENUM, _MESSAGE = 9, 5, 8, 14, 11
_ONE, _MANY = 1, 3
_MESSAGES: dict[str, tuple[tuple[str, int, int, int, str], ...]] = {
    "ToolInfo": (("name", 1, _STRING, _ONE, ""), ("version", 2, _STRING, _ONE, "")),
    "Metadata": (
        ("tool_info", 2, _MESSAGE, _ONE, "ToolInfo"), ("project_root", 3, _STRING, _ONE, ""),
        ("text_document_encoding", 4, _INT, _ONE, ""),
    ),
    "Relationship": (
        ("symbol", 1, _STRING, _ONE, ""), ("is_reference", 2, _BOOL, _ONE, ""),
        ("is_implementation", 3, _BOOL, _ONE, ""), ("is_type_definition", 4, _BOOL, _ONE, ""),
    ),
    "SymbolInformation": (
        ("symbol", 1, _STRING, _ONE, ""), ("documentation", 3, _STRING, _MANY, ""),
        ("relationships", 4, _MESSAGE, _MANY, "Relationship"), ("kind", 5, _INT, _ONE, ""),
        ("display_name", 6, _STRING, _ONE, ""), ("signature_documentation", 7, _MESSAGE, _ONE, "Document"),
    ),
    "Occurrence": (
        ("range", 1, _INT, _MANY, ""), ("symbol", 2, _STRING, _ONE, ""), ("symbol_roles", 3, _INT, _ONE, ""),
        ("enclosing_range", 7, _INT, _MANY, ""),
    ),
    "Document": (
        ("relative_path", 1, _STRING, _ONE, ""), ("occurrences", 2, _MESSAGE, _MANY, "Occurrence"),
        ("symbols", 3, _MESSAGE, _MANY, "SymbolInformation"), ("language", 4, _STRING, _ONE, ""),
        ("text", 5, _STRING, _ONE, ""), ("position_encoding", 6, _INT, _ONE, ""),
    ),
    "Index": (("metadata", 1, _MESSAGE, _ONE, "Metadata"), ("documents", 2, _MESSAGE, _MANY, "Document")),
}  # fmt: skip
"""Message -> (field, number, type, how many, message). An enumeration is written as the number that it is."""

_KINDS = {
    "module": 29, "namespace": 30, "package": 35, "class": 7, "interface": 21, "struct": 49, "enum": 11, "trait": 53,
    "union": 59, "type_alias": 55, "function": 17, "method": 26, "constructor": 9, "constant": 8, "variable": 61,
    "field": 15, "property": 41, "enum_member": 12, "macro": 25,
}  # fmt: skip
_ROLES = {"import": IMPORTED, "write": WRITTEN}

Found = tuple[tuple[int, ...], str, int, tuple[int, ...]]
"""An occurrence: its range, symbol, roles and enclosing range."""


def scip(units: Iterable[Unit], version: str, project_root: str) -> Iterator[bytes]:
    """An index, piece by piece; `project_root` is a `file:` URI. Raises GraphError without the `protobuf` package."""
    make = messages()
    metadata = make["Metadata"](
        tool_info=make["ToolInfo"](name="git-graph", version=version),
        project_root=project_root,
        text_document_encoding=UTF8,
    )
    yield make["Index"](metadata=metadata).SerializeToString()
    for unit in units:
        yield make["Index"](documents=[_document(make, unit)]).SerializeToString()


def messages() -> dict[str, Any]:
    """The classes of the protocol's messages."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError as error:
        raise GraphError(
            "SCIP needs the protobuf package, which is not installed", "pip install 'git-code-graph[scip]'"
        ) from error
    file = descriptor_pb2.FileDescriptorProto(name="git_graph/scip.proto", package="scip", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, type_, label, of in fields:
            row = message.field.add(name=field, number=number, type=type_, label=label)
            if of:
                row.type_name = f".scip.{of}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    find = pool.FindMessageTypeByName
    return {name: message_factory.GetMessageClass(find(f"scip.{name}")) for name in _MESSAGES}


def _document(make: dict[str, Any], unit: Unit) -> Any:
    language = scip_name(unit.language)
    document = make["Document"](relative_path=text(unit.path), language=language, position_encoding=CODE_POINTS)
    found = [*map(_definition, unit.nodes), *(one for use in unit.uses for one in _occurrences(use))]
    for place, symbol, roles, around in sorted(set(found)):
        document.occurrences.add(range=place, symbol=symbol, symbol_roles=roles, enclosing_range=around)
    bases: dict[str, list[str]] = {}
    for use in unit.uses:
        if use.role in ("inherit", "implement"):
            bases.setdefault(use.user, []).extend(use.targets)
    for node in unit.nodes:
        if node.primary:
            _describe(make, document, node, bases.get(node.id, ()), language)
    return document


def _definition(node: Node) -> Found:
    declared = "declaration" in node.flags and not node.primary
    roles = (FORWARD if declared else DEFINITION) | (TEST if "test" in node.flags else 0)
    if not node.row:  # a file begins at its first sign
        return (0, 0, 0), SCHEME + node.id, roles, ()
    return _range(node.line, node.column, node.name), SCHEME + node.id, roles, _lines(node)


def _occurrences(use: Use) -> Iterator[Found]:
    place = _range(use.line, use.column, use.name)
    for target in use.targets:
        yield place, SCHEME + target, _ROLES.get(use.role, READ), ()


def _range(line: int, column: int, name: str) -> tuple[int, ...]:
    return line - 1, column - 1, column - 1 + len(name)


def _lines(node: Node) -> tuple[int, ...]:
    """The whole lines that a definition spans; to the beginning of the line after it, as its last column is unknown."""
    return node.start_line - 1, 0, node.end_line, 0


def _describe(make: dict[str, Any], document: Any, node: Node, bases: Iterable[str], language: str) -> None:
    said = document.symbols.add(
        symbol=SCHEME + node.id, kind=_KINDS.get(node.kind, 0), display_name=text(node.name),
        documentation=[text(node.doc)] if node.doc else [],
    )  # fmt: skip
    if node.signature:
        said.signature_documentation.CopyFrom(make["Document"](language=language, text=text(node.signature)))
    for base in dict.fromkeys(bases):
        if base != node.id:
            said.relationships.add(symbol=SCHEME + base, is_implementation=True)
