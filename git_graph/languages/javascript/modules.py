"""Imports and exports, of ES modules and of CommonJS.

A default import is of the name `default`; a namespace import and `require` are of the module itself. A module that is
imported inside an expression (`import('./x')`, `require('./x').y()`) gets an import too, whose local name is made up:
`import#1`.
"""

from __future__ import annotations

from typing import Any

from git_graph.languages.javascript.patterns import line_of
from git_graph.languages.javascript.variables import WHOLE, Variables
from git_graph.languages.walker import Node
from git_graph.model import EXPORT, IMPORT, OPAQUE, READ, Flag, ImportFlag


class Modules(Variables):
    """Walks imports and exports."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.modules: dict[str, int] = {}
        """Module as written -> the expression of a module imported inside expressions."""
        self.module_expressions: set[int] = set()
        self.next_flags = 0
        self.next_start: Node | None = None

    def pending(self) -> tuple[int, Node | None]:
        flags, start = self.next_flags, self.next_start
        self.next_flags, self.next_start = 0, None
        return flags, start

    # ES imports

    def on_import_statement(self, node: Node, role: int = READ) -> int:
        source = node.child_by_field_name("source")
        flags, clause = 0, None
        for child in node.children:
            kind = self.type_of[child.kind_id]
            if kind in ("type", "typeof"):
                flags = int(ImportFlag.TYPE_ONLY)
            elif kind == "import_clause":
                clause = child
            elif kind == "import_require_clause":
                self.import_require(child)
                return OPAQUE
        if source is None:
            return OPAQUE
        module = self.text(source)[1:-1]
        if clause is None:
            self.builder.import_("", module, "", *self.place(source), flags=flags)
            return OPAQUE
        for child in clause.named_children:
            self.import_clause(child, module, flags)
        return OPAQUE

    def import_clause(self, node: Node, module: str, flags: int) -> None:
        """A default, namespace or named part of an import."""
        kind = self.type_of[node.kind_id]
        if kind == "identifier":
            self.import_name(node, self.text(node), module, "default", flags)
        elif kind == "namespace_import":
            local = node.named_children[-1]
            self.builder.import_(self.text(local), module, "", *self.place(local), flags=flags)
        elif kind == "named_imports":
            for child in node.named_children:
                if self.type_of[child.kind_id] == "import_specifier":
                    self.specifier(child, module, flags)

    def specifier(self, node: Node, module: str, flags: int) -> None:
        """`a`, `a as b`, `type T` between the braces of an import or of an export from a module."""
        name_node, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if any(self.type_of[child.kind_id] == "type" for child in node.children):
            flags |= int(ImportFlag.TYPE_ONLY)
        name = self.property_name(name_node)
        local = self.property_name(alias) if alias is not None else name
        self.import_name(name_node, local, module, name, flags)

    def import_name(self, node: Node, local: str, module: str, name: str, flags: int = 0) -> None:
        """One name brought in from a module."""
        self.builder.import_(local, module, name, *self.place(node), flags=flags)
        self.builder.reference(name, IMPORT, node.start_byte, OPAQUE)

    def import_require(self, node: Node) -> None:
        """`import x = require('y')`."""
        local, source = node.named_children[0], node.child_by_field_name("source")
        self.import_whole(local, self.text(local), self.text(source)[1:-1])

    def import_whole(self, node: Node, local: str, module: str) -> None:
        """All that a CommonJS module is, which may be one function or class."""
        self.builder.import_(local, module, WHOLE, *self.place(node))
        self.builder.reference(local, IMPORT, node.start_byte, OPAQUE)

    # imports in expressions

    def is_module(self, expression: int) -> bool:
        return expression in self.module_expressions

    def doc_module(self, module: str, start: int) -> int:
        found = self.modules.get(module)
        if found is not None:
            return found
        line = self.source.count(b"\n", 0, start) + 1
        column = len(self.source[self.source.rfind(b"\n", 0, start) + 1 : start].decode("utf-8", "replace")) + 1
        local = f"import#{len(self.modules) + 1}"
        found = self.modules[module] = self.builder.name(local)
        self.module_expressions.add(found)
        self.builder.import_(local, module, WHOLE, line, column, flags=ImportFlag.TYPE_ONLY)
        return found

    def module_expression(self, source: Node) -> int:
        """The expression of the module that a string names."""
        return self.module_named(self.text(source)[1:-1], source)

    def module_named(self, module: str, place: Node) -> int:
        """The expression of a module that is named at a place inside an expression or type."""
        found = self.modules.get(module)
        if found is None:
            local = f"import#{len(self.modules) + 1}"
            found = self.modules[module] = self.builder.name(local)
            self.module_expressions.add(found)
            scope, self.builder.scope = self.builder.scope, self.file_scope()
            self.import_whole(place, local, module)
            self.builder.scope = scope
        return found

    def file_scope(self) -> Any:
        """The outermost scope."""
        scope = self.builder.scope
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def import_required(self, target: Node, value: Node) -> bool:
        call = self.required(value)
        if call is None or self.type_of[target.kind_id] not in ("identifier", "object_pattern"):
            return False
        module = self.text(call.children[-1].named_children[0])[1:-1]
        member = self.type_of[value.kind_id] == "member_expression"
        if self.type_of[target.kind_id] == "identifier":
            if value is not call and not (member and value.children[0].id == call.id):
                return False
            key = value.children[-1] if member else None
            if key is not None:
                self.import_name(key, self.text(target), module, self.text(key))
            else:
                self.import_whole(target, self.text(target), module)
            self.hide(self.text(target))
            return True
        if member or not all(self.is_plain(child) for child in target.named_children):
            return False
        for child in target.named_children:
            if self.type_of[child.kind_id] == "comment":
                continue
            pair = self.type_of[child.kind_id] == "pair_pattern"
            key, local = (child.children[0], child.children[-1]) if pair else (child, child)
            self.import_name(key, self.text(local), module, self.property_name(key))
            self.hide(self.text(local))
        return True

    @staticmethod
    def is_plain(node: Node) -> bool:
        """Whether a part of a pattern takes one name, without a default or a pattern inside."""
        if node.type == "pair_pattern":
            return bool(node.children[0].type != "computed_property_name" and node.children[-1].type == "identifier")
        return node.type in ("shorthand_property_identifier_pattern", "comment")

    # exports

    def on_export_statement(self, node: Node, role: int = READ) -> int:
        source, flags = node.child_by_field_name("source"), int(Flag.EXPORTED)
        start, default, type_only = None, False, 0
        children = node.children
        for position, child in enumerate(children):
            kind = self.type_of[child.kind_id]
            if kind == "decorator":
                self.visit(child)
                start = node
            elif kind == "type":
                type_only = int(ImportFlag.TYPE_ONLY)
            elif kind == "default":
                default, flags = True, flags | Flag.DEFAULT
            elif kind == "*" and source is not None:
                module = self.text(source)[1:-1]
                self.builder.import_("*", module, "*", *self.place(child), flags=ImportFlag.REEXPORT | type_only)
            elif kind == "namespace_export" and source is not None:
                local = child.named_children[-1]
                module, name = self.text(source)[1:-1], self.property_name(local)
                self.builder.import_(name, module, "", *self.place(local), flags=ImportFlag.REEXPORT | type_only)
            elif kind == "export_clause":
                self.export_clause(child, source, type_only)
            elif kind == "=":
                self.export_whole(children[position + 1])
                return OPAQUE
            elif child.is_named and kind not in ("string", "comment", "import_attribute"):
                self.export_declaration(child, flags, start, default)
        return OPAQUE

    def export_whole(self, node: Node) -> None:
        """`export = value`."""
        self.export(WHOLE, self.alternatives(node), line_of(node))

    def export_clause(self, node: Node, source: Node | None, type_only: int) -> None:
        """`{ a, b as c }`, of this file or from a module."""
        for child in node.named_children:
            if self.type_of[child.kind_id] != "export_specifier":
                continue
            if source is not None:
                self.specifier(child, self.text(source)[1:-1], ImportFlag.REEXPORT | type_only)
                continue
            name_node, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            name = self.text(name_node)
            self.builder.reference(name, IMPORT, name_node.start_byte)
            offered = self.property_name(alias) if alias is not None else name
            self.builder.binding(offered, EXPORT, self.builder.name(name), line_of(child))

    def export_declaration(self, node: Node, flags: int, start: Node | None, default: bool) -> None:
        """`export <declaration>` and `export default <declaration or value>`."""
        self.next_flags |= flags
        self.next_start = start
        if not default:
            self.visit(node)
            self.pending()
            return
        line, builder = line_of(node), self.builder
        inner = self.peel(node)
        if inner is not None and self.type_of[inner.kind_id] == "object":
            flags, _ = self.pending()
            symbol = self.define(
                node, "constant", node, name="default", flags=flags, doc=self.doc(),
                signature=self.head(node, node.end_byte),
            )  # fmt: skip
            self.object_members(inner, symbol, builder.name("default"))
            self.casts(node, inner)
            self.export("default", (builder.name("default"),), line)
            return
        if inner is not None and self.type_of[inner.kind_id] in ("arrow_function", "function_expression", "class"):
            name_node = inner.child_by_field_name("name") if self.type_of[inner.kind_id] != "arrow_function" else None
            name = self.text(name_node) if name_node is not None else "default"
            self.pending()
            if self.type_of[inner.kind_id] == "class":
                self.class_(inner, name_node or inner, name, start=start, flags=flags)
            else:
                symbol = self.define_function(name_node or inner, name, inner, flags=flags)
                self.function(inner, symbol, OPAQUE)
            self.export("default", (builder.name(name),), line)
            return
        values = self.default_values(node)
        self.pending()
        self.export("default", values, line)

    def default_values(self, node: Node) -> list[int]:
        """Visit a default export that is a declaration or an expression."""
        function = self.wrapped(node) if self.type_of[node.kind_id] == "call_expression" else None
        if function is not None and not self.local and self.type_of[function.kind_id] == "arrow_function":
            flags, _ = self.pending()
            self.owned[function.id] = self.define_function(node, "default", function, span=node, flags=flags)
        return self.alternatives(node)
