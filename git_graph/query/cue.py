"""What is worth reading: around a focus (`ranked`), and what that rests on (`provenance`).

Draws the whole cue up; how much of it is shown is decided by the budget (`cue_fit`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from git_graph.model import Definition
from git_graph.query.cue_fit import BYTES, SHORT
from git_graph.query.cue_focus import Focus
from git_graph.query.cue_rank import NEAR, USED, USES, Neighbourhood, neighbourhood
from git_graph.query.cue_values import Cue, Section, Unit
from git_graph.query.describe import Describer
from git_graph.query.values import SymbolInfo
from git_graph.resolve import Resolver

RANKED, OVERVIEW, DELTA, PROVENANCE = "ranked", "overview", "delta", "provenance"
SHOWN = (RANKED, OVERVIEW, DELTA, PROVENANCE)
LONGEST = 160
"""Longer signatures end with an ellipsis."""
FOCUS_SHARE, RELATED_SHARE = 1.0, 8.0
RELATED = "related, best first (< uses the focus, > is used by it)"
NAMED = 5
"""So many names are named in a note."""
CHANGED = "changed"
MARKS = {CHANGED: "*", USES: "<", USED: ">"}
"""What stands before the line of a symbol, for how it stands to the focus."""


def ranked(resolver: Resolver, about: Focus, query: dict[str, Any], budget: int = 0) -> Cue:
    """The definitions in the focus, and those near to it, best first; no more than a budget (0: no end) could show."""
    near = neighbourhood(resolver, about.weights, frozenset(about.files))
    describer = Describer(resolver)
    seeds = [definition for definition in near.seeds if definition.index]
    own = _made((_own(describer, definition, about) for definition in seeds), budget)
    related = _made(
        (
            _unit(describer.symbol(row.definition), row.relation, describer.symbol(row.via) if row.via else None)
            for row in near.related
        ),
        budget,
    )
    title = "focus (* changed)" if about.changed else "focus"
    sections = (
        Section("focus", title, own, share=FOCUS_SHARE, made_of=len(seeds)),
        Section("related", RELATED, related, share=RELATED_SHARE, made_of=len(near.related)),
    )
    return Cue(RANKED, query, sections, (*about.notes, *_common(near)))


def _made(units: Iterable[Unit], budget: int) -> tuple[Unit, ...]:
    """As many units as a budget could show at the very most."""
    made, room = [], budget * BYTES
    for unit in units:
        made.append(unit)
        room -= len(unit.brief) + 2
        if budget and room < 0 and len(made) > SHORT:
            break
    return tuple(made)


def _common(near: Neighbourhood) -> Iterable[str]:
    if near.common:
        named, more = ", ".join(near.common[:NAMED]), len(near.common) - NAMED
        rest = f" and {more} more" if more > 0 else ""
        yield f"uses of {named}{rest} are too many to follow: git graph references {near.common[0]}"


def _own(describer: Describer, definition: Definition, about: Focus) -> Unit:
    return _unit(describer.symbol(definition), CHANGED if definition in about.changed else "", None)


def _unit(symbol: SymbolInfo, relation: str, via: SymbolInfo | None) -> Unit:
    unit = symbol_unit(symbol, mark=MARKS.get(relation, ""))
    more: dict[str, Any] = {}
    if relation and relation != NEAR:
        more["relation"] = relation
    if via is not None:
        more["of"] = via.qualified
    return unit._replace(fields={**unit.fields, **more})


def symbol_unit(symbol: SymbolInfo, mark: str = "", behind: str = "") -> Unit:
    """A symbol as a line: its place and signature, with `mark` before and `behind` after that."""
    signature = titled(symbol)
    fields: dict[str, Any] = {"line": symbol.line, "kind": symbol.kind, "name": symbol.qualified}
    if signature != symbol.name:
        fields["signature"] = signature
    around = symbol.qualified[: -len(symbol.name)].rstrip(".")
    text, brief = (f"{mark}{symbol.line} {words}{behind}" for words in (signature, short(symbol)))
    return Unit(symbol.path, symbol.line, fields, text, symbol.qualified, around, brief)


def short(symbol: SymbolInfo) -> str:
    """The signature, cut if it is very long."""
    signature = symbol.signature or f"{symbol.kind} {symbol.name}"
    return signature if len(signature) <= LONGEST else f"{signature[: LONGEST - 1].rstrip()}\u2026"


def titled(symbol: SymbolInfo) -> str:
    """The same with what the symbol stands in put before its name, where the signature does not say that."""
    signature = short(symbol)
    around = symbol.qualified[: -len(symbol.name)].rstrip(".")
    last = around.rpartition(".")[2]
    if not last or _word(signature, last) >= 0:
        return signature
    at = _word(signature, symbol.name)
    return f"{signature[:at]}{last}.{signature[at:]}" if at >= 0 else f"{symbol.qualified}: {signature}"


def _word(text: str, word: str) -> int:
    """Where a word stands in a text, as a whole; -1 if it does not."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_joins(text[at - 1 : at]) or _joins(text[end : end + 1])):
            return at
        at = text.find(word, at + 1)
    return -1


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"


def provenance(resolver: Resolver, about: Focus, query: dict[str, Any], size: Callable[[str, str], int | None]) -> Cue:
    """The files that the ranked answer about the same focus rests on: content ids and sizes in bytes (None: not known).

    `size` is asked for a path and its content id.
    """
    near = neighbourhood(resolver, about.weights, frozenset(about.files))
    sections = (
        Section("focus", "files of the focus", _files(resolver, sorted({d.path for d in near.seeds}), size)),
        Section("related", "files around it", _files(resolver, _paths(near, about), size), share=2.0),
    )
    return Cue(PROVENANCE, query, sections, about.notes)


def _paths(near: Neighbourhood, about: Focus) -> list[str]:
    """The files of what is related, best first."""
    focus = {definition.path for definition in about.weights}
    return [path for path in dict.fromkeys(row.definition.path for row in near.related) if path not in focus]


def _files(resolver: Resolver, paths: Sequence[str], size: Callable[[str, str], int | None]) -> tuple[Unit, ...]:
    units = []
    for path in paths:
        slice_ = resolver.view.slice(path)
        if slice_ is None:
            continue
        number = size(path, slice_.source)
        fields = {"path": path, "content": slice_.source, "bytes": number, "language": slice_.language}
        text = f"{slice_.source} {'?' if number is None else number} {path}"
        units.append(Unit("", 0, fields, text))
    return tuple(units)
