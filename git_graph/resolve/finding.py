"""Definitions -> every reference that is one of them, or could be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from git_graph.model import (
    CALL,
    EXPORT,
    FIRST_EXPRESSION,
    INSTANTIATE,
    READ,
    WRITE,
    X_NAME,
    Definition,
    Flag,
    Resolution,
)
from git_graph.resolve.attribution import Attribution
from git_graph.resolve.expansion import expanded
from git_graph.resolve.files import CLASS_KINDS, FIELD_KIND, FUNCTION_KINDS, MACRO_KIND, File
from git_graph.resolve.values import Occurrence

if TYPE_CHECKING:
    from git_graph.resolve.records import StoredFile
    from git_graph.resolve.world import World

MAX_FILES = 16_384
"""Files whose resolutions are remembered; past that all are forgotten."""

Known = Callable[[str], "StoredFile | None"]
"""What is stored of the references of a file."""

TOO_DEEP = Resolution("dangling", rule="what it depends on is nested too deeply")


class Finding:
    """The way from definitions to their references."""

    def __init__(self, world: World, attribution: Attribution, stored: Known) -> None:
        self.world = world
        self.attribution = attribution
        self.stored = stored
        self._resolved: dict[str, dict[int, Resolution]] = {}

    def resolve(self, file: File, index: int) -> Resolution:
        """What a reference is, remembered."""
        table = self._resolved.get(file.path)
        if table is None:
            if len(self._resolved) >= MAX_FILES:
                self._resolved.clear()
            table = self._resolved[file.path] = {}
        found = table.get(index)
        if found is None:
            found = table[index] = self._found(file, index)
        return found

    def _found(self, file: File, index: int) -> Resolution:
        if (known := self.stored(file.path)) is not None:
            return self._recalled(known, known.which[index])[1]
        try:
            return self.attribution.resolve(file, index)
        except RecursionError:  # what is bounded by MAX_DEPTH is far below; nothing that we know of comes here
            return TOO_DEEP

    def _recalled(self, known: StoredFile, row: int) -> tuple[str, Resolution]:
        """A name and a resolution that are stored; the candidates of an unknown receiver never are."""
        name, resolution = known.resolution(row)
        if resolution.outcome == "receiver-unknown":
            language = self.world.view.language(known.path) or ""
            resolution = self.attribution.unknown(language, name)
        return name, resolution

    def references(self, definitions: Iterable[Definition]) -> Iterator[Occurrence]:
        """See Resolver.references."""
        wanted = frozenset(self.world.groups.target(definition) for definition in definitions)
        direct = self._direct(wanted)
        if not any(self.world.at(definition).policy.has_macros for definition in wanted):
            return direct
        return expanded(self.world, list(direct), self._direct)

    def _direct(self, wanted: frozenset[Definition]) -> Iterator[Occurrence]:
        made: dict[Definition, list[Definition]] = {}
        for constructor in sorted(wanted):
            if (owner := self._constructed(constructor)) is not None:
                made.setdefault(owner, []).append(constructor)
        names: dict[str, set[str]] = {}
        for target in (*wanted, *made):
            for name, languages in self._names(target).items():
                names.setdefault(name, set()).update(languages)
        places: dict[str, list[str]] = {}
        for name, languages in names.items():
            for path in self.world.view.referring(name):
                if self.world.view.language(path) in languages:
                    places.setdefault(path, []).append(name)
        for path in sorted(places):
            yield from self._in_file(path, places[path], wanted, made)

    def _in_file(
        self, path: str, names: list[str], wanted: frozenset[Definition], made: dict[Definition, list[Definition]]
    ) -> Iterator[Occurrence]:
        if (known := self.stored(path)) is not None:
            yield from self._in_stored(known, frozenset(names), wanted, made)
            return
        file = self.world.file(path)
        if file is None:
            return
        r = file.slice.references
        indices: list[int] = []
        for name in names:
            indices.extend(file.rows(r.name, name))
        for index in sorted(indices):
            found = self._met(path, index, self.resolve(file, index), r.role[index], wanted, made)
            if found is not None:
                yield Occurrence(path, index, found)

    def _in_stored(
        self,
        known: StoredFile,
        names: frozenset[str],
        wanted: frozenset[Definition],
        made: dict[Definition, list[Definition]],
    ) -> Iterator[Occurrence]:
        """The same of a file that need not be looked at."""
        rows: dict[int, Resolution] = {}
        for row in known.rows_of(names):
            resolution = self._recalled(known, row)[1]
            target = resolution.target
            if target in wanted or target in made or not wanted.isdisjoint(resolution.candidates):
                rows[row] = resolution
        for index in known.references_of(rows):
            found = self._met(known.path, index, rows[known.which[index]], known.roles[index], wanted, made)
            if found is not None:
                yield Occurrence(known.path, index, found)

    def _met(
        self,
        path: str,
        index: int,
        resolution: Resolution,
        role: int,
        wanted: frozenset[Definition],
        made: dict[Definition, list[Definition]],
    ) -> Resolution | None:
        """What a reference is to who asks about `wanted`: itself, one of its targets, or the making of an object."""
        target = resolution.target
        if target is None:
            return None if wanted.isdisjoint(resolution.candidates) else resolution
        if target in wanted:
            return None if role in (READ, WRITE) and self._defines(path, index, target) else resolution
        if also := next((d for d in resolution.candidates if d in wanted), None):
            return resolution._replace(target=also)
        if target in made and role in (CALL, INSTANTIATE):
            constructor = self._fitting(path, index, made[target])
            if constructor is not None:
                return Resolution("inferred", constructor, rule="a construction calls the constructor")
        return None

    def _fitting(self, path: str, index: int, constructors: list[Definition]) -> Definition | None:
        """The one of several constructors that takes as many arguments as are given, if that is told."""
        file = self.world.file(path)
        given = 0 if file is None else file.slice.references.arguments[index]
        fitting = (c for c in constructors if not given or self.world.groups.takes(c, given - 1))
        return next(fitting, None)

    def _defines(self, path: str, index: int, target: Definition) -> bool:
        """Whether a reference is a definition's own place: a field's first assignment, `#ifndef X` above all of X."""
        if target.path != path or (file := self.world.file(path)) is None:
            return False
        r, s = file.slice.references, file.slice.symbols
        if s.kind[target.index] == MACRO_KIND and s.flags[target.index] & Flag.CONDITIONAL and not r.symbol[index]:
            places = (target, *self.world.groups.of(target).places)
            return all(d.path == path and r.line[index] < s.line[d.index] for d in places)
        if s.kind[target.index] != FIELD_KIND:
            return False
        return (r.line[index], r.column[index]) == (s.line[target.index], s.column[target.index])

    def _constructed(self, definition: Definition) -> Definition | None:
        """The class whose construction calls `definition`, if it is a constructor under a name of its own."""
        file, named = self.world.at(definition), self.world.at(definition).policy.constructors
        if file.name_of(definition.index) not in named if named else not file.constructs(definition.index):
            return None
        return self.world.classes.owner(file, definition.index)

    # names

    def _names(self, target: Definition) -> dict[str, set[str]]:
        """The names under which a symbol is referred to, with the languages whose files may do so."""
        world = self.world
        names: dict[str, set[str]] = {}
        for place in (target, *world.groups.of(target).places):
            file = world.at(place)
            name = self._own_name(file, place.index)
            languages = {language for language in world.view.languages() if world.related(language, file.language)}
            names.setdefault(name, set()).update(languages)
        queue = list(names)
        while queue:
            name = queue.pop()
            for alias in self._aliases(target, name, names[name]):
                if alias not in names:
                    names[alias] = names[name]
                    queue.append(alias)
        return names

    def _own_name(self, file: File, index: int) -> str:
        if index:
            return file.name_of(index)
        parts = file.policy.module_parts(file.path)
        return parts[-1] if parts else ""

    def _aliases(self, target: Definition, name: str, languages: set[str]) -> set[str]:
        """Other names that imports and exports give to what they call `name`."""
        world, found = self.world, set()
        home = world.at(target)
        s = home.slice.symbols
        if target.index and s.kind[s.parent[target.index]] in CLASS_KINDS | FUNCTION_KINDS:
            return set()
        if home.slice.symbols.flags[target.index] & Flag.DEFAULT and name != "default":
            found.add("default")
        if name and name == home.policy.whole_export:  # what a module is as a whole is its default as well
            found.add("default")
        paths = {*world.view.importing(name), target.path}
        for path in paths:
            if world.view.language(path) not in languages or (file := world.file(path)) is None:
                continue
            found.update(self._renamed(file, target, name))
            found.update(self._exported(file, target, name))
        return found

    def _renamed(self, file: File, target: Definition, name: str) -> set[str]:
        i, strings = file.slice.imports, file.slice.strings
        found = set()
        for index in file.rows(i.name, name):
            local = strings[i.local[index]]
            if local not in ("", "*", name) and self._leads(file, index, target):
                found.add(local)
        return found

    def _leads(self, file: File, index: int, target: Definition) -> bool:
        named = self.world.modules.imported(file, index)
        return target in self.attribution.definitions(named)

    def _exported(self, file: File, target: Definition, name: str) -> set[str]:
        b, strings, e = file.slice.bindings, file.slice.strings, file.slice.expressions
        found = set()
        for index, kind in enumerate(b.kind):
            if kind != EXPORT or b.value[index] < FIRST_EXPRESSION:
                continue
            row = b.value[index] - FIRST_EXPRESSION
            if e.kind[row] == X_NAME and strings[e.text[row]] == name and strings[b.name[index]] != name:
                named = self.world.scopes.top(file, name)
                if target in self.attribution.definitions(named):
                    found.add(strings[b.name[index]])
        return found
