"""The slice format: one value, one sequence of bytes; anything else is refused, never crashed on."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_graph import codec
from git_graph.errors import CorruptObject, NewerFormat
from git_graph.extract.extractor import extract
from git_graph.model import (
    BINDING_KINDS,
    EXPRESSION_KINDS,
    FIRST_EXPRESSION,
    KINDS,
    ROLES,
    BindingColumns,
    ExpressionColumns,
    ImportColumns,
    ReferenceColumns,
    Slice,
    SymbolColumns,
)

texts = st.binary(max_size=8).map(lambda data: data.decode("utf-8", "surrogateescape")) | st.text(
    st.characters(blacklist_categories=["Cs"]), max_size=8
)
lines = st.integers(1, 3000) | st.integers(1, codec.MAX_LINE - 1)


def column(draw, values: st.SearchStrategy, count: int) -> list:
    return draw(st.lists(values, min_size=count, max_size=count))


@st.composite
def slices(draw) -> Slice:
    strings = [
        "",
        *draw(st.lists(texts.map(lambda text: text.replace("\0", "?")).filter(bool), max_size=6, unique=True)),
    ]
    string = st.integers(0, len(strings) - 1)
    n = draw(st.integers(0, 5))
    expressions = ExpressionColumns(
        column(draw, st.integers(FIRST_EXPRESSION, len(EXPRESSION_KINDS) - 1), n),
        [draw(st.integers(0, FIRST_EXPRESSION + row - 1)) for row in range(n)],
        column(draw, string, n),
    )
    expression = st.integers(0, FIRST_EXPRESSION + n - 1)
    n = draw(st.integers(1, 5))
    symbols = SymbolColumns(
        [0, *column(draw, string, n - 1)],
        column(draw, st.integers(0, len(KINDS) - 1), n),
        *(column(draw, lines, n) for _ in range(4)),
        [-1, *(draw(st.integers(0, row - 1)) for row in range(1, n))],
        column(draw, string, n),
        column(draw, string, n),
        column(draw, st.integers(0, 8191), n),
        column(draw, st.lists(string, max_size=2), n),
        column(draw, string, n),
        column(draw, string, n),
    )
    symbol = st.integers(0, n - 1)
    n = draw(st.integers(0, 5))
    references = ReferenceColumns(
        *(column(draw, v, n) for v in (string, st.integers(0, len(ROLES) - 1), lines, lines, symbol, expression, lines))
    )
    n = draw(st.integers(0, 3))
    flags = st.integers(0, 15)
    imports = ImportColumns(
        *(column(draw, v, n) for v in (string, string, string, st.integers(0, 9), lines, lines, symbol, flags))
    )
    n = draw(st.integers(0, 3))
    kinds = st.integers(0, len(BINDING_KINDS) - 1)
    bindings = BindingColumns(*(column(draw, v, n) for v in (string, kinds, symbol, lines, lines, expression)))
    return Slice(
        draw(st.binary(min_size=20, max_size=20)).hex(),
        draw(texts),
        draw(st.binary(max_size=8)).hex(),
        strings,
        expressions,
        symbols,
        references,
        imports,
        bindings,
        draw(st.lists(st.tuples(lines, lines), max_size=3)),
        draw(st.sampled_from(codec.OMITTED)),
    )


QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(slices())
def test_a_slice_survives_its_bytes_and_the_bytes_survive_the_slice(slice_):
    data = codec.encode(slice_)
    decoded = codec.decode(data)
    assert decoded == slice_
    assert codec.encode(decoded) == data


@QUICK
@given(slices())
def test_neither_decoding_nor_encoding_changes_its_argument(slice_):
    before = pickle.dumps(slice_)
    codec.encode(slice_)
    assert pickle.dumps(slice_) == before


def test_no_process_and_no_hash_seed_changes_the_bytes():
    program = (
        "import sys; from git_graph import codec; from git_graph.extract.extractor import extract\n"
        "source = b'import os\\nclass A(B, C):\\n    def f(self, x: int) -> str:\\n        return os.path(x).y\\n'\n"
        "sys.stdout.buffer.write(codec.encode(extract('python', source)))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1 and codec.decode(outputs.pop()).symbol_names() == {"A", "f"}


def mend_or_refuse(data: bytes) -> None:
    """Bytes from anywhere are a slice whose every record can be read, or one of two errors."""
    try:
        slice_ = codec.decode(data)
    except (CorruptObject, NewerFormat):
        return
    for n in range(len(slice_.symbols.name)):
        slice_.symbol(n)
    for n in range(len(slice_.references.name)):
        slice_.render(slice_.reference(n).receiver)
    for n in range(len(slice_.imports.name)):
        slice_.import_(n)
    for n in range(len(slice_.bindings.name)):
        slice_.render(slice_.binding(n).value)
    assert codec.decode(codec.encode(slice_)) == slice_


@QUICK
@given(slices(), st.integers(0, 10_000), st.binary(max_size=3), st.integers(0, 2))
def test_damaged_bytes_are_read_or_refused(slice_, at, put, cut):
    data = codec.encode(slice_)
    at %= len(data)
    mend_or_refuse(data[:at] + put + data[at + cut :])


@QUICK
@given(slices(), st.data())
def test_a_document_with_one_value_replaced_is_read_or_refused(slice_, data):
    document = msgpack.unpackb(codec.encode(slice_), unicode_errors="surrogateescape")
    junk = st.sampled_from([None, True, -1, 0, 1, 2**31, 2**63, 1.5, "", "x", b"x", [], [0], [[0]], {}, {"a": 1}])
    holder = document
    while True:
        at = data.draw(st.integers(0, len(holder) - 1))
        if not (isinstance(holder[at], list) and holder[at] and data.draw(st.booleans())):
            break
        holder = holder[at]
    holder[at] = data.draw(junk)
    mend_or_refuse(msgpack.packb(document, unicode_errors="surrogateescape"))


@QUICK
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    mend_or_refuse(data)


def test_an_expression_that_a_reference_spells_is_stored_as_that_reference():
    slice_ = extract("python", b"import a\na.b.c(a.b)\n")
    kinds, distances, texts = msgpack.unpackb(codec.encode(slice_))[5]
    spelled = [distance for kind, distance in zip(kinds, distances, strict=True) if kind == codec.AS_REFERENCE]
    told = [slice_.render(FIRST_EXPRESSION + row) for row, kind in enumerate(kinds) if kind == codec.AS_REFERENCE]
    assert (spelled, told) == ([1, 1, 1], ["a", "a.b", "a.b.c"])
    assert len(texts) == len(kinds) - 3


def test_every_role_has_room_beside_the_arguments():
    assert len(ROLES) <= 1 << codec.ROLE_BITS


def test_a_newer_format_is_told_as_such():
    for document in ([codec.FORMAT + 1], [codec.FORMAT + 1, {"anything": 1}, 1.5]):
        with pytest.raises(NewerFormat, match="format") as caught:
            codec.decode(msgpack.packb(document))
        assert caught.value.hint == "upgrade git-graph"


def test_what_is_too_large_is_refused_unread(monkeypatch):
    monkeypatch.setattr(codec, "MAX_BYTES", 10)
    with pytest.raises(CorruptObject, match="above the limit"):
        codec.decode(b"\xc1" * 11)


@pytest.mark.parametrize(
    "bomb", [b"\xdd\xff\xff\xff\xff", b"\x9c\x01\xdb\xff\xff\xff\xff", b"\x91" * 100_000, b"\xdf\xff\xff\xff\xff"]
)
def test_bombs_are_refused(bomb):
    with pytest.raises(CorruptObject):
        codec.decode(bomb)


def minimal() -> list:
    """The document of a slice with one symbol, to be broken."""
    symbols = SymbolColumns([0], [0], [1], [1], [1], [1], [-1], [0], [0], [0], [[]], [0], [0])
    return msgpack.unpackb(codec.encode(Slice("1" * 40, "c", "f0", symbols=symbols)))


def broken():
    """(what is wrong, document)"""
    for name, at, value in (
        ("an omission that there is not", 11, "because"),
        ("a first string that is not empty", 4, "x"),
        ("a list of strings", 4, [""]),
        ("an odd number of unparsed lines", 10, [1]),
        ("a line before the first", 10, [0, 1]),
        ("an id that is text", 1, "1" * 40),
        ("an expression that contains itself", 5, [[4], [-4], [0]]),
        ("an expression of no kind", 5, [[1], [0], [0]]),
        ("an expression without a text", 5, [[4], [0], []]),
        ("an expression with two texts", 5, [[4], [0], [0, 0]]),
        ("an expression that no reference spells", 5, [[codec.AS_REFERENCE], [0], []]),
        ("an expression that a reference before the first spells", 5, [[codec.AS_REFERENCE], [-1], []]),
        ("columns of different lengths", 7, [[0], [], [], [], [], []]),
        ("a name that there is not", 7, [[1], [0], [1], [1], [0], [0]]),
        ("a reference from no symbol", 7, [[0], [0], [1], [1], [1], [0]]),
        ("a boolean", 7, [[False], [0], [1], [1], [0], [0]]),
        ("a role that there is not", 7, [[0], [15], [1], [1], [0], [0]]),
        ("fewer arguments than none", 7, [[0], [-16], [1], [1], [0], [0]]),
        ("a line beyond the limit", 7, [[0], [0], [2**31], [1], [0], [0]]),
        ("too few columns", 9, [[], []]),
    ):
        yield name, [*minimal()[:at], value, *minimal()[at + 1 :]]
    for name, at, value in (
        ("a module that is named", 0, [1]),
        ("a module in something", 6, [0]),
        ("no bases", 10, []),
    ):
        document = minimal()
        document[4] = "\0x"
        document[6][at] = value
        yield name, document
    yield "a field too many", [*minimal(), 1]
    yield "a field too few", minimal()[:-1]
    yield "an older format", [0, *minimal()[1:]]


@pytest.mark.parametrize(
    ("what", "document"), list(broken()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_a_slice_cannot_be_is_refused(what, document):
    codec.decode(msgpack.packb(minimal()))
    with pytest.raises(CorruptObject):
        codec.decode(msgpack.packb(document))
