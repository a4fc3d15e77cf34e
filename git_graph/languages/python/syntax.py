"""How Python's syntax becomes symbols, references, imports and bindings.

Scopes are Python's: a function holds what is assigned anywhere in it unless `global` or `nonlocal` says otherwise, a
class body is not seen from the functions in it, comprehensions and lambdas have scopes of their own.
"""

from __future__ import annotations

from typing import ClassVar

from git_graph.languages.builder import Scope
from git_graph.languages.walker import Node, Walker, last_line
from git_graph.model import (
    CALL,
    DECORATE,
    EXPORT,
    FIELD,
    IMPORT,
    INHERIT,
    LOCAL,
    NARROW,
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    RETURN,
    SELF,
    SUPER,
    TYPE,
    VARIABLE,
    WRITE,
    X_ATTRIBUTE,
    X_AWAIT,
    X_CALL,
    X_INDEX,
    X_ITERATE,
    Flag,
    ImportFlag,
)

_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")
_LITERALS = {"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "None", "ellipsis": "ellipsis"}
_DISPLAYS = {
    "list": "list", "tuple": "tuple", "dictionary": "dict", "set": "set",
    "list_comprehension": "list", "set_comprehension": "set", "dictionary_comprehension": "dict",
    "generator_expression": "generator",
}  # fmt: skip
_PROPERTIES = frozenset(("property", "cached_property", "abstractproperty", "classproperty"))
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))


class Syntax(Walker):
    """Python's walk."""

    SKIP: ClassVar[frozenset[str]] = frozenset(("comment", "line_continuation", "pass_statement", "escape_sequence"))
    ALIASES: ClassVar[dict[str, str]] = {
        **dict.fromkeys(_LITERALS, "integer"),
        **dict.fromkeys(("list", "tuple", "set", "dictionary"), "list"),
        **dict.fromkeys(("list_comprehension", "set_comprehension", "dictionary_comprehension"), "generator_expression"),
        "try_statement": "conditional_block",
        "while_statement": "while_statement",
    }

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.self_name: str | None = None
        self.class_symbol = -1  # the class whose body or method we are in
        self.conditions = 0  # how many if, else, try around the present statement of a module or class body
        self.in_function = False

    # names and expressions

    def on_identifier(self, node: Node, role: int = READ) -> int:
        name = self.text(node)
        if name == self.self_name:
            return SELF
        self.refer(node, role, NONE, name)
        return self.builder.name(name)

    def on_attribute(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("object"), TYPE if role == TYPE else READ)
        name_node = node.child_by_field_name("attribute")
        name = self.text(name_node)
        self.refer(name_node, role, of, name)
        return self.builder.attribute(of, name)

    def on_call(self, node: Node, role: int = READ) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function.type == "identifier":
            name = self.text(function)
            if name == "super":
                self.visit(arguments)
                return SUPER
            if name == "cast" and arguments.named_child_count == 2:
                self.visit(function, CALL)
                self.visit(arguments.named_children[0], TYPE)
                self.visit(arguments.named_children[1])
                return self.builder.annotation(_unquoted(self.text(arguments.named_children[0])))
        called = self.visit(function, DECORATE if role == DECORATE else CALL)
        self.visit(arguments)
        return self.builder.expression(X_CALL, called)

    def on_keyword_argument(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("value"), role)

    def on_subscript(self, node: Node, role: int = READ) -> int:
        inner = TYPE if role == TYPE else READ
        of = self.visit(node.child_by_field_name("value"), role if role in (INHERIT, TYPE) else READ)
        key = ""
        for index in node.children_by_field_name("subscript"):
            self.visit(index, inner)
            if index.type == "integer":
                key = self.text(index)
        return self.builder.expression(X_INDEX, of, key)

    def on_await(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child)
        return self.builder.expression(X_AWAIT, value)

    def on_parenthesized_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child, role)
        return value

    def on_named_expression(self, node: Node, role: int = READ) -> int:
        value = self.visit(node.child_by_field_name("value"))
        self.assign(node.child_by_field_name("name"), [value])
        return value

    def on_integer(self, node: Node, role: int = READ) -> int:
        return self.builder.literal(_LITERALS[node.type])

    def on_string(self, node: Node, role: int = READ) -> int:
        for child in node.children:
            if child.type == "interpolation":
                self.through(child)
            elif role == TYPE and child.type == "string_content":
                self.names_in_text(child)
        return self.builder.literal("str")

    def on_concatenated_string(self, node: Node, role: int = READ) -> int:
        self.each(node.named_children)
        return self.builder.literal("str")

    def on_list(self, node: Node, role: int = READ) -> int:
        self.through(node, role)
        return self.builder.literal(_DISPLAYS[node.type])

    def on_generator_expression(self, node: Node, role: int = READ) -> int:
        scope = self.builder.enter(self.builder.scope.symbol, last_line(node))
        self.through(node)
        self.builder.leave(scope)
        return self.builder.literal(_DISPLAYS[node.type])

    def on_for_in_clause(self, node: Node, role: int = READ) -> int:
        values = [self.visit(right) for right in node.children_by_field_name("right")]
        of = values[0] if len(values) == 1 else OPAQUE
        self.bind_pattern(
            node.child_by_field_name("left"), [self.builder.expression(X_ITERATE, of)], self.line_of_scope()
        )
        return OPAQUE

    def on_lambda(self, node: Node, role: int = READ) -> int:
        parameters = node.child_by_field_name("parameters")
        scope = self.builder.enter(self.builder.scope.symbol, last_line(node))
        outer_self, outer_function, self.in_function = self.self_name, self.in_function, True
        if parameters is not None:
            self.parameters(parameters, node.start_point[0] + 1)
        self.visit(node.child_by_field_name("body"))
        self.self_name, self.in_function = outer_self, outer_function
        self.builder.leave(scope)
        return OPAQUE

    def on_type(self, node: Node, role: int = READ) -> int:
        self.through(node, TYPE)
        return OPAQUE

    def names_in_text(self, node: Node) -> None:
        """A forward reference: the names in a string that stands in a type."""
        text, line_column = self.text(node), self.place(node)
        for match in _IDENTIFIER.finditer(text):
            if "\n" in text[: match.start()]:
                return
            of, offset = NONE, match.start()
            for part in match.group().split("."):
                name = part.strip()
                column = offset + len(part) - len(part.lstrip())
                start = node.start_byte + len(text[:column].encode("utf-8", "surrogateescape"))
                self.builder.reference(name, TYPE, line_column[0], line_column[1] + column, start, of)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)
                offset += len(part) + 1

    # assignment

    def alternatives(self, node: Node) -> list[int]:
        """Visit a value; the expressions that it may be (`a or b`, `a if c else b` are two)."""
        if node.type == "boolean_operator":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            return [*self.alternatives(left), *self.alternatives(right)]
        if node.type == "conditional_expression":
            then, condition, otherwise = node.named_children[:3]
            values = self.alternatives(then)
            self.visit(condition)
            return [*values, *self.alternatives(otherwise)]
        return [self.visit(node)]

    def on_assignment(self, node: Node, role: int = READ) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            self.visit(annotation)
        values = self.values_for(left, right)
        returns = _unquoted(self.text(annotation)) if annotation is not None else ""
        if returns:
            values = [self.builder.annotation(returns)]
        self.assign(left, values, statement=node, returns=returns, right=right)
        if left.type == "identifier" and self.text(left) == "__all__" and right is not None:
            self.exports(right)
        return values[0] if len(values) == 1 else OPAQUE

    def values_for(self, left: Node, right: Node | None) -> list[int]:
        if right is None:
            return [OPAQUE]
        if right.type == "assignment":  # a = b = value
            return [self.on_assignment(right)]
        if left.type in ("pattern_list", "tuple_pattern") and right.type in ("expression_list", "tuple"):
            return [OPAQUE]  # visited pair by pair in `bind_pattern`
        return self.alternatives(right)

    def on_augmented_assignment(self, node: Node, role: int = READ) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.visit(right)
        if left.type == "identifier" and self.text(left) == "__all__":
            self.exports(right)
        self.assign(left, [OPAQUE])
        return OPAQUE

    def assign(
        self, target: Node, values: list[int], *, statement: Node = None, returns: str = "", right: Node = None
    ) -> None:
        """Bind a target to values, defining what it defines."""
        if target.type == "identifier":
            self.assign_name(target, values, statement, returns)
        elif target.type == "attribute":
            self.assign_attribute(target, values, statement, returns)
        elif target.type in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "parenthesized_expression"):
            parts = target.named_children
            pairs = right.named_children if right is not None and right.type in ("expression_list", "tuple") else None
            if pairs is not None and len(pairs) == len(parts):
                for part, value in zip(parts, pairs, strict=True):
                    self.assign(part, self.alternatives(value), statement=statement)
                return
            if pairs is not None:
                self.each(pairs)
            for position, part in enumerate(parts):
                self.assign(part, [self.builder.expression(X_INDEX, v, str(position)) for v in values])
        elif target.type in ("list_splat_pattern", "list_splat"):
            for child in target.named_children:
                self.assign(child, [self.builder.literal("list")])
        else:
            self.visit(target)

    def assign_name(self, node: Node, values: list[int], statement: Node, returns: str) -> None:
        name, builder = self.text(node), self.builder
        line = node.start_point[0] + 1
        if self.in_function:
            scope = self.function_scope()
            if name in scope.symbols:
                self.refer(node, WRITE, NONE, name)
                return
            scope.locals.setdefault(name, 0)
            for value in values:
                builder.binding(name, LOCAL, value, line, scope.end_line)
            return
        container = builder.scope.symbol
        if builder.find(container, name) is None and builder.scope.parent is self.body_scope.parent:
            in_class = container == self.class_symbol
            kind = "field" if in_class else "constant" if name.isupper() else "variable"
            if in_class and self.in_enum and statement is not None:
                kind = "enum_member"
            self.define(
                node,
                kind,
                statement if statement is not None else node,
                signature=self.text(statement).split("\n", 1)[0] if statement is not None else name,
                returns=returns,
                flags=self.flags_of(name),
            )
        else:
            self.refer(node, WRITE, NONE, name)
        for value in values:
            builder.binding(name, VARIABLE, value, line)

    def assign_attribute(self, node: Node, values: list[int], statement: Node, returns: str) -> None:
        of = self.visit(node.child_by_field_name("object"))
        name_node = node.child_by_field_name("attribute")
        name, builder = self.text(name_node), self.builder
        if of != SELF or self.class_symbol < 0:
            self.refer(name_node, WRITE, of, name)
            return
        if builder.find(self.class_symbol, name) is None:
            self.define(
                name_node,
                "field",
                statement if statement is not None else node,
                name=name,
                parent=self.class_symbol,
                signature=self.text(statement).split("\n", 1)[0] if statement is not None else name,
                returns=returns,
                flags=self.flags_of(name) | Flag.IMPLICIT,
            )
        else:
            self.refer(name_node, WRITE, of, name)
        for value in values:
            builder.binding(name, FIELD, value, node.start_point[0] + 1, symbol=self.class_symbol)

    def bind_pattern(self, target: Node, values: list[int], line: int) -> None:
        """Bind the names of a loop or comprehension target."""
        if target.type == "identifier" and self.builder.scope is not self.function_scope():
            name = self.text(target)  # a comprehension's own scope
            self.builder.local(name)
            for value in values:
                self.builder.binding(name, LOCAL, value, line)
        elif target.type in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list"):
            for position, part in enumerate(target.named_children):
                self.bind_pattern(part, [self.builder.expression(X_INDEX, v, str(position)) for v in values], line)
        else:
            self.assign(target, values)
