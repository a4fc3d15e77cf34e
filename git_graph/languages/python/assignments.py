"""Python's assignments: what they define, and what names, attributes and fields are bound to."""

from __future__ import annotations

from git_graph.languages.builder import Builder
from git_graph.languages.python.expressions import SEQUENCES
from git_graph.languages.python.narrowing import Narrowing, operands
from git_graph.languages.walker import Node
from git_graph.model import (
    EXPORT,
    FIELD,
    LOCAL,
    NONE,
    OPAQUE,
    READ,
    SELF,
    TYPE,
    VARIABLE,
    WRITE,
    X_INDEX,
    Flag,
)

MAX_ALTERNATIVES = 8
"""A value that may be more things than this (a long chain of `or`) is known by the first of them."""
_EXPORTED = int(Flag.EXPORTED)


def exported(name: str) -> int:
    """The flag of a name that does not start with an underscore, or that the language gives a meaning."""
    return 0 if name[:1] == "_" and name[-2:] != "__" else _EXPORTED


class Assignments(Narrowing):
    """The handlers of assignments."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.in_class = -1
        """The class whose body or methods we are in."""
        self.class_end = 1
        self.class_has_bases = False
        self.in_enum = False
        self.conditional = 0
        """Flag.CONDITIONAL while inside an `if` or `try` of a file or class body."""
        self.block_end = builder.scope.end_line
        """Last line of the branch or loop that the present statement of a function stands in, else of the function."""

    def alternatives(self, node: Node) -> list[int]:
        """Visit a value; the expressions that it may be (`a or b`, `a if c else b` are two)."""
        kind = node.type
        if kind == "boolean_operator":
            if self.narrows:
                self.narrow_operands(node)
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            return [*self.alternatives(left), *self.alternatives(right)][:MAX_ALTERNATIVES]
        if kind == "conditional_expression":
            parts = operands(node)
            if len(parts) != 3:
                self.through(node)
                return [OPAQUE]
            then, condition, otherwise = parts
            if self.narrows:
                self.narrow_operands(node)
            values = self.alternatives(then)
            self.visit(condition)
            return [*values, *self.alternatives(otherwise)][:MAX_ALTERNATIVES]
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.alternatives(node.named_children[0])
        if kind == "binary_operator":
            return [self.binary(node)]
        return [self.visit(node)]

    def on_assignment(self, node: Node, role: int = READ) -> int:
        children = node.children
        left, right, returns = children[0], children[-1], ""
        if children[1].type == ":":
            returns = self.type_text(children[2])
            self.through(children[2], TYPE)
            right = right if len(children) > 3 else None
        if left.type in SEQUENCES and (pairs := self.pairs(left, right)) is not None:
            for target, value in pairs:
                self.assign(target, self.alternatives(value), node)
            return OPAQUE
        values = [OPAQUE]
        if right is not None:
            values = [self.on_assignment(right)] if right.type == "assignment" else self.alternatives(right)
        self.assign(left, [self.builder.annotation(returns)] if returns else values, node, returns)
        if left.type == "identifier" and self.text(left) == "__all__" and right is not None:
            self.export(right)
        return values[0] if len(values) == 1 else OPAQUE

    def pairs(self, left: Node, right: Node | None) -> list[tuple[Node, Node]] | None:
        """`a, b = x, y` taken apart; None if it is not of that form."""
        if right is None or right.type not in SEQUENCES:
            return None
        targets, values = left.named_children, right.named_children
        splats = any(n.type in ("list_splat", "list_splat_pattern") for n in (*targets, *values))
        return None if splats or len(targets) != len(values) else list(zip(targets, values, strict=True))

    def on_augmented_assignment(self, node: Node, role: int = READ) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.visit(right)
        if left.type == "identifier":
            name = self.text(left)
            if name == "__all__":
                self.export(right)
            if self.in_function and name not in self.holder.symbols:
                self.holder.locals.setdefault(name, 0)
            else:
                self.refer(left, WRITE, NONE, name)
        else:
            self.visit(left, WRITE)
        return OPAQUE

    def on_named_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("value"))
        self.assign(node.child_by_field_name("name"), [value])
        return value

    def assign(self, target: Node, values: list[int], statement: Node = None, returns: str = "") -> None:
        """Bind a target to the values that it may have, defining what it defines."""
        if target.type == "identifier":
            self.assign_name(target, values, statement or target, returns)
        elif target.type == "attribute":
            self.assign_attribute(target, values, statement or target, returns)
        elif target.type in SEQUENCES:
            for position, part in enumerate(target.named_children):
                self.assign(part, [self.builder.expression(X_INDEX, v, str(position)) for v in values], statement)
        elif target.type in ("list_splat_pattern", "list_splat"):
            for child in target.named_children:
                self.assign(child, [self.builder.literal("list")], statement)
        elif target.type in ("parenthesized_expression", "as_pattern_target"):
            for child in target.named_children:
                self.assign(child, values, statement)
        else:
            self.visit(target, WRITE)

    def assign_name(self, node: Node, values: list[int], statement: Node, returns: str) -> None:
        name, builder, holder = self.text(node), self.builder, self.holder
        line = node.start_point[0] + 1
        if self.in_function:
            if name in holder.symbols:  # global, nonlocal, or imported here
                self.refer(node, WRITE, NONE, name)
                return
            holder.locals.setdefault(name, 0)
            for value in values:
                builder.binding(name, LOCAL, value, line, self.block_end, holder.symbol)
            return
        if builder.find(holder.symbol, name) is None:
            self.define_variable(node, name, statement, returns, holder.symbol, self.variable_kind(name))
        else:
            self.refer(node, WRITE, SELF if holder.symbol and holder.symbol == self.in_class else NONE, name)
        for value in values:
            builder.binding(name, VARIABLE, value, line, holder.end_line, holder.symbol)

    def variable_kind(self, name: str) -> str:
        if self.holder.symbol != self.in_class:
            return "constant" if name.isupper() else "variable"
        return "enum_member" if self.in_enum and not name.startswith("_") else "field"

    def define_variable(
        self, node: Node, name: str, statement: Node, returns: str, parent: int, kind: str, flags: int = 0
    ) -> None:
        self.define(
            node,
            kind,
            statement,
            name=name,
            parent=parent,
            signature=self.text(statement).split("\n", 1)[0],
            returns=returns,
            flags=flags | exported(name) | self.conditional,
        )

    def assign_attribute(self, node: Node, values: list[int], statement: Node, returns: str) -> None:
        of = self.visit(node.child_by_field_name("object"))
        name_node = node.child_by_field_name("attribute")
        name, builder = self.text(name_node), self.builder
        if of != SELF or self.in_class < 0:
            self.refer(name_node, WRITE, of, name)
            return
        if builder.find(self.in_class, name) is None:
            self.define_variable(name_node, name, statement, returns, self.in_class, "field", Flag.IMPLICIT)
            if self.class_has_bases:  # then it may be a base's that is written
                self.refer(name_node, WRITE, of, name)
        else:
            self.refer(name_node, WRITE, of, name)
        last = self.class_end
        for value in values:
            builder.binding(name, FIELD, value, node.start_point[0] + 1, last, self.in_class)

    def export(self, node: Node) -> None:
        """The names that `__all__` lists."""
        for child in node.named_children:
            if child.type == "string":
                name = self.text(child).strip("\"'")
                self.builder.binding(name, EXPORT, self.builder.name(name), child.start_point[0] + 1)
                self.builder.reference(name, READ, child.start_byte + 1)
            elif child.type in ("list", "tuple", "binary_operator", "parenthesized_expression"):
                self.export(child)

    def on_delete_statement(self, node: Node, role: int = READ) -> int:
        self.through(node)
        return OPAQUE

    def on_global_statement(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type == "identifier":
                self.holder.symbols.add(self.text(child))
        return OPAQUE
