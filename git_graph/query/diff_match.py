"""Which symbol of one side is which of the other, over the files that differ.

First by name within the same container, then by what is written: the same symbol elsewhere (moved), the same text under
another name (renamed), and, where that leaves exactly one, much the same text. Never a guess among equals: what could
be several is added and removed. Files pair by path, then by content. The outcome depends on nothing but both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from git_graph.model import Definition
from git_graph.query.diff_symbols import SourceFile, space
from git_graph.records import NamedTuple

SIMILAR_FILES, SIMILAR_MOVED, SIMILAR_RENAMED = 0.5, 0.5, 0.6
"""Shares of what is written that have to be equal for files, for symbols of one name, for symbols in one container."""
LEAST, LEAST_ELSEWHERE = 10, 16
"""Tokens below which equal text says little: within one container, and anywhere."""
MOST_PAIRS = 40_000
"""More pairs of files, or of symbols, than these are not compared by similarity."""
ROUNDS = 4

Files = Mapping[str, SourceFile]


class Matches(NamedTuple):
    """What was found: symbols and files of both sides, and the symbols that are on one side alone."""

    new_of: dict[Definition, Definition]
    old_of: dict[Definition, Definition]
    file_of: dict[str, str]
    """Old path -> new path, of files that are on both sides."""
    removed: list[Definition]
    added: list[Definition]


def match(old: Files, new: Files) -> Matches:
    """Match the symbols of the files that differ."""
    return _Matching(old, new).run()


class _Matching:
    def __init__(self, old: Files, new: Files) -> None:
        self.old, self.new = old, new
        self.new_of: dict[Definition, Definition] = {}
        self.old_of: dict[Definition, Definition] = {}
        self.file_of = {path: path for path in old if path in new}

    def run(self) -> Matches:
        self.file_of |= _moved_files(
            {path: file for path, file in self.old.items() if path not in self.new},
            {path: file for path, file in self.new.items() if path not in self.old},
        )
        for path in sorted(self.file_of):
            self._pair(Definition(path, 0), Definition(self.file_of[path], 0))
        for _ in range(ROUNDS):
            before = len(self.new_of)
            for step in (
                self._moved,
                self._renamed_here,
                self._renamed_values,
                self._renamed_elsewhere,
                self._much_moved,
                self._much_renamed,
            ):
                step()
            if len(self.new_of) == before:
                break
        return Matches(self.new_of, self.old_of, self.file_of, *self._left())

    def _left(self) -> tuple[list[Definition], list[Definition]]:
        removed = [d for d in _all(self.old) if d not in self.new_of]
        added = [d for d in _all(self.new) if d not in self.old_of]
        return removed, added

    def _pair(self, old: Definition, new: Definition) -> None:
        """Take two symbols for one, and those of their members that are the same by name."""
        stack = [(old, new)]
        while stack:
            old, new = stack.pop()
            self.new_of[old], self.old_of[new] = new, old
            one, other = self.old[old.path], self.new[new.path]
            ones = [i for i in one.children.get(old.index, ()) if Definition(old.path, i) not in self.new_of]
            others = [i for i in other.children.get(new.index, ()) if Definition(new.path, i) not in self.old_of]
            for i, j in _named_alike(one, ones, other, others):
                stack.append((Definition(old.path, i), Definition(new.path, j)))

    def _open(self) -> tuple[list[Definition], list[Definition]]:
        """The symbols that have no counterpart yet."""
        removed, added = self._left()
        return (
            [d for d in removed if d.index and not self.old[d.path].implicit(d.index)],
            [d for d in added if d.index and not self.new[d.path].implicit(d.index)],
        )

    def _join(
        self, of_old: Callable[[Definition], Hashable | None], of_new: Callable[[Definition], Hashable | None]
    ) -> None:
        """Pair the symbols whose keys are equal and that are the only ones with it on their side."""
        removed, added = self._open()
        olds, news = _by(removed, of_old), _by(added, of_new)
        for key, ones in olds.items():
            others = news.get(key, ())
            for one, other in self._certain(ones, others):
                if one not in self.new_of and other not in self.old_of and self._fits(one, other):
                    self._pair(one, other)

    def _certain(self, ones: list[Definition], others: Iterable[Definition]) -> list[tuple[Definition, Definition]]:
        others = list(others)
        if len(ones) == len(others) == 1:
            return [(ones[0], others[0])]
        found = []
        within = _by(others, lambda d: self.new[d.path].slice.parts(d.index)[:-1])
        for where, group in _by(ones, lambda d: self.old[d.path].slice.parts(d.index)[:-1]).items():
            if len(group) == 1 and len(within.get(where, ())) == 1:
                found.append((group[0], within[where][0]))
        return found

    def _fits(self, one: Definition, other: Definition) -> bool:
        """Whether two symbols may be one: of one language, and neither stands in its own counterpart."""
        return self.old[one.path].slice.language == self.new[other.path].slice.language

    # the steps

    def _moved(self) -> None:
        """The same name and text in another container or file."""

        def key(files: Files) -> Callable[[Definition], Hashable | None]:
            def of(d: Definition) -> Hashable | None:
                file = files[d.path]
                tokens = file.whole(d.index)
                parts = file.slice.parts(d.index)
                if len(tokens) < LEAST and (len(parts) > 1 or space(file.slice.symbols.kind[d.index]) == 3):
                    return (parts, "\0".join(tokens))
                return (file.key(d.index)[::2], "\0".join(tokens))

            return of

        self._join(key(self.old), key(self.new))

    def _renamed_here(self) -> None:
        """The same text under another name in the same container."""

        def of_old(d: Definition) -> Hashable | None:
            container = self.new_of.get(_container(self.old, d))
            return None if container is None else self._text(self.old, d, LEAST, container)

        def of_new(d: Definition) -> Hashable | None:
            container = _container(self.new, d)
            return self._text(self.new, d, LEAST, container) if container in self.old_of else None

        self._join(of_old, of_new)

    def _renamed_values(self) -> None:
        """A variable, constant or field under another name in the same container, given what no other is there."""

        def of_old(d: Definition) -> Hashable | None:
            container = self.new_of.get(_container(self.old, d))
            return None if container is None else self._value(self.old, d, container)

        def of_new(d: Definition) -> Hashable | None:
            container = _container(self.new, d)
            return self._value(self.new, d, container) if container in self.old_of else None

        self._join(of_old, of_new)

    def _value(self, files: Files, d: Definition, container: Definition) -> Hashable | None:
        file = files[d.path]
        given = file.given(d.index)
        if space(file.slice.symbols.kind[d.index]) != 3 or not is_distinctive(given):
            return None
        return (container, given) if file.times_given(d.index) == 1 else None

    def _renamed_elsewhere(self) -> None:
        """The same text under another name anywhere."""
        self._join(
            lambda d: self._text(self.old, d, LEAST_ELSEWHERE, None),
            lambda d: self._text(self.new, d, LEAST_ELSEWHERE, None),
        )

    def _text(self, files: Files, d: Definition, least: int, container: Definition | None) -> Hashable | None:
        file = files[d.path]
        if len(file.whole(d.index)) < least:
            return None
        return space(file.slice.symbols.kind[d.index]), file.masked(d.index), container

    def _much_moved(self) -> None:
        """One name, much the same text, at the top of another file or in a container of the same name."""

        def key(files: Files) -> Callable[[Definition], Hashable | None]:
            def of(d: Definition) -> Hashable | None:
                file = files[d.path]
                if space(file.slice.symbols.kind[d.index]) == 3:
                    return None
                return file.slice.parts(d.index)[-2:], file.key(d.index)

            return of

        self._alike(key(self.old), key(self.new), SIMILAR_MOVED)

    def _much_renamed(self) -> None:
        """Another name in the same container, much the same text."""

        def of_old(d: Definition) -> Hashable | None:
            return self._place(self.old, d, self.new_of.get(_container(self.old, d)))

        def of_new(d: Definition) -> Hashable | None:
            container = _container(self.new, d)
            return self._place(self.new, d, container if container in self.old_of else None)

        self._alike(of_old, of_new, SIMILAR_RENAMED)

    def _place(self, files: Files, d: Definition, container: Definition | None) -> Hashable | None:
        file = files[d.path]
        of = space(file.slice.symbols.kind[d.index])
        if container is None or of == 3 or len(file.whole(d.index)) < LEAST_ELSEWHERE:
            return None
        return container, of

    def _alike(
        self,
        of_old: Callable[[Definition], Hashable | None],
        of_new: Callable[[Definition], Hashable | None],
        least: float,
    ) -> None:
        """Pair symbols with equal keys that are more like each other than like any other."""
        removed, added = self._open()
        olds, news = _by(removed, of_old), _by(added, of_new)
        for key, ones in olds.items():
            others = news.get(key, [])
            if not others or len(ones) * len(others) > MOST_PAIRS:
                continue
            for one, other in _best(
                ones,
                others,
                lambda d: _shingles(self.old[d.path], d.index),
                lambda d: _shingles(self.new[d.path], d.index),
                least,
            ):
                if one not in self.new_of and other not in self.old_of and self._fits(one, other):
                    self._pair(one, other)


def is_distinctive(given: Sequence[str]) -> bool:
    """Whether what a symbol is given says which it is: no `None`, `0` or `[]`, but a call, a text, a large number."""
    for text in given:
        if text[:1].isdecimal() and sum(sign.isalnum() for sign in text) >= 3:
            return True
        if text[-1:] in ("'", '"', "`") and sum(sign.isalnum() for sign in text) >= 4:
            return True
    return len(given) >= 3 and any(text.isidentifier() and len(text) >= 4 for text in given)


def _all(files: Files) -> list[Definition]:
    return [Definition(path, index) for path in sorted(files) for index in range(len(files[path].slice.symbols.name))]


def _container(files: Files, d: Definition) -> Definition:
    return Definition(d.path, files[d.path].slice.symbols.parent[d.index])


def _by(items: Iterable[Definition], key: Callable[[Definition], Hashable | None]) -> dict[Hashable, list[Definition]]:
    table: dict[Hashable, list[Definition]] = {}
    for item in items:
        if (found := key(item)) is not None:
            table.setdefault(found, []).append(item)
    return table


def _named_alike(one: SourceFile, ones: list[int], other: SourceFile, others: list[int]) -> list[tuple[int, int]]:
    """Members of two containers by name; several of one name by text, then by signature, then in order."""
    found: list[tuple[int, int]] = []
    for size in (3, 2):  # the space of the kind counts first, and then it does not
        olds: dict[Hashable, list[int]] = {}
        news: dict[Hashable, list[int]] = {}
        for i in ones:
            olds.setdefault(one.key(i)[:size], []).append(i)
        for j in others:
            news.setdefault(other.key(j)[:size], []).append(j)
        pairs = [p for k, group in olds.items() if k in news for p in _in_turn(one, group, other, news[k])]
        found += pairs
        ones = [i for i in ones if i not in {pair[0] for pair in pairs}]
        others = [j for j in others if j not in {pair[1] for pair in pairs}]
    return found


def _in_turn(one: SourceFile, ones: list[int], other: SourceFile, others: list[int]) -> list[tuple[int, int]]:
    if len(ones) == len(others) == 1:
        return [(ones[0], others[0])]
    found: list[tuple[int, int]] = []
    ones, others = list(ones), list(others)
    for text in (SourceFile.whole, SourceFile.signature):
        for i in list(ones):
            j = next((j for j in others if text(other, j) == text(one, i)), None)
            if j is not None:
                found.append((i, j))
                ones.remove(i)
                others.remove(j)
    return found + list(zip(ones, others, strict=False))


def _shingles(file: SourceFile, index: int) -> Counter[tuple[str, ...]]:
    """Three tokens at a time, the symbol's own name left out."""
    name = file.name(index)
    tokens = [text for text in file.whole(index) if text != name]
    return Counter(zip(tokens, tokens[1:], tokens[2:], strict=False))


def _best(
    ones: list[Definition],
    others: list[Definition],
    of_old: Callable[[Definition], Counter[tuple[str, ...]]],
    of_new: Callable[[Definition], Counter[tuple[str, ...]]],
    least: float,
) -> list[tuple[Definition, Definition]]:
    """The pairs that are each other's best, better than any second."""
    left, right = {d: of_old(d) for d in ones}, {d: of_new(d) for d in others}
    scores = {(d, e): share(left[d], right[e]) for d in ones for e in others}
    found = []
    for d in ones:
        ranked = sorted(((scores[d, e], e) for e in others), reverse=True)
        score, best = ranked[0]
        rivals = [scores[d, e] for e in others if e != best] + [scores[c, best] for c in ones if c != d]
        if score >= least and all(rival < score for rival in rivals):
            found.append((d, best))
    return found


def share(one: Counter[tuple[str, ...]], other: Counter[tuple[str, ...]]) -> float:
    """How much of the larger of two is in both, 0 to 1."""
    size = max(one.total(), other.total())
    return (one & other).total() / size if size else 0.0


def _moved_files(old: Files, new: Files) -> dict[str, str]:
    """Files of one side alone that are one: those with equal bytes, then those that are most alike."""
    found: dict[str, str] = {}
    left, right = dict(old), dict(new)

    def take(one: str, other: str) -> None:
        found[one] = other
        del left[one], right[other]

    equal: dict[bytes, list[str]] = {}
    for path in sorted(right):
        if (data := right[path].data) is not None and data.strip():
            equal.setdefault(data, []).append(path)
    for path in sorted(left):
        others = [other for other in equal.get(left[path].data or b"", ()) if other in right]
        if others:
            take(path, min(others, key=lambda other: (_base(other) != _base(path), other)))
    if len(left) * len(right) > MOST_PAIRS:
        return found
    ones = {path: _lines(file) for path, file in left.items()}
    others_ = {path: _lines(file) for path, file in right.items()}
    scored = [
        (share(ones[one], others_[other]), _base(one) == _base(other), one, other)
        for one in ones
        for other in others_
        if left[one].slice.language == right[other].slice.language
    ]
    for score, _, one, other in sorted(scored, key=lambda row: (-row[0], not row[1], row[2], row[3])):
        if score >= SIMILAR_FILES and one in left and other in right:
            take(one, other)
    return found


def _lines(file: SourceFile) -> Counter[tuple[str, ...]]:
    lines = (file.data or b"").decode("utf-8", "surrogateescape").split("\n")
    return Counter((line.strip(),) for line in lines if line.strip())


def _base(path: str) -> str:
    return path.rpartition("/")[2]
