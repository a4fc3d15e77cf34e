"""What a question is about: the definitions that a SYMBOL names.

Knows nothing of what is asked about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from git_graph.model import Definition
from git_graph.query.describe import Describer
from git_graph.query.values import NONE_DECLINED, NOTHING, Answer
from git_graph.records import NamedTuple
from git_graph.resolve import Resolver


class Subject(NamedTuple):
    """The definitions that a SYMBOL names, one a group; none and names like it (`near`) if there is none."""

    text: str
    definitions: tuple[Definition, ...]
    near: tuple[str, ...] = ()


def subject(describer: Describer, text: str) -> Subject:
    """Find what a SYMBOL names."""
    resolver = describer.resolver
    if found := resolver.lookup(text):
        describer.asked |= frozenset(found)
        return Subject(text, tuple(found))
    return Subject(text, (), tuple(resolver.near(text)))


def near_paths(resolver: Resolver, path: str) -> tuple[str, ...]:
    """Paths of the view that are like one that it does not have."""
    return tuple(resolver.near(path if "/" in path else f"/{path}"))


def answer(
    command: str,
    query: Mapping[str, Any],
    describer: Describer,
    wanted: Subject,
    results: Sequence[Any],
    total: int,
    limit: int,
    declined: Mapping[str, int] = NONE_DECLINED,
    facts: Mapping[str, Any] = NOTHING,
) -> Answer:
    """An answer about a subject that exists; `limit` (0: none) is the one that `results` were cut at."""
    return Answer(
        command,
        query,
        tuple(results),
        total,
        truncated=bool(limit) and total > limit,
        definitions=describer.symbols(wanted.definitions, limit),
        definitions_total=len(wanted.definitions),
        declined=declined,
        facts=facts,
    )


def missing(command: str, query: Mapping[str, Any], wanted: Subject) -> Answer:
    """The answer to a question about nothing that exists."""
    return Answer(command, query, found=False, near=wanted.near, facts={"missing": wanted.text})
