"""Why a reference was attributed as it was, in one line: the scope, the chain of imports, the type of the receiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.model import IMPORT, NONE, SELF, SUPER, Definition, Resolution
from git_graph.resolve.files import File
from git_graph.resolve.values import (
    FUNCTION,
    INSTANCE,
    MODULE,
    OUTSIDE,
    OUTSIDE_TYPE,
    TYPE_ITSELF,
    VARIABLE_TYPE,
    Value,
)

if TYPE_CHECKING:
    from git_graph.resolve.world import World

MAX_HOPS = 12
"""Imports followed in one chain."""
MAX_TYPES = 4
"""Types of a receiver that are named."""


class Explaining:
    """Resolutions in words."""

    def __init__(self, world: World) -> None:
        self.world = world

    def explain(self, file: File, index: int, resolution: Resolution) -> str:
        """One line on what led from a reference to its resolution."""
        r = file.slice.references
        name, receiver = file.slice.strings[r.name[index]], r.receiver[index]
        if r.role[index] == IMPORT or receiver == NONE:
            how = self._bare(file, name, index)
        else:
            how = self._member(file, receiver, r.symbol[index], r.line[index], resolution)
        return f"{resolution.rule}: {how}" if how else resolution.rule

    def _bare(self, file: File, name: str, site: int) -> str:
        """Where a bare name is bound, and the imports from there on."""
        r = file.slice.references
        symbol, line = r.symbol[site], r.line[site]
        importing = r.role[site] == IMPORT
        row = self._import_at(file, site) if importing else self._import_of(file, name, symbol, line)
        if row is None:
            named = self.world.scopes.bare(file, name, symbol, line=line)
            return ", ".join(self._place(d) for d in named.definitions[:MAX_TYPES])
        chain: list[str] = []
        current = file
        while row is not None and len(chain) < MAX_HOPS:
            item = current.slice.import_(row)
            chain.append(f"{current.path}:{item.line} imports {item.name or item.module}")
            files = self.world.modules.of_import(current, row)
            following = self.world.file(files[0]) if files else None
            if following is None or not item.name:
                break
            current, row = following, self._import_of(following, item.name, 0, 0)
        return ", ".join(chain)

    def _import_at(self, file: File, site: int) -> int | None:
        r = file.slice.references
        return next(iter(file.import_places.get((r.line[site], r.column[site]), ())), None)

    def _import_of(self, file: File, name: str, symbol: int, line: int) -> int | None:
        """The import that binds a name in a symbol or around it, unless a definition there does."""
        while symbol >= 0:
            if file.named(symbol, name, line):
                return None
            if found := file.imports(symbol, name):
                return found[-1]
            symbol = file.slice.symbols.parent[symbol]
        return None

    def _member(self, file: File, receiver: int, symbol: int, line: int, resolution: Resolution) -> str:
        owner = self.world.classes.owner(file, symbol)
        if receiver in (SELF, SUPER):
            if owner is None:
                return ""
            text = "a base of" if receiver == SUPER else "its own class"
            return f"{text} {self._qualified(owner)}{self._inherited(owner, resolution)}"
        values = self.world.types.evaluate(file, receiver, symbol, line)
        if not values:
            return file.slice.render(receiver)
        types = ", ".join(dict.fromkeys(self._value(value) for value in values[:MAX_TYPES]))
        inherited = self._inherited(values[0].definition, resolution)
        return f"{file.slice.render(receiver)} is {types}{inherited}"

    def _inherited(self, owner: Definition | None, resolution: Resolution) -> str:
        """The class that gives the member, if it is not the receiver's own."""
        if owner is None or resolution.target is None:
            return ""
        file = self.world.at(resolution.target)
        giver = self.world.classes.owner(file, file.slice.symbols.parent[resolution.target.index])
        return "" if giver in (None, owner) else f", which has it from {self._qualified(giver)}"

    def _value(self, value: Value) -> str:
        if value.kind == MODULE:
            return f"module {value.files[0]}" if value.files else f"{value.name}, outside of the view"
        if value.kind in (OUTSIDE, OUTSIDE_TYPE):
            return f"{value.name}, outside of the view"
        if value.definition is None:
            return "unknown"
        words = {TYPE_ITSELF: "the type ", INSTANCE: "", FUNCTION: "the function ", VARIABLE_TYPE: ""}
        return f"{words.get(value.kind, '')}{self._qualified(value.definition)} ({self._place(value.definition)})"

    def _qualified(self, definition: Definition | None) -> str:
        if definition is None:
            return "nothing"
        return ".".join(self.world.at(definition).slice.parts(definition.index)) or definition.path

    def _place(self, definition: Definition) -> str:
        return f"{definition.path}:{self.world.at(definition).slice.symbols.line[definition.index]}"
