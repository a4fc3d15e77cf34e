"""What `scip lint` and the official schema ask of an index, each complaint on one line.

The classes are made of the official schema (see README.md), the rules are those of the schema's comments and of the
official linter: canonical symbols, one SymbolInformation a symbol and document, occurrences of what is described, no
occurrence twice, roles that do not contradict each other, relationships that say something of what is described.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_NAME = r"(?:[A-Za-z0-9_+\-$]+|`(?:[^`]|``)+`)"
_DESCRIPTOR = re.compile(
    rf"(?:(?P<name>{_NAME})(?:[/#.:!]|\((?P<number>[A-Za-z0-9_+\-$]*)\)\.)|\[{_NAME}\]|\({_NAME}\))", re.DOTALL
)
_PACKAGE = re.compile(r"(?P<scheme>(?:[^ ]|  )+) (?:(?:[^ ]|  )+) (?:(?:[^ ]|  )+) (?:(?:[^ ]|  )+) ")
DEFINITION, FORWARD = 1, 64


def official() -> Any:
    """The class of an index, as the official schema has it."""
    files = descriptor_pb2.FileDescriptorSet.FromString((Path(__file__).parent / "scip.binpb").read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("scip.Index"))


def read(data: bytes) -> Any:
    """An index; bytes that its schema does not know are an error."""
    index = official().FromString(data)
    again = official().FromString(data)
    again.DiscardUnknownFields()
    assert again.SerializeToString(deterministic=True) == index.SerializeToString(deterministic=True), "unknown fields"
    return index


def problems(index: Any, sources: Mapping[str, str]) -> list[str]:
    """What is wrong with an index of some sources."""
    return list(_problems(index, sources))


def _problems(index: Any, sources: Mapping[str, str]) -> Iterator[str]:
    if not index.metadata.project_root.startswith("file:///"):
        yield f"the root is no URI of a folder: {index.metadata.project_root}"
    if not index.metadata.tool_info.name or index.metadata.text_document_encoding != 1:
        yield "no tool, or no encoding"
    paths = [document.relative_path for document in index.documents]
    if len(set(paths)) < len(paths):
        yield "two documents of one path"
    described: set[str] = {one.symbol for one in index.external_symbols}
    for document in index.documents:
        symbols = [one.symbol for one in document.symbols]
        if len(set(symbols)) < len(symbols):
            yield f"{document.relative_path}: a symbol is described twice"
        if described & set(symbols):
            yield f"{document.relative_path}: a symbol is described here and elsewhere"
        described |= set(symbols)
    for document in index.documents:
        yield from _document(document, described, sources[document.relative_path])


def _document(document: Any, described: set[str], source: str) -> Iterator[str]:
    path, lines = document.relative_path, source.split("\n")
    if not path or path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
        yield f"no canonical path: {path}"
    if document.position_encoding != 3 or not document.language:
        yield f"{path}: no encoding of positions, or no language"
    for one in document.symbols:
        if not canonical(one.symbol):
            yield f"{path}: no canonical symbol: {one.symbol}"
        if not one.display_name:
            yield f"{path}: {one.symbol} has no name to show"
        for relation in one.relationships:
            if relation.symbol not in described or not (relation.is_implementation or relation.is_reference):
                yield f"{path}: {one.symbol} has an empty relationship to {relation.symbol}"
    seen, ranges = set(), []
    for one in document.occurrences:
        place = tuple(one.range)
        ranges.append(place)
        key = place, one.symbol, one.symbol_roles
        if key in seen:
            yield f"{path}: twice {key}"
        seen.add(key)
        if not canonical(one.symbol) or one.symbol not in described:
            yield f"{path}: an occurrence of what is not described, {one.symbol}"
        if one.symbol_roles & DEFINITION and one.symbol_roles & FORWARD:
            yield f"{path}: {one.symbol} is defined and only declared"
        if len(place) != 3 or place[1] > place[2] or place[0] >= len(lines) or place[2] > len(lines[place[0]]):
            yield f"{path}: a range outside of the file, {place}"
        around = list(one.enclosing_range)
        if around and not (len(around) == 4 and around[:2] <= [*place[:2]] and [place[0], place[2]] <= around[2:]):
            yield f"{path}: {one.symbol} at {place} is not in what is said to enclose it, {around}"
    if ranges != sorted(ranges):
        yield f"{path}: occurrences are not in order"


def canonical(symbol: str) -> bool:
    """Whether a symbol is written as the official formatter would."""
    head = _PACKAGE.match(symbol)
    if head is None or head["scheme"].startswith("local"):
        return False
    at, count = head.end(), 0
    while at < len(symbol):
        found = _DESCRIPTOR.match(symbol, at)
        if found is None:
            return False
        name = found["name"] or ""
        if name.startswith("`") and re.fullmatch(r"`[A-Za-z0-9_+\-$]+`", name):
            return False  # it needs no escapes
        at, count = found.end(), count + 1
    return count > 0
