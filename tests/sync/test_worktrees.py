"""Linked worktrees, nested ones, submodules, sparse checkouts, and what git does not compare."""

import shutil

import pytest

from git_graph.errors import UnknownView
from git_graph.store import views

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")


def test_a_new_worktree_of_an_indexed_commit_parses_nothing(committed, graph, graph_of, tmp_path):
    graph.sync()
    side = graph_of(committed.worktree(tmp_path / "side"))
    result = side.sync()
    assert (result.view, result.parsed, result.files, result.reused) == ("worktrees/side", 0, 2, 2)
    assert side.stored() == graph.stored()


def test_worktrees_diverge_and_share(committed, graph, graph_of, tmp_path):
    place = committed.worktree(tmp_path / "side")
    side = graph_of(place)
    committed.write("a.py", H)
    place.write("a.py", "def theirs():\n    pass\n")
    assert (graph.defines("h"), graph.defines("theirs")) == (["a.py"], [])
    assert (side.defines("h"), side.defines("theirs")) == ([], ["a.py"])
    place.write("a.py", H)
    assert side.sync().parsed == 0


def test_a_new_worktree_starts_from_whatever_is_nearest(committed, graph, graph_of, tmp_path):
    graph.sync()
    committed.write("c.py", H)
    committed.commit()
    side = graph_of(committed.worktree(tmp_path / "side"))
    result = side.sync()
    assert (result.parsed, result.files) == (1, 3)


def test_worktrees_inside_the_main_one_are_other_trees(committed, graph, graph_of):
    side = graph_of(committed.worktree(committed.path / ".worktrees" / "side"))
    (side.path / "only.py").write_text(H)
    assert graph.paths() == ["a.py", "d/b.py"]
    assert side.paths() == ["a.py", "d/b.py", "only.py"]
    assert graph.status().freshness == "current"


def test_another_worktrees_view_is_answered_from_its_own_tree(committed, graph, graph_of, tmp_path):
    place = committed.worktree(tmp_path / "side")
    place.write("new.py", H)
    answer = graph.ask(view="worktrees/side")
    assert (answer.name, answer.freshness, list(answer.view.defining("h"))) == (
        "worktrees/side", "dirty-but-indexed", ["new.py"],
    )  # fmt: skip
    assert graph_of(place).ask(view="main-worktree").name == "main-worktree"


def test_a_view_that_does_not_exist_is_an_error_that_lists_those_that_do(committed, graph):
    graph.sync()
    for name in ("mian-worktree", "worktrees/none", "heads/none"):
        with pytest.raises(UnknownView) as caught:
            graph.ask(view=name)
        assert "main-worktree" in caught.value.hint or "views" in caught.value.hint


def test_a_worktree_that_was_removed_is_forgotten_at_the_next_sync(committed, graph, graph_of, tmp_path):
    place = committed.worktree(tmp_path / "side")
    graph_of(place).sync()
    committed.git("worktree", "remove", place.path)
    committed.write("a.py", H)
    graph.sync()
    assert views.names(graph.repository) == ["main-worktree"]


def test_a_worktree_whose_folder_is_gone_is_answered_as_last_known(committed, graph, graph_of, tmp_path):
    place = committed.worktree(tmp_path / "side")
    graph_of(place).sync()
    shutil.rmtree(place.path)
    answer = graph.ask(view="worktrees/side")
    assert answer.freshness == "unknown" and answer.warnings[0].startswith("gone:")
    assert list(answer.view.paths()) == ["a.py", "d/b.py"]


def test_a_reused_worktree_name_is_another_tree(committed, graph_of, tmp_path):
    place = committed.worktree(tmp_path / "side")
    place.write("old.py", H)
    graph_of(place).sync()
    committed.git("worktree", "remove", "--force", place.path)
    again = committed.worktree(tmp_path / "elsewhere" / "side", "--detach")
    side = graph_of(again)
    assert side.repository.view == "worktrees/side"
    assert side.paths() == ["a.py", "d/b.py"]
    assert side.basis().worktree == str(again.path)


def test_a_submodule_is_its_own_repository(committed, graph, graph_of, make_repo):
    inner = make_repo("inner")
    inner.write("inside.py", H)
    inner.commit()
    committed.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub")
    assert graph.paths() == ["a.py", "d/b.py"]
    committed.commit()
    assert graph.sync().freshness == "current"
    sub = committed.path / "sub"
    (sub / "inside.py").write_text(G)
    assert graph.sync().freshness == "current"
    committed.git("-C", sub, "commit", "-qam", "two")
    assert graph.sync().freshness == "dirty-but-indexed"
    assert graph.paths() == ["a.py", "d/b.py"]
    assert type(graph)(sub).paths() == ["inside.py"]


def test_files_that_git_is_told_to_assume_unchanged_are_looked_at(committed, graph):
    graph.sync()
    committed.git("update-index", "--assume-unchanged", "a.py")
    committed.write("a.py", H)
    assert graph.defines("h") == ["a.py"]
    committed.remove("a.py")
    assert graph.paths() == ["d/b.py"]
    committed.write("a.py", F)
    assert graph.sync().freshness == "current"


def test_sparse_checkout_and_back(committed, graph):
    graph.sync()
    committed.git("sparse-checkout", "set", "--no-cone", "/a.py")
    assert not (committed.path / "d").exists()
    assert graph.paths() == ["a.py"]
    assert (graph.status().freshness, graph.basis().overlay) == ("current", ())
    committed.write("c.py", H)
    committed.git("add", "--sparse", "c.py")
    committed.git("commit", "-qm", "more")
    assert graph.paths() == ["a.py", "c.py"]
    committed.git("sparse-checkout", "disable")
    result = graph.sync()
    assert (graph.paths(), result.parsed) == (["a.py", "c.py", "d/b.py"], 0)


def test_cone_mode_with_a_sparse_index(committed, graph):
    committed.write("e/f/c.py", H)
    committed.commit()
    committed.git("sparse-checkout", "set", "--cone", "--sparse-index", "d")
    assert graph.paths() == ["a.py", "d/b.py"]
    committed.git("sparse-checkout", "set", "--cone", "e/f")
    assert graph.paths() == ["a.py", "e/f/c.py"]


def test_a_sparse_file_that_appears_on_disk_is_present(committed, graph):
    committed.git("sparse-checkout", "set", "--no-cone", "/a.py")
    assert graph.paths() == ["a.py"]
    committed.write("d/b.py", H)
    assert graph.defines("h") == ["d/b.py"]
    committed.remove("d/b.py")
    assert graph.paths() == ["a.py"]


def test_skip_worktree_by_hand(committed, graph):
    graph.sync()
    committed.git("update-index", "--skip-worktree", "a.py")
    assert graph.paths() == ["a.py", "d/b.py"]
    committed.remove("a.py")
    assert graph.paths() == ["d/b.py"]


def test_the_index_is_listed_only_when_it_has_changed(committed, graph, monkeypatch):
    from git_graph.git import worktree

    listed = []
    real = worktree.start_hidden
    monkeypatch.setattr(worktree, "start_hidden", lambda *args: listed.append(1) or real(*args))
    graph.sync()
    committed.write("a.py", H)
    graph.sync()
    graph.sync()
    assert len(listed) == 1
    committed.git("add", "a.py")
    graph.sync()
    assert len(listed) == 2


def test_any_commit_can_be_asked(committed, graph):
    graph.sync()
    first = committed.head()
    committed.write("a.py", H)
    committed.git("rm", "-q", "d/b.py")
    committed.commit()
    old, new = graph.ask(rev=first), graph.ask(rev="HEAD")
    assert (list(old.view.paths()), old.head, old.freshness) == (["a.py", "d/b.py"], first, "current")
    assert (list(new.view.paths()), list(new.view.defining("h"))) == (["a.py"], ["a.py"])
    assert list(views.names(graph.repository)) == ["main-worktree"]
    again = graph.ask(rev=first)
    assert again.snapshot == old.snapshot


def test_a_commits_manifest_depends_on_nothing_of_the_worktree(committed, graph, make_repo, graph_of, tmp_path):
    committed.write(".gitattributes", "d/* linguist-vendored\n")
    committed.commit()
    snapshot = graph.ask(rev="HEAD").snapshot
    committed.write("a.py", H)
    committed.write(".git/info/attributes", "a.py -graph\n")
    committed.git("config", "graph.maxFileSize", "1")
    assert graph.paths() == []
    committed.git("clone", "-q", "--bare", committed.path, tmp_path / "bare")
    bare = type(graph)(tmp_path / "bare")
    assert bare.ask(rev="main").snapshot == snapshot == graph.ask(rev="HEAD").snapshot
    assert list(bare.ask(rev="main").view.paths()) == ["a.py"]


def test_a_bare_repository_has_no_tree_to_ask(committed, graph, tmp_path):
    from git_graph.errors import BareRepository, UnknownRevision

    committed.git("clone", "-q", "--bare", committed.path, tmp_path / "bare")
    bare = type(graph)(tmp_path / "bare")
    for ask in (bare.ask, bare.sync, bare.status):
        with pytest.raises(BareRepository):
            ask()
    with pytest.raises(UnknownRevision):
        bare.ask(rev="nowhere")
    with pytest.raises(UnknownView):
        bare.ask(view="main-worktree")


def test_a_pinned_snapshot_stays_what_it_was(committed, graph):
    from git_graph.store.transaction import Transaction

    graph.sync()
    repository = graph.repository
    with Transaction(repository) as transaction:
        name = views.pin(transaction, views.require(repository, "main-worktree"), "v1")
    committed.write("a.py", H)
    graph.sync()
    answer = graph.ask(view=name)
    assert (list(answer.view.defining("f")), answer.freshness) == (["a.py"], "refresh-needed")


def test_without_sync_the_answer_says_how_old_it_is(committed, graph):
    with pytest.raises(UnknownView):
        graph.ask(sync=False)
    graph.sync()
    assert graph.ask(sync=False).freshness == "current"
    committed.write("a.py", H)
    answer = graph.ask(sync=False)
    assert (answer.freshness, list(answer.view.defining("f")), answer.result) == ("refresh-needed", ["a.py"], None)


def test_an_edit_among_many_worktrees_has_nobody_read_all_their_manifests(
    committed, graph, graph_of, tmp_path, monkeypatch
):
    from git_graph.store import keymap
    from git_graph.sync import cache

    monkeypatch.setattr(cache, "KEPT_NOTES", 20)
    monkeypatch.setattr(cache, "THINNED_EVERY", 1)
    graph.sync()
    places = [committed.worktree(tmp_path / f"w{number}", "--detach") for number in range(12)]
    for place in places:
        graph_of(place).sync()
    scans = []
    scan = keymap.scan
    monkeypatch.setattr(keymap, "scan", lambda *arguments: scans.append(1) or scan(*arguments))
    for turn in range(3):
        for number, place in enumerate(places):
            place.write("a.py", f"def own_{turn}_{number}():\n    return 1\n")
            assert graph_of(place).sync().parsed == 1
    assert scans == []
