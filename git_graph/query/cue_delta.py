"""What has changed, as a cue: symbols as `diff` finds them, what others see of first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from git_graph.query.cue import DELTA, titled
from git_graph.query.cue_values import Cue, Section, Unit
from git_graph.query.describe import Describer
from git_graph.query.diff import Comparison, SymbolChange, symbol_changes

_FIRST = ("removed", "renamed", "moved", "signature", "added", "body")
"""What is told before what."""


def delta(comparison: Comparison, paths: Sequence[tuple[str, str]], query: dict[str, Any], more: str) -> Cue:
    """The files (path, what became of it) and symbols that differ; `more` is the command that tells all of it."""
    describers = Describer(comparison.old), Describer(comparison.new)
    found = [
        one for change in symbol_changes(comparison) if change.what != ("comments",) for one in _of_symbols(change)
    ]
    found.sort(key=lambda change: (_weight(change), _place(change)))
    files = tuple(Unit("", 0, {"path": path, "change": word}, f"{word} {path}") for path, word in paths)
    sections = (
        Section("files", "files", files, more=f"{more} --stat --limit 0"),
        Section("symbols", "symbols", tuple(_unit(describers, c) for c in found), more=f"{more} --limit 0", share=4.0),
    )
    notes = tuple(
        f"{path} could not be read, only signatures and references were compared" for path in comparison.unread[:1]
    )
    return Cue(DELTA, query, sections, notes)


def _of_symbols(change: SymbolChange) -> Iterable[SymbolChange]:
    """A change of a symbol; for that of a file, what came or went with it."""
    definition = change.new or change.old
    if definition is not None and definition.index:
        yield change
        return
    yield from (SymbolChange(change.change, (), member, None) for member in change.old_members)
    yield from (SymbolChange(change.change, (), None, member) for member in change.new_members)


def _place(change: SymbolChange) -> tuple[str, int]:
    definition = change.new or change.old
    assert definition is not None
    return definition


def _weight(change: SymbolChange) -> int:
    words = (change.change, *change.what)
    return min((_FIRST.index(word) for word in words if word in _FIRST), default=len(_FIRST))


def _unit(describers: tuple[Describer, Describer], change: SymbolChange) -> Unit:
    definition = change.new or change.old
    assert definition is not None
    symbol = describers[change.new is not None].symbol(definition)
    words = [change.change, *(word for word in change.what if word != change.change)]
    fields: dict[str, Any] = {
        "change": change.change,
        "line": symbol.line,
        "kind": symbol.kind,
        "name": symbol.qualified,
    }
    if change.what:
        fields["what"] = list(change.what)
    fields["signature"] = titled(symbol)
    text = f"{symbol.line} {', '.join(words)}: {titled(symbol)}"
    if change.old is not None and change.new is not None:
        old = describers[0].symbol(change.old)
        if (old.path, old.qualified) != (symbol.path, symbol.qualified):
            fields["was"] = {"path": old.path, "line": old.line, "name": old.qualified}
            text += f"  (was {old.qualified} in {old.path}:{old.line})"
        elif old.signature != symbol.signature:
            fields["was"] = {"signature": titled(old)}
            text += f"  (was {titled(old)})"
    return Unit(symbol.path, symbol.line, fields, text)
