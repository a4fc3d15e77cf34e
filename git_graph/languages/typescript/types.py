"""Types as TypeScript writes them: every name in them is a use of role type, save type parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from git_graph.languages.builder import one_line
from git_graph.languages.javascript.functions import Parts
from git_graph.languages.javascript.locals import FREE
from git_graph.languages.javascript.patterns import UNGIVEN, Declaration, Given, Values, line_of
from git_graph.languages.javascript.syntax import Syntax as JavaScript
from git_graph.languages.typescript.mend import mend
from git_graph.languages.walker import Node
from git_graph.model import IMPLEMENT, INHERIT, OPAQUE, READ, TYPE, TYPE_PARAMETER, Flag

_IMPORT = re.compile(r"import\(\s*['\"]([^'\"]*)['\"]\s*\)")
_COMPONENT = re.compile(r"(?:^|\.)(?:FC|VFC|SFC|FunctionComponent|ComponentType)<(.*)>$", re.DOTALL)
_MADE = {
    "useRef": "RefObject<%s>", "createRef": "RefObject<%s>", "useState": "[%s, Function]", "useMemo": "%s",
    "shallowRef": "RefObject<%s>", "ref": "RefObject<%s>", "signal": "Signal<%s>", "inject": "%s", "useContext": "%s",
}  # fmt: skip
"""What well-known functions make of their type arguments."""
_PROPERTIES = frozenset(("accessibility_modifier", "readonly", "override_modifier"))


class Types(JavaScript):
    """Walks types and what has them."""

    TYPED = True
    ALIASES: ClassVar[dict[str, str]] = {
        **JavaScript.ALIASES,
        **dict.fromkeys(("constructor_type", "call_signature", "construct_signature"), "function_type"),
        **dict.fromkeys(("type_arguments", "opting_type_annotation", "omitting_type_annotation"), "type_annotation"),
        **dict.fromkeys(("type_predicate_annotation", "asserts_annotation", "array_type"), "type_annotation"),
        "asserts": "type_predicate",
        "predefined_type": "this_type",
        "nested_identifier": "member_expression",
    }

    def annotation_of(self, node: Node) -> int:
        self.visit(node)
        return self.annotation_text(self.text(node).lstrip(": \t\n"))

    def annotation_text(self, text: str) -> int:
        """The expression of a type as written; a module named in it stands for its made-up import."""
        if "import(" in text:
            text = _IMPORT.sub(self.module_name, text)
        return self.builder.annotation(text)

    def module_name(self, match: re.Match[str]) -> str:
        """The local name of the module that `import('x')` in a type names."""
        found = self.modules.get(match[1])
        return match[0] if found is None else self.spelled(found)

    def returns_text(self, node: Node | None) -> str:
        text = super().returns_text(node)
        return _IMPORT.sub(self.module_name, text) if "import(" in text else text

    def prepare(self, parse: Callable[[bytes], Node]) -> Node:
        """The tree of the source, or of the mended source where the grammar can read more of that."""
        root = parse(self.source)
        if not root.has_error:
            return root
        text = mend(self.source)
        if text == self.source:
            return root
        mended = parse(text)
        if mended.has_error and broken(mended) >= broken(root):
            return root
        for table in (self.handlers, self.steps):
            for kind, name in self.type_of.items():
                if name in ("identifier", "type_identifier") and kind in table:
                    table[kind] = self.on_mended_name
        return mended

    def on_mended_name(self, node: Node, role: int = READ) -> int:
        """A name in a mended tree, which may stand for `import('x')`."""
        if match := _IMPORT.fullmatch(self.text(node)):
            return self.module_named(match[1], node)
        type_ = self.type_of[node.kind_id] == "type_identifier"
        return self.on_type_identifier(node, role) if type_ else self.on_identifier(node, role)

    # names of types

    def on_type_identifier(self, node: Node, role: int = READ) -> int:
        start = node.start_byte
        name, expression = self.builder.bare_name(self.source[start : node.end_byte])
        if name not in self.types:
            self.builder.reference(name, TYPE if role == READ else role, start)
        return expression

    def on_nested_type_identifier(self, node: Node, role: int = READ) -> int:
        children = node.children
        of, key = self.qualifier(children[0]), children[-1]
        name = self.text(key)
        self.builder.reference(name, TYPE if role == READ else role, key.start_byte, of)
        return self.attribute(of, name)

    def qualifier(self, node: Node) -> int:
        """What stands before a dot in a type: a namespace."""
        if self.type_of[node.kind_id] != "identifier" or self.handlers[node.kind_id] != self.on_identifier:
            return self.visit(node)
        return self.namespace(node)

    def namespace(self, node: Node) -> int:
        """A name before a dot in a type."""
        name, expression = self.builder.bare_name(self.source[node.start_byte : node.end_byte])
        if name not in self.names:
            self.builder.reference(name, READ, node.start_byte, self.builder.literal("namespace"))
        return expression

    def on_generic_type(self, node: Node, role: int = READ) -> int:
        children = node.children
        value = self.visit(children[0], TYPE if role == READ else role)
        for child in children[1:]:
            self.through(child, TYPE)
        return value

    def on_this_type(self, node: Node, role: int = READ) -> int:
        return OPAQUE

    def on_type_annotation(self, node: Node, role: int = READ) -> int:
        step = self.steps.get
        for child in node.children:
            handler = step(child.kind_id, self.visit)
            if handler is not None:
                handler(child, TYPE)
        return OPAQUE

    def on_type_query(self, node: Node, role: int = READ) -> int:
        """`typeof value` is a use of the value."""
        for child in node.named_children:
            self.visit(child, TYPE if self.type_of[child.kind_id] == "type_arguments" else READ)
        return OPAQUE

    def on_lookup_type(self, node: Node, role: int = READ) -> int:
        """`Type['key']` is a use of the property."""
        children = node.children
        self.visit(children[0], TYPE)
        for child in children[1:]:
            if (
                self.type_of[child.kind_id] == "literal_type"
                and child.named_child_count
                and self.type_of[child.named_children[0].kind_id] == "string"
            ):
                string = child.named_children[0]
                key = self.text(string)[1:-1]
                of = self.annotation_text(self.text(children[0]))
                self.builder.reference(key, TYPE, string.start_byte + 1, of)
            elif child.is_named:
                self.visit(child, TYPE)
        return OPAQUE

    # type parameters and scopes inside types

    def on_type_parameters(self, node: Node, role: int = READ) -> int:
        parameters = [child for child in node.named_children if self.type_of[child.kind_id] == "type_parameter"]
        for child in parameters:
            self.declare_type(self.text(child.child_by_field_name("name")))
        for child in parameters:
            constraint, bound = child.child_by_field_name("constraint"), OPAQUE
            for part in child.named_children[1:]:
                self.through(part, TYPE)
            if constraint is not None and constraint.named_child_count:
                bound = self.annotation_text(self.text(constraint.named_children[0]))
            name = self.text(child.child_by_field_name("name"))
            self.builder.binding(name, TYPE_PARAMETER, bound, line_of(child), self.end_line)
        return OPAQUE

    def declare_type(self, name: str) -> None:
        """From here to the end of the block `name` is a type parameter."""
        self.put(self.types, name, 1)

    def on_function_type(self, node: Node, role: int = READ) -> int:
        """A function's type: its parameters are names of nothing."""
        mark = self.open(node)
        for child in node.named_children:
            if self.type_of[child.kind_id] == "formal_parameters":
                self.signature_parameters(child)
            elif self.type_of[child.kind_id] != "identifier":
                self.visit(child, TYPE)
        self.close(mark)
        return OPAQUE

    def signature_parameters(self, node: Node) -> None:
        """Visit the types of parameters that have no body to be seen in."""
        for child in node.named_children:
            annotation = child.child_by_field_name("type")
            if annotation is not None:
                self.visit(annotation)

    def on_required_parameter(self, node: Node, role: int = READ) -> int:
        """A named member of a tuple type."""
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            self.visit(annotation)
        return OPAQUE

    on_optional_parameter = on_required_parameter

    def on_conditional_type(self, node: Node, role: int = READ) -> int:
        mark = self.open(node)
        self.through(node, TYPE)
        self.close(mark)
        return OPAQUE

    def on_infer_type(self, node: Node, role: int = READ) -> int:
        names = node.named_children
        self.declare_type(self.text(names[0]))
        self.each(names[1:], TYPE)
        return OPAQUE

    def on_index_signature(self, node: Node, role: int = READ) -> int:
        mark = self.open(node)
        for child in node.named_children:
            if self.type_of[child.kind_id] == "mapped_type_clause":
                self.declare_type(self.text(child.child_by_field_name("name")))
                self.each(child.named_children[1:], TYPE)
            elif self.type_of[child.kind_id] != "identifier":
                self.visit(child, TYPE)
        self.close(mark)
        return OPAQUE

    def on_type_predicate(self, node: Node, role: int = READ) -> int:
        for child in node.named_children:
            if self.type_of[child.kind_id] not in ("identifier", "this"):
                self.visit(child, TYPE)
        return OPAQUE

    def on_property_signature(self, node: Node, role: int = READ) -> int:
        """A property of an object type that no symbol holds."""
        for child in node.named_children:
            if self.type_of[child.kind_id] in ("type_annotation", "computed_property_name"):
                self.visit(child)
        return OPAQUE

    def on_method_signature(self, node: Node, role: int = READ) -> int:
        return self.on_function_type(node)

    def on_property_identifier(self, node: Node, role: int = READ) -> int:
        return OPAQUE

    # parameters with types

    def parameter(self, node: Node, given: Values, how: Declaration) -> None:
        if self.type_of[node.kind_id] not in ("required_parameter", "optional_parameter"):
            self.bind(node, given, how)
            return
        target = annotation = default = None
        for child in node.children:
            kind = self.type_of[child.kind_id]
            if kind == "decorator":
                self.visit(child)
            elif kind == "type_annotation":
                annotation = child
            elif child.is_named and kind not in _PROPERTIES and kind != "comment":
                if target is None:
                    target = child
                else:
                    default = child
            elif kind == "this":
                target = child
        if target is None:
            return
        values = given
        if annotation is not None:
            values = (self.annotation_of(annotation),)
            if self.type_of[target.kind_id] == "this":
                self.this = values[0]
                return
            if (
                self.type_of[target.kind_id] == "object_pattern"
                and self.type_of[annotation.named_children[0].kind_id] == "object_type"
            ):
                self.bind_typed(target, annotation.named_children[0], values, how)
                return
        if default is not None:
            found = self.alternatives(default)
            values = values if annotation is not None or values[0] != OPAQUE else found
        if self.type_of[target.kind_id] != "this":
            self.bind(target, values, how)

    def parameter_properties(self, node: Node, class_symbol: int) -> None:
        """Fields that a constructor's parameters declare (`constructor(private a: A)`)."""
        parameters = node.child_by_field_name("parameters")
        for child in parameters.named_children if parameters is not None else ():
            pattern = child.child_by_field_name("pattern")
            if (
                pattern is None
                or self.type_of[pattern.kind_id] != "identifier"
                or self.type_of[child.children[0].kind_id] == "identifier"
            ):
                continue
            words = [self.type_of[part.kind_id] for part in child.children]
            if not _PROPERTIES.intersection(words):
                continue
            annotation = child.child_by_field_name("type")
            name = self.text(pattern)
            self.define(
                pattern, "field", child, name=name, parent=class_symbol, signature=self.text(child),
                returns=self.returns_text(annotation), flags=self.flag_words(child),
            )  # fmt: skip
            if annotation is None and (value := child.child_by_field_name("value")) is not None:
                literal = self.handlers.get(value.kind_id)
                if literal is not None and not value.named_child_count:
                    self.bind_field(name, [literal(value, READ)], line_of(child), class_symbol)

    def bind_typed(self, pattern: Node, type_: Node, values: Values, how: Declaration) -> None:
        """`{ a, b }: { a: A; b: B }`: each name has the type written beside it."""
        types = {}
        for child in type_.named_children:
            annotation = child.child_by_field_name("type")
            if self.type_of[child.kind_id] == "property_signature" and annotation is not None:
                types[self.property_name(child.child_by_field_name("name"))] = annotation
        for child in pattern.named_children:
            kind = self.type_of[child.kind_id]
            if kind == "comment":
                continue
            key = child.children[0] if kind in ("pair_pattern", "object_assignment_pattern") else child
            annotation = types.get(self.property_name(key))
            if annotation is None:
                known: Values = (OPAQUE,)
            else:
                known = (self.annotation_text(self.text(annotation).lstrip(": \t\n")),)
            self.bind(child.children[-1] if kind == "pair_pattern" else child, known, how)

    def given_by(self, annotation: Node | None) -> Given:
        if annotation is None:
            return UNGIVEN
        text = self.text(annotation).lstrip(": \t\n")
        match = _COMPONENT.search(text.strip())
        return Given((self.annotation_text(match[1]),)) if match else Given(base=self.annotation_text(text))

    def given_by_wrapper(self, call: Node) -> Given:
        for child in call.named_children:
            if self.type_of[child.kind_id] == "type_arguments":
                given = [self.annotation_text(self.text(argument)) for argument in child.named_children]
                reference_first = "forwardRef" in self.text(call.children[0])
                return Given(given[::-1] if reference_first and len(given) == 2 else given)
        return UNGIVEN

    def type_arguments(self, call: Node, name: Node) -> int:
        for child in call.children[1:-1]:
            if self.type_of[child.kind_id] == "type_arguments":
                self.through(child, TYPE)
                made = _MADE.get(self.text(name))
                return self.annotation_text(made % self.text(child)[1:-1]) if made else OPAQUE
        return OPAQUE

    def types_given(self, call: Node) -> str:
        if len(call.children) < 3:
            return ""
        given = (child for child in call.children[1:-1] if self.type_of[child.kind_id] == "type_arguments")
        return next((one_line(self.text(child)[1:-1]) for child in given), "")

    def result_of(self, parts: Parts) -> int:
        if parts.returns is None or self.type_of[parts.returns.kind_id] != "type_annotation":
            return OPAQUE
        written = self.type_expression(parts.returns)
        return self.awaited(written) if parts.flags & Flag.ASYNC else written

    def target_type(self, left: Node) -> int:
        parts: list[str] = []
        while self.type_of[left.kind_id] == "member_expression":
            parts.append(self.text(left.children[-1]))
            left = left.children[0]
        kind = self.type_of[left.kind_id]
        if kind not in ("identifier", "this"):
            return OPAQUE
        of = self.this
        if kind == "identifier":
            name = self.text(left)
            local = self.names.get(name, FREE)
            of = self.builder.name(name) if local == FREE else local
        for part in reversed(parts):
            of = self.attribute(of, part)
        return of

    def parameter_type(self, called: int, position: int) -> int:
        return self.attribute(called, f"#{position}")

    def type_expression(self, annotation: Node) -> int:
        return self.annotation_text(self.text(annotation).lstrip(": \t\n"))

    # heritage

    def heritage(self, node: Node) -> None:
        for clause in node.named_children:
            role = IMPLEMENT if self.type_of[clause.kind_id] == "implements_clause" else INHERIT
            for child in clause.named_children:
                if self.type_of[child.kind_id] == "type_arguments":
                    self.through(child, TYPE)
                else:
                    self.visit(child, role)

    def bases(self, heritage: Node | None) -> list[str]:
        texts: list[str] = []
        for clause in heritage.named_children if heritage is not None else ():
            for child in clause.named_children:
                if self.type_of[clause.kind_id] == "implements_clause":
                    texts.append(self.text(child))
                elif self.type_of[child.kind_id] == "type_arguments" and texts:
                    texts[-1] += self.text(child)
                else:
                    texts += self.base_texts(child)
        return texts


def broken(root: Node) -> int:
    """How many bytes of a tree the grammar could not read."""
    total, stack = 0, [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            total += node.end_byte - node.start_byte + 1
        elif node.has_error:
            stack += node.children
    return total
