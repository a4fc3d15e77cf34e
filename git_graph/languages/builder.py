"""Collects what a walk over one file finds and makes the slice of it.

The builder interns names and expressions in the order in which the walk meets them, which is a function of the bytes
alone, so the same bytes give the same slice in every process. It also decides, by the lexical scopes that the walk
declares, which bare names are parameters or locals: those refer to no symbol and are left out of the references.
Knows nothing of tree-sitter.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from git_graph.model import (
    CALL,
    DECORATE,
    FIRST_EXPRESSION,
    INSTANTIATE,
    KIND,
    NONE,
    OPAQUE,
    X_ANNOTATION,
    X_ATTRIBUTE,
    X_LITERAL,
    X_NAME,
    BindingColumns,
    Slice,
)
from git_graph.records import Record, field

MAX_TEXT = 200
"""Longest signature, doc line or annotation that is kept, in characters."""

_CALLED = frozenset((CALL, INSTANTIATE, DECORATE))
MAX_CHAIN = 200
"""An expression of more parts than this (a chain that a program wrote) is opaque from there on."""


class Scope(Record):
    """A lexical scope: the names that are local in it, and from which byte on.

    `symbols` are names that stand for symbols or imports: the search for a local stops at them. A `class_` scope is
    not seen from the functions inside it unless the language says so (`open_class`).
    """

    parent: Scope | None
    symbol: int
    end_line: int
    class_: bool = False
    open_class: bool = False
    locals: dict[str, int] = field(factory=dict)
    symbols: set[str] = field(factory=set)
    __eq__ = object.__eq__  # one scope is never another
    __hash__ = object.__hash__  # type: ignore[assignment]


class Builder:
    """Columns under construction. All lines and columns given are 1-based."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        last_line = source.count(b"\n") + (not source.endswith(b"\n")) or 1
        self.slice = Slice("", "", "")
        self._strings: dict[str, int] = {"": 0}
        self._expressions: dict[tuple[int, int, str], int] = {}
        self.references: list[tuple[int, str, int, int, int, Scope]] = []
        """Start, name, role, receiver, enclosing symbol and scope of each; `reference` adds to it, and so do the
        handlers that a walk calls most."""
        self.arguments: dict[int, int] = {}
        """Where a name that is called ends -> one more than the number of arguments that it is given."""
        self._bindings: list[tuple[int, int, int, int, int, int]] = []
        self._depths: list[int] = []
        """How many expressions each expression is made of."""
        self.name_cache: dict[bytes, tuple[str, int]] = {}
        """Name and expression of each bare name met, by its bytes."""
        self.scope = Scope(None, 0, last_line)
        self._symbol_names: dict[tuple[int, str], int] = {}
        self.symbol("", "module", 1, last_line, 1, 1, parent=-1)

    # tables

    def string(self, text: str) -> int:
        """Index of `text` in the string table, whose separator NUL is shown as U+FFFD in it."""
        found = self._strings.get(text)
        if found is None:
            if "\0" in text:
                return self.string(text.replace("\0", "\ufffd"))
            found = self._strings[text] = len(self._strings)
            self.slice.strings.append(text)
        return found

    def expression(self, kind: int, of: int = 0, text: str = "") -> int:
        """Index of an expression; see model.Expression for what its operands mean."""
        key = (kind, of, text)
        found = self._expressions.get(key)
        if found is None:
            depth = self._depths[of - FIRST_EXPRESSION] + 1 if of >= FIRST_EXPRESSION else 1
            if depth > MAX_CHAIN:
                return OPAQUE
            self._depths.append(depth)
            found = self._expressions[key] = FIRST_EXPRESSION + len(self._depths) - 1
            table = self.slice.expressions
            table.kind.append(kind)
            table.of.append(of)
            table.text.append(self.string(text))
        return found

    def name(self, text: str) -> int:
        """The expression that is a bare name."""
        return self.expression(X_NAME, 0, text)

    def bare_name(self, word: bytes) -> tuple[str, int]:
        """The name that `word` spells, and the expression that it is."""
        found = self.name_cache.get(word)
        if found is None:
            name = word.decode("utf-8", "surrogateescape")
            found = self.name_cache[word] = (name, self.expression(X_NAME, 0, name))
        return found

    def attribute(self, of: int, text: str) -> int:
        """The expression `of.text`."""
        return self.expression(X_ATTRIBUTE, of, text)

    def annotation(self, text: str) -> int:
        """A type as written, white space folded."""
        return self.expression(X_ANNOTATION, 0, one_line(text))

    def literal(self, type_: str) -> int:
        """A literal of the language's own type `type_`."""
        return self.expression(X_LITERAL, 0, type_)

    # records

    def symbol(
        self,
        name: str,
        kind: str,
        start_line: int,
        end_line: int,
        line: int,
        column: int,
        *,
        parent: int | None = None,
        signature: str = "",
        doc: str = "",
        flags: int = 0,
        bases: Iterable[str] = (),
        returns: str = "",
        owner: str = "",
    ) -> int:
        """Add a definition and return its index; `parent` defaults to the symbol of the present scope.

        What has no name (the grammar put in what was missing) is no definition: what stands in it stands in its parent.
        """
        s = self.slice.symbols
        index = len(s.name)
        container = self.scope.symbol if parent is None else parent
        if not name and index:
            return container
        s.name.append(self.string(name))
        s.kind.append(KIND[kind])
        s.start_line.append(start_line)
        s.end_line.append(max(end_line, start_line))
        s.line.append(line)
        s.column.append(column)
        s.parent.append(container)
        s.signature.append(self.string(one_line(signature)))
        s.doc.append(self.string(one_line(doc)))
        s.flags.append(int(flags))
        s.bases.append([self.string(one_line(base)) for base in bases] if bases else [])
        s.returns.append(self.string(one_line(returns)))
        s.owner.append(self.string(one_line(owner)))
        self._symbol_names.setdefault((container, name), index)
        return index

    def find(self, parent: int, name: str) -> int | None:
        """The first symbol `name` directly in symbol `parent`, if there is one yet."""
        return self._symbol_names.get((parent, name))

    def flag(self, symbol: int, flags: int) -> None:
        """Add flags to a symbol that exists (an export statement after the definition, say)."""
        self.slice.symbols.flags[symbol] |= int(flags)

    def reference(self, name: str, role: int, start: int, receiver: int = NONE, symbol: int | None = None) -> None:
        """Add a use of the name that stands at byte `start`.

        Without a receiver it is a bare name, and is dropped if a scope holds it as a local.
        """
        scope = self.scope
        self.references.append((start, name, role, receiver, scope.symbol if symbol is None else symbol, scope))

    def import_(
        self, local: str, module: str, name: str, line: int, column: int, *, depth: int = 0, flags: int = 0
    ) -> None:
        """Add an import in the present scope; see model.Import."""
        i = self.slice.imports
        i.local.append(self.string(local))
        i.module.append(self.string(module))
        i.name.append(self.string(name))
        i.depth.append(depth)
        i.line.append(line)
        i.column.append(column)
        i.symbol.append(self.scope.symbol)
        i.flags.append(int(flags))
        if local:
            self.scope.symbols.add(local.split(".", 1)[0])

    def binding(
        self, name: str, kind: int, value: int, line: int, end_line: int | None = None, symbol: int | None = None
    ) -> None:
        """Add a binding; it holds to the end of the present scope unless `end_line` says otherwise."""
        scope = self.scope
        last = scope.end_line if end_line is None else end_line
        self._bindings.append(
            (
                self.string(name),
                kind,
                scope.symbol if symbol is None else symbol,
                line,
                last if last > line else line,
                value,
            )
        )

    # scopes

    def enter(self, symbol: int, end_line: int, *, class_: bool = False, open_class: bool = False) -> Scope:
        """Open a scope inside the present one; give it to `leave` when done."""
        self.scope = Scope(self.scope, symbol, end_line, class_, open_class)
        return self.scope

    def leave(self, scope: Scope) -> None:
        """Close `scope`."""
        assert scope.parent is not None
        self.scope = scope.parent

    def local(self, name: str, start: int = 0) -> None:
        """Say that the present scope holds `name` as a parameter or local, from byte `start` on."""
        known = self.scope.locals.get(name)
        if known is None or start < known:
            self.scope.locals[name] = start

    # result

    def finish(self, source_id: str, language: str, fingerprint: str) -> Slice:
        """The slice: references in the order of their places, those of locals left out."""
        result = self.slice
        result.source, result.language, result.fingerprint = source_id, language, fingerprint
        kept = [r for r in self.references if r[1] and (r[3] or not _is_local(r[5], r[1], r[0]))]
        kept.sort(key=itemgetter(0))
        if self._bindings:
            result.bindings = BindingColumns(*map(list, zip(*self._bindings, strict=True)))
        columns = result.references
        columns.name = list(map(self.string, map(itemgetter(1), kept)))
        columns.role = list(map(itemgetter(2), kept))
        columns.receiver = list(map(itemgetter(3), kept))
        columns.symbol = list(map(itemgetter(4), kept))
        columns.arguments = self._given(kept)
        columns.line, columns.column = self._places(map(itemgetter(0), kept))
        return result

    def _given(self, kept: list[tuple[int, str, int, int, int, Scope]]) -> list[int]:
        """The arguments of each reference."""
        given = self.arguments
        if not given:
            return [0] * len(kept)
        if self.source.isascii():
            return [given.get(r[0] + len(r[1]), 0) if r[2] in _CALLED else 0 for r in kept]
        return [
            given.get(r[0] + len(r[1].encode("utf-8", "surrogateescape")), 0) if r[2] in _CALLED else 0 for r in kept
        ]

    def _places(self, starts: Iterable[int]) -> tuple[list[int], list[int]]:
        """Lines and columns of ascending byte offsets."""
        lines, columns, source = [], [], self.source
        ascii_, line, first, following = source.isascii(), 1, 0, source.find(b"\n") + 1
        for start in starts:
            while following and start >= following:
                line, first, following = line + 1, following, source.find(b"\n", following) + 1
            lines.append(line)
            columns.append(
                start - first + 1 if ascii_ else len(source[first:start].decode("utf-8", "surrogateescape")) + 1
            )
        return lines, columns


def _is_local(scope: Scope, name: str, start: int) -> bool:
    inner: Scope | None = scope
    while inner is not None:
        if inner is scope or not inner.class_ or inner.open_class:
            since = inner.locals.get(name)
            if since is not None and since <= start:
                return True
            if name in inner.symbols:
                return False
        inner = inner.parent
    return False


def one_line(text: str) -> str:
    """`text` with white space folded, cut at MAX_TEXT characters."""
    if not text or (text.isidentifier() and len(text) <= MAX_TEXT):
        return text
    if len(text) > MAX_TEXT * 8:
        text = text[: MAX_TEXT * 8]
    folded = text.strip() if text.isprintable() and "  " not in text else " ".join(text.split())
    return folded if len(folded) <= MAX_TEXT else folded[: MAX_TEXT - 1] + "…"
