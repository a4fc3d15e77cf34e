"""How C++'s syntax becomes symbols, references, imports and bindings: expressions and statements.

A dereference (`*p`, `p->`) is an X_AWAIT of what is dereferenced: of a smart pointer or an iterator it is what they
point to, of everything else the thing itself.
"""

from __future__ import annotations

from typing import ClassVar

from git_graph.languages.c import syntax
from git_graph.languages.cpp.declarations import CppDeclarations
from git_graph.languages.cpp.scopes import CppDeclarator
from git_graph.languages.walker import Node
from git_graph.model import (
    CALL,
    INSTANTIATE,
    NONE,
    OPAQUE,
    READ,
    RETURN,
    SELF,
    TYPE,
    WRITE,
    X_AWAIT,
    X_CALL,
    X_INDEX,
    X_ITERATE,
)

_CASTS = frozenset(("static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"))
_MAKERS = {"make_unique": "std::unique_ptr", "make_shared": "std::shared_ptr"}
_SAME = frozenset(("move", "forward", "ref", "cref", "as_const"))
_NAMES = frozenset(("identifier", "type_identifier", "field_identifier", "namespace_identifier"))
_GENERIC = frozenset(("template_type", "template_function", "template_method"))


class Syntax(CppDeclarations):
    """C++'s walk."""

    SPREADS: ClassVar[frozenset[str]] = frozenset(("parameter_pack_expansion",))
    SKIP: ClassVar[frozenset[str]] = syntax.Syntax.SKIP | frozenset(
        (
            "raw_string_literal", "access_specifier", "virtual_specifier", "this_capture",
            "lambda_default_capture", "default_method_clause", "delete_method_clause", "explicit_function_specifier",
        )
    )  # fmt: skip
    ALIASES: ClassVar[dict[str, str]] = {
        **syntax.Syntax.ALIASES,
        "class_specifier": "struct_specifier",
        "namespace_identifier": "type_identifier",
        "template_function": "template_type",
        "template_method": "template_type",
        "if_statement": "for_statement",
        "while_statement": "for_statement",
        "switch_statement": "for_statement",
        "optional_parameter_declaration": "parameter_declaration",
        "variadic_parameter_declaration": "parameter_declaration",
    }

    # names

    def on_qualified_identifier(self, node: Node, role: int = READ) -> int:
        of = NONE
        while node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                of = self.qualified(scope, TYPE, of)
            node = node.child_by_field_name("name")
            if node is None:
                return OPAQUE
        return self.qualified(node, role, of)

    def qualified(self, node: Node, role: int, of: int) -> int:
        """Refer to the name at `node` in what the expression `of` is (NONE: nothing qualifies it)."""
        type_ = node.type
        if type_ in _GENERIC:
            value = self.qualified(node.child_by_field_name("name"), role, of)
            self.visit(node.child_by_field_name("arguments"))
            return value
        if type_ in ("dependent_name", "dependent_type"):
            return self.qualified(node.named_children[-1], role, of)
        if type_ in _NAMES:
            if of == NONE:
                return self.visit(node, role) if type_ != "field_identifier" else self.on_identifier(node, role)
            name = self.text(node)
        elif type_ in ("operator_name", "destructor_name"):
            name = "".join(self.text(node).split())
        elif type_ == "qualified_identifier":
            return self.on_qualified_identifier(node, role)
        else:
            self.visit(node, role)
            return OPAQUE
        self.builder.reference(name, role, node.start_byte, of or OPAQUE)
        return self.builder.attribute(of or OPAQUE, name)

    def on_template_type(self, node: Node, role: int = READ) -> int:
        return self.qualified(node, TYPE if role == READ and node.type == "template_type" else role, NONE)

    def on_dependent_type(self, node: Node, role: int = READ) -> int:
        return self.visit(node.named_children[-1], TYPE)

    def on_this(self, node: Node, role: int = READ) -> int:
        return SELF

    # expressions

    def on_field_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        of = self.visit(children[0]) or OPAQUE
        if children[1].type == "->":
            of = self.dereference(of)
        name_node = children[-1]
        if name_node.type == "qualified_identifier":  # `x.Base::f()`
            return self.on_qualified_identifier(name_node, role)
        return self.qualified(name_node, role, of)

    def void_field_expression(self, node: Node, role: int = READ) -> int:
        return self.on_field_expression(node, role)

    def void_call_expression(self, node: Node, role: int = READ) -> int:
        return self.on_call_expression(node, role)

    def dereference(self, of: int) -> int:
        """What an expression points to."""
        return of if of in (OPAQUE, SELF, NONE) else self.builder.expression(X_AWAIT, of)

    def on_pointer_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("argument"), CALL if role == CALL else READ)
        return self.dereference(value) if node.children[0].type == "*" else value

    def on_subscript_expression(self, node: Node, role: int = READ) -> int:
        of, *indices = node.named_children
        value = self.visit(of)
        self.each(indices)
        return OPAQUE if value == OPAQUE else self.builder.expression(X_INDEX, value)

    def on_call_expression(self, node: Node, role: int = READ) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        inner = function
        while inner.type == "qualified_identifier":
            inner = inner.child_by_field_name("name")
        if inner.type == "field_expression" and inner.children[-1].type == "template_method":
            inner = inner.children[-1].child_by_field_name("name")
        if inner.type == "template_function":
            return self.generic_call(function, inner, arguments)
        if inner is not function and self.text(inner) in _SAME and arguments is not None:
            self.visit(function, CALL)
            return self.last_value(arguments)
        if function.type == "primitive_type":
            self.visit(arguments)
            return OPAQUE
        called = self.visit(function, CALL)
        if arguments is not None:
            self.note_arguments(inner.end_byte, arguments)
            self.visit(arguments)
        return self.builder.expression(X_CALL, called)

    def generic_call(self, function: Node, inner: Node, arguments: Node) -> int:
        """`static_cast<T>(x)`, `std::make_unique<T>(x)`, `std::forward<T>(x)`, `f<T>(x)`."""
        name, given = self.text(inner.child_by_field_name("name")), inner.child_by_field_name("arguments")
        if name in _CASTS:
            self.visit(given)
            self.visit(arguments)
            return self.builder.annotation(self.text(given)[1:-1])
        called = self.visit(function, CALL)
        self.note_arguments(inner.child_by_field_name("name").end_byte, arguments)
        if name in _SAME:
            return self.last_value(arguments)
        self.visit(arguments)
        if name in _MAKERS:
            return self.builder.annotation(f"{_MAKERS[name]}<{self.text(given)[1:-1]}>")
        return self.builder.expression(X_CALL, called)

    def last_value(self, arguments: Node) -> int:
        value = OPAQUE
        for child in arguments.named_children:
            value = self.visit(child)
        return value

    def on_compound_literal_expression(self, node: Node, role: int = READ) -> int:
        type_node, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        type_ = self.builder.annotation(self.text(type_node))
        self.visit(type_node, INSTANTIATE)
        if value is not None:
            self.initialise(value, type_)
        return type_

    def on_new_expression(self, node: Node, role: int = READ) -> int:
        type_node, arguments = node.child_by_field_name("type"), node.child_by_field_name("arguments")
        if arguments is not None:
            self.note_arguments(self.named(type_node).end_byte, arguments)
        for child in node.named_children:
            if child == type_node:
                self.visit(child, INSTANTIATE)
            else:
                self.visit(child)
        return self.builder.annotation(self.text(type_node))

    @staticmethod
    def named(type_node: Node) -> Node:
        """The name that a type ends with, its arguments aside."""
        while type_node.type in ("qualified_identifier", "template_type"):
            type_node = type_node.child_by_field_name("name")
        return type_node

    def on_lambda_expression(self, node: Node, role: int = READ) -> int:
        mark, outer = self.block(node), self.in_function
        self.in_function = True
        for child in node.named_children:
            if child.type == "lambda_capture_specifier":
                self.captures(child)
            elif child.type in ("lambda_declarator", "abstract_function_declarator"):
                self.lambda_parameters(child)
            else:
                self.visit(child)
        self.in_function = outer
        self.close(mark)
        return OPAQUE

    def captures(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "lambda_capture_initializer":
                value = self.visit(child.child_by_field_name("right"))
                self.declare(self.text(child.child_by_field_name("left")), value, child.start_point[0] + 1)
            else:
                self.visit(child)

    def lambda_parameters(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "parameter_list":
                self.parameters(child)
            else:
                self.visit(child)

    # statements

    def on_for_range_loop(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        for child in node.named_children:
            if child.type == "init_statement":
                self.visit(child)
        type_node, right = node.child_by_field_name("type"), node.child_by_field_name("right")
        value = self.visit(right) if right is not None else OPAQUE
        base = self.type_text(type_node)
        declared = self.declarator(node.child_by_field_name("declarator"))
        assert isinstance(declared, CppDeclarator)
        element = OPAQUE if value == OPAQUE else self.builder.expression(X_ITERATE, value)
        if "auto" not in base.split():
            element = self.builder.annotation(base)
        self.bind(declared, element, node.start_point[0] + 1)
        body = node.child_by_field_name("body")
        if body is not None:
            self.visit(body)
        self.close(mark)
        return OPAQUE

    def on_catch_clause(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        for child in node.named_children:
            if child.type == "parameter_list":
                self.parameters(child)
            else:
                self.visit(child)
        self.close(mark)
        return OPAQUE

    def on_return_statement(self, node: Node, role: int = READ) -> int:
        symbol = self.builder.scope.symbol
        s = self.builder.slice.symbols
        for child in node.named_children:
            value = self.visit(child)
            if value != OPAQUE and self.in_function and symbol and not s.returns[symbol]:
                self.builder.binding("", RETURN, value, node.start_point[0] + 1, None, symbol)
        return OPAQUE

    def on_field_initializer(self, node: Node, role: int = READ) -> int:
        """`member(value)`, `Base(value)` before the body of a constructor."""
        name_node, *values = node.named_children
        if len(values) == 1:
            self.note_arguments(self.named(name_node).end_byte, values[0])
        if name_node.type != "field_identifier":
            self.qualified(name_node, CALL, NONE)
        else:
            name = self.text(name_node)
            if name in self.bases_around():
                self.builder.reference(name, CALL, name_node.start_byte)
            else:
                self.refer(name_node, WRITE, SELF, name)
        self.each(values)
        return OPAQUE

    def bases_around(self) -> set[str]:
        """The class around a constructor and its bases, as far as this file says, by their last names."""
        builder, s = self.builder, self.builder.slice.symbols
        symbol = builder.scope.symbol
        owner, strings = s.owner[symbol], builder.slice.strings
        if owner:
            name = strings[owner].rpartition("::")[2].partition("<")[0]
            found = {name}
            index = builder.find(s.parent[symbol], name)
        else:
            index, found = s.parent[symbol], {strings[s.name[s.parent[symbol]]]}
        if index is not None:
            found |= {strings[base].partition("<")[0].rpartition("::")[2].strip() for base in s.bases[index]}
        return found

    def on_expression_statement(self, node: Node, role: int = READ) -> int:
        """Outside of functions `A::~A() = default;` looks like an assignment."""
        inner = node.named_children[0] if node.named_child_count else None
        if self.in_function or inner is None or inner.type != "assignment_expression":
            self.through(node)
            return OPAQUE
        call, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        function = call.child_by_field_name("function") if call.type == "call_expression" else None
        if function is None or function.type != "qualified_identifier" or self.text(value) not in KEYWORDS_DEFAULT:
            self.through(node)
            return OPAQUE
        declared = CppDeclarator()
        self.qualified_declarator(function, declared)
        if declared.name is not None:
            self.function_symbol(node, node.end_byte, "", declared, set(), 0)
        return OPAQUE


KEYWORDS_DEFAULT = frozenset(("default", "delete"))
