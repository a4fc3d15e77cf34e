"""What answers are made of: frozen values, ready to be rendered, free of views and engines.

Lines and columns are 1-based, columns count code points. Paths are relative to the worktree root; bytes that are not
UTF-8 are surrogate-escaped. Knows nothing of JSON and of terminals.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from git_graph.records import NamedTuple

DECLINED = ("ambiguous", "receiver-unknown")
"""Resolutions that name candidates without claiming one."""
MAX_CANDIDATES = 20
"""A site that could be any of thousands says how many, and names this many."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
NONE_DECLINED: Mapping[str, int] = MappingProxyType(dict.fromkeys(DECLINED, 0))


class Place(NamedTuple):
    """A point in a file."""

    path: str
    line: int
    column: int


class SymbolInfo(NamedTuple):
    """A definition as answers show it. `places` are the further places of the same symbol (prototypes, overloads)."""

    name: str
    qualified: str
    kind: str
    path: str
    line: int
    column: int
    start_line: int
    end_line: int
    signature: str
    language: str
    flags: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()


class ReferenceInfo(NamedTuple):
    """A use of a name and what it was found to be.

    `candidates` are at most MAX_CANDIDATES of `candidates_total`. `rule` is one line on what decided.
    """

    path: str
    line: int
    column: int
    name: str
    role: str
    inside: SymbolInfo
    resolution: str
    target: SymbolInfo | None = None
    candidates: tuple[SymbolInfo, ...] = ()
    candidates_total: int = 0
    rule: str = ""


class CallEdge(NamedTuple):
    """A caller (or callee) and the sites where it calls (is called)."""

    symbol: SymbolInfo
    sites: tuple[ReferenceInfo, ...]


class Via(NamedTuple):
    """How a walk reached a symbol: it refers to `symbol`, in `role`, at `site`."""

    symbol: SymbolInfo
    role: str
    site: Place


class Impacted(NamedTuple):
    """A symbol that may break, `depth` references away from what was asked about."""

    symbol: SymbolInfo
    depth: int
    via: Via


class Step(NamedTuple):
    """One symbol of a chain of calls, and the site in it that calls the next one (None in the last)."""

    symbol: SymbolInfo
    site: Place | None
    resolution: str


class Ranked(NamedTuple):
    """A symbol with its score."""

    symbol: SymbolInfo
    score: float


class Unused(NamedTuple):
    """A definition that nothing refers to. `reason` is why it would normally be left out, empty if it is not."""

    symbol: SymbolInfo
    reason: str = ""


class Dependency(NamedTuple):
    """A file that imports another. `target` is empty if the module is not in the view.

    `deferred`: the import runs when a function is called, not when the file is loaded. `type_only`: it is never run.
    """

    path: str
    line: int
    target: str
    module: str
    deferred: bool = False
    type_only: bool = False


class Cycle(NamedTuple):
    """Files that import each other: all of them, and one shortest way round."""

    paths: tuple[str, ...]
    edges: tuple[Dependency, ...]


class Answer(NamedTuple):
    """The answer to one question.

    `results` are at most the limit asked for, `total` is how many there are. `declined` counts the references that
    were not walked or claimed, by resolution. `found` is False if what the question names does not exist; `near`
    are names that are like it. `facts` are further fields that the command has.
    """

    command: str
    query: Mapping[str, Any]
    results: tuple[Any, ...] = ()
    total: int = 0
    truncated: bool = False
    definitions: tuple[SymbolInfo, ...] = ()
    definitions_total: int = 0
    declined: Mapping[str, int] = NONE_DECLINED
    warnings: tuple[str, ...] = ()
    found: bool = True
    near: tuple[str, ...] = ()
    facts: Mapping[str, Any] = NOTHING
