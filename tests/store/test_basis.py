from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph.errors import CorruptObject, NewerFormat
from git_graph.store.basis import Basis, OverlayEntry, Skipped

ids = st.binary(min_size=20, max_size=20).map(bytes.hex)
paths = st.binary(min_size=1, max_size=12).map(lambda path: path.decode("utf-8", "surrogateescape"))
texts = st.text(max_size=8)
numbers = st.integers(0, 1 << 40)
present = st.builds(OverlayEntry, st.sampled_from("AM"), st.sampled_from([0o100644, 0o120000]), paths, ids)
deleted = st.builds(OverlayEntry, st.just("D"), st.just(0), paths, st.none())


def unique_paths(entries):
    return st.lists(entries, max_size=5, unique_by=lambda entry: entry.path).map(tuple)


bases = st.builds(
    Basis,
    tool=texts,
    rules=st.dictionaries(texts, st.tuples(numbers, texts), max_size=3),
    head=st.none() | ids,
    branch=st.none() | paths,
    overlay=unique_paths(st.one_of(present, deleted)),
    skipped=unique_paths(st.builds(Skipped, paths, texts, st.none() | ids, numbers, numbers)),
    policy=texts,
    sparse=texts,
    counts=st.dictionaries(texts, numbers, max_size=3),
    sequence=st.none() | numbers,
    epoch=st.none() | texts,
    worktree=st.none() | paths,
    observed_at=st.none() | numbers,
    format=st.just(1),
)


def normal(basis: Basis) -> Basis:
    """With its lists in canonical order."""
    order = lambda entry: entry.path.encode("utf-8", "surrogateescape")  # noqa: E731
    return basis._replace(
        overlay=tuple(sorted(basis.overlay, key=order)), skipped=tuple(sorted(basis.skipped, key=order))
    )


@given(bases)
def test_a_basis_survives_its_bytes_and_they_are_canonical(basis):
    data = basis.encode()
    assert data.isascii()
    decoded = Basis.decode(data)
    assert decoded == normal(basis)
    assert decoded.encode() == data


@given(bases, st.randoms())
def test_order_of_what_has_none_does_not_change_the_bytes(basis, random):
    shuffled = list(basis.overlay)
    random.shuffle(shuffled)
    rules = list(basis.rules.items())
    random.shuffle(rules)
    assert basis._replace(overlay=tuple(shuffled), rules=dict(rules)).encode() == basis.encode()


def test_the_same_picture_at_another_time_is_the_same_picture():
    basis = Basis("1", {}, head="1" * 40, sequence=4, observed_at=10)
    assert basis.same_picture(basis._replace(sequence=5, observed_at=99))
    assert not basis.same_picture(basis._replace(head=None))


def test_a_published_basis_has_no_trace_of_its_worktree():
    entry = OverlayEntry("A", 0o100644, "a", "1" * 40)
    one = Basis(
        "1", {}, head="1" * 40, branch="main", overlay=(entry,), sequence=3, epoch="e", worktree="/x", observed_at=9
    )
    other = Basis("1", {}, head="1" * 40, branch="other")
    assert one.published().encode() == other.published().encode()
    assert b"/x" not in one.published().encode()


def test_head_and_branch_are_null_when_there_is_none():
    document = json.loads(Basis("1", {}).encode())
    assert document["head"] is None and document["branch"] is None
    assert not {"overlay", "worktree", "sequence", "epoch", "observed_at"} & document.keys()


def test_a_newer_format_is_told_as_such():
    with pytest.raises(NewerFormat, match="format 2") as caught:
        Basis.decode(b'{"format": 2, "who": "knows"}')
    assert caught.value.hint == "upgrade git-graph"


def mutated():
    """Documents in which one field has a value of another kind."""
    document = json.loads(
        Basis(
            "1", {"c": (1, "f")}, head="1" * 40, overlay=(OverlayEntry("A", 1, "a", "1" * 40),),
            skipped=(Skipped("b", "r"),), counts={"files": 1}, sequence=1, worktree="/", observed_at=1, epoch="e",
        ).encode()
    )  # fmt: skip
    for field in Basis._fields:
        for wrong in (None, 1.5, -1, True, [], [[]], [1], {}, {"a": {}}, {"a": [1]}, "../x", [["A", 1, "a", "zz"]]):
            if field in document and type(wrong) is not type(document[field]):
                yield json.dumps(document | {field: wrong}).encode()
    yield from (b"", b"[]", b"{}", b"null", b"\xff", b'{"format": 1}', b"[" * 100_000)
    yield json.dumps(document | {"unknown": 1}).encode()
    yield json.dumps(document | {"overlay": [["D", 1, "a", "1" * 40]]}).encode()


def test_what_is_no_basis_is_refused():
    for data in mutated():
        try:
            basis = Basis.decode(data)
        except CorruptObject:
            continue
        assert Basis.decode(basis.encode()) == basis, data


@given(bases, st.integers(0, 300), st.binary(max_size=2))
def test_damaged_bytes_are_read_or_refused(basis, at, put):
    data = basis.encode()
    at %= len(data)
    try:
        Basis.decode(data[:at] + put + data[at + 1 :])
    except (CorruptObject, NewerFormat):
        pass
