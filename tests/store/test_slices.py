from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_samples import BASIS, publish

from git_graph import codec
from git_graph.errors import CorruptObject, MissingObject, NewerFormat
from git_graph.git.repository import Repository
from git_graph.model import Slice
from git_graph.store import keymap, manifest, slices
from git_graph.store.basis import OverlayEntry
from git_graph.store.slices import SliceHead
from git_graph.store.transaction import Transaction


@pytest.fixture
def repository(repo) -> Repository:
    return Repository.discover(repo.path)


def slice_of(content: str, language: str = "python", fingerprint: str = "f" * 16, words: str = "x") -> Slice:
    return Slice(content, language, fingerprint, ["", words])


def test_a_slice_reads_back(repository):
    made = slice_of("1" * 40)
    with Transaction(repository) as transaction:
        id = slices.put(transaction, made)
        assert slices.put(transaction, made) == id
        transaction.flush()
    assert slices.get(repository, id) == made
    assert list(slices.read(repository, [id, id])) == [(id, codec.encode(made))] * 2


def test_a_missing_slice_says_what_to_do(repository):
    with pytest.raises(MissingObject, match="1" * 40) as caught:
        slices.get(repository, "1" * 40)
    assert "git graph verify" in caught.value.hint


def test_a_slice_too_large_is_refused_unread(repo, repository, monkeypatch):
    monkeypatch.setattr(codec, "MAX_BYTES", 100)
    id = repo.git("hash-object", "-w", "--stdin", input=b"x" * 101)
    with pytest.raises(CorruptObject, match="more than 100 bytes"):
        slices.get(repository, id)


HEX = st.binary(max_size=20).map(bytes.hex)


@given(HEX, st.text(max_size=30), HEX)
def test_the_head_is_that_of_the_slice(source, language, fingerprint):
    data = codec.encode(Slice(source, language, fingerprint, ["", "words" * 200]))
    assert slices.head(data) == SliceHead(codec.FORMAT, source, language, fingerprint)


@given(st.binary(max_size=60))
def test_what_has_no_head_is_refused(data):
    with pytest.raises((CorruptObject, NewerFormat)):
        slices.head(data)


def test_a_newer_format_is_told_as_such():
    import msgpack

    with pytest.raises(NewerFormat):
        slices.head(msgpack.packb([codec.FORMAT + 1, {"anything": 1}]))


# the key map


def keyed(*made: Slice) -> dict[tuple[str, str, str], bytes]:
    return {(one.source, one.language, one.fingerprint): codec.encode(one) for one in made}


def test_every_slice_that_a_manifest_holds_is_found_once(repo, repository):
    one, two, three, four = (slice_of(str(n) * 40) for n in range(4))
    first = publish(repository, {b"a": codec.encode(one), b"b": codec.encode(two)})
    publish(repository, {b"a": codec.encode(three), b"b": codec.encode(two)})
    publish(repository, {b"d/e": codec.encode(four), b"junk": b"not a slice"}, "worktrees/x")
    repo.git("update-ref", "refs/graph/heads/main", first.snapshot.id)
    found = list(keymap.scan(repository))
    assert len(found) == len(dict(found)) == 4
    assert {key: repository.objects.blob(id) for key, id in found} == keyed(one, two, three, four)
    known = [id for key, id in found if key[0] in ("0" * 40, "3" * 40)]
    assert {key[0][0] for key, _ in keymap.scan(repository, known)} == {"1", "2"}


def test_damaged_manifests_and_missing_slices_are_misses(repo, repository):
    publish(repository, {b"a": codec.encode(slice_of("1" * 40)), b"b": codec.encode(slice_of("2" * 40))})
    other = publish(repository, {b"c": codec.encode(slice_of("3" * 40))}, "worktrees/x")
    with Transaction(repository) as transaction:
        repository.loose.remove(slices.put(transaction, slice_of("2" * 40)))
    repository.loose.remove(other.snapshot.id)
    assert [key[0][0] for key, _ in keymap.scan(repository)] == ["1"]


def test_contents_are_found_beside_head_trees_and_in_overlays(repo, repository):
    repo.write("dir/sub/a.py", "a")
    repo.write("b.py", "b")
    first = repo.commit()
    old = repo.git("rev-parse", "HEAD:b.py")
    repo.write("b.py", "b2")
    head = repo.commit()
    a, b = repo.git("rev-parse", "HEAD:dir/sub/a.py"), repo.git("rev-parse", "HEAD:b.py")
    dirty = repo.git("hash-object", "--stdin", input=b"dirty")
    files = {b"dir/sub/a.py": codec.encode(slice_of(a)), b"b.py": codec.encode(slice_of(old))}
    publish(repository, files, basis=BASIS._replace(head=first))
    overlay = (OverlayEntry("A", 0o100644, "new.py", dirty),)
    files |= {b"b.py": codec.encode(slice_of(b)), b"new.py": codec.encode(slice_of(dirty))}
    view = publish(repository, files, basis=BASIS._replace(head=head, overlay=overlay))
    for contents in ({a}, {b}, {old}, {dirty}, {a, old, dirty}, {"9" * 40}, set()):
        found = dict(keymap.find(repository, contents))
        assert {key[0] for key in found} == contents - {"9" * 40}
    ((_, id),) = keymap.find(repository, {dirty})
    assert id == manifest.find(repository, view.snapshot.files, b"new.py")


def test_a_slice_is_believed_about_its_source_and_nothing_else_is(repo, repository):
    repo.write("a.py", "a")
    head = repo.commit()
    a = repo.git("rev-parse", "HEAD:a.py")
    publish(repository, {b"a.py": codec.encode(slice_of("7" * 40))}, basis=BASIS._replace(head=head))
    assert list(keymap.find(repository, {a})) == []
