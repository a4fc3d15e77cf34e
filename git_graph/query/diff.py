"""What became of the symbols between two sides, and of the references to them?

A symbol is changed when the tokens of its signature or of its own text differ: not when it moves within its container,
is indented as a whole, or is written in other lines. What its members are does not count; a member is a symbol of its
own. Comments and documentation are apart: a symbol of which nothing else differs is listed only if asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from git_graph.model import Definition
from git_graph.query.describe import Describer
from git_graph.query.diff_match import Files, Matches, match
from git_graph.query.diff_sites import Progress, Site, Sites
from git_graph.query.diff_symbols import SourceFile, split
from git_graph.query.diff_values import CHANGES, EFFECTS, Affected, Change, FileStat
from git_graph.query.filters import path_filter
from git_graph.query.imports import quiet
from git_graph.query.values import Answer
from git_graph.records import NamedTuple
from git_graph.resolve import Resolver

MAX_REFERENCES = 20
"""So many references are shown of one change."""


class ChangedFile(NamedTuple):
    """A path whose content differs, and how its bytes are read on each side; None where there is no file."""

    path: str
    old: Callable[[], bytes | None] | None
    new: Callable[[], bytes | None] | None


class Comparison:
    """Two sides, the files that differ between them, and which symbol is which."""

    def __init__(
        self,
        old: Resolver,
        new: Resolver,
        changed: Iterable[ChangedFile],
        load: Callable[[str], bytes | None] = lambda path: None,
    ) -> None:
        """`load` gives the bytes of any file of the new side."""
        self.old, self.new, self.load = old, new, load
        self.unread: list[str] = []
        self.blind: set[str] = set()
        """Paths that have a slice on the old side, and a file without one on the new: what is in it is not known."""
        self.old_files: dict[str, SourceFile] = {}
        self.new_files: dict[str, SourceFile] = {}
        for path, read_old, read_new in changed:
            self._load(self.old_files, old, path, read_old)
            self._load(self.new_files, new, path, read_new)
            if path in self.unread:  # what is known of one side only is no difference
                for files in (self.old_files, self.new_files):
                    if path in files:
                        files[path] = SourceFile(path, files[path].slice, None)
            if path in self.old_files and path not in self.new_files and read_new is not None:
                self.blind.add(path)
        self.matches: Matches = match(self.old_files, self.new_files)
        self.sites = Sites(old, new, self.old_files, self.new_files, self.matches)

    def _load(
        self, files: dict[str, SourceFile], resolver: Resolver, path: str, read: Callable[[], bytes | None] | None
    ) -> None:
        slice_ = resolver.view.slice(path)
        if read is None or slice_ is None:
            return
        data = read()
        if data is None:
            self.unread.append(path)
        files[path] = SourceFile(path, slice_, data)


def diff(
    comparison: Comparison,
    query: dict[str, Any],
    *,
    paths: tuple[str, ...] = (),
    comments: bool = False,
    references: bool = True,
    stat: bool = False,
    limit: int = 100,
    progress: Progress = quiet,
) -> Answer:
    """The symbols that differ between two sides, by file and place, each with the references that change with it.

    `paths` narrows what is listed; `comments` lists symbols of which nothing but comments differs; `stat` gives one
    FileStat for each file. `references` False looks for none.
    """
    within = path_filter(paths)
    found = [change for change in symbol_changes(comparison) if any(map(within, _paths(change)))]
    silent = [change for change in found if change.what == ("comments",)]
    if not comments:
        found = [change for change in found if change.what != ("comments",)]
    sites: dict[Definition, list[Site]] = {}
    if references:
        for site in comparison.sites.changed(progress):
            sites.setdefault(site.target, []).append(site)
    found = _with_reach(comparison, found, sites, within)
    effects = {change: _sites_of(comparison, change, sites) for change in found}
    told = Counter(site.effect for rows in effects.values() for site in rows)
    facts = {
        "changes": _counts(found),
        "references": {effect: told[effect] for effect in EFFECTS},
        "comments_only": len(silent),
    }
    warnings = _warnings(comparison)
    if stat:
        rows = _stats(found, effects)
        shown_rows = rows[:limit] if limit else rows
        return Answer(
            "diff", query, tuple(shown_rows), len(rows), len(shown_rows) < len(rows), warnings=warnings, facts=facts
        )
    shown = found[:limit] if limit else found
    describers = Describer(comparison.old), Describer(comparison.new)
    results = tuple(_told(change, effects[change], describers) for change in shown)
    return Answer("diff", query, results, len(found), len(shown) < len(found), warnings=warnings, facts=facts)


class SymbolChange(NamedTuple):
    """A change before it is described."""

    change: str
    what: tuple[str, ...]
    old: Definition | None
    new: Definition | None
    old_members: tuple[Definition, ...] = ()
    new_members: tuple[Definition, ...] = ()


def symbol_changes(comparison: Comparison) -> list[SymbolChange]:
    """Every symbol that differs, by new place (old place where there is no new one).

    What came or went with the symbol around it is told with that; a class or file that moves takes its members along.
    """
    matches, old_files, new_files = comparison.matches, comparison.old_files, comparison.new_files
    found: dict[tuple[Definition | None, Definition | None], SymbolChange] = {}
    for one, other in matches.new_of.items():
        what = differences(matches, old_files[one.path], new_files[other.path], one.index, other.index)
        if what:
            _put(comparison, found, SymbolChange(headword(what), what, one, other))
    for definition, members in _outermost(old_files, matches.removed):
        _put(comparison, found, SymbolChange("removed", (), definition, None, members))
    for definition, members in _outermost(new_files, matches.added):
        _put(comparison, found, SymbolChange("added", (), None, definition, (), members))
    return sorted(found.values(), key=lambda change: _order(comparison, change))


def headword(what: Sequence[str]) -> str:
    """The one word of CHANGES for the ways in which a symbol differs."""
    return next((word for word in ("renamed", "moved") if word in what), "changed")


def _put(
    comparison: Comparison, found: dict[tuple[Definition | None, Definition | None], SymbolChange], change: SymbolChange
) -> None:
    """Tell several places of one symbol (a prototype and its definition) once, as what becomes of its target."""
    one = comparison.old.group(change.old).target if change.old else None
    other = comparison.new.group(change.new).target if change.new else None
    if one is not None and other is None and _is_left(comparison, comparison.old, one, change.old):
        other = comparison.sites.expected(one)
        change = SymbolChange("changed", ("places",), one, other)
    elif other is not None and one is None and _is_left(comparison, comparison.new, other, change.new):
        one = comparison.sites.was(other)
        change = SymbolChange("changed", ("places",), one, other)
    known = found.get((one, other))
    if known is not None:
        what = tuple(dict.fromkeys((*known.what, *change.what)))
        change = known._replace(what=what)
    found[one, other] = change


def _is_left(comparison: Comparison, resolver: Resolver, target: Definition, place: Definition | None) -> bool:
    """Whether another place of a symbol is on both sides, so that the symbol has neither come nor gone."""
    group = resolver.group(target)
    if not group.places:
        return False
    mine = comparison.old_files if resolver is comparison.old else comparison.new_files
    partner = comparison.matches.new_of if resolver is comparison.old else comparison.matches.old_of
    return any(d.path not in mine or d in partner for d in (group.target, *group.places) if d != place)


def differences(matches: Matches, old: SourceFile, new: SourceFile, i: int, j: int) -> tuple[str, ...]:
    """In which ways two symbols that are one differ."""
    if not i:
        return (*(("moved",) if old.path != new.path else ()), *_written(old, new, 0, 0, ()))
    what = []
    around = Definition(old.path, old.slice.symbols.parent[i])
    if matches.new_of.get(around) != Definition(new.path, new.slice.symbols.parent[j]):
        what.append("moved")
    if old.kind(i) != new.kind(j) and "moved" not in what:
        what.append("kind")
    if old.name(i) != new.name(j):
        what.append("renamed")
    elif "moved" not in what and old.exported(i) != new.exported(j):
        what.append("visibility")
    what.extend(_written(old, new, i, j, _names(old, new, i, j)))
    return tuple(what)


def _names(old: SourceFile, new: SourceFile, i: int, j: int) -> tuple[tuple[str, str], ...]:
    """The old and new names of a symbol and of what is around it, where they differ."""
    found = []
    while i > 0 and j > 0:
        if old.name(i) != new.name(j):
            found.append((old.name(i), new.name(j)))
        i, j = old.slice.symbols.parent[i], new.slice.symbols.parent[j]
    return tuple(found)


def _written(old: SourceFile, new: SourceFile, i: int, j: int, names: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """What differs in what is written: signature, decorators, body, or nothing but comments."""
    if old.implicit(i) and new.implicit(j):
        return ()
    renamed = frozenset(names)

    def same(ones: Sequence[str], others: Sequence[str]) -> bool:
        if len(ones) != len(others):
            return False
        return all(a == b or (a, b) in renamed for a, b in zip(ones, others, strict=True))

    what = []
    one, other = old.own(i), new.own(j)
    signatures = (old.signature(i), new.signature(j)) if i else ([], [])
    if not same(*signatures):
        what.append("signature")
    if not same(one, other):
        left, right = split(one, signatures[0]), split(other, signatures[1])
        if left is not None and right is not None:
            what.extend(word for word, at in (("decorators", 0), ("body", 1)) if not same(left[at], right[at]))
        elif not what:
            what.append("body")
        if not what:
            what.append("body")
    if old.data is None and old.shape(i) != new.shape(j):
        what.append("body")
    if not what and old.data != new.data and old.comments(i) != new.comments(j):
        what.append("comments")
    return tuple(what)


def _outermost(files: Files, definitions: list[Definition]) -> Iterable[tuple[Definition, tuple[Definition, ...]]]:
    """Symbols that came or went, each with those in it that did so with it."""
    alone = set(definitions)
    for definition in definitions:
        file = files[definition.path]
        around = file.slice.symbols.parent[definition.index]
        if Definition(definition.path, around) in alone:
            continue
        below = (Definition(definition.path, index) for index in file.members(definition.index))
        yield definition, tuple(member for member in below if member in alone)


def _order(comparison: Comparison, change: SymbolChange) -> tuple[str, int, int]:
    definition = change.new or change.old
    assert definition is not None
    files = comparison.new_files if change.new else comparison.old_files
    return definition.path, files[definition.path].slice.symbols.line[definition.index], definition.index


# references


def _sites_of(comparison: Comparison, change: SymbolChange, sites: dict[Definition, list[Site]]) -> list[Site]:
    if change.old is None:
        return []
    places = {change.old, comparison.old.group(change.old).target, *change.old_members}
    if change.old.index == 0 and "moved" in change.what:
        file = comparison.old_files[change.old.path]
        places |= {Definition(change.old.path, index) for index in range(len(file.slice.symbols.name))}
    found = [site for place in sorted(places) for site in sites.get(place, ())]
    return sorted(found, key=lambda site: (site.new.path, site.new.index))


def _with_reach(
    comparison: Comparison,
    found: list[SymbolChange],
    sites: dict[Definition, list[Site]],
    within: Callable[[str], bool],
) -> list[SymbolChange]:
    """The changes, and one more for each symbol that is the same and whose references are not."""
    covered: set[Definition] = set()
    for change in found:
        covered |= {site.target for site in _sites_of(comparison, change, sites)}
    more = [
        SymbolChange("changed", ("reach",), target, comparison.sites.expected(target))
        for target in sorted(sites)
        if target not in covered and within(target.path)
    ]
    everything = [*found, *more]
    return sorted(everything, key=lambda change: _place(comparison, change)) if more else everything


def _place(comparison: Comparison, change: SymbolChange) -> tuple[str, int, int]:
    definition = change.new or change.old
    assert definition is not None
    resolver = comparison.new if change.new else comparison.old
    return definition.path, resolver.symbol(definition).line, definition.index


# telling


def _told(change: SymbolChange, sites: list[Site], describers: tuple[Describer, Describer]) -> Change:
    old, new = describers
    return Change(
        change.change,
        change.what,
        old.symbol(change.old) if change.old else None,
        new.symbol(change.new) if change.new else None,
        old.symbols(change.old_members) or new.symbols(change.new_members),
        tuple(
            Affected(site.effect, old.reference(site.old), new.reference(site.new)) for site in sites[:MAX_REFERENCES]
        ),
        len(sites),
    )


def _paths(change: SymbolChange) -> list[str]:
    return [definition.path for definition in (change.old, change.new) if definition is not None]


def _counts(found: Iterable[SymbolChange]) -> dict[str, int]:
    counts = dict.fromkeys(CHANGES, 0)
    for change in found:
        if change.what != ("reach",):
            counts[change.change] += 1
    return counts


def _stats(found: Iterable[SymbolChange], effects: dict[SymbolChange, list[Site]]) -> list[FileStat]:
    rows: dict[str, FileStat] = {}
    for change in found:
        path = _paths(change)[-1]
        row = rows.get(path) or FileStat(path, None, 0, 0, 0, 0, 0)
        dangling = sum(site.effect == "dangling" for site in effects[change])
        rows[path] = _counted(row, change)._replace(dangling=row.dangling + dangling)
    return [row for _, row in sorted(rows.items())]


def _counted(row: FileStat, change: SymbolChange) -> FileStat:
    """A file's row with one more change; the file itself is no symbol."""
    if change.what == ("reach",):
        return row
    of_file = not (change.new or change.old or Definition("", 1)).index
    if of_file and change.old is not None and change.old.path != row.path:
        return row._replace(old_path=change.old.path)
    count = len(change.old_members) + len(change.new_members) + (change.change == "changed" or not of_file)
    column = "moved" if change.change == "renamed" else change.change
    return row._replace(**{column: getattr(row, column) + count})


def _warnings(comparison: Comparison) -> tuple[str, ...]:
    said = []
    if comparison.unread:
        more = f" and {len(comparison.unread) - 1} more" if len(comparison.unread) > 1 else ""
        said.append(
            f"unread: {comparison.unread[0]}{more} could not be read, only signatures and references were compared"
        )
    if comparison.sites.bounded:
        said.append("bounded: there are more references to names that changed than were looked at")
    return tuple(said)
