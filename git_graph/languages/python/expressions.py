"""Python's expressions: names, calls, displays, comprehensions, lambdas, and types as they are written."""

from __future__ import annotations

import re
from typing import ClassVar

from git_graph.languages.builder import Builder, Scope
from git_graph.languages.walker import Node, Walker, last_line
from git_graph.model import (
    CALL,
    DECORATE,
    FIRST_EXPRESSION,
    INHERIT,
    NONE,
    OPAQUE,
    PARAMETER,
    READ,
    SELF,
    SUPER,
    TYPE,
    TYPE_PARAMETER,
    WRITE,
    X_ATTRIBUTE,
    X_AWAIT,
    X_CALL,
    X_DISPLAY,
    X_INDEX,
    X_ITERATE,
    X_LITERAL,
    X_NAME,
)

SEQUENCES = frozenset(("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"))
LITERALS = {"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "None", "ellipsis": "ellipsis"}
_DISPLAYS = {"list": "list", "tuple": "tuple", "dictionary": "dict", "set": "set", "expression_list": "tuple"}
_COMPREHENSIONS = {
    "list_comprehension": "list",
    "set_comprehension": "set",
    "dictionary_comprehension": "dict",
    "generator_expression": "generator",
}
ALIASES = {
    **dict.fromkeys(LITERALS, "integer"),
    **dict.fromkeys(_DISPLAYS, "list"),
    **dict.fromkeys(_COMPREHENSIONS, "generator_expression"),
}
_DOTTED = re.compile(r"[^\W\d]\w*(?:[ \t]*\.[ \t]*[^\W\d]\w*)*")
_NO_TYPE = re.compile(r"[^\w\s.,|\[\]()\"'*]|[\w\"'\])][ \t]+[\w\"'(\[]")
"""What no type holds: other characters, two words side by side."""
_TYPE_COMMENT = re.compile(r"#\s*type:(?!\s*ignore\b)\s*([^#]*[^#\s])")
_SIGNATURE = re.compile(r"\([^()]*\)\s*->\s*[\w.,\s\[\]|\"']+")
_SPLATS = {"list_splat_pattern": ("tuple", "tuple[%s, ...]"), "dictionary_splat_pattern": ("dict", "dict[str, %s]")}

_CONTAINERS = {
    "list": "list", "sorted": "list", "reversed": "list", "tuple": "Sequence", "set": "set", "frozenset": "frozenset",
    "iter": "Iterator", "enumerate": "enumerate", "zip": "zip", "deque": "deque",
}  # fmt: skip
"""Callables that make a container of what iterating their first argument gives."""
_OPERATORS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__",
    "|": "__or__", "&": "__and__", "^": "__xor__", "@": "__matmul__", "<<": "__lshift__", ">>": "__rshift__",
}  # fmt: skip
_TYPE_MAKERS = frozenset(("TypeVar", "NewType"))
_SAME = frozenset(("copy", "deepcopy", "partial", "replace"))
"""Callables that give something like their first argument."""
_IMPORTED = frozenset(("cast", "defaultdict", "deque", *_TYPE_MAKERS, *_SAME))
_KNOWN = frozenset(("super", "next", "min", "max", "type", "map", "filter", *_CONTAINERS, *_IMPORTED))
_TYPE_FORMS = frozenset(
    (
        "Union", "Optional", "Callable", "Type", "List", "Dict", "Tuple", "Set", "FrozenSet", "Sequence", "Iterable",
        "Iterator", "Mapping", "MutableMapping", "Annotated", "ClassVar", "Final", "Generator", "Awaitable",
    )
)  # fmt: skip
"""Names whose subscript holds types wherever it stands."""


class Expressions(Walker):
    """The handlers of expressions and of types."""

    SPREADS: ClassVar[frozenset[str]] = frozenset(("list_splat", "dictionary_splat"))

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.holder: Scope = builder.scope
        """The scope that assignments bind in: the file, a class body or a function (never a comprehension)."""
        self.in_function = False
        self.self_name: str | None = None
        self.has_type_comments = b"# type:" in source
        self.str_literal = builder.literal("str")
        self.kinds, self.texts = builder.slice.expressions.kind, builder.slice.expressions.text
        self.strings = builder.slice.strings

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
        if called >= FIRST_EXPRESSION:
            row = called - FIRST_EXPRESSION
            name = self.strings[self.texts[row]]
            if name in _KNOWN and self.is_known(name, self.kinds[row]):
                return self.known_call(name, called, arguments)
        if self.type_of[arguments.kind_id] == "argument_list":
            self.note_arguments(function.end_byte, arguments)
        self.visit(arguments)
        return self.builder.expression(X_CALL, called)

    def is_known(self, name: str, kind: int) -> bool:
        """Whether a called name is what the language or its library has under it, as far as the file tells so far."""
        builder = self.builder
        if name in _IMPORTED:
            return kind in (X_NAME, X_ATTRIBUTE) and builder.find(0, name) is None
        if kind != X_NAME:
            return False
        scope: Scope | None = builder.scope
        while scope is not None:
            if name in scope.locals or name in scope.symbols:
                return False
            scope = scope.parent
        return builder.find(0, name) is None

    def known_call(self, name: str, called: int, arguments: Node) -> int:
        """A call whose value follows from its arguments, whatever its own type is."""
        builder = self.builder
        if name == "super":
            builder.references.pop()
            self.through(arguments)
            return SUPER
        given = arguments.named_children if arguments.type == "argument_list" else [arguments]
        if name == "cast" and len(given) == 2:
            self.visit(given[0], TYPE)
            self.visit(given[1])
            return builder.annotation(self.type_text(given[0]))
        if name in _TYPE_MAKERS:
            for position, child in enumerate(given):
                self.visit(child, TYPE if position else READ)
            return builder.expression(X_CALL, called)
        values = [self.visit(child) for child in given]
        if not values or values[0] == OPAQUE:
            return builder.expression(X_CALL, called)
        value = values[0]
        if name in _CONTAINERS:
            return builder.expression(X_DISPLAY, builder.expression(X_ITERATE, value), _CONTAINERS[name])
        if name in ("next", "min", "max"):
            return builder.expression(X_ITERATE, value) if len(given) == 1 or name == "next" else value
        if name == "type":
            return builder.attribute(value, "__class__") if len(given) == 1 else builder.expression(X_CALL, called)
        if name in ("map", "defaultdict"):
            return builder.expression(X_DISPLAY, builder.expression(X_CALL, value), name)
        if name == "filter" and len(values) == 2:
            return builder.expression(X_DISPLAY, builder.expression(X_ITERATE, values[1]), name)
        if name in _SAME:
            return value
        return builder.expression(X_CALL, called)

    def on_keyword_argument(self, node: Node, role: int = READ) -> int:
        return self.visit(node.child_by_field_name("value"), role)

    def on_subscript(self, node: Node, role: int = READ) -> int:
        container = node.child_by_field_name("value")
        of = self.visit(container, role if role in (INHERIT, TYPE) else READ)
        key, form = "", self.text(container).rpartition(".")[2] if container.type != "call" else ""
        inner = TYPE if role in (INHERIT, TYPE) or form in _TYPE_FORMS else READ
        for index in node.children_by_field_name("subscript"):
            self.visit(index, READ if form == "Literal" else inner)
            inner = READ if form == "Annotated" else inner
            if index.type == "slice":
                return of
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
            value = self.binary(child) if child.type == "binary_operator" else self.visit(child, role)
        return value

    def binary(self, node: Node) -> int:
        """`a / b` is what `a.__truediv__(b)` gives; where nothing will be called on it, nobody asks."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.binary(left) if left.type == "binary_operator" else self.visit(left)
        self.visit(right)
        if value == OPAQUE or (value >= FIRST_EXPRESSION and self.kinds[value - FIRST_EXPRESSION] == X_LITERAL):
            return value
        method = _OPERATORS.get(node.child_by_field_name("operator").type)
        if method is None:
            return OPAQUE
        return self.builder.expression(X_CALL, self.builder.expression(X_ATTRIBUTE, value, method))

    def on_integer(self, node: Node, role: int = READ) -> int:
        return self.builder.literal(LITERALS[node.type])

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
        inner, element = TYPE if role == TYPE else READ, OPAQUE
        for child in node.named_children:
            value = self.visit(child, inner)
            if element == OPAQUE:
                element = value
        return self.display(element, _DISPLAYS[node.type])

    def on_pair(self, node: Node, role: int = READ) -> int:
        """One entry of a dict; what counts as its element is the value."""
        children = node.named_children
        for key in children[:-1]:
            self.visit(key, role)
        return self.visit(children[-1], role) if children else OPAQUE

    def display(self, element: int, container: str) -> int:
        """A container literal with an element about which something is known, or one about which nothing is."""
        if element == OPAQUE or (element >= FIRST_EXPRESSION and self.kinds[element - FIRST_EXPRESSION] == X_LITERAL):
            return self.builder.literal(container)
        return self.builder.expression(X_DISPLAY, element, container)

    def on_generator_expression(self, node: Node, role: int = READ) -> int:
        scope = self.builder.enter(self.builder.scope.symbol, last_line(node))
        values = [self.visit(child) for child in node.named_children]
        self.builder.leave(scope)
        return self.display(values[0] if values else OPAQUE, _COMPREHENSIONS[node.type])

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
            self.builder.binding(name, PARAMETER, value, line)
        elif target.type in SEQUENCES:
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

    def on_generic_type(self, node: Node, role: int = READ) -> int:
        """`List[X]` in an annotation; what `Literal` holds are values, and only the first of `Annotated` is a type."""
        name, *rest = node.named_children
        self.visit(name, TYPE)
        form = self.text(name)
        inner = READ if form == "Literal" else TYPE
        for parameters in rest:
            for child in parameters.named_children:
                if inner == READ:
                    self.values_in_type(child)
                else:
                    self.visit(child, TYPE)
                inner = READ if form == "Annotated" else inner
        return OPAQUE

    def values_in_type(self, node: Node) -> None:
        """What stands where the grammar sees a type and the language a value."""
        for child in node.named_children if node.type == "type" else [node]:
            self.visit(child)

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
        if "\n" not in text and not _NO_TYPE.search(text):
            self.names_at(text, node.start_byte)

    def on_comment(self, node: Node, role: int = READ) -> int:
        """`# type: List[Foo]` and `# type: (Foo) -> Bar` name types as annotations do."""
        if self.has_type_comments and (match := _TYPE_COMMENT.match(text := self.text(node))):
            written = match[1]
            if _SIGNATURE.fullmatch(written) or not _NO_TYPE.search(written):
                self.names_at(written, node.start_byte + len(text[: match.start(1)].encode("utf-8", "surrogateescape")))
        return OPAQUE

    def names_at(self, text: str, start: int) -> None:
        """Record the dotted names in a text that stands at a byte offset, as types."""
        for match in _DOTTED.finditer(text):
            of = NONE
            for part in re.finditer(r"\w+", match.group()):
                name, offset = part.group(), match.start() + part.start()
                if name == "None":
                    continue
                place = start + len(text[:offset].encode("utf-8", "surrogateescape"))
                self.builder.reference(name, TYPE, place, of)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)

    # parameters

    def type_parameters(self, node: Node) -> None:
        """The generic parameters of a function, class or type alias: locals with a bound."""
        for child in node.named_children:
            names = [leaf for leaf in leaves_of(child) if leaf.type == "identifier"]
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
            if child.type == "comment":
                self.on_comment(child)
            elif child.type != "identifier":
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


def leaves_of(node: Node) -> list[Node]:
    """The tokens of a node, in order."""
    leaves, stack = [], [node]
    while stack:
        current = stack.pop()
        if current.child_count:
            stack.extend(current.children[::-1])
        else:
            leaves.append(current)
    return leaves
