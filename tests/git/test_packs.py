from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_graph.errors import CorruptObject, DiskFull, GitFailed
from git_graph.git.loose import LooseStore, object_id
from git_graph.git.packs import PackIndex
from git_graph.git.repository import Repository


@pytest.fixture
def repository(repo) -> Repository:
    return Repository.discover(repo.path)


def things(count: int, salt: bytes = b"") -> list[tuple[str, bytes]]:
    return [("blob", b"%s%d" % (salt, n) * (n % 50 + 1)) for n in range(count)]


def ids_of(objects: list[tuple[str, bytes]]) -> list[str]:
    return [object_id(kind, data) for kind, data in objects]


def test_a_pack_holds_what_was_written(repo, repository):
    objects = [*things(300), ("blob", b""), ("blob", os.urandom(100_000)), ("tree", b"")]
    kept = repository.packs.write(objects)
    assert repo.fsck() == ""
    (index,) = repository.packs.indexes()
    assert index.pack == kept.pack and len(index) == 303
    assert sorted(index) == sorted(ids_of(objects))
    assert all(id in index for id in index) and "0" * 40 not in index and "f" * 40 not in index
    for (_, data), id in zip(objects, ids_of(objects), strict=True):
        assert repository.objects.raw(id)[1] == data


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=5000) | st.integers(0, 70_000).map(bytes), min_size=1, max_size=6, unique=True))
def test_objects_of_any_size_survive_a_pack(repository, contents):
    repository.packs.write([("blob", data) for data in contents]).release()
    for data in contents:
        assert repository.objects.blob(object_id("blob", data)) == data


def test_a_kept_pack_survives_any_gc_until_it_is_released(repo, repository):
    repo.commit()
    objects = things(20)
    kept = repository.packs.write(objects)
    repo.git("gc", "-q", "--prune=now")
    assert repository.objects.present(ids_of(objects)) == set(ids_of(objects))
    kept.release()
    repo.git("gc", "-q", "--prune=now")
    assert Repository.discover(repo.path).objects.present(ids_of(objects)) == set()


WRITE = """
import sys
from git_graph.git.repository import Repository
kept = Repository.discover().packs.write([("blob", b"%d" % n) for n in range(50)])
print(kept.pack, flush=True)
sys.stdin.read()
"""


def test_the_keep_of_a_dead_process_is_removed_and_that_of_a_living_one_is_not(repo, repository):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE], cwd=repo.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )  # fmt: skip
    process.stdout.readline()
    foreign = repository.packs.directory / "pack-of-somebody.keep"
    foreign.write_text("kept by hand\n")
    own = repository.packs.write(things(3))
    repository.packs.sweep()
    assert len(list(repository.packs.directory.glob("*.keep"))) == 3
    process.send_signal(signal.SIGKILL)
    process.wait()
    repository.packs.sweep()
    assert set(repository.packs.directory.glob("*.keep")) == {foreign, own.pack.with_suffix(".keep")}
    own.release()
    assert list((repository.graph_dir / "alive").iterdir()) == []


def test_a_killed_index_pack_leaves_nothing_that_git_minds(repo, repository):
    """Killed in the middle of a pack: only a tmp_pack, which gc clears away."""
    running = repository.start("index-pack", "--stdin", "--keep=git-graph 0123456789abcdef", stdin=True)
    running.stdin.write(b"PACK" + (2).to_bytes(4, "big") + (2).to_bytes(4, "big") + b"\x31")
    running.stdin.flush()
    until = time.monotonic() + 5
    while not list(repository.packs.directory.glob("tmp_pack_*")) and time.monotonic() < until:
        time.sleep(0.01)
    running.stop()
    left = [path.name for path in repository.packs.directory.iterdir()]
    assert all(name.startswith("tmp_pack_") for name in left)
    assert repo.fsck() == ""


def test_a_failing_index_pack_is_a_git_failure(repository):
    with pytest.raises(GitFailed, match="index-pack"):
        repository.packs.write([("tree", BadLength(b"x" * 100))])
    assert list(repository.packs.directory.glob("*.pack")) == []


class BadLength(bytes):
    """Bytes that lie about their number."""

    def __len__(self) -> int:
        return 5


def test_what_is_no_index_is_refused(tmp_path):
    for content in (b"\xfftOc\0\0\0\2", b"\0" * 2000):
        (tmp_path / "pack-x.idx").write_bytes(content)
        with pytest.raises(CorruptObject):
            PackIndex(tmp_path / "pack-x.idx")


def test_a_running_gc_is_seen_and_a_dead_one_is_not(repo, repository):
    file = repo.path / ".git" / "gc.pid"
    host = os.uname().nodename
    assert not repository.packs.collecting()
    file.write_text(f"{os.getpid()} {host}")
    assert repository.packs.collecting()
    file.write_text("1 some-other-host")
    assert repository.packs.collecting()
    os.utime(file, (time.time() - 13 * 3600,) * 2)
    assert not repository.packs.collecting(), "git ignores one of twelve hours too"
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    file.write_text(f"{process.pid} {host}")
    assert not repository.packs.collecting()


def test_loose_objects_are_gits_own(repo, repository):
    for kind, data in (("blob", b""), ("blob", b"x" * 10_000), ("tree", b"")):
        id = object_id(kind, data)
        repository.loose.write(id, kind, data)
        assert repo.git("cat-file", "-t", id) == kind and repo.raw("cat-file", kind, id) == data
    assert repo.fsck() == ""
    assert repository.loose.path(id).stat().st_mode & 0o777 == 0o444


def test_writing_a_loose_object_again_freshens_it(repository):
    id = object_id("blob", b"x")
    repository.loose.write(id, "blob", b"x")
    for renew in (lambda: repository.loose.write(id, "blob", b"x"), lambda: repository.loose.freshen(id)):
        os.utime(repository.loose.path(id), (0, 0))
        renew()
        assert time.time() - repository.loose.age_of([id])[id] < 60
    repository.loose.remove(id)
    assert repository.loose.age_of([id]) == {} and not repository.loose.freshen(id)


@pytest.mark.parametrize(
    ("shared", "directory", "file"),
    [("group", 0o2070, 0o440), ("all", 0o2075, 0o444), ("0640", 0o2050, 0o440), ("false", 0, 0o444)],
)
def test_shared_repositories_stay_shared(tmp_path, shared, directory, file):
    previous = os.umask(0o077)
    try:
        store = LooseStore(tmp_path, shared)
        id = object_id("blob", b"x")
        store.write(id, "blob", b"x")
    finally:
        os.umask(previous)
    mode = store.path(id).stat().st_mode & 0o777
    assert store.path(id).parent.stat().st_mode & directory == directory
    assert mode == (file if shared != "false" else 0o400)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told_as_such(repository, monkeypatch):
    real = os.open

    def full(path, flags, mode=0o777, **more):
        if "tmp_obj" in str(path):
            path, flags = "/dev/full", os.O_WRONLY
        return real(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(DiskFull, match="no room"):
        repository.loose.write(object_id("blob", b"x"), "blob", b"x")
