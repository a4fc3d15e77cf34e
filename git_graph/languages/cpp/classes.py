"""What C++'s classes hold and what befriends them."""

from __future__ import annotations

from git_graph.languages.c.declarators import DECLARATION, EXPORTED, INTERNAL
from git_graph.languages.cpp.scopes import CLASS_KINDS, Scopes
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    INHERIT,
    OPAQUE,
    READ,
    TYPE,
)


class Classes(Scopes):
    """Classes of the walk."""

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
        if not declarators:
            self.declare_type(node, type_node)
            return OPAQUE
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
