"""What sync remembers: facts by key, gone without harm, never in anybody's way."""

import sqlite3

import pytest

from git_graph.sync.cache import MANY, Cache, FileStat, KnownSlice

ONE, TWO, RULES = "1" * 40, "2" * 40, "f" * 16
KEY = (ONE, "python", RULES)
STAT = FileStat(1, 2, 3, 4)


def filled(directory):
    cache = Cache(directory)
    cache.put_slices([(KEY, KnownSlice(TWO, 10))])
    cache.put_language(ONE, "", RULES, None)
    cache.put_file("main-worktree", b"a\xff.py", STAT, "", ONE)
    cache.put_note("kind", "key", {"a": ["\udcff"]})
    cache.close()


def known(cache):
    return (
        cache.slices([KEY]), cache.languages([(ONE, "")], RULES), cache.files("main-worktree", [b"a\xff.py"], ""),
        cache.note("kind", "key"),
    )  # fmt: skip


EVERYTHING = ({KEY: KnownSlice(TWO, 10)}, {(ONE, ""): None}, {b"a\xff.py": (STAT, ONE)}, {"a": ["\udcff"]})
NOTHING = ({}, {}, {}, None)


def test_what_is_put_is_found_by_another_process(tmp_path):
    filled(tmp_path)
    assert known(Cache(tmp_path)) == EVERYTHING
    assert known(Cache(tmp_path, writable=False)) == EVERYTHING


def test_nothing_is_found_under_another_key(tmp_path):
    filled(tmp_path)
    cache = Cache(tmp_path)
    assert cache.slices([(ONE, "go", RULES), (ONE, "python", "0" * 16), (TWO, "python", RULES)]) == {}
    assert cache.files("worktrees/x", [b"a\xff.py"], "") == {}
    assert cache.files("main-worktree", [b"a\xff.py"], "other conversion") == {}


def test_many_are_found_as_few_are(tmp_path):
    cache = Cache(tmp_path)
    keys = [(f"{number:040x}", "python", RULES) for number in range(MANY + 50)]
    cache.put_slices((key, KnownSlice(key[0], None)) for key in keys)
    paths = [b"%d.py" % number for number in range(MANY + 50)]
    for path in paths:
        cache.put_file("v", path, STAT, "", ONE)
    cache.save()
    assert cache.slices(keys) == {key: KnownSlice(key[0], None) for key in keys}
    assert cache.files("v", paths, "").keys() == set(paths)
    assert cache.slice_ids() == {key[0] for key in keys}
    cache.keep_files("v", paths[:10])
    cache.save()
    assert cache.files("v", paths, "").keys() == set(paths[:10])


def test_a_size_that_was_known_stays_known(tmp_path):
    filled(tmp_path)
    cache = Cache(tmp_path)
    cache.put_slices([(KEY, KnownSlice(TWO, None))])
    cache.save()
    assert cache.slices([KEY]) == {KEY: KnownSlice(TWO, 10)}


@pytest.mark.parametrize("content", [b"", b"\xff" * 5000, b"SQLite format 3\0" + b"\0" * 5000])
def test_a_damaged_file_is_done_without_and_begun_anew_by_the_next(tmp_path, content):
    (tmp_path / "sync-1.sqlite").write_bytes(content)
    assert known(Cache(tmp_path)) == NOTHING
    filled(tmp_path)
    filled(tmp_path)
    assert known(Cache(tmp_path)) == EVERYTHING


def test_a_file_that_another_writes_for_long_is_done_without(tmp_path, monkeypatch):
    from git_graph.sync import cache as module

    monkeypatch.setattr(module, "BUSY_TIMEOUT", 0.05)
    filled(tmp_path)
    other = sqlite3.connect(tmp_path / "sync-1.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    cache = Cache(tmp_path)
    cache.put_note("kind", "key", "new")
    cache.save()
    other.execute("ROLLBACK")
    assert Cache(tmp_path).note("kind", "key") == {"a": ["\udcff"]}


def test_without_a_directory_it_remembers_for_itself_alone(tmp_path):
    cache = Cache(None)
    cache.put_note("kind", "key", 1)
    assert cache.note("kind", "key") == 1
    cache.close()
    assert known(Cache(tmp_path / "nowhere")) == NOTHING


def test_notes_are_thinned_kind_by_kind_the_latest_stay(tmp_path, monkeypatch):
    from git_graph.sync import cache as module

    monkeypatch.setattr(module, "KEPT_NOTES", 10)
    monkeypatch.setattr(module, "THINNED_EVERY", 8)
    cache = Cache(tmp_path)
    cache.put_note("rare", "key", "kept")
    for number in range(100):
        cache.put_note("frequent", str(number), number)
        cache.save()
    again = Cache(tmp_path)
    assert again.note("rare", "key") == "kept"
    kept = [number for number in range(100) if again.note("frequent", str(number)) is not None]
    assert kept == list(range(100 - len(kept), 100))
    assert 10 <= len(kept) <= 18


def test_what_is_not_noted_is_found_at_once_saved_or_not(tmp_path):
    cache = Cache(tmp_path)
    cache.put_note("kind", "saved", True)
    cache.save()
    cache.put_note("kind", "new", True)
    assert cache.without_note("kind", ["saved", "new", "other"]) == {"other"}
    cache.forget_note("kind", "saved")
    cache.forget_note("kind", "new")
    cache.save()
    assert cache.without_note("kind", ["saved", "new"]) == {"saved", "new"}
    assert Cache(tmp_path).note("kind", "saved") is None
