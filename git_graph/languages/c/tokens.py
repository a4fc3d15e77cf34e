"""A source of C or C++ as tokens that can be looked at and blanked: what `mend` works with."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_OPAQUE = re.compile(
    rb"//[^\\\n]*(?:\\(?:\r?\n|.)[^\\\n]*)*"
    rb"|/\*(?:[^*]*\*+(?:[^/*][^*]*\*+)*/|(?s:.*))"
    rb'|"(?<=R")(?P<raw>[^(\s\\]{0,16})\((?:(?s:.*?)\)(?P=raw)"|(?s:.*))'
    rb'|"[^"\\\n]*(?:\\(?:\r?\n|.)[^"\\\n]*)*"'
    rb"|'(?<![0-9a-fA-F]')[^'\\\n]*(?:\\.[^'\\\n]*)*'"
    rb"|(?P<directive>\#)[^\\\n/]*(?:(?:\\(?:\r?\n|.)|/(?!\*)|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)[^\\\n/]*)*"
)
"""What is no code: comments, strings, characters, preprocessor lines."""
_COMMENT = re.compile(rb"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/")
_EMPTY_MACRO = re.compile(rb"#[ \t]*define[ \t]+\w+[ \t\r]+\Z")
DIRECTIVE = re.compile(rb"\s*#\s*(ifn?def|if|elif\w*|else|endif)\b(?:\s*(0)\s*$)?", re.M)

BASIC = """void int char short long unsigned signed float double _Bool bool size_t ssize_t
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t"""
_HEAD = "static extern typedef struct union enum inline"
_HEAD_CPP = "class template namespace using virtual explicit constexpr friend auto typename public private protected"
_STATEMENT = "return if for while do switch goto break continue case default"
_OTHER = """const volatile else sizeof register restrict __attribute__ __asm__ asm _Noreturn _Atomic _Thread_local
_Alignas __extension__ __inline __inline__ __restrict __volatile__ __declspec"""
_OTHER_CPP = """new delete throw operator this try catch noexcept override final mutable consteval constinit decltype
requires concept co_return co_yield co_await not and or export nullptr true false thread_local alignas static_assert"""


@dataclass(frozen=True, slots=True)
class _Rules:
    """The words of a language that are no names."""

    keywords: frozenset[bytes]
    starters: frozenset[bytes]
    """Words that only begin something: a name before one is a macro."""
    neutral: frozenset[bytes]
    """Keywords that say no type."""


def _rules(cpp: bool) -> _Rules:
    basic, head, statement, other = (frozenset(w.encode().split()) for w in (BASIC, _HEAD, _STATEMENT, _OTHER))
    if cpp:
        head, other = head | frozenset(_HEAD_CPP.encode().split()), other | frozenset(_OTHER_CPP.encode().split())
    return _Rules(basic | head | statement | other, basic | head | statement, head | statement | other)


RULES_C, RULES_CPP = _rules(False), _rules(True)
_LAST_WORD = re.compile(rb"[A-Za-z_]\w*\Z")
WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
WINDOW = 400
NEAR = 80
"""How far back a name and a word are looked for, in bytes."""
MAX_WORK = 50_000
"""A source that needs more than this was not written to be read: it is left as it is from there on."""
FAR = 4000
"""How far a closing parenthesis is looked for, in bytes."""


@dataclass(slots=True)
class Mended:
    """A source that parses better, and what was taken out of it."""

    text: bytes
    macros: list[tuple[int, int]] = field(default_factory=list)
    """Byte ranges of macros (with their arguments) that were blanked."""
    parameters: list[tuple[int, int]] = field(default_factory=list)
    """Byte ranges of declarations of old-style parameters that were blanked."""
    skipped: list[tuple[int, int]] = field(default_factory=list)
    """Byte ranges of conditional code that was blanked."""
    conditions: list[tuple[int, int]] = field(default_factory=list)
    """Byte ranges of what directives ask for that were blanked."""
    defines: list[tuple[int, int]] = field(default_factory=list)
    """Byte ranges of directives that define macros and were blanked."""

    @property
    def left_out(self) -> bool:
        """Whether something is to be read that is not in the tree."""
        return bool(self.macros or self.skipped or self.conditions or self.defines)


class Tokens:
    """A source, a copy of it without what is no code, and what is made of it."""

    def __init__(self, source: bytes, cpp: bool) -> None:
        self.cpp = cpp
        self.rules = RULES_CPP if cpp else RULES_C
        self.out = bytearray(source)
        self.work = 0
        self.class_names: frozenset[bytes] | None = None
        self.attributes: set[bytes] = set()
        """Macros seen between a type and its `*`."""
        self.directives: list[tuple[int, int]] = []
        self.clear = bytearray(_OPAQUE.sub(self.mask, source))
        self.mended = Mended(b"")

    def mask(self, match: re.Match[bytes]) -> bytes:
        text = match.group()
        if match.group("directive"):
            self.directives.append(match.span())
            start, end = match.span()
            if b"/*" in text:
                self.comments_of(start, end)
            if (empty := _EMPTY_MACRO.match(self.out, start, end)) is not None:
                self.out[empty.end() - 1] = 0x3B  # the grammar cannot read white space where a value may stand
            blank = blank_of(text)
            at = text.index(b"#")
            return blank[:at] + b"#" + blank[at + 1 :]
        if text[0] == 0x2F:
            return blank_of(text).replace(b" ", b"\f")  # white space where nothing may be written
        return b'"' + blank_of(text[1:-1]) + b'"'

    def comments_of(self, start: int, end: int) -> None:
        """Comments inside a directive, where the grammar takes their end for that of the directive."""
        for comment in _COMMENT.finditer(bytes(self.out[start:end])):
            self.out[start + comment.start() : start + comment.end()] = blank_of(comment.group())

    def blank(self, start: int, end: int) -> None:
        """Take out a macro that stands from `start` to `end`."""
        blank = blank_of(self.out[start:end])
        self.out[start:end] = blank
        self.clear[start:end] = blank
        self.mended.macros.append((start, end))

    def previous(self, at: int) -> tuple[int, int]:
        """The last character before `at` that is no white space, and its offset; (0, -1) at the beginning."""
        clear = self.clear
        last = clear[at - 1] if at else 0
        if last > 0x20:
            return last, at - 1
        for size in (NEAR, FAR):
            self.work += size // WINDOW
            window = clear[max(0, at - size) : at].rstrip()
            if window:
                return window[-1], max(0, at - size) + len(window) - 1
        return 0, -1

    def last_word(self, at: int) -> bytes:
        """The word that ends just before `at`, white space apart."""
        window = self.clear[max(0, at - NEAR) : at].rstrip()
        if not window and at > NEAR:
            window = self.clear[max(0, at - WINDOW) : at].rstrip()[-NEAR:]
        if not window or window[-1] not in WORD:
            return b""
        last = bytes(window.rsplit(None, 1)[-1])
        match = _LAST_WORD.search(last)
        return match.group() if match else b""

    def close(self, opening: int) -> int:
        """The offset after the parenthesis that closes the one at `opening`; -1 if it is not near."""
        depth = 0
        self.work += 1
        for match in _PARENTHESIS.finditer(self.clear, opening, opening + FAR):
            depth += 1 if match.group() == b"(" else -1
            if not depth:
                return match.end()
        return -1

    def open(self, closing: int) -> int:
        """The offset of the parenthesis that the one at `closing` closes; -1 if it is not near."""
        depth, first = 0, max(0, closing - FAR)
        self.work += 10
        for match in reversed(list(_PARENTHESIS.finditer(self.clear, first, closing + 1))):
            depth += 1 if match.group() == b")" else -1
            if not depth:
                return match.start()
        return -1


_PARENTHESIS = re.compile(rb"[()]")


def blank_of(text: bytes | bytearray) -> bytes:
    """White space of the same length, with the same lines."""
    if b"\n" not in text:
        return b" " * len(text)
    return b"\n".join([b" " * len(line) for line in text.split(b"\n")])
