"""A watcher at work: a process of its own, told by the system of what changes."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from git_graph.errors import GraphError
from git_graph.git.repository import Repository
from git_graph.store import views
from git_graph.upkeep import watch as watching

pytest.importorskip("watchfiles")

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")
PATIENCE = 60


class Watcher:
    """`git graph watch --json`, and what it has said."""

    def __init__(self, directory: Path, *options: str) -> None:
        command = [sys.executable, "-m", "git_graph", "watch", "--json", *options]
        self.process = subprocess.Popen(
            command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )  # fmt: skip
        self.said: queue.Queue[dict[str, object]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.said.put(json.loads(line))

    def expect(self, **facts):
        """The next thing said of which all `facts` hold; what is said before is passed over."""
        until = time.monotonic() + PATIENCE
        passed = []
        while (left := until - time.monotonic()) > 0:
            try:
                event = self.said.get(timeout=left)
            except queue.Empty:
                break
            if all(event.get(key) == value for key, value in facts.items()):
                return event
            passed.append(event)
        raise AssertionError(f"never said: {facts}; said instead: {passed}; {self.process.poll()}")

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it; its exit status and what it complained of."""
        self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE)
        return status, self.process.stderr.read()


@pytest.fixture
def start(request):
    running = []

    def begin(directory, *options):
        running.append(Watcher(directory, *options))
        return running[-1]

    yield begin
    for watcher in running:
        if watcher.process.poll() is None:
            watcher.process.kill()
        watcher.process.wait()
        watcher.process.stdout.close()
        watcher.process.stderr.close()


def settle(seconds=1.5):
    """Until a watcher that has synced is listening for sure."""
    time.sleep(seconds)


def test_edits_deletes_and_renames_are_taken_in_and_a_signal_ends_it(committed, graph, start):
    watcher = start(committed.path)
    watcher.expect(event="joined", view="main-worktree")
    assert watcher.expect(event="synced")["files"] == 2
    committed.write("a.py", H)
    assert watcher.expect(event="synced")["modified"] == 1
    (committed.path / "a.py").rename(committed.path / "d" / "moved.py")
    event = watcher.expect(event="synced")
    if event["removed"] != event["added"]:
        event = watcher.expect(event="synced")  # looked at between the two
    assert event["files"] == 2 and event["parsed"] == 0
    committed.remove("d/b.py")
    assert watcher.expect(event="synced", removed=1)["files"] == 1
    (committed.path / "deep" / "er").mkdir(parents=True)
    committed.write("deep/er/new.py", G)
    watcher.expect(event="synced", files=2)
    assert watcher.end(signal.SIGINT) == (0, "")
    assert sorted(graph.stored()) == ["d/moved.py", "deep/er/new.py"]
    assert not graph.sync().published
    assert committed.fsck() == ""


def test_commits_and_branches_are_followed_and_our_own_writes_are_not(committed, graph, start):
    watcher = start(committed.path)
    watcher.expect(event="synced")
    settle()
    head = committed.commit("empty")
    assert watcher.expect(event="synced")["head"] == head
    committed.git("checkout", "-q", "-b", "side")
    assert watcher.expect(event="synced")["branch"] == "side"
    committed.git("update-ref", "refs/heads/side", "HEAD~1")
    assert watcher.expect(event="synced")["head"] != head
    used = processor_ticks(watcher.process.pid)
    settle(5)
    assert watcher.said.empty(), "it must not react to what it writes itself"
    assert processor_ticks(watcher.process.pid) - used < 0.1 * 5 * os.sysconf("SC_CLK_TCK"), "it must be idle"
    assert watcher.end()[0] == 0


def processor_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def test_a_burst_is_taken_in_at_once(committed, graph, start):
    watcher = start(committed.path)
    watcher.expect(event="synced")
    settle()
    for number in range(200):
        committed.write(f"many/f{number}.py", f"def f{number}():\n    pass\n")
    files, syncs = 0, 0
    while files < 202:
        files, syncs = watcher.expect(event="synced")["files"], syncs + 1
    assert syncs <= 4
    assert watcher.end()[0] == 0


def test_one_watcher_a_view_and_a_dead_one_blocks_nobody(committed, graph, start):
    first = start(committed.path)
    first.expect(event="synced")
    second = start(committed.path)
    assert second.process.wait(timeout=PATIENCE) == 128
    complaint = second.process.stderr.read()
    assert f"by process {first.process.pid}" in complaint and complaint.count("\n") == 1
    first.process.kill()
    first.process.wait()
    third = start(committed.path)
    third.expect(event="joined")
    assert third.end()[0] == 0


def test_all_worktrees_are_watched_also_those_that_come_and_go(committed, graph_of, start, tmp_path):
    side = committed.worktree(tmp_path / "side")
    nested = committed.worktree(committed.path / ".worktrees" / "nested")
    watcher = start(committed.path, "--all")
    for _ in range(3):
        watcher.expect(event="synced")
    side.write("own.py", H)
    assert watcher.expect(event="synced")["view"] == "worktrees/side"
    settle()
    nested.write("own.py", H)
    assert watcher.expect(event="synced")["view"] == "worktrees/nested"
    later = committed.worktree(tmp_path / "later")
    watcher.expect(event="joined", view="worktrees/later")
    watcher.expect(event="synced", view="worktrees/later", files=2)
    later.write("own.py", H)
    watcher.expect(event="synced", view="worktrees/later", files=3)
    committed.git("worktree", "remove", "--force", later.path)
    watcher.expect(event="left", view="worktrees/later")
    side.commit()
    watcher.expect(event="synced", view="worktrees/side", head=side.head())
    assert watcher.end()[0] == 0
    assert views.names(Repository.discover(committed.path)) == [
        "main-worktree", "worktrees/nested", "worktrees/side",
    ]  # fmt: skip


def test_a_watcher_whose_worktree_goes_ends(committed, graph, start, tmp_path):
    side = committed.worktree(tmp_path / "side")
    watcher = start(side.path)
    watcher.expect(event="synced")
    settle()
    committed.git("worktree", "remove", "--force", side.path)
    watcher.expect(event="left")
    assert watcher.process.wait(timeout=PATIENCE) == 0


def test_everything_is_looked_at_in_intervals(committed, graph, start):
    watcher = start(committed.path, "--interval", "2")
    watcher.expect(event="synced")
    settle()
    committed.git("config", "graph.untracked", "no")  # is told; what a global file changes would not be
    views.delete(graph.repository, "main-worktree")
    assert watcher.expect(event="synced")["sequence"] == 1
    assert watcher.end()[0] == 0


def test_where_the_system_tells_nothing_it_looks_by_itself(committed, graph, monkeypatch):
    import watchfiles

    def refused(*paths, **options):
        raise OSError("OS file watch limit reached.")

    monkeypatch.setattr(watchfiles, "watch", refused)
    monkeypatch.setattr(watching, "BLIND_INTERVAL", 0.05)
    monkeypatch.setattr(watching, "REST", 0.0)
    happened = watching.watch(graph.repository)
    kinds = [next(happened).kind for _ in range(3)]
    assert kinds == [watching.JOINED, watching.SYNCED, watching.BLIND]
    committed.write("a.py", H)
    assert next(happened).result.modified == 1
    happened.close()


def test_a_failing_sync_is_said_the_second_time_and_tried_again(committed, graph, monkeypatch):
    calls = []

    def failing(repository):
        calls.append(1)
        raise GraphError("no luck")

    watcher = watching._Watcher(graph.repository, False, 300, iter)
    assert [event.kind for event in watcher.gather()] == [watching.JOINED]
    (place,) = watcher.places.values()
    with monkeypatch.context() as context:
        context.setattr(watching, "sync", failing)
        assert watcher.synced(place) is None
        assert watcher.synced(place).message == "no luck"
    assert watcher.synced(place).kind == watching.SYNCED
    watcher.close()


@pytest.mark.parametrize(
    ("name", "concerns"),
    [
        ("a.py", True), ("d/new/x.py", True), (".git/HEAD", True), (".git/index", True), (".git/logs/HEAD", True),
        (".git/config", True), (".git/info/exclude", True), (".git/refs/heads/main", True),
        (".git/refs/heads/other", False), (".git/index.lock", False), (".git/objects/aa/bb", False),
        (".git/graph/sync-1.sqlite", False), (".git/refs/graph/views/main-worktree", False),
        (".git/worktrees/x/HEAD", False), (".git/gc.pid", False), (".git/COMMIT_EDITMSG", False),
    ],
)  # fmt: skip
def test_only_what_may_change_a_view_wakes_it(committed, graph, name, concerns):
    watcher = watching._Watcher(graph.repository, False, 300, iter)
    list(watcher.gather())
    list(watcher.work())
    watcher.branches["main-worktree"] = "main"
    watcher.due.clear()
    assert watcher.concerns(str(committed.path / name)) is concerns
    assert watcher.due == ({"main-worktree"} if concerns else set())
    watcher.close()


def test_a_bare_repository_has_nothing_to_watch(make_repo):
    bare = make_repo("bare", "--bare")
    with pytest.raises(GraphError, match="bare"):
        next(watching.watch(Repository.discover(bare.path)))


def test_without_its_library_it_says_what_to_install(committed, graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(GraphError, match="watchfiles") as caught:
        next(watching.watch(graph.repository))
    assert "pip install" in caught.value.hint
