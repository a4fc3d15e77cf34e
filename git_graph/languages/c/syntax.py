"""How C's syntax becomes symbols, references, imports and bindings: expressions, statements and the preprocessor.

Every branch of a conditional is read. A macro is a symbol, and the names in its body are references made by it. What
`mend` takes out of the source for the grammar's sake is read token by token.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.c.mend import MENDABLE, mend
from git_graph.languages.c.outside import Outside
from git_graph.languages.c.text import words
from git_graph.languages.lexical import Local
from git_graph.languages.walker import Node
from git_graph.model import CALL, NONE, OPAQUE, READ, TYPE, WRITE, X_CALL, Flag, ImportFlag

_SKIPPED = """number_literal string_literal char_literal null true false primitive_type storage_class_specifier
type_qualifier statement_identifier system_lib_string field_identifier break_statement continue_statement
ms_call_modifier preproc_directive variadic_parameter"""
_COMMENTS = rb"(?:\s|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*"
_GUARD = re.compile(rb"\s*#\s*ifndef\s+(\w+)[^\n]*\n%s#\s*define\s+(\w+)(?=\s)" % _COMMENTS)
_REST = re.compile(_COMMENTS)
_TYPE_WORDS = frozenset(("void", "int", "char", "short", "long", "unsigned", "signed", "float", "double", "const"))
_UNDEF = re.compile(r"#\s*undef")
_CLEANUP = re.compile(r"\bcleanup\s*\(\s*(\w+)")


class Syntax(Outside):
    """C's walk."""

    SKIP: ClassVar[frozenset[str]] = frozenset(_SKIPPED.split())
    ALIASES: ClassVar[dict[str, str]] = {
        "union_specifier": "struct_specifier",
        "enum_specifier": "struct_specifier",
        "preproc_function_def": "preproc_def",
        "preproc_elifdef": "preproc_ifdef",
        "preproc_elif": "preproc_if",
        "preproc_else": "preproc_if",
        "attribute_declaration": "attribute_specifier",
        "ms_declspec_modifier": "attribute_specifier",
        "update_expression": "assignment_expression",
    }
    GIVEN: ClassVar[dict[str, Local]] = dict.fromkeys(_TYPE_WORDS, (OPAQUE, "", 0, 0))
    """Types' own words, which stand where the grammar expects a value in arguments of macros."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.top_call: Node = None
        """The call outside of functions that was met last: a block behind it is the body of what it defines."""

    def prepare(self, parse: Callable[[bytes], Node]) -> Node:
        """The tree to walk: of the source as it is if the grammar can read it, else of the mended source."""
        root = None
        if not MENDABLE.search(self.source):
            root = parse(self.source)
            if not root.has_error:
                return root
        self.mended = mend(self.source, self.CPP)
        return parse(self.mended.text) if root is None or self.mended.text != self.source else root

    def run(self, root: Node) -> None:
        """Walk the whole tree, then what was taken out of it."""
        super().run(root)
        if self.mended.left_out:
            self.outside_the_tree()
        self.constants()

    # names and expressions

    def on_type_identifier(self, node: Node, role: int = READ) -> int:
        return self.on_identifier(node, TYPE if role == READ else role)

    def void_type_identifier(self, node: Node, role: int = READ) -> int:
        return self.void_identifier(node, TYPE if role == READ else role)

    def on_call_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        if not self.in_function:
            self.top_call = node
        called, arguments = self.visit(children[0], CALL), children[-1]
        if not arguments.has_error:
            self.note_arguments(children[0].end_byte, arguments)
            self.through(arguments)
        elif type_ := self.type_arguments(arguments):
            return type_
        return OPAQUE if called == OPAQUE else self.builder.expression(X_CALL, called)

    def void_call_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        if not self.in_function:
            self.top_call = node
        self.step(children[0], CALL)
        if not children[-1].has_error:
            self.note_arguments(children[0].end_byte, children[-1])
            self.through(children[-1])
        else:
            self.type_arguments(children[-1])
        return OPAQUE

    def type_arguments(self, node: Node) -> int:
        """The arguments of a macro that takes a type and a member: `container_of(p, struct node, link)`.

        The type if there is one, else NONE.
        """
        type_ = NONE
        tagged = False
        for child in node.named_children:
            name = child.named_children[0] if child.is_error and child.named_child_count else child
            text = self.text(name) if name.type == "identifier" else ""
            if text in ("struct", "union", "enum"):
                tagged = True
            elif text and tagged:
                tagged, type_ = False, self.builder.annotation(f"struct {text}")
                self.refer(name, TYPE, self.builder.literal("struct"), text)
            elif text and type_ and self.known(text) is None:
                self.refer(name, READ, type_, text)
            else:
                self.visit(child)
        return type_

    def on_field_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        return self.member(children[-1], self.visit(children[0]) or OPAQUE, role)

    def void_field_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        return self.member_void(children[-1], self.visit(children[0]) or OPAQUE, role)

    def on_subscript_expression(self, node: Node, role: int = READ) -> int:
        of, *indices = node.named_children
        value = self.visit(of, role if role == WRITE else READ)
        self.each(indices)
        return value

    def on_pointer_expression(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("argument"), CALL if role == CALL else READ)

    def on_parenthesized_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.arithmetic(child) if child.type == "binary_expression" else self.visit(child, role)
        return value

    def arithmetic(self, node: Node) -> int:
        """`(p + 1)` is what `p` is."""
        rights = []
        while node.type == "binary_expression" and node.child_count == 3:
            rights.append(node.children[2])
            node = node.children[0]
        value = self.visit(node)
        self.each(reversed(rights))
        return value

    def on_cast_expression(self, node: Node, role: int = READ) -> int:
        type_ = self.visit(node.child_by_field_name("type"))
        self.visit(node.child_by_field_name("value"))
        return type_

    def on_compound_literal_expression(self, node: Node, role: int = READ) -> int:
        type_ = self.visit(node.child_by_field_name("type"))
        self.initialise(node.child_by_field_name("value"), type_)
        return type_

    def on_conditional_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for position, child in enumerate(node.named_children):
            found = self.visit(child)
            if position and value == OPAQUE:
                value = found
        return value

    def on_comma_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child)
        return value

    def on_assignment_expression(self, node: Node, role: int = READ) -> int:
        children = node.named_children
        value = self.visit(children[0], WRITE) if children else OPAQUE
        for child in children[1:]:
            self.step(child)
        return value

    def void_assignment_expression(self, node: Node, role: int = READ) -> int:
        write = WRITE
        for child in node.named_children:
            self.step(child, write)
            write = READ
        return OPAQUE

    def on_offsetof_expression(self, node: Node, role: int = READ) -> int:
        type_, member = self.visit(node.child_by_field_name("type")), node.child_by_field_name("member")
        if member is not None:
            self.refer(member, READ, type_)
        return OPAQUE

    # initialisers

    def on_initializer_list(self, node: Node, role: int = READ) -> int:
        of, find = self.initialised, self.handlers.get
        for child in node.named_children:
            handler = find(child.kind_id)
            if handler is not None:
                handler(child, READ)
            else:
                self.through(child)
            self.initialised = of
        return OPAQUE

    def on_initializer_pair(self, node: Node, role: int = READ) -> int:
        """`.field = value` or `[index] = value`."""
        for child in node.named_children:
            if child.type == "field_designator":
                self.designate(child.named_children[0])
            elif child.type == "field_identifier":  # `field: value`, GNU's older form
                self.designate(child)
            elif child.type == "subscript_designator":
                self.through(child)
            else:
                self.visit(child)
        return OPAQUE

    def designate(self, name_node: Node) -> None:
        """A field that a designator names: what follows fills it."""
        name = self.text(name_node)
        self.refer(name_node, WRITE, self.initialised, name)
        self.initialised = self.builder.attribute(self.initialised, name)

    # statements

    def on_compound_statement(self, node: Node, role: int = READ) -> int:
        if not self.in_function and self.top_call is not None:
            self.macro_function(node, self.top_call)
            return OPAQUE
        mark = self.block(node)
        self.through(node)
        self.close(mark)
        return OPAQUE

    def macro_function(self, node: Node, call: Node) -> None:
        """`TEST(name) {`: what a macro makes a function of, called by its first argument, a test's by its last."""
        self.top_call = None
        arguments = [child for child in call.children[-1].named_children if child.type == "identifier"]
        test = "TEST" in self.text(call.children[0]).upper()
        if not arguments or self.source[call.end_byte : node.start_byte].strip(b"; \t\r\n"):
            self.through(node)
            return
        symbol = self.define(
            arguments[-1 if test else 0], "function", node, start=call, signature=self.text(call),
            flags=self.conditional | (Flag.TEST if test else 0),
        )  # fmt: skip
        self.enter_function(symbol, node, None, node, [])

    def on_for_statement(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        self.through(node)
        self.close(mark)
        return OPAQUE

    def on_attribute_specifier(self, node: Node, role: int = READ) -> int:
        match = _CLEANUP.search(self.text(node))
        if match is not None:
            self.builder.reference(match[1], READ, node.start_byte + match.start(1))
        return OPAQUE

    # the preprocessor

    def on_preproc_include(self, node: Node, role: int = READ) -> int:
        path = node.child_by_field_name("path")
        if path is None:
            return OPAQUE
        text = self.text(path)
        if text[:1] not in '"<':
            return self.visit(path)
        line, column = self.place(path)
        system = ImportFlag.SYSTEM if text[0] == "<" else 0
        self.builder.import_("", text[1:-1], text[1:-1].rpartition("/")[2], line, column + 1, flags=system)
        return OPAQUE

    def on_preproc_def(self, node: Node, role: int = READ) -> int:
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name_node is None or self.is_guard(node):
            return OPAQUE
        parameters = node.child_by_field_name("parameters")
        symbol = self.define(
            name_node, "macro", node, parent=0, signature=self.text(node)[:400].replace("\\\n", " "),
            doc=self.doc(node),
            flags=self.conditional | Flag.EXPORTED,
        )  # fmt: skip
        if value is not None:
            names = frozenset(self.text(child) for child in parameters.named_children) if parameters else frozenset()
            self.read_text(value.start_byte, value.end_byte, symbol, names)
        return OPAQUE

    def is_guard(self, node: Node) -> bool:
        """Whether a `#define` only says that this header was included."""
        around = node.parent
        if around is None or around.type != "preproc_ifdef":
            return False
        match = self.guard(around)
        return match is not None and match.end() >= node.start_byte

    def guard(self, node: Node) -> re.Match[bytes] | None:
        """The head of a conditional that keeps a header from being read twice: all that the file has stands in it."""
        match = _GUARD.match(self.source, node.start_byte, node.start_byte + 4000)
        if match is None or match[1] != match[2] or node.parent.type != "translation_unit":
            return None
        return match if _REST.fullmatch(self.source, node.end_byte) else None

    def on_preproc_call(self, node: Node, role: int = READ) -> int:
        argument = node.child_by_field_name("argument")
        if argument is not None and _UNDEF.match(self.text(node)):
            for word in words(self.source, argument.start_byte, argument.end_byte):
                self.builder.reference(word.name, WRITE, word.start, symbol=0)
        return OPAQUE

    def on_preproc_ifdef(self, node: Node, role: int = READ) -> int:
        name = node.child_by_field_name("name")
        if name is not None and node.children[0].type == "#ifndef" and self.guard(node) is not None:
            self.each(child for child in node.named_children[1:])
            return OPAQUE
        if name is not None:
            self.builder.reference(self.text(name), READ, name.start_byte, symbol=0)
        return self.conditionally(node, skip=name)

    def on_preproc_if(self, node: Node, role: int = READ) -> int:
        condition = node.child_by_field_name("condition")
        if condition is not None:
            self.read_text(condition.start_byte, condition.end_byte, 0)
        return self.conditionally(node, skip=condition)

    def conditionally(self, node: Node, skip: Node = None) -> int:
        outer, self.conditional = self.conditional, int(Flag.CONDITIONAL)
        for child in node.named_children:
            if child != skip:
                self.visit(child)
        self.conditional = outer
        return OPAQUE
