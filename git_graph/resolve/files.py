"""A slice at a path, with the look-up tables that resolving needs, each made when it is first asked for."""

from __future__ import annotations

from functools import cached_property

from git_graph.languages.policy import Policy
from git_graph.model import KIND, NARROW, RETURN, Definition, ImportFlag, Slice

CLASS_KINDS = frozenset(KIND[k] for k in ("class", "interface", "struct", "enum", "trait", "union"))
"""Stored kinds of symbols that are types with members."""
SPACE_KINDS = frozenset(KIND[k] for k in ("namespace", "package", "module"))
FUNCTION_KINDS = frozenset(KIND[k] for k in ("function", "method", "constructor", "macro"))
ALIAS_KIND = KIND["type_alias"]
FIELD_KIND = KIND["field"]
MEMBER_KINDS = frozenset(KIND[k] for k in ("method", "constructor", "field", "property"))
PROPERTY_KIND = KIND["property"]
ENUM_KIND = KIND["enum"]
ENUM_MEMBER_KIND = KIND["enum_member"]

_NONE: dict[str, list[int]] = {}


class File:
    """One path of the view."""

    def __init__(self, path: str, slice_: Slice, policy: Policy) -> None:
        self.path = path
        self.slice = slice_
        self.language = slice_.language
        self.policy = policy

    # symbols

    @cached_property
    def members(self) -> dict[int, dict[str, list[int]]]:
        """Container -> name -> the symbols of that name directly in it; those with an owner elsewhere left out."""
        s, strings = self.slice.symbols, self.slice.strings
        tables: dict[int, dict[str, list[int]]] = {}
        for index, (parent, name, owner) in enumerate(zip(s.parent, s.name, s.owner, strict=True)):
            if index and not owner:
                tables.setdefault(parent, {}).setdefault(strings[name], []).append(index)
                if parent in self.opened:
                    tables.setdefault(s.parent[parent], {}).setdefault(strings[name], []).append(index)
        return tables

    @cached_property
    def opened(self) -> frozenset[int]:
        """Enumerations whose members are seen in the scope around them too."""
        if not self.policy.opens_types:
            return frozenset()
        kinds = self.slice.symbols.kind
        return frozenset(i for i, k in enumerate(kinds) if k == ENUM_KIND and self.policy.opens(self.slice, i))

    @cached_property
    def owned(self) -> dict[str, list[int]]:
        """Name -> the symbols of that name that belong to a type which does not contain them."""
        s, strings = self.slice.symbols, self.slice.strings
        table: dict[str, list[int]] = {}
        for index, owner in enumerate(s.owner):
            if owner:
                table.setdefault(strings[s.name[index]], []).append(index)
        return table

    @cached_property
    def holders(self) -> frozenset[int]:
        """Symbols that are no types and hold members all the same, where the language has such."""
        if not self.policy.holders:
            return frozenset()
        s = self.slice.symbols
        members = (s.parent[index] for index, kind in enumerate(s.kind) if kind in MEMBER_KINDS)
        return frozenset(p for p in members if p > 0 and s.kind[p] not in CLASS_KINDS | SPACE_KINDS)

    def named(self, parent: int, name: str) -> list[int]:
        """The symbols `name` directly in symbol `parent`."""
        return self.members.get(parent, _NONE).get(name) or []

    def definitions(self, indices: list[int]) -> tuple[Definition, ...]:
        """Symbol indices of this file as definitions."""
        return tuple(Definition(self.path, index) for index in indices)

    def name_of(self, index: int) -> str:
        """The name of symbol `index`."""
        return self.slice.strings[self.slice.symbols.name[index]]

    def parts(self, index: int) -> tuple[str, ...]:
        """The enclosing symbols, owners included, and the name of symbol `index`; empty for the module."""
        s, strings = self.slice.symbols, self.slice.strings
        found: list[str] = []
        while index > 0:
            found.append(strings[s.name[index]])
            if s.owner[index]:
                found.append(strings[s.owner[index]])
            index = s.parent[index]
        return tuple(reversed(found))

    # imports

    @cached_property
    def imports(self) -> dict[int, dict[str, list[int]]]:
        """Scope -> local name (the first component of a dotted one) -> imports that bind it there."""
        i, strings = self.slice.imports, self.slice.strings
        tables: dict[int, dict[str, list[int]]] = {}
        for index, (scope, local) in enumerate(zip(i.symbol, i.local, strict=True)):
            if local:
                tables.setdefault(scope, {}).setdefault(self._bound(strings[local], index), []).append(index)
        return tables

    def _bound(self, local: str, index: int) -> str:
        if "." in local and self.policy.import_binds_module_root(self.slice.import_(index)):
            return local.partition(".")[0]
        return local

    @cached_property
    def import_places(self) -> dict[tuple[int, int], list[int]]:
        """Line and column of the imported name -> imports."""
        i = self.slice.imports
        places: dict[tuple[int, int], list[int]] = {}
        for index, place in enumerate(zip(i.line, i.column, strict=True)):
            places.setdefault(place, []).append(index)
        return places

    @cached_property
    def stars(self) -> dict[int, list[int]]:
        """Scope -> imports of all names there."""
        i, strings = self.slice.imports, self.slice.strings
        tables: dict[int, list[int]] = {}
        for index, name in enumerate(i.name):
            if strings[name] == "*" and strings[i.local[index]] in ("", "*"):
                tables.setdefault(i.symbol[index], []).append(index)
        return tables

    def reexports(self, index: int) -> bool:
        """Whether import `index` offers what it imports to the importers of this file."""
        return bool(self.slice.imports.flags[index] & ImportFlag.REEXPORT)

    # bindings

    @cached_property
    def bindings(self) -> dict[str, list[int]]:
        """Name -> bindings of it, in the order in which they were recorded."""
        b, strings = self.slice.bindings, self.slice.strings
        table: dict[str, list[int]] = {}
        for index, name in enumerate(b.name):
            table.setdefault(strings[name], []).append(index)
        return table

    @cached_property
    def returned(self) -> dict[int, list[int]]:
        """Function -> its bindings of kind return."""
        b = self.slice.bindings
        table: dict[int, list[int]] = {}
        for index, kind in enumerate(b.kind):
            if kind == RETURN:
                table.setdefault(b.symbol[index], []).append(index)
        return table

    @cached_property
    def narrows_paths(self) -> bool:
        """Whether a binding narrows something longer than a bare name (`self.x`)."""
        b, strings = self.slice.bindings, self.slice.strings
        return any(kind == NARROW and "." in strings[b.name[i]] for i, kind in enumerate(b.kind))
