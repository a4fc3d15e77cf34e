"""Patterns: parameters, destructuring and the targets of assignments.

A name that a pattern takes out of an object is a use of that property, and is bound to that attribute of the value.
"""

from __future__ import annotations

from collections.abc import Sequence

from git_graph.languages.javascript.jsdoc import DocComments
from git_graph.languages.javascript.locals import FREE
from git_graph.languages.walker import Node
from git_graph.model import (
    FIELD,
    KIND,
    LOCAL,
    OPAQUE,
    PARAMETER,
    READ,
    VARIABLE,
    WRITE,
    Flag,
)
from git_graph.records import NamedTuple

Values = Sequence[int]
UNKNOWN: Values = (OPAQUE,)
_TYPES = frozenset(KIND[kind] for kind in ("interface", "type_alias", "namespace"))
"""What a variable of the same name is not."""


class Given(NamedTuple):
    """What the parameters of a function are known to be from where it stands.

    `known` are values by position; `base` is the type that the function is expected to have, whose parameters are
    its attributes `#0`, `#1` and so on.
    """

    known: Values = ()
    base: int = OPAQUE


UNGIVEN = Given()


class Declaration(NamedTuple):
    """How the names of a pattern are declared.

    `kind` is a binding kind (PARAMETER, LOCAL, VARIABLE). `node` is the statement (spans the symbol), `constant` and
    `flags` are for symbols, `line` is where the binding starts.
    """

    kind: int
    node: Node
    line: int
    constant: bool = False
    flags: int = 0
    returns: str = ""
    doc: str = ""


class Patterns(DocComments):
    """Binds the names of patterns."""

    def bind(self, node: Node, values: Values, how: Declaration | None) -> None:
        """Bind a pattern to the values that it may have; without a declaration it is assigned."""
        kind = self.type_of[node.kind_id]
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            if how is None:
                self.assign_name(node, values)
            else:
                self.declare(node, self.text(node), values, how)
        elif kind == "object_pattern":
            self.bind_object(node, values, how)
        elif kind == "array_pattern":
            self.bind_array(node, values, how)
        elif kind in ("assignment_pattern", "object_assignment_pattern"):
            default = self.alternatives(node.children[-1])
            self.bind(node.children[0], values if any(v != OPAQUE for v in values) else default, how)
        elif kind == "rest_pattern":
            for child in node.named_children:
                self.bind(child, values, how)
        elif kind == "member_expression":
            self.assign_member(node, values)
        else:
            self.visit(node, WRITE)

    def bind_object(self, node: Node, values: Values, how: Declaration | None) -> None:
        """`{ a, b: c, d = 1, ...rest }`."""
        for child in node.named_children:
            kind = self.type_of[child.kind_id]
            if kind in ("rest_pattern", "comment"):
                self.bind(child, values, how) if kind == "rest_pattern" else None
                continue
            key = child.children[0] if kind in ("pair_pattern", "object_assignment_pattern") else child
            if self.type_of[key.kind_id] == "computed_property_name":
                self.visit(key)
                parts: Values = UNKNOWN
            else:
                parts = self.property_of(key, values)
            if kind == "pair_pattern":
                self.bind(child.children[-1], parts, how)
            else:
                self.bind(child, parts, how)

    def property_of(self, key: Node, values: Values) -> Values:
        """Record that a pattern reads the property `key`; what its values are."""
        name = self.property_name(key)
        known = [value for value in values if value != OPAQUE]
        self.builder.reference(
            name, READ, key.start_byte + (self.type_of[key.kind_id] == "string"), known[0] if known else OPAQUE
        )
        return [self.attribute(value, name) for value in known] or UNKNOWN

    def bind_array(self, node: Node, values: Values, how: Declaration | None) -> None:
        """`[a, , b = 1, ...rest]`."""
        position = 0
        for child in node.children:
            if self.type_of[child.kind_id] == ",":
                position += 1
            elif self.type_of[child.kind_id] == "rest_pattern":
                self.bind(child, values, how)
            elif child.is_named and self.type_of[child.kind_id] != "comment":
                self.bind(child, [self.indexed(value, str(position)) for value in values], how)

    def declare(self, node: Node, name: str, values: Values, how: Declaration) -> None:
        """Declare one name."""
        if how.kind == PARAMETER:
            known = [value for value in values if value != OPAQUE]
            if not known and (written := self.doc_parameters.get(name)):
                known = [self.builder.annotation(written)]
            if known:
                self.reserve(name)
                self.bind_local(name, known, how.line, PARAMETER)
            else:
                self.put(self.names, name, OPAQUE)
        elif how.kind == LOCAL:
            if name not in self.names:
                self.reserve(name)
            self.bind_local(name, values, how.line)
        else:
            self.declare_variable(node, name, values, how)

    def declare_variable(self, node: Node, name: str, values: Values, how: Declaration) -> int:
        """A variable that is a symbol; its index."""
        builder = self.builder
        symbol = builder.find(builder.scope.symbol, name)
        if symbol is None or builder.slice.symbols.kind[symbol] in _TYPES:
            symbol = self.define(
                node,
                "constant" if how.constant else "variable",
                how.node,
                name=name,
                signature=self.head(how.node, how.node.end_byte),
                doc=how.doc,
                returns=how.returns,
                flags=how.flags,
            )
        self.bind_variable(name, values, how.line)
        return symbol

    def bind_variable(self, name: str, values: Values, line: int) -> None:
        """What the variable `name` of the present scope is."""
        for value in values:
            if value != OPAQUE:
                self.builder.binding(name, VARIABLE, value, line)

    # assignment

    def assign_name(self, node: Node, values: Values) -> None:
        """`name = value`."""
        name = self.text(node)
        if self.names.get(name, FREE) != FREE:
            self.bind_local(name, values, line_of(node))
            return
        self.builder.reference(name, WRITE, node.start_byte)
        if self.builder.find(0, name) is not None:
            end = self.builder.slice.symbols.end_line[0]
            for value in values:
                if value != OPAQUE:
                    self.builder.binding(name, VARIABLE, value, line_of(node), end, 0)

    def assign_member(self, node: Node, values: Values, statement: Node | None = None) -> None:
        """`object.name = value`; `this.name = value` defines a field unless there is one."""
        target, key = node.children[0], node.children[-1]
        of, name = self.visit(target), self.text(key)
        if self.type_of[target.kind_id] != "this" or self.holder < 0:
            self.builder.reference(name, WRITE, key.start_byte, of)
            return
        self.assign_field(key, name, values, of, statement or node)

    def assign_field(self, key: Node, name: str, values: Values, of: int, statement: Node) -> None:
        """A field of the holder that is assigned in one of its methods."""
        builder, holder = self.builder, self.holder
        if self.doc_comment is not None and (written := self.documented(self.doc_comment).type):
            values = (builder.annotation(written),)
        if builder.find(holder, name) is None:
            self.define(
                key, "field", statement, name=name, parent=holder, signature=self.head(statement, statement.end_byte),
                doc=self.doc(), flags=Flag.IMPLICIT,
            )  # fmt: skip
        else:
            builder.reference(name, WRITE, key.start_byte, of)
        self.bind_field(name, values, line_of(key), holder)

    def bind_field(self, name: str, values: Values, line: int, holder: int) -> None:
        """What the field `name` of the symbol `holder` is."""
        end = self.builder.slice.symbols.end_line[holder]
        for value in values:
            if value != OPAQUE:
                self.builder.binding(name, FIELD, value, line, max(end, line), holder)

    # parameters

    def parameters(self, node: Node, given: Given = UNGIVEN) -> None:
        """Declare parameters; `given` says what those without a type are, as far as it goes."""
        line = line_of(node)
        if self.type_of[node.kind_id] != "formal_parameters":  # x => ...
            self.bind(node, self.given_at(given, 0), Declaration(PARAMETER, node, line))
            return
        position = 0
        for child in node.named_children:
            if self.type_of[child.kind_id] == "comment":
                continue
            values = UNKNOWN if given is UNGIVEN else self.given_at(given, position)
            self.parameter(child, values, Declaration(PARAMETER, child, line_of(child)))
            position += 1

    def given_at(self, given: Given, position: int) -> Values:
        """What the parameter at a position is known to be."""
        values = [*given.known[position : position + 1], self.attribute(given.base, f"#{position}")]
        return [value for value in values if value != OPAQUE] or UNKNOWN

    def parameter(self, node: Node, given: Values, how: Declaration) -> None:
        """Declare one parameter."""
        self.bind(node, given, how)


def line_of(node: Node) -> int:
    """The 1-based line of a node's first character."""
    return int(node.start_point[0] + 1)
