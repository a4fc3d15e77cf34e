"""How Go's syntax becomes symbols, references, imports and bindings.

A method belongs to its receiver's type, whose receiver is SELF in it. A package's name is a binding of kind project
(`package`). Values of several results are indexed by their position, the key variable of a range loop by `range`.
The predeclared types (`int`, `error`) are not recorded as references.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.go.expressions import NAMED, PREDECLARED, Expressions
from git_graph.languages.walker import Node
from git_graph.model import (
    ALIAS,
    FIELD,
    INHERIT,
    NONE,
    OPAQUE,
    PARAMETER,
    PROJECT,
    READ,
    SELF,
    TYPE,
    TYPE_PARAMETER,
    VARIABLE,
    Flag,
)

_VERSION = re.compile(r"v\d+")
_TEST = re.compile(r"(Test|Benchmark|Fuzz)($|[^a-z])|Example($|[^a-z])")


class Syntax(Expressions):
    """Go's walk."""

    ALIASES: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("for_statement", "if_statement", "expression_switch_statement"), "block"),
        **dict.fromkeys(("expression_case", "default_case", "select_statement"), "block"),
        **dict.fromkeys(("slice_type", "array_type", "map_type", "channel_type"), "pointer_type"),
        "function_type": "function_type",
        "dec_statement": "inc_statement",
        "type_alias": "type_spec",
    }

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.conditional = Flag.CONDITIONAL if _constrained(source) else Flag(0)
        self.doc = ""
        self.in_function = False

    # the file

    def run(self, root: Node) -> None:
        """Walk the file; a comment that ends on the line above a declaration is its doc comment."""
        doc, row = "", -2
        for child in root.children:
            if child.type == "comment":
                if child.start_point[0] != row + 1:
                    doc = self.comment_line(child)
                row = child.end_point[0]
                continue
            self.doc = doc if child.start_point[0] == row + 1 else ""
            doc, row = "", -2
            if child.type == "package_clause":
                self.package(child)
            else:
                self.guarded(child)

    def comment_line(self, node: Node) -> str:
        return self.text(node).lstrip("/*").split("\n", 1)[0].removesuffix("*/").strip()

    def package(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "package_identifier":
                self.builder.binding(
                    "package", PROJECT, self.builder.literal(self.text(child)), child.start_point[0] + 1
                )

    def on_import_spec(self, node: Node, role: int = READ) -> int:
        path = node.child_by_field_name("path")
        module = self.text(path).strip('"`')
        alias = node.child_by_field_name("name")
        name, local = "", _package_name(module)
        if alias is not None:
            if alias.type == "dot":
                name = local = "*"
            else:
                local = "" if alias.type == "blank_identifier" else self.text(alias)
        line, column = self.place(path)
        self.builder.import_(local, module, name, line, column)
        return OPAQUE

    # declarations

    def on_function_declaration(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = self.text(name_node)
        flags = _exported(name)
        if _TEST.match(name) and (
            name.startswith("Example") or "testing." in self.text(node.child_by_field_name("parameters"))
        ):
            flags |= Flag.TEST
        self.function(node, name_node, body, "function", flags, "", None)
        return OPAQUE

    def on_method_declaration(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        receiver = node.child_by_field_name("receiver")
        owner = ""
        for declaration in receiver.named_children:
            if (type_ := declaration.child_by_field_name("type")) is not None:
                owner = _bare(self.text(type_))
        self.function(node, name_node, body, "method", _exported(self.text(name_node)), owner, receiver)
        return OPAQUE

    def function(
        self, node: Node, name_node: Node, body: Node | None, kind: str, flags: int, owner: str, receiver: Node | None
    ) -> None:
        result = node.child_by_field_name("result")
        end = body.start_byte if body is not None else node.end_byte
        symbol = self.define(
            name_node,
            kind,
            node,
            signature=self.between(node, end),
            doc=self.take_doc(),
            flags=flags | self.conditional | (Flag.DECLARATION if body is None else 0),
            returns=self.result_text(result),
            owner=owner,
        )
        self.free(self.text(name_node)) if self.in_function else None
        scope = self.builder.enter(symbol, self.end_line)
        mark, outer, self.in_function = self.block(node), self.in_function, True
        scope.end_line = self.end_line
        if receiver is not None:
            self.receiver(receiver)
        self.type_parameters(node.child_by_field_name("type_parameters"))
        self.parameters(node.child_by_field_name("parameters"))
        self.results(result)
        if body is not None:
            self.through(body)
        self.in_function = outer
        self.close(mark)
        self.builder.leave(scope)

    def take_doc(self) -> str:
        doc, self.doc = self.doc, ""
        return doc

    def receiver(self, node: Node) -> None:
        for declaration in node.named_children:
            if declaration.type != "parameter_declaration":
                continue
            type_ = declaration.child_by_field_name("type")
            self.receiver_parameters(type_)
            self.visit(type_, TYPE)
            for name in declaration.children_by_field_name("name"):
                self.declare(self.text(name), SELF, name.start_point[0] + 1, PARAMETER)

    def receiver_parameters(self, type_: Node) -> None:
        """`func (h *Holder[T])` declares T."""
        while type_ is not None and type_.type in ("pointer_type", "parenthesized_type"):
            type_ = type_.named_children[0] if type_.named_child_count else None
        if type_ is not None and type_.type == "generic_type":
            for argument in type_.child_by_field_name("type_arguments").named_children:
                self.declare(self.text(argument), OPAQUE, argument.start_point[0] + 1)

    def type_parameters(self, node: Node | None) -> None:
        if node is None:
            return
        declarations = [child for child in node.named_children if child.type == "type_parameter_declaration"]
        for declaration in declarations:
            for name in declaration.children_by_field_name("name"):
                self.declare(self.text(name), OPAQUE, name.start_point[0] + 1)
        for declaration in declarations:
            bound = declaration.child_by_field_name("type")
            self.visit(bound, TYPE)
            for name in declaration.children_by_field_name("name"):
                text, line = self.text(name), name.start_point[0] + 1
                self.builder.binding(
                    text, TYPE_PARAMETER, self.builder.annotation(self.text(bound)), line, self.end_line
                )

    def on_type_spec(self, node: Node, role: int = READ) -> int:
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if type_ is None:
            return OPAQUE
        name = self.text(name_node)
        body = type_.named_children[0] if type_.type == "struct_type" and type_.named_child_count else type_
        facts: dict[str, Any]
        if node.type == "type_alias":
            kind, facts = "type_alias", {"returns": self.text(type_)}
        elif type_.type == "struct_type":
            kind, facts = "struct", {"bases": self.embedded_in(body)}
        elif type_.type == "interface_type":
            kind, facts = "interface", {"bases": self.embedded_in(type_)}
        else:
            text = self.text(type_)
            kind, facts = "class", {"bases": [] if text in PREDECLARED else [text]}
        symbol = self.define(
            name_node,
            kind,
            node,
            signature="type " + self.between(node, type_.start_byte) + kind_word(type_, self.text(type_)),
            doc=self.take_doc(),
            flags=_exported(name) | self.conditional,
            **facts,
        )
        self.free(name)
        if kind == "type_alias":
            self.builder.binding(name, ALIAS, self.builder.annotation(self.text(type_)), node.start_point[0] + 1)
        scope, mark = self.builder.enter(symbol, self.end_line), self.block(node)
        scope.end_line = self.end_line
        self.type_parameters(node.child_by_field_name("type_parameters"))
        self.visit(type_, TYPE)
        self.close(mark)
        self.builder.leave(scope)
        return OPAQUE

    def embedded_in(self, body: Node) -> list[str]:
        """The types embedded in a struct or interface, as written, without pointers and constraints."""
        found = []
        for child in body.named_children:
            if child.type == "field_declaration" and child.child_by_field_name("name") is None:
                found.append(self.text(child.child_by_field_name("type")))
            elif child.type == "type_elem" and child.named_child_count == 1 and child.named_children[0].type in NAMED:
                found.append(self.text(child))
        return found

    def on_field_declaration(self, node: Node, role: int = READ) -> int:
        type_, names = node.child_by_field_name("type"), node.children_by_field_name("name")
        line = node.start_point[0] + 1
        if not names:
            text = self.text(type_)
            self.visit(type_, INHERIT)
            self.builder.binding(_last_part(text), FIELD, self.builder.annotation(text), line, self.end_line)
            return OPAQUE
        text, symbol = self.text(type_), -1
        for name_node in names:
            name = self.text(name_node)
            symbol = self.define(
                name_node,
                "field",
                node,
                signature=f"{name} {text}",
                flags=_exported(name),
                returns=text,
            )
        if type_.type == "struct_type":
            scope = self.builder.enter(symbol, self.end_line)
            self.visit(type_, TYPE)
            self.builder.leave(scope)
        else:
            self.visit(type_, TYPE)
        return OPAQUE

    def on_method_elem(self, node: Node, role: int = READ) -> int:
        name_node, result = node.child_by_field_name("name"), node.child_by_field_name("result")
        self.define(
            name_node,
            "method",
            node,
            signature=self.text(node),
            flags=_exported(self.text(name_node)) | Flag.ABSTRACT,
            returns=self.result_text(result),
        )
        return self.on_function_type(node)

    def on_type_elem(self, node: Node, role: int = READ) -> int:
        single = node.named_child_count == 1 and node.parent.type == "interface_type"
        for child in node.named_children:
            self.visit(child, INHERIT if single else TYPE)
        return OPAQUE

    def on_const_declaration(self, node: Node, role: int = READ) -> int:
        doc, type_text = self.take_doc(), ""
        for spec in node.named_children:
            if spec.type != "const_spec":
                continue
            type_, value = spec.child_by_field_name("type"), spec.child_by_field_name("value")
            if type_ is not None:
                self.visit(type_, TYPE)
                type_text = self.text(type_)
            elif value is not None:
                type_text = ""
            values = [self.visit(v) for v in value.named_children] if value is not None else []
            self.constants(spec, type_text, values, doc)
        return OPAQUE

    def constants(self, spec: Node, type_text: str, values: list[int], doc: str) -> None:
        declared = self.builder.annotation(type_text) if type_text else OPAQUE
        for position, name_node in enumerate(spec.children_by_field_name("name")):
            name = self.text(name_node)
            if name_node.type != "identifier" or name == "_":
                continue
            value = values[position] if declared == OPAQUE and position < len(values) else declared
            if self.in_function:
                self.declare(name, value, name_node.start_point[0] + 1)
            else:
                self.variable(name_node, name, "constant", spec, type_text, value, doc)

    def on_var_declaration(self, node: Node, role: int = READ) -> int:
        doc = self.take_doc()
        for spec in node.named_children:
            specs = spec.named_children if spec.type == "var_spec_list" else (spec,)
            for each in specs:
                if each.type == "var_spec":
                    self.variables(each, doc)
        return OPAQUE

    def variables(self, spec: Node, doc: str) -> None:
        type_, value = spec.child_by_field_name("type"), spec.child_by_field_name("value")
        names = spec.children_by_field_name("name")
        text = self.text(type_) if type_ is not None else ""
        rights = [v for v in value.named_children if v.type != "comment"] if value is not None else []
        if type_ is not None:
            self.visit(type_, TYPE)
        if self.in_function:
            values = self.values(len(names), rights)
            for name_node, right in zip(names, values, strict=True):
                bound = self.builder.annotation(text) if text else right
                self.declare(self.text(name_node), bound, name_node.start_point[0] + 1)
            return
        symbols = [self.variable(n, self.text(n), "variable", spec, text, NONE, doc) for n in names]
        holds = len(symbols) == 1 and symbols[0] > 0 and bool(rights) and _holds_functions(rights[0])
        scope = self.builder.enter(symbols[0], spec.end_point[0] + 1) if holds else None
        values = self.values(len(names), rights)
        if scope is not None:
            self.builder.leave(scope)
        for name_node, right in zip(names, values, strict=True):
            bound = self.builder.annotation(text) if text else right
            if bound != OPAQUE:
                self.builder.binding(self.text(name_node), VARIABLE, bound, name_node.start_point[0] + 1)

    def variable(self, name_node: Node, name: str, kind: str, spec: Node, type_: str, value: int, doc: str) -> int:
        if name == "_":
            return -1
        symbol = self.define(
            name_node,
            kind,
            spec,
            name=name,
            signature=f"{kind[:5].rstrip('ia')} {self.text(spec).split(chr(10), 1)[0]}",
            doc=doc,
            flags=_exported(name) | self.conditional | (Flag.READONLY if kind == "constant" else 0),
            returns=type_,
        )
        if value not in (NONE, OPAQUE):
            self.builder.binding(name, VARIABLE, value, name_node.start_point[0] + 1)
        return symbol


def _exported(name: str) -> Flag:
    return Flag.EXPORTED if name[:1].isupper() else Flag(0)


def _bare(text: str) -> str:
    """`*Holder[T]` -> `Holder`."""
    return text.split("[", 1)[0].strip("*() \t\n")


def _last_part(text: str) -> str:
    """The name of an embedded field: `*p.Base[T]` -> `Base`."""
    return _bare(text).rsplit(".", 1)[-1]


def _package_name(module: str) -> str:
    """The name that a package of this import path has by convention."""
    parts = [part for part in module.split("/") if part]
    if not parts:
        return ""
    last = parts[-1]
    if _VERSION.fullmatch(last) and len(parts) > 1:
        last = parts[-2]
    last = re.sub(r"\.v\d+$", "", last)
    last = last.removeprefix("go-").removesuffix("-go").removesuffix(".go")
    return re.sub(r"[^\w].*", "", last) if last[:1].isalnum() else last


def _constrained(source: bytes) -> bool:
    """Whether the file has a build constraint."""
    head = source[: max(source.find(b"\npackage "), 0)]
    return b"//go:build " in head or b"// +build " in head


def _holds_functions(value: Node) -> bool:
    """Whether a package variable's value is code of its own that the variable then names."""
    while value.type in ("unary_expression", "parenthesized_expression") and value.named_child_count:
        value = value.named_children[0]
    return value.type in ("func_literal", "composite_literal")


def kind_word(type_: Node, text: str) -> str:
    """A type as a signature shows it: without the body of a struct or interface."""
    return {"struct_type": "struct", "interface_type": "interface"}.get(type_.type) or text.split("\n", 1)[0]
