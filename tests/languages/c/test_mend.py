"""Sources are mended without moving anything, and whatever the bytes are there is a slice."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_graph.codec import decode, encode
from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.languages.c.mend import mend

PIECES = (
    b"int f(void)",
    b"{",
    b"}",
    b";",
    b"(",
    b")",
    b"EXPORT ",
    b"local word_t g(a)",
    b" int a;",
    b"struct s ",
    b"class API C ",
    b"\n#if A\n",
    b"\n#else\n",
    b"\n#endif\n",
    b"\n#define M(x) f(x)\n",
    b"/*",
    b"*/",
    b'"',
    b"'",
    b"x",
    b"->y",
    b"::z",
    b"<T>",
    b"template <class T> ",
    b"namespace n ",
    b"MACRO(a, b)",
    b" = ",
    b"OF((int))",
    b"~",
    b"operator ",
    b"auto [a, b]",
    b"\xff",
    b"\\\n",
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join), st.booleans())
def test_mending_keeps_length_and_lines(source: bytes, cpp: bool) -> None:
    text = mend(source, cpp).text
    assert len(text) == len(source)
    assert [i for i, byte in enumerate(text) if byte == 10] == [i for i, byte in enumerate(source) if byte == 10]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join), st.sampled_from(("c", "cpp")))
def test_any_bytes_make_a_slice(source: bytes, language: str) -> None:
    encoded = encode(extract(language, source))
    assert encode(decode(encoded)) == encoded


@pytest.mark.parametrize(
    ("source", "left"),
    [
        (b"EXPORT int f(void);", b"       int f(void);"),
        (b"static int x UNUSED = 1;", b"static int x        = 1;"),
        (b"int f OF((int a));", b"int f    (int a) ;"),
        (b"code FAR *next;", b"code     *next;"),
        (b"a = b * FOO;", b"a = b * FOO;"),
        (b"if (x) FOO(y);", b"if (x) FOO(y);"),
        (b"return FOO(a) + BAR;", b"return FOO(a) + BAR;"),
        (b"foo_t FOO(int a) { return a; }", b"foo_t FOO(int a) { return a; }"),
        (b"/* EXPORT int x */ int y;", b"/* EXPORT int x */ int y;"),
    ],
)
def test_only_what_the_preprocessor_takes_away_is_blanked(source: bytes, left: bytes) -> None:
    assert mend(source, False).text == left


@pytest.mark.parametrize(
    ("source", "language"),
    [
        (b"/* class of things: namespace and template are words here */\nint f(int class);\n", "c"),
        (b"enum class Color {};\n", "cpp"),
        (b"namespace a {\n}\n", "cpp"),
        (b"struct a { int b; };\n", "c"),
        (b"class A;\n", "cpp"),
        (b"inline int f(const std::string &s);\n", "cpp"),
        (b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', "c"),
    ],
)
def test_a_header_is_c_unless_its_bytes_are_not(source: bytes, language: str) -> None:
    assert detect("a.h", source) == language


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize(
    "source",
    [b"[" * 50_000, b"(" * 50_000, b"/*" * 50_000, b'R"(' * 20_000, b"AB " * 20_000, b"\nAA(x)" * 10_000,
     b"#if X\n" * 5_000 + b"}\n#endif\n" * 5_000, b"int x = " + b"a + " * 20_000 + b"b;"],
)  # fmt: skip
def test_hostile_sources_cost_bounded_time(language: str, source: bytes) -> None:
    started = time.process_time()
    extract(language, source)
    assert time.process_time() - started < 15
