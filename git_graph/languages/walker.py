"""The walk that every language's `Syntax` specialises.

One handler for each node type that matters, found by name: `on_call` handles nodes of type `call`. A handler visits
its children itself, records what they mean in the builder, and returns the index of the expression that the node is
(OPAQUE if nothing is known of it). Nodes without a handler are walked through without recursion, so that a sum of
50,000 terms is no deeper than one of two. A statement of the file that nests deeper than Python's recursion limit (no
code that people write comes near it) is left unread from there on and shown as unparsed. Knows nothing of tree-sitter
but the shape of its nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from git_graph.languages.builder import Builder
from git_graph.model import NONE, OPAQUE, READ, TYPE

Node = Any
"""A tree-sitter node: type, kind_id, start_byte, end_byte, start_point, end_point, children, named_children,
child_by_field_name(name)."""
Handler = Callable[..., int]
_BELOW: Any = object()
_NOT_ONE = re.compile(rb"[*/#]|\.\.\.")
"""What a comment begins with, or an argument that stands for several."""
_COMMENTS = ("comment", "line_comment", "block_comment")


class Walker:
    """Walks one tree once. Subclasses add `on_<node type>` handlers and `ALIASES` for types that share one."""

    ALIASES: ClassVar[dict[str, str]] = {}
    """node type -> the node type whose handler it shares."""
    SKIP: ClassVar[frozenset[str]] = frozenset()
    """Node types that hold nothing (comments, string parts): not entered."""

    SPREADS: ClassVar[frozenset[str]] = frozenset()
    """Types of arguments that stand for any number of them."""

    _table: ClassVar[dict[str, str]] = {}
    _kinds: ClassVar[dict[int, str]] = {}
    _empty: ClassVar[dict[int, None]] = {}
    type_of: ClassVar[dict[int, str]] = {}
    """The type of a node by its `kind_id`: `type_of[node.kind_id]` takes half the time of `node.type`."""

    def __init_subclass__(cls) -> None:
        names = {name[3:]: name for name in dir(cls) if name.startswith("on_")}
        cls._table = names | {alias: f"on_{type_}" for alias, type_ in cls.ALIASES.items()}
        cls._table |= dict.fromkeys(cls.SKIP, "skip")

    @classmethod
    def use_grammar(cls, types: Iterable[tuple[int, str]], tokens: Iterable[tuple[int, str]] = ()) -> None:
        """Learn the grammar's ids of node types: finding a handler by id takes a third of the time by name.

        `tokens` are the types without a name of their own (punctuation, keywords): there is nothing below them.
        """
        cls._kinds = {kind: cls._table[type_] for kind, type_ in types if type_ in cls._table}
        cls.type_of = {**dict(types), **dict(tokens)}
        skipped = (kind for kind, name in cls._kinds.items() if name == "skip")
        cls._empty = dict.fromkeys((*(kind for kind, _ in tokens), *skipped))

    def __init__(self, source: bytes, builder: Builder) -> None:
        self.source = source
        self.builder = builder
        self.ascii = source.isascii()
        self.handlers: dict[int, Handler] = {kind: getattr(self, name) for kind, name in self._kinds.items()}
        self.steps: dict[int, Handler | None] = {**self.handlers, **self._empty}
        """What `through` does at a node: call its handler, nothing (None), or look below it (no entry)."""

    def prepare(self, parse: Callable[[bytes], Node]) -> Node:
        """The root of the tree to walk; what is given to `parse` has the lines and offsets of the source."""
        return parse(self.source)

    def run(self, root: Node) -> None:
        """Walk the whole tree."""
        for child in root.children:
            self.guarded(child)

    def guarded(self, child: Node) -> None:
        """Visit a child of the root; one that is nested too deep for us is left unread and shown as unparsed."""
        builder = self.builder
        state, scope = vars(self).copy(), builder.scope
        try:
            self.visit(child)
        except RecursionError:
            vars(self).update(state)
            builder.scope = scope
            builder.slice.unparsed.append((child.start_point[0] + 1, last_line(child)))

    # walking

    def skip(self, node: Node, role: int = READ) -> int:
        """The handler of SKIP types."""
        return OPAQUE

    def visit(self, node: Node, role: int = READ) -> int:
        """Visit a node in a role; the index of the expression that it is."""
        handler = self.handlers.get(node.kind_id)
        if handler is not None:
            return handler(node, role)
        if node.child_count:
            self.through(node, role)
        return OPAQUE

    def through(self, node: Node, role: int = READ) -> None:
        """Visit what is below a node that means nothing itself, without recursion over such nodes.

        What stands in a type stands in it at any depth; every other role is that of the node itself alone.
        """
        inner = TYPE if role == TYPE else READ
        find = self.steps.get
        stack = node.children[::-1]  # a copy: the node keeps its list
        pop = stack.pop
        while stack:
            child = pop()
            handler = find(child.kind_id, _BELOW)
            if handler is _BELOW:
                if child.child_count:
                    stack += child.children[::-1]
            elif handler is not None:
                handler(child, inner)

    def each(self, nodes: Iterable[Node], role: int = READ) -> None:
        """Visit several nodes."""
        for node in nodes:
            self.visit(node, role)

    def note_arguments(self, end: int, arguments: Node) -> None:
        """Note how many arguments the name that ends at a byte is called with."""
        count = arguments.named_child_count
        if count and _NOT_ONE.search(self.source, arguments.start_byte, arguments.end_byte):
            types = [self.type_of[child.kind_id] for child in arguments.named_children]
            if not self.SPREADS.isdisjoint(types):
                return
            count -= sum(map(types.count, _COMMENTS))
        self.builder.arguments[end] = count + 1

    # text and places

    def text(self, node: Node) -> str:
        """The node's source text."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")

    def between(self, start: Node, end: int) -> str:
        """The source text from the start of a node to a byte offset."""
        return self.source[start.start_byte : end].decode("utf-8", "surrogateescape")

    def place(self, node: Node) -> tuple[int, int]:
        """Line and column of the node's first character, 1-based, the column in code points."""
        row, column = node.start_point
        if not self.ascii:
            start: int = node.start_byte
            column = len(self.source[start - column : start].decode("utf-8", "surrogateescape"))
        return row + 1, column + 1

    # records

    def refer(self, node: Node, role: int, receiver: int = NONE, name: str | None = None) -> None:
        """Record that the name at `node` is used."""
        self.builder.reference(self.text(node) if name is None else name, role, node.start_byte, receiver)

    def define(
        self,
        name_node: Node,
        kind: str,
        node: Node,
        *,
        name: str | None = None,
        start: Node | None = None,
        **facts: Any,
    ) -> int:
        """Record a definition that spans `node` (from `start` if a decorator stands before it); see Builder.symbol."""
        line, column = self.place(name_node)
        return self.builder.symbol(
            self.text(name_node) if name is None else name,
            kind,
            (start or node).start_point[0] + 1,
            last_line(node),
            line,
            column,
            **facts,
        )


def last_line(node: Node) -> int:
    """The 1-based line of the last character of a node (a node that ends before column 0 ends on the line before)."""
    row, column = node.end_point
    return int(row + 1 if column or row == node.start_point[0] else row)
