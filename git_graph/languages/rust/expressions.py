"""How Rust's expressions, patterns and types read: the part of the walk that knows no items.

`?` and the patterns `Some(x)` and `Ok(x)` are the index `?` of a value, `Err(x)` the index `Err`; a field of a tuple or
of a tuple struct is the attribute `0`; a closure's parameter in a method call is what a loop over the receiver yields.
"""

from __future__ import annotations

from typing import ClassVar

from git_graph.languages.lexical import LexicalWalker, Local
from git_graph.languages.rust.patterns import Patterns
from git_graph.languages.walker import Node
from git_graph.model import (
    CALL,
    FIRST_EXPRESSION,
    INSTANTIATE,
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    SELF,
    TYPE,
    WRITE,
    X_AWAIT,
    X_CALL,
    X_INDEX,
    X_ITERATE,
    X_NAME,
    X_NEW,
)

_ERROR_CLOSURES = frozenset(("map_err", "unwrap_or_else", "or_else", "inspect_err"))
_SECOND = frozenset(("fold", "try_fold", "scan", "rfold"))


class Expressions(Patterns):
    """Handlers of expressions, patterns and types."""

    SKIP: ClassVar[frozenset[str]] = frozenset(
        (
            "line_comment", "block_comment", "lifetime", "label", "visibility_modifier", "string_literal_content",
            "integer_literal", "float_literal", "char_literal", "boolean_literal", "unit_expression", "shebang",
            "mutable_specifier", "fragment_specifier", "inner_attribute_item", "never_type", "unit_type",
            "function_modifiers", "extern_modifier", "empty_statement", "remaining_field_pattern",
        )
    )  # fmt: skip
    ALIASES: ClassVar[dict[str, str]] = {
        "scoped_type_identifier": "scoped_identifier",
        "raw_string_literal": "string_literal",
        "compound_assignment_expr": "assignment_expression",
        "generic_type_with_turbofish": "generic_type",
        "const_block": "unsafe_block",
        "try_block": "async_block",
        "loop_expression": "while_expression",
    }

    GIVEN: ClassVar[dict[str, Local]] = {**LexicalWalker.GIVEN, "Self": (SELF, "", 0, 0)}

    mods: list[str]
    """The inline modules that the present place stands in."""
    closure_of = NONE
    """What the method is called on whose arguments are visited: a closure's parameter is what it yields."""
    closure_position = 0
    """Which parameter of such a closure that is."""

    # paths and names

    def path_root(self, word: str) -> int:
        """`crate`, `self` and `super` as a path's first part, told from the file's own module."""
        builder = self.builder
        if word == "crate" or not self.mods:
            return builder.name(word)
        value = builder.name("self")
        for mod in self.mods if word == "self" else self.mods[:-1]:
            value = builder.attribute(value, mod)
        return value

    def on_type_identifier(self, node: Node, role: int = READ) -> int:
        return self.on_identifier(node, TYPE if role == READ else role)

    def void_type_identifier(self, node: Node, role: int = READ) -> int:
        return self.void_identifier(node, TYPE if role == READ else role)

    def on_self(self, node: Node, role: int = READ) -> int:
        return SELF

    def on_crate(self, node: Node, role: int = READ) -> int:
        return self.path_root(node.type)

    def on_super(self, node: Node, role: int = READ) -> int:
        return self.path_root(node.type)

    def on_primitive_type(self, node: Node, role: int = READ) -> int:
        return self.builder.literal(self.text(node))

    def on_scoped_identifier(self, node: Node, role: int = READ) -> int:
        path, name_node = node.child_by_field_name("path"), node.child_by_field_name("name")
        if node.type == "scoped_type_identifier" and role == READ:
            role = TYPE
        if path is None:
            of = NONE
        elif path.type == "self":
            of = self.path_root("self")
        elif path.type == "super" or (
            path.type == "scoped_identifier" and path.child_by_field_name("name").type == "super"
        ):
            of = self.supers(path)
        else:
            of = self.visit(path, READ)
        if name_node is None or name_node.type in ("self", "super"):
            return of
        return self.member(name_node, of, role)

    def supers(self, path: Node) -> int:
        """`super::super`: as many inline modules up, then files."""
        count = self.text(path).count("super")
        inner = len(self.mods)
        if count <= inner:
            value = self.builder.name("self")
            for mod in self.mods[: inner - count]:
                value = self.builder.attribute(value, mod)
            return value
        value = self.builder.name("super")
        for _ in range(min(count - inner - 1, 64)):
            value = self.builder.attribute(value, "super")
        return value

    def on_bracketed_type(self, node: Node, role: int = READ) -> int:
        """`<T as Trait>::f`: what T has, else what the trait has."""
        value = OPAQUE
        for child in node.named_children:
            for part in child.named_children if child.type == "qualified_type" else (child,):
                found = self.visit(part, TYPE)
                value = found if value == OPAQUE else value
        return value

    # types

    def on_generic_type(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("type"), TYPE if role == READ else role)
        if (arguments := node.child_by_field_name("type_arguments")) is not None:
            self.through(arguments, TYPE)
        return value

    def on_type_binding(self, node: Node, role: int = READ) -> int:
        if (type_ := node.child_by_field_name("type")) is not None:
            self.visit(type_, TYPE)
        return OPAQUE

    def on_reference_type(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("type"), TYPE)

    def on_dynamic_type(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("trait"), TYPE)

    def type_text(self, node: Node | None) -> str:
        """A type as written."""
        return "" if node is None else self.text(node)

    # calls and members

    def on_call_expression(self, node: Node, role: int = READ) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        called = self.visit(function, CALL)
        named = function.child_by_field_name("function") if function.type == "generic_function" else function
        self.note_arguments(named.end_byte, arguments)
        if arguments.named_child_count:
            outer = self.closure_of, self.closure_position
            self.closure_of = NONE
            if function.type == "generic_function":
                function = function.child_by_field_name("function")
            if function.type == "field_expression" and called > SELF:
                name = self.text(function.child_by_field_name("field"))
                if name not in _ERROR_CLOSURES:
                    self.closure_of = self.builder.slice.expressions.of[called - FIRST_EXPRESSION]
                    self.closure_position = 1 if name in _SECOND else 0
            self.through(arguments)
            self.closure_of, self.closure_position = outer
        return self.builder.expression(X_CALL, called) if called != OPAQUE else OPAQUE

    def on_generic_function(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("function"), role)
        self.through(node.child_by_field_name("type_arguments"), TYPE)
        return value

    def on_field_expression(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("value"))
        field = node.child_by_field_name("field")
        if self.type_of[field.kind_id] == "field_identifier":
            return self.member(field, of, role)
        return self.builder.attribute(of, self.text(field)) if of != OPAQUE else OPAQUE

    def on_struct_expression(self, node: Node, role: int = READ) -> int:
        type_ = self.visit(node.child_by_field_name("name"), INSTANTIATE)
        value = type_ if type_ in (OPAQUE, SELF) else self.builder.expression(X_NEW, type_)
        for child in node.child_by_field_name("body").named_children:
            if child.type == "field_initializer":
                field = child.child_by_field_name("field") or child.child_by_field_name("name")
                if field is not None and field.type != "integer_literal":
                    self.refer(field, WRITE, value)
                if (inner := child.child_by_field_name("value")) is not None:
                    self.visit(inner)
            elif child.type == "shorthand_field_initializer":
                for name in child.named_children:
                    self.refer(name, WRITE, value)
            else:
                self.visit(child)
        return value

    def on_macro_invocation(self, node: Node, role: int = READ) -> int:
        macro = node.child_by_field_name("macro")
        self.visit(macro, CALL)
        name = self.text(macro).rpartition(":")[2]
        for child in node.named_children:
            if child.type == "token_tree":
                self.scan_invocation(child, name, items=False)
        return self.builder.literal("String") if name == "format" else OPAQUE

    def on_closure_expression(self, node: Node, role: int = READ) -> int:
        of, position = self.closure_of, self.closure_position
        self.closure_of = NONE
        mark = self.block(node)
        element = self.builder.expression(X_ITERATE, of) if of > SELF else OPAQUE
        for index, parameter in enumerate(node.child_by_field_name("parameters").named_children):
            given = element if index == position else OPAQUE
            if parameter.type == "parameter":
                self.parameter(parameter)
            else:
                self.bind(parameter, given)
        if (returns := node.child_by_field_name("return_type")) is not None:
            self.visit(returns, TYPE)
        self.visit(node.child_by_field_name("body"))
        self.close(mark)
        self.closure_of = of
        return self.builder.annotation(f"fn() -> {self.type_text(returns)}") if returns is not None else OPAQUE

    def parameter(self, node: Node) -> None:
        """Declare a parameter by its pattern."""
        type_, pattern = node.child_by_field_name("type"), node.child_by_field_name("pattern")
        if type_ is not None:
            self.visit(type_, TYPE)
        if pattern is not None and pattern.type != "self":
            value = self.builder.annotation(self.type_text(type_)) if type_ is not None else OPAQUE
            self.bind(pattern, value, PARAMETER)

    # operators

    def on_unary_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child)
        return value if node.children[0].type == "*" else OPAQUE

    def on_reference_expression(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("value"), role)

    def on_parenthesized_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child, role)
        return value

    def on_try_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.named_children[0])
        return self.builder.expression(X_INDEX, value, "?") if value != OPAQUE else OPAQUE

    def on_await_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.named_children[0])
        return self.builder.expression(X_AWAIT, value) if value != OPAQUE else OPAQUE

    def on_index_expression(self, node: Node, role: int = READ) -> int:
        values = [self.visit(child) for child in node.named_children]
        if not values or values[0] == OPAQUE:
            return OPAQUE
        if node.named_children[-1].type == "range_expression":
            return values[0]
        return self.builder.expression(X_INDEX, values[0])

    def on_type_cast_expression(self, node: Node, role: int = READ) -> int:
        type_ = node.child_by_field_name("type")
        self.visit(node.child_by_field_name("value"))
        self.visit(type_, TYPE)
        return self.builder.annotation(self.type_text(type_))

    def on_assignment_expression(self, node: Node, role: int = READ) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.visit(right)
        self.visit(left, WRITE)
        return OPAQUE

    def on_string_literal(self, node: Node, role: int = READ) -> int:
        return self.builder.literal("str")

    # blocks

    def outliving(self, value: int) -> int:
        """A block's value, unless it speaks of a local that is gone with the block."""
        root, table = value, self.builder.slice.expressions
        first = FIRST_EXPRESSION
        while root >= first and table.kind[root - first] != X_NAME and table.of[root - first]:
            root = table.of[root - first]
        if root < first or table.kind[root - first] != X_NAME or root not in self.bound:
            return value
        name = self.builder.slice.strings[table.text[root - first]].partition("#")[0]
        return value if self.known(name) == root else OPAQUE

    def on_unsafe_block(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child)
        return value

    def on_async_block(self, node: Node, role: int = READ) -> int:
        self.through(node)
        return OPAQUE

    def on_if_expression(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        self.visit(node.child_by_field_name("condition"))
        value = self.visit(node.child_by_field_name("consequence"))
        self.close(mark)
        value = self.outliving(value)
        if (alternative := node.child_by_field_name("alternative")) is not None:
            for child in alternative.named_children:
                other = self.visit(child)
                value = other if value == OPAQUE else value
        return value

    def on_while_expression(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        self.through(node)
        self.close(mark)
        return OPAQUE

    def on_for_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("value"))
        mark = self.block(node)
        element = self.builder.expression(X_ITERATE, value) if value != OPAQUE else OPAQUE
        self.bind(node.child_by_field_name("pattern"), element)
        self.visit(node.child_by_field_name("body"))
        self.close(mark)
        return OPAQUE

    def on_match_expression(self, node: Node, role: int = READ) -> int:
        of, result = self.visit(node.child_by_field_name("value")), OPAQUE
        body = node.child_by_field_name("body")
        for arm in body.named_children if body is not None else ():
            if arm.type != "match_arm":
                self.visit(arm)
                continue
            mark = self.block(arm)
            pattern = arm.child_by_field_name("pattern")
            for child in pattern.named_children:
                if child != pattern.child_by_field_name("condition"):
                    self.bind(child, of)
            if (condition := pattern.child_by_field_name("condition")) is not None:
                self.visit(condition)
            value = self.visit(arm.child_by_field_name("value"))
            self.close(mark)
            result = self.outliving(value) if result == OPAQUE else result
        return result

    def on_let_condition(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("value"))
        self.bind(node.child_by_field_name("pattern"), value)
        return OPAQUE

    def on_let_declaration(self, node: Node, role: int = READ) -> int:
        pattern, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        right = node.child_by_field_name("value")
        if right is not None and right.type == "tuple_expression" and pattern is not None and type_ is None:
            self.bind_tuple(pattern, right)
            return OPAQUE
        value = self.visit(right) if right is not None else OPAQUE
        if type_ is not None:
            self.visit(type_, TYPE)
            text = self.type_text(type_)
            value = value if text == "_" else self.builder.annotation(text)
        if (alternative := node.child_by_field_name("alternative")) is not None:
            self.visit(alternative)
        if pattern is not None:
            self.bind(pattern, value)
        return OPAQUE

    def bind_tuple(self, pattern: Node, right: Node) -> None:
        """`let (a, b) = (x, y)` pair by pair."""
        values = [self.visit(child) for child in right.named_children]
        parts = [child for child in pattern.children if child.type not in ("(", ")", ",")]
        if pattern.type == "tuple_pattern" and len(parts) == len(values):
            for part, value in zip(parts, values, strict=True):
                self.bind(part, value)
        else:
            self.bind(pattern, OPAQUE)
