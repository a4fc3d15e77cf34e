from __future__ import annotations

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_samples import BASIS, content_of, publish

from git_graph.git.loose import object_id
from git_graph.git.repository import Repository
from git_graph.store import journal, manifest, tend, views
from git_graph.store.journal import Journal, Notes
from git_graph.store.tend import AGE, LooseNote, PackNote, plan
from git_graph.store.transaction import Transaction

NOW = 1_800_000_000.0
OLD = NOW - AGE - 10


def counts(repo) -> tuple[int, int]:
    """Loose objects and packs."""
    words = dict(line.split(": ") for line in repo.git("count-objects", "-v").splitlines())
    return int(words["count"]), int(words["packs"])


def path_of(n: int) -> bytes:
    return b"d%d/e/f%d" % (n % 40, n)


def id_of(n: int) -> str:
    return f"{n:040x}"


# the plan


def test_old_orphans_go_and_young_ones_stay():
    loose = [LooseNote(id_of(1), OLD, OLD), LooseNote(id_of(2), NOW - 5, NOW - 5)]
    todo = plan(loose, [], set(), NOW)
    assert (todo.pack, todo.remove_loose, todo.loose_notes) == ([], [id_of(1)], [(id_of(2), NOW - 5)])


def test_what_somebody_wrote_again_is_left_to_git_for_good():
    todo = plan([LooseNote(id_of(1), OLD, NOW - 9)], [PackNote(id_of(9), [id_of(2)], OLD, NOW - 9)], set(), NOW)
    assert todo == ([], [], [], [], [])


def test_many_reachable_objects_are_packed_and_few_are_left():
    many = [LooseNote(id_of(n), NOW, NOW) for n in range(tend.WORTH_A_PACK)]
    ids = {note.id for note in many}
    todo = plan(many, [], ids, NOW)
    assert set(todo.pack) == set(todo.remove_loose) == ids and todo.loose_notes == []
    todo = plan(many[1:], [], ids, NOW)
    assert todo.pack == todo.remove_loose == [] and len(todo.loose_notes) == len(many) - 1


def test_young_orphans_beyond_the_spared_go_oldest_first():
    loose = [LooseNote(id_of(n), NOW - n / 10, NOW - n / 10) for n in range(tend.SPARED + 5)]
    assert set(plan(loose, [], set(), NOW).remove_loose) == {note.id for note in loose[-5:]}


def test_small_packs_are_merged_without_their_old_orphans_and_the_large_ones_are_left():
    packs = [PackNote(id_of(900 + n), [id_of(100 * n + k) for k in range(n + 1)], OLD, OLD) for n in range(12)]
    reached = {id for pack in packs for id in pack.ids if not id.endswith("0")}
    todo = plan([], packs, reached, NOW)
    small = packs[: -tend.LARGE_PACKS]
    assert set(todo.remove_packs) == {pack.name for pack in small}
    assert set(todo.pack) == {id for pack in small for id in pack.ids} & reached
    assert {name for name, _ in todo.pack_notes} == {pack.name for pack in packs[-tend.LARGE_PACKS :]}


def test_a_pack_that_is_mostly_orphans_is_written_anew():
    rotten = PackNote(id_of(1), [id_of(n) for n in range(3000)], OLD, OLD)
    sound = PackNote(id_of(2), [id_of(n) for n in range(5000, 9000)], OLD, OLD)
    todo = plan([], [rotten, sound], {*sound.ids, id_of(7)}, NOW)
    assert (todo.pack, todo.remove_packs) == ([id_of(7)], [rotten.name])


notes = st.builds(LooseNote, st.integers(0, 300).map(id_of), st.sampled_from([OLD, NOW]), st.sampled_from([OLD, NOW]))
packs = st.builds(
    PackNote,
    st.integers(1000, 1030).map(id_of),
    st.lists(st.integers(0, 300).map(id_of), max_size=9),
    st.sampled_from([OLD, NOW]),
    st.sampled_from([OLD, NOW]),
)


@given(
    st.lists(notes, max_size=250, unique_by=lambda note: note.id),
    st.lists(packs, max_size=20, unique_by=lambda pack: pack.name),
    st.sets(st.integers(0, 300).map(id_of)),
)
def test_nothing_that_is_reached_or_wanted_by_others_is_ever_lost(loose, packs, reached):
    todo = plan(loose, packs, reached, NOW)
    kept_packs = [pack for pack in packs if pack.name not in todo.remove_packs]
    left = {*todo.pack, *(note.id for note in loose if note.id not in todo.remove_loose)}
    left.update(*(pack.ids for pack in kept_packs))
    everything = {note.id for note in loose}.union(*(pack.ids for pack in packs))
    assert everything & reached <= left
    for note in loose:
        if note.modified > note.noted + tend.SLACK:
            assert note.id in left
    for pack in packs:
        if pack.modified > pack.noted + tend.SLACK:
            assert pack.name not in todo.remove_packs and pack.name not in dict(todo.pack_notes)


# the notes


def test_notes_survive_a_taker_that_dies(tmp_path):
    notes = Notes(tmp_path / "notes")
    notes.append([(id_of(1), 5), (id_of(2), 6), (id_of(1), 7)])
    assert notes.take() == {id_of(1): 7.0, id_of(2): 6.0}
    notes.append([(id_of(3), 8)])
    assert notes.take() == {id_of(1): 7.0, id_of(2): 6.0, id_of(3): 8.0}
    notes.settle([(id_of(2), 6)])
    assert notes.take() == {id_of(2): 6.0} and len(notes) == 0


def test_torn_lines_are_passed_over(tmp_path):
    notes = Notes(tmp_path / "notes")
    notes.append([(id_of(1), 5)])
    with (tmp_path / "notes").open("ab") as file:
        file.write(b"torn\n\xff\xfe\n" + b"x" * 51 + b"\n" + id_of(2).encode())
    assert notes.take() == {id_of(1): 5.0}


# the deed


@pytest.fixture
def small(monkeypatch) -> None:
    """Everything a twentieth as large, so that little work shows what much would."""
    monkeypatch.setattr(journal, "LIMIT", 100)
    monkeypatch.setattr(tend, "SPARED", 50)
    monkeypatch.setattr(tend, "WORTH_A_PACK", 5)


def test_thousands_of_little_publications_leave_nothing_that_git_would_tell(repo, small):
    """As in an hour of edits: never more than a few hundred objects, few packs, and git says nothing."""
    repo.write("a", "1")
    repo.commit()
    repo.git("config", "gc.auto", "1500")
    repo.git("config", "gc.autoDetach", "false")
    repository = Repository.discover(repo.path)
    view = publish(repository, {path_of(n): b"%d" % n for n in range(60)})
    most = 0
    for n in range(220):
        with Transaction(repository) as transaction:
            change = {path_of(n % 60): transaction.blob(b"edit %d" % n)}
            tree = manifest.update(transaction, view.snapshot.files, change)
            view, _ = views.publish(transaction, "main-worktree", tree, BASIS, view)
        if n % 25 == 0:
            most = max(most, counts(repo)[0])
            assert repo.said("gc", "--auto") == ""
    assert most < 400 and counts(repo)[1] < 15
    fresh = Repository.discover(repo.path)
    assert len(views.history(fresh, view)) == 20
    for snapshot in views.history(fresh, view).values():
        assert len(content_of(fresh, manifest.read_snapshot(fresh, snapshot).files)) == 60
    assert repo.fsck() == ""
    everything = len(repo.git("cat-file", "--batch-check", "--batch-all-objects").splitlines())
    assert everything < 800, "orphans pile up in packs"
    assert repo.said("commit", "-q", "--allow-empty", "-m", "x") == ""
    repo.git("gc", "-q")
    assert repo.said("gc", "--auto") == "" and not (repo.path / ".git" / "gc.log").exists()


def test_packs_of_ours_are_merged_before_git_finds_them_too_many(repo, small):
    repository = Repository.discover(repo.path)
    for n in range(24):
        with Transaction(repository) as transaction:
            files = {b"%d" % k: transaction.blob(b"%d %d" % (n, k)) for k in range(120)}
            tree = manifest.build(transaction, files)
            views.publish(transaction, "main-worktree", tree, BASIS, views.read(repository, "main-worktree"))
        assert counts(repo)[1] <= journal.PACKS + 1
    view = views.require(repository, "main-worktree")
    assert len(content_of(repository, view.snapshot.files)) == 120
    assert repo.fsck() == ""


def orphan(repository: Repository, data: bytes, age: float) -> str:
    """A loose object of ours that nothing refers to."""
    id = object_id("blob", data)
    when = time.time() - age
    Journal(repository).loose.append([(id, when)])
    repository.loose.write(id, "blob", data)
    os.utime(repository.loose.path(id), (when, when))
    return id


def test_only_what_is_ours_and_old_and_wanted_by_nobody_is_removed(repo):
    repository = Repository.discover(repo.path)
    publish(repository, {b"a": b"1"})
    gone, young = orphan(repository, b"gone", AGE + 60), orphan(repository, b"young", 5)
    again, tagged, pinned = (orphan(repository, data, AGE + 60) for data in (b"again", b"tagged", b"pinned"))
    foreign = repo.git("hash-object", "-w", "--stdin", input=b"foreign")
    assert repo.git("hash-object", "-w", "--stdin", input=b"again") == again, "git freshens it"
    repo.git("tag", "-a", "-m", "x", "v1", tagged)
    tree = repo.git("mktree", input=f"100644 blob {pinned}\tx\n".encode())
    repo.git("update-ref", "refs/anything/x", tree)
    tend.tend(repository, Journal(repository))
    left = Repository.discover(repo.path).objects.present([gone, young, again, tagged, pinned, foreign])
    assert left == {young, again, tagged, pinned, foreign}
    assert repo.fsck() == ""


def test_an_unreadable_manifest_ends_it_before_anything_is_removed(repo):
    repository = Repository.discover(repo.path)
    view = publish(repository, {b"a/b": b"1"})
    old = orphan(repository, b"old", AGE + 60)
    repository.loose.remove(view.snapshot.files)
    journalled = Journal(repository)
    before = len(journalled.loose)
    tend.tend(repository, journalled)
    assert repository.objects.present([old]) == {old}
    assert len(journalled.loose) == before


def test_nothing_is_tended_while_gc_runs(repo):
    repository = Repository.discover(repo.path)
    old = orphan(repository, b"old", AGE + 60)
    (repo.path / ".git" / "gc.pid").write_text(f"{os.getpid()} {os.uname().nodename}")
    tend.tend(repository, Journal(repository))
    assert repository.objects.present([old]) == {old} and len(Journal(repository).loose) == 1


@pytest.mark.slow
def test_five_thousand_edits_make_git_say_nothing(repo):
    """The real limits, the real number."""
    repo.write("a", "1")
    repo.commit()
    repo.git("config", "gc.autoDetach", "false")
    repository = Repository.discover(repo.path)
    view = publish(repository, {path_of(n): b"%d" % n for n in range(2000)})
    for n in range(5000):
        with Transaction(repository) as transaction:
            change = {path_of(n % 2000): transaction.blob(b"edit %d" % n)}
            tree = manifest.update(transaction, view.snapshot.files, change)
            view, _ = views.publish(transaction, "main-worktree", tree, BASIS, view)
        if n % 250 == 0:
            assert repo.said("gc", "--auto") == ""
            assert counts(repo)[0] < 6_000 and counts(repo)[1] < 15
    assert repo.said("commit", "-q", "--allow-empty", "-m", "x") == ""
    repo.git("gc", "-q")
    assert repo.said("gc", "--auto") == "" and not (repo.path / ".git" / "gc.log").exists()
    assert repo.fsck() == ""
