"""Whatever the bytes: read right, or refused by name; never a traceback, never without bounds."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph import codec, languages
from git_graph.cli.escape import safe, safe_path
from git_graph.errors import GraphError
from git_graph.extract.extractor import blob_id, extract
from git_graph.git import attributes, settings, worktree
from git_graph.git.objects import TREE, parse_tree, serialize_tree
from git_graph.git.packs import PackIndex
from git_graph.store import slices, views
from git_graph.store.basis import Basis

LANGUAGES = sorted(languages.specs())
SAMPLES = Path(__file__).parents[1] / "languages"


def samples(language: str) -> list[bytes]:
    """Sources of a language: its annotated samples, or a few words where it has none."""
    files = [file for file in (SAMPLES / language / "samples").rglob("*") if file.is_file()]
    found = [
        data for file in sorted(files)
        if languages.detect(file.name, data := file.read_bytes()) == language and len(data) < 20_000
    ]  # fmt: skip
    return found or [b'{"name": "x", "version": "1"}\n[project]\nname = "x"\nmodule x\n\nrequire y v1\n']


@st.composite
def mutated(draw: st.DrawFn, sources: list[bytes]) -> bytes:
    """A source with pieces cut out, doubled, moved, overwritten, or spliced with another."""
    data = bytearray(draw(st.sampled_from(sources)))
    for _ in range(draw(st.integers(1, 6))):
        size = len(data)
        at = draw(st.integers(0, size))
        length = draw(st.sampled_from([1, 1, 2, 7, 40, 400]))
        match draw(st.integers(0, 5)):
            case 0:
                del data[at : at + length]
            case 1:
                data[at:at] = data[at : at + length]
            case 2:
                data[at : at + length] = draw(st.binary(max_size=8))
            case 3:
                piece = bytes(data[at : at + length])
                del data[at : at + length]
                to = draw(st.integers(0, len(data)))
                data[to:to] = piece
            case 4:
                other = draw(st.sampled_from(sources))
                begin = draw(st.integers(0, len(other)))
                data[at:at] = other[begin : begin + length]
            case _:
                del data[at:]
    return bytes(data)


@pytest.mark.parametrize("language", LANGUAGES)
def test_mutated_sources_give_valid_slices_that_stay_the_same(language, within_budget):
    sources = samples(language)

    @given(mutated(sources))
    def check(source):
        started = time.monotonic()
        slice_ = extract(language, source)
        assert time.monotonic() - started < 10
        data = codec.encode(slice_)
        assert codec.decode(data) == slice_
        assert slices.head(data)[1:] == (blob_id(source), language, slice_.fingerprint)
        assert codec.encode(extract(language, source)) == data
        lines = source.count(b"\n") + 1
        assert all(0 < line <= lines for line in slice_.references.line)

    within_budget(check)


@pytest.mark.parametrize("language", LANGUAGES)
def test_mutated_slices_are_read_or_refused(language, within_budget):
    encoded = [codec.encode(extract(language, source)) for source in samples(language)[:6]]

    @given(mutated(encoded))
    def check(data):
        try:
            slice_ = codec.decode(data)
        except GraphError:
            return
        assert codec.encode(slice_) == data, "what is read is canonical"

    within_budget(check)


STATUS = (
    b"# branch.oid 0123456789012345678901234567890123456789\0# branch.head main\0"
    b"1 .M N... 100644 100644 100644 0123456789012345678901234567890123456789 "
    b"0123456789012345678901234567890123456789 a b.py\0"
    b"u UU N... 100644 100644 100644 100644 " + b" ".join([b"0123456789012345678901234567890123456789"] * 3) + b" c\0"
    b"? new\n.py\0? nested/\0"
)
HIDDEN = b"S 100644 %s 0\ta.py\0h 100755 %s 0\tb\0" % ((b"0123456789012345678901234567890123456789",) * 2)
TREES = serialize_tree(parse_tree(b"100644 =a\0" + b"\1" * 20 + b"40000 =d\0" + b"\2" * 20))
BASIS = Basis(tool="1", rules={"python": (1, "f" * 16)}, counts={"files": 1, "python": 1}).encode()
SETTINGS = b"graph.untracked\ntrue\0graph.maxfilesize\n1m\0core.filemode\0graph.jobs\n3\0"

PARSERS = {
    "git status": (worktree.parse, [STATUS]),
    "git ls-files": (worktree.hidden, [HIDDEN]),
    "git config": (settings.parse, [SETTINGS]),
    "a tree": (parse_tree, [TREES]),
    "a basis": (Basis.decode, [BASIS, json.dumps({"format": 1, "head": None}).encode()]),
    "the head of a slice": (slices.head, [codec.encode(extract("python", b"def f(): pass\n"))]),
    "attributes": (attributes.mentions, [b"*.py linguist-language=C -graph\n[attr]x y\n"]),
}


@pytest.mark.parametrize("what", PARSERS)
def test_whatever_git_or_an_object_says_is_read_or_refused(what, within_budget):
    parse, sources = PARSERS[what]

    @given(st.one_of(mutated(sources), st.binary(max_size=200)))
    def check(data):
        try:
            parse(data)
        except GraphError:
            return

    within_budget(check)


def test_whatever_lies_in_a_pack_index_is_read_or_refused(repo, tmp_path, within_budget):
    repo.write("a", "1")
    repo.commit()
    repo.git("repack", "-adq")
    (index,) = (repo.path / ".git" / "objects" / "pack").glob("*.idx")
    file = tmp_path / "x.idx"

    @given(mutated([index.read_bytes()]))
    def check(data):
        file.write_bytes(data)
        try:
            found = PackIndex(file)
            assert all(len(id) == 40 for id in found)
            assert "0" * 40 in found or "0" * 40 not in found
        except (GraphError, ValueError):
            return  # ValueError: empty, which is met as one that is being written

    within_budget(check)


names = st.binary(min_size=1, max_size=12).filter(lambda name: b"\0" not in name)
paths = st.lists(names.map(lambda name: name.replace(b"/", b"")).filter(bool), min_size=1, max_size=5).map(b"/".join)


def test_any_path_is_shown_without_driving_a_terminal_and_has_a_language_or_none(within_budget):
    @given(paths, st.binary(max_size=60))
    def check(path, data):
        text = path.decode("utf-8", "surrogateescape")
        assert safe(text).isprintable() and safe_path(text).isprintable()
        found = languages.detect(text, data)
        assert found is None or found in LANGUAGES
        assert text.encode("utf-8", "surrogateescape") == path

    within_budget(check)


def test_any_name_of_a_view_is_one_ref_or_refused(within_budget):
    parts = st.one_of(st.text(max_size=8), st.sampled_from([".", "..", "a.lock", "@{", "a/b", "%2F", "\udce9"]))

    @given(st.sampled_from(["worktrees", "heads", "epochs", "remotes"]), st.lists(parts, min_size=1, max_size=3))
    def check(kind, rest):
        try:
            rest = [part.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") for part in rest]
        except UnicodeError:
            return
        name = "/".join([kind, *rest])
        try:
            ref = views.ref_of(name)
        except GraphError:
            return
        assert ref.startswith("refs/graph/") and ref.isascii() and ".." not in ref and "//" not in ref
        if kind != "remotes":
            assert views.name_of(ref) == name

    within_budget(check)


def test_trees_that_are_read_are_written_as_they_were(within_budget):
    @given(mutated([TREES]))
    def check(data):
        try:
            rows = parse_tree(data)
        except GraphError:
            return
        if len({row.name for row in rows}) == len(rows) and all(row.mode in (TREE, 0o100644) for row in rows):
            assert parse_tree(serialize_tree(rows)) == sorted(
                rows, key=lambda row: row.name + b"/" if row.mode == TREE else row.name
            )

    within_budget(check)
