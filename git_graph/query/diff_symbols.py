"""The symbols of one file as they are compared: what is written in each, its members aside.

A slice says in which lines a symbol stands; which tokens of the source are its own follows from that. A symbol that
shares its line with others (`enum E { A, B }`) has what stands between separators around its name. Knows nothing of
views.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from git_graph.languages import policy_of
from git_graph.model import KIND, KINDS, Flag, Slice
from git_graph.query.diff_tokens import CLOSERS, LINE_START, OPENERS, Tokens, tokenize, words

CALLABLE = frozenset(KIND[kind] for kind in ("function", "method", "constructor", "macro"))
CONTAINERS = frozenset(
    KIND[kind] for kind in ("class", "interface", "struct", "enum", "trait", "union", "namespace", "package", "module")
)
CUT = "\u2026"
"""What a signature ends with in a slice that does not hold all of it."""
_SEPARATORS = frozenset((",", ";"))
_MASK = "\x02"


class SourceFile:
    """A file on one side of a comparison; `data` is None where it, or its other side, could not be read."""

    def __init__(self, path: str, slice_: Slice, data: bytes | None) -> None:
        self.path = path
        self.slice = slice_
        self.data = data
        self._written = policy_of(slice_.language).written
        self._own: dict[int, list[str]] = {}
        self._whole: dict[int, list[str]] = {}
        self._times: dict[int, Counter[tuple[str, ...]]] = {}

    @cached_property
    def tokens(self) -> Tokens:
        """The file's tokens; none if it could not be read."""
        return tokenize(self.data, self._written) if self.data is not None else Tokens()

    @cached_property
    def _lines(self) -> list[bytes]:
        return (self.data or b"").split(b"\n")

    def text(self, index: int) -> list[bytes]:
        """The lines of a symbol as they are."""
        s = self.slice.symbols
        return self._lines[s.start_line[index] - 1 : s.end_line[index]] if index else self._lines

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Symbol -> the symbols directly in it, in the order of the file."""
        table: dict[int, list[int]] = {}
        for index, parent in enumerate(self.slice.symbols.parent):
            table.setdefault(parent, []).append(index)
        return table

    def name(self, index: int) -> str:
        """The name of a symbol, empty for the module."""
        return self.slice.strings[self.slice.symbols.name[index]]

    def key(self, index: int) -> tuple[str, str, int]:
        """What makes a symbol the same one within its container: name, owner and the space of its kind."""
        s = self.slice.symbols
        return self.name(index), self.slice.strings[s.owner[index]], space(s.kind[index])

    def kind(self, index: int) -> str:
        """The kind of a symbol."""
        return KINDS[self.slice.symbols.kind[index]]

    def exported(self, index: int) -> bool:
        """Whether other files are meant to see a symbol."""
        return bool(self.slice.symbols.flags[index] & Flag.EXPORTED)

    def implicit(self, index: int) -> bool:
        """Whether a symbol comes from an assignment in a body, which is compared with that body."""
        return bool(self.slice.symbols.flags[index] & Flag.IMPLICIT)

    def members(self, index: int) -> list[int]:
        """Everything in a symbol, at any depth."""
        found: list[int] = []
        stack = [index]
        while stack:
            below = self.children.get(stack.pop(), ())
            found.extend(below)
            stack.extend(below)
        return sorted(found)

    def below_top(self, index: int) -> int:
        """The outermost symbol of the file that a symbol stands in (itself, if it is that)."""
        parent = self.slice.symbols.parent
        while parent[index] > 0:
            index = parent[index]
        return index

    def signature(self, index: int) -> list[str]:
        """The tokens of a symbol's signature; of a variable or field, its name and type alone."""
        s, strings = self.slice.symbols, self.slice.strings
        if s.kind[index] in CALLABLE or s.kind[index] in CONTAINERS:
            text = strings[s.signature[index]]
            return self._header(index) if text.endswith(CUT) else words(text, self._written)
        return [self.name(index), *words(strings[s.returns[index]], self._written)]

    def _header(self, index: int) -> list[str]:
        """The signature from the source, where the slice's is cut: from the name to what begins the body."""
        own, name, depth = self.own(index), self.name(index), 0
        first = own.index(name) if name in own else 0
        for at in range(first, len(own)):
            depth += (own[at] in OPENERS) - (own[at] in CLOSERS)
            if not depth and at > first and (own[at] in (":", ";", "=") or own[at].startswith(LINE_START)):
                return own[first:at]
            if depth == 1 and own[at] == "{" and own[at - 1] not in (",", ":", "(", "="):
                return own[first:at]
        return own[first:]

    # tokens

    def own(self, index: int) -> list[str]:
        """What is written in a symbol, what its members are aside."""
        found = self._own.get(index)
        if found is None:
            below = (child for child in self.children.get(index, ()) if not self.implicit(child))
            spans = _without(self._range(index), sorted(self._with_separator(self._range(child)) for child in below))
            found = self._own[index] = self.tokens.piece(spans)
        return found

    def shape(self, index: int) -> list[tuple[str, int, str]]:
        """What a symbol refers to, what its members do aside: as much of its body as the slice knows."""
        r, strings = self.slice.references, self.slice.strings
        rows = zip(r.symbol, r.name, r.role, r.receiver, strict=True)
        return [
            (strings[name], role, self.slice.render(receiver))
            for symbol, name, role, receiver in rows
            if symbol == index
        ]

    def whole(self, index: int) -> list[str]:
        """All that is written in a symbol, its members included."""
        found = self._whole.get(index)
        if found is None:
            found = self._whole[index] = self.tokens.piece([self._range(index)])
        return found

    def given(self, index: int) -> tuple[str, ...]:
        """What a variable, constant or field is given where it is defined: what stands behind the first `=`."""
        whole = self.whole(index)
        for at, text in enumerate(whole):
            if text in ("=", ":="):
                rest = whole[at + 1 :]
                return tuple(text for text in rest if text not in _SEPARATORS and not text.startswith(LINE_START))
        return ()

    def times_given(self, index: int) -> int:
        """How many variables, constants and fields of its container are given what this one is."""
        s = self.slice.symbols
        around = s.parent[index]
        if around not in self._times:
            values = (other for other in self.children[around] if space(s.kind[other]) == 3)
            self._times[around] = Counter(self.given(other) for other in values)
        return self._times[around][self.given(index)]

    def masked(self, index: int) -> str:
        """All that is written in a symbol with its own name left out, as one key."""
        name = self.name(index)
        return "\0".join(_MASK if text == name else text for text in self.whole(index))

    @cached_property
    def _ranges(self) -> dict[int, tuple[int, int]]:
        return {}

    def _range(self, index: int) -> tuple[int, int]:
        """The tokens of a symbol, from the first to behind the last."""
        found = self._ranges.get(index)
        if found is None:
            found = self._ranges[index] = self._find(index)
        return found

    def _find(self, index: int) -> tuple[int, int]:
        s, tokens = self.slice.symbols, self.tokens
        if not index:
            return 0, len(tokens.texts)
        first, last = tokens.at_line(s.start_line[index]), tokens.at_line(s.end_line[index] + 1)
        return self._between_separators(index, first, last) if self._is_tight(index) else (first, last)

    def _is_tight(self, index: int) -> bool:
        """Whether a symbol shares its first line with another that is not in it."""
        s = self.slice.symbols
        line = s.line[index]
        if s.start_line[index] == s.end_line[index]:
            beside = self._edges.get(line, ())
        else:
            beside = [other for other in self._edges.get(line, ()) if s.line[other] == line]
        return any(other != index and not self._contains(index, other) for other in beside)

    @cached_property
    def _edges(self) -> dict[int, list[int]]:
        """Line -> symbols whose name, first line or last line it is; the module and implicit fields are none."""
        s = self.slice.symbols
        table: dict[int, list[int]] = {}
        for index in range(1, len(s.name)):
            if not self.implicit(index):
                for line in {s.line[index], s.start_line[index], s.end_line[index]}:
                    table.setdefault(line, []).append(index)
        return table

    def _contains(self, outer: int, inner: int) -> bool:
        parent = self.slice.symbols.parent
        while inner > outer:
            inner = parent[inner]
        return inner == outer

    def _between_separators(self, index: int, first: int, last: int) -> tuple[int, int]:
        """From behind the separator before a symbol's name to the separator, or the closing bracket, after it."""
        s, texts = self.slice.symbols, self.tokens.texts
        at = self.tokens.at(s.line[index], s.column[index])
        start = at
        while start > first and texts[start - 1] not in _SEPARATORS and texts[start - 1] not in OPENERS | {"}"}:
            start -= 1
        depth, end = 0, at
        while end < last:
            if texts[end] in OPENERS:
                depth += 1
            elif texts[end] in CLOSERS:
                depth -= 1
                if depth < 0:
                    break
                if not depth and texts[end] == "}":
                    end += 1
                    break
            elif texts[end] in _SEPARATORS and not depth:
                break
            end += 1
        return start, end

    def _with_separator(self, found: tuple[int, int]) -> tuple[int, int]:
        first, last = found
        texts = self.tokens.texts
        while last < len(texts) and texts[last] in _SEPARATORS:
            last += 1
        return first, last

    # comments

    @cached_property
    def _comments(self) -> dict[int, list[str]]:
        """Symbol -> the comments in it, and those right above it."""
        s = self.slice.symbols
        starts: dict[int, int] = {}
        for index in range(len(s.name) - 1, 0, -1):
            starts[s.start_line[index]] = index
        innermost = self._innermost
        table: dict[int, list[str]] = {}
        docs = frozenset(self.tokens.docs)
        for comment in sorted((*self.tokens.comments, *docs), reverse=True):
            first, last, text = comment
            index = starts.get(last + 1, -1) if comment not in docs else -1
            if index >= 0:
                starts[first] = index
            else:
                index = innermost[first] if first < len(innermost) else 0
            table.setdefault(index, []).append(" ".join(text.split()))
        return table

    @cached_property
    def _innermost(self) -> list[int]:
        """Line -> the innermost symbol that spans it."""
        s = self.slice.symbols
        lines = [0] * (max(s.end_line, default=0) + 2)
        for index in sorted(range(1, len(s.name)), key=lambda i: (s.start_line[i], -s.end_line[i], i)):
            if not self.implicit(index):
                first, last = s.start_line[index], s.end_line[index] + 1
                lines[first:last] = [index] * (last - first)
        return lines

    def comments(self, index: int) -> list[str]:
        """The comments of a symbol, those of its members aside."""
        return self._comments.get(index, [])


def space(kind: int) -> int:
    """Functions, types and all else: symbols of one name in one container are told apart by it."""
    return 1 if kind in CALLABLE else 2 if kind in CONTAINERS else 3


def split(own: list[str], signature: list[str]) -> tuple[list[str], list[str]] | None:
    """What stands before and behind the signature in a symbol's own tokens; None if it is not found as one piece."""
    if not signature:
        return None
    size, first = len(signature), signature[0]
    for at in range(len(own) - size + 1):
        if own[at] == first and own[at : at + size] == signature:
            return own[:at], own[at + size :]
    return None


def _without(span: tuple[int, int], holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of a range without others, which are sorted."""
    found, (at, end) = [], span
    for first, last in holes:
        if at < first:
            found.append((at, min(first, end)))
        at = max(at, last)
    if at < end:
        found.append((at, end))
    return [(first, last) for first, last in found if first < last]
