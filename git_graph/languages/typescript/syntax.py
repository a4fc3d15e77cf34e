"""How TypeScript's syntax becomes symbols, references, imports and bindings: JavaScript's walk, and what has types.

Interfaces, and type aliases of object types, hold their members as symbols. A signature without a body beside an
implementation is a declaration of it.
"""

from __future__ import annotations

from git_graph.languages.javascript.patterns import line_of
from git_graph.languages.typescript.types import Types
from git_graph.languages.walker import Node, last_line
from git_graph.model import ALIAS, INHERIT, OPAQUE, READ, TYPE, Flag


class Syntax(Types):
    """TypeScript's walk."""

    # expressions with types

    def on_as_expression(self, node: Node, role: int = READ) -> int:
        children = node.named_children
        value = self.visit(children[0], role)
        if len(children) < 2:
            return value  # as const
        self.visit(children[1], TYPE)
        return self.annotation_text(self.text(children[1]))

    def member_of_cast(self, node: Node) -> int:
        """`x as A.B.C`, which the grammar reads as `(x as A.B).C`."""
        cast = node.children[0]
        value, type_, key = cast.named_children[0], cast.named_children[-1], node.children[-1]
        self.visit(value)
        if self.type_of[type_.kind_id] == "nested_type_identifier":
            of, last = self.qualifier(type_.children[0]), type_.children[-1]
            self.refer(last, READ, of)
            of = self.attribute(of, self.text(last))
        else:
            of = self.namespace(type_)
        self.refer(key, TYPE, of)
        return self.annotation_text(self.between(type_, key.end_byte))

    def on_satisfies_expression(self, node: Node, role: int = READ) -> int:
        children = node.named_children
        value = self.visit(children[0], role)
        self.each(children[1:], TYPE)
        return value

    def on_type_assertion(self, node: Node, role: int = READ) -> int:
        type_, value = node.named_children[0], node.named_children[-1]
        self.visit(type_, TYPE)
        self.visit(value, role)
        return self.annotation_text(self.text(type_)[1:-1].strip())

    def on_non_null_expression(self, node: Node, role: int = READ) -> int:
        return self.visit(node.children[0], role)

    def on_instantiation_expression(self, node: Node, role: int = READ) -> int:
        children = node.named_children
        value = self.visit(children[0], role)
        self.each(children[1:], TYPE)
        return value

    def casts(self, node: Node, inner: Node) -> None:
        while node.id != inner.id and node.named_child_count:
            children = node.named_children
            first = self.type_of[node.kind_id] == "type_assertion"
            for child in children[:-1] if first else children[1:]:
                self.visit(child, TYPE)
            node = children[-1 if first else 0]

    # definitions

    on_abstract_class_declaration = Types.on_class_declaration

    def on_ambient_declaration(self, node: Node, role: int = READ) -> int:
        self.next_flags |= Flag.DECLARATION
        for child in node.named_children:
            if self.type_of[child.kind_id] == "statement_block":  # declare global
                self.pending()
                self.global_scope(node, child)
            else:
                self.visit(child)
        self.pending()
        return OPAQUE

    def global_scope(self, node: Node, body: Node) -> None:
        """`declare global { ... }`: a namespace that every file sees into."""
        symbol = self.define(
            node.children[1], "namespace", node, name="global", flags=Flag.DECLARATION, signature="declare global"
        )
        scope = self.builder.enter(symbol, last_line(node))
        self.statements(body.children)
        self.builder.leave(scope)

    def on_function_signature(self, node: Node, role: int = READ) -> int:
        flags, start = self.pending()
        name_node = node.child_by_field_name("name")
        name = self.text(name_node)
        symbol = self.define_function(name_node, name, node, start=start, flags=flags | Flag.DECLARATION)
        self.signature(node, symbol)
        return self.builder.name(name)

    def signature(self, node: Node, symbol: int) -> None:
        """Walk a function without a body."""
        scope = self.builder.enter(symbol, last_line(node))
        self.on_function_type(node)
        self.builder.leave(scope)

    def function(self, node: Node, *arguments: object, **named: object) -> None:
        if self.type_of[node.kind_id] in ("method_signature", "abstract_method_signature"):
            self.signature(node, int(arguments[0]))  # type: ignore[call-overload]
        else:
            super().function(node, *arguments, **named)  # type: ignore[arg-type]

    def on_interface_declaration(self, node: Node, role: int = READ) -> int:
        flags, start = self.pending()
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = self.text(name_node)
        clauses = [child for child in node.named_children if self.type_of[child.kind_id] == "extends_type_clause"]
        bases = [base for clause in clauses for base in clause.named_children]
        symbol = self.define(
            name_node, "interface", node, name=name, start=start, flags=flags, doc=self.doc(),
            signature=self.head(node, body.start_byte), bases=[self.text(base) for base in bases],
        )  # fmt: skip
        mark, scope = self.open_type(node, symbol)
        self.each(bases, INHERIT)
        self.type_members(body, symbol)
        self.close(mark)
        self.builder.leave(scope)
        return OPAQUE

    def open_type(self, node: Node, symbol: int):  # type: ignore[no-untyped-def]
        """Enter a type's definition and declare its parameters."""
        mark, scope = self.open(node), self.builder.enter(symbol, last_line(node), class_=True)
        parameters = node.child_by_field_name("type_parameters")
        if parameters is not None:
            self.visit(parameters)
        return mark, scope

    def type_members(self, body: Node, symbol: int) -> None:
        """The members of an interface or object type that `symbol` holds."""
        doc: Node | None = None
        for child in body.named_children:
            kind = self.type_of[child.kind_id]
            if kind == "comment":
                doc = child
                continue
            self.doc_comment, doc = doc, None
            if kind == "property_signature":
                self.property_member(child, symbol)
            elif kind == "method_signature":
                name_node = child.child_by_field_name("name")
                name = self.property_name(name_node)
                member = self.define_method(child, name_node, name, symbol, flags=Flag.ABSTRACT)
                self.builder.slice.symbols.flags[member] &= ~Flag.DECLARATION
                self.signature(child, member)
            else:
                self.visit(child, TYPE)

    def property_member(self, node: Node, symbol: int) -> None:
        """A property of an interface or object type; one whose type is an object type holds members itself."""
        name_node, annotation = node.child_by_field_name("name"), node.child_by_field_name("type")
        member = self.define(
            name_node, "property", node, name=self.property_name(name_node), parent=symbol, doc=self.doc(),
            signature=self.head(node, node.end_byte), returns=self.returns_text(annotation),
            flags=self.flag_words(node),
        )  # fmt: skip
        if self.type_of[name_node.kind_id] == "computed_property_name":
            self.visit(name_node)
        if annotation is not None:
            self.type_value(annotation.named_children[0], member)

    def type_value(self, node: Node, symbol: int) -> None:
        """Visit a type that `symbol` stands for or has; object types in it give it members."""
        kind = self.type_of[node.kind_id]
        if kind == "object_type":
            self.type_members(node, symbol)
        elif kind in ("intersection_type", "union_type", "parenthesized_type"):
            for child in node.named_children:
                self.type_value(child, symbol)
        else:
            self.visit(node, TYPE)

    def on_type_alias_declaration(self, node: Node, role: int = READ) -> int:
        flags, start = self.pending()
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        name = self.text(name_node)
        symbol = self.define(
            name_node, "type_alias", node, name=name, start=start, flags=flags, doc=self.doc(),
            signature=self.head(node, node.end_byte), returns=self.text(value) if value is not None else "",
        )  # fmt: skip
        mark, scope = self.open_type(node, symbol)
        if value is not None:
            self.type_value(value, symbol)
        self.close(mark)
        self.builder.leave(scope)
        if value is not None:
            self.builder.binding(name, ALIAS, self.annotation_text(self.text(value)), line_of(node))
        return OPAQUE

    def on_enum_declaration(self, node: Node, role: int = READ) -> int:
        flags, start = self.pending()
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        symbol = self.define(
            name_node,
            "enum",
            node,
            start=start,
            flags=flags,
            doc=self.doc(),
            signature=self.head(node, body.start_byte),
        )
        scope, doc = self.builder.enter(symbol, last_line(node)), None
        for child in body.named_children:
            if self.type_of[child.kind_id] == "comment":
                doc = child
                continue
            self.doc_comment, doc = doc, None
            key = child.children[0] if self.type_of[child.kind_id] == "enum_assignment" else child
            self.define(
                key, "enum_member", child, name=self.property_name(key), doc=self.doc(), signature=self.text(child)
            )
            if self.type_of[child.kind_id] == "enum_assignment":
                self.visit(child.children[-1])
        self.builder.leave(scope)
        return OPAQUE

    # namespaces

    def on_internal_module(self, node: Node, role: int = READ) -> int:
        flags, start = self.pending()
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        parts = [name_node]
        while parts[0].type == "nested_identifier":
            parts[:1] = [parts[0].children[0], parts[0].children[-1]]
        scopes, outer = [], (self.local, self.in_function)
        for part in parts:
            name = self.text(part)[1:-1] if self.type_of[part.kind_id] == "string" else self.text(part)
            symbol = self.define(
                part, "namespace", node, name=name, start=start, flags=flags, doc=self.doc(),
                signature=self.head(node, body.start_byte if body is not None else node.end_byte),
            )  # fmt: skip
            scopes.append(self.builder.enter(symbol, last_line(node)))
            flags |= Flag.EXPORTED
        if body is not None:
            mark = self.open(node, local=False)
            self.in_function = False
            self.statements(body.children)
            self.close(mark)
        for scope in reversed(scopes):
            self.builder.leave(scope)
        self.local, self.in_function = outer
        return OPAQUE

    on_module = on_internal_module

    def on_import_alias(self, node: Node, role: int = READ) -> int:
        """`import X = A.B.C`."""
        flags, _ = self.pending()
        local, target = node.named_children[0], node.named_children[-1]
        name, value = self.text(local), self.visit(target)
        self.define(local, "type_alias", node, name=name, flags=flags, signature=self.text(node))
        self.builder.binding(name, ALIAS, value, line_of(node))
        return OPAQUE
