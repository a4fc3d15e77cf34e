"""JSX: elements are uses of components, attributes of components uses of their properties."""

from __future__ import annotations

from git_graph.languages.javascript.modules import Modules
from git_graph.languages.walker import Node
from git_graph.model import INSTANTIATE, OPAQUE, READ


class Elements(Modules):
    """Walks elements."""

    def on_jsx_opening_element(self, node: Node, role: int = READ) -> int:
        name, properties = node.child_by_field_name("name"), OPAQUE
        for child in node.named_children:
            if name is not None and child.id == name.id:
                made = self.component(child, INSTANTIATE)
                properties = self.parameter_type(made, 0)
            elif properties != OPAQUE and self.type_of[child.kind_id] == "jsx_attribute":
                self.attribute_of(child, properties)
            else:
                self.visit(child)
        return OPAQUE

    on_jsx_self_closing_element = on_jsx_opening_element

    def on_jsx_closing_element(self, node: Node, role: int = READ) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            self.component(name, READ)
        return OPAQUE

    def component(self, node: Node, role: int) -> int:
        """The name of an element: a component unless it is a plain lower-case one."""
        kind = self.type_of[node.kind_id]
        if kind == "jsx_namespace_name" or (kind == "identifier" and self.text(node)[:1].islower()):
            return OPAQUE
        return self.visit(node, role)

    def on_jsx_attribute(self, node: Node, role: int = READ) -> int:
        for child in node.children[1:]:
            self.visit(child)
        return OPAQUE

    def attribute_of(self, node: Node, properties: int) -> None:
        """`name={value}`, where the component's properties are known."""
        children = node.children
        if self.type_of[children[0].kind_id] != "property_identifier":
            self.visit(node)
            return
        expected = self.key(children[0], properties)
        for child in children[1:]:
            if self.type_of[child.kind_id] == "jsx_expression":
                for value in child.named_children:
                    self.expect(value, expected)
            else:
                self.visit(child)
