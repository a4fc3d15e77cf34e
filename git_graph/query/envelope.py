"""Answers as plain objects: the schema `git-graph/1` that `--json` prints and that agents are served.

Fields are only ever added. Knows nothing of output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from git_graph.errors import GraphError
from git_graph.query.values import (
    Answer,
    CallEdge,
    Cycle,
    Dependency,
    Impacted,
    Place,
    Ranked,
    ReferenceInfo,
    Step,
    SymbolInfo,
    Unused,
)

SCHEMA = "git-graph/1"


def envelope(answer: Answer, state: Mapping[str, Any], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """The whole answer; `state` holds `view`, `snapshot`, `head` and `freshness`."""
    document: dict[str, Any] = {"schema": SCHEMA, "command": answer.command}
    document |= {key: state.get(key) for key in ("view", "snapshot", "head", "freshness")}
    document["query"] = dict(answer.query)
    document["definitions"] = [plain(symbol) for symbol in answer.definitions]
    document["definitions_total"] = answer.definitions_total
    document["results"] = [plain(result) for result in answer.results]
    document["total"] = answer.total
    document["truncated"] = answer.truncated
    document["declined"] = dict(answer.declined)
    document["warnings"] = [*warnings, *answer.warnings]
    if answer.near:
        document["near"] = list(answer.near)
    return document | {key: plain(value) for key, value in answer.facts.items()}


def failure(error: GraphError) -> dict[str, Any]:
    """An error in place of an answer."""
    return {"schema": SCHEMA, "error": {"code": error.code, "message": error.message, "hint": error.hint}}


def plain(value: Any) -> Any:
    """Any value as dicts, lists, strings and numbers; a record without a shape of its own is told by its fields."""
    shape = _SHAPES.get(type(value))
    if shape is not None:
        return shape(value)
    if hasattr(value, "_fields"):
        return {key: plain(item) for key, item in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.line, "column": place.column}


def _symbol(symbol: SymbolInfo) -> dict[str, Any]:
    return {
        "name": symbol.name,
        "qualified": symbol.qualified,
        "kind": symbol.kind,
        "path": symbol.path,
        "line": symbol.line,
        "column": symbol.column,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "signature": symbol.signature,
        "language": symbol.language,
        "flags": list(symbol.flags),
        "places": [_place(place) for place in symbol.places],
    }


def _reference(reference: ReferenceInfo) -> dict[str, Any]:
    document = {
        "path": reference.path,
        "line": reference.line,
        "column": reference.column,
        "name": reference.name,
        "role": reference.role,
        "in": _symbol(reference.inside),
        "resolution": reference.resolution,
        "target": _symbol(reference.target) if reference.target else None,
        "candidates": [_symbol(candidate) for candidate in reference.candidates],
    }
    if reference.candidates_total > len(reference.candidates):
        document["candidates_total"] = reference.candidates_total
    if reference.rule:
        document["rule"] = reference.rule
    return document


def _edge(edge: CallEdge) -> dict[str, Any]:
    return {"symbol": _symbol(edge.symbol), "sites": [_reference(site) for site in edge.sites]}


def _impacted(impacted: Impacted) -> dict[str, Any]:
    via = impacted.via
    through = {key: getattr(via.symbol, key) for key in ("name", "qualified", "path", "line")}
    return _symbol(impacted.symbol) | {
        "depth": impacted.depth,
        "via": through | {"role": via.role, "site": _place(via.site)},
    }


def _step(step: Step) -> dict[str, Any]:
    site = _place(step.site) | {"resolution": step.resolution} if step.site else None
    return _symbol(step.symbol) | {"site": site}


def _ranked(ranked: Ranked) -> dict[str, Any]:
    return _symbol(ranked.symbol) | {"score": ranked.score}


def _unused(unused: Unused) -> dict[str, Any]:
    return _symbol(unused.symbol) | ({"reason": unused.reason} if unused.reason else {})


def _dependency(dependency: Dependency) -> dict[str, Any]:
    return {
        "path": dependency.path,
        "line": dependency.line,
        "target": dependency.target or None,
        "module": dependency.module,
        "deferred": dependency.deferred,
        "type_only": dependency.type_only,
    }


def _cycle(cycle: Cycle) -> dict[str, Any]:
    return {"paths": list(cycle.paths), "edges": [_dependency(edge) for edge in cycle.edges]}


_SHAPES: dict[type, Any] = {
    Place: _place,
    SymbolInfo: _symbol,
    ReferenceInfo: _reference,
    CallEdge: _edge,
    Impacted: _impacted,
    Step: _step,
    Ranked: _ranked,
    Unused: _unused,
    Dependency: _dependency,
    Cycle: _cycle,
}
