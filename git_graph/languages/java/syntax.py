"""How Java's declarations become symbols, imports and bindings.

The package is a binding of kind project (`package`). An anonymous class is a symbol `$1`, `$2`, ... of its file. A
record's components are fields and, unless it declares them itself, methods of the same name.
"""

from __future__ import annotations

from git_graph.languages.builder import Builder
from git_graph.languages.java.statements import Statements
from git_graph.languages.walker import Node
from git_graph.model import (
    IMPLEMENT,
    IMPORT,
    INHERIT,
    NONE,
    OPAQUE,
    PROJECT,
    READ,
    TYPE,
    TYPE_PARAMETER,
    Flag,
    ImportFlag,
)

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "class",
    "annotation_type_declaration": "interface",
}
_WORDS = {
    "public": Flag.EXPORTED,
    "protected": Flag.EXPORTED,
    "private": Flag.INTERNAL,
    "static": Flag.STATIC,
    "abstract": Flag.ABSTRACT,
    "final": Flag.READONLY,
}
_TESTS = frozenset(("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"))


class Syntax(Statements):
    """Java's walk."""

    ALIASES = {**Statements.ALIASES, **dict.fromkeys(_KINDS, "class_declaration")} | {
        "constant_declaration": "field_declaration",
        "annotation_type_element_declaration": "method_declaration",
        "compact_constructor_declaration": "constructor_declaration",
    }

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.doc = ""
        self.anonymous = 0
        self.in_interface = False
        self.class_name = ""
        self.base_name = ""

    def run(self, root: Node) -> None:
        """Walk the file."""
        self.members(root, top=True)

    def members(self, node: Node, *, top: bool = False) -> None:
        """Visit declarations; a `/** */` right before one is its doc comment."""
        doc = ""
        for child in node.children:
            if child.type == "block_comment":
                doc = self.doc_line(child)
                continue
            if child.type == "line_comment" or not child.is_named:
                continue
            self.doc, doc = doc, ""
            if top:
                self.guarded(child)
            else:
                self.visit(child)

    def doc_line(self, node: Node) -> str:
        text = self.text(node)
        if not text.startswith("/**"):
            return ""
        lines = (line.strip().lstrip("*").strip() for line in text[3:-2].split("\n"))
        return next((line for line in lines if line), "")

    # the file

    def on_package_declaration(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type in ("identifier", "scoped_identifier"):
                name = "".join(self.text(child).split())
                self.builder.binding("package", PROJECT, self.builder.literal(name), child.start_point[0] + 1)
            else:
                self.visit(child)
        return OPAQUE

    def on_import_declaration(self, node: Node, role: int = READ) -> int:
        path = next((c for c in node.named_children if c.type in ("identifier", "scoped_identifier")), None)
        if path is None:
            return OPAQUE
        static = any(child.type == "static" for child in node.children)
        flags = ImportFlag.STATIC if static else ImportFlag(0)
        if any(child.type == "asterisk" for child in node.children):
            if static:
                self.import_path(path)
            line, column = self.place(path)
            self.builder.import_("*", "".join(self.text(path).split()), "*", line, column, flags=flags)
            return OPAQUE
        self.import_path(path, static)
        scope, name_node = path.child_by_field_name("scope"), path.child_by_field_name("name") or path
        module = "".join(self.text(scope).split()) if scope is not None else ""
        line, column = self.place(name_node)
        self.builder.import_(self.text(name_node), module, self.text(name_node), line, column, flags=flags)
        return OPAQUE

    def import_path(self, node: Node, member: bool = False) -> int:
        """Record the class at the end of an imported path, and the class before it if that is a `member`."""
        scope, name_node = node.child_by_field_name("scope"), node.child_by_field_name("name") or node
        of = NONE
        if scope is not None:
            of = self.import_path(scope) if member else self.path_expression(scope)
        name = self.text(name_node)
        self.refer(name_node, IMPORT, of, name)
        return self.builder.attribute(of, name) if of else self.builder.name(name)

    def path_expression(self, node: Node) -> int:
        value = NONE
        for part in "".join(self.text(node).split()).split("."):
            value = self.builder.attribute(value, part) if value else self.builder.name(part)
        return value

    # types

    def on_class_declaration(self, node: Node, role: int = READ) -> int:
        kind, name_node = _KINDS[node.type], node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        flags, start = self.declared(node)
        name = self.text(name_node)
        doc, self.doc = self.doc, ""
        bases = [(child, r) for part in node.named_children for child, r in self.bases(part)]
        if self.in_interface:
            flags |= Flag.EXPORTED | Flag.STATIC
        self.free(name)
        symbol = self.define(
            name_node,
            kind,
            node,
            signature=self.between(start, body.start_byte if body is not None else node.end_byte),
            doc=doc,
            flags=flags & ~Flag.READONLY,
            bases=[self.text(base) for base, _ in bases],
        )
        parameters = node.child_by_field_name("parameters")
        with_body = self.open_class(symbol, node, name, self.text(bases[0][0]) if bases else "")
        self.in_interface = kind == "interface"
        self.type_parameters(node)
        for base, base_role in bases:
            self.visit(base, base_role)
        if parameters is not None:
            self.components(parameters, body)
        if body is not None:
            self.class_body(body)
        self.close_class(with_body)
        return OPAQUE

    def bases(self, node: Node) -> list[tuple[Node, int]]:
        """The types that one clause of a class's head lists, with their roles."""
        role = {"superclass": INHERIT, "super_interfaces": IMPLEMENT, "extends_interfaces": INHERIT}.get(node.type)
        if role is None:
            return []
        found = []
        for child in node.named_children:
            found += [(type_, role) for type_ in (child.named_children if child.type == "type_list" else (child,))]
        return found

    def open_class(self, symbol: int, node: Node, name: str, base: str) -> tuple[object, ...]:
        """Enter a class; give the answer to `close_class`."""
        scope, mark = self.builder.enter(symbol, node.end_point[0] + 1), self.block(node)
        outer = self.class_name, self.base_name, self.in_interface, self.lambda_of, self.switched
        self.class_name, self.base_name = name, base.split("<", 1)[0].rpartition(".")[2].strip()
        self.in_interface, self.lambda_of, self.switched = False, NONE, OPAQUE
        return scope, mark, outer

    def close_class(self, opened: tuple[object, ...]) -> None:
        """Leave a class."""
        scope, mark, outer = opened
        self.class_name, self.base_name, self.in_interface, self.lambda_of, self.switched = outer  # type: ignore[misc]
        self.close(mark)  # type: ignore[arg-type]
        self.builder.leave(scope)  # type: ignore[arg-type]

    def class_body(self, body: Node) -> None:
        """Visit members; those of a class inside a function hide its locals."""
        if len(self.names) > len(self.GIVEN):
            for member in body.named_children:
                for declarator in member.children_by_field_name("declarator"):
                    self.free(self.text(declarator.child_by_field_name("name")))
        self.members(body)

    def anonymous_class(self, body: Node, base: str) -> None:
        """Define the class of `new Base() { ... }`."""
        self.anonymous += 1
        name = f"${self.anonymous}"
        symbol = self.define(
            body, "class", body, name=name, signature=f"new {base}()", flags=Flag.IMPLICIT, bases=[base]
        )
        opened = self.open_class(symbol, body, name, base)
        self.class_body(body)
        self.close_class(opened)

    def constructor_name(self, base: bool) -> str:
        """The name of the present class's constructors, or of its base's."""
        return self.base_name if base else self.class_name

    def type_parameters(self, node: Node) -> None:
        parameters = node.child_by_field_name("type_parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            names = [c for c in parameter.named_children if c.type in ("type_identifier", "identifier")]
            if not names:
                continue
            text, value = self.text(names[0]), OPAQUE
            self.rename(text, self.builder.name(text))
            for child in parameter.named_children:
                if child.type == "type_bound":
                    self.through(child, TYPE)
                    value = self.builder.annotation(self.text(child).removeprefix("extends").strip())
            self.builder.binding(text, TYPE_PARAMETER, value, parameter.start_point[0] + 1, self.end_line)

    def components(self, parameters: Node, body: Node | None) -> None:
        """A record's components: fields, and methods unless they are declared."""
        methods = {
            self.text(member.child_by_field_name("name"))
            for member in (body.named_children if body is not None else ())
            if member.type == "method_declaration"
        }
        for parameter in parameters.named_children:
            type_, name_node = self.parameter_parts(parameter)
            if type_ is None or name_node is None:
                continue
            self.modifiers(parameter)
            self.visit(type_, TYPE)
            name, text = self.text(name_node), self.text(type_)
            facts = {"signature": f"{text} {name}", "returns": text}
            self.define(name_node, "field", parameter, flags=Flag.READONLY, **facts)
            if name not in methods:
                self.define(name_node, "method", parameter, flags=Flag.EXPORTED | Flag.IMPLICIT, **facts)

    # members

    def declared(self, node: Node) -> tuple[Flag, Node]:
        """The flags that modifiers and annotations give; the first token that is no annotation."""
        flags, start = Flag(0), None
        for child in node.children:
            if child.type != "modifiers":
                if child.type not in ("line_comment", "block_comment"):
                    start = start or child
                    break
                continue
            for word in child.children:
                if word.type in ("annotation", "marker_annotation"):
                    self.visit(word)
                    flags |= self.annotation_flags(word)
                else:
                    flags |= _WORDS.get(word.type, 0)
                    start = start or word
        return flags, start or node

    def annotation_flags(self, node: Node) -> Flag:
        name = self.text(node.child_by_field_name("name")).rpartition(".")[2]
        return Flag.OVERRIDE if name == "Override" else Flag.TEST if name in _TESTS else Flag(0)

    def on_method_declaration(self, node: Node, role: int = READ) -> int:
        body, name_node = node.child_by_field_name("body"), node.child_by_field_name("name")
        flags, start = self.declared(node)
        if self.in_interface:
            flags |= Flag(0) if flags & Flag.INTERNAL else Flag.EXPORTED
            flags |= Flag.ABSTRACT if body is None else Flag(0)
        type_ = node.child_by_field_name("type")
        returns = self.declared_type(type_, node.child_by_field_name("dimensions"))
        self.function(node, name_node, "method", flags & ~Flag.READONLY, start, "" if returns == "void" else returns)
        return OPAQUE

    def on_constructor_declaration(self, node: Node, role: int = READ) -> int:
        flags, start = self.declared(node)
        self.function(node, node.child_by_field_name("name"), "constructor", flags, start, "")
        return OPAQUE

    def function(self, node: Node, name_node: Node, kind: str, flags: Flag, start: Node, returns: str) -> None:
        body, doc = node.child_by_field_name("body"), self.doc
        self.doc = ""
        end = body.start_byte if body is not None else node.end_byte
        signature = self.between(start, end).rstrip("; \n")
        symbol = self.define(name_node, kind, node, signature=signature, doc=doc, flags=flags, returns=returns)
        scope, mark = self.builder.enter(symbol, node.end_point[0] + 1), self.block(node)
        outer = self.in_interface, self.lambda_of, self.switched
        self.in_interface, self.lambda_of, self.switched = False, NONE, OPAQUE
        self.type_parameters(node)
        if (type_ := node.child_by_field_name("type")) is not None:
            self.visit(type_, TYPE)
        if (parameters := node.child_by_field_name("parameters")) is not None:
            self.parameters(parameters)
        for child in node.named_children:
            if child.type == "throws":
                self.through(child, TYPE)
        if (default := node.child_by_field_name("value")) is not None:
            self.visit(default)
        if body is not None:
            self.through(body)
        self.in_interface, self.lambda_of, self.switched = outer
        self.close(mark)
        self.builder.leave(scope)

    def on_field_declaration(self, node: Node, role: int = READ) -> int:
        flags, start = self.declared(node)
        doc, self.doc = self.doc, ""
        if self.in_interface:
            flags |= Flag.EXPORTED | Flag.STATIC | Flag.READONLY
        type_ = node.child_by_field_name("type")
        self.visit(type_, TYPE)
        constant = flags & Flag.STATIC and flags & Flag.READONLY
        for declarator in node.children_by_field_name("declarator"):
            name_node, right = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            symbol = self.define(
                name_node,
                "constant" if constant else "field",
                node,
                signature=self.between(start, name_node.end_byte),
                doc=doc,
                flags=flags,
                returns=self.declared_type(type_, declarator.child_by_field_name("dimensions")),
            )
            if right is not None:
                self.field_value(symbol, right, node)
        return OPAQUE

    def field_value(self, symbol: int, right: Node, node: Node) -> None:
        """A field's initial value; code in it (a lambda, an anonymous class) is the field's own."""
        if right.type in ("lambda_expression", "object_creation_expression"):
            scope = self.builder.enter(symbol, node.end_point[0] + 1)
            self.visit(right)
            self.builder.leave(scope)
        else:
            self.visit(right)

    def on_enum_constant(self, node: Node, role: int = READ) -> int:
        self.declared(node)
        doc, self.doc = self.doc, ""
        enum, body = self.class_name, node.child_by_field_name("body")
        name_node = node.child_by_field_name("name")
        symbol = self.define(
            name_node,
            "enum_member",
            node,
            signature=self.text(name_node),
            doc=doc,
            flags=Flag.EXPORTED | Flag.STATIC | Flag.READONLY,
            returns=enum,
            bases=[] if body is None else [enum],
        )
        self.visit_arguments(node.child_by_field_name("arguments"))
        if body is not None:
            opened = self.open_class(symbol, node, self.text(name_node), enum)
            self.class_body(body)
            self.close_class(opened)
        return OPAQUE

    def on_enum_body_declarations(self, node: Node, role: int = READ) -> int:
        self.members(node)
        return OPAQUE

    def on_static_initializer(self, node: Node, role: int = READ) -> int:
        self.through(node)
        return OPAQUE
