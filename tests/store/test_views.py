from __future__ import annotations

import shutil
import string
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_samples import BASIS, content_of, publish

from git_graph.errors import CorruptObject, MissingObject, OlderTool, RefMoved, UnknownView
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.transaction import Transaction

PATHS = st.one_of(
    st.text(st.characters(blacklist_characters="\0\n", blacklist_categories=["Cs"]), min_size=1, max_size=10),
    st.binary(min_size=1, max_size=10).map(lambda name: name.decode("utf-8", "surrogateescape")),
).filter(lambda name: "\0" not in name and "\n" not in name)
"""Names as bytes of a file system give them: a surrogate stands for a byte that is not UTF-8."""


@pytest.fixture
def repository(repo) -> Repository:
    return Repository.discover(repo.path)


# names


@given(st.one_of(PATHS, st.text("./%lock-~^:?*[\\ é\udcff", min_size=1, max_size=8)))
def test_encoded_parts_are_single_valid_components_and_decode_to_themselves(part):
    component = views.encode(part)
    assert views.decode(component) == part
    assert "/" not in component and not component.startswith(".") and not component.endswith((".", ".lock"))
    assert ".." not in component and set(component) <= set(string.ascii_letters + string.digits + "_+=,.-%")


NAMES = [
    "main-worktree", "worktrees/a", "worktrees/main-worktree", "worktrees/ä b", "heads/main", "heads/a/b",
    "heads/a%2Fb", "heads/a.lock", "epochs/main-worktree/v1", "epochs/worktrees/a/v1", "epochs/main-worktree/a/b",
    "remotes/origin/main", "remotes/origin/a/b", "remotes/ori%2Fgin/a/b", "heads/.hidden", "heads/x~1", "heads/\udcff",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_and_refs_stand_for_each_other(repo, name):
    ref = views.ref_of(name)
    assert views.name_of(ref) == name
    repo.git("check-ref-format", ref)


def test_no_two_names_collide_or_stand_in_each_others_way(repository):
    with Transaction(repository) as transaction:
        for name in NAMES:
            assert transaction.publish(views.ref_of(name), transaction.tree([]), None)
    assert views.names(repository) == sorted(NAMES)
    refs = [views.ref_of(name) for name in NAMES]
    assert len(set(refs)) == len(refs)
    assert not any(one != two and two.startswith(one + "/") for one in refs for two in refs)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "main",
        "views/main-worktree",
        "heads",
        "heads/",
        "remotes/origin",
        "epochs/a",
        "x/y",
        "worktrees/",
        "remotes//",
        "remotes//main",
        "remotes/origin/",
        "epochs//label",
        "epochs/a/",
        "epochs/worktrees//label",
        "epochs/worktrees/a/",
        "heads/\ud800",
    ],
)
def test_what_cannot_be_a_name_is_an_unknown_view(repository, name):
    with pytest.raises(UnknownView, match="not the name of a view"):
        views.read(repository, name)


# publishing


def test_a_view_reads_back_as_published(repository):
    view = publish(repository, {b"a": b"1", b"d/b": b"2"})
    fresh = Repository.discover(repository.worktree)
    assert views.read(fresh, "main-worktree") == view
    assert view.basis == BASIS._replace(sequence=1)
    assert content_of(fresh, view.snapshot.files) == {b"a": b"1", b"d/b": b"2"}
    assert views.read(fresh, "worktrees/x") is None
    assert views.roots(fresh) == {"main-worktree": view.root} and views.names(fresh) == ["main-worktree"]


def test_the_same_picture_publishes_nothing(repository):
    first = publish(repository, {b"a": b"1"}, basis=BASIS._replace(observed_at=1))
    assert publish(repository, {b"a": b"1"}, basis=BASIS._replace(observed_at=2)) == first
    second = publish(repository, {b"a": b"1"}, basis=BASIS._replace(branch="main"))
    assert second.root != first.root and second.basis.sequence == 2


def test_history_keeps_the_latest_and_no_more(repo):
    repo.git("config", "graph.historyLimit", "3")
    repository = Repository.discover(repo.path)
    published = [publish(repository, {b"a": b"%d" % n}) for n in range(12)]
    kept = views.history(repository, published[-1])
    assert kept == {view.basis.sequence: view.snapshot.id for view in published[-4:-1]}
    for view in published[-4:-1]:
        assert manifest.read_snapshot(repository, view.snapshot.id) == view.snapshot
    repo.git("config", "graph.historyLimit", "0")
    last = publish(Repository.discover(repo.path), {b"a": b"last"})
    assert views.history(repository, last) == {}
    repo.commit()
    repo.git("gc", "-q", "--prune=now")
    repository.objects.close()
    assert repository.objects.present([view.snapshot.id for view in published]) == set(), "nothing else keeps them"
    assert repo.fsck() == ""


def test_whoever_planned_from_an_older_root_publishes_nothing(repository):
    first = publish(repository, {b"a": b"1"})
    second = publish(repository, {b"a": b"2"})
    with Transaction(repository) as transaction:
        tree = manifest.build(transaction, {b"a": transaction.blob(b"3")})
        for expected in (first, None):
            with pytest.raises(RefMoved):
                views.publish(transaction, "main-worktree", tree, BASIS, expected)
        assert views.read(repository, "main-worktree") == second
        assert views.publish(transaction, "main-worktree", tree, BASIS, second)[1]


RACE = """
import sys
from git_graph.errors import RefMoved
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.basis import Basis
from git_graph.store.transaction import Transaction
repository = Repository.discover()
for n in range(6):
    while True:
        with Transaction(repository) as transaction:
            view = views.read(repository, "main-worktree")
            change = {b"f%s-%d" % (sys.argv[1].encode(), n): transaction.blob(b"x")}
            base = view.snapshot.files if view else transaction.tree([])
            tree = manifest.update(transaction, base, change)
            try:
                views.publish(transaction, "main-worktree", tree, Basis("1", {}), view)
                break
            except RefMoved:
                continue
"""


def test_concurrent_publishers_lose_nothing(repo, repository):
    running = [subprocess.Popen([sys.executable, "-c", RACE, str(n)], cwd=repo.path) for n in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    view = views.require(repository, "main-worktree")
    assert len(content_of(repository, view.snapshot.files)) == 24 and view.basis.sequence == 24
    assert repo.fsck() == ""


def test_an_older_tool_does_not_publish_over_a_newer_one(repository):
    newer = BASIS._replace(rules={"python": (2, "f" * 16)}, tool="9.0")
    view = publish(repository, {b"a": b"1"}, basis=newer)
    with pytest.raises(OlderTool, match=r"9\.0"):
        publish(repository, {b"a": b"2"})
    assert views.read(repository, "main-worktree") == view


@pytest.mark.parametrize(
    ("theirs", "ours", "newer"),
    [
        ({"c": (2, "a")}, {"c": (1, "b")}, True),
        ({"c": (1, "a")}, {"c": (1, "b")}, False),
        ({"c": (1, "a")}, {"c": (2, "b"), "go": (1, "c")}, False),
        ({"zig": (1, "a")}, {"c": (1, "b")}, True),
        ({}, {}, False),
    ],
)
def test_a_newer_writer_is_known_by_its_rules(theirs, ours, newer):
    assert views.writer_is_newer(BASIS._replace(rules=theirs), ours) is newer


# damage


def test_an_unreadable_view_is_an_error_never_an_empty_one(repo, repository):
    view = publish(repository, {b"a": b"1"})
    for id, expected in ((view.snapshot.id, MissingObject), (view.root, MissingObject)):
        repository.loose.remove(id)
        with pytest.raises(expected, match=id) as caught:
            views.read(repository, "main-worktree")
        assert "git graph" in caught.value.hint


def test_a_ref_to_something_else_is_an_error(repo, repository):
    repo.write("a", "1")
    repo.commit()
    repo.git("update-ref", views.ref_of("main-worktree"), "HEAD^{tree}")
    with pytest.raises(CorruptObject, match="does not point to a manifest"):
        views.read(repository, "main-worktree")


def test_an_unknown_view_is_an_error_that_lists_those_that_exist(repository):
    with pytest.raises(UnknownView, match="worktrees/x") as caught:
        views.require(repository, "worktrees/x")
    assert "sync" in caught.value.hint
    publish(repository, {b"a": b"1"})
    with pytest.raises(UnknownView) as caught:
        views.require(repository, "worktrees/x")
    assert "main-worktree" in caught.value.hint


# deleting, pinning, sweeping


def test_deleting_a_view_frees_exactly_what_it_held(repo, repository, tmp_path):
    repo.commit()
    shared, own = b"shared" * 50, b"own" * 50
    kept = publish(repository, {b"a": shared})
    publish(repository, {b"a": shared, b"b": own}, "worktrees/x")
    assert views.delete(repository, "worktrees/x") and not views.delete(repository, "worktrees/x")
    repo.git("gc", "-q", "--prune=now")
    assert views.roots(repository) == {"main-worktree": kept.root}
    assert repo.fsck() == ""
    assert len(repo.git("rev-list", "--objects", "--all").splitlines()) == len(
        repo.git("cat-file", "--batch-check", "--batch-all-objects").splitlines()
    ), "an object is left that nothing holds"


def test_an_epoch_pins_a_snapshot(repo, repository):
    repo.git("config", "graph.historyLimit", "0")
    repository = Repository.discover(repo.path)
    first = publish(repository, {b"a": b"1"})
    with Transaction(repository) as transaction:
        assert views.pin(transaction, first, "before/x") == "epochs/main-worktree/before/x"
    second = publish(repository, {b"a": b"2"})
    repo.commit()
    repo.git("gc", "-q", "--prune=now")
    epoch = views.require(repository, "epochs/main-worktree/before/x")
    assert epoch.snapshot == first.snapshot and epoch.root == first.snapshot.id
    assert views.history(repository, epoch) == {}
    with Transaction(repository) as transaction:
        views.pin(transaction, second, "before/x")
    assert views.require(repository, "epochs/main-worktree/before/x").snapshot == second.snapshot


def test_views_of_worktrees_that_are_gone_are_swept(repo, repository, tmp_path):
    repo.commit()
    for name in ("one", "two", "thrée"):
        repo.worktree(tmp_path / name, "--detach")
        publish(repository, {b"a": name.encode()}, f"worktrees/{name}")
    publish(repository, {b"a": b"main"})
    repo.git("worktree", "remove", tmp_path / "one")
    shutil.rmtree(tmp_path / "two")
    assert views.sweep(repository) == ["worktrees/one"], "the second is pruned by git when git thinks it time"
    repo.git("worktree", "prune")
    assert views.sweep(repository) == ["worktrees/two"]
    assert views.names(repository) == ["main-worktree", "worktrees/thrée"]
