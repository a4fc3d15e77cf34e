"""What C's declarators and types say: names, structs, unions, enumerations, members and typedefs.

A struct without a name is called by the typedef or the field that names it. Members of a struct without any name belong
to the struct around it, as the language has it. A type's text is the type as written with one mark for each pointer,
array and call that its declarator adds: `struct node *`, `int [][]`, `void ()*`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.lexical import LexicalWalker
from git_graph.languages.walker import Node, last_line
from git_graph.model import ALIAS, KIND, OPAQUE, READ, TYPE, Flag

EXPORTED, DECLARATION, INTERNAL = int(Flag.EXPORTED), int(Flag.DECLARATION), int(Flag.INTERNAL)
_THROUGH: Any = object()
NAMES = frozenset(("identifier", "type_identifier", "field_identifier", "primitive_type"))
WRAPPERS = {
    "pointer_declarator": "*",
    "abstract_pointer_declarator": "*",
    "array_declarator": "[]",
    "abstract_array_declarator": "[]",
    "function_declarator": "()",
    "abstract_function_declarator": "()",
    "reference_declarator": "&",
    "abstract_reference_declarator": "&",
    "parenthesized_declarator": "",
    "abstract_parenthesized_declarator": "",
    "attributed_declarator": "",
    "init_declarator": "",
}
"""Nodes around a declared name, and what each adds to the text of its type."""
TAGS = {"struct_specifier": "struct", "union_specifier": "union", "enum_specifier": "enum"}
_BODIES = frozenset(("field_declaration_list", "enumerator_list"))


@dataclass(slots=True)
class Declarator:
    """What one declarator says."""

    name: Node = None
    suffix: str = ""
    """What it adds to the text of the type, outermost first."""
    parameters: Node = None
    """The parameter list next to the name."""
    is_function: bool = False
    value: Node = None


class Declarators(LexicalWalker):
    """Declarators and types of the walk."""

    DECLARATOR: ClassVar[type[Declarator]] = Declarator
    TAGS: ClassVar[dict[str, str]] = TAGS
    NAMES: ClassVar[frozenset[str]] = NAMES

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.in_function = False
        self.conditional = 0
        """Flag.CONDITIONAL while between `#if` and `#endif`, include guards aside."""
        self.comment: tuple[int, int, int] = (0, 0, -2)
        """First byte of the comment met last (of its first line, if lines follow each other), first byte of its last
        line, and the row on which it ends."""
        self.type_role = TYPE
        """The role of the type that is visited next."""
        self.initialised = OPAQUE
        """The type of what the present initialiser list fills."""

    def step(self, node: Node, role: int = READ) -> None:
        """Visit a node whose expression nobody asks for."""
        handler = self.steps.get(node.kind_id, _THROUGH)
        if handler is _THROUGH:
            self.through(node, role)
        elif handler is not None:
            handler(node, role)

    # comments

    def on_comment(self, node: Node, role: int = READ) -> int:
        start, (row, column) = node.start_byte, node.start_point
        if self.source[start - column : start].strip():
            return OPAQUE  # it stands behind code
        first = self.comment[0] if row == self.comment[2] + 1 and self.source[start + 1] == 0x2F else start
        self.comment = (first, start, node.end_point[0])
        return OPAQUE

    def doc(self, node: Node) -> str:
        """The first line of the comment that stands directly above a node."""
        first, _, row = self.comment
        if row + 1 != node.start_point[0]:
            return ""
        self.comment = (0, 0, -2)
        text = self.source[first : first + 400].decode("utf-8", "surrogateescape")
        for line in text.split("\n"):
            words = line.strip().lstrip("/*!<").rstrip("*/").strip()
            if words:
                return words
            if "*/" in line:
                break
        return ""

    # declarators

    def declarator(self, node: Node) -> Declarator:
        """Take a declarator apart, visiting the sizes and parameter types in it."""
        found, last = self.DECLARATOR(), ""
        while node is not None:
            type_ = node.type
            if type_ in self.NAMES:
                found.name = node
                if type_ == "primitive_type" and (name := self.behind_type(node)) is not None:
                    found.name, found.parameters, found.suffix = name, None, found.suffix[:-2]
                break
            mark = WRAPPERS.get(type_)
            if mark is None:
                self.other_declarator(node, found)
                break
            if mark:
                if last == "()":
                    self.visit(found.parameters)
                last = mark
                found.suffix += mark
            if mark == "()":
                found.parameters = node.child_by_field_name("parameters")
                self.behind_parameters(node, found)
            elif mark == "[]":
                self.visit_size(node)
            elif type_ == "init_declarator":
                found.value = node.child_by_field_name("value")
            node = node.child_by_field_name("declarator") or self.inner(node)
        if last == "()":
            found.is_function = found.name is not None
            found.suffix = found.suffix[:-2]
        elif found.parameters is not None:
            self.visit(found.parameters)
        return found

    def behind_type(self, node: Node) -> Node:
        """The name in `unsigned long(name)(int)`, of which the grammar makes a function `long` that takes it."""
        function = node.parent
        parameters = function.child_by_field_name("parameters") if function.type == "function_declarator" else None
        if parameters is None or function.parent.type != "function_declarator" or parameters.named_child_count != 1:
            return None
        only = parameters.named_children[0]
        name = only.named_children[0] if only.named_child_count == 1 else None
        return name if name is not None and name.type == "type_identifier" else None

    def behind_parameters(self, node: Node, found: Declarator) -> None:
        """What a function's declarator says after its parameters, in languages where it says something."""

    def visit_size(self, node: Node) -> None:
        size = node.child_by_field_name("size")
        if size is not None:
            self.visit(size)

    def inner(self, node: Node) -> Node:
        """The declarator in one whose grammar does not name it (parentheses, references)."""
        for child in reversed(node.named_children):
            if child.type in self.NAMES or child.type in WRAPPERS:
                return child
        return node.named_children[-1] if node.type == "reference_declarator" and node.named_child_count else None

    def other_declarator(self, node: Node, found: Declarator) -> None:
        """A declarator that C does not know."""
        self.visit(node)

    # types

    def type_text(self, node: Node, naming: Node = None) -> str:
        """Visit a type; its text. `naming` is the declared name that a type without a name may be called by."""
        if node is None:
            return ""
        if node.type in self.TAGS:
            return self.tag(node, naming)
        role, self.type_role = self.type_role, TYPE
        self.visit(node, role)
        return self.text(node)

    def on_struct_specifier(self, node: Node, role: int = READ) -> int:
        """A type that stands for itself: `struct node;` declares one."""
        if node.parent.type in _AROUND_DECLARATIONS and node.child_by_field_name("body") is None:
            self.declare_type(node, node)
            return OPAQUE
        return self.builder.annotation(self.tag(node))

    def on_type_descriptor(self, node: Node, role: int = READ) -> int:
        declared = node.child_by_field_name("declarator")
        text = self.type_text(node.child_by_field_name("type"))
        if declared is not None:
            text += self.declarator(declared).suffix
        return self.builder.annotation(text)

    def tag(self, node: Node, naming: Node = None) -> str:
        """A struct, union or enum: defined if it has a body, else referred to."""
        keyword = self.TAGS[node.type]
        name_node = body = None
        for child in node.named_children:
            if child.type == "type_identifier" and name_node is None and body is None:
                name_node = child
            elif child.type in _BODIES:
                body = child
            elif child.type != "comment":
                self.visit(child, TYPE)
        if body is None:
            if name_node is None:
                return keyword
            name = self.text(name_node)
            self.refer(name_node, TYPE, self.builder.literal(keyword), name)
            return f"{keyword} {name}"
        if name_node is not None:
            name = self.text(name_node)
        elif naming is not None and naming.parent.type == "type_definition":
            name_node, name = naming, self.text(naming)
        else:
            return self.nameless(node, keyword, body, naming)
        self.define_tag(node, keyword, name_node, name, body)
        return name if name_node is naming else f"{keyword} {name}"

    def define_tag(self, node: Node, keyword: str, name_node: Node, name: str, body: Node) -> int:
        symbol = self.define(
            name_node, keyword, node, name=name, signature=self.between(node, body.start_byte), doc=self.doc(node),
            flags=self.conditional | EXPORTED, parent=self.tag_scope(),
        )  # fmt: skip
        self.members(symbol, body)
        return symbol

    def tag_scope(self) -> int:
        """The symbol that a type belongs to: never another type, since C has no scope there."""
        symbol, kinds = self.builder.scope.symbol, self.builder.slice.symbols
        while symbol and kinds.kind[symbol] in _TYPE_KINDS:
            symbol = kinds.parent[symbol]
        return symbol

    def nameless(self, node: Node, keyword: str, body: Node, naming: Node) -> str:
        """A type that has no name of its own: its members are those of what is around it, or of what it types."""
        if keyword == "enum" or naming is None:
            self.members(self.tag_scope() if keyword == "enum" else self.builder.scope.symbol, body)
            return keyword
        symbols, strings = self.builder.slice.symbols, self.builder.slice.strings
        around = strings[symbols.name[self.builder.scope.symbol]].replace("(anonymous ", "").rstrip(")")
        name = f"(anonymous {' '.join(filter(None, (keyword, around, self.text(naming))))})"
        self.define_tag(node, keyword, node.children[0], name, body)
        return name

    def members(self, symbol: int, body: Node) -> None:
        scope = self.builder.enter(symbol, last_line(body))
        self.through(body)
        self.builder.leave(scope)

    def on_field_declaration(self, node: Node, role: int = READ) -> int:
        type_node, declarators, _ = self.parts(node)
        base = self.type_text(type_node, self.naming(declarators))
        for declarator in declarators:
            declared = self.declarator(declarator)
            if declared.name is not None:
                self.define(
                    declared.name, "field", node, signature=self.text(node), returns=self.spell(base, declared),
                    doc=self.doc(node), flags=self.conditional,
                )  # fmt: skip
        return OPAQUE

    def on_enumerator(self, node: Node, role: int = READ) -> int:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        self.define(name, "enum_member", node, signature=self.text(node), doc=self.doc(node), flags=self.conditional)
        if value is not None:
            self.visit(value)
        return OPAQUE

    def parts(self, node: Node) -> tuple[Node, list[Node], set[str]]:
        """The type, the declarators and the storage classes of a declaration; what else stands in it is visited."""
        type_node, declarators, storage = None, [], set()
        for child in node.named_children:
            type_ = child.type
            if type_ == "storage_class_specifier":
                storage.add(self.text(child))
            elif type_node is not None and (type_ in self.NAMES or type_ in WRAPPERS or self.declares(type_)):
                declarators.append(child)
            elif type_ == "type_qualifier" or type_ == "comment":
                continue
            elif type_node is None and not child.is_error and type_ not in _ATTRIBUTES:
                type_node = child
            else:
                self.visit(child)
        return type_node, declarators, storage

    def declares(self, type_: str) -> bool:
        """Whether nodes of a type are declarators that C does not know."""
        return False

    def naming(self, declarators: list[Node]) -> Node:
        """The name that the first declarator declares, whatever it makes of the type."""
        node = declarators[0] if declarators else None
        while node is not None and node.type in WRAPPERS:
            node = node.child_by_field_name("declarator") or self.inner(node)
        return node

    @staticmethod
    def spell(base: str, declared: Declarator) -> str:
        return f"{base} {declared.suffix}" if declared.suffix else base

    def declare_type(self, node: Node, type_node: Node) -> None:
        """A declaration without a declarator: a type alone."""
        if type_node is None or type_node.type not in self.TAGS or type_node.child_by_field_name("body") is not None:
            self.type_text(type_node)
            return
        name = type_node.child_by_field_name("name")
        if name is not None and name.type != "type_identifier":  # `template <> class A<int>;`
            self.visit(name, TYPE)
        elif name is not None:
            self.define(
                name, self.TAGS[type_node.type], node, signature=self.text(node),
                flags=self.conditional | DECLARATION | EXPORTED,
            )  # fmt: skip

    def visit_parameters(self, declared: Declarator) -> None:
        """Visit the parameters of what is only declared."""
        if declared.parameters is not None:
            self.visit(declared.parameters)

    def on_type_definition(self, node: Node, role: int = READ) -> int:
        type_node, declarators, _ = self.parts(node)
        naming = declarators[0] if declarators and declarators[0].type in self.NAMES else None
        base = self.type_text(type_node, naming or self.naming(declarators))
        for declarator in declarators:
            declared = self.declarator(declarator)
            if declared.name is None or (declared.name is naming and base == self.text(naming)):
                continue
            if declared.is_function:
                declared.suffix += "()"
                self.visit_parameters(declared)
            text, name = self.spell(base, declared), self.text(declared.name)
            self.define(
                declared.name, "type_alias", node, name=name, signature=self.text(node), returns=text,
                doc=self.doc(node), flags=self.conditional | EXPORTED,
            )  # fmt: skip
            self.builder.binding(name, ALIAS, self.builder.annotation(text), node.start_point[0] + 1)
        return OPAQUE


_TYPE_KINDS = frozenset(KIND[kind] for kind in ("struct", "union", "enum"))
_AROUND_DECLARATIONS = frozenset(
    ("translation_unit", "declaration_list", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif")
)
_ATTRIBUTES = frozenset(
    (
        "attribute_specifier", "attribute_declaration", "ms_declspec_modifier", "ms_call_modifier", "alignas_qualifier",
        "alignas_specifier", "ms_based_modifier", "ms_pointer_modifier", "gnu_asm_expression", "bitfield_clause",
    )
)  # fmt: skip
