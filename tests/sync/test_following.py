"""A view follows its worktree, whatever is done to it, and parses nothing twice."""

import pytest

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")


@pytest.fixture
def indexed(repo, graph):
    repo.write("a.py", F)
    repo.write("d/b.py", G)
    repo.write("notes.txt", "not code\n")
    repo.commit()
    graph.sync()
    return graph


def counts(result):
    return result.added, result.modified, result.removed, result.parsed


def test_first_index_counts_what_it_did(repo, graph):
    repo.write("a.py", F)
    repo.write("same.py", F)
    repo.write("notes.txt", "not code\n")
    repo.commit()
    result = graph.sync()
    assert (result.files, result.added, result.changed, result.parsed, result.reused) == (2, 2, 2, 1, 1)
    assert (result.freshness, result.published, result.sequence) == ("current", True, 1)


def test_nothing_changed_publishes_nothing(indexed):
    before = indexed.basis()
    result = indexed.sync()
    assert (result.published, result.changed, result.parsed, result.sequence) == (False, 0, 0, 1)
    assert indexed.basis() == before


def test_a_dirty_edit_is_seen_and_so_is_its_undoing(repo, indexed):
    first = indexed.stored()
    repo.write("a.py", H)
    result = indexed.sync()
    assert (counts(result), result.freshness) == ((0, 1, 0, 1), "dirty-but-indexed")
    assert indexed.defines("h") == ["a.py"] and indexed.defines("f") == []
    repo.git("checkout", "-q", "a.py")
    result = indexed.sync()
    assert (counts(result), result.freshness) == ((0, 1, 0, 0), "current")
    assert indexed.stored() == first


def test_committing_what_was_indexed_dirty_parses_nothing(repo, indexed):
    repo.write("a.py", H)
    indexed.sync()
    repo.commit()
    result = indexed.sync()
    assert (counts(result), result.freshness, result.published) == ((0, 0, 0, 0), "current", True)


def test_an_untracked_file_comes_and_goes(repo, indexed):
    repo.write("new.py", H)
    assert counts(indexed.sync()) == (1, 0, 0, 1)
    repo.remove("new.py")
    assert counts(indexed.sync()) == (0, 0, 1, 0)
    assert indexed.paths() == ["a.py", "d/b.py"]


def test_adding_an_untracked_file_to_the_index_changes_nothing(repo, indexed):
    repo.write("new.py", H)
    indexed.sync()
    repo.git("add", "new.py")
    assert not indexed.sync().published


def test_untracked_files_can_be_left_out(repo, indexed):
    repo.write("new.py", H)
    repo.git("config", "graph.untracked", "no")
    assert indexed.paths() == ["a.py", "d/b.py"]
    repo.git("rm", "-q", "--cached", "a.py")
    assert indexed.paths() == ["d/b.py"]
    repo.git("config", "graph.untracked", "yes")
    assert indexed.paths() == ["a.py", "d/b.py", "new.py"]


def test_ignored_files_are_never_in(repo, indexed):
    repo.write(".gitignore", "/build\n*.gen.py\n")
    repo.write("build/x.py", H)
    repo.write("d/x.gen.py", H)
    assert indexed.paths() == ["a.py", "d/b.py"]


def test_deleting_removes(repo, indexed):
    repo.remove("a.py")
    assert counts(indexed.sync()) == (0, 0, 1, 0)
    repo.commit()
    assert indexed.paths() == ["d/b.py"]


def test_rename_repoints_without_parsing(repo, indexed):
    repo.git("mv", "a.py", "d/c.py")
    result = indexed.sync()
    assert (counts(result), result.reused) == ((1, 0, 1, 0), 1)
    repo.commit()
    assert counts(indexed.sync()) == (0, 0, 0, 0)
    assert indexed.defines("f") == ["d/c.py"]


def test_a_directory_takes_the_place_of_a_file_and_back(repo, indexed):
    repo.remove("a.py")
    repo.write("a.py/inner.py", H)
    assert indexed.paths() == ["a.py/inner.py", "d/b.py"]
    repo.commit()
    assert indexed.paths() == ["a.py/inner.py", "d/b.py"]
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    assert indexed.paths() == ["a.py", "d/b.py"]


def test_branch_switch_and_back_parses_nothing_twice(repo, indexed):
    first = indexed.stored()
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.py", H)
    repo.write("c.py", "def only_here():\n    pass\n")
    repo.commit()
    assert counts(indexed.sync()) == (1, 1, 0, 2)
    repo.git("checkout", "-q", "main")
    result = indexed.sync()
    assert (counts(result), result.branch) == ((0, 1, 1, 0), "main")
    assert indexed.stored() == first
    repo.git("checkout", "-q", "side")
    assert counts(indexed.sync()) == (1, 1, 0, 0)


def test_stash_and_pop(repo, indexed):
    repo.write("a.py", H)
    indexed.sync()
    repo.git("stash", "-q")
    assert indexed.defines("h") == [] and indexed.defines("f") == ["a.py"]
    repo.git("stash", "pop", "-q")
    result = indexed.sync()
    assert (result.parsed, result.freshness) == (0, "dirty-but-indexed")
    assert indexed.defines("h") == ["a.py"]


def test_hard_reset(repo, indexed):
    repo.write("a.py", H)
    repo.commit()
    indexed.sync()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert indexed.sync().parsed == 0
    assert indexed.defines("f") == ["a.py"]


def test_the_old_head_may_be_gone(repo, indexed):
    repo.git("commit", "-q", "--amend", "-m", "other words")
    for ref in ("ORIG_HEAD",):
        repo.git("update-ref", "-d", ref, check=False)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    result = indexed.sync()
    assert (result.parsed, result.changed, result.published) == (0, 0, True)


def test_unborn_head(repo, graph):
    assert graph.sync().files == 0
    repo.write("a.py", F)
    result = graph.sync()
    assert (result.head, result.branch, result.files, result.freshness) == (None, "main", 1, "dirty-but-indexed")
    repo.commit()
    result = graph.sync()
    assert (result.parsed, result.freshness) == (0, "current")


def test_orphan_branch_after_commits(repo, indexed):
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.git("rm", "-rqf", ".")
    repo.write("new.py", H)
    result = indexed.sync()
    assert (result.head, result.branch) == (None, "fresh")
    assert indexed.paths() == ["new.py"]


def test_detached_head(repo, indexed):
    repo.git("checkout", "-q", "--detach")
    result = indexed.sync()
    assert (result.branch, result.published, result.changed) == (None, True, 0)


def test_a_conflict_is_read_as_it_lies(repo, indexed):
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.py", G)
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", H)
    repo.commit()
    repo.git("merge", "-q", "side", check=False)
    assert "<<<<<<<" in (repo.path / "a.py").read_text()
    assert set(indexed.defines("g")) == {"a.py", "d/b.py"} and indexed.defines("h") == ["a.py"]
    repo.git("merge", "--abort")
    assert indexed.defines("g") == ["d/b.py"]
    assert indexed.status().freshness == "current"


def test_a_file_deleted_by_one_side_of_a_conflict(repo, indexed):
    repo.git("checkout", "-q", "-b", "side")
    repo.git("rm", "-q", "a.py")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", H)
    repo.commit()
    repo.git("merge", "-q", "side", check=False)
    assert indexed.defines("h") == ["a.py"]
    repo.remove("a.py")
    assert indexed.paths() == ["d/b.py"]


def test_history_keeps_earlier_snapshots(repo, indexed):
    from git_graph.store import views

    first = indexed.sync().snapshot
    repo.write("a.py", H)
    indexed.sync()
    repository = indexed.repository
    assert views.history(repository, views.require(repository, "main-worktree")) == {1: first}


def test_full_sync_publishes_nothing_when_all_is_well(indexed):
    result = indexed.sync(full=True)
    assert (result.published, result.changed, result.parsed, result.files) == (False, 0, 0, 2)


def test_dry_run_tells_and_changes_nothing(repo, indexed):
    repo.write("a.py", H)
    repo.remove("d/b.py")
    before = indexed.basis()
    result = indexed.sync(dry_run=True)
    assert (counts(result), result.freshness, result.published) == ((0, 1, 1, 1), "refresh-needed", False)
    assert indexed.basis() == before


def test_status_tells_what_differs(repo, indexed):
    assert indexed.status().freshness == "current"
    repo.write("a.py", H)
    repo.write("new.py", G)
    repo.remove("d/b.py")
    repo.write("notes.txt", "changed\n")
    status = indexed.status()
    assert status.freshness == "refresh-needed"
    assert status.changed_paths == (("a.py", "M"), ("d/b.py", "D"), ("new.py", "A"))
    assert [(entry.status, entry.path) for entry in status.overlay] == [
        ("M", "a.py"), ("D", "d/b.py"), ("A", "new.py"), ("M", "notes.txt"),
    ]  # fmt: skip
    assert (status.files, status.languages, status.sequence) == (2, (("python", 2),), 1)


def test_status_before_the_first_sync(repo, graph):
    repo.write("a.py", F)
    status = graph.status()
    assert (status.freshness, status.initialized, status.changed_paths) == ("unknown", False, (("a.py", "A"),))
