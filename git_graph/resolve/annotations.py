"""What types as written are, what definitions have as values, and what functions return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.languages.policy import TAG, TypeText
from git_graph.model import ALIAS, FIELD, TYPE, TYPE_PARAMETER, VARIABLE, Definition, Flag
from git_graph.resolve.bindings import TYPE_PARAMETERS
from git_graph.resolve.classes import ANY_SELF, SELF_NAME, Environment
from git_graph.resolve.files import (
    ALIAS_KIND,
    CLASS_KINDS,
    ENUM_MEMBER_KIND,
    FUNCTION_KINDS,
    LOCALS,
    PROPERTY_KIND,
    SPACE_KINDS,
    File,
)
from git_graph.resolve.values import (
    FUNCTION,
    INSTANCE,
    MODULE,
    OUTSIDE,
    OUTSIDE_TYPE,
    TYPE_ITSELF,
    VARIABLE_TYPE,
    Value,
    Values,
    is_open,
    module,
    outside,
    union,
)

if TYPE_CHECKING:
    from git_graph.resolve.world import World

EVERYWHERE = 1 << 30
"""A line after every other."""
_AS_TYPE = {INSTANCE: TYPE_ITSELF, OUTSIDE: OUTSIDE_TYPE}


class Annotations:
    """Types as written, and what definitions are."""

    def __init__(self, world: World) -> None:
        self.world = world

    # types as written

    def parsed(self, file: File, text: str) -> TypeText | None:
        """A type as written, taken apart by the file's language."""
        return self.world.guarded(("parsed", file.language, text), lambda: file.policy.parse_type(text), None)

    def annotated(
        self, file: File, text: str, symbol: int, line: int, *, meta: bool = False, role: int = TYPE
    ) -> Values:
        """Values of a type as written in `symbol` of `file`; with `meta` the type itself."""
        key = ("annotated", file.path, text, symbol, meta, role)
        return self.world.guarded(key, lambda: self._annotated(file, text, symbol, line, meta, role), ())

    def _annotated(self, file: File, text: str, symbol: int, line: int, meta: bool, role: int) -> Values:
        written = self.parsed(file, text)
        if written is None:
            return ()
        values = self.typed(file, written, symbol, line, role)
        return self.as_types(values) if meta else values

    def typed(self, file: File, written: TypeText, symbol: int, line: int, role: int = TYPE) -> Values:
        """Values of a type that was taken apart."""
        return union(
            v for part in (written, *written.alternatives) for v in self._typed(file, part, symbol, line, role)
        )

    def _typed(self, file: File, written: TypeText, symbol: int, line: int, role: int) -> Values:
        arguments = tuple(self.typed(file, argument, symbol, line, role) for argument in written.arguments)
        name = written.name
        if name in file.policy.self_types:
            value = self.world.classes.self_value(file, symbol)
            return () if value is None else (value,)
        found: list[Value] = []
        kinds = LOCALS if written.meta else TYPE_PARAMETERS
        for value in self._of_type_name(file, name, symbol, line, TAG if written.tag else role, kinds):
            if value.kind == TYPE_ITSELF:
                found.append(value._replace(kind=INSTANCE, arguments=arguments or value.arguments))
            elif value.kind == OUTSIDE_TYPE:
                found.append(value._replace(kind=OUTSIDE, arguments=arguments or value.arguments))
            elif value.kind == MODULE and not value.files:
                found.append(outside(value.name, value.language, *arguments))
            elif value.kind == VARIABLE_TYPE:
                found.append(value)
        return self.as_types(tuple(found)) if written.meta else tuple(found)

    def _of_type_name(self, file: File, name: str, symbol: int, line: int, role: int, kinds: frozenset[int]) -> Values:
        """What a dotted name is that stands for a type."""
        first, *rest = name.split(".")
        values = self.world.types.local(file, first, symbol, line, kinds)
        if values is None:
            named = self.world.scopes.bare(file, first, symbol, role, line)
            if not rest:
                named = self.world.scopes.best(file.policy, named, role)
                named = named._replace(definitions=self.world.scopes.in_sight(file, named.definitions))
                variables = [v for d in named.definitions for v in self._as_type(d)]
                return union((*variables, *named.values)) if named.found else self._builtin(file, first)
            values = self.world.types.of_named(file, named, first)
        for position, part in enumerate(rest):
            if position < len(rest) - 1:
                values = self.world.operations.attribute(values, part)
                continue
            found: list[Value] = []
            for value in values:
                named = self.world.scopes.best(file.policy, self.world.classes.find(value, part).named, role)
                found.extend(v for d in named.definitions for v in self._as_type(d))
                found.extend(named.values)
                if not named.found and value.kind == MODULE and not value.files:
                    found.append(module((), f"{value.name}.{part}", value.language))
            values = union(found)
        return values

    def _builtin(self, file: File, name: str) -> Values:
        return (module((), name, file.language),) if file.policy.is_builtin(name) else ()

    def _as_type(self, definition: Definition) -> Values:
        """What a definition means where a type is expected: a variable may be an alias or a type variable."""
        file = self.world.at(definition)
        s = file.slice.symbols
        if s.kind[definition.index] in CLASS_KINDS or s.kind[definition.index] == ALIAS_KIND:
            return self.of_definition(definition)
        values = self.of_definition(definition)
        signature = file.slice.strings[s.signature[definition.index]]
        for value in values:
            if value.kind in (TYPE_ITSELF, OUTSIDE_TYPE, MODULE):
                return values
            if value.kind == OUTSIDE and file.policy.type_variable(value.name, signature) is not None:
                return (Value(VARIABLE_TYPE, definition, name=file.name_of(definition.index)),)
        text = file.policy.alias_of(signature)
        return self.annotated(file, text, s.parent[definition.index], EVERYWHERE, meta=True) if text else ()

    def bound_of(self, variable: Value) -> Values:
        """What a type variable is at least, as its declaration says."""
        definition = variable.definition
        if definition is None:
            return ()
        file = self.world.at(definition)
        b, s = file.slice.bindings, file.slice.symbols
        for scope in (definition.index, *((0,) if file.policy.has_owners else ())):  # also bounds that an impl adds
            rows = [i for i in file.bindings(variable.name) if b.kind[i] == TYPE_PARAMETER]
            values = union(
                v
                for i in rows
                if b.symbol[i] == scope
                for v in self.world.types.evaluate(file, b.value[i], scope, b.line[i])
            )
            if values or (rows and not file.policy.has_owners):
                return values
        signature = file.slice.strings[s.signature[definition.index]]
        for value in self.of_definition(definition):
            text = file.policy.type_variable(value.name, signature) if value.kind == OUTSIDE else None
            if text:
                return self.annotated(file, text, s.parent[definition.index], EVERYWHERE)
        return ()

    def as_types(self, values: Values) -> Values:
        """The types that `values` are, or are values of."""
        return tuple(v._replace(kind=_AS_TYPE.get(v.kind, v.kind)) for v in values)

    # definitions

    def of_definition(self, definition: Definition, receiver: Value | None = None) -> Values:
        """What a definition is as a value, reached through `receiver` if it is a member."""
        file = self.world.at(definition)
        kind = file.slice.symbols.kind[definition.index]
        if kind in CLASS_KINDS or (kind in SPACE_KINDS and definition.index):
            return (Value(TYPE_ITSELF, self.world.groups.target(definition)),)
        if definition.index in file.holders and kind not in FUNCTION_KINDS:
            held = Value(TYPE_ITSELF, self.world.groups.target(definition))
            key = ("held", definition)
            return self.world.guarded(
                key, lambda: union((held, *self._of_variable(file, definition.index, kind))), (held,)
            )
        if kind in FUNCTION_KINDS:
            return (Value(FUNCTION, self.world.groups.target(definition), receiver=receiver),)
        if not definition.index:
            return (module((definition.path,), "", file.language),)
        key = ("of", definition)
        return self.world.guarded(key, lambda: self._of_variable(file, definition.index, kind), ())

    def _of_variable(self, file: File, index: int, kind: int) -> Values:
        s, strings = file.slice.symbols, file.slice.strings
        if kind == ENUM_MEMBER_KIND and s.bases[index]:  # it has members of its own
            return (Value(INSTANCE, self.world.groups.target(Definition(file.path, index))),)
        if kind == ENUM_MEMBER_KIND:
            return (Value(INSTANCE, self.world.groups.target(Definition(file.path, s.parent[index]))),)
        if kind == PROPERTY_KIND and (values := self.returned(Definition(file.path, index))):
            return values
        scope, line = s.parent[index], s.line[index]
        if s.returns[index]:
            declared = self.annotated(file, strings[s.returns[index]], scope, line, meta=kind == ALIAS_KIND)
            if declared:
                return declared
        b = file.slice.bindings
        rows = [
            i
            for i in file.bindings(file.name_of(index))
            if b.symbol[i] == scope and b.kind[i] in (VARIABLE, FIELD, ALIAS)
        ]
        values = union(v for i in rows for v in self._bound(file, i))
        return self.as_types(values) if kind == ALIAS_KIND else values

    def _bound(self, file: File, row: int) -> Values:
        b = file.slice.bindings
        scope = b.symbol[row]
        if b.kind[row] == FIELD:
            scope = self._function_at(file, scope, b.line[row])
        scope = self.world.types.scope_of_value(file, row, scope)
        return self.world.types.evaluate(file, b.value[row], scope, b.line[row])

    def _function_at(self, file: File, owner: int, line: int) -> int:
        """The innermost symbol inside `owner` that spans a line: where a field was assigned."""
        s = file.slice.symbols
        found = owner
        for index in range(owner + 1, len(s.name)):
            if s.start_line[index] > line:
                break
            if s.end_line[index] >= line and s.kind[index] in FUNCTION_KINDS:
                found = index
        return found

    # functions

    def returned(self, function: Definition) -> Values:
        """What calling a function gives, in terms of its own type parameters and `Self`."""
        return self.world.guarded(("returned", function), lambda: self._returned(function), ())

    def _returned(self, function: Definition) -> Values:
        group = self.world.groups.of(function)
        places = (group.target, *group.places)
        for place in places:
            file = self.world.at(place)
            s = file.slice.symbols
            text = file.slice.strings[s.returns[place.index]]
            if text and s.kind[place.index] not in CLASS_KINDS:
                if values := self.annotated(file, text, place.index, s.line[place.index]):
                    return values
                if self.parsed(file, text) is not None:
                    return ()
        for place in places:
            if values := self._by_bindings(self.world.at(place), place.index):
                return values
        return ()

    def _by_bindings(self, file: File, index: int) -> Values:
        b, strings = file.slice.bindings, file.slice.strings
        found: dict[str, list[Value]] = {}
        for i in file.returned.get(index, ()):
            values = self.world.types.evaluate(file, b.value[i], index, b.line[i])
            found.setdefault(strings[b.name[i]], []).extend(values)
        if file.slice.symbols.flags[index] & Flag.GENERATOR:
            return (outside(file.policy.generator, file.language, union(found.get("yield", ()))),)
        returns = found.get("", [])
        if positions := [int(name) for name in found if name.isdigit()]:
            elements = [union(found.get(str(position), ())) for position in range(max(positions) + 1)]
            returns.append(outside(file.policy.tuple_type, file.language, *elements))
        return union(returns)

    def self_variables(self, function: Definition) -> Values:
        """The type variables that a method says its receiver is of (`def f(self: T) -> T`)."""
        nothing: Values = ()
        return self.world.guarded(("self-variables", function), lambda: self._self_variables(function), nothing)

    def _self_variables(self, function: Definition) -> Values:
        group = self.world.groups.of(function)
        found: list[Value] = []
        for place in (group.target, *group.places):
            file = self.world.at(place)
            b = file.slice.bindings
            for name in file.policy.self_names:
                for row in file.locals(name).get(place.index, ()):
                    values = self.world.types.evaluate(file, b.value[row], place.index, b.line[row])
                    found.extend(v for v in values if v.kind == VARIABLE_TYPE)
        return union(found)

    def substitute(self, values: Values, environment: Environment) -> Values:
        """Values with type variables replaced by what they are; those that are not known stay."""
        if not environment or not is_open(values):
            return values
        return union(v for value in values for v in self._substituted(value, environment))

    def _substituted(self, value: Value, environment: Environment) -> Values:
        if value.kind == VARIABLE_TYPE:
            return environment.get(ANY_SELF if value.name == SELF_NAME else value, (value,))
        if value.arguments:
            arguments = tuple(self.substitute(values, environment) for values in value.arguments)
            return (value._replace(arguments=arguments),)
        return (value,)
