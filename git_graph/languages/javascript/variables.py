"""Variables, assignments, and CommonJS: what `exports`, prototypes and functions are given afterwards."""

from __future__ import annotations

from git_graph.languages.javascript.classes import Classes
from git_graph.languages.javascript.functions import is_function
from git_graph.languages.javascript.locals import FREE, FUNCTIONS
from git_graph.languages.javascript.patterns import UNGIVEN, UNKNOWN, Declaration, Given, Values, line_of
from git_graph.languages.walker import Node
from git_graph.model import EXPORT, LOCAL, OPAQUE, READ, SELF, VARIABLE, WRITE, Flag

WHOLE = "export="
"""The name of the EXPORT binding for all that a CommonJS module is."""
_RUN_AT_ONCE = frozenset((
    "map", "filter", "forEach", "reduce", "reduceRight", "find", "findIndex", "some", "every", "flatMap", "sort",
    "then", "catch", "finally", "from", "setTimeout", "setInterval", "setImmediate", "requestAnimationFrame",
    "queueMicrotask", "nextTick", "useMemo", "useState", "useRef", "useReducer", "useEffect", "describe", "it",
    "test", "beforeEach", "afterEach", "beforeAll", "afterAll", "expect", "require", "all", "Array", "Object",
    "Boolean", "String", "Number",
))  # fmt: skip
"""Functions that call what they are given at once: what they return is not that function in other clothes."""
_WRAPPERS = frozenset((
    "useCallback", "memo", "forwardRef", "debounce", "throttle", "once", "memoize", "memoizeOne", "partial", "curry",
    "bind", "wrap", "observer", "action", "useEvent", "useMemoizedFn", "promisify", "cache",
    "useDebouncedCallback",
))  # fmt: skip
"""Inside functions only these make a function of the function that they are given."""


class Variables(Classes):
    """Walks declarations and assignments."""

    whole: Values = ()
    """What the file says that it exports as a whole."""

    # declarations

    def is_symbol(self, declarator: Node) -> bool:
        value = self.peel(declarator.child_by_field_name("value"))
        if value is None:
            return False
        kind = self.type_of[value.kind_id]
        if kind == "object":
            return self.has_functions(value)
        return (
            is_function(value)
            or kind == "class"
            or (kind == "call_expression" and self.wrapped(value) is not None)
            or self.required(value) is not None
        )

    def wrapped(self, call: Node) -> Node | None:
        """The function that a call wraps and gives back (`memo(() => ...)`), or None."""
        callee, arguments = call.children[0], call.children[-1]
        if self.type_of[arguments.kind_id] != "arguments" or self.type_of[callee.kind_id] not in (
            "identifier",
            "member_expression",
        ):
            return None
        name = self.text(callee if self.type_of[callee.kind_id] == "identifier" else callee.children[-1])
        if self.in_function:
            if name not in _WRAPPERS:
                return None
        elif name in _RUN_AT_ONCE or name.startswith("create"):
            return None
        if self.type_of[callee.kind_id] == "member_expression" and not self.is_namespace(callee.children[0], name):
            return None
        for argument in arguments.named_children[:2]:
            inner = self.peel(argument)
            if inner is None:
                continue
            if is_function(inner):
                return inner
            if self.type_of[inner.kind_id] == "call_expression" and (found := self.wrapped(inner)) is not None:
                return found
        return None

    def is_namespace(self, node: Node, name: str) -> bool:
        """Whether the object of a method call is a library (`React.memo`, `_.debounce`), not a value."""
        if self.type_of[node.kind_id] != "identifier":
            return False
        first = self.text(node)
        return first[:1].isupper() or first in ("_", "$") or name in _WRAPPERS

    def required(self, node: Node) -> Node | None:
        """The `require('x')` call that a value is, also where one of its members is taken; else None."""
        if not self.has_require:
            return None
        while self.type_of[node.kind_id] == "member_expression":
            node = node.children[0]
        if self.type_of[node.kind_id] != "call_expression":
            return None
        callee = node.children[0]
        if (
            self.type_of[callee.kind_id] != "identifier"
            or callee.end_byte - callee.start_byte != 7
            or self.text(callee) != "require"
        ):
            return None
        arguments = node.children[-1]
        named = arguments.named_children
        return node if "require" not in self.names and len(named) == 1 and named[0].type == "string" else None

    def on_lexical_declaration(self, node: Node, role: int = READ) -> int:
        flags, _ = self.pending()
        keyword = self.type_of[node.children[0].kind_id]
        local = self.local if keyword != "var" else self.in_function
        for child in node.named_children:
            if self.type_of[child.kind_id] == "variable_declarator":
                self.declarator(child, node, flags, keyword == "const", local)
        return OPAQUE

    on_variable_declaration = on_lexical_declaration
    on_using_declaration = on_lexical_declaration

    def declarator(self, node: Node, statement: Node, flags: int, constant: bool, local: bool) -> None:
        """`target: Type = value`."""
        children = node.children
        target, annotation, value = children[0], None, None
        for child in children[1:]:
            if self.type_of[child.kind_id] == "type_annotation":
                annotation = child
            elif child.is_named and self.type_of[child.kind_id] != "comment":
                value = child
        span = statement if statement.named_child_count == 1 else node
        if value is not None and self.import_required(target, value):
            return
        if (
            self.type_of[target.kind_id] == "identifier"
            and value is not None
            and self.defined(target, value, annotation, span, flags)
        ):
            return
        known = self.annotation_of(annotation) if annotation is not None else OPAQUE
        if self.has_types and annotation is None and (written := self.documented(self.doc_comment).type):
            known = self.builder.annotation(written)
        line = self.first_line if constant and local else line_of(node)
        if local:
            values = self.typed_value(value, known)
            self.bind(target, values, Declaration(LOCAL, node, line))
            return
        returns = self.returns_text(annotation) if self.type_of[target.kind_id] == "identifier" else ""
        how = Declaration(VARIABLE, span, line, constant, flags, returns, self.doc())
        if self.type_of[target.kind_id] == "identifier" and value is not None:
            self.module_variable(target, value, known, how)
        else:
            self.bind(target, self.typed_value(value, known), how)

    def typed_value(self, value: Node | None, known: int) -> Values:
        """Visit a value; what it may be, or its type where that is written."""
        if value is None:
            return (known,)
        if known != OPAQUE and self.type_of[value.kind_id] in ("object", "array"):
            self.expect(value, known)
            return (known,)
        values = self.alternatives(value)
        return (known,) if known != OPAQUE else values

    def module_variable(self, target: Node, value: Node, known: int, how: Declaration) -> None:
        """A variable of the file or of a namespace, which is a symbol, and may hold an object's members."""
        name = self.text(target)
        symbol = self.declare_variable(target, name, (), how)
        expression = self.builder.name(name)
        lefts, last = self.chain(value)
        if known != OPAQUE and self.type_of[last.kind_id] in ("object", "array"):
            self.expect(last, known)
            self.bind_variable(name, (known,), how.line)
            return
        values = self.value(last, symbol, expression)
        self.bind_variable(name, (known,) if known != OPAQUE else values, how.line)
        for left in lefts:
            self.assign(left, (expression,), value)

    def defined(self, target: Node, value: Node, annotation: Node | None, span: Node, flags: int) -> bool:
        """Handle `const name = <function, class or object with functions>`; False if it is none of them."""
        inner, name = self.peel(value), self.text(target)
        if inner is None:
            return False
        kind = self.type_of[inner.kind_id]
        if is_function(inner):
            symbol = self.define_function(target, name, inner, span=span, flags=flags)
            given = self.given_by(annotation)
            if kind == "arrow_function":
                self.function(inner, symbol, given=given)
            elif name[:1].isupper():
                self.function(inner, symbol, SELF, symbol, given)
            else:
                self.function(inner, symbol, OPAQUE, given=given)
            self.casts(value, inner)
        elif kind == "class":
            self.class_(inner, target, name, span=span, flags=flags)
        elif kind == "call_expression" and (function := self.wrapped(inner)) is not None:
            symbol = self.define_function(target, name, function, span=span, flags=flags)
            self.owned[function.id] = symbol
            self.given[function.id] = self.given_by_wrapper(inner)
            self.bind_variable(name, self.alternatives(value), line_of(target))
        elif kind == "object" and self.local and self.has_functions(inner):
            how = Declaration(VARIABLE, span, line_of(span), True, flags, self.returns_text(annotation), self.doc())
            symbol = self.declare_variable(target, name, (), how)
            self.object_members(inner, symbol, self.builder.name(name))
        else:
            return False
        if annotation is not None:
            known = self.annotation_of(annotation)
            if not is_function(inner):
                self.bind_variable(name, (known,), line_of(target))
        return True

    def given_by_wrapper(self, call: Node) -> Given:
        """What the type arguments of a wrapper say of the function that it is given."""
        return UNGIVEN

    def given_by(self, annotation: Node | None) -> Given:
        """What the written type of a function says of its parameters."""
        return UNGIVEN

    def import_required(self, target: Node, value: Node) -> bool:
        """Handle `const x = require('y')` and `const { a } = require('y').b`; False if it is neither."""
        raise NotImplementedError

    # assignments

    def chain(self, node: Node) -> tuple[list[Node], Node]:
        """`a = b = value`: the targets and the value."""
        lefts = []
        while self.type_of[node.kind_id] == "assignment_expression":
            lefts.append(node.children[0])
            node = node.children[-1]
        return lefts, node

    def on_assignment_expression(self, node: Node, role: int = READ) -> int:
        lefts, value = self.chain(node)
        made = self.definition(lefts[-1], value, node)
        values: Values
        if made is not None:
            values = (made,)
            lefts.pop()
        elif self.type_of[value.kind_id] in FUNCTIONS:
            self.inline(value, Given(base=self.target_type(lefts[-1])))
            values = UNKNOWN
        else:
            values = self.alternatives(value)
        for left in reversed(lefts):
            self.assign(left, values, node)
        return values[0] if len(values) == 1 else OPAQUE

    def target_type(self, left: Node) -> int:
        """The expression of what is assigned to, where types are written; it is visited later."""
        return OPAQUE

    def on_augmented_assignment_expression(self, node: Node, role: int = READ) -> int:
        left, operator, right = node.children[0], self.type_of[node.children[1].kind_id], node.children[-1]
        values = self.alternatives(right)
        if operator in ("||=", "??=") and self.type_of[left.kind_id] in ("identifier", "member_expression"):
            self.bind(left, values, None)
        else:
            self.visit(left, WRITE)
        return OPAQUE

    def assign(self, left: Node, values: Values, statement: Node) -> None:
        """Assign to one target."""
        if self.type_of[left.kind_id] == "member_expression":
            if (exported := self.exported_name(left)) is not None:
                self.export(exported, values, line_of(left))
                if exported != WHOLE:
                    self.builder.reference(exported, WRITE, left.children[-1].start_byte, OPAQUE)
                return
            self.assign_member(left, values, statement)
        else:
            if (
                self.type_of[left.kind_id] == "identifier"
                and values
                and self.text(left) == "exports"
                and "exports" not in self.names
            ):
                return
            self.bind(left, values, None)

    def export(self, name: str, values: Values, line: int) -> None:
        """The file offers `name`; what it is as a whole may have a name too (`exports.program = exports`)."""
        end = self.builder.slice.symbols.end_line[0]
        if name == WHOLE:
            self.whole = values
        elif self.whole and len(values) == 1 and self.builder.slice.render(values[0]) in ("exports", "module.exports"):
            values = self.whole
        for value in values or UNKNOWN:
            self.builder.binding(name, EXPORT, value, line, end, 0)

    def exported_name(self, node: Node) -> str | None:
        """What `exports.x`, `module.exports.x` or `module.exports` exports; None if it is none of them."""
        target, name = node.children[0], self.text(node.children[-1])
        if self.type_of[target.kind_id] == "identifier":
            word = self.text(target)
            if word in self.names:
                return None
            if word == "exports":
                return name
            return WHOLE if word == "module" and name == "exports" else None
        if (
            self.type_of[target.kind_id] == "member_expression"
            and self.text(target) == "module.exports"
            and "module" not in self.names
        ):
            return name
        return None

    def definition(self, left: Node, value: Node, statement: Node) -> int | None:
        """What an assignment of a function, class or object defines; the expression for it, None if nothing."""
        inner, kind = self.peel(value), self.type_of[left.kind_id]
        if kind == "subscript_expression" and is_function(inner):
            self.computed_member(left, inner)
            return OPAQUE
        if kind != "member_expression" or inner is None:
            return None
        exported = self.exported_name(left)
        if exported is not None:
            return self.exported_definition(exported, left, inner, statement)
        if not (is_function(inner) or self.type_of[inner.kind_id] in ("class", "object")):
            return None
        target, key = left.children[0], left.children[-1]
        name = self.text(key)
        if self.type_of[target.kind_id] == "member_expression" and self.text(target.children[-1]) == "prototype":
            owner = self.owner(target.children[0])
            if owner < 0 or not is_function(inner):
                return None
            self.visit(target)
            return self.member_function(key, name, inner, statement, owner, SELF)
        if name == "prototype" and self.type_of[inner.kind_id] == "object":
            owner = self.owner(target)
            if owner < 0:
                return None
            self.visit(target)
            self.object_members(inner, owner, SELF)
            return OPAQUE
        if self.type_of[target.kind_id] == "this" and self.holder >= 0 and is_function(inner):
            if self.builder.find(self.holder, name) is not None:
                return None
            return self.member_function(key, name, inner, statement, self.holder, SELF)
        owner = self.owner(target)
        if owner < 0 or self.builder.find(owner, name) is not None:
            return None
        of = self.visit(target)
        if is_function(inner):
            return self.member_function(key, name, inner, statement, owner, of, Flag.STATIC)
        if self.type_of[inner.kind_id] == "class":
            return None
        symbol = self.define_property(key, statement, name, owner)
        self.object_members(inner, symbol, self.attribute(of, name))
        return self.attribute(of, name)

    def owner(self, node: Node) -> int:
        """The symbol of this file that `node` names, or -1."""
        if self.type_of[node.kind_id] != "identifier":
            return -1
        name = self.text(node)
        if self.names.get(name, FREE) != FREE:
            return -1
        scope = self.builder.scope
        found = self.builder.find(scope.symbol, name)
        if found is None:
            found = self.builder.find(0, name)
        return -1 if found is None else found

    def member_function(
        self, key: Node, name: str, function: Node, statement: Node, owner: int, this: int, flags: int = 0
    ) -> int:
        """A function that becomes a member of `owner`."""
        symbol = self.define_function(key, name, function, kind="method", span=statement, parent=owner, flags=flags)
        arrow = self.type_of[function.kind_id] == "arrow_function"
        given = Given(base=self.indexed(this, name)) if self.TYPED else UNGIVEN
        self.function(function, symbol, None if arrow else this, owner, given)
        return self.attribute(this, name)

    def computed_member(self, left: Node, function: Node) -> None:
        """`object[key] = function ...`: no symbol, but `this` in it is the object."""
        target, index = left.children[0], left.child_by_field_name("index")
        of = self.visit(target)
        if index is not None:
            self.visit(index)
        arrow = self.type_of[function.kind_id] == "arrow_function"
        self.function(function, -1, None if arrow else of, self.owner(target))

    def exported_definition(self, exported: str, left: Node, inner: Node, statement: Node) -> int | None:
        """`exports.x = function ...`, `module.exports = { ... }` and the like."""
        builder, line, key = self.builder, line_of(left), left.children[-1]
        scope = builder.scope
        if scope.symbol:
            return None
        if is_function(inner) or self.type_of[inner.kind_id] == "class":
            name_node = inner.child_by_field_name("name") if self.type_of[inner.kind_id] != "arrow_function" else None
            name = self.text(name_node or key) if exported == WHOLE else exported
            place = name_node if name_node is not None and exported == WHOLE else key
            if self.type_of[inner.kind_id] == "class":
                self.class_(inner, place, name, span=statement, flags=Flag.EXPORTED)
            else:
                symbol = self.define_function(place, name, inner, span=statement, flags=Flag.EXPORTED)
                self.function(inner, symbol, OPAQUE)
            self.export(exported, (builder.name(name),), line)
            return builder.name(name)
        if self.type_of[inner.kind_id] != "object":
            return None
        if exported == WHOLE:
            self.exported_object(inner)
            return OPAQUE
        symbol = self.define_property(key, statement, exported, 0)
        builder.flag(symbol, Flag.EXPORTED)
        self.object_members(inner, symbol, builder.name(exported))
        self.export(exported, (builder.name(exported),), line)
        return builder.name(exported)

    def exported_object(self, node: Node) -> None:
        """`module.exports = { a, b: c, d() {} }`: the properties are what the module offers."""
        builder = self.builder
        for child in node.named_children:
            kind = self.type_of[child.kind_id]
            if kind == "shorthand_property_identifier":
                name = self.text(child)
                self.export(name, (self.visit(child),), line_of(child))
            elif kind == "pair" and self.type_of[child.children[0].kind_id] != "computed_property_name":
                name = self.property_name(child.children[0])
                inner = self.peel(child.children[-1])
                if is_function(inner) or (inner is not None and self.type_of[inner.kind_id] == "object"):
                    self.pair(child, 0, OPAQUE, True)
                    self.export(name, (builder.name(name),), line_of(child))
                else:
                    self.export(name, self.alternatives(child.children[-1]), line_of(child))
            elif kind == "method_definition":
                name_node = child.child_by_field_name("name")
                name = self.property_name(name_node)
                symbol = self.define_method(child, name_node, name, 0, flags=Flag.EXPORTED)
                self.function(child, symbol, OPAQUE)
                self.export(name, (builder.name(name),), line_of(child))
            elif kind == "spread_element":
                self.export("*", self.alternatives(child.named_children[0]), line_of(child))
            elif kind != "comment":
                self.visit(child)
