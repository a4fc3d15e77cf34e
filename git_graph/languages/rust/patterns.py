"""How Rust's patterns bind: the names in them, and the constants, variants and fields that they read.

`Some(x)` and `Ok(x)` bind the index `?` of a value, `Err(x)` the index `Err`; a part of a tuple or of a tuple struct is
the attribute `0`. A name that begins with a capital letter is a constant or a variant.
"""

from __future__ import annotations

from git_graph.languages.rust.tokens import TokenScan
from git_graph.languages.walker import Node
from git_graph.model import (
    LOCAL,
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    SELF,
    TYPE,
    X_ATTRIBUTE,
    X_INDEX,
    X_ITERATE,
    X_NEW,
)

_UNWRAPPED = {"Some": "?", "Ok": "?", "Err": "Err"}


class Patterns(TokenScan):
    """What patterns bind."""

    bound: set[int | None]
    """The expressions of all locals that patterns of the file have bound."""

    def bind(self, node: Node, value: int, kind: int = LOCAL) -> None:
        """Declare the names of a pattern that is matched against `value`; read the constants and types in it."""
        type_ = node.type
        if type_ == "identifier":
            self.bind_name(node, value, kind)
        elif type_ in ("tuple_pattern", "slice_pattern"):
            self.bind_parts(node, value, kind)
        elif type_ == "tuple_struct_pattern":
            self.bind_tuple_struct(node, value, kind)
        elif type_ == "struct_pattern":
            self.bind_struct(node, kind)
        elif type_ == "captured_pattern":
            name, *inner = node.named_children
            self.bind_name(name, value, kind)
            for child in inner:
                self.bind(child, value, kind)
        elif type_ == "or_pattern" or type_ in (
            "ref_pattern",
            "mut_pattern",
            "reference_pattern",
            "parenthesized_pattern",
        ):
            for child in node.named_children:
                self.bind(child, value, kind)
        else:
            self.visit(node)

    def bind_name(self, node: Node, value: int, kind: int) -> None:
        name = self.text(node)
        if name[:1].isupper() and kind != PARAMETER:
            self.refer(node, READ, NONE, name)  # a constant or a variant without fields
            return
        self.declare(name, value, node.start_point[0] + 1, kind)
        self.bound.add(self.names[name][0])

    def bind_parts(self, node: Node, value: int, kind: int) -> None:
        position = 0
        for child in node.children:
            if child.type in ("(", ")", "[", "]"):
                continue
            if child.type == ",":
                position += 1
                continue
            part = OPAQUE
            if value != OPAQUE:
                iterated = node.type == "slice_pattern"
                part = (
                    self.builder.expression(X_ITERATE, value)
                    if iterated
                    else self.builder.attribute(value, str(position))
                )
            self.bind(child, part, kind)

    def bind_tuple_struct(self, node: Node, value: int, kind: int) -> None:
        type_node = node.child_by_field_name("type")
        name = self.text(type_node)
        type_ = self.visit(type_node, READ)
        key = _UNWRAPPED.get(name)
        position = 0
        for child in node.children[1:]:
            if child.type == ",":
                position += 1
                continue
            if not child.is_named or child == type_node:
                continue
            if key is not None:
                part = self.builder.expression(X_INDEX, value, key) if value != OPAQUE else OPAQUE
            elif type_ == OPAQUE:
                part = OPAQUE
            else:
                of = type_ if type_ == SELF else self.builder.expression(X_NEW, type_)
                part = self.builder.expression(X_ATTRIBUTE, of, str(position))
            self.bind(child, part, kind)

    def bind_struct(self, node: Node, kind: int) -> None:
        type_ = self.visit(node.child_by_field_name("type"), TYPE)
        of = type_ if type_ in (OPAQUE, SELF) else self.builder.expression(X_NEW, type_)
        for field in node.named_children:
            if field.type != "field_pattern":
                continue
            name_node, pattern = field.child_by_field_name("name"), field.child_by_field_name("pattern")
            name = self.text(name_node)
            if name_node.type != "integer_literal":
                self.refer(name_node, READ, of, name)
            part = self.builder.attribute(of, name) if of != OPAQUE else OPAQUE
            if pattern is not None:
                self.bind(pattern, part, kind)
            else:
                self.declare(name, part, name_node.start_point[0] + 1, kind)
                self.bound.add(self.names[name][0])
