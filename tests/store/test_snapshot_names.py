from __future__ import annotations

import pytest
from store_samples import BASIS, publish

from git_graph.errors import UnknownView, UsageError
from git_graph.git.repository import MAIN_VIEW, Repository
from git_graph.store import manifest, snapshots, views
from git_graph.store.basis import Basis
from git_graph.store.transaction import Transaction

LINKED = "worktrees/linked"


@pytest.fixture
def repository(repo) -> Repository:
    return Repository.discover(repo.path)


@pytest.fixture
def ids(repository) -> list[str]:
    """The snapshots of the main worktree's view, newest first."""
    made = [publish(repository, {b"a": b"slice %d" % n}, basis=BASIS._replace(observed_at=n)) for n in range(3)]
    return [view.snapshot.id for view in reversed(made)]


def found(repository, text, here=MAIN_VIEW) -> str | None:
    held = snapshots.find(repository, text, here)
    return None if held is None else held.id


def pin(repository, label, name=MAIN_VIEW) -> str:
    view = views.require(repository, name)
    with Transaction(repository) as transaction:
        views.pin(transaction, view, label)
    return view.snapshot.id


def test_a_snapshot_is_found_by_how_long_ago_it_was(repository, ids):
    assert [found(repository, f"@{{{ago}}}") for ago in range(3)] == ids
    assert [found(repository, f"{MAIN_VIEW}@{{{ago}}}", LINKED) for ago in range(3)] == ids


def test_a_snapshot_is_found_by_its_number_in_the_view_that_asks(repository, ids):
    assert [found(repository, number) for number in "321"] == ids
    assert found(repository, "1", LINKED) is None
    assert found(repository, "4") is None


@pytest.mark.parametrize("text", ["01", "+1", " 1", "1_0", "\u0661", "0", "1" * 5000])
def test_what_merely_looks_like_a_number_is_none(repository, ids, text):
    assert found(repository, text) is None


def test_a_snapshot_is_found_by_its_id_from_four_digits_on(repository, ids):
    for id in ids:
        assert found(repository, id) == found(repository, id[:12].upper()) == id
        assert found(repository, id, None) == id
        assert found(repository, id[:3]) != id
        assert found(repository, id + "0") is None


def test_a_snapshot_is_found_by_the_label_that_pins_it_in_its_own_view_alone(repository, ids):
    pinned = pin(repository, "before work")
    publish(repository, {b"a": b"other"}, LINKED)
    publish(repository, {b"a": b"later"})
    assert pinned == ids[0]
    assert found(repository, "before work") == pinned
    assert found(repository, "before work", LINKED) is None
    assert [(held.name, held.view) for held in snapshots.epochs(repository)] == [
        ("epochs/main-worktree/before work", MAIN_VIEW)
    ]
    assert snapshots.epochs(repository, LINKED) == []


def test_a_label_comes_before_a_number_and_an_id(repository, ids):
    pinned = pin(repository, "1")
    assert pin(repository, ids[2][:8]) == pinned
    assert found(repository, "1") == found(repository, ids[2][:8]) == pinned


def test_an_id_is_found_whoever_holds_it(repository, ids):
    pinned = pin(repository, "kept")
    assert views.delete(repository, MAIN_VIEW)
    assert found(repository, pinned[:10], LINKED) == pinned
    assert found(repository, ids[1][:10], LINKED) is None


def test_a_view_that_cannot_be_read_does_not_keep_others_from_being_found(repository, ids, repo):
    repo.git("update-ref", "refs/graph/views/worktrees/bad", repo.git("hash-object", "-wt", "tree", "/dev/null"))
    assert found(repository, ids[1][:10]) == ids[1]


def test_an_id_that_several_begin_with_is_refused_and_they_are_named(repository):
    with Transaction(repository) as transaction:  # a first and a second snapshot whose ids share four digits
        tree = manifest.build(transaction, {})

        def basis(sequence: int, at: int) -> Basis:
            return BASIS._replace(sequence=sequence, observed_at=at, branch=f"b{sequence}")

        def id(sequence: int, at: int) -> str:
            return manifest.put_snapshot(transaction, tree, basis(sequence, at))

        alike = {id(1, at)[:4]: at for at in range(600)}
        second = next(at for at in range(10_000) if id(2, at)[:4] in alike)
        digits = id(2, second)[:4]
    ids = [publish(repository, {}, basis=basis(n, at)).snapshot.id for n, at in ((1, alike[digits]), (2, second))]
    with pytest.raises(UnknownView, match=f"snapshot '{digits}' is ambiguous") as error:
        found(repository, digits)
    for id_, name in zip(ids, ("main-worktree@{1}", "main-worktree@{0}"), strict=True):
        assert f"{id_[:12]} ({name})" in error.value.hint
        assert found(repository, id_[:12]) == id_


def test_what_is_no_label_is_refused():
    for label in ("", "-x", "a\nb", "a@{1}", "x" * 201, "ü" * 100, "\x1b[31m", "\udcff"):
        with pytest.raises(UsageError, match="is no label"):
            snapshots.epoch(MAIN_VIEW, label)


def test_the_error_about_an_earlier_snapshot_says_what_is_kept(repository, ids, repo):
    repo.git("config", "graph.historyLimit", "1")
    repository = Repository.discover(repo.path)
    publish(repository, {b"a": b"later"})
    with pytest.raises(UnknownView, match=r"no snapshot @\{2\}") as error:
        snapshots.find(repository, "@{2}", MAIN_VIEW)
    assert error.value.hint.startswith("it keeps 1; git graph snapshots lists them")
    for text, said in (
        ("1", "view 'main-worktree' no longer has snapshot 1"),
        (ids[2][:12], f"there is no view or snapshot '{ids[2][:12]}', or no longer"),
    ):
        told = snapshots.unknown(repository, text, MAIN_VIEW)
        assert told.message == said
        assert told.hint.startswith("view 'main-worktree' keeps numbers 3 to 4; git graph snapshots lists them")
    assert snapshots.unknown(repository, "nope", MAIN_VIEW).message == "there is no view 'nope'"
    assert snapshots.unknown(repository, "5", MAIN_VIEW).message == "there is no view '5'"
