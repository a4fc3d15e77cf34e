"""Python's statements: loops, context managers, patterns, branches, and what they bind and narrow."""

from __future__ import annotations

import re

from git_graph.languages.python.assignments import Assignments
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    RETURN,
    TYPE,
    X_AWAIT,
    X_CALL,
    X_ITERATE,
    X_NEW,
    Flag,
    ImportFlag,
)

_IMPORT_ERRORS = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
_WORDS = re.compile(r"\w+")
_LEAVING = frozenset(("return_statement", "raise_statement", "continue_statement", "break_statement"))


def _leaves(block: Node) -> bool:
    """Whether what follows a block runs only if the block did not."""
    return bool(block.named_child_count) and block.named_children[-1].type in _LEAVING


class Statements(Assignments):
    """The handlers of statements."""

    enters = "__enter__"
    """The method that the present `with` calls."""
    import_flags = 0
    """What the blocks around the present statement say of the imports in them."""

    def on_for_statement(self, node: Node, role: int = READ) -> int:
        right = node.child_by_field_name("right")
        value = self.builder.expression(X_ITERATE, self.visit(right))
        if any(child.type == "async" for child in node.children):
            value = self.builder.expression(X_AWAIT, value)
        self.assign(node.child_by_field_name("left"), [value])
        self.branch(node.child_by_field_name("body"))
        if (alternative := node.child_by_field_name("alternative")) is not None:
            self.visit(alternative)
        return OPAQUE

    def on_with_statement(self, node: Node, role: int = READ) -> int:
        self.enters = "__aenter__" if node.children[0].type == "async" else "__enter__"
        self.through(node)
        return OPAQUE

    def on_with_item(self, node: Node, role: int = READ) -> int:
        value = node.child_by_field_name("value")
        if value.type != "as_pattern":
            self.visit(value)
            return OPAQUE
        context, target = value.named_children[0], value.named_children[-1]
        builder, enters = self.builder, self.enters
        entered = builder.expression(X_CALL, builder.attribute(self.visit(context), enters))
        self.assign(target, [entered if enters == "__enter__" else builder.expression(X_AWAIT, entered)])
        return OPAQUE

    def on_as_pattern(self, node: Node, role: int = READ) -> int:
        """`except E as e`, and `case P() as x`."""
        parts = node.named_children
        caught = parts[0]
        types = caught.named_children if caught.type in ("tuple", "parenthesized_expression") else [caught]
        values = [self.visit(part) for part in types]
        if len(parts) > 1:
            new = [self.builder.expression(X_NEW, value) for value in values if value != OPAQUE] or [OPAQUE]
            self.bind_caught(parts[-1], new, last_line(node.parent))
        return OPAQUE

    def bind_caught(self, target: Node, values: list[int], last: int) -> None:
        """The name of a caught exception: gone after its clause, so never a symbol."""
        name = self.text(target)
        self.holder.locals.setdefault(name, 0 if self.in_function else target.start_byte)
        for value in values:
            self.builder.binding(name, PARAMETER, value, target.start_point[0] + 1, last)

    def on_case_clause(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type == "case_pattern":
                self.pattern(child)
            else:
                self.visit(child)
        return OPAQUE

    def pattern(self, node: Node) -> None:
        """Captures of a match pattern are locals; dotted names and classes are uses."""
        kind = node.type
        if kind == "dotted_name":
            parts = node.named_children
            if len(parts) == 1 and not self.in_class_pattern(node):
                self.assign(parts[0], [OPAQUE])
            else:
                self.dotted(node, READ)
        elif kind == "class_pattern":
            self.dotted(node.named_children[0], TYPE)
            for child in node.named_children[1:]:
                self.pattern(child)
        elif kind == "keyword_pattern":
            for child in node.named_children[1:]:
                self.pattern(child)
        elif kind == "as_pattern":
            self.pattern(node.named_children[0])
            first = node.named_children[0]
            while first.type == "case_pattern" and first.named_child_count:
                first = first.named_children[0]
            value = OPAQUE
            if first.type == "class_pattern":
                value = self.builder.expression(X_NEW, self.builder.name(self.text(first.named_children[0])))
            self.assign(node.named_children[-1], [value])
        elif kind in ("identifier", "splat_pattern") and node.named_child_count == 0:
            if self.text(node) != "_":
                self.assign(node, [OPAQUE])
        else:
            for child in node.named_children:
                self.pattern(child)

    @staticmethod
    def in_class_pattern(node: Node) -> bool:
        return node.parent is not None and node.parent.type == "class_pattern"

    def dotted(self, node: Node, role: int) -> int:
        """A dotted name as uses; the expression that it is."""
        value, parts = NONE, node.named_children if node.type == "dotted_name" else [node]
        for position, part in enumerate(parts):
            name = self.text(part)
            self.refer(part, role if position == len(parts) - 1 else READ, value, name)
            value = self.builder.attribute(value, name) if value else self.builder.name(name)
        return value or OPAQUE

    # branches and what they tell of types

    def branch(self, node: Node) -> None:
        """Visit a block that may not run: what is bound in it holds for certain in it alone."""
        outer, self.block_end = self.block_end, last_line(node)
        self.visit(node)
        self.block_end = outer

    def on_condition(self, node: Node, role: int = READ) -> int:
        """`if`, `while`, `try` and their clauses."""
        outer, self.conditional = self.conditional, 0 if self.in_function else int(Flag.CONDITIONAL)
        may_not_run = node.type not in ("try_statement", "finally_clause")
        around, within = self.import_flags, self.import_flags | self.said_of_imports(node)
        for child in node.named_children:
            if child.type != "block":
                self.visit(child)
                continue
            self.import_flags = within
            if may_not_run:
                self.branch(child)
            else:
                self.visit(child)
            self.import_flags = around
        self.conditional = outer
        return OPAQUE

    def said_of_imports(self, node: Node) -> int:
        """What a statement says of the imports in its first block."""
        if node.type == "try_statement":
            return int(ImportFlag.OPTIONAL) if any(map(self.catches_imports, node.named_children)) else 0
        condition = node.child_by_field_name("condition")
        if condition is None or condition.type not in ("identifier", "attribute"):
            return 0
        return int(ImportFlag.TYPE_ONLY) if self.text(condition).rpartition(".")[2] == "TYPE_CHECKING" else 0

    def catches_imports(self, clause: Node) -> bool:
        """Whether a clause catches the errors of imports: by name, by a base of theirs, or all there are."""
        if clause.type not in ("except_clause", "except_group_clause"):
            return False
        caught = next((child for child in clause.named_children if child.type != "comment"), clause)
        return caught.type == "block" or not _IMPORT_ERRORS.isdisjoint(_WORDS.findall(self.text(caught)))

    def on_if_statement(self, node: Node, role: int = READ) -> int:
        if self.narrows:
            condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
            if condition is not None and body is not None:
                first, last = body.start_point[0] + 1, last_line(body)
                self.narrow(self.narrowings(condition), first, last)
                if node.type == "if_statement" and _leaves(body):
                    self.narrow(self.narrowings(condition, negated=True), last_line(node) + 1, self.block_end)
        return self.on_condition(node)

    def on_assert_statement(self, node: Node, role: int = READ) -> int:
        self.through(node)
        if self.narrows and node.named_child_count:
            self.narrow(self.narrowings(node.named_children[0]), last_line(node) + 1, self.block_end)
        return OPAQUE

    def on_boolean_operator(self, node: Node, role: int = READ) -> int:
        self.alternatives(node)
        return OPAQUE

    def on_conditional_expression(self, node: Node, role: int = READ) -> int:
        self.alternatives(node)
        return OPAQUE

    def on_return_statement(self, node: Node, role: int = READ) -> int:
        symbol, line = self.holder.symbol if self.in_function else 0, node.start_point[0] + 1
        for child in node.children[1:]:
            if child.type in ("expression_list", "tuple"):
                for position, part in enumerate(child.named_children):
                    self.returned(symbol, str(position), self.visit(part), line)
                continue
            for value in self.alternatives(child):
                self.returned(symbol, "", value, line)
        return OPAQUE

    def returned(self, symbol: int, name: str, value: int, line: int) -> None:
        """Record what a function returns: the whole (no name), an element of a tuple, or a `yield`."""
        if symbol > 0 and value != OPAQUE:
            self.builder.binding(name, RETURN, value, line, None, symbol)

    def on_yield(self, node: Node, role: int = READ) -> int:
        symbol = self.holder.symbol if self.in_function else 0
        delegated = any(child.type == "from" for child in node.children)
        if symbol > 0:
            self.builder.flag(symbol, Flag.GENERATOR)
        for child in node.named_children:
            value = self.visit(child)
            if not delegated:
                self.returned(symbol, "yield", value, node.start_point[0] + 1)
        return OPAQUE
