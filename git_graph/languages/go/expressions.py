"""How Go's expressions, statements and types read: the part of the walk that knows no declarations of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from git_graph.languages.lexical import LexicalWalker
from git_graph.languages.walker import Node
from git_graph.model import (
    CALL,
    INSTANTIATE,
    KIND,
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    TYPE,
    WRITE,
    X_CALL,
    X_INDEX,
    X_ITERATE,
    X_NEW,
)

PREDECLARED = frozenset(
    "bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16"
    " uint32 uint64 uintptr".split()
)
"""Types that are not recorded as references."""
NAMED = ("type_identifier", "qualified_type", "generic_type")


class Expressions(LexicalWalker):
    """Handlers of expressions, statements and types."""

    SPREADS: ClassVar[frozenset[str]] = frozenset(("variadic_argument",))

    SKIP: ClassVar[frozenset[str]] = frozenset(
        (
            "comment", "package_clause", "interpreted_string_literal", "raw_string_literal", "int_literal",
            "float_literal", "imaginary_literal", "rune_literal", "true", "false", "nil", "iota", "label_name",
            "blank_identifier", "break_statement", "continue_statement", "goto_statement", "package_identifier",
        )
    )  # fmt: skip
    in_function = False

    # statements

    def on_block(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        self.through(node)
        self.close(mark)
        return OPAQUE

    def values(self, count: int, rights: Sequence[Node]) -> list[int]:
        """Visit what is assigned to `count` places; the expression that each gets."""
        found = [self.visit(right) for right in rights]
        if len(found) == count:
            return found
        if len(found) != 1:
            return [OPAQUE] * count
        if rights[0].type in ("call_expression", "type_conversion_expression"):
            return [self.builder.expression(X_INDEX, found[0], str(position)) for position in range(count)]
        return [found[0], *[OPAQUE] * (count - 1)]  # v, ok := m[k], x.(T), <-c

    def on_short_var_declaration(self, node: Node, role: int = READ) -> int:
        lefts = _operands(node.child_by_field_name("left"))
        values = self.values(len(lefts), _operands(node.child_by_field_name("right")))
        for left, value in zip(lefts, values, strict=True):
            name = self.text(left)
            if name != "_" and left.type == "identifier" and not (len(lefts) > 1 and self.declared_here(name)):
                self.declare(name, value, left.start_point[0] + 1)
        return OPAQUE

    def on_assignment_statement(self, node: Node, role: int = READ) -> int:
        self.through(node.child_by_field_name("right"))
        for left in _operands(node.child_by_field_name("left")):
            self.visit(left, WRITE)
        return OPAQUE

    def on_inc_statement(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            self.visit(child, WRITE)
        return OPAQUE

    def on_range_clause(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("right"))
        left = node.child_by_field_name("left")
        if left is None:
            return OPAQUE
        values = (self.builder.expression(X_INDEX, of, "range"), self.builder.expression(X_ITERATE, of))
        defines = any(child.type == ":=" for child in node.children)
        for target, value in zip(_operands(left), values if of != OPAQUE else (OPAQUE, OPAQUE), strict=False):
            if not defines:
                self.visit(target, WRITE)
            elif target.type == "identifier" and (name := self.text(target)) != "_":
                self.declare(name, value, target.start_point[0] + 1)
        return OPAQUE

    def on_type_switch_statement(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        if (initializer := node.child_by_field_name("initializer")) is not None:
            self.visit(initializer)
        of, alias = self.visit(node.child_by_field_name("value")), node.child_by_field_name("alias")
        name = self.text(alias) if alias is not None else "_"
        for case in node.named_children:
            if case.type in ("type_case", "default_case"):
                self.type_case(case, name, of)
        self.close(mark)
        return OPAQUE

    def type_case(self, node: Node, name: str, of: int) -> None:
        mark, types = self.block(node), node.children_by_field_name("type")
        self.each(types, TYPE)
        if name != "_":
            if len(types) == 1:
                self.declare(name, self.builder.annotation(self.text(types[0])), node.start_point[0] + 1)
            else:
                self.rename(name, of)
        for child in node.named_children:
            if child.type == "statement_list":
                self.through(child)
        self.close(mark)

    def on_communication_case(self, node: Node, role: int = READ) -> int:
        return self.on_block(node)

    def on_receive_statement(self, node: Node, role: int = READ) -> int:
        left, value = node.child_by_field_name("left"), self.visit(node.child_by_field_name("right"))
        defines = any(child.type == ":=" for child in node.children)
        for position, target in enumerate(_operands(left) if left is not None else ()):
            if not defines:
                self.visit(target, WRITE)
            elif target.type == "identifier" and (name := self.text(target)) != "_":
                self.declare(name, OPAQUE if position else value, target.start_point[0] + 1)
        return OPAQUE

    # parameters

    def parameters(self, node: Node | None) -> None:
        """Declare parameters; all types are visited first, since a parameter may have a type's name."""
        if node is None:
            return
        declared = []
        for declaration in node.named_children:
            type_ = declaration.child_by_field_name("type")
            if type_ is None:
                continue
            self.visit(type_, TYPE)
            names = declaration.children_by_field_name("name")
            if names:
                text = self.text(type_)
                declared.append((names, f"[]{text}" if declaration.type.startswith("variadic") else text))
        for names, text in declared:
            value = self.builder.annotation(text)
            for name in names:
                self.declare(self.text(name), value, name.start_point[0] + 1, PARAMETER)

    def results(self, node: Node | None) -> None:
        if node is None:
            return
        if node.type == "parameter_list":
            self.parameters(node)
        else:
            self.visit(node, TYPE)

    def result_text(self, node: Node | None) -> str:
        """What a function returns: `T`, or `(T, error)` without the results' names."""
        if node is None:
            return ""
        if node.type != "parameter_list":
            return self.text(node)
        texts: list[str] = []
        for declaration in node.named_children:
            if (type_ := declaration.child_by_field_name("type")) is not None:
                texts += [self.text(type_)] * max(1, len(declaration.children_by_field_name("name")))
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})" if texts else ""

    def on_function_type(self, node: Node, role: int = READ) -> int:
        """Parameters here only name themselves."""
        mark = self.block(node)
        for part in (node.child_by_field_name("parameters"), node.child_by_field_name("result")):
            for declaration in part.named_children if part is not None and part.type == "parameter_list" else (part,):
                if declaration is not None and declaration is not part:
                    self.visit(declaration.child_by_field_name("type") or declaration, TYPE)
                elif declaration is not None:
                    self.visit(declaration, TYPE)
        self.close(mark)
        return OPAQUE

    # names, types and expressions

    def on_type_identifier(self, node: Node, role: int = READ) -> int:
        name = self.word(node)
        if name in PREDECLARED:
            return self.builder.literal(name)
        return self.on_identifier(node, TYPE if role == READ else role)

    def void_type_identifier(self, node: Node, role: int = READ) -> int:
        if self.word(node) in PREDECLARED:
            return OPAQUE
        return self.void_identifier(node, TYPE if role == READ else role)

    def on_qualified_type(self, node: Node, role: int = READ) -> int:
        package, name_node = node.child_by_field_name("package"), node.child_by_field_name("name")
        of = self.on_identifier(package)
        return self.member(name_node, of, TYPE if role == READ else role)

    def on_generic_type(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("type"), role)
        self.visit(node.child_by_field_name("type_arguments"), TYPE)
        return value

    def on_pointer_type(self, node: Node, role: int = READ) -> int:
        if node.type == "pointer_type":
            return self.visit(node.named_children[-1], role) if node.named_child_count else OPAQUE
        for child in node.named_children:
            self.visit(child, READ if child.type == "identifier" else TYPE)  # an array's length is a value
        return self.builder.annotation(self.text(node))

    def on_parenthesized_type(self, node: Node, role: int = READ) -> int:
        return self.visit(node.named_children[0], role) if node.named_child_count else OPAQUE

    def on_selector_expression(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("operand"))
        return self.member(node.child_by_field_name("field"), of, role)

    def void_selector_expression(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("operand"))
        return self.member_void(node.child_by_field_name("field"), of, role)

    def on_call_expression(self, node: Node, role: int = READ) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if self.type_of[function.kind_id] == "identifier" and (value := self.builtin(function, arguments)):
            return value
        called = self.visit(function, CALL)
        self.arguments(node, arguments)
        return self.builder.expression(X_CALL, called) if called != OPAQUE else OPAQUE

    def void_call_expression(self, node: Node, role: int = READ) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        type_ = self.type_of[function.kind_id]
        if type_ == "selector_expression":
            self.void_selector_expression(function, CALL)
        elif type_ != "identifier":
            self.visit(function, CALL)
        elif not self.builtin(function, arguments):
            self.void_identifier(function, CALL)
        else:
            return OPAQUE
        self.arguments(node, arguments)
        return OPAQUE

    def arguments(self, node: Node, arguments: Node) -> None:
        if (types := node.child_by_field_name("type_arguments")) is not None:
            self.through(types, TYPE)
        self.note_arguments(node.child_by_field_name("function").end_byte, arguments)
        self.through(arguments)

    def builtin(self, function: Node, arguments: Node) -> int:
        """`new(T)`, `make(T)` and `append(xs)` have the type of their first argument; NONE for any other call."""
        name = self.word(function)
        if name not in ("new", "make", "append") or self.known(name) is not None:
            return NONE
        self.void_identifier(function, CALL)
        value = OPAQUE
        for position, argument in enumerate(arguments.named_children):
            found = self.visit(argument, INSTANTIATE if name == "new" and position == 0 else READ)
            if position:
                continue
            value = found
            if name == "new" and found != OPAQUE:
                value = self.builder.expression(X_NEW, found)
            elif name == "make":
                value = self.builder.annotation(self.text(argument))
        return value

    def on_type_conversion_expression(self, node: Node, role: int = READ) -> int:
        """`[]T(x)`; also `f[int](x)`, which reads the same."""
        type_ = node.child_by_field_name("type")
        generic = type_.type == "generic_type"
        if generic and self.is_variable(type_.child_by_field_name("type")):
            value = self.element_call(type_)
        else:
            value = self.visit(type_, CALL if generic else TYPE)
        self.visit(node.child_by_field_name("operand"))
        if generic and value != OPAQUE:
            return self.builder.expression(X_CALL, self.builder.expression(X_INDEX, value))
        if generic:
            return OPAQUE
        return self.builder.annotation(self.text(type_))

    def is_variable(self, node: Node) -> bool:
        """Whether the name before `[x](y)` is that of a variable: then an element of it is called."""
        if node.type != "type_identifier":
            return False
        name = self.text(node)
        found = self.builder.find(0, name)
        return self.known(name) is not None or (
            found is not None and self.builder.slice.symbols.kind[found] == KIND["variable"]
        )

    def element_call(self, type_: Node) -> int:
        """`table[key](x)`, read as a generic type: the name and the key are values."""
        for part in type_.child_by_field_name("type_arguments").named_children:
            for key in part.named_children if part.type == "type_elem" else (part,):
                self.on_identifier(key) if key.type == "type_identifier" else self.visit(key)
        return self.on_identifier(type_.child_by_field_name("type"), READ)

    def on_index_expression(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("operand"), CALL if role == CALL else READ)
        self.visit(node.child_by_field_name("index"))
        return self.builder.expression(X_INDEX, of) if of != OPAQUE else OPAQUE

    def on_slice_expression(self, node: Node, role: int = READ) -> int:
        values = [self.visit(child) for child in node.named_children]
        return values[0] if values else OPAQUE

    def on_unary_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("operand"))
        operator = node.children[0].type
        if operator in ("&", "*") or value == OPAQUE:
            return value
        return self.builder.expression(X_ITERATE, value) if operator == "<-" else OPAQUE

    def on_parenthesized_expression(self, node: Node, role: int = READ) -> int:
        return self.visit(node.named_children[0], role) if node.named_child_count else OPAQUE

    def on_type_assertion_expression(self, node: Node, role: int = READ) -> int:
        type_ = node.child_by_field_name("type")
        self.visit(node.child_by_field_name("operand"))
        self.visit(type_, TYPE)
        return self.builder.annotation(self.text(type_))

    def on_func_literal(self, node: Node, role: int = READ) -> int:
        result, body = node.child_by_field_name("result"), node.child_by_field_name("body")
        mark, outer, self.in_function = self.block(node), self.in_function, True
        self.parameters(node.child_by_field_name("parameters"))
        self.results(result)
        if body is not None:
            self.through(body)
        self.in_function = outer
        self.close(mark)
        returns = self.result_text(result)
        return self.builder.annotation(f"func() {returns}") if returns else OPAQUE

    def on_composite_literal(self, node: Node, role: int = READ) -> int:
        type_, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        value = self.visit(type_, INSTANTIATE)
        named = type_.type in NAMED
        if named and value != OPAQUE:
            value = self.builder.expression(X_NEW, value)
        self.literal_value(body, type_, value)
        return value

    def literal_value(self, node: Node, type_: Node | None, value: int) -> int:
        """Visit the elements of a composite literal; `type_` is its type, None if it is not in sight."""
        element = _element_type(type_)
        keyed_by_field = type_ is None or type_.type in (*NAMED, "struct_type")
        for child in node.named_children:
            if child.type == "keyed_element":
                key, item = child.child_by_field_name("key"), child.child_by_field_name("value")
                inner = key.named_children[0] if key is not None and key.named_child_count else None
                if keyed_by_field and inner is not None and inner.type == "identifier":
                    self.refer(inner, WRITE, value)
                elif inner is not None:
                    self.literal_element(inner, type_.child_by_field_name("key") if type_ is not None else None)
                if item is not None and item.named_child_count:
                    self.literal_element(item.named_children[0], element)
            elif child.type == "literal_element" and child.named_child_count:
                self.literal_element(child.named_children[0], element)
        return value

    def literal_element(self, node: Node, type_: Node | None) -> None:
        if node.type != "literal_value":
            self.visit(node)
            return
        while type_ is not None and type_.type == "pointer_type":
            type_ = type_.named_children[0]
        value = self.type_expression(type_)
        self.literal_value(node, type_, value)

    def type_expression(self, type_: Node | None) -> int:
        """The value that an element literal without its type is."""
        if type_ is None or type_.type == "struct_type":
            return OPAQUE
        builder = self.builder
        if type_.type == "type_identifier":
            return builder.expression(X_NEW, builder.name(self.text(type_)))
        return builder.annotation(self.text(type_))


def _operands(node: Node) -> list[Node]:
    if node.type != "expression_list":
        return [node]
    return [child for child in node.named_children if child.type != "comment"]


def _element_type(type_: Node | None) -> Node | None:
    if type_ is None:
        return None
    if type_.type == "map_type":
        return type_.child_by_field_name("value")
    return type_.child_by_field_name("element")
