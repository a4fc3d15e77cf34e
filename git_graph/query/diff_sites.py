"""References on both sides of a comparison: which site is which, and what each meant and means now.

In a file that has not changed a reference is the one of the same number. In one that has, those of one name, role and
receiver in the same symbol are the same in their order. Looks only where a name that came, went or changed its place is
referred to, and into the files that changed. Knows nothing of how changes are told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import cached_property

from git_graph.model import ATTRIBUTED, EXPORT, IMPORT, NONE, Definition, Resolution, Slice
from git_graph.query.diff_match import Files, Matches
from git_graph.records import NamedTuple
from git_graph.resolve import Occurrence, Resolver
from git_graph.resolve.attribution import BUILTIN_RULE, FREE_RULES, MISSING_RULE, OUTSIDE_RULE, STAR_RULE, VALUE_RULE

MAX_SITES = 50_000
"""So many sites are looked at in one comparison; what is beyond is counted as unlooked."""

Progress = Callable[[int, int], None]


class Site(NamedTuple):
    """A reference that meant `target` and means something else now; `cause` is the symbol (or file) that did it."""

    effect: str
    old: Occurrence
    new: Occurrence
    target: Definition


class Sites:
    """Both sides of a comparison as their references are seen."""

    def __init__(self, old: Resolver, new: Resolver, old_files: Files, new_files: Files, matches: Matches) -> None:
        self.old, self.new = old, new
        self.old_files, self.new_files = old_files, new_files
        self.matches = matches
        self.looked = 0
        self._tables: dict[str, dict[int, int]] = {}
        self._imported: dict[str, dict[tuple[int, int], int]] = {}
        """Path on the new side -> place -> the import reference there."""

    @property
    def bounded(self) -> bool:
        """Whether there was more to look at than is looked at."""
        return self.looked > MAX_SITES

    def changed(self, progress: Progress) -> Iterator[Site]:
        """Every reference that was certain before and is another thing now, sorted by old place."""
        names = self.names
        places: dict[str, list[str]] = {}
        for name in sorted(names):
            for path in self.old.view.referring(name):
                if path not in self.old_files:
                    places.setdefault(path, []).append(name)
        paths = sorted(places.keys() | self.matches.file_of.keys())
        for done, path in enumerate(paths):
            progress(done, len(paths))
            for index in self._indices(path, places.get(path)):
                self.looked += 1
                if self.bounded:
                    return
                if (site := self.compare(path, index)) is not None:
                    yield site

    def _indices(self, path: str, names: list[str] | None) -> Iterable[int]:
        slice_ = self.old.view.slice(path)
        if slice_ is None:
            return ()
        columns = slice_.references
        if names is None:
            return range(len(columns.name))
        wanted = frozenset(names)
        texts = {i for i, text in enumerate(slice_.strings) if text in wanted}
        return [index for index, name in enumerate(columns.name) if name in texts]

    def compare(self, path: str, index: int) -> Site | None:
        """What became of a reference; None if it is gone, was not certain, or means what it meant."""
        there = self.counterpart(path, index)
        if there is None:
            return None
        was = self.old.resolve(path, index)
        if was.target is None or self.old.redefines(path, index):
            return None
        now = self.new.resolve(*there)
        expected = self.expected(was.target)
        if was.outcome == "exact" and now.rule in FREE_RULES:  # a scope or an import led to it, and none does now
            effect = "dangling"
        elif now.target is not None and (expected is None or expected in now.targets):
            if expected is not None:
                return None
            effect = "elsewhere"
        elif now.outcome in ATTRIBUTED:
            effect = "elsewhere"
        else:
            effect = self._left(path, there, was, now)
        return Site(effect, Occurrence(path, index, was), Occurrence(*there, now), was.target)

    def _left(self, old_path: str, there: tuple[str, int], was: Resolution, now: Resolution) -> str:
        """What became of a reference that means no symbol of the view any more."""
        if now.outcome != "dangling":
            return "unclear"
        if now.rule == BUILTIN_RULE:
            return "elsewhere"
        path, index = there
        slice_ = self.new.view.slice(path)
        assert slice_ is not None
        rows = _imports_of(slice_, index)
        if slice_.references.receiver[index] != NONE and not rows:
            if now.rule == OUTSIDE_RULE:  # the receiver is a value from outside now
                return "elsewhere"
            if now.rule == MISSING_RULE and was.outcome == "inferred":  # nobody knows what the receiver is now
                return "unclear"
        rules = {now.rule} if now.rule == OUTSIDE_RULE else {now.rule, *self._import_rules(path, slice_, rows)}
        if rules & {VALUE_RULE, STAR_RULE}:
            return "unclear"
        return "elsewhere" if now.rule == OUTSIDE_RULE and self._leads_out(old_path, path, slice_, rows) else "dangling"

    def _import_rules(self, path: str, slice_: Slice, rows: Collection[int]) -> Iterator[str]:
        """By which rules the imports that bind a name mean what they mean."""
        if path not in self._imported:
            r = slice_.references
            self._imported[path] = {(r.line[k], r.column[k]): k for k, role in enumerate(r.role) if role == IMPORT}
        for row in rows:
            index = self._imported[path].get((slice_.imports.line[row], slice_.imports.column[row]))
            if index is not None:
                yield self.new.resolve(path, index).rule

    def _leads_out(self, old_path: str, path: str, slice_: Slice, rows: Collection[int]) -> bool:
        """Whether imports lead out of the view because they were written so.

        From another module than before, or from a module that is still there and itself offers what is from outside;
        not from one that has gone.
        """
        before = self.old.view.slice(old_path)
        assert before is not None
        known = {_written(before, row) for row in range(len(before.imports.local))}
        return bool(rows) and all(
            _written(slice_, row) not in known or self.new.module_targets(path, row) for row in rows
        )

    def expected(self, target: Definition) -> Definition | None:
        """What a definition of the old side is on the new one, as its group's target; None if it is gone."""
        group = self.old.group(target)
        for place in (group.target, *group.places):
            found = place if place.path not in self.old_files else self.matches.new_of.get(place)
            if found is not None and self.new.view.has(found.path):
                return self.new.group(found).target
        return None

    def was(self, target: Definition) -> Definition | None:
        """What a definition of the new side was on the old one, as its group's target; None if it was not there."""
        group = self.new.group(target)
        for place in (group.target, *group.places):
            found = place if place.path not in self.new_files else self.matches.old_of.get(place)
            if found is not None and self.old.view.has(found.path):
                return self.old.group(found).target
        return None

    # sites on both sides

    def counterpart(self, path: str, index: int) -> tuple[str, int] | None:
        """The same reference on the new side."""
        if path not in self.old_files:
            return (path, index) if self.new.view.has(path) else None
        if path not in self.matches.file_of:
            return None
        if path not in self._tables:
            self._tables[path] = self._table(path)
        found = self._tables[path].get(index)
        return None if found is None else (self.matches.file_of[path], found)

    def _table(self, path: str) -> dict[int, int]:
        one, other = self.old_files[path].slice, self.new_files[self.matches.file_of[path]].slice
        new_path = self.matches.file_of[path]
        table: dict[int, int] = {}
        for modules, others in (
            (_modules(one), _modules(other)),
            ({}, {}),
        ):  # imports by what they import from, at first
            places: dict[Hashable, list[int]] = {}
            taken = set(table.values())
            for index, symbol in enumerate(other.references.symbol):
                if index not in taken:
                    places.setdefault((symbol, others.get(index), *_key(other, index)), []).append(index)
            for index, symbol in enumerate(one.references.symbol):
                there = self.matches.new_of.get(Definition(path, symbol))
                if index in table or there is None or there.path != new_path:
                    continue
                waiting = places.get((there.index, modules.get(index), *_key(one, index)))
                if waiting:
                    table[index] = waiting.pop(0)
        return table

    # names whose meaning may have changed

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that may mean something else in files that have not changed."""
        return frozenset(self._gone()) | frozenset(self._dropped()) | frozenset(self._came())

    def _gone(self) -> Iterator[str]:
        """Names of what was removed, renamed or moved, and of the files that hold it."""
        for path, file in self.old_files.items():
            now = self.matches.file_of.get(path)
            if now != path:
                yield self.old.symbol(Definition(path, 0)).name
            for index in range(1, len(file.slice.symbols.name)):
                here = self.matches.new_of.get(Definition(path, index))
                if here is None or now != path or not self._in_place(Definition(path, index), here):
                    yield file.name(index)

    def _in_place(self, old: Definition, new: Definition) -> bool:
        one, other = self.old_files[old.path], self.new_files[new.path]
        return old.path == new.path and one.slice.parts(old.index) == other.slice.parts(new.index)

    def _dropped(self) -> Iterator[str]:
        """Names that a file imported or exported, and does not any more."""
        for path, file in self.old_files.items():
            there = self.matches.file_of.get(path)
            left = _offered(self.new_files[there].slice) if there is not None else frozenset()
            yield from _offered(file.slice) - left

    def _came(self) -> Iterator[str]:
        """Names of top-level symbols that are new: they may stand in for others."""
        for definition in self.matches.added:
            file = self.new_files[definition.path]
            if definition.index and not file.slice.symbols.parent[definition.index]:
                yield file.name(definition.index)


def _key(slice_: Slice, index: int) -> tuple[str, int, str]:
    columns = slice_.references
    return slice_.strings[columns.name[index]], columns.role[index], slice_.render(columns.receiver[index])


def _imports_of(slice_: Slice, index: int) -> list[int]:
    """The imports that a reference is, or that bind what it begins with."""
    r, i = slice_.references, slice_.imports
    if r.role[index] == IMPORT:
        place = r.line[index], r.column[index]
        return [row for row, at in enumerate(zip(i.line, i.column, strict=True)) if at == place]
    root = slice_.render(r.receiver[index]).partition(".")[0] or slice_.strings[r.name[index]]
    return [row for row, local in enumerate(i.local) if slice_.strings[local] == root]


def _modules(slice_: Slice) -> dict[int, str]:
    """Reference -> the module that it imports from, as written."""
    i, r = slice_.imports, slice_.references
    at = {
        (line, column): slice_.strings[module] for line, column, module in zip(i.line, i.column, i.module, strict=True)
    }
    return {
        index: at[place]
        for index, place in enumerate(zip(r.line, r.column, strict=True))
        if r.role[index] == IMPORT and place in at
    }


def _written(slice_: Slice, row: int) -> tuple[str, str, str, int]:
    """An import as it is written."""
    i, strings = slice_.imports, slice_.strings
    return strings[i.local[row]], strings[i.module[row]], strings[i.name[row]], i.depth[row]


def _offered(slice_: Slice) -> frozenset[str]:
    """The names that a file imports, and those it exports by saying so."""
    strings, bindings = slice_.strings, slice_.bindings
    exports = (strings[name] for name, kind in zip(bindings.name, bindings.kind, strict=True) if kind == EXPORT)
    return frozenset((*exports, *(strings[local] for local in slice_.imports.local))) - {"", "*"}
