"""How Rust's types and constants become symbols: structures, unions, enumerations, aliases, and their parameters."""

from __future__ import annotations

from git_graph.languages.rust.imports import Imports
from git_graph.languages.walker import Node
from git_graph.model import ALIAS, FIELD, OPAQUE, READ, TYPE, TYPE_PARAMETER, VARIABLE, Flag


class Types(Imports):
    """Handlers of types and constants."""

    self_type = ""
    """The type of the present `impl` block as written, without its arguments."""
    in_function = False
    in_trait = False
    trait_impl = False

    def items(self, node: Node, *, top: bool = False) -> int:
        """Visit the children of a list of items or statements; the value of the last if it is an expression."""
        raise NotImplementedError

    def generics(self, node: Node, *, implementation: bool = False) -> None:
        """Declare the type parameters of an item, with their bounds.

        Those of an `impl` stand for its type's own: they are recorded only where they add bounds.
        """
        parameters = node.child_by_field_name("type_parameters")
        bounds: dict[str, list[Node]] = {}
        declared = [] if parameters is None else parameters.named_children
        for parameter in declared:
            if (name := parameter.child_by_field_name("name")) is not None and parameter.type != "lifetime_parameter":
                own = parameter.child_by_field_name("bounds")
                bounds[self.text(name)] = [] if own is None else [own]
                self.rename(self.text(name), self.builder.name(self.text(name)))
        for parameter in declared:
            for field in ("bounds", "default_type", "type"):
                if (part := parameter.child_by_field_name(field)) is not None:
                    self.visit(part, TYPE)
        for child in node.children:
            if child.type == "where_clause":
                self.where(child, bounds)
        for text, found in bounds.items():
            if found or not implementation:
                written = " + ".join(self.type_text(bound).lstrip(": ") for bound in found)
                value = self.builder.annotation(written) if written else OPAQUE
                self.builder.binding(text, TYPE_PARAMETER, value, node.start_point[0] + 1, self.end_line)

    def where(self, node: Node, found: dict[str, list[Node]]) -> None:
        for predicate in node.named_children:
            left, bounds = predicate.child_by_field_name("left"), predicate.child_by_field_name("bounds")
            self.through(predicate, TYPE)
            if left is not None and bounds is not None and (name := self.text(left)) in found:
                found[name].append(bounds)

    def on_struct_item(self, node: Node, role: int = READ) -> int:
        kind = {"struct_item": "struct", "union_item": "union", "enum_item": "enum"}[node.type]
        body = node.child_by_field_name("body")
        symbol = self.type_symbol(node, kind, "", body)
        scope, mark = self.builder.enter(symbol, node.end_point[0] + 1), self.block(node)
        self.generics(node)
        if body is not None:
            self.fields(body)
        self.close(mark)
        self.builder.leave(scope)
        return OPAQUE

    def on_union_item(self, node: Node, role: int = READ) -> int:
        return self.on_struct_item(node)

    def on_enum_item(self, node: Node, role: int = READ) -> int:
        return self.on_struct_item(node)

    def type_symbol(self, node: Node, kind: str, returns: str, body: Node | None, bases: tuple[str, ...] = ()) -> int:
        flags, doc, first = self.take()
        name_node = node.child_by_field_name("name")
        name = self.text(name_node)
        self.free(name)
        end = body.start_byte if body is not None else node.end_byte
        member = bool(self.self_type) and not self.in_trait
        return self.define(
            name_node,
            kind,
            node,
            start=first,
            signature=self.between(node, end).rstrip("; \n"),
            doc=doc,
            flags=flags | self.visible(node) | self.implied(),
            returns=returns,
            bases=bases,
            owner=self.self_type if member else "",
        )

    def implied(self) -> Flag:
        """The flags that a trait, or its implementation, gives what stands in it."""
        if self.in_trait:
            return Flag.EXPORTED
        return Flag.EXPORTED | Flag.OVERRIDE if self.self_type and self.trait_impl else Flag(0)

    def fields(self, body: Node) -> None:
        """The fields of a struct or variant, or the variants of an enum."""
        if body.type == "ordered_field_declaration_list":
            types = list(body.children_by_field_name("type"))
            for position, type_ in enumerate(types):
                self.visit(type_, TYPE)
                value = self.builder.annotation(self.type_text(type_))
                self.builder.binding(str(position), FIELD, value, type_.start_point[0] + 1, self.end_line)
        else:
            self.items(body)

    def on_field_declaration(self, node: Node, role: int = READ) -> int:
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        flags, doc, first = self.take()
        self.define(
            name_node,
            "field",
            node,
            start=first,
            signature=self.text(node),
            doc=doc,
            flags=flags | self.visible(node),
            returns=self.type_text(type_),
        )
        self.visit(type_, TYPE)
        return OPAQUE

    def on_enum_variant(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        flags, doc, first = self.take()
        enum = self.builder.scope.symbol
        strings, symbols = self.builder.slice.strings, self.builder.slice.symbols
        name = strings[symbols.name[enum]]
        symbol = self.define(
            name_node,
            "enum_member",
            node,
            start=first,
            signature=self.text(node),
            doc=doc,
            flags=flags | Flag(symbols.flags[enum] & Flag.EXPORTED),
            returns=name,
            bases=() if body is None else (name,),
        )
        if body is not None:
            scope = self.builder.enter(symbol, node.end_point[0] + 1)
            self.fields(body)
            self.builder.leave(scope)
        if (value := node.child_by_field_name("value")) is not None:
            self.visit(value)
        return OPAQUE

    def on_type_item(self, node: Node, role: int = READ) -> int:
        type_ = node.child_by_field_name("type")
        text = self.type_text(type_)
        symbol = self.type_symbol(node, "type_alias", text, None)
        name = self.text(node.child_by_field_name("name"))
        scope, mark = self.builder.enter(symbol, node.end_point[0] + 1), self.block(node)
        self.generics(node)
        if type_ is not None:
            self.visit(type_, TYPE)
        self.close(mark)
        self.builder.leave(scope)
        if text and not self.self_type and not self.in_trait:
            self.builder.binding(name, ALIAS, self.builder.annotation(text), node.start_point[0] + 1)
        return OPAQUE

    def on_associated_type(self, node: Node, role: int = READ) -> int:
        self.type_symbol(node, "type_alias", "", None)
        if (bounds := node.child_by_field_name("bounds")) is not None:
            self.visit(bounds, TYPE)
        return OPAQUE

    def on_const_item(self, node: Node, role: int = READ) -> int:
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        name, value = self.text(name_node), node.child_by_field_name("value")
        member = bool(self.self_type) or self.in_trait
        if type_ is not None:
            self.visit(type_, TYPE)
        if name != "_" and (member or not self.in_function):
            kind = "constant" if node.type == "const_item" else "variable"
            self.type_symbol_constant(node, kind, self.type_text(type_))
        if name != "_" and not member:
            bound = self.builder.annotation(self.type_text(type_)) if type_ is not None else OPAQUE
            if self.in_function:
                self.declare(name, bound, name_node.start_point[0] + 1)
            elif bound != OPAQUE:
                self.builder.binding(name, VARIABLE, bound, name_node.start_point[0] + 1)
        if value is not None:
            self.visit(value)
        return OPAQUE

    def on_static_item(self, node: Node, role: int = READ) -> int:
        return self.on_const_item(node)

    def type_symbol_constant(self, node: Node, kind: str, returns: str) -> None:
        flags, doc, first = self.take()
        name_node = node.child_by_field_name("name")
        member = bool(self.self_type) and not self.in_trait
        self.define(
            name_node,
            kind,
            node,
            start=first,
            signature=self.text(node).split("\n", 1)[0].rstrip(";"),
            doc=doc,
            flags=flags | self.visible(node) | self.implied() | (Flag.READONLY if kind == "constant" else 0),
            returns=returns,
            owner=self.self_type if member else "",
        )
