"""How Python's syntax becomes symbols, references, imports and bindings.

Scopes are Python's: a function holds what is assigned anywhere in it unless `global` or `nonlocal` says otherwise, a
class body is not seen from the functions in it, comprehensions and lambdas have scopes of their own. The first
parameter of a method is SELF in it, for class methods too.
"""

from __future__ import annotations

import re
from typing import ClassVar

from git_graph.languages.builder import Builder, Scope
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
    TYPE_PARAMETER,
    VARIABLE,
    WRITE,
    X_ATTRIBUTE,
    X_AWAIT,
    X_CALL,
    X_INDEX,
    X_ITERATE,
    X_NEW,
    Flag,
    ImportFlag,
)

MAX_ALTERNATIVES = 8
"""A value that may be more things than this (a long chain of `or`) is known by the first of them."""

_DOTTED = re.compile(r"[^\W\d]\w*(?:[ \t]*\.[ \t]*[^\W\d]\w*)*")
_LITERALS = {"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "None", "ellipsis": "ellipsis"}
_DISPLAYS = {"list": "list", "tuple": "tuple", "dictionary": "dict", "set": "set", "expression_list": "tuple"}
_COMPREHENSIONS = {
    "list_comprehension": "list",
    "set_comprehension": "set",
    "dictionary_comprehension": "dict",
    "generator_expression": "generator",
}
_SEQUENCES = frozenset(("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"))
_SPLATS = {"list_splat_pattern": ("tuple", "tuple[%s, ...]"), "dictionary_splat_pattern": ("dict", "dict[str, %s]")}
_PROPERTIES = frozenset(("property", "cached_property", "abstractproperty", "classproperty"))
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "Choices", "TextChoices", "IntegerChoices"))


class Syntax(Walker):
    """Python's walk."""

    SKIP: ClassVar[frozenset[str]] = frozenset(("comment", "line_continuation", "pass_statement", "escape_sequence"))
    ALIASES: ClassVar[dict[str, str]] = {
        **dict.fromkeys(_LITERALS, "integer"),
        **dict.fromkeys(_DISPLAYS, "list"),
        **dict.fromkeys(_COMPREHENSIONS, "generator_expression"),
        **dict.fromkeys(("try_statement", "else_clause", "elif_clause", "except_clause", "finally_clause"), "condition"),
        "while_statement": "if_statement",
        "elif_clause": "if_statement",
        "future_import_statement": "import_from_statement",
        "nonlocal_statement": "global_statement",
    }

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.holder: Scope = builder.scope
        """The scope that assignments bind in: the file, a class body or a function (never a comprehension)."""
        self.in_function = False
        self.in_class = -1
        """The class whose body or methods we are in."""
        self.in_enum = False
        self.self_name: str | None = None
        self.str_literal = builder.literal("str")
        self.super_name, self.cast_name = builder.name("super"), builder.name("cast")
        self.narrows = b"isinstance" in source
        self.conditional = 0
        """Flag.CONDITIONAL while inside an `if` or `try` of a file or class body."""

    # names and expressions

    def on_identifier(self, node: Node, role: int = READ) -> int:
        start = node.start_byte
        builder = self.builder
        name, value = builder.bare_name(self.source[start : node.end_byte])
        if name == self.self_name:
            return SELF
        scope = builder.scope
        builder.references.append((start, name, role, NONE, scope.symbol, scope))
        return value

    def on_attribute(self, node: Node, role: int = READ) -> int:
        children = node.children
        of = self.visit(children[0], TYPE if role == TYPE else READ)
        name_node = children[-1]
        start = name_node.start_byte
        name = self.source[start : name_node.end_byte].decode("utf-8", "surrogateescape")
        builder = self.builder
        scope = builder.scope
        builder.references.append((start, name, role, of, scope.symbol, scope))
        return builder.expression(X_ATTRIBUTE, of, name)

    def on_call(self, node: Node, role: int = READ) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        called = self.visit(function, DECORATE if role == DECORATE else CALL)
        if called == self.super_name:
            self.builder.references.pop()
            self.through(arguments)
            return SUPER
        if called == self.cast_name and arguments.named_child_count == 2:
            type_, value = arguments.named_children
            self.visit(type_, TYPE)
            self.visit(value)
            return self.builder.annotation(self.type_text(type_))
        self.visit(arguments)
        return self.builder.expression(X_CALL, called)

    def on_keyword_argument(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("value"), role)

    def on_subscript(self, node: Node, role: int = READ) -> int:
        of = self.visit(node.child_by_field_name("value"), role if role in (INHERIT, TYPE) else READ)
        key = ""
        for index in node.children_by_field_name("subscript"):
            self.visit(index, TYPE if role in (INHERIT, TYPE) else READ)
            if index.type == "integer":
                key = self.text(index)
            elif index.type == "string":
                key = self.text(index).strip("\"'")[:64]
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
        for child in node.children[1:-1]:
            if child.type == "interpolation":
                self.through(child)
            elif role == TYPE and child.type == "string_content":
                self.names_in_text(child)
        return self.str_literal

    def on_concatenated_string(self, node: Node, role: int = READ) -> int:
        self.each(node.named_children)
        return self.str_literal

    def on_list(self, node: Node, role: int = READ) -> int:
        self.through(node, role)
        return self.builder.literal(_DISPLAYS[node.type])

    def on_generator_expression(self, node: Node, role: int = READ) -> int:
        scope = self.builder.enter(self.builder.scope.symbol, last_line(node))
        self.through(node)
        self.builder.leave(scope)
        return self.builder.literal(_COMPREHENSIONS[node.type])

    def on_for_in_clause(self, node: Node, role: int = READ) -> int:
        values = [self.visit(right) for right in node.children_by_field_name("right")]
        of = values[0] if len(values) == 1 else OPAQUE
        first = node.parent.start_point[0] + 1
        self.bind_in_scope(node.child_by_field_name("left"), self.builder.expression(X_ITERATE, of), first)
        return OPAQUE

    def bind_in_scope(self, target: Node, value: int, line: int) -> None:
        """Bind the target of a comprehension, whose scope is its own, from its first line on."""
        if target.type == "identifier":
            name = self.text(target)
            self.builder.local(name)
            self.builder.binding(name, LOCAL, value, line)
        elif target.type in _SEQUENCES:
            for position, part in enumerate(target.named_children):
                self.bind_in_scope(part, self.builder.expression(X_INDEX, value, str(position)), line)
        else:
            self.visit(target, WRITE)

    def on_lambda(self, node: Node, role: int = READ) -> int:
        parameters = node.child_by_field_name("parameters")
        outer = (self.holder, self.in_function, self.self_name)
        scope = self.builder.enter(self.builder.scope.symbol, last_line(node))
        if parameters is not None:
            names = self.visit_parameters(parameters)
            self.holder, self.in_function = scope, True
            self.bind_parameters(names)
        self.visit(node.child_by_field_name("body"))
        self.holder, self.in_function, self.self_name = outer
        self.builder.leave(scope)
        return OPAQUE

    # types

    def on_type(self, node: Node, role: int = READ) -> int:
        self.through(node, TYPE)
        return OPAQUE

    def type_text(self, node: Node) -> str:
        """A type as written, without the quotes of a forward reference."""
        text = self.text(node)
        if text[:1] in "\"'" and text[-1:] in "\"'":
            return text.strip("\"'")
        return text

    def names_in_text(self, node: Node) -> None:
        """The names in a string that stands in a type: a forward reference."""
        text = self.text(node)
        if "\n" in text:
            return
        for match in _DOTTED.finditer(text):
            of = NONE
            for part in re.finditer(r"\w+", match.group()):
                name, offset = part.group(), match.start() + part.start()
                start = node.start_byte + len(text[:offset].encode("utf-8", "surrogateescape"))
                self.builder.reference(name, TYPE, start, of)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)

    # assignment

    def alternatives(self, node: Node) -> list[int]:
        """Visit a value; the expressions that it may be (`a or b`, `a if c else b` are two)."""
        kind = node.type
        if kind == "boolean_operator":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            return [*self.alternatives(left), *self.alternatives(right)][:MAX_ALTERNATIVES]
        if kind == "conditional_expression" and node.named_child_count == 3:
            then, condition, otherwise = node.named_children
            values = self.alternatives(then)
            self.visit(condition)
            return [*values, *self.alternatives(otherwise)][:MAX_ALTERNATIVES]
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.alternatives(node.named_children[0])
        return [self.visit(node)]

    def on_assignment(self, node: Node, role: int = READ) -> int:
        children = node.children
        left, right, returns = children[0], children[-1], ""
        if children[1].type == ":":
            returns = self.type_text(children[2])
            self.through(children[2], TYPE)
            right = right if len(children) > 3 else None
        if left.type in _SEQUENCES and (pairs := self.pairs(left, right)) is not None:
            for target, value in pairs:
                self.assign(target, self.alternatives(value), node)
            return OPAQUE
        values = [OPAQUE]
        if right is not None:
            values = [self.on_assignment(right)] if right.type == "assignment" else self.alternatives(right)
        self.assign(left, [self.builder.annotation(returns)] if returns else values, node, returns)
        if left.type == "identifier" and self.text(left) == "__all__" and right is not None:
            self.export(right)
        return values[0] if len(values) == 1 else OPAQUE

    def pairs(self, left: Node, right: Node | None) -> list[tuple[Node, Node]] | None:
        """`a, b = x, y` taken apart; None if it is not of that form."""
        if right is None or right.type not in _SEQUENCES:
            return None
        targets, values = left.named_children, right.named_children
        splats = any(n.type in ("list_splat", "list_splat_pattern") for n in (*targets, *values))
        return None if splats or len(targets) != len(values) else list(zip(targets, values, strict=True))

    def on_augmented_assignment(self, node: Node, role: int = READ) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.visit(right)
        if left.type == "identifier":
            name = self.text(left)
            if name == "__all__":
                self.export(right)
            if self.in_function and name not in self.holder.symbols:
                self.holder.locals.setdefault(name, 0)
            else:
                self.refer(left, WRITE, NONE, name)
        else:
            self.visit(left, WRITE)
        return OPAQUE

    def assign(self, target: Node, values: list[int], statement: Node = None, returns: str = "") -> None:
        """Bind a target to the values that it may have, defining what it defines."""
        if target.type == "identifier":
            self.assign_name(target, values, statement or target, returns)
        elif target.type == "attribute":
            self.assign_attribute(target, values, statement or target, returns)
        elif target.type in _SEQUENCES:
            for position, part in enumerate(target.named_children):
                self.assign(part, [self.builder.expression(X_INDEX, v, str(position)) for v in values], statement)
        elif target.type in ("list_splat_pattern", "list_splat"):
            for child in target.named_children:
                self.assign(child, [self.builder.literal("list")], statement)
        elif target.type in ("parenthesized_expression", "as_pattern_target"):
            for child in target.named_children:
                self.assign(child, values, statement)
        else:
            self.visit(target, WRITE)

    def assign_name(self, node: Node, values: list[int], statement: Node, returns: str) -> None:
        name, builder, holder = self.text(node), self.builder, self.holder
        line = node.start_point[0] + 1
        if self.in_function:
            if name in holder.symbols:  # global, nonlocal, or imported here
                self.refer(node, WRITE, NONE, name)
                return
            holder.locals.setdefault(name, 0)
            for value in values:
                builder.binding(name, LOCAL, value, line, holder.end_line, holder.symbol)
            return
        if builder.find(holder.symbol, name) is None:
            self.define_variable(node, name, statement, returns, holder.symbol, self.variable_kind(name))
        else:
            self.refer(node, WRITE, OPAQUE if holder.symbol else NONE, name)
        for value in values:
            builder.binding(name, VARIABLE, value, line, holder.end_line, holder.symbol)

    def variable_kind(self, name: str) -> str:
        if self.holder.symbol != self.in_class:
            return "constant" if name.isupper() else "variable"
        return "enum_member" if self.in_enum and not name.startswith("_") else "field"

    def define_variable(
        self, node: Node, name: str, statement: Node, returns: str, parent: int, kind: str, flags: int = 0
    ) -> None:
        self.define(
            node,
            kind,
            statement,
            name=name,
            parent=parent,
            signature=self.text(statement).split("\n", 1)[0],
            returns=returns,
            flags=flags | _exported(name) | self.conditional,
        )

    def assign_attribute(self, node: Node, values: list[int], statement: Node, returns: str) -> None:
        of = self.visit(node.child_by_field_name("object"))
        name_node = node.child_by_field_name("attribute")
        name, builder = self.text(name_node), self.builder
        if of != SELF or self.in_class < 0:
            self.refer(name_node, WRITE, of, name)
            return
        if builder.find(self.in_class, name) is None:
            self.define_variable(name_node, name, statement, returns, self.in_class, "field", Flag.IMPLICIT)
        else:
            self.refer(name_node, WRITE, of, name)
        last = self.class_end
        for value in values:
            builder.binding(name, FIELD, value, node.start_point[0] + 1, last, self.in_class)

    def export(self, node: Node) -> None:
        """The names that `__all__` lists."""
        for child in node.named_children:
            if child.type == "string":
                name = self.text(child).strip("\"'")
                self.builder.binding(name, EXPORT, self.builder.name(name), child.start_point[0] + 1)
            elif child.type in ("list", "tuple", "binary_operator", "parenthesized_expression"):
                self.export(child)

    def on_delete_statement(self, node: Node, role: int = READ) -> int:
        self.through(node)
        return OPAQUE

    def on_global_statement(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if child.type == "identifier":
                self.holder.symbols.add(self.text(child))
        return OPAQUE

    # statements

    def on_for_statement(self, node: Node, role: int = READ) -> int:
        right = node.child_by_field_name("right")
        value = self.builder.expression(X_ITERATE, self.visit(right))
        if any(child.type == "async" for child in node.children):
            value = self.builder.expression(X_AWAIT, value)
        self.assign(node.child_by_field_name("left"), [value])
        self.visit(node.child_by_field_name("body"))
        if (alternative := node.child_by_field_name("alternative")) is not None:
            self.visit(alternative)
        return OPAQUE

    def on_with_item(self, node: Node, role: int = READ) -> int:
        value = node.child_by_field_name("value")
        if value.type != "as_pattern":
            self.visit(value)
            return OPAQUE
        context, target = value.named_children[0], value.named_children[-1]
        builder = self.builder
        entered = builder.expression(X_CALL, builder.attribute(self.visit(context), "__enter__"))
        self.assign(target, [entered])
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
            self.builder.binding(name, LOCAL, value, target.start_point[0] + 1, last)

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

    def on_condition(self, node: Node, role: int = READ) -> int:
        outer, self.conditional = self.conditional, 0 if self.in_function else int(Flag.CONDITIONAL)
        self.through(node)
        self.conditional = outer
        return OPAQUE

    def on_if_statement(self, node: Node, role: int = READ) -> int:
        if self.narrows:
            condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
            if condition is not None and body is not None:
                for name, value in self.narrowings(condition):
                    self.builder.binding(name, NARROW, value, body.start_point[0] + 1, last_line(body))
        return self.on_condition(node)

    def on_assert_statement(self, node: Node, role: int = READ) -> int:
        self.through(node)
        if self.narrows and node.named_child_count:
            for name, value in self.narrowings(node.named_children[0]):
                self.builder.binding(name, NARROW, value, last_line(node) + 1, self.holder.end_line)
        return OPAQUE

    def narrowings(self, condition: Node) -> list[tuple[str, int]]:
        """What `isinstance(name, Type)` in a condition says of names, where nothing negates it."""
        if condition.type in ("boolean_operator", "parenthesized_expression"):
            if any(child.type == "or" for child in condition.children):
                return []
            return [pair for child in condition.named_children for pair in self.narrowings(child)]
        if condition.type != "call" or self.text(condition.child_by_field_name("function")) != "isinstance":
            return []
        arguments = condition.child_by_field_name("arguments").named_children
        if len(arguments) != 2 or arguments[0].type != "identifier":
            return []
        types = arguments[1].named_children if arguments[1].type == "tuple" else [arguments[1]]
        name = self.text(arguments[0])
        if name == self.self_name:
            return []
        return [(name, self.builder.annotation(self.text(t))) for t in types if t.type in ("identifier", "attribute")]

    def on_return_statement(self, node: Node, role: int = READ) -> int:
        for child in node.children[1:]:
            for value in self.alternatives(child):
                if self.in_function and value != OPAQUE and self.holder.symbol > 0:
                    self.builder.binding("", RETURN, value, node.start_point[0] + 1, None, self.holder.symbol)
        return OPAQUE

    def on_yield(self, node: Node, role: int = READ) -> int:
        symbol = self.holder.symbol
        delegated = any(child.type == "from" for child in node.children)
        if self.in_function and symbol > 0:
            self.builder.flag(symbol, Flag.GENERATOR)
        for child in node.named_children:
            value = self.visit(child)
            if self.in_function and symbol > 0 and value != OPAQUE and not delegated:
                self.builder.binding("yield", RETURN, value, node.start_point[0] + 1, None, symbol)
        return OPAQUE

    # imports

    def on_import_statement(self, node: Node, role: int = READ) -> int:
        for item in node.children_by_field_name("name"):
            name_node = item.child_by_field_name("name") if item.type == "aliased_import" else item
            module = self.text(name_node)
            alias = item.child_by_field_name("alias") if item.type == "aliased_import" else None
            line, column = self.place(name_node)
            self.import_name(self.text(alias) if alias is not None else module, module, "", line, column)
        return OPAQUE

    def on_import_from_statement(self, node: Node, role: int = READ) -> int:
        module_node = node.child_by_field_name("module_name")
        written = "__future__" if module_node is None else "".join(self.text(module_node).split())
        module = written.lstrip(".")
        depth = len(written) - len(module)
        for child in node.children:
            if child.type == "wildcard_import":
                self.import_name("*", module, "*", *self.place(child), depth)
        for item in node.children_by_field_name("name"):
            name_node = item.child_by_field_name("name") if item.type == "aliased_import" else item
            alias = item.child_by_field_name("alias") if item.type == "aliased_import" else None
            name = self.text(name_node)
            line, column = self.place(name_node)
            flags = ImportFlag.REEXPORT if alias is not None and self.text(alias) == name else 0
            self.import_name(self.text(alias) if alias is not None else name, module, name, line, column, depth, flags)
            self.builder.reference(name, IMPORT, name_node.start_byte, OPAQUE)
        return OPAQUE

    def import_name(
        self, local: str, module: str, name: str, line: int, column: int, depth: int = 0, flags: int = 0
    ) -> None:
        self.builder.import_(local, module, name, line, column, depth=depth, flags=flags)

    # definitions

    def on_decorated_definition(self, node: Node, role: int = READ) -> int:
        decorators, definition = [], node.child_by_field_name("definition")
        for child in node.named_children:
            if child.type == "decorator":
                self.each(child.named_children, DECORATE)
                decorators.append(self.text(child)[1:].split("(", 1)[0].strip())
        if definition.type == "class_definition":
            self.class_(definition, node, decorators)
        else:
            self.function(definition, node, decorators)
        return OPAQUE

    def on_function_definition(self, node: Node, role: int = READ) -> int:
        self.function(node, node, [])
        return OPAQUE

    def on_class_definition(self, node: Node, role: int = READ) -> int:
        self.class_(node, node, [])
        return OPAQUE

    def function(self, node: Node, start: Node, decorators: list[str]) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        parameters, returns = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
        name, builder = self.text(name_node), self.builder
        in_class_body = not self.in_function and self.holder.symbol == self.in_class
        last_words = {decorator.rsplit(".", 1)[-1] for decorator in decorators}
        symbol = self.define(
            name_node,
            self.function_kind(name, in_class_body, last_words),
            node,
            name=name,
            start=start,
            parent=self.holder.symbol,
            signature=self.between(node, body.start_byte).rstrip().rstrip(":"),
            doc=self.docstring(body),
            returns=self.type_text(returns) if returns is not None else "",
            flags=self.function_flags(node, name, body, last_words),
        )
        self.holder.symbols.add(name)
        is_method = in_class_body and "staticmethod" not in last_words
        outer = (self.holder, self.in_function, self.self_name, self.conditional)
        head = builder.enter(symbol, last_line(node))
        if (type_parameters := node.child_by_field_name("type_parameters")) is not None:
            self.type_parameters(type_parameters)
        names = self.visit_parameters(parameters)
        if returns is not None:
            self.visit(returns, TYPE)
        self.holder = builder.enter(symbol, last_line(node))
        self.in_function, self.conditional = True, 0
        if is_method and names:
            self.self_name = names.pop(0)[0]
        elif any(found == self.self_name for found, *_ in names):
            self.self_name = None
        self.bind_parameters(names)
        self.visit(body)
        builder.leave(self.holder)
        builder.leave(head)
        self.holder, self.in_function, self.self_name, self.conditional = outer

    @staticmethod
    def function_kind(name: str, in_class_body: bool, decorators: set[str]) -> str:
        if not in_class_body:
            return "function"
        if decorators & _PROPERTIES or decorators & {"setter", "deleter", "getter"}:
            return "property"
        return "constructor" if name == "__init__" else "method"

    def function_flags(self, node: Node, name: str, body: Node, decorators: set[str]) -> int:
        flags = _exported(name) | self.conditional
        if node.children[0].type == "async":
            flags |= Flag.ASYNC
        if "staticmethod" in decorators or "classmethod" in decorators:
            flags |= Flag.STATIC
        if decorators & {"abstractmethod", "abstractproperty"}:
            flags |= Flag.ABSTRACT
        if "overload" in decorators or _is_stub(body):
            flags |= Flag.DECLARATION
        if "override" in decorators:
            flags |= Flag.OVERRIDE
        if name.startswith("test"):
            flags |= Flag.TEST
        return int(flags)

    def type_parameters(self, node: Node) -> None:
        """The generic parameters of a function, class or type alias: locals with a bound."""
        for child in node.named_children:
            names = [leaf for leaf in _leaves(child) if leaf.type == "identifier"]
            if names:
                name = self.text(names[0])
                self.builder.local(name)
                self.builder.binding(name, TYPE_PARAMETER, OPAQUE, child.start_point[0] + 1)
            for bound in names[1:]:
                self.visit(bound, TYPE)

    def visit_parameters(self, node: Node) -> list[tuple[str, int, int]]:
        """Visit defaults and annotations; the parameters as (name, value, line)."""
        names, builder = [], self.builder
        for child in node.named_children:
            type_, default, target, value, written = None, None, child, OPAQUE, ""
            if child.type != "identifier":
                type_, default = child.child_by_field_name("type"), child.child_by_field_name("value")
                target = child.child_by_field_name("name") or child
            if default is not None:
                value = self.visit(default)
            if type_ is not None:
                self.visit(type_)
                written = self.type_text(type_)
                value = builder.annotation(written)
            if target.type == "typed_parameter":
                target = target.named_children[0]
            if target.type in _SPLATS:
                plain, generic = _SPLATS[target.type]
                value = builder.annotation(generic % written) if written else builder.literal(plain)
                target = target.named_children[0] if target.named_child_count else target
            if target.type == "identifier":
                names.append((self.text(target), value, child.start_point[0] + 1))
        return names

    def bind_parameters(self, names: list[tuple[str, int, int]]) -> None:
        for name, value, line in names:
            self.holder.locals.setdefault(name, 0)
            self.builder.binding(name, PARAMETER, value, line, self.holder.end_line)

    def docstring(self, body: Node) -> str:
        first = next((child for child in body.children if child.type != "comment"), None)
        if first is None or first.type != "expression_statement":
            return ""
        string = first.children[0]
        if string.type != "string":
            return ""
        return self.text(string).lstrip("rRuUbBfF").strip("\"'").strip().split("\n", 1)[0]

    def class_(self, node: Node, start: Node, decorators: list[str]) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        superclasses = node.child_by_field_name("superclasses")
        name, builder = self.text(name_node), self.builder
        bases = [n for n in superclasses.named_children if n.type not in _NOT_BASES] if superclasses is not None else []
        written = [self.text(base) for base in bases]
        is_enum = any(base.rsplit(".", 1)[-1] in _ENUMS for base in written)
        symbol = self.define(
            name_node,
            "enum" if is_enum else "class",
            node,
            name=name,
            start=start,
            parent=self.holder.symbol,
            signature=self.between(node, body.start_byte).rstrip().rstrip(":"),
            doc=self.docstring(body),
            bases=written,
            flags=_exported(name) | self.conditional | (Flag.TEST if name.startswith("Test") else 0),
        )
        self.holder.symbols.add(name)
        outer = (self.holder, self.in_function, self.self_name, self.in_class, self.in_enum, self.conditional)
        outer_end = self.class_end
        head = builder.enter(symbol, last_line(node))
        if (type_parameters := node.child_by_field_name("type_parameters")) is not None:
            self.type_parameters(type_parameters)
        self.each(bases, INHERIT)
        if superclasses is not None:
            self.each(n for n in superclasses.named_children if n.type == "keyword_argument")
        self.holder = builder.enter(symbol, last_line(node), class_=True)
        self.in_function, self.self_name, self.conditional = False, None, 0
        self.in_class, self.in_enum = symbol, is_enum
        self.class_end = last_line(node)
        self.visit(body)
        builder.leave(self.holder)
        builder.leave(head)
        self.class_end = outer_end
        self.holder, self.in_function, self.self_name, self.in_class, self.in_enum, self.conditional = outer

    class_end = 1

    def on_type_alias_statement(self, node: Node, role: int = READ) -> int:
        left, right = node.named_children[0], node.named_children[-1]
        names = [leaf for leaf in _leaves(left) if leaf.type == "identifier"]
        if names:
            name = self.text(names[0])
            self.define(
                names[0], "type_alias", node, name=name, parent=self.holder.symbol, signature=self.text(node),
                returns=self.text(right), flags=_exported(name) | self.conditional,
            )  # fmt: skip
            self.builder.binding(name, VARIABLE, self.builder.annotation(self.text(right)), node.start_point[0] + 1)
        self.visit(right, TYPE)
        return OPAQUE


_EXPORTED = int(Flag.EXPORTED)
_NOT_BASES = frozenset(("keyword_argument", "comment", "list_splat", "dictionary_splat"))


def _exported(name: str) -> int:
    return 0 if name[0] == "_" and name[-2:] != "__" else _EXPORTED


def _is_stub(body: Node) -> bool:
    """Whether a function's body is `...` alone, after a docstring at most."""
    statements = body.children
    last = statements[-1] if statements else None
    if last is None or last.type != "expression_statement" or last.children[0].type != "ellipsis":
        return False
    before = [n for n in statements[:-1] if n.type != "comment"]
    return not before or (
        len(before) == 1 and before[0].type == "expression_statement" and before[0].children[0].type == "string"
    )


def _leaves(node: Node) -> list[Node]:
    leaves, stack = [], [node]
    while stack:
        current = stack.pop()
        if current.child_count:
            stack.extend(current.children[::-1])
        else:
            leaves.append(current)
    return leaves
