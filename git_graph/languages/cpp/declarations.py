"""What C++ declares beyond C: namespaces, classes and their members, templates, aliases, members outside of classes.

A member that is defined outside of its class has an owner as written. What stands in an inline or unnamed namespace
belongs to the namespace around it; the latter is INTERNAL. The parameters of a template are locals of what it declares.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.c import declarations, syntax
from git_graph.languages.c.declarations import DECLARATION, EXPORTED, INTERNAL, Declarator
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    ALIAS,
    CALL,
    IMPORT,
    INHERIT,
    INSTANTIATE,
    KIND,
    LOCAL,
    NONE,
    OPAQUE,
    READ,
    TYPE,
    TYPE_PARAMETER,
    VARIABLE,
    X_INDEX,
    Flag,
)

CLASS_KINDS = frozenset(KIND[kind] for kind in ("class", "struct", "union"))
_BODIES = frozenset(("field_declaration_list", "enumerator_list"))
_DECLARATORS = frozenset(
    (
        "qualified_identifier", "operator_name", "destructor_name", "operator_cast", "template_function",
        "structured_binding_declarator", "variadic_declarator", "pointer_type_declarator",
    )
)  # fmt: skip
_TYPE_PARAMETERS = frozenset(
    (
        "type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration",
        "template_template_parameter_declaration",
    )
)  # fmt: skip


@dataclass(slots=True)
class CppDeclarator(Declarator):
    """What one declarator says."""

    owner: str = ""
    """What the name is a member of, as written."""
    label: str = ""
    """The name, if it is not the text of its node (`operator ==`)."""
    names: list[Node] = field(default_factory=list)
    """The names of a structured binding."""
    flags: int = 0
    returns: Node = None
    """A return type that stands behind the parameters."""


class CppDeclarations(syntax.Syntax):
    """The declaring half of the walk."""

    CPP: ClassVar[bool] = True
    DECLARATOR = CppDeclarator
    TAGS: ClassVar[dict[str, str]] = {**declarations.TAGS, "class_specifier": "class"}

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.unnamed = False
        """Whether an unnamed namespace is around."""
        self.template: tuple[Node, list[tuple[str, int]]] | None = None
        """The template that the next definition is of: its node, and its parameters with their bounds."""

    # namespaces

    def on_namespace_definition(self, node: Node, role: int = READ) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        builder, outer = self.builder, self.unnamed
        scopes = []
        if name is None:
            self.unnamed = True
        inline = node.children[0].type == "inline"
        for part in _components(name):
            symbol = self.define(
                part, "namespace", node, signature=self.between(node, body.start_byte), doc=self.doc(node),
                flags=self.conditional | EXPORTED,
            )  # fmt: skip
            if not inline:
                scopes.append(builder.enter(symbol, last_line(node)))
        self.each(body.named_children)
        for scope in reversed(scopes):
            builder.leave(scope)
        self.unnamed = outer
        return OPAQUE

    def on_namespace_alias_definition(self, node: Node, role: int = READ) -> int:
        name, target = node.child_by_field_name("name"), node.named_children[-1]
        self.visit(target, TYPE)
        self.alias(node, name, self.text(target))
        return OPAQUE

    def on_using_declaration(self, node: Node, role: int = READ) -> int:
        target = node.named_children[-1]
        path = "".join(self.text(target).split())
        module, _, name = path.rpartition("::")
        if any(child.type in ("namespace", "enum") for child in node.children[1:2]):
            self.visit(target, TYPE)
            self.builder.import_("*", path, "*", *self.place(target))
            return OPAQUE
        inner, of = target, NONE
        while inner.type == "qualified_identifier":
            scope = inner.child_by_field_name("scope")
            if scope is not None:
                of = self.qualified(scope, TYPE, of)
            inner = inner.child_by_field_name("name")
        line, column = self.place(inner)
        self.builder.import_(name, module, name, line, column)
        self.builder.reference(name, IMPORT, inner.start_byte, OPAQUE)
        return OPAQUE

    def on_alias_declaration(self, node: Node, role: int = READ) -> int:
        target = node.child_by_field_name("type")
        self.visit(target)
        self.alias(node, node.child_by_field_name("name"), self.text(target))
        return OPAQUE

    def alias(self, node: Node, name_node: Node, text: str) -> None:
        name = self.text(name_node)
        symbol = self.define(
            name_node, "type_alias", node, name=name, start=self.template_start(), signature=self.text(node),
            returns=text, doc=self.doc(node), flags=self.conditional | EXPORTED,
        )  # fmt: skip
        self.builder.binding(name, ALIAS, self.builder.annotation(text), node.start_point[0] + 1)
        self.type_parameters(symbol)

    def linkage(self, storage: set[str]) -> int:
        if self.in_class():
            return int(self.conditional | EXPORTED | (Flag.STATIC if "static" in storage else 0))
        return super().linkage(storage | {"static"} if self.unnamed else storage)

    def in_class(self) -> bool:
        """Whether the present scope is the body of a class."""
        return self.builder.slice.symbols.kind[self.builder.scope.symbol] in CLASS_KINDS

    def tag_scope(self) -> int:
        return self.builder.scope.symbol

    # templates

    def on_template_declaration(self, node: Node, role: int = READ) -> int:
        mark, outer = self.block(node), self.template
        parameters = node.child_by_field_name("parameters")
        bounds = outer[1] if outer is not None else []
        start = outer[0] if outer is not None else node
        found: list[tuple[str, int]] = []
        if parameters is not None:
            for child in parameters.named_children:
                self.template_parameter(child, found)
        self.template = (start, [*bounds, *found])
        for child in node.named_children:
            if child != parameters:
                self.visit(child)
        self.template = outer
        self.close(mark)
        return OPAQUE

    def template_parameter(self, node: Node, found: list[tuple[str, int]]) -> None:
        if node.type in _TYPE_PARAMETERS:
            name_node = None
            for child in node.named_children:
                if child.type == "type_identifier" and name_node is None:
                    name_node = child
                elif child.type == "type_parameter_declaration" and child.named_child_count:
                    name_node = child.named_children[0]
                else:
                    self.visit(child, TYPE)
            if name_node is not None:
                name = self.text(name_node)
                self.rename(name, self.builder.name(name))
                found.append((name, OPAQUE))
            return
        if node.type in ("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"):
            type_node, declarators, _ = self.parts(node)
            self.type_text(type_node)
            for declarator in declarators:
                declared = self.declarator(declarator)
                if declared.name is not None:
                    self.rename(self.text(declared.name), OPAQUE)
            return
        self.visit(node)

    def template_start(self) -> Node:
        """Where a definition begins: at the template that it is of."""
        return self.template[0] if self.template is not None else None

    def type_parameters(self, symbol: int) -> None:
        """Bind the parameters of the template that `symbol` is; those of templates inside it are their own."""
        if self.template is None:
            return
        node, parameters = self.template
        self.template = None
        for name, bound in parameters:
            self.builder.binding(name, TYPE_PARAMETER, bound, node.start_point[0] + 1, last_line(node), symbol)

    def on_template_instantiation(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type in self.TAGS:
                self.visit(child.child_by_field_name("name"), TYPE)
            elif not child.is_missing:
                self.visit(child)
        return OPAQUE

    def on_concept_definition(self, node: Node, role: int = READ) -> int:
        name = node.child_by_field_name("name")
        symbol = self.define(
            name, "trait", node, start=self.template_start(), signature=self.text(node), doc=self.doc(node),
            flags=self.conditional | EXPORTED,
        )  # fmt: skip
        scope = self.builder.enter(symbol, last_line(node))
        self.template = None
        for child in node.named_children[1:]:
            self.visit(child)
        self.builder.leave(scope)
        return OPAQUE

    def on_requires_expression(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        for child in node.named_children:
            if child.type == "parameter_list":
                self.parameters(child)
            else:
                self.visit(child)
        self.close(mark)
        return OPAQUE

    # classes

    def tag(self, node: Node, naming: Node = None) -> str:
        keyword = self.TAGS[node.type]
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None:
            if name_node is None:
                return keyword
            self.visit(name_node, TYPE)
            base = node.child_by_field_name("base")
            if base is not None:
                self.visit(base, TYPE)
            return self.text(name_node)
        if name_node is None:
            if naming is not None and naming.parent.type == "type_definition":
                self.define_tag(node, keyword, naming, self.text(naming), body)
                return self.text(naming)
            return self.nameless(node, keyword, body, naming)
        self.define_class(node, keyword, name_node, body)
        return self.text(name_node)

    def define_class(self, node: Node, keyword: str, name_node: Node, body: Node) -> None:
        owner = []
        while name_node.type == "qualified_identifier":
            scope = name_node.child_by_field_name("scope")
            if scope is not None:
                self.visit(scope, TYPE)
                owner.append(self.text(scope))
            name_node = name_node.child_by_field_name("name")
        if name_node.type == "template_type":
            self.visit(name_node.child_by_field_name("arguments"))
            name_node = name_node.child_by_field_name("name")
        bases = [
            base
            for clause in node.named_children
            if clause.type == "base_class_clause"
            for base in clause.named_children
            if base.type not in ("access_specifier", "virtual", "comment")
        ]
        symbol = self.define(
            name_node, keyword, node, start=self.template_start(), signature=self.between(node, body.start_byte),
            doc=self.doc(self.template_start() or node), bases=[self.text(base) for base in bases],
            owner="::".join(owner), flags=self.conditional | (INTERNAL if self.unnamed else EXPORTED),
        )  # fmt: skip
        self.type_parameters(symbol)
        scope = self.builder.enter(symbol, last_line(node))
        self.each(bases, INHERIT)
        base = node.child_by_field_name("base")
        if base is not None:
            self.visit(base, TYPE)
        self.builder.leave(scope)
        outer, self.in_function = self.in_function, False
        self.members(symbol, body)
        self.in_function = outer

    def on_friend_declaration(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type in ("declaration", "function_definition"):
                symbols, around = self.builder.slice.symbols, self.builder.scope.symbol
                while around and symbols.kind[around] in CLASS_KINDS:
                    around = symbols.parent[around]
                scope = self.builder.enter(around, last_line(node))
                self.visit(child)
                self.builder.leave(scope)
            elif child.type in ("identifier", "type_identifier"):
                self.refer(child, TYPE)
            else:
                self.visit(child, TYPE)
        return OPAQUE

    def on_field_declaration(self, node: Node, role: int = READ) -> int:
        type_node, declarators, storage = self.parts(node)
        base = self.type_text(type_node, self.naming(declarators))
        default = node.child_by_field_name("default_value")
        for declarator in declarators:
            declared = self.declarator(declarator)
            if declared.name is None:
                continue
            if declared.is_function:
                pure = default is not None and self.text(default) == "0"
                self.declare_function(node, base, declared, storage | ({"pure"} if pure else set()))
                continue
            text = self.spell(base, declared)
            self.define(
                declared.name, "field", node, signature=self.text(node), returns="" if base == "auto" else text,
                doc=self.doc(node), flags=self.linkage(storage) | self.static_member(node, storage, default),
            )  # fmt: skip
            if default is not None:
                self.initialise(default, self.builder.annotation(text))
        return OPAQUE

    def static_member(self, node: Node, storage: set[str], default: Node) -> int:
        """DECLARATION for a static member that is defined elsewhere."""
        words = self.between(node, node.named_children[-1].start_byte).split()
        elsewhere = "static" in storage and default is None and "inline" not in words and "constexpr" not in words
        return DECLARATION if elsewhere else 0

    # declarators

    def declares(self, type_: str) -> bool:
        return type_ in _DECLARATORS

    def parts(self, node: Node) -> tuple[Node, list[Node], set[str]]:
        default = node.child_by_field_name("default_value") or node.child_by_field_name("value")
        type_node, declarators, storage = super().parts(node)
        if default is not None:
            declarators = [child for child in declarators if child.start_byte < default.start_byte]
        if type_node is not None and not declarators and self.declares_alone(type_node):
            return None, [type_node], storage
        return type_node, declarators, storage

    @staticmethod
    def declares_alone(node: Node) -> bool:
        """Whether a declaration without a type declares what stands in its place: a constructor, a conversion."""
        return node.type in ("function_declarator", "operator_cast") or (
            node.type == "qualified_identifier" and node.child_by_field_name("name").type == "operator_cast"
        )

    def behind_parameters(self, node: Node, found: Declarator) -> None:
        assert isinstance(found, CppDeclarator)
        for child in node.named_children[2:]:
            if child.type == "trailing_return_type":
                found.returns = child.named_children[0] if child.named_child_count else None
                self.through(child)
            elif child.type == "virtual_specifier":
                found.flags |= Flag.OVERRIDE if self.text(child) == "override" else 0
            elif child.type in ("requires_clause", "noexcept"):
                self.through(child)

    def other_declarator(self, node: Node, found: Declarator) -> None:
        assert isinstance(found, CppDeclarator)
        type_ = node.type
        if type_ == "qualified_identifier":
            self.qualified_declarator(node, found)
        elif type_ == "template_function":
            found.name = node.child_by_field_name("name")
            self.visit(node.child_by_field_name("arguments"))
        elif type_ == "operator_cast":
            target = node.child_by_field_name("type")
            self.visit(target, TYPE)
            found.name, found.label = node, f"operator {self.text(target)}"
            found.parameters = node.child_by_field_name("declarator").child_by_field_name("parameters")
            found.returns, found.is_function = target, True
        elif type_ in ("operator_name", "destructor_name"):
            found.name, found.label = node, "".join(self.text(node).split())
        elif type_ == "structured_binding_declarator":
            found.names = node.named_children
        elif type_ in ("variadic_declarator", "pointer_type_declarator"):
            if node.named_child_count:
                found.name = node.named_children[-1]
        else:
            self.visit(node)

    def qualified_declarator(self, node: Node, found: CppDeclarator) -> None:
        """`ns::A<T>::f`: the last is the name, what is before it the owner."""
        of, owner = NONE, []
        while node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                of = self.qualified(scope, TYPE, of)
                owner.append(self.text(scope))
            node = node.child_by_field_name("name")
        found.owner = "::".join(owner)
        if node.type in self.NAMES:
            found.name = node
        else:
            self.other_declarator(node, found)

    def qualified(self, node: Node, role: int, of: int) -> int:
        """Refer to a name in what the expression `of` is; see syntax.py."""
        raise NotImplementedError

    # functions and variables

    def on_declaration(self, node: Node, role: int = READ) -> int:
        if any(self.constructs(child) for child in node.named_children[1:]):
            self.type_role = INSTANTIATE
        value = node.child_by_field_name("value")  # `if (auto *p = find())`
        if value is None:
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
            name_node, owner = names[1], self.text(names[0])
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
        if "auto" not in base.split():
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


def _components(node: Node) -> list[Node]:
    """The names of `namespace a::b`."""
    if node is None:
        return []
    if node.type != "nested_namespace_specifier":
        return [node]
    return [part for child in node.named_children for part in _components(child)]
