"""Classes, and object literals whose members are symbols."""

from __future__ import annotations

from git_graph.languages.javascript.functions import Functions, Parts, is_function
from git_graph.languages.javascript.locals import FUNCTIONS
from git_graph.languages.javascript.patterns import UNGIVEN, Given, Values, line_of
from git_graph.languages.walker import Node, last_line
from git_graph.model import DECORATE, INHERIT, OPAQUE, READ, SELF, Flag
from git_graph.records import NamedTuple

MAX_PROPERTIES = 100
"""An object literal with more plain properties than this is data: its functions alone are symbols."""
MAX_FIELDS = 30
"""A returned object literal with more properties than this is only looked through."""
_METHODS = frozenset(("method_definition", "method_signature", "abstract_method_signature"))
_FIELDS = frozenset(("field_definition", "public_field_definition"))


class Member(NamedTuple):
    """A member of a class: its node, the symbol that it is and the value of a field."""

    node: Node
    symbol: int
    name: str
    value: Node | None


class Classes(Functions):
    """Walks classes and objects."""

    # classes

    def on_class_declaration(self, node: Node, role: int = READ) -> int:
        name_node = node.child_by_field_name("name")
        flags, start = self.pending()
        name = self.text(name_node) if name_node is not None else "default"
        self.class_(node, name_node or node, name, start=start, flags=flags)
        return self.builder.name(name)

    def on_class(self, node: Node, role: int = READ) -> int:
        """A class in an expression: it is named by itself, by what it was given to, or by what surrounds it."""
        name_node = node.child_by_field_name("name")
        self.doc_comment = None
        if name_node is not None:
            name = self.text(name_node)
        else:
            name = self.builder.slice.symbol(self.builder.scope.symbol).name or "default"
        self.hide(name)
        self.class_(node, name_node or node, name)
        return self.builder.name(name)

    def class_(
        self,
        node: Node,
        name_node: Node,
        name: str,
        *,
        start: Node | None = None,
        span: Node | None = None,
        flags: int = 0,
    ) -> int:
        """A class named `name`; its symbol."""
        heritage = type_parameters = body = None
        for child in node.children:
            kind = child.type
            if kind == "class_heritage":
                heritage = child
            elif kind == "class_body":
                body = child
            elif kind == "type_parameters":
                type_parameters = child
            elif kind == "decorator":
                self.visit(child)
            elif kind == "abstract":
                flags |= Flag.ABSTRACT
        whole = span or node
        symbol = self.define(
            name_node, "class", whole, name=name, start=start, flags=flags, doc=self.doc(),
            signature=self.head(whole, body.start_byte if body is not None else whole.end_byte),
            bases=self.bases(heritage),
        )  # fmt: skip
        scope = self.builder.enter(symbol, last_line(node), class_=True)
        mark = self.open(node)
        outer = (self.this, self.holder, self.returning)
        if type_parameters is not None:
            self.visit(type_parameters)
        if heritage is not None:
            self.heritage(heritage)
        self.this, self.holder, self.returning = SELF, symbol, -1
        if body is not None:
            self.class_body(body, symbol)
        self.this, self.holder, self.returning = outer
        self.close(mark)
        self.builder.leave(scope)
        return symbol

    def bases(self, heritage: Node | None) -> list[str]:
        """The base classes as written; of a mixin's call, what it is given."""
        if heritage is None:
            return []
        return [text for child in heritage.named_children for text in self.base_texts(child)]

    def base_texts(self, node: Node) -> list[str]:
        """One base, or those that a call is given."""
        if self.type_of[node.kind_id] == "call_expression":
            arguments = node.children[-1].named_children
            return [text for argument in arguments for text in self.base_texts(argument)]
        return [self.text(node)] if self.type_of[node.kind_id] in ("identifier", "member_expression") else []

    def heritage(self, node: Node) -> None:
        """Visit what a class extends."""
        self.each(node.named_children, INHERIT)

    def class_body(self, body: Node, symbol: int) -> None:
        """Define all members first, since any of them may be assigned before it is declared; then walk them."""
        members: list[Member] = []
        doc: Node | None = None
        decorated: Node | None = None
        for child in body.children:
            kind = self.type_of[child.kind_id]
            if kind == "comment":
                doc = child
            elif kind == "decorator":
                decorated = decorated or child
                members.append(Member(child, -1, "", None))
            elif child.is_named:
                self.doc_comment, doc = doc, None
                members.append(self.member(child, symbol, decorated))
                decorated = None
        for member in members:
            self.walk_member(member, symbol)

    def member(self, node: Node, class_symbol: int, start: Node | None) -> Member:
        """Define one member."""
        kind = self.type_of[node.kind_id]
        if kind in _METHODS:
            name_node = node.child_by_field_name("name")
            name = self.property_name(name_node)
            return Member(node, self.define_method(node, name_node, name, class_symbol, start), name, None)
        if kind in _FIELDS:
            return self.define_field(node, class_symbol, start)
        return Member(node, -1, "", None)

    def define_method(
        self, node: Node, name_node: Node, name: str, parent: int, start: Node | None = None, flags: int = 0
    ) -> int:
        """A method, accessor or constructor of a class or object."""
        parts = Parts(node, self.type_of)
        flags |= parts.flags
        kind = "property" if parts.accessor else "method"
        if name == "constructor" and not flags & Flag.STATIC and not parts.accessor:
            kind = "constructor"
            self.parameter_properties(node, parent)
        type_ = self.type_of[node.kind_id]
        if type_ == "method_signature":
            flags |= Flag.DECLARATION
        elif type_ == "abstract_method_signature":
            flags |= Flag.ABSTRACT
        return self.define_function(
            name_node, name, node, kind=kind, start=start, parent=parent, flags=flags, parts=parts
        )

    def parameter_properties(self, node: Node, class_symbol: int) -> None:
        """Fields that a constructor's parameters declare: TypeScript's alone."""

    def define_field(self, node: Node, class_symbol: int, start: Node | None) -> Member:
        """A field; one that is a function is a method."""
        name_node = node.child_by_field_name("property") or node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        name = self.property_name(name_node)
        flags = self.flag_words(node)
        function = self.peel(value)
        if function is not None and is_function(function):
            symbol = self.define_function(
                name_node, name, function, kind="method", start=start, span=node, parent=class_symbol, flags=flags
            )
        else:
            annotation = node.child_by_field_name("type")
            symbol = self.define(
                name_node, "field", node, name=name, start=start, parent=class_symbol, flags=flags, doc=self.doc(),
                signature=self.head(node, node.end_byte), returns=self.returns_text(annotation),
            )  # fmt: skip
        return Member(node, symbol, name, value)

    def walk_member(self, member: Member, class_symbol: int) -> None:
        """Walk one member, defined before."""
        node, kind = member.node, member.node.type
        if member.symbol < 0:
            self.visit(node)
            return
        self.each(
            child
            for child in node.named_children
            if self.type_of[child.kind_id] in ("decorator", "computed_property_name")
        )
        if kind in _METHODS:
            self.function(node, member.symbol, SELF, class_symbol)
        else:
            self.field(member, class_symbol)

    def field(self, member: Member, class_symbol: int) -> None:
        """The type and value of a field."""
        annotation = member.node.child_by_field_name("type")
        if annotation is not None:
            self.visit(annotation)
        function = self.peel(member.value)
        if function is not None and is_function(function):
            self.function(function, member.symbol, None)
            return
        if annotation is not None and member.value is not None:
            self.expect(member.value, self.type_expression(annotation))
            return
        values = self.value(member.value, member.symbol, self.attribute(SELF, member.name))
        if annotation is None:
            self.bind_field(member.name, values, line_of(member.node), class_symbol)

    def value(self, node: Node | None, symbol: int, this: int) -> Values:
        """Visit the value of the variable or field `symbol`, whose members it may define; what it may be."""
        literal = self.peel(node)
        if node is None or literal is None:
            return ()
        if self.type_of[literal.kind_id] == "object":
            self.object_members(literal, symbol, this)
            self.casts(node, literal)
            return ()
        return self.alternatives(node)

    def parameter_type(self, called: int, position: int) -> int:
        """The expression of the type of a parameter of what is called: nothing where types are not written."""
        return OPAQUE

    def type_expression(self, annotation: Node) -> int:
        """The expression of a type that has been visited."""
        return OPAQUE

    def casts(self, node: Node, inner: Node) -> None:
        """Visit the types of the casts between a value and what is inside them."""

    def on_class_static_block(self, node: Node, role: int = READ) -> int:
        mark, outer = self.open(node), self.in_function
        self.in_function = True
        for child in node.named_children:
            if self.type_of[child.kind_id] == "statement_block":
                self.hoist_vars(child, mark[0])
            self.visit(child)
        self.in_function = outer
        self.close(mark)
        return OPAQUE

    def on_decorator(self, node: Node, role: int = READ) -> int:
        self.each(node.named_children, DECORATE)
        return OPAQUE

    # objects

    def on_object(self, node: Node, role: int = READ) -> int:
        """An object that nothing holds: its functions are part of what is around it."""
        self.object_values(node, OPAQUE)
        return self.builder.literal("object")

    def expect(self, node: Node, of: int) -> None:
        """Visit a value of the expected type `of`, which says what is in it: properties, parameters, elements."""
        kind = self.type_of[node.kind_id]
        if of == OPAQUE:
            self.visit(node)
        elif kind == "object":
            self.object_values(node, of)
        elif kind in FUNCTIONS:
            self.inline(node, Given(base=of))
        elif kind == "array":
            for child in node.named_children:
                self.expect(child, self.iterated(of))
        elif kind == "parenthesized_expression":
            for child in node.named_children:
                self.expect(child, of)
        else:
            self.visit(node)

    def object_values(self, node: Node, of: int) -> None:
        """Visit the values of an object; its keys are uses of the properties of `of`, if that is known."""
        for child in node.named_children:
            kind = self.type_of[child.kind_id]
            if kind == "pair":
                parts = child.children
                if of == OPAQUE and self.type_of[parts[0].kind_id] != "computed_property_name":
                    self.visit(parts[-1])
                else:
                    self.expect(parts[-1], self.key(parts[0], of))
            elif kind == "method_definition":
                expected = self.key(child.child_by_field_name("name"), of)
                self.function(child, -1, OPAQUE, given=UNGIVEN if expected == OPAQUE else Given(base=expected))
            elif kind == "shorthand_property_identifier":
                self.key(child, of)
                self.visit(child)
            else:
                self.visit(child)

    def key(self, node: Node, of: int) -> int:
        """The key of a property of `of`; the expression of that property."""
        kind = self.type_of[node.kind_id]
        if kind == "computed_property_name":
            self.visit(node)
            return OPAQUE
        if of == OPAQUE:
            return OPAQUE
        name = self.property_name(node)
        self.builder.reference(name, READ, node.start_byte + (kind == "string"), of)
        return self.attribute(of, name)

    def on_shorthand_property_identifier(self, node: Node, role: int = READ) -> int:
        return self.visit_name(node, role)

    def visit_name(self, node: Node, role: int) -> int:
        """A bare name in an expression."""
        raise NotImplementedError

    def has_functions(self, node: Node) -> bool:
        """Whether an object literal has a function among its properties."""
        for child in node.named_children:
            if self.type_of[child.kind_id] == "method_definition" or (
                self.type_of[child.kind_id] == "pair" and is_function(child.children[-1])
            ):
                return True
        return False

    def object_with_methods(self, node: Node, symbol: int, this: int) -> bool:
        if not self.has_functions(node):
            return False
        self.object_members(node, symbol, this)
        return True

    def plain_object(self, node: Node, symbol: int) -> bool:
        children = [child for child in node.named_children if self.type_of[child.kind_id] != "comment"]
        if not children or len(children) > MAX_FIELDS:
            return False
        for child in children:
            kind = self.type_of[child.kind_id]
            if kind == "shorthand_property_identifier":
                self.bind_field(self.text(child), (self.visit(child),), line_of(child), symbol)
            elif kind == "pair":
                self.key(child.children[0], OPAQUE)
                name = self.property_name(child.children[0])
                self.bind_field(name, self.alternatives(child.children[-1]), line_of(child), symbol)
            else:
                self.visit(child)
        return True

    def object_members(self, node: Node, holder: int, this: int) -> None:
        """An object literal that `holder` holds: its properties are symbols in it."""
        plain = node.named_child_count <= MAX_PROPERTIES
        doc: Node | None = None
        for child in node.named_children:
            kind = self.type_of[child.kind_id]
            if kind == "comment":
                doc = child
                continue
            self.doc_comment, doc = doc, None
            if kind == "method_definition":
                name_node = child.child_by_field_name("name")
                self.key(name_node, OPAQUE)
                symbol = self.define_method(child, name_node, self.property_name(name_node), holder)
                self.function(child, symbol, this, holder)
            elif kind == "pair":
                self.pair(child, holder, this, plain)
            elif kind == "shorthand_property_identifier" and plain:
                value = self.visit(child)
                self.define_property(child, child, self.text(child), holder)
                self.bind_field(self.text(child), [value], line_of(child), holder)
            else:
                self.visit(child)

    def pair(self, node: Node, holder: int, this: int, plain: bool) -> None:
        """`key: value` in an object that `holder` holds."""
        key, value = node.children[0], node.children[-1]
        self.key(key, OPAQUE)
        name, inner = self.property_name(key), self.peel(value)
        if inner is not None and is_function(inner):
            symbol = self.define_function(key, name, inner, kind="method", span=node, parent=holder)
            self.function(inner, symbol, None if self.type_of[inner.kind_id] == "arrow_function" else this, holder)
        elif inner is not None and self.type_of[inner.kind_id] == "object" and (plain or self.has_functions(inner)):
            symbol = self.define_property(key, node, name, holder)
            self.object_members(inner, symbol, self.attribute(this, name))
            self.casts(value, inner)
        elif plain:
            self.define_property(key, node, name, holder)
            self.bind_field(name, self.alternatives(value), line_of(node), holder)
        else:
            self.visit(value)

    def define_property(self, key: Node, node: Node, name: str, holder: int) -> int:
        """A plain property of an object."""
        return self.define(
            key, "property", node, name=name, parent=holder, doc=self.doc(), signature=self.head(node, node.end_byte)
        )
