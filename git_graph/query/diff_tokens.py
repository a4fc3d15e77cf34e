"""Source text as tokens, so that what is no change of meaning is no difference.

White space, line breaks, trailing commas and, where two kinds mean the same, the kind of quotes do not count;
indentation does where it means something, relative to where a piece of text begins. Comments, and strings that are
statements of their own there (documentation), are kept apart. A scanner by regular expressions: the same text gives the
same tokens, and text that it misreads is misread on both sides alike. Knows nothing of symbols, and of a language only
how it is written.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from git_graph.languages.written import Written

LINE_START = "\x01"
"""Begins a logical line where indentation means something; its level stands in `levels`."""
CLOSERS = {")": "(", "]": "[", "}": "{"}
OPENERS = frozenset(CLOSERS.values())
_WORD = r"\d[\w.]*|[\w$@]+"
_REGEX_LITERAL = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_BEFORE_REGEX = frozenset("( , = : [ ! & | ? { } ; + - * % < > ~ ^ return typeof case in of await yield".split())
MAX_TOKENS = 2_000_000
"""Of one file; what is beyond is not looked at."""


@dataclass(slots=True)
class Tokens:
    """The tokens of one file, as parallel lists; lines and columns are 1-based, columns count code points."""

    texts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    levels: dict[int, int] = field(default_factory=dict)
    """Index of a LINE_START token -> its level of indentation."""
    comments: list[tuple[int, int, str]] = field(default_factory=list)
    """(first line, last line, text without surrounding white space) of comments."""
    docs: list[tuple[int, int, str]] = field(default_factory=list)
    """The same of strings that stand alone, which document what they stand in."""

    def at_line(self, line: int) -> int:
        """The index of the first token on or after a line."""
        return bisect_left(self.lines, line)

    def at(self, line: int, column: int) -> int:
        """The index of the first token at or after a place; the beginning of a line is none."""
        index = self.at_line(line)
        while index < len(self.lines) and self.lines[index] == line and self.columns[index] < column:
            index += 1
        while index < len(self.lines) and self.texts[index] == LINE_START:
            index += 1
        return index

    def piece(self, spans: list[tuple[int, int]]) -> list[str]:
        """The tokens of several ranges, levels of indentation relative to the first line in them."""
        base: int | None = None
        found: list[str] = []
        for first, last in spans:
            for index in range(first, last):
                text = self.texts[index]
                if text == LINE_START:
                    level = self.levels[index]
                    base = level if base is None else base
                    text = f"{LINE_START}{level - base}"
                found.append(text)
        while found and (found[-1] in (",", ";") or found[-1].startswith(LINE_START)):
            found.pop()
        return found


def tokenize(data: bytes, written: Written) -> Tokens:
    """The tokens of a file's bytes."""
    scan = _indented if written.indents else _plain
    return scan(data.decode("utf-8", "surrogateescape"), written)


def words(text: str, written: Written) -> list[str]:
    """The tokens of a piece of text on one line (a signature)."""
    return _plain(text, written).texts


@functools.cache
def _pattern(comment: str, string: str) -> re.Pattern[str]:
    parts = (f"(?P<comment>{comment})", f"(?P<string>{string})", f"(?P<word>{_WORD})", r"(?P<line>\n)")
    return re.compile("|".join((*parts, r"(?P<space>[^\S\n]+|\\\r?\n)", r"(?P<mark>.)")), re.DOTALL)


def _pieces(text: str, written: Written) -> Iterator[tuple[str, str, int, int]]:
    """(kind, text, line, column) of everything but white space; line ends where indentation means something."""
    match, at, line, line_at = _pattern(written.comment, written.string).match, 0, 1, 0
    before = ""
    for _ in range(MAX_TOKENS):
        found = match(text, at)
        if found is None:
            return
        kind, piece = found.lastgroup or "mark", found.group()
        if written.regex_literals and piece == "/" and kind == "mark" and (not before or before in _BEFORE_REGEX):
            literal = _REGEX_LITERAL.match(text, at)
            if literal is not None:
                kind, piece = "string", literal.group()
        if kind != "space" and (kind != "line" or written.indents):
            yield kind, piece, line, at - line_at + 1
            if kind not in ("comment", "line"):
                before = piece
        at += len(piece)
        if breaks := piece.count("\n"):
            line += breaks
            line_at = at - (len(piece) - piece.rindex("\n") - 1)


def _plain(text: str, written: Written) -> Tokens:
    tokens, stack = Tokens(), [""]
    for kind, piece, line, column in _pieces(text, written):
        if kind == "comment":
            tokens.comments.append((line, line + piece.count("\n"), piece.strip()))
        elif kind != "line":
            _add(tokens, stack, _alike(piece, written) if kind == "string" else piece, line, column)
    return tokens


def _indented(text: str, written: Written) -> Tokens:
    """As `_plain`, with the beginnings of logical lines; a string that is a whole statement is a comment."""
    tokens, stack, indents = Tokens(), [""], [0]
    begins = True
    alone: tuple[int, int] | None = None
    for kind, piece, line, column in _pieces(text, written):
        if kind == "comment":
            tokens.comments.append((line, line, piece.strip()))
            continue
        if kind == "line":
            if alone is not None:
                _undo(tokens, alone[0], alone[1])
            begins, alone = begins or len(stack) == 1, None
            continue
        if begins:
            _indent(indents, column - 1)
            tokens.levels[len(tokens.texts)] = len(indents) - 1
            _append(tokens, LINE_START, line, column)
            begins = False
            alone = (line, line + piece.count("\n")) if kind == "string" else None
        else:
            alone = None
        _add(tokens, stack, _alike(piece, written) if kind == "string" else piece, line, column)
    if alone is not None:
        _undo(tokens, alone[0], alone[1])
    return tokens


def _undo(tokens: Tokens, first: int, last: int) -> None:
    """Take the string that was a statement of its own out again."""
    text = tokens.texts.pop()
    tokens.texts.pop()
    del tokens.lines[-2:], tokens.columns[-2:]
    tokens.levels.pop(len(tokens.texts), None)
    tokens.docs.append((first, last, text.strip()))


def _indent(indents: list[int], column: int) -> None:
    while column < indents[-1]:
        indents.pop()
    if column > indents[-1]:
        indents.append(column)


def _add(tokens: Tokens, stack: list[str], text: str, line: int, column: int) -> None:
    """Add a token; a comma before what closes a call, a list or a block goes."""
    if text in OPENERS:
        called = bool(tokens.texts) and (tokens.texts[-1][-1:].isalnum() or tokens.texts[-1][-1:] in "_)]>")
        stack.append(text if text != "(" or called else "(,")
    elif text in CLOSERS:
        plain = stack.pop() if len(stack) > 1 else ""
        if tokens.texts and tokens.texts[-1] == "," and plain != "(,":
            tokens.texts.pop()
            tokens.lines.pop()
            tokens.columns.pop()
    _append(tokens, text, line, column)


def _append(tokens: Tokens, text: str, line: int, column: int) -> None:
    tokens.texts.append(text)
    tokens.lines.append(line)
    tokens.columns.append(column)


def _alike(text: str, written: Written) -> str:
    """A string in one kind of quotes, where two kinds mean the same and nothing in it cares."""
    if written.quotes_alike and text[:1] == text[-1:] == "'" and len(text) > 1:
        inside = text[1:-1]
        if not any(mark in inside for mark in "'\"\\"):
            return f'"{inside}"'
    return text
