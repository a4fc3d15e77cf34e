"""What C declares beside types: functions, variables, parameters and locals."""

from __future__ import annotations

from git_graph.languages.c.declarators import DECLARATION, EXPORTED, INTERNAL, Declarator, Declarators
from git_graph.languages.walker import Node, last_line
from git_graph.model import CALL, LOCAL, OPAQUE, PARAMETER, READ, TYPE, Flag


class Declarations(Declarators):
    """The declaring half of the walk."""

    # variables and functions

    def on_declaration(self, node: Node, role: int = READ) -> int:
        type_node, declarators, storage = self.parts(node)
        if not declarators:
            self.declare_type(node, type_node)
            return OPAQUE
        if declarators[0].type == "parenthesized_declarator" and self.is_macro_call(type_node, declarators):
            return OPAQUE
        base = self.type_text(type_node, self.naming(declarators))
        for declarator in declarators:
            declared = self.declarator(declarator)
            if self.names_nothing(declared):
                continue
            if declared.is_function:
                self.declare_function(node, base, declared, storage)
            elif self.in_function and "extern" not in storage:
                self.declare_local(base, declared)
            else:
                self.declare_variable(node, base, declared, storage)
        return OPAQUE

    def is_macro_call(self, type_node: Node, declarators: list[Node]) -> bool:
        """Whether `NAME (x);` is a call, which it is unless it declares `x`: types are rarely written in capitals."""
        name = self.text(type_node)
        inner = declarators[0].named_children
        if len(declarators) > 1 or not name.isupper() or len(inner) != 1 or inner[0].type not in self.NAMES:
            return False
        self.refer(type_node, CALL, name=name)
        self.refer(inner[0], READ)
        return True

    def names_nothing(self, declared: Declarator) -> bool:
        return declared.name is None

    def linkage(self, storage: set[str]) -> int:
        """Flags of something of file scope."""
        return int(self.conditional | (INTERNAL if "static" in storage else EXPORTED))

    def declare_function(self, node: Node, base: str, declared: Declarator, storage: set[str]) -> None:
        self.define(
            declared.name, "function", node, signature=self.text(node), returns=self.spell(base, declared),
            doc=self.doc(node), flags=self.linkage(storage) | DECLARATION,
            parent=0 if self.in_function else None,
        )  # fmt: skip
        self.visit_parameters(declared)

    def declare_local(self, base: str, declared: Declarator, kind: int = LOCAL) -> None:
        type_ = self.builder.annotation(self.spell(base, declared))
        self.declare(self.text(declared.name), type_, declared.name.start_point[0] + 1, kind)
        self.initialise(declared.value, type_)

    def initialise(self, value: Node, type_: int) -> None:
        """Visit the value that something of a type begins with."""
        if value is not None:
            outer, self.initialised = self.initialised, type_
            self.step(value)
            self.initialised = outer

    def declare_variable(self, node: Node, base: str, declared: Declarator, storage: set[str]) -> None:
        text = self.spell(base, declared)
        flags = self.linkage(storage) | (DECLARATION if "extern" in storage and declared.value is None else 0)
        end = declared.value.start_byte if declared.value is not None else node.end_byte
        symbol = self.define(
            declared.name, "variable", node, signature=self.between(node, end), returns=text, doc=self.doc(node),
            flags=flags, parent=0 if self.in_function else None,
        )  # fmt: skip
        if declared.value is not None:
            scope = self.builder.enter(symbol, last_line(node))
            self.initialise(declared.value, self.builder.annotation(text))
            self.builder.leave(scope)

    def on_function_definition(self, node: Node, role: int = READ) -> int:
        type_node, declarators, storage = self.parts_of_function(node)
        body = node.child_by_field_name("body")
        declarator = node.child_by_field_name("declarator")
        declared = self.declarator(declarator)
        if declared.name is None or not declared.is_function:
            if declared.name is not None and declarator.type == "parenthesized_declarator":
                self.macro_definition(node, type_node, declared, body)
            else:
                self.unread(node, type_node, declared)
            return OPAQUE
        base = self.type_text(type_node)
        self.define_function(node, base, declared, storage, body, declarators)
        return OPAQUE

    def parts_of_function(self, node: Node) -> tuple[Node, list[Node], set[str]]:
        """The return type, the declarations of old-style parameters and the storage classes of a function."""
        old, storage = [], set()
        for child in node.named_children:
            if child.type == "storage_class_specifier":
                storage.add(self.text(child))
            elif child.type == "declaration":
                old.append(child)
            elif child.is_error:
                self.visit(child)
        return node.child_by_field_name("type"), old, storage

    def unread(self, node: Node, type_node: Node, declared: Declarator) -> None:
        """A function definition that is none: the grammar was misled by a macro. What is in it is read all the same."""
        if type_node is not None:
            self.visit(type_node, TYPE)
        body = node.child_by_field_name("body")
        if body is not None:
            self.visit(body)
        self.builder.slice.unparsed.append((node.start_point[0] + 1, node.start_point[0] + 1))

    def macro_definition(self, node: Node, type_node: Node, declared: Declarator, body: Node) -> None:
        """`TEST(name) {`: what a macro makes a function of, called by its argument."""
        macro = self.text(type_node)
        self.refer(type_node, CALL, name=macro)
        symbol = self.define(
            declared.name, "function", node, signature=self.between(node, body.start_byte), doc=self.doc(node),
            flags=self.conditional | EXPORTED | (int(Flag.TEST) if "TEST" in macro.upper() else 0),
        )  # fmt: skip
        self.enter_function(symbol, node, None, body, [])

    def define_function(
        self, node: Node, base: str, declared: Declarator, storage: set[str], body: Node, old: list[Node]
    ) -> int:
        end = body.start_byte if body is not None else node.end_byte
        symbol = self.define(
            declared.name, "function", node, signature=self.between(node, end), returns=self.spell(base, declared),
            doc=self.doc(node), flags=self.linkage(storage),
        )  # fmt: skip
        self.enter_function(symbol, node, declared.parameters, body, old)
        return symbol

    def enter_function(self, symbol: int, node: Node, parameters: Node, body: Node, old: list[Node]) -> None:
        """Visit the parameters and the body of a function in its own scope."""
        scope, outer = self.builder.enter(symbol, last_line(node)), self.in_function
        mark, self.in_function = self.block(node), True
        if parameters is not None:
            self.parameters(parameters)
        for declaration in old:
            self.old_parameters(declaration)
        self.blanked_parameters(node, body)
        if body is not None:
            self.through(body)
        self.close(mark)
        self.in_function = outer
        self.builder.leave(scope)

    def parameters(self, node: Node) -> None:
        """Declare the parameters of a function that has a body."""
        names_only = self.has_old_parameters(node)
        for child in node.named_children:
            if names_only:
                self.declare(self.text(child), OPAQUE, child.start_point[0] + 1, PARAMETER)
            elif child.type in _PARAMETERS:
                type_node, declarators, _ = self.parts(child)
                base = self.type_text(type_node)
                for declarator in declarators:
                    declared = self.declarator(declarator)
                    if declared.name is not None:
                        if declared.is_function:
                            declared.suffix += "()"
                            self.visit_parameters(declared)
                        self.declare_local(base, declared, PARAMETER)
                self.default_value(child)
            elif child.type == "identifier":
                self.declare(self.text(child), OPAQUE, child.start_point[0] + 1, PARAMETER)
            else:
                self.visit(child)

    def default_value(self, node: Node) -> None:
        """The default of a parameter, in languages that have them."""

    def old_parameters(self, node: Node) -> None:
        """`int f(a, b) int a; char *b; {`: the declarations between the parentheses and the body."""
        type_node, declarators, _ = self.parts(node)
        base = self.type_text(type_node)
        for declarator in declarators:
            declared = self.declarator(declarator)
            if declared.name is not None:
                self.declare_local(base, declared, PARAMETER)

    def has_old_parameters(self, node: Node) -> bool:
        """Whether the parameters of a list are declared behind it, out of the tree."""
        return False

    def blanked_parameters(self, node: Node, body: Node) -> None:
        """The declarations of old-style parameters that are not in the tree."""

    def on_parameter_declaration(self, node: Node, role: int = READ) -> int:
        """A parameter of a prototype or of a function's type: it declares nothing here."""
        type_node, declarators, _ = self.parts(node)
        self.type_text(type_node)
        for declarator in declarators:
            declared = self.declarator(declarator)
            if declared.is_function:
                self.visit_parameters(declared)
        self.default_value(node)
        return OPAQUE


_PARAMETERS = frozenset(("parameter_declaration", "optional_parameter_declaration"))
