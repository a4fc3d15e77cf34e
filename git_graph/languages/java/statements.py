"""How Java's statements and patterns read: what they declare.

A name in a `case` is recorded twice: as a bare name, and as a member of what is switched over, which is what it is for
enumerations.
"""

from __future__ import annotations

from git_graph.languages.java.expressions import Expressions
from git_graph.languages.walker import Node
from git_graph.model import NONE, OPAQUE, READ, TYPE, X_ITERATE


class Statements(Expressions):
    """Handlers of statements and patterns."""

    switched = OPAQUE
    """What the `switch` around the present place is over."""

    def on_block(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        self.through(node)
        self.close(mark)
        return OPAQUE

    def on_labeled_statement(self, node: Node, role: int = READ) -> int:
        for child in node.named_children[1:]:
            self.visit(child)
        return OPAQUE

    def on_local_variable_declaration(self, node: Node, role: int = READ) -> int:
        self.modifiers(node)
        type_ = node.child_by_field_name("type")
        if self.text(type_) != "var":
            self.visit(type_, TYPE)
        for declarator in node.children_by_field_name("declarator"):
            self.declarator(type_, declarator)
        return OPAQUE

    def declarator(self, type_: Node, node: Node) -> None:
        name, right = node.child_by_field_name("name"), node.child_by_field_name("value")
        value = self.visit(right) if right is not None else OPAQUE
        if text := self.declared_type(type_, node.child_by_field_name("dimensions")):
            value = self.builder.annotation(text)
        self.declare(self.text(name), value, name.start_point[0] + 1)

    def on_enhanced_for_statement(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("value"))
        mark = self.block(node)
        self.modifiers(node)
        element = self.builder.expression(X_ITERATE, of) if of != OPAQUE else OPAQUE
        self.bind_typed(node.child_by_field_name("type"), node.child_by_field_name("name"), element)
        self.visit(node.child_by_field_name("body"))
        self.close(mark)
        return OPAQUE

    def on_resource(self, node: Node, role: int = READ) -> int:
        type_, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        if type_ is None or name is None:
            self.through(node)
            return OPAQUE
        value = self.visit(node.child_by_field_name("value"))
        self.bind_typed(type_, name, value)
        return OPAQUE

    def on_catch_formal_parameter(self, node: Node, role: int = READ) -> int:
        self.modifiers(node)
        for child in node.named_children:
            if child.type == "catch_type":
                self.through(child, TYPE)
                text = self.text(child)
        name = node.child_by_field_name("name")
        self.declare(self.text(name), self.builder.annotation(text), name.start_point[0] + 1)
        return OPAQUE

    def on_switch_expression(self, node: Node, role: int = READ) -> int:
        outer = self.switched
        self.switched = self.visit(node.child_by_field_name("condition"))
        self.visit(node.child_by_field_name("body"))
        self.switched = outer
        return OPAQUE

    def on_switch_label(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type == "identifier" and self.known(self.text(child)) is None:
                self.refer(child, READ)
                if self.switched not in (NONE, OPAQUE):
                    self.refer(child, READ, self.switched)
            else:
                self.visit(child)
        return OPAQUE

    def on_instanceof_pattern(self, node: Node, role: int = READ) -> int:
        """`Type name` in a case."""
        parts = [child for child in node.named_children if child.type != "modifiers"]
        if len(parts) == 2:
            self.bind_typed(parts[0], parts[1], OPAQUE)
        else:
            self.through(node)
        return OPAQUE

    def bind_typed(self, type_: Node, name: Node, otherwise: int) -> None:
        self.visit(type_, TYPE) if self.text(type_) != "var" else None
        text = self.declared_type(type_)
        self.declare(self.text(name), self.builder.annotation(text) if text else otherwise, name.start_point[0] + 1)

    def on_record_pattern(self, node: Node, role: int = READ) -> int:
        type_ = OPAQUE
        for child in node.named_children:
            if child.type == "record_pattern_body":
                for component in child.named_children:
                    if component.type == "record_pattern_component" and component.named_child_count == 2:
                        written, name = component.named_children
                        self.bind_typed(written, name, OPAQUE)
                    else:
                        self.visit(component)
            elif type_ == OPAQUE:
                type_ = self.visit(child, TYPE)
        return OPAQUE

    def on_instanceof_expression(self, node: Node, role: int = READ) -> int:
        self.visit(node.child_by_field_name("left"))
        type_, name = node.child_by_field_name("right"), node.child_by_field_name("name")
        if type_ is not None:
            self.visit(type_, TYPE)
            if name is not None:
                self.declare(self.text(name), self.builder.annotation(self.text(type_)), name.start_point[0] + 1)
        if (pattern := node.child_by_field_name("pattern")) is not None:
            self.visit(pattern)
        return OPAQUE
