"""What is text to C's grammar: bodies of macros, conditions, and what `mend` takes out of the source.

It is read token by token, once the tree has been walked.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection
from itertools import accumulate
from typing import ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.c.declarations import Declarations
from git_graph.languages.c.text import TOKEN, words
from git_graph.languages.c.tokens import Mended
from git_graph.languages.walker import Node
from git_graph.model import LOCAL, NONE, OPAQUE, PARAMETER, READ, SELF, Flag

_MACRO = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^)]*\))?")
_WORD = re.compile(r"\w+")
_CONSTANT = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(true|false|NULL)\b", re.MULTILINE)
_NAMED = re.compile(rb"#[ \t]*(?:define|undef|ifn?def)[ \t]+\Z")
_LAST_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*\Z")


class Outside(Declarations):
    """The part of the walk that has no tree."""

    CPP: ClassVar[bool] = False

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.mended = Mended(source)
        self.started: list[int] = []
        """The lines on which the symbols begin, in their order."""
        self.locals_of: dict[int, set[str]] = {}
        """Function -> the names of its parameters and locals, whatever block they are in."""

    def declare(self, name: str, value: int, line: int, kind: int = LOCAL) -> None:
        """See LexicalWalker; the name is remembered for text that belongs to the function."""
        super().declare(name, value, line, kind)
        self.locals_of.setdefault(self.builder.scope.symbol, set()).add(name)

    def has_old_parameters(self, node: Node) -> bool:
        end, ranges = node.end_byte, self.mended.parameters
        at = bisect_left(ranges, (end, 0))
        return at < len(ranges) and not self.source[end : min(ranges[at][0], end + 4000)].strip()

    def blanked_parameters(self, node: Node, body: Node) -> None:
        ranges = self.mended.parameters
        at = bisect_left(ranges, (node.start_byte, 0))
        for first, last in ranges[at : at + 1]:
            if body is None or last > body.start_byte:
                continue
            line = self.source.count(b"\n", 0, first) + 1
            text = self.source[first:last].decode("utf-8", "surrogateescape")
            for declaration in text.split(";"):
                type_, *others = declaration.split(",")
                base = _LAST_NAME.sub("", type_).rstrip("* \n\t")
                for declared in (type_, *others):
                    name = _LAST_NAME.search(declared)
                    if name is not None:
                        self.declare(name[1], self.builder.annotation(base), line, PARAMETER)
                line += declaration.count("\n")
            self.read_text(first, last)

    def read_text(self, first: int, last: int, symbol: int | None = None, ignored: Collection[str] = ()) -> None:
        """Refer to the names in source that is text to the grammar."""
        builder = self.builder
        for word in words(self.source, first, last, ignored, cpp=self.CPP):
            receiver = NONE
            for position, part in enumerate(word.path):
                if not part:
                    receiver = OPAQUE
                elif position:
                    receiver = builder.attribute(receiver, part)
                else:
                    receiver = SELF if part == "this" else self.known(part) or builder.name(part)
            if not word.path:
                if self.known(word.name) is not None:
                    continue
                if word.tag and not self.CPP:
                    receiver = builder.literal("struct")
            builder.reference(word.name, word.role, word.start, receiver, symbol)

    def outside_the_tree(self) -> None:
        """Read what was taken out of the source."""
        self.started = list(accumulate(self.builder.slice.symbols.start_line, max))
        skipped, line, at = frozenset(self.mended.skipped), 1, 0
        for first, last in sorted((*self.mended.macros, *self.mended.skipped)):
            line, at = line + self.source.count(b"\n", at, first), first
            symbol = self.symbol_around(line)
            self.read_text(first, last, symbol, self.locals_of.get(symbol, ()))
            if (first, last) in skipped:
                self.builder.slice.unparsed.append((line + 1, line + self.source.count(b"\n", first, last) - 1))
        for first, last in self.mended.conditions:
            self.read_text(first, last, 0)
        for first, last in self.mended.defines:
            self.define_text(first, last)

    def constants(self) -> None:
        """`true`, `false` and `NULL` in a source that makes macros of them."""
        names = frozenset() if self.CPP else frozenset(_CONSTANT.findall(self.source))
        if not names:
            return
        self.started = list(accumulate(self.builder.slice.symbols.start_line, max))
        line, at = 1, 0
        for token in TOKEN.finditer(self.source):
            if token["name"] in names:
                start = token.start()
                line, at = line + self.source.count(b"\n", at, start), start
                if not _NAMED.search(self.source, self.source.rfind(b"\n", 0, start) + 1, start):
                    self.builder.reference(token["name"].decode(), READ, start, symbol=self.symbol_around(line))

    def define_text(self, first: int, last: int) -> None:
        """A macro's definition that is not in the tree."""
        match = _MACRO.match(self.source, first, last)
        if match is None:
            return
        line = self.source.count(b"\n", 0, match.start(1)) + 1
        column = match.start(1) - self.source.rfind(b"\n", 0, match.start(1))
        name, parameters = (part.decode("utf-8", "surrogateescape") for part in (match[1], match[2] or b""))
        signature = self.source[first:last].decode("utf-8", "surrogateescape")
        symbol = self.builder.symbol(
            name, "macro", line, line + signature.count("\n"), line, column, parent=0,
            signature=signature[:400].replace("\\\n", " "), flags=int(Flag.EXPORTED),
        )  # fmt: skip
        self.read_text(match.end(), last, symbol, frozenset(_WORD.findall(parameters)))

    def symbol_around(self, line: int) -> int:
        """The innermost symbol around a line."""
        s = self.builder.slice.symbols
        index = bisect_right(self.started, line) - 1
        while index > 0 and s.end_line[index] < line:
            index = max(s.parent[index], 0) if s.parent[index] < index - 1 else index - 1
        return index
