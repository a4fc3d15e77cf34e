"""What attributes, calls, indexing, iteration and awaiting give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.languages.policy import CALLED, INDEX, ITERATE, MEMBER, NEXT, Policy, TypeText
from git_graph.model import Definition
from git_graph.resolve.classes import ANY_SELF, SELF_NAME, Member
from git_graph.resolve.files import ENUM_KIND, ENUM_MEMBER_KIND, FIELD_KIND
from git_graph.resolve.values import (
    FUNCTION,
    INSTANCE,
    MODULE,
    OUTSIDE,
    OUTSIDE_MEMBER,
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


class Operations:
    """Operations on values."""

    def __init__(self, world: World) -> None:
        self.world = world

    def attribute(self, values: Values, name: str) -> Values:
        """What member `name` of the values may be."""
        if len(values) == 1:
            return self._attribute(values[0], name)
        return union(v for value in values for v in self._attribute(value, name))

    def _attribute(self, value: Value, name: str) -> Values:
        if name.startswith("#") and name[1:].isdigit():
            return self._parameter(value, int(name[1:]))
        if value.kind in (OUTSIDE, OUTSIDE_TYPE):
            return self._outside_member(value, name)
        if value.kind == OUTSIDE_MEMBER:
            return self.attribute(value.arguments[0], name)
        if value.kind == MODULE and not value.files:
            return (module((), f"{value.name}.{name}", value.language),)
        if name == "__class__" and value.kind in (INSTANCE, VARIABLE_TYPE):
            return tuple(v._replace(kind=TYPE_ITSELF) for v in self._solid(value))
        member = self.world.classes.find(value, name)
        if member.named.found:
            return self.of_member(member, value)
        return self._made_up(value) or (self._of_outside_base(value, name) if member.outside else ())

    def _made_up(self, value: Value) -> Values:
        """What a type gives for members that it does not have (`__getattr__`)."""
        if value.definition is None or value.kind not in (INSTANCE, VARIABLE_TYPE):
            return ()
        for method in self.world.at(value.definition).policy.operators.get(MEMBER, ()):
            member = self.world.classes.find(value, method)
            if member.named.found:
                return self.call(self.of_member(member, value))
        return ()

    def _parameter(self, value: Value, position: int) -> Values:
        """The type of a parameter of a function, or of what constructs a class, as its signature says."""
        if value.kind == OUTSIDE:  # a function's type as written
            return self._outside_element(value, INDEX, str(position))
        if value.definition is None or value.kind not in (FUNCTION, TYPE_ITSELF):
            return ()
        file = self.world.at(value.definition)
        if value.kind == TYPE_ITSELF:
            member = self.world.classes.find_in(value.definition, next(iter(file.policy.constructors), ""))
            made = value._replace(kind=INSTANCE)
            return union(
                v
                for d in member.named.definitions
                for v in self._parameter(Value(FUNCTION, d, receiver=made), position)
            )
        group = self.world.groups.of(value.definition)
        found: list[Value] = []
        for place in (*group.places, group.target):
            file = self.world.at(place)
            s = file.slice.symbols
            text = file.policy.parameter_type(file.slice.strings[s.signature[place.index]], position)
            if text:
                found.extend(self.world.annotations.annotated(file, text, place.index, s.line[place.index]))
        values = union(found)
        if value.receiver is None or not values:
            return values
        owner = self.world.classes.owner(self.world.at(value.definition), value.definition.index)
        return self.world.annotations.substitute(values, self.world.classes.environment(value.receiver, owner))

    def _solid(self, value: Value) -> Values:
        return self.world.classes.bound(value) if value.kind == VARIABLE_TYPE else (value,)

    def of_member(self, member: Member, receiver: Value) -> Values:
        """The values of a member as `receiver` has it."""
        of_definition = self.world.annotations.of_definition
        definitions, values = member.named
        if len(definitions) > 1:
            definitions = self.world.scopes.best(self.world.at(definitions[0]).policy, member.named).definitions
        if len(definitions) == 1 and not values:
            values = of_definition(definitions[0], receiver)
        elif definitions:
            values = union((*(v for d in definitions for v in of_definition(d, receiver)), *values))
        if receiver.kind == MODULE or not is_open(values):
            return values
        return self.world.annotations.substitute(values, self.world.classes.environment(receiver, member.owner))

    def _of_outside_base(self, value: Value, name: str) -> Values:
        """A member that a base which is not in the view gives."""
        for solid in self._solid(value):
            if solid.definition is None:
                continue
            own = dict(zip(self.world.classes.parameters(solid.definition), solid.arguments, strict=False))
            for base in self.world.classes.ancestry(solid.definition).outside:
                if base.kind == OUTSIDE_TYPE:
                    (base,) = self.world.annotations.substitute((base,), own)
                if found := self._outside_member(base, name):
                    return found
        return ()

    def _outside_member(self, value: Value, name: str) -> Values:
        answer = self._policy(value).member(value.name, len(value.arguments), name)
        if answer is None:
            return ()
        given = self._filled(answer, value)
        return (Value(OUTSIDE_MEMBER, None, (given,), f"{value.name}.{name}", language=value.language),)

    def call(self, values: Values) -> Values:
        """What calling the values may give."""
        if len(values) == 1:
            return self._call(values[0])
        return union(v for value in values for v in self._call(value))

    def _call(self, value: Value) -> Values:
        kind = value.kind
        if kind == TYPE_ITSELF:
            return self.instances((value,))
        if kind == FUNCTION and value.definition is not None:
            values = self.world.annotations.returned(value.definition)
            if value.receiver is None or not is_open(values):
                return values
            owner = self.world.classes.owner(self.world.at(value.definition), value.definition.index)
            environment = self.world.classes.environment(value.receiver, owner)
            for variable in self.world.annotations.self_variables(value.definition):
                environment[variable] = environment.get(ANY_SELF, ())
            return self.world.annotations.substitute(values, environment)
        if kind == OUTSIDE_MEMBER:
            return value.arguments[0]
        if kind == OUTSIDE_TYPE:
            return (value._replace(kind=OUTSIDE),)
        if kind == MODULE and not value.files:
            made = self._policy(value).external_type(value.name)
            return (outside(value.name, value.language),) if made else ()
        if kind == VARIABLE_TYPE and value.name == SELF_NAME:
            return self.operate((value,), CALLED, "") or (value,)
        if kind == INSTANCE and self._is_variant(value):
            return (value,)
        if kind in (INSTANCE, VARIABLE_TYPE, OUTSIDE):
            return self.operate((value,), CALLED, "")
        return ()

    def _is_variant(self, value: Value) -> bool:
        """Whether a value is a variant with fields, which is called to make one (Rust `Shape::Square(1)`)."""
        if value.definition is None:
            return False
        file = self.world.at(value.definition)
        return file.policy.has_owners and file.slice.symbols.kind[value.definition.index] == ENUM_MEMBER_KIND

    def operate(self, values: Values, operation: str, key: str) -> Values:
        """What indexing, iterating, awaiting, entering or calling the values may give."""
        return union(v for value in values for v in self._operate(value, operation, key))

    def _operate(self, value: Value, operation: str, key: str) -> Values:
        kind = value.kind
        if kind == OUTSIDE_MEMBER:
            return self.operate(value.arguments[0], operation, key)
        if kind in (OUTSIDE, OUTSIDE_TYPE):
            given = self._outside_element(value, operation, key)
            return given or ((value,) if operation in self._policy(value).idle_outside else ())
        if kind == TYPE_ITSELF and operation in (INDEX, ITERATE) and self._is_enum(value):
            return self.instances((value,))
        if kind in (TYPE_ITSELF, FUNCTION) and operation == INDEX:  # type arguments
            return (value,)
        if value.definition is None or kind not in (INSTANCE, VARIABLE_TYPE, TYPE_ITSELF):
            return ()
        policy = self.world.at(value.definition).policy
        for method in policy.operators.get(operation, ()):
            member = self.world.classes.find(value, method)
            if member.named.found:
                given = self.call(self.of_member(member, value))
                return union(v for one in given for v in self._step(one)) if operation == ITERATE else given
        for solid in self._solid(value):
            if solid.definition is None:
                continue
            own = dict(zip(self.world.classes.parameters(solid.definition), solid.arguments, strict=False))
            for base in self.world.classes.ancestry(solid.definition).outside:
                if base.name.rpartition(".")[2] in policy.named_tuples and operation in (INDEX, ITERATE):
                    return self._field_at(solid, operation, key)
                if base.kind == OUTSIDE_TYPE:
                    (base,) = self.world.annotations.substitute((base,), own)
                    if found := self._outside_element(base, operation, key):
                        return found
        return (value,) if operation in policy.idle else ()

    def _step(self, iterator: Value) -> Values:
        """What one turn of a loop over an iterator gives; what is no iterator is itself what a loop gives."""
        if iterator.definition is None or iterator.kind not in (INSTANCE, VARIABLE_TYPE):
            return self._operate(iterator, ITERATE, "")
        for method in self.world.at(iterator.definition).policy.operators.get(NEXT, ()):
            member = self.world.classes.find(iterator, method)
            if member.named.found:
                return self.call(self.of_member(member, iterator))
        return (iterator,)

    def _is_enum(self, value: Value) -> bool:
        if value.definition is None:
            return False
        file = self.world.at(value.definition)
        return file.slice.symbols.kind[value.definition.index] == ENUM_KIND

    def _field_at(self, value: Value, operation: str, key: str) -> Values:
        """A field of a named tuple by its position, or any of them."""
        if value.definition is None:
            return ()
        file = self.world.at(value.definition)
        s = file.slice.symbols
        fields = [i for i in file.slice.children(value.definition.index) if s.returns[i] and s.kind[i] == FIELD_KIND]
        if operation == INDEX:
            if not key.isdigit():
                return ()
            fields = fields[int(key) : int(key) + 1]
        of_definition = self.world.annotations.of_definition
        return union(v for i in fields for v in of_definition(Definition(file.path, i), value))

    def _outside_element(self, value: Value, operation: str, key: str) -> Values:
        answer = self._policy(value).element(value.name, len(value.arguments), operation, key)
        return () if answer is None else self._filled(answer, value)

    def _filled(self, answer: TypeText, container: Value) -> Values:
        """A policy's answer with its `#n` filled in."""
        found: list[Value] = []
        for part in (answer, *answer.alternatives):
            if part.name == "#self":
                found.append(container._replace(kind=OUTSIDE))
            elif part.name.startswith("#"):
                position = int(part.name[1:])
                found.extend(container.arguments[position] if position < len(container.arguments) else ())
            else:
                found.append(
                    outside(
                        part.name,
                        container.language,
                        *(self._filled(argument, container) for argument in part.arguments),
                    )
                )
        return union(found)

    def _policy(self, value: Value) -> Policy:
        return self.world.policy(value.language)

    def instances(self, values: Values) -> Values:
        """Values of the types that `values` are."""
        found: list[Value] = []
        for value in values:
            if value.kind == TYPE_ITSELF:
                found.append(value._replace(kind=INSTANCE))
            elif value.kind == OUTSIDE_TYPE:
                found.append(value._replace(kind=OUTSIDE))
            elif value.kind == MODULE and not value.files:
                found.append(outside(value.name, value.language))
            elif value.kind == VARIABLE_TYPE or self._is_variant(value):
                found.append(value)
            elif value.kind == FUNCTION and value.definition and self.world.at(value.definition).policy.holders:
                found.append(value._replace(kind=INSTANCE, receiver=None))  # a constructor of old
        return tuple(found)
