"""Which commits added, changed, moved, renamed or removed a symbol?

Goes back through the commits that touched its file, and where it came from another file or had another name, on from
there. Each commit is compared with its first parent, by the same rules as `diff`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from git_graph.model import FLAG_NAMES, Definition, Flag, Slice
from git_graph.query.diff import differences, headword
from git_graph.query.diff_match import Matches, match
from git_graph.query.diff_symbols import SourceFile, space
from git_graph.query.diff_values import Change
from git_graph.query.values import Answer, SymbolInfo
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.git.history import Commit, Touched

MAX_COMMITS = 20_000
"""So many commits are looked at for one symbol."""
_SEPARATORS = re.compile(r"::|[.#]")
MAX_FILES = 400
"""In a commit that changed more files than this, a symbol is not looked for in others."""
AHEAD = 48
"""Commits whose contents are made ready together."""

Source = tuple[Slice, bytes]


class History(Protocol):
    """What a walk asks of a repository."""

    def touching(self, start: str, path: str) -> Iterator[Commit]:
        """The commits from `start` on that changed a path, newest first."""
        ...

    def content(self, commit: str, path: str) -> str | None:
        """The content that a commit holds at a path."""
        ...

    def mentioning(self, start: str, text: str) -> Iterator[Commit]:
        """The newest commits in which a text occurs more or less often than before, with all that they changed."""
        ...

    def changed(self, commit: Commit) -> tuple[Touched, ...]:
        """Everything that a commit changed against its first parent."""
        ...

    def want(self, keys: Iterable[tuple[str, str]]) -> None:
        """Have contents ready."""
        ...

    def source(self, path: str, content: str | None) -> Source | None:
        """A content's slice and bytes."""
        ...


class Entry(NamedTuple):
    """What one commit did to the symbol. `date` is ISO 8601."""

    commit: str
    date: str
    author: str
    subject: str
    change: Change
    time: int = 0


class Start(NamedTuple):
    """Where a walk begins: a commit, a path, and the symbol as it is called there (`kind`: space of its kind)."""

    commit: str
    path: str
    parts: tuple[str, ...]
    kind: int


def log(
    starts: Iterable[Start],
    history: History,
    query: Mapping[str, Any],
    *,
    limit: int = 100,
    since: int | None = None,
    until: int | None = None,
    comments: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Answer:
    """The commits that did something to the symbols, newest first, at most `limit` (0: all).

    `since` and `until` are seconds since 1970; what is newer than `until` is followed and not told. `facts` say how
    many commits were looked at, and `bounded` whether there were more.
    """
    found: list[Entry] = []
    looked, bounded = 0, False
    for start in starts:
        walk = Walk(history, start, since)
        kept = 0
        for entry in walk.entries():
            looked_now = looked + walk.looked
            progress(looked_now, looked_now)
            if (until is not None and entry.time > until) or (entry.change.what == ("comments",) and not comments):
                continue
            found.append(entry)
            kept += 1
            if limit and kept > limit:
                break
        looked += walk.looked
        bounded = bounded or walk.looked >= MAX_COMMITS
    found.sort(key=lambda entry: -entry.time)
    shown = found[:limit] if limit else found
    warnings = (f"bounded: only the newest {MAX_COMMITS:,} commits of a file were looked at",) if bounded else ()
    more = len(shown) < len(found)
    facts = {"commits": looked, "bounded": bounded}
    return Answer("log", query, tuple(shown), len(found), more, warnings=warnings, facts=facts)


class Walk:
    """One symbol's way back."""

    def __init__(self, history: History, start: Start, since: int | None = None) -> None:
        self._history = history
        self._start = start
        self._since = since
        self._names = [start.parts]
        self._kind = start.kind
        self._files: dict[tuple[str, str], SourceFile | None] = {}
        self.looked = 0

    def entries(self) -> Iterator[Entry]:
        """What each commit did, newest first."""
        commit, path = self._start.commit, self._start.path
        seen: set[tuple[str, str]] = set()
        while (commit, path) not in seen and self.looked < MAX_COMMITS:
            seen.add((commit, path))
            further = None
            commits = self._history.touching(commit, path)
            while batch := list(islice(commits, AHEAD)):
                self._history.want(self._contents(batch))
                for one in batch:
                    self.looked += 1
                    if (self._since is not None and one.time < self._since) or self.looked > MAX_COMMITS:
                        return
                    entry, further = self._look(one, path)
                    if entry is not None:
                        yield entry
                    if further is not None:
                        break
                if further is not None:
                    break
            if further is None:
                return
            commit, path = further

    @staticmethod
    def _contents(batch: Iterable[Commit]) -> list[tuple[str, str]]:
        touched = [item for commit in batch for item in commit.touched]
        return [(item.path, content) for item in touched for content in (item.old, item.new) if content is not None]

    def _look(self, commit: Commit, path: str) -> tuple[Entry | None, tuple[str, str] | None]:
        """What a commit did, and where to go on if the symbol came from another file."""
        item = next((item for item in commit.touched if item.path == path), None)
        if item is None:
            return None, None
        old, new = self._file(path, item.old), self._file(path, item.new)
        i, j = self._locate(old), self._locate(new)
        if j is None:
            if i is None or old is None or self._went(commit, path):
                return None, None
            return self._entry(commit, (), old, i, None, None), None
        assert new is not None
        if old is not None and i is not None and old.slice.parts(i) == new.slice.parts(j):
            if old.text(i) == new.text(j) or self._merged(commit, path, new, j):
                return None, None
            return self._entry(commit, differences(_in_place(old, i, new, j), old, new, i, j), old, i, new, j), None
        if self._merged(commit, path, new, j):
            return None, None
        return self._came(commit, path, new, j)

    def _merged(self, commit: Commit, path: str, new: SourceFile, j: int) -> bool:
        """Whether a merge took the symbol as it is from another parent than the first, on whose side it is told."""
        for parent in commit.parents[1:]:
            other = self._file(path, self._history.content(parent, path))
            i = self._locate(other)
            if other is None or i is None:
                continue
            if other.slice.parts(i) == new.slice.parts(j) and other.text(i) == new.text(j):
                return True
        return False

    def _went(self, commit: Commit, path: str) -> bool:
        """Whether another parent of a merge does not have the symbol, so that it went there."""
        return any(self._locate(self._file(path, self._history.content(p, path))) is None for p in commit.parents[1:])

    def _came(self, commit: Commit, path: str, new: SourceFile, j: int) -> tuple[Entry | None, tuple[str, str] | None]:
        """It was not there, or not by that name: look for it in everything that the commit changed."""
        olds, news = self._sides(commit, path, new)
        found = match(olds, news)
        one = found.old_of.get(Definition(path, j))
        if one is None:
            return self._entry(commit, (), None, None, new, j), None
        old = olds[one.path]
        what = differences(found, old, new, one.index, j)
        if one.path != path and "moved" not in what:  # with its whole file
            what = ("moved", *what)
        entry = self._entry(commit, what, old, one.index, new, j)
        self._names.insert(0, old.slice.parts(one.index))
        self._kind = space(old.slice.symbols.kind[one.index])
        return entry, (commit.parents[0], one.path) if one.path != path and commit.parents else None

    def _sides(self, commit: Commit, path: str, new: SourceFile) -> tuple[dict[str, SourceFile], dict[str, SourceFile]]:
        everything = self._history.changed(commit)
        if len(everything) > MAX_FILES:
            everything = tuple(item for item in everything if item.path == path)
        else:
            self._history.want((i.path, c) for i in everything for c in (i.old, i.new) if c is not None)
        olds: dict[str, SourceFile] = {}
        news: dict[str, SourceFile] = {}
        for item in everything:
            for files, content in ((olds, item.old), (news, item.new)):
                file = self._file(item.path, content)
                if file is not None:
                    files[item.path] = file
        return olds, {**news, path: new}

    def _file(self, path: str, content: str | None) -> SourceFile | None:
        if content is None:
            return None
        key = path, content
        if key not in self._files:
            if len(self._files) >= AHEAD:
                self._files.clear()
            source = self._history.source(path, content)
            self._files[key] = None if source is None else SourceFile(path, *source)
        return self._files[key]

    def _locate(self, file: SourceFile | None) -> int | None:
        """The symbol in a file, by the newest of the names that it is known to have had on the way."""
        if file is None:
            return None
        kinds = file.slice.symbols.kind
        for parts in self._names:
            if not parts:
                return 0
            wanted = [i for i in range(1, len(kinds)) if file.name(i) == parts[-1] and file.slice.parts(i) == parts]
            same = [i for i in wanted if space(kinds[i]) == self._kind] or wanted
            if same:
                return next((i for i in same if not file.slice.symbols.flags[i] & Flag.DECLARATION), same[0])
        return None

    @staticmethod
    def _entry(
        commit: Commit,
        what: tuple[str, ...],
        old: SourceFile | None,
        i: int | None,
        new: SourceFile | None,
        j: int | None,
    ) -> Entry | None:
        one = describe(old, i) if old is not None and i is not None else None
        other = describe(new, j) if new is not None and j is not None else None
        if one is not None and other is not None and not what:
            return None
        word = "added" if one is None else "removed" if other is None else headword(what)
        change = Change(word, what, one, other)
        return Entry(commit.id, commit.date, commit.author, commit.subject, change, commit.time)


def _in_place(old: SourceFile, i: int, new: SourceFile, j: int) -> Matches:
    """What is known of a symbol that is where it was: what is around it is the same."""
    one = Definition(old.path, old.slice.symbols.parent[i])
    other = Definition(new.path, new.slice.symbols.parent[j])
    return Matches({one: other}, {other: one}, {}, [], [])


def removed(history: History, head: str, symbol: str) -> list[Start]:
    """Where to begin for a symbol that `head` does not have: the newest commit that took one of that name away."""
    parts = tuple(part for part in _SEPARATORS.split(symbol) if part)
    if not parts:
        return []
    for commit in history.mentioning(head, parts[-1]):
        history.want((i.path, c) for i in commit.touched for c in (i.old, i.new) if c is not None)
        kept = {name for item in commit.touched for name in _named(history, item.path, item.new)}
        found = [
            Start(commit.id, item.path, named, kind)
            for item in commit.touched
            for named, kind in _named(history, item.path, item.old).items()
            if named[-len(parts) :] == parts and named not in kept
        ]
        if found:
            return found
    return []


def _named(history: History, path: str, content: str | None) -> dict[tuple[str, ...], int]:
    """The symbols of a content by what they are called, each with the space of its kind."""
    source = history.source(path, content)
    if source is None:
        return {}
    file = SourceFile(path, *source)
    indices = (i for i in range(1, len(file.slice.symbols.name)) if not file.implicit(i))
    return {file.slice.parts(i): space(file.slice.symbols.kind[i]) for i in indices}


def describe(file: SourceFile, index: int) -> SymbolInfo:
    """A symbol as answers show it, from its file alone."""
    symbol = file.slice.symbol(index)
    stem = file.path.rpartition("/")[2]
    return SymbolInfo(
        symbol.name if index else stem.rpartition(".")[0] or stem,
        ".".join(file.slice.parts(index)) or file.path,
        symbol.kind,
        file.path,
        symbol.line,
        symbol.column,
        symbol.start_line,
        symbol.end_line,
        symbol.signature,
        file.slice.language,
        tuple(name for flag, name in FLAG_NAMES if flag in symbol.flags),
    )
