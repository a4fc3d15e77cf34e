"""A slice at a path, with the look-up tables that resolving needs, each made when it is first asked for."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property

from git_graph.languages.policy import Policy
from git_graph.model import (
    EXTENT,
    KIND,
    LOCAL,
    NARROW,
    PARAMETER,
    RETURN,
    TYPE_PARAMETER,
    WRITE,
    Definition,
    ImportFlag,
    Slice,
)

CLASS_KINDS = frozenset(KIND[k] for k in ("class", "interface", "struct", "enum", "trait", "union"))
"""Stored kinds of symbols that are types with members."""
SPACE_KINDS = frozenset(KIND[k] for k in ("namespace", "package", "module"))
FUNCTION_KINDS = frozenset(KIND[k] for k in ("function", "method", "constructor", "macro"))
MACRO_KIND = KIND["macro"]
ALIAS_KIND = KIND["type_alias"]
FIELD_KIND = KIND["field"]
MEMBER_KINDS = frozenset(KIND[k] for k in ("method", "constructor", "field", "property"))
CONSTRUCTOR_KIND = KIND["constructor"]
PROPERTY_KIND = KIND["property"]
ENUM_KIND = KIND["enum"]
ENUM_MEMBER_KIND = KIND["enum_member"]

MAX_HEAD = 100
"""More lines than this above a name are not taken for its decorators."""
ASKED_ABOVE = 12
"""How many lines a condition may stand above what it defines, for that to be what it is about."""
LOCALS = frozenset((PARAMETER, LOCAL, NARROW, TYPE_PARAMETER))
"""Kinds of bindings that a function's scope holds."""


class File:
    """One path of the view."""

    def __init__(self, path: str, slice_: Slice, policy: Policy) -> None:
        self.path = path
        self.slice = slice_
        self.language = slice_.language
        self.policy = policy
        self._symbols: dict[str, list[int]] = {}
        self._imports: dict[str, list[int]] = {}
        self._bindings: dict[str, list[int]] = {}
        self._at_top: dict[str, bool] = {}
        self._locals: dict[str, dict[int, list[int]]] = {}

    # symbols

    @cached_property
    def texts(self) -> dict[str, int]:
        """String -> its index in the slice's table."""
        strings = self.slice.strings
        return dict(zip(strings, range(len(strings)), strict=True))

    def rows(self, column: list[int], name: str) -> list[int]:
        """The rows of a column of names where `name` stands. Columns are searched, not indexed: few names are asked."""
        text = self.texts.get(name)
        found: list[int] = []
        if text is not None:
            at = -1
            with suppress(ValueError):
                while True:
                    at = column.index(text, at + 1)
                    found.append(at)
        return found

    def symbols_of(self, name: str) -> list[int]:
        """The symbols of a name, the module left out."""
        found = self._symbols.get(name)
        if found is None:
            found = self._symbols[name] = [i for i in self.rows(self.slice.symbols.name, name) if i]
        return found

    @cached_property
    def opened(self) -> frozenset[int]:
        """Enumerations whose members are seen in the scope around them too."""
        if not self.policy.opens_types:
            return frozenset()
        kinds = self.slice.symbols.kind
        return frozenset(i for i, k in enumerate(kinds) if k == ENUM_KIND and self.policy.opens(self.slice, i))

    def owned(self, name: str) -> list[int]:
        """The symbols of a name that belong to a type which does not contain them."""
        owner = self.slice.symbols.owner
        return [i for i in self.symbols_of(name) if owner[i]]

    @cached_property
    def heads(self) -> dict[int, list[int]]:
        """Line -> symbols that begin there or before and are named below it (decorators, attributes)."""
        s = self.slice.symbols
        table: dict[int, list[int]] = {}
        for index, (first, line) in enumerate(zip(s.start_line, s.line, strict=True)):
            for above in range(first, min(line, first + MAX_HEAD)):
                table.setdefault(above, []).append(index)
        return table

    @cached_property
    def holders(self) -> frozenset[int]:
        """Symbols that are no types and hold members all the same, where the language has such."""
        if not self.policy.holders:
            return frozenset()
        s = self.slice.symbols
        members = (s.parent[index] for index, kind in enumerate(s.kind) if kind in MEMBER_KINDS)
        return frozenset(p for p in members if p > 0 and s.kind[p] not in CLASS_KINDS | SPACE_KINDS)

    def only_at_top(self, name: str) -> bool:
        """Whether no scope inside the file binds a name, so that it means the same everywhere in it."""
        found = self._at_top.get(name)
        if found is None:
            policy, slice_ = self.policy, self.slice
            parents, scopes = slice_.symbols.parent, slice_.imports.symbol
            found = not (policy.implicit_self or policy.merges_namespaces or self.opened)
            found = found and not any(parents[i] for i in self.symbols_of(name))
            found = found and not any(scopes[i] for i in self._binding_imports(name)) and not any(self.stars)
            self._at_top[name] = found
        return found

    @cached_property
    def extents(self) -> dict[int, tuple[int, int]]:
        """Symbol -> the lines that see it, of those that only a function without a name holds."""
        b = self.slice.bindings
        table: dict[int, tuple[int, int]] = {}
        for row, kind in enumerate(b.kind) if EXTENT in b.kind else ():
            if kind == EXTENT:
                extent = b.line[row], b.end_line[row]
                table[b.symbol[row]] = max(extent, table.get(b.symbol[row], extent))
        return table

    def confined(self, name: str) -> bool:
        """Whether a symbol of a name is not seen in all of what contains it."""
        return bool(self.extents) and any(i in self.extents for i in self.symbols_of(name))

    def named(self, container: int, name: str, line: int = 0) -> list[int]:
        """The symbols `name` directly in symbol `container`, as seen from a line; none with an owner elsewhere.

        From no line (0), what is seen in all of the container goes before what is not.
        """
        found = self._named(container, name)
        if not found or not self.extents or not any(i in self.extents for i in found):
            return found
        inside = [i for i in found if i in self.extents and self.extents[i][0] <= line <= self.extents[i][1]]
        if inside:
            closest = max(self.extents[i] for i in inside)
            return [i for i in inside if self.extents[i] == closest]
        return [i for i in found if i not in self.extents] or ([] if line else found)

    def _named(self, container: int, name: str) -> list[int]:
        symbols = self.symbols_of(name)
        if not symbols:
            return symbols
        parent, owner = self.slice.symbols.parent, self.slice.symbols.owner
        opened = self.opened
        return [
            i
            for i in symbols
            if not owner[i] and (parent[i] == container or (parent[i] in opened and parent[parent[i]] == container))
        ]

    def asked_before(self, index: int) -> bool:
        """Whether a condition asks for the name of symbol `index` above the first that has it: `#ifndef X`."""
        r, s, name = self.slice.references, self.slice.symbols, self.name_of(index)
        first = min(s.line[i] for i in self.symbols_of(name))
        asked = (row for row in self.rows(r.name, name) if not r.symbol[row])
        return any(0 < first - r.line[row] <= ASKED_ABOVE for row in asked)

    @cached_property
    def undone(self) -> dict[str, list[int]]:
        """Macro -> the lines from which a file does without it (`#undef`): what no symbol writes."""
        r, strings = self.slice.references, self.slice.strings
        table: dict[str, list[int]] = {}
        for name, line, role, symbol in zip(r.name, r.line, r.role, r.symbol, strict=True):
            if role == WRITE and not symbol:
                table.setdefault(strings[name], []).append(line)
        return table

    def definitions(self, indices: list[int]) -> tuple[Definition, ...]:
        """Symbol indices of this file as definitions."""
        return tuple(Definition(self.path, index) for index in indices)

    def name_of(self, index: int) -> str:
        """The name of symbol `index`."""
        return self.slice.strings[self.slice.symbols.name[index]]

    def constructs(self, index: int) -> bool:
        """Whether symbol `index` is a constructor that is named as its class."""
        return self.slice.symbols.kind[index] == CONSTRUCTOR_KIND

    # imports

    def imports(self, scope: int, name: str) -> list[int]:
        """The imports that bind a name in a scope, by their local name or the first component of a dotted one."""
        found = self._binding_imports(name)
        symbol = self.slice.imports.symbol
        return [row for row in found if symbol[row] == scope] if found else found

    def _binding_imports(self, name: str) -> list[int]:
        found = self._imports.get(name)
        if found is None:
            rows = self.rows(self.slice.imports.local, name) + self.dotted.get(name, [])
            found = self._imports[name] = sorted(rows) if name else []
        return found

    @cached_property
    def dotted(self) -> dict[str, list[int]]:
        """First component -> imports of dotted modules that bind it."""
        i, strings = self.slice.imports, self.slice.strings
        table: dict[str, list[int]] = {}
        for index, local in enumerate(i.local):
            if "." in strings[local] and (bound := self._bound(strings[local], index)) != strings[local]:
                table.setdefault(bound, []).append(index)
        return table

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

    def bindings(self, name: str) -> list[int]:
        """The bindings of a name, in the order of their lines."""
        found = self._bindings.get(name)
        if found is None:
            found = self._bindings[name] = self.rows(self.slice.bindings.name, name)
        return found

    def locals(self, name: str) -> dict[int, list[int]]:
        """Scope -> the bindings there that make a name a parameter or local, or narrow it."""
        found = self._locals.get(name)
        if found is None:
            found = self._locals[name] = {}
            b = self.slice.bindings
            for row in self.bindings(name):
                if b.kind[row] in LOCALS:
                    found.setdefault(b.symbol[row], []).append(row)
        return found

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
        return NARROW in b.kind and any(kind == NARROW and "." in strings[b.name[i]] for i, kind in enumerate(b.kind))
