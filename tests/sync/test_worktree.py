"""`git status` taken apart: one entry a path, what lies on disk wins."""

import os

import pytest

from git_graph.errors import GitFailed
from git_graph.git import worktree
from git_graph.git.worktree import CONFLICTED, GITLINK, REGULAR, SYMLINK, TRACKED, UNTRACKED

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def state(repo):
    return worktree.start(repo.path).state()


def test_unborn_head_has_no_commit_but_a_branch(repo):
    assert state(repo) == (None, "main", {})


def test_clean_tree_has_no_entries(repo):
    repo.write("a.py", "a\n")
    head = repo.commit()
    assert state(repo) == (head, "main", {})


def test_detached_head_has_no_branch(repo):
    head = repo.commit()
    repo.git("checkout", "-q", "--detach")
    assert state(repo)[:2] == (head, None)


def test_staged_only_content_needs_no_hashing(repo):
    repo.commit()
    repo.write("a.py", "")
    repo.git("add", "a.py")
    entry = state(repo).entries[b"a.py"]
    assert entry == (b"a.py", TRACKED, None, REGULAR, EMPTY)


def test_edit_after_staging_has_no_known_id(repo):
    repo.commit()
    repo.write("a.py", "")
    repo.git("add", "a.py")
    repo.write("a.py", "x\n")
    assert state(repo).entries[b"a.py"].id is None


def test_intent_to_add_is_hashed_not_believed(repo):
    repo.commit()
    repo.write("a.py", "x\n")
    repo.git("add", "-N", "a.py")
    assert state(repo).entries[b"a.py"] == (b"a.py", TRACKED, None, REGULAR, None)


def test_removed_from_index_but_on_disk_is_one_entry_that_lies_on_disk(repo):
    repo.write("a.py", "")
    repo.commit()
    repo.git("rm", "-q", "--cached", "a.py")
    assert state(repo).entries == {b"a.py": (b"a.py", TRACKED, (REGULAR, EMPTY), -1, None)}


def test_deleted_in_either_way_is_not_on_disk(repo):
    repo.write("a.py", "")
    repo.write("b.py", "")
    repo.commit()
    repo.git("rm", "-q", "a.py")
    repo.remove("b.py")
    entries = state(repo).entries
    assert [entries[path].mode for path in (b"a.py", b"b.py")] == [0, 0]


def test_conflict_is_one_entry(repo):
    repo.write("a.py", "base\n")
    repo.commit()
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.py", "side\n")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", "main\n")
    repo.commit()
    repo.git("merge", "-q", "side", check=False)
    assert state(repo).entries == {b"a.py": (b"a.py", CONFLICTED, None, REGULAR, None)}


def test_type_change_tells_the_mode_on_disk(repo):
    path = repo.write("a.py", "x\n")
    repo.commit()
    path.unlink()
    path.symlink_to("elsewhere")
    assert state(repo).entries[b"a.py"].mode == SYMLINK


@pytest.mark.parametrize(
    "name", [b"with space.py", b'quo"te.py', b"new\nline.py", "ünï.py".encode(), b"\xff\xfe.py", b"-x"]
)
def test_odd_paths_come_through_as_they_are(repo, name):
    repo.commit()
    repo.write(b"d/" + name, "x\n")
    assert state(repo).entries == {b"d/" + name: (b"d/" + name, UNTRACKED, None, -1, None)}
    repo.git("add", "-A")
    assert state(repo).entries[b"d/" + name].kind == TRACKED


def test_other_repositories_inside_are_left_out(repo, make_repo):
    repo.commit()
    make_repo("repo/nested").write("a.py", "x\n")
    repo.worktree(repo.path / "trees" / "side")
    assert state(repo).entries == {}


def test_reading_is_the_same_from_a_folder_and_whatever_is_configured(repo):
    repo.write("d/a.py", "x\n")
    repo.commit()
    repo.git("mv", "d/a.py", "d/b.py")
    for setting in (
        "status.relativePaths=true", "status.renames=copies", "status.showUntrackedFiles=no", "status.showStash=true",
    ):  # fmt: skip
        repo.git("config", *setting.split("="))
    repo.write("d/c.py", "x\n")
    assert sorted(worktree.start(repo.path / "d").state().entries) == [b"d/a.py", b"d/b.py", b"d/c.py"]


def test_submodule_moved_is_one_entry_and_its_dirt_is_its_own(repo, make_repo):
    inner = make_repo("inner")
    inner.write("a.py", "x\n")
    inner.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub")
    repo.commit()
    (repo.path / "sub" / "a.py").write_text("dirty\n")
    assert state(repo).entries == {}
    repo.git("-C", "sub", "commit", "-qam", "two")
    assert state(repo).entries[b"sub"].mode == GITLINK
    assert state(repo).entries[b"sub"].id is None


def test_a_directory_that_is_no_repository_is_an_error_with_gits_words(tmp_path):
    with pytest.raises(GitFailed, match="not a git repository"):
        worktree.start(tmp_path).state()


def test_a_record_that_is_not_understood_is_an_error():
    with pytest.raises(GitFailed):
        worktree.parse(b"# branch.oid (initial)\0x strange\0")


def test_hidden_paths_are_found(repo):
    for name in ("a.py", "b.py", "c.py", "d\ne.py"):
        repo.write(name, "")
    repo.commit()
    repo.git("update-index", "--assume-unchanged", "b.py")
    repo.git("update-index", "--skip-worktree", "d\ne.py")
    os.unlink(repo.path / "d\ne.py")
    stored = (REGULAR, EMPTY)
    found = worktree.hidden(worktree.start_hidden(repo.path).finish())
    assert found == [(b"b.py", False, stored), (b"d\ne.py", True, stored)]
