"""What `isinstance` in a condition tells of a name in the code that the condition guards."""

from __future__ import annotations

from git_graph.languages.builder import Builder
from git_graph.languages.python.expressions import Expressions
from git_graph.languages.walker import Node, last_line
from git_graph.model import NARROW


def operands(node: Node) -> list[Node]:
    """The parts of `a if c else b`: a, c and b. Comments and line continuations may stand between them."""
    return [child for child in node.named_children if child.type not in ("comment", "line_continuation")]


class Narrowing(Expressions):
    """Finds guards, and records what they narrow."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.narrows = b"isinstance" in source

    def narrow_operands(self, node: Node) -> None:
        """`isinstance(x, T) and x.f()`, `x.f() if isinstance(x, T) else y`: one part narrows another."""
        if node.type == "boolean_operator":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            found = self.narrowings(left, negated=node.child_by_field_name("operator").type == "or")
        else:
            right, condition = operands(node)[:2]
            found = self.narrowings(condition)
        self.narrow(found, right.start_point[0] + 1, last_line(right))

    def narrow(self, found: list[tuple[str, int]], first: int, last: int) -> None:
        """Record what is known of names from line `first` to line `last`."""
        if first <= last:
            for name, value in found:
                self.builder.binding(name, NARROW, value, first, last)

    def narrowings(self, condition: Node, *, negated: bool = False) -> list[tuple[str, int]]:
        """What `isinstance(name, Type)` in a condition says of names where it holds (where it does not: negated)."""
        kind = condition.type
        if kind == "not_operator":
            return self.narrowings(condition.named_children[0], negated=not negated)
        if kind == "parenthesized_expression":
            return [pair for child in condition.named_children for pair in self.narrowings(child, negated=negated)]
        if kind == "boolean_operator":
            if condition.child_by_field_name("operator").type == ("and" if negated else "or"):
                return []
            return [pair for child in condition.named_children for pair in self.narrowings(child, negated=negated)]
        if negated or kind != "call" or self.text(condition.children[0]) != "isinstance":
            return []
        arguments = condition.child_by_field_name("arguments").named_children
        if len(arguments) != 2:
            return []
        name = self.path_text(arguments[0])
        types = arguments[1].named_children if arguments[1].type == "tuple" else [arguments[1]]
        if not name:
            return []
        return [(name, self.builder.annotation(self.text(t))) for t in types if t.type in ("identifier", "attribute")]

    def path_text(self, node: Node) -> str:
        """A dotted name as expressions are rendered; empty for anything else, and for `self` alone."""
        text = self.text(node)
        if node.type == "identifier":
            return "" if text == self.self_name else text
        if node.type != "attribute":
            return ""
        first, dot, rest = text.partition(".")
        if not rest.replace(".", "").isidentifier():
            return ""
        return f"<self>{dot}{rest}" if first == self.self_name else text
