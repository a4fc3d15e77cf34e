"""Which definitions are one symbol: overloads, stubs, conditional definitions of one name in one scope."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from git_graph.languages.arity import ANY
from git_graph.model import Definition, Flag
from git_graph.resolve.files import CLASS_KINDS, FUNCTION_KINDS, MACRO_KIND, File
from git_graph.resolve.values import Group

if TYPE_CHECKING:
    from git_graph.resolve.world import World


class Groups:
    """Definitions as symbols."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._known: dict[Definition, Group] = {}
        self._overloaded: dict[Definition, bool] = {}
        self._fallbacks: dict[Definition, bool] = {}

    def of(self, definition: Definition) -> Group:
        """The symbol that a definition is a part of."""
        found = self._known.get(definition)
        if found is None:
            found = self._find(definition)
            for place in (found.target, *found.places):
                self._known[place] = found
        return found

    def target(self, definition: Definition) -> Definition:
        """The definition that stands for the symbol."""
        found = self._known.get(definition)
        return found.target if found is not None else self.of(definition).target

    def overloaded(self, definition: Definition) -> bool:
        """Whether a symbol is several functions that its language tells apart by the types of their arguments."""
        group = self.of(definition)
        if not group.places or not self.world.at(definition).policy.overloads:
            return False
        found = self._overloaded.get(group.target)
        if found is None:
            found = self._overloaded[group.target] = self._has_overloads((group.target, *group.places))
        return found

    def _has_overloads(self, places: Iterable[Definition]) -> bool:
        whole, declared = 0, Counter[str]()
        for place in places:
            s = self.world.at(place).slice.symbols
            if s.kind[place.index] not in FUNCTION_KINDS or s.flags[place.index] & Flag.CONDITIONAL:
                continue
            if s.flags[place.index] & Flag.DECLARATION:
                declared[place.path] += 1
            else:
                whole += 1
        return max(whole, *declared.values(), 0) > 1

    def fallback(self, definition: Definition) -> bool:
        """Whether a symbol is a macro that is defined only where nothing else defines it (`#ifndef X`, `#define X`)."""
        s = self.world.at(definition).slice.symbols
        if s.kind[definition.index] != MACRO_KIND or not s.flags[definition.index] & Flag.CONDITIONAL:
            return False
        found = self._fallbacks.get(definition)
        if found is None:
            group = self.of(definition)
            every = (group.target, *group.places)
            found = self._fallbacks[definition] = all(self.world.at(d).asked_before(d.index) for d in every)
        return found

    def takes(self, definition: Definition, count: int) -> bool:
        """Whether a call with that many arguments may be one of a symbol."""
        group = self.of(definition)
        for place in (group.target, *group.places):
            file = self.world.at(place)
            fewest, most = file.policy.takes(file.slice, place.index) if file.policy.overloads else ANY
            if fewest <= count <= most:
                return True
        return False

    def distinct(self, definitions: Iterable[Definition]) -> tuple[Definition, ...]:
        """The symbols of several definitions, each once, sorted by place."""
        return tuple(sorted({self.target(definition) for definition in definitions}))

    def _find(self, definition: Definition) -> Group:
        if not definition.index:
            return Group(definition)
        seen: dict[Definition, None] = {}
        queue = [definition]
        while queue:
            current = queue.pop()
            if current in seen:
                continue
            file = self.world.at(current)
            own = self._in_file(file, current.index)
            seen.update(dict.fromkeys(own))
            for place in own:
                queue.extend(file.policy.counterparts(self.world.context, place, file.slice))
        if len(seen) == 1:
            return Group(definition)
        target, *places = sorted(seen, key=self._order)
        return Group(target, tuple(sorted(places)))

    def _in_file(self, file: File, index: int) -> tuple[Definition, ...]:
        s = file.slice.symbols
        name = file.name_of(index)
        found = [
            i
            for i in file.symbols_of(name)
            if s.owner[i] == s.owner[index]
            and file.extents.get(i) == file.extents.get(index)
            and (s.parent[i] == s.parent[index] or self._alternatives(file, s.parent[i], s.parent[index]))
        ]
        if len(found) < 2:
            return tuple(Definition(file.path, i) for i in found)
        if file.policy.separate_members:
            space = _space(s.kind[index])
            found = [i for i in found if _space(s.kind[i]) == space]
        one, queue = {index}, [index]
        while queue:
            known = queue.pop()
            new = [i for i in found if i not in one and file.policy.together(file.slice, known, i)]
            one.update(new)
            queue += new
        return tuple(Definition(file.path, i) for i in found if i in one)

    def _alternatives(self, file: File, one: int, other: int) -> bool:
        """Whether two containers are one, defined under different conditions."""
        if one <= 0 or other <= 0 or not file.slice.symbols.flags[one] & Flag.CONDITIONAL:
            return False
        if file.slice.parts(one) != file.slice.parts(other):
            return False
        return self.target(Definition(file.path, one)) == self.target(Definition(file.path, other))

    def _order(self, definition: Definition) -> tuple[bool, bool, str, int]:
        file = self.world.at(definition)
        declaration = bool(file.slice.symbols.flags[definition.index] & Flag.DECLARATION)
        return declaration, file.policy.declares(definition.path), definition.path, definition.index


def _space(kind: int) -> int:
    if kind in FUNCTION_KINDS:
        return 1
    return 2 if kind in CLASS_KINDS else 3
