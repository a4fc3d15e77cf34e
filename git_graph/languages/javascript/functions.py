"""Functions: those that are symbols and those that are not, what they return and what `this` is in them."""

from __future__ import annotations

from typing import Any

from git_graph.languages.javascript.locals import FUNCTIONS, WORDS
from git_graph.languages.javascript.patterns import UNGIVEN, Given, Patterns, line_of
from git_graph.languages.walker import Node, last_line
from git_graph.model import EXTENT, KIND, OPAQUE, READ, RETURN, SELF, X_NEW

_METHODS = frozenset(KIND[kind] for kind in ("method", "property", "constructor"))
_RETURN_TYPES = frozenset(("type_annotation", "type_predicate_annotation", "asserts_annotation"))


class Parts:
    """The children of a function, method or signature that matter, found in one pass."""

    __slots__ = ("accessor", "body", "flags", "parameters", "returns", "type_parameters")

    def __init__(self, node: Node, type_of: dict[int, str]) -> None:
        self.parameters: Node | None = None
        self.type_parameters: Node | None = None
        self.returns: Node | None = None
        self.body: Node | None = None
        self.flags = 0
        self.accessor = False
        arrow = None
        for child in node.children:
            kind = type_of[child.kind_id]
            if kind == "formal_parameters":
                self.parameters = child
            elif kind == "statement_block":
                self.body = child
            elif kind in WORDS:
                self.flags |= WORDS[kind]
            elif kind in ("get", "set"):
                self.accessor = True
            elif kind == "=>":
                arrow = child
            elif kind == "type_parameters":
                self.type_parameters = child
            elif kind in _RETURN_TYPES:
                self.returns = child
            elif kind == "identifier" and arrow is None:
                self.parameters = child
            elif arrow is not None and kind != "comment":
                self.body = child
        if arrow is None and self.parameters is not None and type_of[self.parameters.kind_id] == "identifier":
            self.parameters = None  # that was a name


class Functions(Patterns):
    """Walks functions."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.returning = -1
        """The function symbol whose `return` we note, or -1."""
        self.result = OPAQUE
        """The type that the present function is said to return."""
        self.confines: tuple[int, int, int] | None = None
        """Of the function around us, if it is no symbol: the symbol that it stands in, its first and its last line."""
        self.owned: dict[int, int] = {}
        """Id of a function node -> the symbol that it is, decided before it is walked."""
        self.given: dict[int, Given] = {}
        """Id of a function node -> what its parameters are known to be."""

    def returns_text(self, node: Node | None) -> str:
        """A return type as written."""
        return "" if node is None else self.text(node).lstrip(": \t\n")

    def define(self, name_node: Node, kind: str, node: Node, **facts: Any) -> int:
        """As Walker.define; what a function without a name holds is only seen in it."""
        symbol = super().define(name_node, kind, node, **facts)
        if self.confines is not None and self.builder.slice.symbols.parent[symbol] == self.confines[0]:
            self.confine(symbol, *self.confines[1:])
        return symbol

    def confine(self, symbol: int, first: int, last: int) -> None:
        """Say that `symbol` is only seen from one line to another."""
        slice_ = self.builder.slice
        self.builder.binding(slice_.strings[slice_.symbols.name[symbol]], EXTENT, OPAQUE, first, last, symbol)

    def define_function(
        self,
        name_node: Node,
        name: str,
        node: Node,
        *,
        kind: str = "function",
        start: Node | None = None,
        span: Node | None = None,
        flags: int = 0,
        parent: int | None = None,
        parts: Parts | None = None,
    ) -> int:
        """A symbol for the function `node`, named at `name_node`; `span` is the statement if that is more."""
        parts = parts or Parts(node, self.type_of)
        whole = span or node
        end = parts.body.start_byte if parts.body is not None else whole.end_byte
        returns = self.returns_text(parts.returns)
        if self.has_types:
            written = self.documented(self.doc_comment)
            returns = returns or written.returns
            if written.parameters:
                self.doc_functions[node.id] = written.parameters
        return self.define(
            name_node,
            kind,
            whole,
            name=name,
            start=start,
            parent=parent,
            signature=self.head(whole, end),
            doc=self.doc(),
            returns=returns,
            flags=flags | parts.flags,
        )

    def function(
        self,
        node: Node,
        symbol: int = -1,
        this: int | None = None,
        holder: int = -1,
        given: Given = UNGIVEN,
        parts: Parts | None = None,
    ) -> None:
        """Walk a function.

        `symbol` is what it defines or -1, `this` what `this` is in it (None: as outside), `holder` the symbol whose
        fields it assigns by `this.x = ...`.
        """
        parts, builder = parts or Parts(node, self.type_of), self.builder
        outer = (
            self.this,
            self.holder,
            self.returning,
            self.in_function,
            self.counts,
            self.doc_parameters,
            self.result,
            self.confines,
        )
        self.doc_parameters = self.doc_functions.pop(node.id, {}) if self.doc_functions else {}
        scope = builder.enter(symbol, last_line(node)) if symbol >= 0 else None
        if scope is not None and not self.in_function:
            self.counts = {}
        if this is not None:
            self.this, self.holder = this, holder
        self.returning = symbol if parts.returns is None else -1
        self.result = self.result_of(parts)
        mark = self.open(node)
        self.confines = (builder.scope.symbol, self.first_line, self.end_line) if symbol < 0 else None
        self.in_function = True
        if parts.type_parameters is not None:
            self.visit(parts.type_parameters)
        if parts.parameters is not None:
            self.parameters(parts.parameters, given)
        if parts.returns is not None:
            self.visit(parts.returns)
        if parts.body is not None:
            self.function_body(parts.body, symbol, mark[0])
        self.close(mark)
        if scope is not None:
            builder.leave(scope)
        (
            self.this, self.holder, self.returning, self.in_function, self.counts, self.doc_parameters, self.result,
            self.confines,
        ) = outer  # fmt: skip

    def function_body(self, body: Node, symbol: int, since: int) -> None:
        """A block, or the value of an arrow function."""
        if self.type_of[body.kind_id] == "statement_block":
            children = body.children
            self.hoist_vars(body, since)
            self.hoist(children)
            self.statements(children)
        else:
            self.return_value(body)

    def return_value(self, node: Node) -> None:
        """What the present function returns."""
        symbol = self.returning
        if self.result != OPAQUE:
            self.expect(node, self.result)
            return
        if symbol >= 0 and (literal := self.peel(node)) is not None and self.type_of[literal.kind_id] == "object":
            made = self.builder.expression(X_NEW, self.own_name(symbol))
            if self.object_with_methods(literal, symbol, made) or self.plain_object(literal, symbol):
                self.builder.binding("", RETURN, made, line_of(node), None, symbol)
                return
        for value in self.alternatives(node):
            if symbol >= 0 and value != OPAQUE:
                self.builder.binding("", RETURN, value, line_of(node), None, symbol)

    def own_name(self, symbol: int) -> int:
        """The expression that names the function `symbol` from inside."""
        slice_ = self.builder.slice
        name = slice_.strings[slice_.symbols.name[symbol]]
        if slice_.symbols.kind[symbol] in _METHODS:
            return self.attribute(self.this, name)
        return self.builder.name(name)

    def plain_object(self, node: Node, symbol: int) -> bool:
        """Walk a returned object literal; its properties are fields, though no symbols, of what `symbol` makes."""
        raise NotImplementedError

    def result_of(self, parts: Parts) -> int:
        """The type of what a function returns, awaited, as far as it is written."""
        return OPAQUE

    def expect(self, node: Node, of: int) -> None:
        """Visit a value of which the type `of` is expected."""
        raise NotImplementedError

    def object_with_methods(self, node: Node, symbol: int, this: int) -> bool:
        """Walk an object literal as what `symbol` holds if it has functions; else False, and nothing is walked."""
        raise NotImplementedError

    def on_return_statement(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if self.type_of[child.kind_id] != "comment":
                self.return_value(child)
        return OPAQUE

    def on_yield_expression(self, node: Node, role: int = READ) -> int:
        delegated = any(self.type_of[child.kind_id] == "*" for child in node.children)
        for child in node.named_children:
            value = self.visit(child)
            if self.returning >= 0 and value != OPAQUE and not delegated:
                self.builder.binding("yield", RETURN, value, line_of(node), None, self.returning)
        return OPAQUE

    # declarations and inline functions

    def on_function_declaration(self, node: Node, role: int = READ) -> int:
        name_node = node.child_by_field_name("name")
        flags, start = self.pending()
        name = self.text(name_node) if name_node is not None else "default"
        parts = Parts(node, self.type_of)
        symbol = self.define_function(name_node or node, name, node, start=start, flags=flags, parts=parts)
        if name[:1].isupper():  # a constructor, as things were made before there were classes
            self.function(node, symbol, SELF, symbol, parts=parts)
        else:
            self.function(node, symbol, OPAQUE, parts=parts)
        return self.builder.name(name)

    on_generator_function_declaration = on_function_declaration

    def pending(self) -> tuple[int, Node | None]:
        """The flags and the first node that an export, `declare` or decorators give to the next definition."""
        raise NotImplementedError

    def inline(self, node: Node, given: Given = UNGIVEN) -> int:
        """A function in an expression: a symbol if it is named or was given one, else part of what is around it."""
        symbol, given = self.owned.pop(node.id, -1), self.given.pop(node.id, given)
        arrow = self.type_of[node.kind_id] == "arrow_function"
        name_node = None if arrow else node.child_by_field_name("name")
        if symbol < 0 and name_node is not None:
            name = self.text(name_node)
            self.doc_comment = None
            symbol = self.define_function(name_node, name, node)
            mark = self.open(node)
            self.confine(symbol, self.first_line, self.end_line)
            self.hide(name)
            self.function(node, symbol, OPAQUE, given=given)
            self.close(mark)
            return self.builder.name(name)
        self.function(node, symbol, None if arrow else OPAQUE, given=given)
        return OPAQUE

    def on_arrow_function(self, node: Node, role: int = READ) -> int:
        return self.inline(node)

    on_function_expression = on_arrow_function
    on_generator_function = on_arrow_function


def is_function(node: Node | None) -> bool:
    """Whether a value is a function written out."""
    return node is not None and node.type in FUNCTIONS
