"""How Python's syntax becomes symbols, references, imports and bindings.

Scopes are Python's: a function holds what is assigned anywhere in it unless `global` or `nonlocal` says otherwise, a
class body is not seen from the functions in it, comprehensions and lambdas have scopes of their own. Here are imports
and definitions; statements, assignments and expressions have modules of their own.
"""

from __future__ import annotations

from typing import ClassVar

from git_graph.languages.python import expressions
from git_graph.languages.python.assignments import exported
from git_graph.languages.python.expressions import leaves_of
from git_graph.languages.python.statements import Statements
from git_graph.languages.walker import Node, last_line
from git_graph.model import (
    DECORATE,
    IMPORT,
    INHERIT,
    OPAQUE,
    PARAMETER,
    READ,
    TYPE,
    VARIABLE,
    Flag,
    ImportFlag,
)

_ACCESSORS = frozenset(("setter", "deleter", "getter", "reify"))
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "Choices", "TextChoices", "IntegerChoices"))
_NOT_BASES = frozenset(("keyword_argument", "comment", "list_splat", "dictionary_splat"))


class Syntax(Statements):
    """Python's walk."""

    SKIP: ClassVar[frozenset[str]] = frozenset(("line_continuation", "pass_statement", "escape_sequence"))
    ALIASES: ClassVar[dict[str, str]] = {
        **expressions.ALIASES,
        **dict.fromkeys(("try_statement", "else_clause", "except_clause", "finally_clause"), "condition"),
        "while_statement": "if_statement",
        "elif_clause": "if_statement",
        "future_import_statement": "import_from_statement",
        "nonlocal_statement": "global_statement",
    }

    # imports

    def on_import_statement(self, node: Node, role: int = READ) -> int:
        for item in node.children_by_field_name("name"):
            name_node = item.child_by_field_name("name") if item.type == "aliased_import" else item
            module = self.text(name_node)
            alias = item.child_by_field_name("alias") if item.type == "aliased_import" else None
            last = name_node.named_children[-1]
            line, column = self.place(last)
            self.import_name(self.text(alias) if alias is not None else module, module, "", line, column)
            self.refer(last, IMPORT, OPAQUE)
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
        self.builder.import_(local, module, name, line, column, depth=depth, flags=flags | self.import_flags)

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
            signature=self.head(node),
            doc=self.docstring(body),
            returns=self.type_text(returns) if returns is not None else "",
            flags=self.function_flags(node, name, body, last_words),
        )
        self.holder.symbols.add(name)
        is_method = in_class_body and "staticmethod" not in last_words
        outer = (self.holder, self.in_function, self.self_name, self.conditional, self.block_end)
        head = builder.enter(symbol, last_line(node))
        if (type_parameters := node.child_by_field_name("type_parameters")) is not None:
            self.type_parameters(type_parameters)
        names = self.visit_parameters(parameters)
        if returns is not None:
            self.visit(returns, TYPE)
        self.holder = builder.enter(symbol, last_line(node))
        self.in_function, self.conditional, self.block_end = True, 0, self.holder.end_line
        if is_method and names:
            self.self_name, annotated, line = names.pop(0)
            if annotated != OPAQUE:  # `self: T`, by which `-> T` is the receiver's own type
                builder.binding(self.self_name, PARAMETER, annotated, line, self.holder.end_line)
        elif any(found == self.self_name for found, *_ in names):
            self.self_name = None
        self.bind_parameters(names)
        if self.has_type_comments:
            self.each(child for child in node.children if child.type == "comment")
        self.visit(body)
        builder.leave(self.holder)
        builder.leave(head)
        self.holder, self.in_function, self.self_name, self.conditional, self.block_end = outer

    @staticmethod
    def function_kind(name: str, in_class_body: bool, decorators: set[str]) -> str:
        if not in_class_body:
            return "function"
        if decorators & _ACCESSORS or any(word.lower().endswith("property") for word in decorators):
            return "property"
        return "constructor" if name == "__init__" else "method"

    def function_flags(self, node: Node, name: str, body: Node, decorators: set[str]) -> int:
        flags = exported(name) | self.conditional
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

    def head(self, node: Node) -> str:
        """A definition up to the colon before its body."""
        children = node.children
        colon = next((child for child in reversed(children) if child.type == ":"), children[-1])
        return self.between(node, colon.start_byte).rstrip()

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
            signature=self.head(node),
            doc=self.docstring(body),
            bases=written,
            flags=exported(name) | self.conditional | (Flag.TEST if name.startswith("Test") else 0),
        )
        self.holder.symbols.add(name)
        outer = (self.holder, self.in_function, self.self_name, self.in_class, self.in_enum, self.conditional)
        outer_end, outer_bases = self.class_end, self.class_has_bases
        head = builder.enter(symbol, last_line(node))
        if (type_parameters := node.child_by_field_name("type_parameters")) is not None:
            self.type_parameters(type_parameters)
        self.each(bases, INHERIT)
        if superclasses is not None:
            self.each(n for n in superclasses.named_children if n.type == "keyword_argument")
        self.holder = builder.enter(symbol, last_line(node), class_=True)
        self.in_function, self.self_name, self.conditional = False, None, 0
        self.in_class, self.in_enum = symbol, is_enum
        self.class_end, self.class_has_bases = last_line(node), bool(bases)
        self.visit(body)
        builder.leave(self.holder)
        builder.leave(head)
        self.class_end, self.class_has_bases = outer_end, outer_bases
        self.holder, self.in_function, self.self_name, self.in_class, self.in_enum, self.conditional = outer

    def on_type_alias_statement(self, node: Node, role: int = READ) -> int:
        left, right = node.named_children[0], node.named_children[-1]
        names = [leaf for leaf in leaves_of(left) if leaf.type == "identifier"]
        if names:
            name = self.text(names[0])
            self.define(
                names[0], "type_alias", node, name=name, parent=self.holder.symbol, signature=self.text(node),
                returns=self.text(right), flags=exported(name) | self.conditional,
            )  # fmt: skip
            self.builder.binding(name, VARIABLE, self.builder.annotation(self.text(right)), node.start_point[0] + 1)
        self.visit(right, TYPE)
        return OPAQUE


def _is_stub(body: Node) -> bool:
    """Whether a function's body is `...` alone, after a docstring at most."""
    statements = body.children
    if not statements or _bare(statements[-1]).type != "ellipsis":
        return False
    before = [_bare(node).type for node in statements[:-1] if node.type != "comment"]
    return before in ([], ["string"])


def _bare(statement: Node) -> Node:
    return statement.children[0] if statement.type == "expression_statement" else statement
