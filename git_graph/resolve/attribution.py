"""A reference -> one of the six outcomes, by the rules of the design: nothing is claimed that does not follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from git_graph.languages.policy import TAG
from git_graph.model import (
    CALL,
    EXPORT,
    IMPORT,
    NONE,
    OPAQUE,
    SELF,
    SUPER,
    TYPE,
    X_ATTRIBUTE,
    X_LITERAL,
    X_NAME,
    Definition,
    Resolution,
)
from git_graph.resolve.classes import Member
from git_graph.resolve.configurations import Configurations
from git_graph.resolve.files import ALIAS_KIND, CLASS_KINDS, FUNCTION_KINDS, File
from git_graph.resolve.modules import IMPLIED
from git_graph.resolve.values import MODULE, TYPE_ITSELF, Named, Value

if TYPE_CHECKING:
    from git_graph.resolve.world import World

MAX_TARGETS = 4
"""A receiver of more types than this leaves its members ambiguous."""
_MAX_BASES = 16
FREE_ONE = "the only top-level definition of the name in the view"
FREE_SEVERAL = "several top-level definitions of the name, nothing leads to one"
FREE_RULES = frozenset((FREE_ONE, FREE_SEVERAL))
"""The rules for names that no scope and no import leads to."""
_DANGLING_OUTSIDE = Resolution("dangling", rule="what it names is outside of the view")
_DANGLING_INHERITED = Resolution(
    "dangling", rule="its type has a base outside of the view, and no such member in the view"
)
_DANGLING_BUILTIN = Resolution("dangling", rule="the language's own name")
_DANGLING_VALUE = Resolution("dangling", rule="what its module offers under this name is no symbol of the view")
_DANGLING_UNOFFERED = Resolution("dangling", rule="the module that it is imported from has no such name")
_DANGLING_MISSING = Resolution("dangling", rule="nothing in the view has this name")
_DANGLING_STAR = Resolution("dangling", rule="the file imports all names of a module outside of the view")
OUTSIDE_RULE, BUILTIN_RULE, VALUE_RULE, STAR_RULE = (
    given.rule for given in (_DANGLING_OUTSIDE, _DANGLING_BUILTIN, _DANGLING_VALUE, _DANGLING_STAR)
)
"""The rules for names that mean something, or may, though nothing that is in the view."""
MISSING_RULE = _DANGLING_MISSING.rule
"""The rule for names that nothing has; of a member, nothing is known of its receiver either."""
_UNKNOWN = Resolution("receiver-unknown", rule="the receiver's type is not known")
_DANGLING_MEMBER = Resolution("dangling", rule="the receiver's type has no such member in the view")


class Attribution:
    """References to resolutions."""

    def __init__(self, world: World, *, candidates: bool = True) -> None:
        """Resolve over a world; without `candidates` nobody asks what a member of an unknown receiver could be."""
        self.world = world
        self.configurations = Configurations(world)
        self._candidates = candidates

    def resolve(self, file: File, index: int) -> Resolution:
        """What reference `index` of `file` is."""
        r = file.slice.references
        name, role, receiver = file.slice.strings[r.name[index]], r.role[index], r.receiver[index]
        if role == IMPORT:
            return self._imported(file, index, name)
        if receiver == NONE:
            given, line = r.arguments[index], r.line[index]
            return self._bare(file, name, self._seen_from(file, name, r.symbol[index], line), role, line, given)
        if file.policy.tags and self._is_tag(file, receiver):
            return self._bare(file, name, r.symbol[index], TAG, r.line[index])
        found = self._member(file, index, name, receiver)
        if found.target is None and file.policy.anywhere:
            return self._anywhere(file, name, r.symbol[index]) or found
        return found

    # imports

    def _imported(self, file: File, index: int, name: str) -> Resolution:
        r = file.slice.references
        named = None
        for item in file.import_places.get((r.line[index], r.column[index]), ()):
            named = self.world.modules.imported(file, item)
            if self.definitions(named):
                break
        if named is None:
            return self._bare(file, name, r.symbol[index], IMPORT, r.line[index])
        return self._of_named(file, named, IMPORT, "exact", "imported by name") or self._unimported(file, index, named)

    def _unimported(self, file: File, index: int, named: Named) -> Resolution:
        """Why an import brings no symbol of the view."""
        if named.values:
            return _DANGLING_OUTSIDE
        modules, r = self.world.modules, file.slice.references
        for item in file.import_places.get((r.line[index], r.column[index]), ()):
            name = file.slice.strings[file.slice.imports.name[item]]
            for home in filter(None, map(self.world.file, modules.of_import(file, item))):
                if self._offers_value(home, name):
                    return _DANGLING_VALUE
                if modules.outside_star(home):
                    return _DANGLING_STAR
        return _DANGLING_UNOFFERED

    @staticmethod
    def _offers_value(home: File, name: str) -> bool:
        """Whether a module exports something under a name that is not just another name, of nothing."""
        b = home.slice.bindings
        for index in home.bindings(name):
            if b.kind[index] == EXPORT:
                kind, _, text = home.slice.expression(b.value[index])
                local = home.slice.strings[text]
                bound = any(b.kind[row] != EXPORT for row in home.bindings(local))
                if kind != X_NAME or bound or home.policy.is_builtin(local):
                    return True
        return False

    # bare names

    @staticmethod
    def _is_tag(file: File, receiver: int) -> bool:
        kind, _, text = file.slice.expression(receiver)
        return kind == X_LITERAL and file.slice.strings[text] in file.policy.tags

    @staticmethod
    def _seen_from(file: File, name: str, symbol: int, line: int) -> int:
        """The symbol whose scope a name is looked up in: a class body that runs sees what it has defined so far."""
        s = file.slice.symbols
        if file.policy.class_scope or file.policy.block_scoped or s.kind[symbol] not in CLASS_KINDS:
            return symbol
        own = file.named(symbol, name)
        return s.parent[symbol] if own and all(s.line[i] >= line for i in own) else symbol

    def _bare(self, file: File, name: str, symbol: int, role: int, line: int, given: int = 0) -> Resolution:
        named = self.world.scopes.bare(file, name, symbol, role, line)
        if file.policy.has_macros and named.definitions:
            named = self.configurations.at(file, named, name, role, line)
            if not named.found:
                return _DANGLING_MISSING
        if named.found:
            return self._of_named(file, named, role, "exact", "in scope", given) or _DANGLING_OUTSIDE
        if role == TYPE and name in file.policy.self_types:
            owner = self.world.classes.owner(file, symbol)
            if owner is not None:
                return Resolution("exact", owner, rule="the type around it")
        if file.policy.is_builtin(name):
            return _DANGLING_BUILTIN
        if not file.policy.free_names:
            return _DANGLING_MISSING
        if file.policy.stars_name_all and self.world.modules.outside_star(file):
            return _DANGLING_STAR
        return self._free(file, name, role, given)

    def _free(self, file: File, name: str, role: int, given: int) -> Resolution:
        free = self._preferred(file, self.world.scopes.free(file.language, name, role), role, given)
        if not free:
            return _DANGLING_MISSING
        if len(free) == 1:
            return Resolution("unique", free[0], rule=FREE_ONE)
        return Resolution("ambiguous", None, free, FREE_SEVERAL)

    def _of_named(
        self, file: File, named: Named, role: int, outcome: str, rule: str, given: int = 0
    ) -> Resolution | None:
        every = self._inherited(file, self.definitions(named), given)
        found = self._preferred(file, every, role, given)
        if not found:
            return None
        if len(found) == 1 or (role == IMPORT and self._overloads(found)):
            # an import of a value and a type of one name is of both, one of a function is of all its overloads
            if role != IMPORT and self.world.groups.overloaded(found[0]):
                outcome, rule = "inferred", f"{rule}, as one of several overloads"
            elif file.policy.has_macros and outcome == "exact":
                configured = self.configurations.depends(file, found[0], rule)
                if configured is not None:
                    return configured
            return Resolution(outcome, found[0], every if role == IMPORT and len(every) > 1 else (), rule)
        return Resolution("ambiguous", None, found, f"{rule}, as several definitions")

    def definitions(self, named: Named) -> tuple[Definition, ...]:
        """The symbols that a name stands for; a module is the module symbol of its first file."""
        found: list[Definition] = list(named.definitions)
        for value in named.values:
            if value.kind == MODULE and not self.world.policy(value.language).merges_namespaces:
                found.extend(Definition(path, 0) for path in value.files[:1] if not path.endswith("/"))
        return self.world.groups.distinct(found)

    def _preferred(
        self, file: File, found: tuple[Definition, ...], role: int, given: int = 0
    ) -> tuple[Definition, ...]:
        """Those that a role can mean, where the language keeps types, functions and fields of one name apart.

        Of overloads, those that take as many arguments as a reference gives (`given`, one more than that).
        """
        if len(found) < 2:
            return found
        found = self.world.scopes.in_sight(file, found)
        if given and file.policy.overloads:
            found = tuple(d for d in found if self.world.groups.takes(d, given - 1)) or found
        if file.policy.has_senses:
            senses = {d: self._sense(file, d, role) for d in found}
            if any(senses.values()):
                best = min(sense for sense in senses.values() if sense)
                return tuple(d for d in found if senses[d] == best)
        if not file.policy.separate_members:
            return found
        kinds = CLASS_KINDS | {ALIAS_KIND} if role == TYPE else FUNCTION_KINDS
        fitting = tuple(d for d in found if self.world.at(d).slice.symbols.kind[d.index] in kinds)
        if role in (TYPE, CALL):
            return fitting or found
        return tuple(d for d in found if d not in fitting) or found

    def _inherited(self, file: File, found: tuple[Definition, ...], given: int) -> tuple[Definition, ...]:
        """Members of a class, or those of its nearest base that take as many arguments as are given."""
        if not given or not found or not file.policy.inherits_overloads:
            return found
        nearest, groups, classes = found, self.world.groups, self.world.classes
        for _ in range(_MAX_BASES):
            if not nearest or any(groups.takes(d, given - 1) for d in nearest):
                break
            home = self.world.at(nearest[0])
            owner = classes.owner(home, nearest[0].index)
            if owner is None:
                return found
            nearest = self.definitions(classes.find_after(owner, home.name_of(nearest[0].index)).named)
        return nearest or found

    def _overloads(self, found: tuple[Definition, ...]) -> bool:
        """Whether several definitions are overloads of one function."""
        homes = [self.world.at(d) for d in found]
        if not homes[0].policy.overloads:
            return False
        slices = zip((home.slice for home in homes), found, strict=True)
        parts = {(slice_.parts(d.index), slice_.symbols.kind[d.index]) for slice_, d in slices}
        return len(parts) == 1 and next(iter(parts))[1] in FUNCTION_KINDS

    def _sense(self, file: File, definition: Definition, role: int) -> int:
        """See Policy.sense; what gives way comes after all others."""
        home = self.world.at(definition)
        sense = file.policy.sense(file.policy.meant_as(home.slice, definition.index), role)
        return sense + 100 if sense and file.policy.gives_way(home.slice, definition.index) else sense

    def _anywhere(self, file: File, name: str, symbol: int) -> Resolution | None:
        """What a name may be whatever stands before it: a macro in sight."""
        kinds = file.policy.anywhere
        found = [
            d
            for d in self.world.groups.distinct(self.world.scopes.bare(file, name, symbol).definitions)
            if self.world.at(d).slice.symbols.kind[d.index] in kinds
            and not file.policy.gives_way(self.world.at(d).slice, d.index)
        ]
        if len(found) != 1:
            return None
        fallback = self.world.groups.fallback(found[0])
        return Resolution("inferred" if fallback else "exact", found[0], rule="a macro in scope")

    # members

    def _member(self, file: File, index: int, name: str, receiver: int) -> Resolution:
        r = file.slice.references
        role, symbol, line, given = r.role[index], r.symbol[index], r.line[index], r.arguments[index]
        if receiver == OPAQUE:
            return self._unknown(file, name)
        if receiver == SUPER:
            owner = self.world.classes.owner(file, symbol)
            if owner is None:
                return self._unknown(file, name)
            return self._of_members(
                file, name, role, [(None, self.world.classes.find_after(owner, name))], receiver, given
            )
        values = self.world.types.evaluate(file, receiver, symbol, line)
        if not values:
            return self._path(file, name, role, receiver, symbol, line) or self._unknown(file, name)
        members = [(value, self.world.classes.find(value, name)) for value in values]
        return self._of_members(file, name, role, members, receiver, given)

    def _of_members(
        self,
        file: File,
        name: str,
        role: int,
        members: Sequence[tuple[Value | None, Member]],
        receiver: int,
        given: int,
    ) -> Resolution:
        found: list[Definition] = []
        exact = receiver == SELF or self._is_path(file, receiver)
        outside = several = False
        for value, member in members:
            definitions = self._inherited(file, self.definitions(member.named), given)
            if len(definitions) > 1 and given and file.policy.overloads:
                definitions = self._preferred(file, definitions, role, given)
            found.extend(definitions)
            several = several or len(definitions) > 1
            outside = outside or member.outside or (not definitions and bool(member.named.values))
            if definitions and exact:
                exact = not member.inherited and value is not None and self._leads(file, receiver, value)
        symbols = self._preferred(file, self.world.groups.distinct(found), role)
        if len(symbols) == 1:
            if exact and self.world.groups.overloaded(symbols[0]):
                return Resolution("inferred", symbols[0], rule="its qualifier leads to it, as one of several overloads")
            if exact:
                return Resolution("exact", symbols[0], rule="its qualifier leads to it")
            return Resolution("inferred", symbols[0], rule="the receiver's type leads to it")
        if symbols and not several and len(symbols) <= MAX_TARGETS:
            return Resolution("inferred", symbols[0], symbols, "the receiver is of one of several types")
        if symbols:
            return Resolution("ambiguous", None, symbols, "the receiver may be of several types")
        if outside:
            ours = any(value is None or value.definition is not None for value, _ in members)
            return _DANGLING_INHERITED if ours else _DANGLING_OUTSIDE
        if self._closed([value for value, _ in members]):
            return _DANGLING_MEMBER
        unknown = self._unknown(file, name)
        return unknown if unknown.candidates else _DANGLING_MEMBER

    def _closed(self, values: Sequence[Value | None]) -> bool:
        """Whether a receiver is a module of the view and nothing else, all names of which are known."""
        homes = [home for value in values if value for path in value.files if (home := self.world.file(path))]
        modules = all(value is not None and value.kind == MODULE and value.files for value in values)
        return bool(homes) and modules and not any(map(self.world.modules.outside_star, homes))

    def _leads(self, file: File, receiver: int, value: Value) -> bool:
        """Whether a value is a qualifier: the own class, a type or a module by name."""
        if value.name == IMPLIED:
            return self._imports(file, receiver)
        return receiver == SELF or value.kind in (MODULE, TYPE_ITSELF)

    def _imports(self, file: File, receiver: int) -> bool:
        """Whether the file itself imports the module that a receiver spells."""
        i, strings = file.slice.imports, file.slice.strings
        module = file.slice.render(receiver)
        return any(strings[m] == module and not strings[n] for m, n in zip(i.module, i.name, strict=True))

    def _is_path(self, file: File, expression: int) -> bool:
        """Whether an expression is names joined by member access alone."""
        while True:
            kind, of, _ = file.slice.expression(expression)
            if kind == X_NAME:
                return True
            if kind != X_ATTRIBUTE:
                return False
            expression = of

    def _path(self, file: File, name: str, role: int, receiver: int, symbol: int, line: int) -> Resolution | None:
        """A qualifier that leads nowhere only narrows, where receivers can be paths."""
        if not file.policy.path_receivers or not self._is_path(file, receiver):
            return None
        first = file.slice.render(receiver).partition(".")[0]
        if self.world.types.local(file, first, symbol, line) is not None or file.policy.is_builtin(first):
            return None
        last = file.slice.render(receiver).rpartition(".")[2]
        free = self._preferred(file, self.world.scopes.free(file.language, name), role)
        narrowed = tuple(d for d in free if last in self.world.at(d).policy.module_parts(d.path)) or free
        if not narrowed:
            return None
        if len(narrowed) == 1:
            return Resolution("unique", narrowed[0], rule="the only definition that its qualifier leaves")
        return Resolution("ambiguous", None, narrowed, "several definitions are left by its qualifier")

    def _unknown(self, file: File, name: str) -> Resolution:
        key = ("unknown", file.language, name)
        return self.world.remembered(key, lambda: self.unknown(file.language, name))

    def unknown(self, language: str, name: str) -> Resolution:
        """What a member is whose receiver is not known."""
        if not self._candidates:
            return _UNKNOWN
        candidates = self.world.scopes.candidates(language, name)
        if not candidates:
            return _DANGLING_MISSING
        return Resolution("receiver-unknown", None, candidates, "the receiver's type is not known")
