"""Code that the grammar holds for text, read token by token: bodies of macros, code between directives.

It finds what names such text refers to and in which role; nothing is defined or declared by it. Knows nothing of trees.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from git_graph.model import CALL, READ, TYPE, WRITE
from git_graph.records import NamedTuple

TOKEN = re.compile(
    rb"//[^\\\n]*(?:\\(?:\r?\n|.)[^\\\n]*)*"
    rb"|/\*(?:[^*]*\*+(?:[^/*][^*]*\*+)*/|(?s:.*))"
    rb'|"[^"\\\n]*(?:\\(?:\r?\n|.)[^"\\\n]*)*"'
    rb"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
    rb"|(?P<name>[A-Za-z_\x80-\xff][\w\x80-\xff]*)"
    rb"|\.?\d[\w.']*"
    rb"|(?P<mark>->|::|\#\#|[-+*/%&|^<>=!]=|\+\+|--|<<|>>|&&|\|\||\.\.\.|[^\s\\])"
)

KEYWORDS = frozenset(
    b"""auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef typeof union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    __attribute__ __asm__ asm __inline __inline__ __volatile__ __extension__ __typeof__ __typeof __restrict
    __FILE__ __LINE__ __func__ __FUNCTION__ __VA_ARGS__ __VA_OPT__ __declspec NULL true false bool defined""".split()
)
KEYWORDS_CPP = KEYWORDS | frozenset(
    b"""alignas alignof and catch char8_t char16_t char32_t class co_await co_return co_yield concept consteval
    constexpr constinit const_cast decltype delete dynamic_cast explicit export friend mutable namespace new
    noexcept not nullptr operator or private protected public
    reinterpret_cast requires static_assert
    static_cast template this thread_local throw try typeid typename using virtual override final""".split()
)
_TAGS = frozenset((b"struct", b"union", b"enum", b"class"))
_WRITES = frozenset((b"=", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"++", b"--"))
_ENDS_TYPE = frozenset((b"*", b">"))


class Word(NamedTuple):
    """A name in text: its role, how many words before it (in `path`) qualify it, and whether it is a tag."""

    name: str
    start: int
    role: int
    path: tuple[str, ...]
    """What the name is a member of (`a.b->name`, `ns::name`); an empty string stands for what is not known."""
    tag: bool


def words(text: bytes, first: int, last: int, ignored: Collection[str] = (), *, cpp: bool = False) -> Iterator[Word]:
    """The names that `text[first:last]` refers to; `ignored` names (macro parameters, locals) only as members."""
    tokens = [(m.start(), m.group("name"), m.group("mark")) for m in TOKEN.finditer(text, first, last)]
    keywords = KEYWORDS_CPP if cpp else KEYWORDS
    declared: set[bytes] = set()
    path: tuple[str, ...] = ()
    for position, (start, name, _) in enumerate(tokens):
        if name is None:
            continue
        before = _token(tokens, position - 1)
        after = _token(tokens, position + 1)
        joined = before in (b".", b"->", b"::")
        word = name.decode("utf-8", "surrogateescape")
        path = _path(tokens, position, path) if joined else ()
        if name in keywords or before in (b"##", b"#") or after == b"##":
            path = ("",)
            continue
        inner, path = path, (*path, word)
        if not joined:
            if word in ignored or name in declared:
                path = ("",)
                continue
            if _declares(tokens, position, keywords) and before not in _TAGS:
                declared.add(name)
                continue
        yield Word(word, start, _role(before, after), inner, before in _TAGS)


def _token(tokens: list[tuple[int, bytes | None, bytes | None]], position: int) -> bytes:
    if not 0 <= position < len(tokens):
        return b""
    _, name, mark = tokens[position]
    return name or mark or b'"'


def _path(
    tokens: list[tuple[int, bytes | None, bytes | None]], position: int, path: tuple[str, ...]
) -> tuple[str, ...]:
    """What stands before `.`, `->` or `::` at a position: the path so far, or something that is not known."""
    of = tokens[position - 2][1] if position >= 2 else None
    return path if of is not None and path else ("",)


def _declares(tokens: list[tuple[int, bytes | None, bytes | None]], position: int, keywords: Collection[bytes]) -> bool:
    """Whether a name is declared at a position: `type name =`, `type *name;`."""
    if _token(tokens, position + 1) not in (b"=", b";", b"[", b","):
        return False
    back = position - 1
    stars = 0
    while _token(tokens, back) == b"*":
        back, stars = back - 1, stars + 1
    type_ = tokens[back][1] if back >= 0 else None
    if type_ is None or type_ in (b"return", b"case", b"goto", b"else", b"sizeof"):
        return False
    if not stars or type_ in keywords:
        return True
    return _token(tokens, back - 1) in (b"{", b";", b"(", b"const", b"struct", b"")


def _role(before: bytes, after: bytes) -> int:
    if before in _TAGS:
        return TYPE
    if after == b"(":
        return CALL
    if after in _WRITES or before in (b"++", b"--"):
        return WRITE
    return READ
