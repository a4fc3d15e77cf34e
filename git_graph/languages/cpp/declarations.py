"""What C++ declares as functions and variables, in and out of classes."""

from __future__ import annotations

from git_graph.languages.c.declarators import DECLARATION, Declarator
from git_graph.languages.cpp.classes import Classes
from git_graph.languages.cpp.scopes import CppDeclarator
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    CALL,
    INSTANTIATE,
    LOCAL,
    NONE,
    OPAQUE,
    READ,
    TYPE,
    VARIABLE,
    X_INDEX,
    Flag,
)

_MODULES = ("import", "module")


class CppDeclarations(Classes):
    """The declaring half of the walk."""

    def on_declaration(self, node: Node, role: int = READ) -> int:
        if any(self.constructs(child) for child in node.named_children[1:]):
            self.type_role = INSTANTIATE
        value = node.child_by_field_name("value")  # `if (auto *p = find())`
        if value is None:
            if (type_node := node.child_by_field_name("type")) is not None and self.text(type_node) in _MODULES:
                return OPAQUE  # the grammar knows `import lib;` only outside of conditions
            return super().on_declaration(node, role)
        type_node, declarators, _ = self.parts(node)
        base = self.type_text(type_node)
        for declarator in declarators:
            declared = self.declarator(declarator)
            declared.value = value
            if not self.names_nothing(declared):
                self.declare_local(base, declared)
        return OPAQUE

    def constructs(self, node: Node) -> bool:
        """Whether a declarator is one of a value with arguments for its constructor."""
        if node.type == "init_declarator":
            return node.named_children[-1].type in ("argument_list", "initializer_list")
        if node.type != "function_declarator" or not self.in_function:
            return False
        return self.is_construction(node.prev_named_sibling, node.child_by_field_name("parameters"))

    def names_nothing(self, declared: Declarator) -> bool:
        assert isinstance(declared, CppDeclarator)
        return declared.name is None and not declared.names

    def declare_function(self, node: Node, base: str, declared: Declarator, storage: set[str]) -> None:
        assert isinstance(declared, CppDeclarator)
        type_node = node.child_by_field_name("type")
        if self.in_function and type_node is not None and self.is_construction(type_node, declared.parameters):
            self.construct(base, declared)
            return
        self.function_symbol(node, node.end_byte, base, declared, storage, DECLARATION)
        self.visit_parameters(declared)

    @staticmethod
    def is_construction(type_node: Node, parameters: Node) -> bool:
        """Whether `T name(a, b);` in a function declares a variable: its type is no built-in one."""
        parameters = [child for child in parameters.named_children if child.type != "comment"]
        if not parameters:
            return type_node.type not in ("primitive_type", "sized_type_specifier", "placeholder_type_specifier")
        return any(
            child.type == "parameter_declaration" and child.named_child_count == 1
            and child.named_children[0].type in ("type_identifier", "qualified_identifier")
            for child in parameters
        )  # fmt: skip

    def construct(self, base: str, declared: Declarator) -> None:
        """`Guard guard(mutex);`: what looks like parameter types are values."""
        type_ = self.builder.annotation(base)
        self.declare(self.text(declared.name), type_, declared.name.start_point[0] + 1)
        for child in declared.parameters.named_children:
            self.as_value(child)

    def as_value(self, node: Node) -> None:
        """Visit a type that is a value."""
        stack = [node]
        while stack:
            current = stack.pop()
            if current.type == "type_identifier":
                self.on_identifier(current)
            elif current.type in ("parameter_declaration", "abstract_function_declarator", "parameter_list"):
                stack.extend(reversed(current.named_children))
            else:
                self.visit(current)

    def function_symbol(
        self, node: Node, end: int, base: str, declared: CppDeclarator, storage: set[str], flags: int
    ) -> int:
        """Define a function or method; `end` is where its signature ends."""
        start = self.template_start()
        name = declared.label or self.text(declared.name)
        returns = self.text(declared.returns) if declared.returns is not None else self.spell(base, declared)
        member, class_name = bool(declared.owner), declared.owner.rpartition("::")[2].partition("<")[0]
        if self.in_class():
            member = True
            class_name = self.builder.slice.strings[self.builder.slice.symbols.name[self.builder.scope.symbol]]
        kind = "function" if not member else "constructor" if name == class_name else "method"
        flags |= self.linkage(storage) | declared.flags | (Flag.ABSTRACT if "pure" in storage else 0)
        if kind == "constructor" or (member and name.startswith("~")):  # the class's own name stands there
            own = declared.name.named_children[0] if declared.name.type == "destructor_name" else declared.name
            self.refer(own, TYPE)
        symbol = self.define(
            declared.name, kind, node, name=name, start=start, signature=self.between(start or node, end),
            returns="" if returns.startswith(("auto", "const auto", "decltype")) else returns,
            doc=self.doc(start or node), flags=flags, owner=declared.owner,
            parent=0 if self.in_function and not member else None,
        )  # fmt: skip
        if declared.owner.endswith(">") and self.template is not None:
            self.template = None  # the parameters are those of the owner
        self.type_parameters(symbol)
        return symbol

    def on_function_definition(self, node: Node, role: int = READ) -> int:
        type_node, _, storage = self.parts_of_function(node)
        declared = self.declarator(node.child_by_field_name("declarator"))
        body = node.child_by_field_name("body")
        assert isinstance(declared, CppDeclarator)
        if declared.name is None or not declared.is_function:
            self.unread(node, type_node, declared)
            return OPAQUE
        if type_node is None and self.is_macro(declared):
            self.macro_body(node, declared, body)
            return OPAQUE
        base = self.type_text(type_node)
        end = body.start_byte if body is not None else node.end_byte
        symbol = self.function_symbol(node, end, base, declared, storage, 0)
        self.enter_function(symbol, node, declared.parameters, body, [])
        return OPAQUE

    def is_macro(self, declared: CppDeclarator) -> bool:
        """Whether `NAME(a, b) {` outside of a class is a macro that makes a function, as tests are written."""
        return not declared.owner and not declared.label and not self.in_class() and bool(declared.parameters)

    def macro_body(self, node: Node, declared: CppDeclarator, body: Node) -> None:
        """`TEST_F(Fixture, Name) {`: a function `Name` that belongs to `Fixture`; others are called by their first."""
        self.refer(declared.name, CALL)
        macro = self.text(declared.name)
        names = [
            child.named_children[0]
            for child in declared.parameters.named_children
            if child.type == "parameter_declaration" and child.named_child_count == 1
        ]
        test, name_node, owner = "TEST" in macro.upper(), declared.name, ""
        if len(names) > 1 and test:
            name_node = names[1]
            if macro != "TEST":  # whose first argument is no more than the name of a suite
                owner = self.text(names[0])
                self.refer(names[0], TYPE, NONE, owner)
        elif names:
            name_node = names[0]
        symbol = self.define(
            name_node, "function", node, signature=self.between(node, body.start_byte if body else node.end_byte),
            doc=self.doc(node), owner=owner, flags=self.linkage(set()) | (Flag.TEST if test else 0),
        )  # fmt: skip
        self.enter_function(symbol, node, None, body, [])

    def enter_function(self, symbol: int, node: Node, parameters: Node, body: Node, old: list[Node]) -> None:
        scope, outer = self.builder.enter(symbol, last_line(node)), self.in_function
        mark, self.in_function = self.block(node), True
        if parameters is not None:
            self.parameters(parameters)
        for child in node.named_children:
            if child.type == "field_initializer_list":
                self.visit(child)
        if body is not None:
            self.step(body) if body.type == "try_statement" else self.through(body)
        self.close(mark)
        self.in_function = outer
        self.builder.leave(scope)

    def declare_local(self, base: str, declared: Declarator, kind: int = LOCAL) -> None:
        assert isinstance(declared, CppDeclarator)
        line = (declared.name or declared.names[0]).start_point[0] + 1
        if declared.name is not None and "auto" not in base.split():
            super().declare_local(base, declared, kind)
            return
        value = self.visit(declared.value) if declared.value is not None else OPAQUE
        self.bind(declared, value, line, kind)

    def bind(self, declared: CppDeclarator, value: int, line: int, kind: int = LOCAL) -> None:
        """Declare what a value is taken apart into, or the one name that holds it."""
        for position, name in enumerate(declared.names):
            part = self.builder.expression(X_INDEX, value, str(position)) if value != OPAQUE else OPAQUE
            self.declare(self.text(name), part, line, kind)
        if declared.name is not None:
            self.declare(self.text(declared.name), value, line, kind)

    def declare_variable(self, node: Node, base: str, declared: Declarator, storage: set[str]) -> None:
        assert isinstance(declared, CppDeclarator)
        if declared.name is None:  # a structured binding outside of functions
            self.initialise(declared.value, OPAQUE)
            return
        text, auto = self.spell(base, declared), "auto" in base.split()
        flags = self.linkage(storage) | (DECLARATION if "extern" in storage and declared.value is None else 0)
        end = declared.value.start_byte if declared.value is not None else node.end_byte
        start = self.template_start()
        name = declared.label or self.text(declared.name)
        symbol = self.define(
            declared.name, "field" if declared.owner else "variable", node, name=name, start=start,
            signature=self.between(start or node, end), returns="" if auto else text, doc=self.doc(start or node),
            flags=flags, owner=declared.owner, parent=0 if self.in_function else None,
        )  # fmt: skip
        self.type_parameters(symbol)
        if declared.value is None:
            return
        scope = self.builder.enter(symbol, last_line(node))
        if auto:
            value = self.visit(declared.value)
        else:
            value = OPAQUE
            self.initialise(declared.value, self.builder.annotation(text))
        self.builder.leave(scope)
        if value != OPAQUE:
            self.builder.binding(name, VARIABLE, value, node.start_point[0] + 1)

    def default_value(self, node: Node) -> None:
        default = node.child_by_field_name("default_value")
        if default is not None:
            self.visit(default)
