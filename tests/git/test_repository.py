from __future__ import annotations

import os
import stat

import pytest

from git_graph.errors import BareRepository, GitFailed, NotARepository, NotWritable, UnsupportedRepository
from git_graph.git.repository import MAIN_VIEW, Repository


def test_found_from_a_subdirectory(repo):
    repo.write("deep/er/file", "")
    found = Repository.discover(repo.path / "deep" / "er")
    assert (found.worktree, found.git_dir, found.view) == (repo.path, repo.path / ".git", MAIN_VIEW)
    assert found.git_dir == found.common_dir and not found.bare


def test_a_linked_worktree_has_its_own_view(repo, tmp_path):
    repo.commit()
    linked = repo.worktree(tmp_path / "linked")
    found = Repository.discover(linked.path)
    assert found.view == "worktrees/linked" and found.worktree == linked.path
    assert found.common_dir == repo.path / ".git"


def test_worktrees_are_listed_from_any_of_them(repo, tmp_path):
    repo.commit()
    one, two = repo.worktree(tmp_path / "one"), repo.worktree(tmp_path / "two words", "--detach")
    two.path.rename(tmp_path / "moved")
    for start in (repo, one):
        listed = {tree.view: (tree.path, tree.gone) for tree in Repository.discover(start.path).worktrees()}
        assert listed == {
            "main-worktree": (repo.path, False),
            "worktrees/one": (one.path, False),
            "worktrees/two-words": (two.path, True),
        }


def test_the_repository_is_seen_from_another_worktree_whatever_git_exported(repo, tmp_path, monkeypatch):
    repo.commit()
    repo.worktree(tmp_path / "linked")
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    here = Repository.discover(repo.path)
    there = here.at(here.worktrees()[1])
    assert there.view == "worktrees/linked"
    assert there.git("rev-parse", "--show-toplevel").decode().strip() == str(tmp_path / "linked")


def test_a_bare_repository_has_no_worktree(make_repo):
    found = Repository.discover(make_repo("bare", "--bare").path)
    assert found.bare and found.worktree is None
    with pytest.raises(BareRepository, match="bare repository") as caught:
        found.require_worktree()
    assert "git worktree add" in caught.value.hint
    with pytest.raises(BareRepository) as caught:
        found.require_worktree("name a commit")
    assert caught.value.hint == "name a commit"
    assert [tree.path for tree in found.worktrees()] == [None]


def test_worktrees_of_a_bare_repository_know_that_it_is_bare(repo, make_repo, tmp_path):
    repo.commit()
    bare = make_repo("bare", "--bare")
    repo.git("push", "-q", bare.path, "main")
    bare.git("worktree", "add", "-q", tmp_path / "linked", "main")
    trees = Repository.discover(tmp_path / "linked").worktrees()
    assert [(tree.view, tree.path) for tree in trees] == [
        ("main-worktree", None),
        ("worktrees/linked", tmp_path / "linked"),
    ]


def test_inside_the_git_directory_there_is_no_worktree(repo):
    found = Repository.discover(repo.path / ".git")
    with pytest.raises(BareRepository, match="inside a git directory"):
        found.require_worktree()


def test_no_repository_is_an_error_that_names_the_place(tmp_path):
    with pytest.raises(NotARepository, match=str(tmp_path)):
        Repository.discover(tmp_path)


def test_the_repository_that_git_exports_is_the_one(repo, tmp_path, monkeypatch):
    repo.commit()
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    monkeypatch.chdir(repo.path)
    found = Repository.discover()
    assert found.worktree == repo.path
    assert found.git("rev-parse", "HEAD").decode().strip() == repo.head()
    monkeypatch.chdir(tmp_path)
    assert found.git("rev-parse", "HEAD").decode().strip() == repo.head()


def test_sha256_is_refused_by_name(make_repo):
    with pytest.raises(UnsupportedRepository, match="SHA256") as caught:
        Repository.discover(make_repo("new", "--object-format=sha256").path)
    assert caught.value.hint


def test_an_extension_that_git_does_not_know_is_refused_by_name(repo):
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.refstorage", "reftable")
    with pytest.raises(UnsupportedRepository, match=r"refstorage|reftable"):
        Repository.discover(repo.path)


def test_paths_with_newlines_are_found(make_repo):
    repo = make_repo("a\nb")
    found = Repository.discover(repo.path)
    assert (found.worktree, found.git_dir) == (repo.path, repo.path / ".git")


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="needs to give a file away")
def test_git_decides_whom_it_trusts(repo, monkeypatch):
    repo.write("a", "1")
    repo.commit()
    for place in [repo.path, repo.path / ".git"]:
        os.chown(place, 12345, 12345)
    with pytest.raises(GitFailed, match="dubious ownership"):
        Repository.discover(repo.path)
    for name, value in {"COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": "*"}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    found = Repository.discover(repo.path)
    found.objects.bulk()
    assert [path for path, _, _ in found.objects.walk(found.objects.tree_of("HEAD"))] == [b"a"]


def test_a_partial_clone_fetches_what_is_missing(repo, tmp_path):
    for number in range(3):
        repo.write(f"f{number}", f"content {number}")
        repo.commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    url = f"file://{repo.path}"
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", url, tmp_path / "partial")
    for bulk in (False, True):
        found = Repository.discover(tmp_path / "partial")
        if bulk:
            found.objects.bulk()
        entries = list(found.objects.walk(found.objects.tree_of("HEAD")))
        wanted = entries[int(bulk)]
        assert found.objects.present([wanted[2]]) == set(), "nothing is fetched by asking whether it is there"
        assert found.objects.blob(wanted[2]) == b"content %d" % int(bulk)


def test_a_partial_clone_fetches_many_at_once(repo, tmp_path):
    for number in range(30):
        repo.write(f"f{number}", f"content {number}")
    repo.commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", tmp_path / "partial")
    found = Repository.discover(tmp_path / "partial")
    assert found.settings.promisor == "origin"
    packs = len(found.packs.indexes())
    ids = [id for _, _, id in found.objects.walk(found.objects.tree_of("HEAD"))]
    assert {data for _, data in found.objects.blobs(ids)} == {b"content %d" % number for number in range(30)}
    assert len(found.packs.indexes()) == packs + 1
    assert Repository.discover(repo.path).settings.promisor is None


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root writes everywhere")
def test_a_common_directory_that_cannot_be_written_is_told(repo):
    (repo.path / ".git").chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        found = Repository.discover(repo.path)
        assert not found.writable()
        with pytest.raises(NotWritable):
            found.make_graph_dir()
    finally:
        (repo.path / ".git").chmod(0o755)


def test_a_common_directory_that_can_be_written_is_told(repo):
    found = Repository.discover(repo.path)
    assert found.writable() and not found.graph_dir.exists()
    assert found.make_graph_dir().is_dir()
