"""What a file's content is: odd paths, line endings, filters, links, modes, sizes, and what is read how often."""

import os
import sys

import pytest

from git_graph.git import contents
from git_graph.git.contents import Conversion, blob_id
from git_graph.store import slices

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")

ODD = [
    b"with space.py", b'quo"te.py', b"new\nline.py", "\u00fcnicode \u540d.py".encode(), b"latin-\xe9.py", b"-x.py",
    b"a=b.py", b".gitmodules.py", b"\\back.py", b":(top)x.py", b"tab\t.py",
]  # fmt: skip


def source_of(graph, path):
    id = graph.stored()[path]
    return next(slices.head(data).source for _, data in slices.read(graph.repository, [id]))


def test_odd_paths_dirty_untracked_committed_and_gone(repo, graph):
    names = [os.fsdecode(b"d/" + name) for name in ODD]
    for name in names:
        repo.write(name, F)
    assert graph.paths() == sorted(names)
    repo.commit()
    assert graph.sync().changed == 0
    for name in names:
        repo.write(name, G)
    assert sorted(graph.defines("g")) == sorted(names)
    for name in names:
        repo.remove(name)
    assert graph.paths() == []
    assert repo.fsck() == ""


def test_names_that_mean_something_to_git_are_mirrored_safely(repo, graph, make_repo):
    repo.commit()
    repo.git("config", "core.protectNTFS", "false")
    repo.write(".gitattributes", ".gitattributes linguist-language=python\n.gitmodules linguist-language=python\n")
    repo.write(".gitmodules", F)
    repo.write("git~1", "#!/usr/bin/python\n" + F)
    repo.write("d/.git.py", F)
    assert graph.paths() == [".gitattributes", ".gitmodules", "d/.git.py", "git~1"]
    assert repo.fsck() == ""
    remote = make_repo("remote", "--bare")
    remote.git("config", "transfer.fsckObjects", "true")
    repo.git("push", "-q", remote.path, "refs/graph/*:refs/graph/*")


def test_crlf_is_read_as_git_stores_it(repo, graph):
    repo.write(".gitattributes", "*.py text\n")
    repo.commit()
    repo.write("a.py", F.replace("\n", "\r\n"))
    graph.sync()
    assert source_of(graph, "a.py") == blob_id(F.encode())
    repo.commit()
    result = graph.sync()
    assert (result.parsed, result.changed, result.freshness) == (0, 0, "current")


def test_autocrlf_counts_like_an_attribute(repo, graph):
    repo.git("config", "core.autocrlf", "input")
    repo.write("a.py", F.replace("\n", "\r\n"))
    graph.sync()
    assert source_of(graph, "a.py") == blob_id(F.encode())


def test_a_change_of_conversion_rules_changes_contents_without_any_edit(repo, graph):
    repo.write("a.py", F.replace("\n", "\r\n"))
    graph.sync()
    assert source_of(graph, "a.py") == blob_id(F.replace("\n", "\r\n").encode())
    repo.write(".git/info/attributes", "*.py text eol=crlf\n")
    graph.sync()
    assert source_of(graph, "a.py") == blob_id(F.encode())


def test_working_tree_encoding(repo, graph):
    repo.write(".gitattributes", "*.py working-tree-encoding=UTF-16LE\n")
    repo.write("a.py", "# \u00e4\n".encode("utf-16-le") + F.encode("utf-16-le"))
    assert graph.defines("f") == ["a.py"]
    assert source_of(graph, "a.py") == blob_id(f"# \u00e4\n{F}".encode())


def test_a_filter_is_applied_and_nothing_of_it_left_in_the_repository(repo, graph):
    repo.git("config", "filter.upper.clean", "sed s/secret/public/")
    repo.write(".gitattributes", "*.py filter=upper\n")
    repo.commit()
    repo.write("new\nline.py", "def secret():\n    pass\n")
    assert graph.defines("public") == ["new\nline.py"]
    assert graph.defines("secret") == []
    objects = repo.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert blob_id(b"def public():\n    pass\n") not in objects
    repo.commit()
    assert graph.sync().parsed == 0


def test_a_filter_that_fails_is_a_clear_error(repo):
    from git_graph.errors import GitFailed

    repo.git("config", "filter.bad.clean", "false")
    repo.git("config", "filter.bad.required", "true")
    repo.write(".gitattributes", "*.py filter=bad\n")
    repo.write("a.py", F)
    with pytest.raises(GitFailed, match=r"a\.py"):
        contents.read(os.fsencode(repo.path), [b"a.py"], Conversion(filters=True), {})


def test_ident_is_undone(repo, graph):
    repo.write(".gitattributes", "*.py ident\n")
    repo.write("a.py", "# $Id: abc $\n" + F)
    graph.sync()
    assert source_of(graph, "a.py") == blob_id(("# $Id$\n" + F).encode())


def test_symbolic_links_have_no_symbols_and_are_not_followed(repo, graph):
    repo.write("a.py", F)
    (repo.path / "link.py").symlink_to("a.py")
    (repo.path / "dangling.py").symlink_to("nowhere")
    (repo.path / "loop").symlink_to(".")
    repo.commit()
    assert graph.paths() == ["a.py"]
    (repo.path / "new.py").symlink_to("a.py")
    assert graph.paths() == ["a.py"]
    assert [(entry.mode, entry.path) for entry in graph.basis().overlay] == [(0o120000, "new.py")]


def test_a_link_in_place_of_a_file_and_back(repo, graph):
    repo.write("a.py", F)
    repo.write("b.py", G)
    repo.commit()
    graph.sync()
    repo.remove("b.py")
    (repo.path / "b.py").symlink_to("a.py")
    assert graph.paths() == ["a.py"]
    repo.git("checkout", "-q", "b.py")
    assert graph.paths() == ["a.py", "b.py"]


def test_a_changed_mode_is_a_change_that_parses_nothing(repo, graph):
    path = repo.write("a.py", F)
    repo.commit()
    graph.sync()
    path.chmod(0o755)
    result = graph.sync()
    assert (result.parsed, result.changed, result.freshness) == (0, 0, "dirty-but-indexed")
    repo.git("config", "core.fileMode", "false")
    assert graph.sync().freshness == "current"


def test_a_shebang_decides_where_a_name_says_nothing(repo, graph):
    repo.write("tool", "#!/usr/bin/env python3\n" + F)
    repo.write("LICENSE", "words\n")
    repo.commit()
    assert graph.paths() == ["tool"]
    repo.write("tool", "#!/bin/sh\n")
    assert graph.paths() == []


def test_same_bytes_in_two_languages_are_two_slices(repo, graph):
    repo.write("a.py", "x = 1\n")
    repo.write("a.go", "x = 1\n")
    repo.commit()
    stored = graph.stored() if graph.sync() else {}
    assert len(set(stored.values())) == 2


def test_binary_files_and_lfs_pointers_have_a_slice_without_symbols(repo, graph):
    repo.write("bin.py", b"def f():\n\0\n")
    repo.write("lfs.py", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    repo.commit()
    view = graph.ask().view
    assert [view.slice(path).omitted for path in ("bin.py", "lfs.py")] == ["binary", "lfs-pointer"]


def test_files_above_the_limit_are_skipped_and_named(repo, graph):
    big = F + "#" * 2000 + "\n"
    repo.write("big.py", big)
    repo.write("a.py", G)
    repo.commit()
    graph.sync()
    repo.git("config", "graph.maxFileSize", "1k")
    result = graph.sync()
    assert graph.paths() == ["a.py"]
    assert [(item.path, item.reason) for item in result.skipped] == [("big.py", "too-large")]
    repo.write("dirty.py", big)
    assert [item.path for item in graph.sync().skipped] == ["big.py", "dirty.py"]
    repo.git("config", "graph.maxFileSize", "1m")
    result = graph.sync()
    assert (result.skipped, result.parsed) == ((), 0)
    assert graph.paths() == ["a.py", "big.py", "dirty.py"]


def test_a_huge_file_is_not_even_read(repo, graph, monkeypatch):
    monkeypatch.setattr(contents, "LARGEST", 1000)
    repo.write("huge.py", "#" * 2000)
    repo.write("huge.bin", "#" * 2000)
    result = graph.sync()
    assert [(item.path, item.reason, item.content) for item in result.skipped] == [("huge.py", "too-large", None)]


def test_the_language_of_a_stored_file_above_the_limit_is_not_asked_of_its_bytes(repo, graph):
    repo.git("config", "graph.maxFileSize", "1k")
    repo.write("big.h", "namespace a {}\n" * 200)
    repo.write("tool", "#!/usr/bin/env python3\n" + "#" * 2000)
    repo.write("small.h", "namespace a { int f(); }\n")
    repo.commit()
    result = graph.sync()
    assert [(item.path, item.reason) for item in result.skipped] == [("big.h", "too-large")]
    assert graph.paths() == ["small.h"]


@pytest.mark.skipif(sys.platform != "linux", reason="counts reads of one kernel's interface")
def test_asking_twice_hashes_nothing_twice(repo, graph, monkeypatch):
    for number in range(5):
        os.utime(repo.write(f"f{number}.py", F + f"# {number}\n"))
    repo.write("notes.txt", "words")
    graph.sync()
    read = []
    real = contents._bytes
    monkeypatch.setattr(contents, "_bytes", lambda name, stat: read.append(name) or real(name, stat))
    import time

    time.sleep(0.05)
    graph.sync()  # whatever was too young to be trusted before
    read.clear()
    assert not graph.sync().published
    assert read == []
    repo.write("f1.py", G)
    assert graph.sync().modified == 1
    assert {os.path.basename(name) for name in read} == {b"f1.py"}


def test_an_edit_of_the_same_size_at_the_same_time_is_seen(repo, graph):
    path = repo.write("a.py", F)
    graph.sync()
    stat = path.stat()
    repo.write("a.py", G)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert graph.defines("g") == ["a.py"] and graph.defines("f") == []


def test_a_file_that_changes_after_it_was_looked_at_is_indexed_as_it_was_read(repo, graph, monkeypatch):
    """The bytes that a slice comes from are those of the id that the manifest names."""
    from git_graph.sync import observe

    repo.write("a.py", F)
    monkeypatch.setattr(observe, "RETAINED_BYTES", 0)
    real = observe.overlay

    def slow(*args, **options):
        found = real(*args, **options)
        repo.write("a.py", H)
        return found

    monkeypatch.setattr(observe, "overlay", slow)
    graph.sync()
    monkeypatch.setattr(observe, "overlay", real)
    assert [entry.content for entry in graph.basis().overlay] == [blob_id(H.encode())]
    assert source_of(graph, "a.py") == blob_id(H.encode())
    assert not graph.sync().published


def test_a_file_that_goes_after_it_was_looked_at_is_gone(repo, graph, monkeypatch):
    from git_graph.sync import observe

    repo.write("a.py", F)
    repo.commit()
    repo.write("a.py", G)
    repo.write("b.py", H)
    monkeypatch.setattr(observe, "RETAINED_BYTES", 0)
    real = observe.overlay

    def slow(*args, **options):
        found = real(*args, **options)
        for path in repo.path.glob("*.py"):
            path.unlink()
        return found

    monkeypatch.setattr(observe, "overlay", slow)
    result = graph.sync()
    assert (result.files, [(entry.status, entry.path) for entry in graph.basis().overlay]) == (0, [("D", "a.py")])


def test_a_file_that_cannot_be_read_is_skipped_and_named(repo, graph, monkeypatch):
    """Run by root nothing is unreadable, so this stands in at our own seam."""
    repo.write("a.py", F)
    real = contents._bytes

    def refuse(name, stat):
        raise PermissionError(name)

    monkeypatch.setattr(contents, "_bytes", refuse)
    assert [(item.path, item.reason) for item in graph.sync().skipped] == [("a.py", "unreadable")]
    monkeypatch.setattr(contents, "_bytes", real)
    assert graph.paths() == ["a.py"]
