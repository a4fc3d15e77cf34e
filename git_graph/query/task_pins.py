"""What became of what a task pins: there as it was, the same elsewhere, changed, renamed, or gone.

A pin holds while the file's content is the one it was made of. Otherwise the same lines are looked for in the file,
then the symbol that they were, by the rules of `diff`, in the file and in those that define its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from git_graph.model import Definition
from git_graph.query.diff import differences
from git_graph.query.diff_match import match
from git_graph.query.diff_symbols import SourceFile
from git_graph.query.tasks import Entry
from git_graph.records import NamedTuple
from git_graph.resolve import Resolver

if TYPE_CHECKING:
    from git_graph.model import Slice

CURRENT, MOVED, CHANGED, RENAMED, GONE = STATES = ("current", "moved", "changed", "renamed", "gone")
MAX_FILES = 24
"""Other files in which a symbol is looked for."""
MAX_DEFINITIONS = 8
"""Definitions of one symbol that are read."""
ALIGNED = 20_000
"""Texts of more lines than this together are not aligned."""
Lines = tuple[int, int]


class Contents(Protocol):
    """What is asked of the files of a view and of the past."""

    def content(self, path: str) -> str | None:
        """The content id of a file; None if there is no file of text there."""
        ...

    def load(self, path: str) -> bytes | None:
        """The bytes of a file."""
        ...

    def past(self, path: str, content: str) -> tuple[Slice | None, bytes] | None:
        """A content as it was at a path, with its slice if it has one; None if the repository does not have it."""
        ...

    def paths_of(self, content: str) -> list[str]:
        """The files that have a content."""
        ...


class Found(NamedTuple):
    """What an entry is now: its text, where that is, how that stands to the pin, and a sentence on it."""

    entry: Entry
    state: str
    path: str = ""
    lines: Lines = (0, 0)
    text: str = ""
    symbol: str = ""
    said: str = ""


def find(resolver: Resolver, contents: Contents, entry: Entry) -> list[Found]:
    """What an entry leads to: several things only if it is a symbol with several definitions."""
    if entry.content:
        return [_pinned(resolver, contents, entry)]
    if entry.path:
        return [_file(contents, entry)]
    return _symbols(resolver, contents, entry)


def _file(contents: Contents, entry: Entry) -> Found:
    data = contents.load(entry.path)
    if data is None:
        return Found(entry, GONE, said=f"there is no file {entry.path}")
    return _shown(entry, CURRENT, entry.path, data, _all(data))


def _symbols(resolver: Resolver, contents: Contents, entry: Entry) -> list[Found]:
    found = []
    for definition in resolver.lookup(entry.symbol)[:MAX_DEFINITIONS]:
        data = contents.load(definition.path)
        if data is not None:
            symbol = resolver.symbol(definition)
            lines = (symbol.start_line, symbol.end_line) if definition.index else _all(data)
            found.append(_shown(entry, CURRENT, definition.path, data, lines)._replace(symbol=entry.symbol))
    return found or [Found(entry, GONE, said=f"there is no symbol {entry.symbol}")]


def _pinned(resolver: Resolver, contents: Contents, entry: Entry) -> Found:
    data = contents.load(entry.path)
    if data is not None and contents.content(entry.path) == entry.content:
        lines = entry.lines or _all(data)
        if lines[1] > _all(data)[1]:
            return Found(entry, GONE, said=f"{entry.path} has no lines {_said(lines)} in that content")
        return _shown(entry, CURRENT, entry.path, data, lines)
    past = contents.past(entry.path, entry.content)
    elsewhere = contents.paths_of(entry.content)
    if elsewhere and past is not None:
        path, old = elsewhere[0], past[1]
        lines = entry.lines or _all(old)
        return _shown(entry, MOVED, path, old, lines)._replace(said=f"{entry.path} is {path} now, the same text")
    if past is None:
        return _by_name(resolver, contents, entry, "what was pinned is not in this repository")
    slice_, old = past
    if data is not None and (again := _same_text(entry, old, data)) is not None:
        said = f"the same text, now in lines {_said(again)}"
        return _shown(entry, MOVED, entry.path, data, again)._replace(said=said)
    if slice_ is not None and entry.lines is not None:
        found = _followed(resolver, contents, entry, SourceFile(entry.path, slice_, old))
        if found is not None:
            return found
    if data is not None:
        again = _aligned(entry, old, data)
        said = f"the text has changed, now in lines {_said(again)}"
        return _shown(entry, CHANGED, entry.path, data, again)._replace(said=said)
    return _by_name(resolver, contents, entry, f"there is no file {entry.path}")


def _by_name(resolver: Resolver, contents: Contents, entry: Entry, why: str) -> Found:
    """What has the name of a pin's symbol now."""
    if entry.symbol:
        for found in _symbols(resolver, contents, entry):
            if found.state != GONE:
                said = f"{why}; {entry.symbol} is in {found.path}:{found.lines[0]} now"
                return found._replace(state=CHANGED, said=said)
    return Found(entry, GONE, said=why)


def _followed(resolver: Resolver, contents: Contents, entry: Entry, old: SourceFile) -> Found | None:
    """The symbol that the lines were, wherever it is now."""
    assert entry.lines is not None
    index = _innermost(old.slice, entry.lines)
    if not index:
        return None
    news = dict(_candidates(resolver, contents, entry.path, old.name(index)))
    matches = match({entry.path: old}, news)
    new = matches.new_of.get(Definition(entry.path, index))
    if new is None or not new.index:
        return None
    file = news[new.path]
    s, t = old.slice.symbols, file.slice.symbols
    what = differences(matches, old, file, index, new.index)
    span = t.start_line[new.index], t.end_line[new.index]
    whole = entry.lines == (s.start_line[index], s.end_line[index])
    if not whole and not {"body", "signature"} & set(what):  # the same offsets in the same text
        span = tuple(line - s.start_line[index] + span[0] for line in entry.lines)  # type: ignore[assignment]
    name = resolver.qualified(new)
    state = RENAMED if "renamed" in what else CHANGED if {"body", "signature", "kind"} & set(what) else MOVED
    assert file.data is not None
    was = ".".join(old.slice.parts(index))
    said = f"{was} is {'' if was == name else f'{name} '}in {new.path}:{_said(span)} now"
    if what:
        said += f" ({', '.join(what)})"
    return _shown(entry, state, new.path, file.data, span)._replace(said=said, symbol=name)


def _candidates(resolver: Resolver, contents: Contents, path: str, name: str) -> Iterable[tuple[str, SourceFile]]:
    """The file itself and others that define a name."""
    view = resolver.view
    for other in dict.fromkeys((path, *view.defining(name)[:MAX_FILES])):
        slice_ = view.slice(other)
        data = contents.load(other) if slice_ is not None else None
        if slice_ is not None and data is not None:
            yield other, SourceFile(other, slice_, data)


def _innermost(slice_: Slice, lines: Lines) -> int:
    s = slice_.symbols
    holding = [i for i in range(1, len(s.name)) if s.start_line[i] <= lines[0] and s.end_line[i] >= lines[1]]
    return min(holding, key=lambda i: (s.end_line[i] - s.start_line[i], -i), default=0)


def symbol_at(slice_: Slice, lines: Lines) -> int:
    """The symbol that lines are, or are in; 0 if they are in none."""
    return _innermost(slice_, lines)


# text


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return lines[:-1] if lines and not lines[-1] else lines


def _all(data: bytes) -> Lines:
    return 1, max(1, len(_split(data)))


def _said(lines: Lines) -> str:
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"


def _shown(entry: Entry, state: str, path: str, data: bytes, lines: Lines) -> Found:
    text = b"\n".join(_split(data)[lines[0] - 1 : lines[1]]).decode("utf-8", "surrogateescape")
    return Found(entry, state, path, lines, text, entry.symbol)


def _same_text(entry: Entry, old: bytes, new: bytes) -> Lines | None:
    """The lines of `new` that are the pinned ones, if they are there once."""
    first, last = entry.lines or _all(old)
    wanted, lines = _split(old)[first - 1 : last], _split(new)
    if not any(line.strip() for line in wanted):
        return None
    count = len(wanted)
    starts = [at for at, line in enumerate(lines) if line == wanted[0] and lines[at : at + count] == wanted]
    return (starts[0] + 1, starts[0] + count) if len(starts) == 1 else None


def _aligned(entry: Entry, old: bytes, new: bytes) -> Lines:
    """The lines of `new` that stand where the pinned ones stood."""
    from difflib import SequenceMatcher

    before, after = _split(old), _split(new)
    first, last = entry.lines or _all(old)
    if len(before) + len(after) > ALIGNED:
        return min(first, len(after) or 1), min(last, len(after) or 1)
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()

    def mapped(at: int, *, end: bool) -> int:
        for word, i, j, k, m in blocks:
            if i <= at < j:
                return k + at - i if word == "equal" else (max(k, m - 1) if end else k)
        return len(after) - 1

    start, stop = mapped(first - 1, end=False), mapped(last - 1, end=True)
    return start + 1, max(start, stop) + 1
