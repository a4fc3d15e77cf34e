"""Locals in sight, as JavaScript's scopes have them.

The names that a block declares are known before its statements are walked, since functions may use what is declared
below them. So references to locals are never recorded, and each local's name in expressions is its own within the
outermost function: the second local `x` is called `x#2`. A local about which nothing is known is opaque wherever it is
used. Types have a name space of their own: a type parameter hides no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.walker import Node, Walker, last_line
from git_graph.model import (
    FIRST_EXPRESSION,
    LOCAL,
    OPAQUE,
    READ,
    X_ATTRIBUTE,
    X_AWAIT,
    X_CALL,
    X_INDEX,
    X_ITERATE,
    Flag,
)

_SPACES = re.compile(r"([(<\[])\s*\n\s*|,?\s*\n\s*(?=[)>\]])")
FREE = -1
"""In `names`: a symbol or an import hides the local."""
FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function"))
_WRAPPINGS = frozenset(
    ("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion")
)
_LITERALS = frozenset((
    "string", "number", "true", "false", "null", "undefined", "regex", "this", "super", "property_identifier",
    "statement_identifier", "predefined_type", "jsx_text", "accessibility_modifier", "optional_chain",
))  # fmt: skip
_NESTING = frozenset((
    "statement_block", "if_statement", "else_clause", "for_statement", "for_in_statement", "while_statement",
    "do_statement", "try_statement", "catch_clause", "finally_clause", "switch_statement", "switch_body",
    "switch_case", "switch_default", "labeled_statement",
))  # fmt: skip
_SYMBOLS = frozenset((
    "function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration",
    "enum_declaration", "function_signature",
))  # fmt: skip
WORDS = {
    "async": int(Flag.ASYNC),
    "*": int(Flag.GENERATOR),
    "static": int(Flag.STATIC),
    "abstract": int(Flag.ABSTRACT),
    "readonly": int(Flag.READONLY),
    "override_modifier": int(Flag.OVERRIDE),
    "declare": int(Flag.DECLARATION),
}
"""Keywords before a definition's name, and what they say."""
_LEAVES = ("identifier", "shorthand_property_identifier_pattern")

Mark = tuple[int, int, int, bool]
"""What `open` gives to `close`: length of the undo list, last and first line, whether declarations are locals."""


class Locals(Walker):
    """The table of locals, blocks, and what every part of the walk asks of it."""

    TYPED = False
    """Whether types are written (TypeScript)."""
    SKIP: ClassVar[frozenset[str]] = frozenset(("comment", "string_fragment", "escape_sequence", "hash_bang_line"))

    @classmethod
    def use_grammar(cls, types: Iterable[tuple[int, str]], tokens: Iterable[tuple[int, str]] = ()) -> None:
        """See Walker; literals are nothing where their value is not asked for."""
        named = list(types)
        super().use_grammar(named, tokens)
        cls._empty |= {kind: None for kind, type_ in named if type_ in _LITERALS}

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.names: dict[str, int] = {}
        """The locals in sight: name -> the expression that a use of it is."""
        self.types: dict[str, int] = {}
        """The type parameters in sight."""
        self.counts: dict[str, int] = {}
        """How many locals of each name the outermost function had so far."""
        self._undo: list[tuple[dict[str, int], str, int | None]] = []
        self.first_line = 1
        self.end_line = builder.scope.end_line
        """First and last line of the present block: its bindings hold in between."""
        self.local = False
        """Whether what is declared is a local: in any block but those of the file and of namespaces."""
        self.in_function = False
        self.this = OPAQUE
        """The expression that `this` is."""
        self.holder = -1
        """The symbol whose fields `this.x = ...` defines, or -1."""
        self.doc_comment: Node | None = None
        """The comment before the present statement or member."""
        self.has_var = b"var " in source
        self.has_exports = b"exports." in source
        self.has_casts = self.TYPED and b" as " in source
        self.has_require = b"require(" in source

    def run(self, root: Node) -> None:
        """Walk the whole tree."""
        doc = None
        for child in root.children:
            if self.type_of[child.kind_id] == "comment":
                doc = child
                continue
            self.doc_comment, doc = doc, None
            self.guarded(child)
            if self._undo:  # a statement was given up half-way
                self.close((0, self.builder.scope.end_line, 1, False))

    # blocks

    def open(self, node: Node, *, local: bool = True) -> Mark:
        """Open a block that spans `node`; give the answer to `close`."""
        mark = len(self._undo), self.end_line, self.first_line, self.local
        self.end_line, self.first_line, self.local = last_line(node), node.start_point[0] + 1, local
        return mark

    def close(self, mark: Mark) -> None:
        """Close a block: what it declared is forgotten."""
        length, self.end_line, self.first_line, self.local = mark
        undo = self._undo
        while len(undo) > length:
            table, name, before = undo.pop()
            if before is None:
                del table[name]
            else:
                table[name] = before

    def put(self, table: dict[str, int], name: str, value: int) -> None:
        """Set a name until the block closes."""
        self._undo.append((table, name, table.get(name)))
        table[name] = value

    def reserve(self, name: str) -> int:
        """From here to the end of the block `name` is a local; the expression that it is."""
        count = self.counts[name] = self.counts.get(name, 0) + 1
        expression = self.builder.name(name if count == 1 else f"{name}#{count}")
        self.put(self.names, name, expression)
        return expression

    def bind_local(self, name: str, values: Iterable[int], line: int, kind: int = LOCAL) -> None:
        """Say what the local `name` in sight is from `line` to the end of the block."""
        known = [value for value in values if value != OPAQUE]
        expression = self.names.get(name, FREE)
        if expression <= OPAQUE:
            if not known:
                return
            expression = self.reserve(name)
        for value in known or (OPAQUE,):
            if value != expression:
                self.builder.binding(self.spelled(expression), kind, value, line, self.end_line)

    def spelled(self, expression: int) -> str:
        """The name that a name expression is."""
        return self.builder.slice.strings[self.builder.slice.expressions.text[expression - FIRST_EXPRESSION]]

    def hoist(self, statements: Iterable[Node]) -> None:
        """Declare what the statements of a block declare, before they are walked."""
        for node in statements:
            kind = self.type_of[node.kind_id]
            if kind in ("lexical_declaration", "using_declaration"):
                self.hoist_declaration(node)
            elif kind in _SYMBOLS:
                name = node.child_by_field_name("name")
                if name is not None:
                    self.hide(self.text(name))

    def hoist_declaration(self, node: Node, seen: set[str] | None = None) -> None:
        """Declare what `let`, `const` or `var` declares, names in `seen` aside."""
        for child in node.named_children:
            if self.type_of[child.kind_id] == "variable_declarator":
                target = child.children[0]
                if self.type_of[target.kind_id] == "identifier" and self.is_symbol(child):
                    self.hide(self.text(target))
                else:
                    self.reserve_pattern(target, seen)

    def hoist_vars(self, body: Node, since: int) -> None:
        """Declare the `var`s of a function, however deep in its blocks they stand.

        Names that were declared `since` then (a length of the undo list) are parameters: they stay what they are.
        """
        if not self.has_var:
            return
        seen = {name for _, name, _ in self._undo[since:]}
        stack = body.children[::-1]
        while stack:
            node = stack.pop()
            kind = self.type_of[node.kind_id]
            if kind == "variable_declaration":
                self.hoist_declaration(node, seen)
            elif kind in _NESTING:
                if kind == "for_in_statement" and any(self.type_of[child.kind_id] == "var" for child in node.children):
                    self.reserve_pattern(node.child_by_field_name("left"), seen)
                stack += node.children[::-1]

    def reserve_pattern(self, node: Node, seen: set[str] | None = None) -> None:
        """Declare the names of a pattern, those in `seen` aside, which gains them."""
        for name in self.pattern_names(node):
            if seen is None or name not in seen:
                self.reserve(name)
            if seen is not None:
                seen.add(name)

    def hide(self, name: str) -> None:
        """From here to the end of the block `name` is no local: a symbol or an import hides it."""
        if name in self.names:
            self.put(self.names, name, FREE)

    def pattern_names(self, node: Node) -> Iterator[str]:
        """The names that a pattern declares."""
        stack = [node]
        while stack:
            node = stack.pop()
            kind = self.type_of[node.kind_id]
            if kind in _LEAVES:
                yield self.text(node)
            elif kind in ("object_pattern", "array_pattern", "rest_pattern"):
                stack += node.named_children[::-1]
            elif kind == "pair_pattern":
                stack.append(node.children[-1])
            elif kind in ("assignment_pattern", "object_assignment_pattern"):
                stack.append(node.children[0])

    def is_symbol(self, declarator: Node) -> bool:
        """Whether a declarator makes a symbol or an import wherever it stands."""
        raise NotImplementedError

    def statements(self, nodes: Iterable[Node]) -> None:
        """Walk statements, each with the comment before it in sight."""
        doc, find = None, self.handlers.get
        for node in nodes:
            kind = self.type_of[node.kind_id]
            if kind == "comment":
                doc = node
                continue
            self.doc_comment, doc = doc, None
            handler = find(node.kind_id)
            if handler is not None:
                handler(node, READ)
            elif node.child_count:
                self.through(node)

    def on_statement_block(self, node: Node, role: int = READ) -> int:
        mark, children = self.open(node), node.children
        self.hoist(children)
        self.statements(children)
        self.close(mark)
        return OPAQUE

    # values

    def alternatives(self, node: Node) -> list[int]:
        """Visit a value; the expressions that it may be (`a || b`, `c ? a : b` are two)."""
        kind = self.type_of[node.kind_id]
        if kind == "ternary_expression":
            condition, then, otherwise = (
                node.child_by_field_name(f) for f in ("condition", "consequence", "alternative")
            )
            self.visit(condition)
            return [*self.alternatives(then), *self.alternatives(otherwise)]
        if kind == "binary_expression" and self.type_of[node.children[1].kind_id] in ("||", "??"):
            operands = []
            while self.type_of[node.kind_id] == "binary_expression":
                if self.type_of[node.children[1].kind_id] not in ("||", "??"):
                    break
                operands.append(node.children[-1])
                node = node.children[0]
            return [value for part in (node, *reversed(operands)) for value in self.alternatives(part)]
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.alternatives(node.named_children[0])
        return [self.visit(node)]

    def peel(self, node: Node | None) -> Node | None:
        """The value inside parentheses, casts and `!`."""
        while node is not None and self.type_of[node.kind_id] in _WRAPPINGS and node.named_child_count:
            node = node.named_children[-1 if self.type_of[node.kind_id] == "type_assertion" else 0]
        return node

    def attribute(self, of: int, name: str) -> int:
        """`of.name`, which is as unknown as `of`."""
        return OPAQUE if of == OPAQUE else self.builder.expression(X_ATTRIBUTE, of, name)

    def called(self, of: int, types: str = "") -> int:
        """`of()`, with type arguments as written."""
        return OPAQUE if of == OPAQUE else self.builder.expression(X_CALL, of, types)

    def indexed(self, of: int, key: str) -> int:
        """`of[key]`."""
        return OPAQUE if of == OPAQUE else self.builder.expression(X_INDEX, of, key)

    def iterated(self, of: int) -> int:
        """What one turn of a loop over `of` yields."""
        return OPAQUE if of == OPAQUE else self.builder.expression(X_ITERATE, of)

    def awaited(self, of: int) -> int:
        """`await of`; awaiting an imported module gives the module."""
        if of == OPAQUE or self.is_module(of):
            return of
        return self.builder.expression(X_AWAIT, of)

    def is_module(self, expression: int) -> bool:
        """Whether an expression is a module imported inside an expression."""
        raise NotImplementedError

    def annotation_of(self, node: Node) -> int:
        """Visit a type annotation; the expression of its type."""
        raise NotImplementedError

    # facts about definitions

    def doc(self) -> str:
        """The first line of the doc comment before the present statement; used up by the first definition."""
        comment, self.doc_comment = self.doc_comment, None
        if comment is None:
            return ""
        text = self.text(comment)
        if not text.startswith("/**"):
            return ""
        for line in text[3:-2].splitlines():
            words = line.strip().lstrip("*").strip()
            if words:
                return "" if words.startswith("@") else words
        return ""

    def head(self, start: Node, end: int) -> str:
        """The text from a node to a byte offset, as a signature, long ones cut before they are decoded."""
        first = start.start_byte
        text = self.source[first : min(end, first + 1000)].decode("utf-8", "replace").rstrip()
        text = text.removesuffix("=>").removesuffix("=").rstrip("; \n")
        return _SPACES.sub(r"\1", text) if "\n" in text else text

    def property_name(self, node: Node) -> str:
        """The name that a key of an object or class spells; computed ones keep their brackets."""
        kind = self.type_of[node.kind_id]
        if kind == "string":
            return self.text(node)[1:-1]
        if kind == "computed_property_name" and node.named_child_count:
            inner = node.named_children[0]
            if self.type_of[inner.kind_id] == "string":
                return self.text(inner)[1:-1]
            return "[" + self.text(inner)[:60] + "]"
        return self.text(node)

    def flag_words(self, node: Node) -> int:
        """The flags that the keywords before a definition's name say."""
        flags, type_of = 0, self.type_of
        for child in node.children:
            flags |= WORDS.get(type_of[child.kind_id], 0)
        return flags
