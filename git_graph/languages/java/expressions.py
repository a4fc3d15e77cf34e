"""How Java's expressions, statements and types read: the part of the walk that knows no declarations of members.

A lambda's parameter in a method call is what a loop over the receiver yields.
"""

from __future__ import annotations

from typing import ClassVar

from git_graph.languages.lexical import LexicalWalker
from git_graph.languages.walker import Node
from git_graph.model import (
    CALL,
    DECORATE,
    INSTANTIATE,
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    SELF,
    SUPER,
    TYPE,
    WRITE,
    X_CALL,
    X_INDEX,
    X_ITERATE,
    X_NEW,
)

_SIMPLE_TYPES = ("type_identifier", "scoped_type_identifier", "generic_type", "array_type", "integral_type")


class Expressions(LexicalWalker):
    """Handlers of expressions, statements and types."""

    SKIP: ClassVar[frozenset[str]] = frozenset(
        (
            "line_comment", "block_comment", "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal",
            "binary_integer_literal", "decimal_floating_point_literal", "hex_floating_point_literal", "true", "false",
            "null_literal", "character_literal", "void_type", "integral_type", "floating_point_type", "boolean_type",
            "break_statement", "continue_statement", "string_fragment", "escape_sequence", "underscore_pattern",
            "dimensions",
        )
    )  # fmt: skip
    ALIASES: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("for_statement", "try_statement", "try_with_resources_statement", "catch_clause"), "block"),
        **dict.fromkeys(("switch_block_statement_group", "switch_rule", "constructor_body"), "block"),
        "marker_annotation": "annotation",
        "switch_statement": "switch_expression",
        "template_expression": "parenthesized_expression",
        "type_pattern": "instanceof_pattern",
    }

    lambda_of = NONE
    """What the method is called on whose arguments are visited: a lambda's parameter is what it yields."""

    # names

    def on_this(self, node: Node, role: int = READ) -> int:
        return SELF

    def on_super(self, node: Node, role: int = READ) -> int:
        return SUPER

    def on_scoped_identifier(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("scope"))
        return self.member(node.child_by_field_name("name"), of, role)

    def on_field_access(self, node: Node, role: int = READ) -> int:
        object_, field = node.child_by_field_name("object"), node.child_by_field_name("field")
        if field.type == "this":  # Outer.this
            type_ = self.visit(object_, TYPE)
            return self.builder.expression(X_NEW, type_) if type_ != OPAQUE else OPAQUE
        if any(child.type == "super" for child in node.children[1:]):
            self.visit(object_, TYPE)
            return self.member(field, SUPER, role)
        return self.member(field, self.visit(object_), role)

    # types

    def on_type_identifier(self, node: Node, role: int = READ) -> int:
        return self.on_identifier(node, TYPE if role == READ else role)

    def void_type_identifier(self, node: Node, role: int = READ) -> int:
        return self.void_identifier(node, TYPE if role == READ else role)

    def on_scoped_type_identifier(self, node: Node, role: int = READ) -> int:
        of, parts = NONE, [c for c in node.named_children if c.type.endswith(("type_identifier", "generic_type"))]
        for part in parts[:-1]:
            of = self.visit(part, TYPE)
        if not parts:
            return OPAQUE
        for child in node.named_children:
            if child.type.endswith("annotation"):
                self.visit(child)
        return self.member(parts[-1], of, TYPE if role == READ else role)

    def on_generic_type(self, node: Node, role: int = READ) -> int:
        type_, *arguments = node.named_children
        value = self.visit(type_, role)
        self.each(arguments, TYPE)
        return value

    def on_array_type(self, node: Node, role: int = READ) -> int:
        self.visit(node.child_by_field_name("element"), TYPE)
        return self.builder.annotation(self.text(node))

    def on_class_literal(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            self.visit(child, TYPE)
        return self.builder.annotation(f"Class<{self.text(node).removesuffix('.class').strip()}>")

    def declared_type(self, type_: Node | None, dimensions: Node | None = None) -> str:
        """The text of a declared type, `""` for `var`."""
        if type_ is None:
            return ""
        text = self.text(type_)
        return "" if text == "var" else text + (self.text(dimensions) if dimensions is not None else "")

    # calls

    def on_method_invocation(self, node: Node, role: int = READ) -> int:
        of, name_node = self.receiver(node), node.child_by_field_name("name")
        called = self.builder.name(self.word(name_node)) if of == NONE else NONE
        self.member_void(name_node, of, CALL)
        self.invoked(node, of)
        if of == OPAQUE:
            return OPAQUE
        return self.builder.expression(X_CALL, called or self.builder.attribute(of, self.word(name_node)))

    def void_method_invocation(self, node: Node, role: int = READ) -> int:
        of = self.receiver(node)
        self.member_void(node.child_by_field_name("name"), of, CALL)
        self.invoked(node, of)
        return OPAQUE

    def receiver(self, node: Node) -> int:
        """The expression of what a method is called on."""
        object_ = node.child_by_field_name("object")
        if object_ is None:
            return NONE
        of = self.visit(object_)
        type_of = self.type_of
        return SUPER if any(type_of[child.kind_id] == "super" for child in node.children[1:]) else of

    def invoked(self, node: Node, of: int) -> None:
        """The arguments of a call on `of`."""
        if (types := node.child_by_field_name("type_arguments")) is not None:
            self.through(types, TYPE)
        arguments = node.child_by_field_name("arguments")
        self.note_arguments(node.child_by_field_name("name").end_byte, arguments)
        if arguments.named_child_count:
            outer, self.lambda_of = self.lambda_of, of
            self.through(arguments)
            self.lambda_of = outer

    def on_object_creation_expression(self, node: Node, role: int = READ) -> int:
        type_, body = node.child_by_field_name("type"), None
        for child in node.named_children:
            if child.type == "class_body":
                body = child
            elif child == type_:
                break
            else:
                self.visit(child)  # outer.new Inner()
        value, arguments = self.visit(type_, INSTANTIATE), node.child_by_field_name("arguments")
        if arguments is not None:
            self.note_arguments((type_.children[0] if type_.type == "generic_type" else type_).end_byte, arguments)
        self.visit_arguments(arguments)
        text = self.text(type_)
        for child in node.named_children[-1:]:
            if child.type == "class_body":
                body = child
        if body is not None:
            self.anonymous_class(body, text)
        if type_.type == "generic_type" and not text.endswith("<>"):
            return self.builder.annotation(text)
        return self.builder.expression(X_NEW, value) if value != OPAQUE else OPAQUE

    def visit_arguments(self, node: Node | None) -> None:
        outer, self.lambda_of = self.lambda_of, NONE
        if node is not None:
            self.through(node)
        self.lambda_of = outer

    def anonymous_class(self, body: Node, base: str) -> None:
        """Define the class of `new Base() { ... }`; the part of the walk that knows members does."""
        raise NotImplementedError

    def on_explicit_constructor_invocation(self, node: Node, role: int = READ) -> int:
        constructor = node.child_by_field_name("constructor")
        for child in node.named_children:
            if child.type not in ("this", "super", "argument_list", "type_arguments"):
                self.visit(child)
        base = constructor.type == "super"
        if name := self.constructor_name(base):
            self.refer(constructor, CALL, SUPER if base else SELF, name)
            if (arguments := node.child_by_field_name("arguments")) is not None:
                self.note_arguments(constructor.start_byte + len(name), arguments)
        self.visit_arguments(node.child_by_field_name("arguments"))
        return OPAQUE

    def constructor_name(self, base: bool) -> str:
        """The name of the present class's constructors, or of its base's."""
        raise NotImplementedError

    def on_array_creation_expression(self, node: Node, role: int = READ) -> int:
        type_ = node.child_by_field_name("type")
        self.visit(type_, TYPE)
        for child in node.named_children:
            if child != type_:
                self.visit(child)
        return self.builder.annotation(f"{self.text(type_)}[]")

    def on_method_reference(self, node: Node, role: int = READ) -> int:
        first, last = node.children[0], node.children[-1]
        of = self.visit(first, INSTANTIATE if last.type == "new" else READ)
        if last.type == "identifier":
            self.member(last, of, READ)
        return OPAQUE

    def on_lambda_expression(self, node: Node, role: int = READ) -> int:
        of, mark = self.lambda_of, self.block(node)
        self.lambda_of = NONE
        element = self.builder.expression(X_ITERATE, of) if of > SUPER else OPAQUE
        parameters = node.child_by_field_name("parameters")
        if parameters.type == "identifier":
            self.declare(self.text(parameters), element, parameters.start_point[0] + 1, PARAMETER)
        elif parameters.type == "inferred_parameters":
            for index, name in enumerate(parameters.named_children):
                value = element if parameters.named_child_count == 1 and index == 0 else OPAQUE
                self.declare(self.text(name), value, name.start_point[0] + 1, PARAMETER)
        else:
            self.parameters(parameters)
        self.visit(node.child_by_field_name("body"))
        self.close(mark)
        self.lambda_of = of
        return OPAQUE

    def parameters(self, node: Node) -> None:
        """Declare parameters with their types."""
        for parameter in node.named_children:
            if parameter.type not in ("formal_parameter", "spread_parameter"):
                continue
            self.modifiers(parameter)
            type_, name = self.parameter_parts(parameter)
            if type_ is not None:
                self.visit(type_, TYPE)
            if name is not None:
                text = self.declared_type(type_, parameter.child_by_field_name("dimensions"))
                text += "[]" if parameter.type == "spread_parameter" else ""
                value = self.builder.annotation(text) if text else OPAQUE
                self.declare(self.text(name), value, name.start_point[0] + 1, PARAMETER)

    def parameter_parts(self, node: Node) -> tuple[Node | None, Node | None]:
        """The type and the name of a parameter."""
        type_, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        for child in node.named_children if node.type == "spread_parameter" else ():
            if child.type == "variable_declarator":
                name = child.child_by_field_name("name")
            elif child.type != "modifiers" and type_ is None:
                type_ = child
        return type_, name

    def modifiers(self, node: Node) -> None:
        """Visit the annotations before a declaration."""
        for child in node.children:
            if child.type == "modifiers":
                self.through(child)

    def on_annotation(self, node: Node, role: int = READ) -> int:
        name = self.visit(node.child_by_field_name("name"), DECORATE)
        arguments = node.child_by_field_name("arguments")
        for child in arguments.named_children if arguments is not None else ():
            if child.type == "element_value_pair":
                self.member(child.child_by_field_name("key"), name, READ)
                self.visit(child.child_by_field_name("value"))
            else:
                self.visit(child)
        return OPAQUE

    # operators

    def on_parenthesized_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child, role)
        return value

    def on_cast_expression(self, node: Node, role: int = READ) -> int:
        types = node.children_by_field_name("type")
        self.each(types, TYPE)
        self.visit(node.child_by_field_name("value"))
        return self.builder.annotation(self.text(types[0])) if types else OPAQUE

    def on_array_access(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("array"))
        self.visit(node.child_by_field_name("index"))
        return self.builder.expression(X_INDEX, of) if of != OPAQUE else OPAQUE

    def on_assignment_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("right"))
        self.visit(node.child_by_field_name("left"), WRITE)
        return value

    def on_update_expression(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            self.visit(child, WRITE)
        return OPAQUE

    def on_ternary_expression(self, node: Node, role: int = READ) -> int:
        self.visit(node.child_by_field_name("condition"))
        then = self.visit(node.child_by_field_name("consequence"))
        otherwise = self.visit(node.child_by_field_name("alternative"))
        return otherwise if then == OPAQUE else then

    def on_string_literal(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type == "string_interpolation":
                self.through(child)
        return self.builder.literal("String")
