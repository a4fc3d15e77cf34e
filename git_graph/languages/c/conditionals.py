"""Conditional compilation that cuts through statements, taken out of a source."""

from __future__ import annotations

import re
from itertools import pairwise

from git_graph.languages.c.tokens import DIRECTIVE, FAR, MAX_WORK, NEAR, WINDOW, WORD, Tokens, blank_of


class Conditionals(Tokens):
    """Directives that the grammar cannot read where they stand."""

    def conditionals(self) -> None:
        """Inline or leave out the branches of conditionals that cut through a statement."""
        self.clear = self.clear.replace(b"#", b" ")
        self.defines()
        stack: list[list[tuple[int, int, bool]]] = []
        for start, end in self.directives:
            match = DIRECTIVE.match(self.out, start, end)
            if match is None:
                continue
            kind = match.group(1)
            if kind.startswith(b"if"):
                stack.append([(start, end, match.group(2) is not None)])
            elif stack:
                stack[-1].append((start, end, False))
                if kind == b"endif":
                    self.group(stack.pop())

    def defines(self) -> None:
        """Take out what defines a macro in the midst of a list of values, arguments or enumerators."""
        for start, end in self.directives:
            if _DEFINE.match(self.out, start, end) is None:
                continue
            before, at = self.previous(start)
            if before in b",(" or (before == 0x7B and _VALUES.search(self.clear, max(0, at - NEAR), at)):
                self.mended.defines.append((start, end))
                self.out[start:end] = blank_of(self.out[start:end])

    def group(self, marks: list[tuple[int, int, bool]]) -> None:
        self.work += (marks[-1][1] - marks[0][0]) // FAR
        if self.work > MAX_WORK:
            return
        branches = [(a[1], b[0]) for a, b in pairwise(marks)]
        texts = [bytes(self.clear[a:b]).strip() for a, b in branches]
        uneven = any(_uneven(text) for text in texts)
        if not uneven and not self.is_cut(marks[0][0], marks[-1][1], texts):
            return
        for start, end, _ in marks:
            match = DIRECTIVE.match(self.out, start, end)
            if match is not None and match.group(1) not in (b"else", b"endif"):
                self.mended.conditions.append((match.end(1), end))
            self.out[start:end] = blank_of(self.out[start:end])
        if len(branches) == 1 or (not uneven and _joinable(texts)):
            return
        keep = 1 if marks[0][2] else 0
        for index, (start, end) in enumerate(branches):
            if index != keep and texts[index]:
                self.out[start:end] = self.clear[start:end] = blank_of(self.out[start:end])
                self.mended.skipped.append((start, end))

    def is_cut(self, start: int, end: int, texts: list[bytes]) -> bool:
        """Whether the conditional from `start` to `end` stands inside a statement, or a branch ends inside one."""
        if not any(texts):
            return False
        if any(
            text.endswith((b",", b"else")) or (text[-1:] == b")" and _HEADLESS.search(text[-WINDOW:])) for text in texts
        ):
            return True
        before, at = self.previous(start)
        if before == 0x29:
            opening = self.open(at)
            if opening >= 0 and self.last_word(opening) in (b"if", b"for", b"while", b"switch"):
                return True
        elif before in WORD:
            if self.last_word(start) in (b"do", b"else", b"return") or any(t.startswith(_JOINTS) for t in texts if t):
                return True
        elif before and before not in b";{}:\"'>]":
            return True
        return before not in b";{}:" and self.clear[end : end + WINDOW].lstrip()[:1] in _CONTINUED


_DEFINE = re.compile(rb"#[ \t]*define[ \t]")
_VALUES = re.compile(rb"(?:=|\benum(?:\s+\w+)?)\s*\Z")
"""What stands before the brace of a list of values or enumerators."""
_HEADLESS = re.compile(rb"(?:^|[;{}])\s*(?:else\s+)?(?:if|for|while|switch)\b[^;{}]*\)\Z")
_CONTINUED = (b";", b",", b")", b"{", b"&", b"|", b"?", b"=")
_JOINTS = (b",", b"&&", b"||", b"|", b"+", b"else", b"?", b":", b"<<")


def _uneven(text: bytes) -> bool:
    """Whether braces or parentheses of a branch are not closed in it, or not opened."""
    opened, closed = text.find(b"{"), text.find(b"}")
    return (
        text.count(b"{") != text.count(b"}")
        or text.count(b"(") != text.count(b")")
        or (closed >= 0 and closed < opened)
    )


def _joinable(texts: list[bytes]) -> bool:
    """Whether branches can stand one after the other: each ends in a joint, or each begins with one."""
    written = [t for t in texts if t]
    return all(t.endswith(_JOINTS) for t in written) or all(t.startswith(_JOINTS) for t in written)
