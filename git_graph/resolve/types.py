"""What expressions are: receivers typed through bindings, narrowing and the order of assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.languages.policy import AWAIT, INDEX, ITERATE
from git_graph.model import (
    CALL,
    FIELD,
    FIRST_EXPRESSION,
    NARROW,
    PARAMETER,
    SELF,
    TYPE_PARAMETER,
    X_ANNOTATION,
    X_ATTRIBUTE,
    X_AWAIT,
    X_CALL,
    X_DISPLAY,
    X_INDEX,
    X_ITERATE,
    X_LITERAL,
    X_NAME,
    X_NEW,
    Definition,
)
from git_graph.model import SUPER as SUPER_EXPRESSION
from git_graph.resolve import bindings
from git_graph.resolve.classes import SELF_NAME
from git_graph.resolve.files import CLASS_KINDS, FUNCTION_KINDS, LOCALS, File
from git_graph.resolve.values import FUNCTION, VARIABLE_TYPE, Named, Value, Values, is_open, module, outside, union

if TYPE_CHECKING:
    from git_graph.resolve.world import World

_OPERATIONS = {X_INDEX: INDEX, X_ITERATE: ITERATE, X_AWAIT: AWAIT}


class Types:
    """Values of expressions."""

    def __init__(self, world: World) -> None:
        self.world = world

    # expressions

    def evaluate(self, file: File, expression: int, symbol: int, line: int) -> Values:
        """What an expression that stands in `symbol` at `line` of `file` may be."""
        if expression < FIRST_EXPRESSION:
            if expression != SELF:
                return ()
            value = self.world.classes.self_value(file, symbol)
            return () if value is None else (value,)
        key = ("value", file.path, expression, symbol, line)
        found: Values | None = self.world.memo.get(key)
        if found is not None:
            return found
        return self.world.guarded(key, lambda: self._evaluate(file, expression, symbol, line), ())

    def _evaluate(self, file: File, expression: int, symbol: int, line: int) -> Values:
        rows, row = file.slice.expressions, expression - FIRST_EXPRESSION
        kind, of, words = rows.kind[row], rows.of[row], file.slice.strings[rows.text[row]]
        if kind == X_NAME:
            return self.name(file, words, symbol, line)
        if kind == X_LITERAL:
            if words in file.policy.nothing:
                return ()
            return (outside(words, file.language),)
        if kind == X_ANNOTATION:
            return self.world.annotations.annotated(file, words, symbol, line)
        if kind == X_ATTRIBUTE:
            if of == SUPER_EXPRESSION:
                return self._super(file, symbol, words)
            if file.narrows_paths and (narrowed := self._narrowed(file, expression, symbol, line)):
                return narrowed
            if of == SELF:
                return self._assigned_here(file, words, symbol, line) or self._of_self(file, words, symbol)
            return self.world.operations.attribute(self.evaluate(file, of, symbol, line), words)
        if kind == X_CALL and file.policy.calls_apart and file.slice.expression(of).kind == X_NAME:
            called = file.slice.strings[file.slice.expression(of).text]
            named = self.world.scopes.bare(file, called, symbol, CALL, line)
            return self.world.operations.call(self.of_named(file, named, called))
        values = self.evaluate(file, of, symbol, line)
        if kind == X_DISPLAY:
            slot = file.policy.element_slot(words)
            return (outside(words, file.language, *([()] * slot), values),)
        if kind == X_CALL:
            result = self.world.operations.call(values)
            return self._filled(file, values, result, words, symbol, line) if words and is_open(result) else result
        if kind == X_NEW:
            return self.world.operations.instances(values)
        return self.world.operations.operate(values, _OPERATIONS[kind], words)

    def _filled(self, file: File, called: Values, result: Values, words: str, symbol: int, line: int) -> Values:
        """What a call gives, the type parameters of what is called being the types written at the call."""
        annotations = self.world.annotations
        given = [v.arguments for v in annotations.annotated(file, f"Map<{words}>", symbol, line)]
        for function in called:
            if function.definition is None or not given:
                continue
            for place in (function.definition, *self.world.groups.of(function.definition).places):
                environment = dict(zip(self.world.classes.parameters(place), given[0], strict=False))
                result = annotations.substitute(result, environment)
        return result

    def name(self, file: File, name: str, symbol: int, line: int) -> Values:
        """What a bare name may be: a local of an enclosing symbol, else what scope says."""
        local = self.local(file, name, symbol, line)
        if local is not None:
            return local
        return self.of_named(file, self.world.scopes.bare(file, name, symbol, line=line), name)

    def of_named(self, file: File, named: Named, name: str) -> Values:
        """The values of what a bare name stands for."""
        if not named.found:
            return (module((), name, file.language),) if file.policy.is_builtin(name) else ()
        named = self.world.scopes.best(file.policy, named)
        if file.policy.merges_namespaces and file.policy.is_builtin(name):  # a file may add to the language's own
            named = Named(named.definitions, (*named.values, module((), name, file.language)))
        return union((*(v for d in named.definitions for v in self.world.annotations.of_definition(d)), *named.values))

    def _super(self, file: File, symbol: int, name: str) -> Values:
        owner = self.world.classes.owner(file, symbol)
        if owner is None:
            return ()
        member = self.world.classes.find_after(owner, name)
        receiver = Value(VARIABLE_TYPE, owner, name=SELF_NAME)
        return self.world.operations.of_member(member, receiver)

    # locals

    def local(self, file: File, name: str, symbol: int, line: int, kinds: frozenset[int] = LOCALS) -> Values | None:
        """What a parameter or local may be at a line; None if no enclosing symbol holds one of that name."""
        rows = file.locals(name)
        b, s = file.slice.bindings, file.slice.symbols
        if not rows and not file.policy.has_owners:
            return None
        level = symbol
        while level >= 0:
            own = rows.get(level)
            if own and kinds is not LOCALS:
                own = [i for i in own if b.kind[i] in kinds]
            if own and (chosen := bindings.chosen(file, own, line, nested=level != symbol)) is not None:
                values = self._bound_values(file, own, chosen, level)
                if values or not file.policy.block_scoped:
                    return values
                return self._before(file, own, chosen, line, level, nested=level != symbol)
            if s.owner[level] and (parameters := self._owner_parameters(file, level, name)):
                return parameters
            if level > 0 and (file.named(level, name, line) or file.imports(level, name)):
                return None
            level = s.parent[level]
        return None

    def _owner_parameters(self, file: File, symbol: int, name: str) -> Values:
        """The type parameter `name` of the type that a member which stands outside of it belongs to."""
        owner = self.world.classes.owner(file, symbol)
        return () if owner is None else tuple(p for p in self.world.classes.parameters(owner) if p.name == name)

    def _before(self, file: File, own: list[int], chosen: list[int], line: int, level: int, *, nested: bool) -> Values:
        """What a local was before a guard, or before the assignment on a line, that says nothing (`x = x.next()`)."""
        b = file.slice.bindings
        if not any(b.kind[i] == NARROW or b.line[i] == line for i in chosen):
            return ()
        rows = [i for i in own if i not in chosen and b.kind[i] != NARROW]
        earlier = bindings.chosen(file, rows, line, nested=nested) if rows else None
        return self._bound_values(file, own, earlier, level) if earlier else ()

    def _guard(self, file: File, value: int, symbol: int, line: int) -> Values:
        """What a call that holds says of its argument, if what is called is a guard."""
        e = file.slice.expressions
        found: list[Value] = []
        for function in self.evaluate(file, e.of[value - FIRST_EXPRESSION], symbol, line):
            if function.kind != FUNCTION or function.definition is None:
                continue
            for place in (function.definition, *self.world.groups.of(function.definition).places):
                home = self.world.at(place)
                s = home.slice.symbols
                text = home.policy.guarded_type(home.slice.strings[s.returns[place.index]])
                if text:
                    found.extend(self.world.annotations.annotated(home, text, place.index, s.line[place.index]))
        return union(found)

    def _bound_values(self, file: File, own: list[int], chosen: list[int], level: int) -> Values:
        values = union(v for i in chosen for v in self._binding(file, i, level))
        if values:
            return values
        expressions, b = file.slice.expressions, file.slice.bindings
        declared = [
            i
            for i in own
            if b.kind[i] != NARROW
            and b.value[i] >= FIRST_EXPRESSION
            and expressions.kind[b.value[i] - FIRST_EXPRESSION] == X_ANNOTATION
        ]
        return union(v for i in declared if i not in chosen for v in self._binding(file, i, level))

    def _binding(self, file: File, index: int, level: int) -> Values:
        b = file.slice.bindings
        if b.kind[index] == TYPE_PARAMETER:
            return (Value(VARIABLE_TYPE, Definition(file.path, level), name=file.slice.strings[b.name[index]]),)
        value = b.value[index]
        narrows = b.kind[index] == NARROW and value >= FIRST_EXPRESSION
        if narrows and file.slice.expressions.kind[value - FIRST_EXPRESSION] == X_CALL:
            return self._guard(file, value, level, b.line[index])
        values = self.evaluate(file, value, self.scope_of_value(file, index, level), b.line[index])
        if not values and b.kind[index] == PARAMETER:
            return self._inherited_parameter(file, file.slice.strings[b.name[index]], level)
        return values

    def scope_of_value(self, file: File, row: int, scope: int) -> int:
        """Where the value of a binding is looked up: `x = x` in a class body or a default is the `x` around it."""
        b, e = file.slice.bindings, file.slice.expressions
        value = b.value[row] - FIRST_EXPRESSION
        if value < 0 or e.kind[value] != X_NAME or e.text[value] != b.name[row] or scope <= 0:
            return scope
        if b.kind[row] == PARAMETER or file.slice.symbols.kind[scope] in CLASS_KINDS:
            return file.slice.symbols.parent[scope]
        return scope

    def _inherited_parameter(self, file: File, name: str, function: int) -> Values:
        """The type that a base gives the parameter of a method which overrides it without saying so."""
        s = file.slice.symbols
        if s.kind[function] not in FUNCTION_KINDS or s.kind[s.parent[function]] not in CLASS_KINDS:
            return ()
        owner = self.world.classes.owner(file, function)
        if owner is None:
            return ()
        for definition in self.world.classes.find_after(owner, file.name_of(function)).named.definitions:
            base = self.world.at(definition)
            b = base.slice.bindings
            for i in base.bindings(name):
                if b.symbol[i] == definition.index and b.kind[i] == PARAMETER:
                    return self._binding(base, i, definition.index)
        return ()

    def _narrowed(self, file: File, expression: int, symbol: int, line: int) -> Values:
        """What a guard says of a longer expression (`self.x`)."""
        rows = file.bindings(file.slice.render(expression))
        b = file.slice.bindings
        for i in reversed(rows):
            if b.kind[i] == NARROW and b.symbol[i] == symbol and b.line[i] <= line <= b.end_line[i]:
                return self.evaluate(file, b.value[i], symbol, b.line[i])
        return ()

    def _of_self(self, file: File, name: str, symbol: int) -> Values:
        """What `self.name` is wherever in its class it stands."""
        value = self.world.classes.self_value(file, symbol)
        if value is None:
            return ()
        key = ("self", value.definition, name)
        found: Values | None = self.world.memo.get(key)
        if found is not None:
            return found
        return self.world.guarded(key, lambda: self.world.operations.attribute((value,), name), ())

    def _assigned_here(self, file: File, name: str, symbol: int, line: int) -> Values:
        """What `self.name` was last assigned before a line of the same function."""
        s, b = file.slice.symbols, file.slice.bindings
        if s.kind[symbol] not in FUNCTION_KINDS:
            return ()
        rows = file.bindings(name)
        if not rows:
            return ()
        first = s.start_line[symbol]
        rows = [i for i in rows if b.kind[i] == FIELD and first < b.line[i] < line]
        if not rows:
            return ()
        last = max(b.line[i] for i in rows)
        return union(v for i in rows if b.line[i] == last for v in self.evaluate(file, b.value[i], symbol, last))
