"""What C++ has around declarations and in declarators: namespaces, templates, aliases, owners.

A member that is defined outside of its class has an owner as written. What stands in an inline or unnamed namespace
belongs to the namespace around it; the latter is INTERNAL. The parameters of a template are locals of what it declares.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.c import declarators, syntax
from git_graph.languages.c.declarators import EXPORTED, Declarator
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    ALIAS,
    IMPORT,
    KIND,
    NONE,
    OPAQUE,
    READ,
    TYPE,
    TYPE_PARAMETER,
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


class Scopes(syntax.Syntax):
    """Namespaces, templates and declarators of the walk."""

    CPP: ClassVar[bool] = True
    DECLARATOR = CppDeclarator
    TAGS: ClassVar[dict[str, str]] = {**declarators.TAGS, "class_specifier": "class"}

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
            if child.type in self.TAGS:  # `template <class T> class A;`, or a class that is defined
                self.declare_type(node, child)
            elif child != parameters:
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


def _components(node: Node) -> list[Node]:
    """The names of `namespace a::b`."""
    if node is None:
        return []
    if node.type != "nested_namespace_specifier":
        return [node]
    return [part for child in node.named_children for part in _components(child)]
