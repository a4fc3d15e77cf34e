"""Extraction is a pure function of bytes, language and rules; hostile bytes cost bounded time and are shown."""

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph import codec
from git_graph.extract.extractor import blob_id, extract
from git_graph.languages import detect, specs
from git_graph.model import ImportFlag

SOURCE = b"""import os
from m import *

class A(B):
    x = 1
    def f(self, y: "C" = None):
        self.z = [g(i) for i in os.listdir(y)]
        return {"a": self.z, **y}
"""

LANGUAGES = sorted(name for name, spec in specs().items() if spec.grammar)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slice_is_the_same_in_every_process_and_under_every_hash_seed(language):
    program = (
        "import sys; from git_graph.extract.extractor import extract; from git_graph import codec;"
        f"sys.stdout.buffer.write(codec.encode(extract({language!r}, sys.stdin.buffer.read())))"
    )
    want = codec.encode(extract(language, SOURCE))
    for seed in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        got = subprocess.run([sys.executable, "-c", program], input=SOURCE, capture_output=True, env=environment)
        assert got.stdout == want, got.stderr.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_extracted_before_changes_nothing(language):
    first = codec.encode(extract(language, SOURCE))
    extract(language, b"def other(): return 1\n" * 50)
    assert codec.encode(extract(language, SOURCE)) == first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "source",
    [
        b"[" * 100_000,
        b"(" * 30_000 + b")" * 30_000,
        b"a" + b".b()" * 20_000,
        b"x = " + b" + ".join([b"1"] * 50_000),
        b"{" * 20_000,
        b"if x:\n" * 3_000,
        b"a ? b : " * 5_000,
        b"f(" * 5_000,
        b"\xff\xfe" * 10_000,
        b"'" * 10_001,
        b"//" * 10_000,
        b"",
        b"\n" * 100_000,
    ],
    ids=lambda source: repr(source[:8]),
)
def test_hostile_bytes_take_bounded_time(language, source):
    started = time.monotonic()
    result = extract(language, source)
    assert time.monotonic() - started < 15
    assert codec.decode(codec.encode(result)) == result


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_read_is_shown_as_unparsed(language):
    result = extract(language, b")]} :::: ((( \xff ??? @@@ ~~\n" * 3)
    assert result.unparsed, "nothing of this is a program in any language"


WORDS = [
    *(word.encode() + b" " for word in "def class fn import func return for in struct enum type let use".split()),
    *(mark.encode() for mark in "{ } ( ) [ ] ; : , . = < > * & a B 1 \" ' # // /* */ => -> :: é".split()),
    b"\n", b"  ", b"\xff",
]  # fmt: skip


@given(data=st.data())
@pytest.mark.parametrize("language", sorted(specs()))
def test_random_bytes_give_a_valid_slice(language, data):
    words = st.sampled_from(WORDS)
    source = b"".join(data.draw(st.lists(words, max_size=60)))
    result = extract(language, source)
    encoded = codec.encode(result)
    assert codec.decode(encoded) == result
    assert result.source == blob_id(source)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"x = 1\n\0", "binary"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "lfs-pointer"),
        (b"x = 1\n" * (2 << 20), "too-large"),
    ],
)
def test_a_file_passed_over_for_what_it_is_says_so(source, reason):
    result = extract("python", source)
    assert result.omitted == reason
    assert len(result.symbols.name) == 1, "the module itself, and nothing in it"


@pytest.mark.parametrize(
    ("path", "source", "language"),
    [
        ("a.py", b"", "python"),
        ("A.PY", b"", "python"),
        ("dir.py/tool", b"#!/usr/bin/env -S python3.12 -u\n", "python"),
        ("tool", b"#!/usr/bin/node\n", "javascript"),
        ("tool", b"#!/bin/sh\n", None),
        ("tool", b"", None),
        (".py", b"", None),
        ("a.txt", b"#!/usr/bin/python\n", None),
        ("a.tsx", b"", "tsx"),
        ("a.h", b"struct a { int b; };\n", "c"),
        ("a.h", b"namespace a { class B; }\n", "cpp"),
        ("a.h", b"enum class Color { red };\n", "cpp"),
        ("a.h", b"/* a class of errors, in the namespace of x */\nint f(void);\n", "c"),
    ],
)
def test_language_is_a_function_of_path_and_bytes(path, source, language):
    assert detect(path, source) == language


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", b'name = = "x\nmodule x\n'),
        ("python", b"for in x: pass\n"),
        ("javascript", b"const {a:} = b\n"),
        ("typescript", b"class A { : number; (x) }"),
        ("java", b"class {}\ninterface {}\nclass A { int ; void () {} }"),
        ("c", b"struct {int ;} ;\nint = 3;\n#define\nint (void) {}\ntypedef int ;\n"),
        ("cpp", b"class {};\nnamespace {int a;}\nint ::f() {}\ntemplate<class> class ;\n"),
        ("go", b"package a\nfunc () {}\ntype struct {}\nvar = 3\n"),
        ("rust", b"fn () {}\nstruct ;\nenum {}\nlet = 3;\nmod ;\n"),
    ],
)
def test_what_the_grammar_puts_in_where_a_name_is_missing_defines_and_refers_to_nothing(language, source):
    slice_ = extract(language, source)
    assert all(slice_.symbols.name[1:])
    assert all(slice_.references.name)


def test_a_python_import_says_whether_only_type_checkers_see_it_and_whether_it_may_fail():
    source = b"""
from typing import TYPE_CHECKING
import typing as t
if TYPE_CHECKING:
    import a
    from b import c
elif X:
    import d
else:
    import e
if t.TYPE_CHECKING:
    import f
if not TYPE_CHECKING:
    import g
try:
    import h
except ImportError:
    import i
try:
    import j
except (ValueError, m.ModuleNotFoundError) as error:  # either
    pass
try:
    import k
except ValueError:
    pass
try:
    import l
except:  # whatever it is
    pass
else:
    import n
"""
    slice_ = extract("python", source)
    flags = {slice_.strings[name]: flag for name, flag in zip(slice_.imports.local, slice_.imports.flags, strict=True)}
    assert {name for name, flag in flags.items() if flag == ImportFlag.TYPE_ONLY} == {"a", "c", "f"}
    assert {name for name, flag in flags.items() if flag == ImportFlag.OPTIONAL} == {"h", "j", "l"}
