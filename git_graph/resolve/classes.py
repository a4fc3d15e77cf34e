"""Types with members: whose member a name is, in which order bases are asked, and what their arguments are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.model import BASE, FIELD, INHERIT, TYPE_PARAMETER, Definition, Flag
from git_graph.records import NamedTuple
from git_graph.resolve.files import CLASS_KINDS, FIELD_KIND, FUNCTION_KINDS, MACRO_KIND, MEMBER_KINDS, SPACE_KINDS, File
from git_graph.resolve.values import (
    FUNCTION,
    INSTANCE,
    MODULE,
    OUTSIDE_MEMBER,
    OUTSIDE_TYPE,
    TYPE_ITSELF,
    UNNAMED,
    VARIABLE_TYPE,
    Named,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from git_graph.resolve.world import World

SELF_NAME = "Self"
"""The type variable that stands for the type a method is called on."""

ANY_SELF = Value(VARIABLE_TYPE, name=SELF_NAME)
"""Key of an environment: what `Self` of whichever ancestor is."""


class Ancestor(NamedTuple):
    """A class in the order of another, with its arguments in terms of the other's type parameters."""

    definition: Definition
    arguments: tuple[Values, ...] = ()


class Ancestry(NamedTuple):
    """A class and its ancestors, itself first.

    `outside` are bases that are not in the view; `unknown`: a base could not be understood.
    """

    line: tuple[Ancestor, ...]
    outside: Values = ()
    unknown: bool = False


class Member(NamedTuple):
    """What a name is in a value: `owner` is the class that has it, `outside`: something outside of the view may."""

    named: Named = UNNAMED
    owner: Definition | None = None
    inherited: bool = False
    outside: bool = False


NO_MEMBER = Member()
OUTSIDE_MEMBER_ONLY = Member(outside=True)

Environment = dict[Value, Values]


class Classes:
    """Members and bases."""

    def __init__(self, world: World) -> None:
        self.world = world

    # whose class

    def owner(self, file: File, symbol: int) -> Definition | None:
        """The type that `symbol`, or the nearest symbol around it, is or belongs to."""
        return self.world.guarded(("owner", file.path, symbol), lambda: self._owner(file, symbol), None)

    def _owner(self, file: File, symbol: int) -> Definition | None:
        s = file.slice.symbols
        while symbol > 0:
            if s.owner[symbol]:
                return self.named_owner(file, file.slice.strings[s.owner[symbol]], s.parent[symbol])
            if s.kind[symbol] in CLASS_KINDS or symbol in file.holders:
                return self.world.groups.target(Definition(file.path, symbol))
            symbol = s.parent[symbol]
        return None

    def named_owner(self, file: File, text: str, scope: int) -> Definition | None:
        """The type that an owner as written in `scope` of `file` means."""
        return self.world.guarded(
            ("named-owner", file.path, text, scope), lambda: self._named_owner(file, text, scope), None
        )

    def _named_owner(self, file: File, text: str, scope: int) -> Definition | None:
        for value in self.world.annotations.annotated(file, text, scope, 1 << 30, meta=True):
            if value.kind == TYPE_ITSELF:
                return value.definition
        return None

    def self_value(self, file: File, symbol: int) -> Value | None:
        """What `self` is in `symbol`."""
        owner = self.owner(file, symbol)
        return None if owner is None else Value(VARIABLE_TYPE, owner, name=SELF_NAME)

    # members

    def find(self, value: Value, name: str) -> Member:
        """What member `name` of a value is."""
        kind = value.kind
        if kind in (INSTANCE, TYPE_ITSELF, FUNCTION) and value.definition is not None:
            member = NO_MEMBER
            if kind != FUNCTION or value.definition.index in self.world.at(value.definition).holders:
                member = self.find_in(value.definition, name)
            if value.files and not member.named.found:  # the module that is this value
                member = Member(self.world.modules.member(value.files, name, value.language))
            return member if kind != FUNCTION or member.named.found else OUTSIDE_MEMBER_ONLY
        if kind == MODULE:
            if not value.files:
                return OUTSIDE_MEMBER_ONLY
            return Member(self.world.modules.member(value.files, name, value.language))
        if (
            kind == VARIABLE_TYPE
            and value.name == SELF_NAME
            and value.definition is not None
            and value.definition.index
        ):
            return self.find_in(value.definition, name)
        if kind == VARIABLE_TYPE:
            found = NO_MEMBER
            for bound in self.bound(value):
                found = self.find(bound, name)
                if found.named.found:
                    return found
            return found
        if kind == OUTSIDE_MEMBER:
            for given in value.arguments[0]:
                if (member := self.find(given, name)).named.found:
                    return member
        return OUTSIDE_MEMBER_ONLY

    def find_in(self, definition: Definition, name: str) -> Member:
        """What member `name` of a class, of its instances or of a namespace is."""
        key = ("find", definition, name)
        found: Member | None = self.world.memo.get(key)
        if found is not None:
            return found
        return self.world.guarded(key, lambda: self._find_in(definition, name), NO_MEMBER)

    def _find_in(self, definition: Definition, name: str) -> Member:
        own = self.own(definition, name)
        if own and not self._merely_assigned(own):  # whatever its ancestors have
            return Member(Named(own), definition)
        return self._first(self.ancestry(definition), name, 0)

    def find_after(self, definition: Definition, name: str) -> Member:
        """What member `name` is in the ancestors of a class, the class itself left out (`super`)."""
        return self._first(self.ancestry(definition), name, 1)

    def _first(self, ancestry: Ancestry, name: str, start: int) -> Member:
        """The member of the first ancestor that has it.

        What a method merely assigns (`self.x = ...`) gives way to what an ancestor declares: the assignment is to that.
        """
        assigned = NO_MEMBER
        for position, ancestor in enumerate(ancestry.line[start:], start):
            if own := self.own(ancestor.definition, name):
                member = Member(Named(own), ancestor.definition, position > 0)
                if not self._merely_assigned(own):
                    return member
                assigned = assigned if assigned.owner is not None else member
            elif values := self._unnamed_field(ancestor.definition, name):
                return Member(Named((), values), ancestor.definition, position > 0)
        if assigned.owner is not None:
            return assigned
        return OUTSIDE_MEMBER_ONLY if ancestry.outside else NO_MEMBER

    def _unnamed_field(self, definition: Definition, name: str) -> Values:
        """A field that is bound but no symbol: an embedded struct (Go), a field of a tuple struct (Rust)."""
        file = self.world.at(definition)
        if not file.policy.has_owners and not file.policy.holders:
            return ()
        b = file.slice.bindings
        rows = [i for i in file.bindings(name) if b.kind[i] == FIELD and b.symbol[i] == definition.index]
        return union(v for i in rows for v in self.world.types.evaluate(file, b.value[i], definition.index, b.line[i]))

    def _merely_assigned(self, own: tuple[Definition, ...]) -> bool:
        for definition in own:
            file, i = self.world.at(definition), definition.index
            s = file.slice.symbols
            if s.kind[i] != FIELD_KIND or s.returns[i]:
                return False
            if not (s.flags[i] & Flag.IMPLICIT or file.policy.declared_first):
                return False
        return True

    def own(self, definition: Definition, name: str) -> tuple[Definition, ...]:
        """The members `name` that a type has itself, wherever they stand."""
        key = ("own", definition, name)
        found: tuple[Definition, ...] | None = self.world.memo.get(key)
        if found is not None:
            return found
        if self.world.at(definition).policy.has_owners:
            return self.world.guarded(key, lambda: self._own(definition, name), ())
        return self.world.remembered(key, lambda: self._own(definition, name))

    def _own(self, definition: Definition, name: str) -> tuple[Definition, ...]:
        group = self.world.groups.of(definition)
        found: list[Definition] = []
        for place in (group.target, *group.places):
            file = self.world.at(place)
            indices = file.named(place.index, name)
            kinds = file.slice.symbols.kind
            if kinds[place.index] in FUNCTION_KINDS:  # what is only nested in a function is no member of it
                indices = [i for i in indices if kinds[i] in MEMBER_KINDS]
            found.extend(file.definitions(indices))
        file = self.world.at(definition)
        if file.policy.merges_namespaces and file.slice.symbols.kind[definition.index] in SPACE_KINDS:
            found.extend(self.in_namespace(definition, name))
        if file.policy.has_owners:
            found.extend(self._owned(definition, file, name))
        return tuple(dict.fromkeys(found))

    def _owned(self, definition: Definition, home: File, name: str) -> list[Definition]:
        """Members that stand outside of their type."""
        world, simple, found = self.world, home.name_of(definition.index), []
        for path in world.view.defining(name):
            if not world.related(home.language, world.view.language(path) or ""):
                continue
            file = world.file(path)
            if file is None:
                continue
            s, strings = file.slice.symbols, file.slice.strings
            for index in file.owned(name):
                text = strings[s.owner[index]]
                if simple in text and self.named_owner(file, text, s.parent[index]) == definition:
                    found.append(Definition(path, index))
        return found

    def in_namespace(self, definition: Definition, name: str) -> tuple[Definition, ...]:
        """What all namespaces of the same qualified name hold under `name`."""
        home = self.world.at(definition)
        return self.in_space(home.language, home.slice.parts(definition.index), name)

    def in_space(self, language: str, parts: tuple[str, ...], name: str) -> tuple[Definition, ...]:
        """What the namespaces (and types) of a qualified name hold under `name`."""
        return self.world.guarded(
            ("namespace", language, parts, name), lambda: self._in_namespace(language, parts, name), ()
        )

    def _in_namespace(self, language: str, parts: tuple[str, ...], name: str) -> tuple[Definition, ...]:
        found: list[Definition] = []
        policy, context = self.world.policy(language), self.world.context
        cuts = range(1, len(parts) + 1)
        hidden = {parts[cut:]: files for cut in cuts if (files := policy.files_in_space(context, parts[:cut]))}
        for path in self.world.view.defining(name):
            if not self.world.related(language, self.world.view.language(path) or ""):
                continue
            file = self.world.file(path)
            if file is None:
                continue
            s, text = file.slice.symbols, file.texts[name]
            for index, own in enumerate(s.name):
                if own == text and index and not s.owner[index]:
                    around = s.parent[index]
                    space = file.slice.parts(s.parent[around] if around in file.opened else around)
                    if s.kind[index] == MACRO_KIND and not file.policy.reaches(path, MACRO_KIND):
                        continue
                    if space == parts or path in hidden.get(space, ()):
                        found.append(Definition(path, index))
        return tuple(found)

    # ancestors

    def ancestry(self, definition: Definition) -> Ancestry:
        """A class and its ancestors in the language's order."""
        alone = Ancestry((Ancestor(definition),), unknown=True)
        return self.world.guarded(("ancestry", definition), lambda: self._ancestry(definition), alone)

    def _ancestry(self, definition: Definition) -> Ancestry:
        bases, unknown = self._bases(definition)
        lines: list[list[Definition]] = []
        arguments: dict[Definition, tuple[Values, ...]] = {}
        outside: list[Value] = []
        for base in bases:
            if base.kind != TYPE_ITSELF or base.definition is None:
                outside.append(base)
                continue
            above = self.ancestry(base.definition)
            unknown = unknown or above.unknown
            environment = dict(zip(self.parameters(base.definition), base.arguments, strict=False))
            outside.extend(self.world.annotations.substitute(above.outside, environment))
            lines.append([ancestor.definition for ancestor in above.line])
            for ancestor in above.line:
                given = base.arguments if ancestor.definition == base.definition else ancestor.arguments
                if ancestor.definition != base.definition:
                    given = tuple(self.world.annotations.substitute(values, environment) for values in given)
                arguments.setdefault(ancestor.definition, given)
        order = [d for d in self.world.at(definition).policy.linearize(lines) if d != definition]
        line = (Ancestor(definition, tuple((p,) for p in self.parameters(definition))),)
        return Ancestry(line + tuple(Ancestor(d, arguments[d]) for d in order), tuple(dict.fromkeys(outside)), unknown)

    def _bases(self, definition: Definition) -> tuple[list[Value], bool]:
        """The bases of a type as values of kind type or outside, and whether one could not be understood."""
        group, unknown = self.world.groups.of(definition), False
        found: list[Value] = []
        for place in (group.target, *group.places):
            file = self.world.at(place)
            s, strings = file.slice.symbols, file.slice.strings
            for text in s.bases[place.index]:
                line = s.line[place.index]
                values = self.world.annotations.annotated(
                    file, strings[text], place.index, line, meta=True, role=INHERIT
                )
                usable = [v for v in values if v.kind in (TYPE_ITSELF, OUTSIDE_TYPE, MODULE)]
                unknown = unknown or not usable
                bare = file.policy.generic_bases
                found.extend(v for v in usable if v.definition != definition and v.name.rpartition(".")[2] not in bare)
        found.extend(v for v in self._said_elsewhere(definition) if v.definition != definition)
        return list(dict.fromkeys(found)), unknown

    def _said_elsewhere(self, definition: Definition) -> list[Value]:
        """Bases that bindings of kind base give a type, in whatever file (Rust `impl Trait for Type`)."""
        home = self.world.at(definition)
        if not home.policy.has_owners:
            return []
        simple = home.name_of(definition.index)
        found: list[Value] = []
        for path in self.world.view.exporting(simple):
            file = self.world.file(path)
            if file is None or not self.world.related(home.language, file.language):
                continue
            b = file.slice.bindings
            for index in file.bindings(simple):
                if b.kind[index] == BASE and self.named_owner(file, simple, b.symbol[index]) == definition:
                    values = self.world.types.evaluate(file, b.value[index], b.symbol[index], b.line[index])
                    found.extend(self.world.annotations.as_types(values))
        return found

    # type parameters

    def parameters(self, definition: Definition) -> tuple[Value, ...]:
        """The type parameters of a class, in order."""
        return self.world.guarded(("parameters", definition), lambda: self._parameters(definition), ())

    def _parameters(self, definition: Definition) -> tuple[Value, ...]:
        file = self.world.at(definition)
        b, strings = file.slice.bindings, file.slice.strings
        own = [
            Value(VARIABLE_TYPE, definition, name=strings[b.name[i]])
            for i, kind in enumerate(b.kind if TYPE_PARAMETER in b.kind else ())
            if kind == TYPE_PARAMETER and b.symbol[i] == definition.index
        ]
        if own:
            return tuple(own)
        found: list[Value] = []
        s = file.slice.symbols
        for text in s.bases[definition.index]:
            written = self.world.annotations.parsed(file, strings[text])
            if written is None:
                continue
            arguments = [
                value
                for argument in written.arguments
                for value in self.world.annotations.typed(file, argument, definition.index, s.line[definition.index])
                if value.kind == VARIABLE_TYPE
            ]
            if written.name.rpartition(".")[2] in file.policy.generic_bases:
                return tuple(dict.fromkeys(arguments))
            found.extend(arguments)
        return tuple(dict.fromkeys(found))

    def bound(self, variable: Value) -> Values:
        """What a type variable is at least."""
        if variable.definition is None:
            return ()
        if variable.name == SELF_NAME and variable.definition.index:
            arguments = tuple((p,) for p in self.parameters(variable.definition))
            return (Value(INSTANCE, variable.definition, arguments),)
        nothing: Values = ()
        return self.world.guarded(("bound", variable), lambda: self._bound(variable), nothing)

    def _bound(self, variable: Value) -> Values:
        """The bound of a type variable, and where that is another variable, its bound."""
        found: list[Value] = []
        for value in self.world.annotations.bound_of(variable):
            found.extend(self.bound(value) if value.kind == VARIABLE_TYPE else (value,))
        return tuple(dict.fromkeys(found))

    def environment(self, receiver: Value, owner: Definition | None) -> Environment:
        """What the type parameters of `owner`, and `Self`, are for a receiver that has `owner` among its ancestors."""
        environment: Environment = {}
        base = receiver
        if receiver.kind == VARIABLE_TYPE:
            base = next(iter(self.bound(receiver)), receiver)
        if base.definition is None or owner is None:
            return environment
        own = dict(zip(self.parameters(base.definition), base.arguments, strict=False))
        if owner != base.definition:
            for ancestor in self.ancestry(base.definition).line:
                if ancestor.definition == owner:
                    given = [self.world.annotations.substitute(values, own) for values in ancestor.arguments]
                    own = dict(zip(self.parameters(owner), given, strict=False))
                    break
        environment.update(own)
        environment[ANY_SELF] = (_as_instance(receiver),)
        return environment


def _as_instance(receiver: Value) -> Value:
    return receiver._replace(kind=INSTANCE) if receiver.kind == TYPE_ITSELF else receiver
