"""How JavaScript's syntax becomes symbols, references, imports and bindings.

A constant that holds a function, a class or an object with functions is the symbol of what it holds; a function passed
inline is part of what is around it. `this` in a class is SELF, in an object's methods the object. See the modules
beside this one: locals, patterns, functions, classes, variables, modules.
"""

from __future__ import annotations

import re
from typing import ClassVar

from git_graph.languages.javascript.jsx import Elements
from git_graph.languages.javascript.locals import FREE, FUNCTIONS
from git_graph.languages.javascript.patterns import UNGIVEN, UNKNOWN, Declaration, Given, Values, line_of
from git_graph.languages.javascript.variables import WHOLE
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    CALL,
    DECORATE,
    INSTANTIATE,
    LOCAL,
    NARROW,
    OPAQUE,
    READ,
    SUPER,
    TYPE,
    VARIABLE,
    WRITE,
    X_ATTRIBUTE,
    X_NEW,
    Flag,
)

_LITERALS = {"number": "number", "true": "boolean", "false": "boolean", "string": "string", "regex": "RegExp"}
_ELEMENT_FIRST = frozenset((
    "map", "filter", "find", "findIndex", "findLast", "findLastIndex", "some", "every", "flatMap", "sort", "toSorted",
))  # fmt: skip
"""Methods of arrays whose callback is given elements first."""
_FOLDS = frozenset(("reduce", "reduceRight"))
_LEAVES_SCOPE = frozenset(("return_statement", "throw_statement", "continue_statement", "break_statement"))
_GUARD = re.compile(r"(?:^|\.)is[A-Z]\w*$")
_TESTS = frozenset(("describe", "it", "test", "suite"))


class Syntax(Elements):
    """JavaScript's walk."""

    SPREADS: ClassVar[frozenset[str]] = frozenset(("spread_element",))

    ALIASES: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("number", "true", "false", "regex"), "number"),
        "private_property_identifier": "number",
    }

    # names

    def on_identifier(self, node: Node, role: int = READ) -> int:
        start = node.start_byte
        name, expression = self.builder.bare_name(self.source[start : node.end_byte])
        local = self.names.get(name, FREE)
        if local != FREE:
            return local
        self.builder.reference(name, role, start)
        return expression

    def visit_name(self, node: Node, role: int) -> int:
        return self.on_identifier(node, role)

    def on_this(self, node: Node, role: int = READ) -> int:
        return self.this

    def on_super(self, node: Node, role: int = READ) -> int:
        return SUPER

    def on_member_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        target, key = children[0], children[-1]
        start = key.start_byte
        name = self.source[start : key.end_byte].decode("utf-8", "surrogateescape")
        if self.has_exports and self.exported_name(node) not in (None, WHOLE):
            self.builder.reference(name, role, start)  # a name of this file's own
            return self.builder.name(name)
        if self.has_casts and self.type_of[target.kind_id] == "as_expression":
            return self.member_of_cast(node)
        find = self.handlers.get(target.kind_id)
        of = OPAQUE if find is None else find(target, TYPE if role == TYPE else READ)
        if find is None:
            self.visit(target)
        self.builder.reference(name, role, start, of)
        return OPAQUE if of == OPAQUE else self.builder.expression(X_ATTRIBUTE, of, name)

    def member_of_cast(self, node: Node) -> int:
        """A member of a cast without parentheses around it: TypeScript's alone."""
        return OPAQUE

    def on_subscript_expression(self, node: Node, role: int = READ) -> int:
        of, index = self.visit(node.children[0]), node.child_by_field_name("index")
        if index is None:
            return OPAQUE
        if self.type_of[index.kind_id] == "string":
            key = self.text(index)[1:-1]
            if key.isidentifier():
                self.builder.reference(key, role, index.start_byte + 1, of)
                return self.attribute(of, key)
            return self.indexed(of, key[:64])
        self.visit(index)
        return self.indexed(of, self.text(index) if self.type_of[index.kind_id] == "number" else "")

    # calls

    def on_call_expression(self, node: Node, role: int = READ) -> int:
        children = node.children
        callee = children[0]
        if self.type_of[callee.kind_id] == "await_expression" and self.types_given(node):
            # the grammar reads `await f<T>()` as `(await f)<T>()`
            return self.awaited(self.call_of(callee.named_children[-1], children[-1], node, role))
        return self.call_of(callee, children[-1], node, role)

    def call_of(self, callee: Node, arguments: Node, node: Node, role: int) -> int:
        """A call `node` of what stands at `callee`."""
        kind = self.type_of[callee.kind_id]
        if kind == "super":
            self.builder.reference("constructor", CALL, callee.start_byte, SUPER)
            self.visit(arguments)
            return OPAQUE
        if kind == "import" or (self.has_require and kind == "identifier" and self.required(node) is not None):
            named = arguments.named_children
            if named and named[0].type == "string":
                return self.module_expression(named[0])
        if kind == "member_expression":
            return self.method_call(callee, arguments, node, role)
        called = self.visit(callee, DECORATE if role == DECORATE else CALL)
        made = self.type_arguments(node, callee)
        self.arguments(arguments, called, (), callee)
        if kind == "identifier" and not self.in_function and self.text(callee) in _TESTS:
            self.builder.flag(0, Flag.TEST)
        return self.called(called, self.types_given(node)) if made == OPAQUE else made

    def method_call(self, callee: Node, arguments: Node, node: Node, role: int) -> int:
        """`object.name(arguments)`."""
        parts = callee.children
        key = parts[-1]
        name = self.text(key)
        if self.has_exports and self.exported_name(callee) not in (None, WHOLE):
            called = self.visit(callee, CALL)
            self.visit(arguments)
            return self.called(called)
        if name in ("call", "apply", "bind") and parts[0].type in ("identifier", "member_expression"):
            called = self.visit(parts[0], READ if name == "bind" else CALL)
            self.visit(arguments)
            return called if name == "bind" else self.called(called)
        of = self.visit(parts[0])
        self.builder.reference(name, DECORATE if role == DECORATE else CALL, key.start_byte, of)
        made = self.type_arguments(node, key)
        called = self.attribute(of, name)
        self.arguments(arguments, called, self.callback(of, name), key)
        return self.called(called, self.types_given(node)) if made == OPAQUE else made

    def types_given(self, call: Node) -> str:
        """The type arguments of a call, as written."""
        return ""

    def type_arguments(self, call: Node, name: Node) -> int:
        """Visit the type arguments of a call; what it gives, if they say so."""
        return OPAQUE

    def callback(self, of: int, name: str) -> Values:
        """What the method `name` of `of` gives to a function that it is passed, if it is one of those we know."""
        if of == OPAQUE:
            return ()
        if name in _ELEMENT_FIRST:
            element = self.iterated(of)
            return (element, element) if name in ("sort", "toSorted") else (element,)
        if name == "forEach":
            return (self.iterated(self.called(self.attribute(of, "values"))),)
        if name in _FOLDS:
            return (OPAQUE, self.iterated(of))
        return (self.awaited(of),) if name == "then" else ()

    def arguments(self, node: Node, called: int, known: Values, callee: Node) -> None:
        """Visit the arguments of a call of `called`, at `callee`; functions among them are given `known`."""
        if self.type_of[node.kind_id] != "arguments":
            self.visit(node)
            return
        self.note_arguments(callee.end_byte, node)
        position = 0
        for child in node.named_children:
            kind = self.type_of[child.kind_id]
            if kind in FUNCTIONS:
                base = self.parameter_type(called, position)
                self.inline(child, Given(known, base) if known or base != OPAQUE else UNGIVEN)
            elif kind in ("object", "array"):
                self.expect(child, self.parameter_type(called, position))
            elif kind != "comment":
                self.visit(child)
            position += kind != "comment"

    def on_new_expression(self, node: Node, role: int = READ) -> int:
        constructor = node.child_by_field_name("constructor")
        made = self.visit(constructor, INSTANTIATE)
        type_arguments = None
        for child in node.children[2:]:
            kind = self.type_of[child.kind_id]
            if kind == "arguments":
                self.arguments(child, made, (), constructor)
            elif child.is_named:
                self.visit(child)
                if kind == "type_arguments":
                    type_arguments = child
        if (
            type_arguments is not None
            and self.type_of[constructor.kind_id] in ("identifier", "member_expression")
            and made != OPAQUE
        ):
            return self.builder.annotation(self.text(constructor) + self.text(type_arguments))
        return OPAQUE if made == OPAQUE else self.builder.expression(X_NEW, made)

    # other expressions

    def on_number(self, node: Node, role: int = READ) -> int:
        literal = _LITERALS.get(self.type_of[node.kind_id])
        return self.builder.literal(literal) if literal else OPAQUE

    def on_string(self, node: Node, role: int = READ) -> int:
        return self.builder.literal("string")

    def on_template_string(self, node: Node, role: int = READ) -> int:
        self.through(node)
        return self.builder.literal("string")

    def on_array(self, node: Node, role: int = READ) -> int:
        self.through(node)
        return self.builder.literal("Array")

    def on_parenthesized_expression(self, node: Node, role: int = READ) -> int:
        value = OPAQUE
        for child in node.named_children:
            value = self.visit(child, role)
        return value

    def on_sequence_expression(self, node: Node, role: int = READ) -> int:
        return self.on_parenthesized_expression(node)

    def on_await_expression(self, node: Node, role: int = READ) -> int:
        return self.awaited(self.on_parenthesized_expression(node))

    def on_binary_expression(self, node: Node, role: int = READ) -> int:
        """A chain of any length; `a || b` is what `a` is, `a && b` what `b` is, as far as one value can tell."""
        children = node.children
        operator = children[1].type
        rights = []
        while self.type_of[node.kind_id] == "binary_expression":
            children = node.children
            rights.append(children)
            node = children[0]
        value = self.visit(node)
        for children in reversed(rights):
            right = children[-1]
            if children[1].type == "&&":
                self.narrow(children[0], True, line_of(right), last_line(right))
            last = self.visit(right)
            if operator == "&&" or value == OPAQUE:
                value = last
        return value if operator in ("||", "??", "&&") else OPAQUE

    def on_ternary_expression(self, node: Node, role: int = READ) -> int:
        condition, then, otherwise = (node.child_by_field_name(f) for f in ("condition", "consequence", "alternative"))
        self.visit(condition)
        self.narrow(condition, True, line_of(then), last_line(then))
        first, second = self.visit(then), self.visit(otherwise)
        return second if first == OPAQUE else first

    def on_update_expression(self, node: Node, role: int = READ) -> int:
        self.each(node.named_children, WRITE)
        return OPAQUE

    # statements

    def on_labeled_statement(self, node: Node, role: int = READ) -> int:
        return self.visit(node.children[-1])

    def on_for_statement(self, node: Node, role: int = READ) -> int:
        mark, children = self.open(node), node.children
        self.hoist(children)
        for child in children:
            if child.is_named:
                self.visit(child)
        self.close(mark)
        return OPAQUE

    def on_for_in_statement(self, node: Node, role: int = READ) -> int:
        left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
        value = self.visit(node.child_by_field_name("right"))
        each = (
            self.iterated(value)
            if operator is not None and self.type_of[operator.kind_id] == "of"
            else self.builder.literal("string")
        )
        if any(self.type_of[child.kind_id] == "await" for child in node.children):
            each = self.awaited(each)
        keyword = node.child_by_field_name("kind")
        mark = self.open(node)
        if keyword is None:
            self.bind(left, (each,), None)
        elif self.type_of[keyword.kind_id] == "var":
            self.local = self.in_function
            kind = LOCAL if self.in_function else VARIABLE
            self.bind(left, (each,), Declaration(kind, node, line_of(node)))
            self.local = True
        else:
            self.reserve_pattern(left)
            self.bind(left, (each,), Declaration(LOCAL, node, line_of(node)))
        self.visit(node.child_by_field_name("body"))
        self.close(mark)
        return OPAQUE

    def on_catch_clause(self, node: Node, role: int = READ) -> int:
        mark, parameter = self.open(node), node.child_by_field_name("parameter")
        if parameter is not None:
            self.reserve_pattern(parameter)
            annotation = node.child_by_field_name("type")
            if annotation is not None:
                self.visit(annotation)
            self.bind(parameter, UNKNOWN, Declaration(LOCAL, node, line_of(node)))
        self.visit(node.child_by_field_name("body"))
        self.close(mark)
        return OPAQUE

    def on_switch_body(self, node: Node, role: int = READ) -> int:
        mark = self.open(node)
        for case in node.named_children:
            self.hoist(case.children)
        self.through(node)
        self.close(mark)
        return OPAQUE

    def on_if_statement(self, node: Node, role: int = READ) -> int:
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        otherwise = node.child_by_field_name("alternative")
        self.visit(condition)
        self.narrow(condition, True, line_of(then), last_line(then))
        self.visit(then)
        if otherwise is not None:
            self.narrow(condition, False, line_of(otherwise), last_line(otherwise))
            self.visit(otherwise)
        elif leaves(then):
            self.narrow(condition, False, last_line(node) + 1, self.end_line)
        return OPAQUE

    def narrow(self, condition: Node, holds: bool, first: int, last: int) -> None:
        """Say what names are from `first` to `last` because a condition holds there, or does not."""
        if first > last:
            return
        kind = self.type_of[condition.kind_id]
        if kind == "parenthesized_expression":
            for child in condition.named_children:
                self.narrow(child, holds, first, last)
        elif kind == "unary_expression" and self.type_of[condition.children[0].kind_id] == "!":
            self.narrow(condition.children[-1], not holds, first, last)
        elif kind == "binary_expression":
            left, operator, right = (
                condition.children[0],
                self.type_of[condition.children[1].kind_id],
                condition.children[-1],
            )
            if operator == ("&&" if holds else "||"):
                self.narrow(left, holds, first, last)
                self.narrow(right, holds, first, last)
            elif operator == "instanceof" and holds and self.type_of[left.kind_id] == "identifier":
                value = OPAQUE
                if self.type_of[right.kind_id] in ("identifier", "member_expression"):
                    value = self.builder.annotation(self.text(right))
                self.narrow_name(left, value, first, last)
        elif kind == "call_expression" and holds:
            self.narrow_by_guard(condition, first, last)

    def narrow_by_guard(self, call: Node, first: int, last: int) -> None:
        """`isType(name)`: what that says of the name is known when the function is."""
        arguments = call.children[-1].named_children
        if not arguments or self.type_of[arguments[0].kind_id] != "identifier":
            return
        guard = self.target_type(call.children[0])
        if guard != OPAQUE and _GUARD.search(self.text(call.children[0])):
            self.narrow_name(arguments[0], self.called(guard), first, last)

    def narrow_name(self, node: Node, value: int, first: int, last: int) -> None:
        """Say that from `first` to `last` a name is `value`."""
        if value == OPAQUE:
            return
        name = self.text(node)
        local = self.names.get(name, FREE)
        if local == OPAQUE:
            local = self.reserve(name)
            self.builder.binding(self.spelled(local), LOCAL, OPAQUE, self.first_line, self.end_line)
        spelled = name if local == FREE else self.spelled(local)
        self.builder.binding(spelled, NARROW, value, first, last)

    def annotation_of(self, node: Node) -> int:
        self.visit(node)
        return OPAQUE


def leaves(node: Node) -> bool:
    """Whether a statement leaves the block that it stands in."""
    if node.type in _LEAVES_SCOPE:
        return True
    if node.type == "statement_block":
        statements = [child for child in node.named_children if child.type != "comment"]
        return bool(statements) and statements[-1].type in _LEAVES_SCOPE
    return False
