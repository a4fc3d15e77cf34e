"""How Rust's items become symbols, imports and bindings.

What stands in an `impl` block belongs to the block's type (without its arguments); `impl Trait for Type` is a binding
of kind base as well.
"""

from __future__ import annotations

from git_graph.languages.builder import Builder
from git_graph.languages.rust.attributes import Attributes
from git_graph.languages.walker import Node
from git_graph.model import (
    BASE,
    IMPLEMENT,
    INHERIT,
    NONE,
    OPAQUE,
    READ,
    TYPE,
    Flag,
)


class Syntax(Attributes):
    """Rust's walk."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.mods: list[str] = []
        self.bound: set[int | None] = set()
        self.attributes: list[Node] = []
        self.first: Node | None = None
        self.doc = ""

    # items with what stands before them

    def run(self, root: Node) -> None:
        """Walk the file."""
        self.items(root, top=True)

    def items(self, node: Node, *, top: bool = False) -> int:
        """Visit the children of a list of items or statements; the value of the last if it is an expression."""
        attributes: list[Node] = []
        doc, first, value = "", None, OPAQUE
        for child in node.children:
            type_ = child.type
            if type_ == "attribute_item":
                attributes.append(child)
                first = first or child
                continue
            if type_ in ("line_comment", "block_comment"):
                if not doc and child.child_by_field_name("outer") is not None:
                    text = child.child_by_field_name("doc")
                    doc = self.text(text).strip().split("\n", 1)[0] if text is not None else ""
                    first = first or child
                continue
            if not child.is_named:
                continue
            self.attributes, self.doc, self.first = attributes, doc, first
            if attributes or doc:
                attributes, doc, first = [], "", None
            if top:
                self.guarded(child)
            else:
                value = self.visit(child)
            if self.attributes:
                self.take()
        return value

    def take(self) -> tuple[Flag, str, Node | None]:
        """The flags that the attributes before an item give it, its doc comment, and where it begins."""
        attributes, doc, first = self.attributes, self.doc, self.first
        self.attributes, self.doc, self.first = [], "", None
        flags = Flag(0)
        for item in attributes:
            for attribute in item.named_children:
                flags |= self.attribute(attribute)
        return flags, doc, first

    def on_block(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        value = self.items(node)
        self.close(mark)
        return self.outliving(value)

    def visible(self, node: Node) -> Flag:
        for child in node.children:
            if child.type == "visibility_modifier":
                return Flag.EXPORTED
            if child.is_named and child.type not in ("function_modifiers", "extern_modifier"):
                break
        return Flag(0)

    # modules and imports

    def on_mod_item(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = self.text(name_node)
        exported = self.visible(node)
        if body is None:
            self.file_module(name_node, name, exported)
            return OPAQUE
        flags, doc, first = self.take()
        symbol = self.define(
            name_node, "module", node, start=first, signature=f"mod {name}", doc=doc, flags=flags | exported
        )
        scope, hidden = self.builder.enter(symbol, node.end_point[0] + 1), self.hide_locals()
        mark, outer, self.mods = self.block(node), self.mods, [*self.mods, name]
        self.items(body)
        self.mods = outer
        self.close(mark)
        self.show_locals(hidden)
        self.builder.leave(scope)
        return OPAQUE

    # functions

    def on_function_item(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        parameters, returns = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
        flags, doc, first = self.take()
        member = bool(self.self_type) or self.in_trait
        flags |= self.visible(node) | self.function_flags(node, parameters, body, member)
        name = self.text(name_node)
        if self.in_function:
            self.free(name)
        symbol = self.define(
            name_node,
            "method" if member else "function",
            node,
            start=first,
            signature=self.between(node, body.start_byte if body is not None else node.end_byte).rstrip("; \n"),
            doc=doc,
            flags=flags,
            returns=self.type_text(returns),
            owner="" if self.in_trait else self.self_type,
        )
        scope = self.builder.enter(symbol, node.end_point[0] + 1)
        hidden = self.hide_locals() if self.in_function else None
        mark, outer = self.block(node), (self.in_function, self.in_trait, self.self_type, self.closure_of)
        self.in_function, self.closure_of = True, NONE
        self.generics(node)
        for parameter in parameters.named_children:
            if parameter.type == "parameter":
                self.parameter(parameter)
        if returns is not None:
            self.visit(returns, TYPE)
        self.in_trait, self.self_type = False, ""  # items in a body are no members
        if body is not None:
            self.visit(body)
        self.in_function, self.in_trait, self.self_type, self.closure_of = outer
        self.close(mark)
        if hidden is not None:
            self.show_locals(hidden)
        self.builder.leave(scope)
        return OPAQUE

    def on_function_signature_item(self, node: Node, role: int = READ) -> int:
        return self.on_function_item(node)

    def function_flags(self, node: Node, parameters: Node, body: Node | None, member: bool) -> Flag:
        flags = Flag(0)
        for child in node.children:
            if child.type == "function_modifiers" and "async" in self.text(child):
                flags |= Flag.ASYNC
        if member:
            receives = any(
                p.type == "self_parameter" or self.text(p.child_by_field_name("pattern") or p) == "self"
                for p in parameters.named_children[:2]
            )
            flags |= Flag(0) if receives else Flag.STATIC
        if self.in_trait:
            flags |= Flag.EXPORTED | (Flag.ABSTRACT if body is None else 0)
        elif self.trait_impl and member:
            flags |= Flag.EXPORTED | Flag.OVERRIDE
        elif body is None:
            flags |= Flag.DECLARATION
        return flags

    # traits and implementations

    def on_trait_item(self, node: Node, role: int = READ) -> int:
        bounds, body = node.child_by_field_name("bounds"), node.child_by_field_name("body")
        bases = tuple(
            self.text(child)
            for child in (bounds.named_children if bounds is not None else ())
            if child.type in ("type_identifier", "scoped_type_identifier", "generic_type")
        )
        outer = self.in_trait, self.self_type, self.trait_impl, self.in_function
        self.in_trait, self.self_type = False, ""
        symbol = self.type_symbol(node, "trait", "", bounds or body, bases)
        scope, hidden = self.builder.enter(symbol, node.end_point[0] + 1), self.hide_locals()
        mark = self.block(node)
        self.in_trait, self.trait_impl, self.in_function = True, False, False
        self.generics(node)
        for child in bounds.named_children if bounds is not None else ():
            self.visit(child, INHERIT)
        if body is not None:
            self.items(body)
        self.in_trait, self.self_type, self.trait_impl, self.in_function = outer
        self.close(mark)
        self.show_locals(hidden)
        self.builder.leave(scope)
        return OPAQUE

    def on_impl_item(self, node: Node, role: int = READ) -> int:
        self.take()
        type_, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
        body = node.child_by_field_name("body")
        outer = self.in_trait, self.self_type, self.trait_impl, self.in_function
        hidden = self.hide_locals()
        mark = self.block(node)
        self.in_trait, self.self_type, self.in_function = False, "", False
        self.generics(node, implementation=True)
        name = self.bare(type_)
        generic = self.known(name) is not None  # `impl<T> Trait for T` is no type's own
        self.visit(type_, TYPE)
        if trait is not None:
            self.visit(trait, IMPLEMENT)
            if name and not generic:
                line = type_.start_point[0] + 1
                self.builder.binding(
                    name, BASE, self.builder.annotation(self.text(trait)), line, self.builder.scope.end_line
                )
        self.self_type = name or "_"
        self.trait_impl = trait is not None
        if body is not None:
            self.items(body)
        self.in_trait, self.self_type, self.trait_impl, self.in_function = outer
        self.close(mark)
        self.show_locals(hidden)
        return OPAQUE

    def bare(self, node: Node | None) -> str:
        """The name of a type without its arguments, references and `dyn`."""
        while node is not None and node.type in ("reference_type", "generic_type", "dynamic_type", "pointer_type"):
            node = node.child_by_field_name("trait" if node.type == "dynamic_type" else "type")
        if node is None or node.type not in ("type_identifier", "scoped_type_identifier", "primitive_type"):
            return ""
        return self.text(node).replace(" ", "")

    # macros

    def on_macro_definition(self, node: Node, role: int = READ) -> int:
        exported = any("macro_export" in self.text(item) for item in self.attributes)
        flags, doc, first = self.take()
        name_node = node.child_by_field_name("name")
        symbol = self.define(
            name_node,
            "macro",
            node,
            start=first,
            signature=f"macro_rules! {self.text(name_node)}",
            doc=doc,
            flags=flags | (Flag.EXPORTED if exported else 0),
        )
        scope = self.builder.enter(symbol, node.end_point[0] + 1)
        for rule in node.named_children:
            if rule.type == "macro_rule" and (right := rule.child_by_field_name("right")) is not None:
                self.scan_definition(right)
        self.builder.leave(scope)
        return OPAQUE

    def on_macro_invocation(self, node: Node, role: int = READ) -> int:
        if self.in_function:
            return super().on_macro_invocation(node, role)
        self.take()
        macro = node.child_by_field_name("macro")
        self.visit(macro, 0)
        for child in node.named_children:
            if child.type == "token_tree":
                self.scan_invocation(child, self.text(macro), items=True)
        return OPAQUE
