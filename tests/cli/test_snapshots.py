"""Snapshots by name, epochs, and what changed between them, as a user asks."""

from __future__ import annotations

import os
import shutil

import pytest

from git_graph.errors import UsageError
from git_graph.git.repository import Repository
from git_graph.store import views
from git_graph.store.transaction import Transaction
from git_graph.sync.epochs import rebaseline

APP = "def f():\n    return g()\n\ndef g():\n    return 1\n"


@pytest.fixture
def steps(repo, graph):
    """Three snapshots: g stands in line 4, then 5, then 6."""
    repo.write("a.py", APP)
    repo.commit()
    assert graph("sync").status == 0
    for blank in (1, 2):
        repo.write("a.py", "\n" * blank + APP)
        assert graph("sync").status == 0
    return repo


def line_of_g(graph, *arguments):
    done = graph("definitions", "g", "--json", *arguments)
    assert done.status == 0, done.err
    return done.json["results"][0]["line"]


def snapshot(graph, *arguments):
    return graph("definitions", "g", "--json", *arguments).json["snapshot"]


# what there is


def test_snapshots_are_listed_newest_first_with_what_they_are_of(steps, graph):
    rows = graph("snapshots", "--json").json["results"]
    assert [row["short"] for row in rows] == ["@{0}", "@{1}", "@{2}"]
    assert [row["sequence"] for row in rows] == [3, 2, 1]
    assert [row["uncommitted"] for row in rows] == [1, 1, 0]
    assert {row["head"] for row in rows} == {steps.head()}
    lines = graph("snapshots").lines
    assert lines[0].startswith(f"@{{0}}  {rows[0]['id'][:12]}  ")
    assert "(main), 1 uncommitted, 1 file  number 3" in lines[0]
    assert "as committed" in lines[2]


def test_a_sync_with_nothing_to_do_makes_no_snapshot(steps, graph):
    before = graph("snapshots", "--json").json
    for command in (("sync",), ("sync", "--full"), ("callers", "g")):
        assert graph(*command).status == 0
    (steps.path / "a.py").touch()
    assert graph("sync").status == 0
    assert graph("snapshots", "--json").json == before


def test_no_edit_goes_unnoticed_not_even_inside_an_untracked_file(steps, graph):
    file = steps.write("loose.py", "def one(): return 1\n")
    seen = [snapshot(graph)]
    for name in ("two", "six", "ten"):  # as many bytes, and the same second
        stat = file.stat()
        steps.write("loose.py", f"def {name}(): return 1\n")
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert graph("find", name, "--json").json["total"] == 1
        seen.append(snapshot(graph))
    assert len(set(seen)) == 4
    assert graph("status", "--json").json["freshness"] == "dirty-but-indexed"
    steps.write("loose.py", "def new(): return 1\n")
    assert graph("status", "--json").json["freshness"] == "refresh-needed"


def test_a_view_that_was_never_made_has_none(repo, graph):
    repo.commit()
    done = graph("snapshots")
    assert (done.status, done.out) == (128, "")
    assert "there is no view 'main-worktree'" in done.err


# asking one


def test_an_earlier_snapshot_is_asked_by_how_long_ago_it_was(steps, graph):
    assert [line_of_g(graph, "--view", f"@{{{ago}}}") for ago in range(3)] == [6, 5, 4]
    assert line_of_g(graph, "--view", "main-worktree@{2}") == 4
    assert line_of_g(graph) == 6


def test_an_earlier_snapshot_is_asked_by_its_number(steps, graph):
    assert [line_of_g(graph, "--view", number) for number in "123"] == [4, 5, 6]


def test_a_snapshot_is_asked_by_the_id_that_answers_carry_abbreviated_at_will(steps, graph):
    ids = [row["id"] for row in graph("snapshots", "--json").json["results"]]
    for id, line in zip(ids, (6, 5, 4), strict=True):
        for digits in (40, 12, 7):
            done = graph("definitions", "g", "--json", "--view", id[:digits])
            assert done.json["results"][0]["line"] == line
            assert done.json["snapshot"] == id


def test_an_earlier_snapshot_says_that_it_is_not_the_tree_of_now(steps, graph):
    done = graph("definitions", "g", "--view", "@{1}")
    assert done.lines[0].startswith("a.py:5:")
    assert "an earlier state" in done.err
    assert graph("definitions", "g", "--view", "@{1}", "--json").json["freshness"] == "refresh-needed"
    steps.write("a.py", "\n" + APP)
    assert graph("definitions", "g", "--view", "@{1}", "--json").json["freshness"] == "dirty-but-indexed"


def test_asking_an_earlier_snapshot_changes_nothing(steps, graph):
    before = steps.git("for-each-ref", "refs/graph/")
    steps.write("a.py", "\n\n\n" + APP)
    assert line_of_g(graph, "--view", "@{1}") == 5
    assert steps.git("for-each-ref", "refs/graph/") == before


def test_other_worktrees_have_snapshots_of_their_own(steps, graph, tmp_path):
    linked = steps.worktree(tmp_path / "linked", "-b", "linked")
    assert graph("sync", cwd=linked.path).status == 0
    linked.write("a.py", "\n" * 7 + APP)
    assert graph("sync", cwd=linked.path).status == 0
    assert line_of_g(graph, "--view", "worktrees/linked@{0}") == 11
    assert line_of_g(graph, "--view", "worktrees/linked@{1}") == 4
    done = graph("definitions", "g", "--json", "--view", "@{1}", cwd=linked.path)
    assert done.json["results"][0]["line"] == 4
    assert len(graph("snapshots", "--view", "worktrees/linked", "--json").json["results"]) == 2


def test_a_name_of_no_snapshot_is_told_in_a_line_with_what_there_is(steps, graph):
    for name, said in (
        ("@{7}", "has no snapshot @{7}; it keeps 2; git graph snapshots lists them"),
        ("worktrees/none@{1}", "there is no view 'worktrees/none'; there are: main-worktree"),
        ("99", "there is no view '99'"),
        ("abcdef0123", "'abcdef0123', or no longer; view 'main-worktree' keeps numbers 1 to 3; git graph snapshots"),
    ):
        done = graph("definitions", "g", "--view", name)
        assert done.status == 128
        assert said in done.err
        assert done.err.count("\n") == 1


def test_an_id_that_several_snapshots_begin_with_is_ambiguous(steps, graph, monkeypatch):
    from git_graph.store import snapshots

    monkeypatch.setattr(snapshots, "SHORTEST", 1)
    steps.git("config", "graph.historyLimit", "1000")
    for number in range(20):
        steps.write("a.py", f"x = {number}\n" + APP)
        assert graph("sync").status == 0
    ids = [row["id"] for row in graph("snapshots", "--json").json["results"]]
    twice = next(id[0] for id in ids if not id[0].isdecimal() and sum(other[0] == id[0] for other in ids) > 1)
    done = graph("definitions", "g", "--view", twice)
    assert f"snapshot '{twice}' is ambiguous; there are " in done.err


def test_what_the_history_dropped_is_gone_and_told(steps, graph):
    steps.git("config", "graph.historyLimit", "1")
    steps.write("a.py", "\n\n\n" + APP)
    assert graph("sync").status == 0
    assert line_of_g(graph, "--view", "@{1}") == 6
    assert "it keeps 1" in graph("definitions", "g", "--view", "@{2}").err


def test_whatever_a_dropped_snapshot_is_called_by_one_line_says_what_is_kept(steps, graph):
    dropped = graph("snapshots", "--json").json["results"][2]["id"]
    steps.git("config", "graph.historyLimit", "0")
    steps.write("a.py", "\n\n\n" + APP)
    assert graph("sync").status == graph("gc").status == 0
    for command in (("definitions", "g", "--view"), ("delta",), ("diff",), ("cue", "--since"), ("cue", "--view")):
        for name in ("@{3}", "1", dropped, dropped[:12]):
            if name == "@{3}" and command[-1] in ("diff", "--since"):
                continue  # which is a revision there
            done = graph(*command, name)
            assert (done.status, done.out) == (128, "")
            assert done.err.count("\n") == 1
            assert "git graph snapshots" in done.err
    done = graph("definitions", "g", "--view", dropped[:12])
    assert f"there is no view or snapshot '{dropped[:12]}', or no longer; " in done.err
    assert "view 'main-worktree' keeps number 4 only; " in done.err
    assert "view 'main-worktree' no longer has snapshot 1; " in graph("definitions", "g", "--view", "1").err


# epochs


def test_rebaseline_pins_the_present_and_begins_to_count_anew(steps, graph):
    before = snapshot(graph)
    done = graph("rebaseline", "--label", "before work")
    assert done.out == f"epoch before work pins snapshot {before[:12]} of main-worktree\n"
    status = graph("status", "--json").json
    assert (status["epoch"], status["sequence"]) == ("before work", 1)
    rows = graph("snapshots", "--json").json["results"]
    assert [row["short"] for row in rows] == ["@{0}", "before work"]
    assert rows[1]["id"] == before
    steps.write("a.py", APP)
    assert graph("sync", "--json").json["sequence"] == 2
    assert line_of_g(graph, "--view", "before work") == 6
    assert line_of_g(graph, "--view", "epochs/main-worktree/before work") == 6


def test_an_epoch_takes_in_the_files_as_they_are(steps, graph):
    steps.write("a.py", "\n" * 9 + APP)
    assert graph("rebaseline", "--label", "nine").status == 0
    assert line_of_g(graph, "--view", "nine") == 13


def test_earlier_epochs_stay_readable_whatever_becomes_of_the_view(steps, graph):
    assert graph("rebaseline", "--label", "one").status == 0
    for number in range(30):
        steps.write("a.py", f"x = {number}\n" + APP)
        assert graph("sync").status == 0
    assert graph("rebaseline", "--label", "two").status == 0
    steps.git("config", "graph.historyLimit", "0")
    assert graph("gc").status == 0
    steps.git("gc", "-q", "--prune=now")
    assert [line_of_g(graph, "--view", label) for label in ("one", "two")] == [6, 5]
    assert graph("verify").status == 0
    assert steps.fsck() == ""


def test_a_label_in_use_is_refused_unless_forced(steps, graph):
    assert graph("rebaseline", "--label", "x").status == 0
    pinned = graph("snapshots", "--json").json["results"][-1]["id"]
    steps.write("a.py", APP)
    done = graph("rebaseline", "--label", "x")
    assert done.status == 2
    assert (
        done.err
        == f"fatal: there is an epoch 'x' already (snapshot {pinned[:12]}); choose another label, or add --force\n"
    )
    assert line_of_g(graph, "--view", "x") == 6
    done = graph("rebaseline", "--label", "x", "--force")
    assert f"in place of {pinned[:12]}" in done.out
    assert line_of_g(graph, "--view", "x") == 4


def test_a_label_that_somebody_took_meanwhile_is_refused_as_well(steps):
    repository, other = Repository.discover(steps.path), Repository.discover(steps.path)
    taken = []

    def take(done: int, total: int) -> None:
        if not taken:  # the label was free when this began
            taken.append(views.require(other, "main-worktree").snapshot.id)
            with Transaction(other) as transaction:
                views.pin(transaction, views.require(other, "main-worktree"), "x")

    steps.write("a.py", APP + "\n\ndef late():\n    return 1\n")
    with pytest.raises(UsageError, match="there is an epoch 'x' already"):
        rebaseline(repository, "x", progress=take)
    assert repository.refs.read(views.ref_of("epochs/main-worktree/x")) == taken[0]
    assert rebaseline(repository, "x", force=True).replaced == taken[0]


@pytest.mark.parametrize("label", ["", "-x", "a\nb", "a@{1}", "x" * 300, "ü" * 100, "\x1b[31m"])
def test_what_is_no_label_is_refused(steps, graph, label):
    refs = steps.git("for-each-ref", "refs/graph/")
    done = graph("rebaseline", f"--label={label}")
    assert done.status == 2
    assert "is no label" in done.err
    assert "\x1b" not in done.err
    assert steps.git("for-each-ref", "refs/graph/") == refs


@pytest.mark.parametrize("label", ["v1", "a/b", "ünï cödé", "a.lock", "..", "100%", "main-worktree", "abcd"])
def test_a_label_may_be_any_line_of_text(steps, graph, label):
    assert graph("rebaseline", "--label", label).status == 0
    steps.write("a.py", APP)
    assert line_of_g(graph, "--view", f"epochs/main-worktree/{label}") == 6
    if label != "main-worktree":  # which is a view
        assert line_of_g(graph, "--view", label) == 6
    assert steps.fsck() == ""


def test_a_new_worktree_begins_in_no_epoch_of_another(steps, graph, tmp_path):
    assert graph("rebaseline", "--label", "ours").status == 0
    linked = steps.worktree(tmp_path / "linked", "-b", "linked")
    assert graph("sync", cwd=linked.path).status == 0
    assert graph("status", "--json", cwd=linked.path).json["epoch"] is None
    assert graph("definitions", "g", "--view", "ours", cwd=linked.path).status == 128


# what changed


def test_a_delta_tells_branch_head_and_tree_then_files_then_symbols(steps, graph):
    steps.write("gone.py", "def gone(): return 1\n")
    steps.write("old.py", "def moved(): return 1\n")
    steps.write("run.sh", "echo\n")
    steps.write("kept.txt", "kept\n")
    steps.write("late.py", "def late(): return 1\n")
    steps.git("add", "-A", ":!late.py")
    steps.commit(add=False)
    steps.remove("kept.txt")
    assert graph("rebaseline", "--label", "start").status == 0
    first = steps.head()
    steps.git("checkout", "-q", "--", "kept.txt")
    steps.git("switch", "-q", "-c", "topic")
    steps.git("add", "late.py")
    steps.commit(add=False)
    steps.remove("gone.py")
    steps.git("mv", "old.py", "new.py")
    (steps.path / "run.sh").chmod(0o755)
    steps.write("a.py", APP.replace("return 1", "return 2"))
    steps.write("fresh.py", "def fresh(): return 1\n")
    done = graph("delta")
    assert done.status == 0
    head = steps.head()
    assert done.lines == [
        "branch: main -> topic",
        f"head: {first[:12]} -> {head[:12]}",
        "tree: 2 uncommitted -> 6 uncommitted",
        "fresh.py: added, new",
        "gone.py: deleted, was committed",
        "kept.txt: restored, committed",
        "a.py: content changed, committed -> changed",
        "run.sh: mode 100644 -> 100755, committed -> changed",
        "late.py: new -> committed",
        "new.py: renamed from old.py, new",
        "a.py:4: changed function g: body",
        "fresh.py:1: added file fresh.py, with fresh",
        "gone.py:1: removed file gone.py, with gone",
        "new.py:1: moved file from old.py",
    ]
    assert done.err.splitlines()[0] == "7 files differ"


def test_a_delta_is_one_object_with_both_sides(steps, graph):
    document = graph("delta", "@{2}", "@{1}", "--json").json
    assert document["command"] == "delta"
    assert document["query"] == {"since": "@{2}", "until": "@{1}"}
    assert document["base"]["snapshot"] == snapshot(graph, "--view", "@{2}")
    assert document["snapshot"] == snapshot(graph, "--view", "@{1}")
    assert document["moved"]["uncommitted"] == {"old": 0, "new": 1}
    (file,) = document["files"]
    assert (file["change"], file["path"]) == ("content", "a.py")
    assert (file["old"]["state"], file["new"]["state"]) == ("committed", "changed")
    assert file["old"]["mode"] == "100644"
    assert document["results"] == []  # lines moved, and that is no change of a symbol


def test_a_delta_begins_with_the_snapshot_before_where_there_is_no_epoch(steps, graph):
    steps.write("new.py", "def new(): return 1\n")
    assert graph("delta").lines == [
        "tree: 1 uncommitted -> 2 uncommitted", "new.py: added, new", "new.py:1: added file new.py, with new"
    ]  # fmt: skip


def test_a_delta_of_nothing_says_so(steps, graph):
    done = graph("delta", "@{0}")
    assert (done.status, done.out) == (0, "")
    assert done.err.splitlines() == ["no file differs", "no symbol differs"]


def test_a_delta_between_commits_and_views_works_as_well(steps, graph, tmp_path):
    steps.commit()
    linked = steps.worktree(tmp_path / "linked", "-b", "linked")
    linked.write("theirs.py", "def theirs(): return 1\n")
    assert graph("sync", cwd=linked.path).status == 0
    done = graph("delta", "main-worktree", "worktrees/linked")
    assert done.lines[:3] == ["branch: main -> linked", "tree: as committed -> 1 uncommitted", "theirs.py: added, new"]
    done = graph("delta", "HEAD~1", "HEAD")
    assert "a.py: content changed, committed" in done.lines


def test_a_delta_without_anything_to_compare_with_says_what_to_do(repo, graph):
    repo.write("a.py", APP)
    repo.commit()
    done = graph("delta")
    assert done.status == 128
    assert (
        done.err
        == "fatal: view 'main-worktree' has no earlier snapshot; name what to compare with: git graph delta SINCE\n"
    )
    assert "neither a revision nor a view or snapshot" in graph("delta", "nope").err


def test_a_file_that_was_skipped_and_now_is_not_changed_its_state(steps, graph):
    steps.write("big.py", "def big(): return 1\n" + "# much more\n" * 200)
    steps.commit()
    steps.git("config", "graph.maxFileSize", "1000")
    assert graph("sync", "--json").json["skipped"] == [{"path": "big.py", "reason": "too-large"}]
    steps.git("config", "--unset", "graph.maxFileSize")
    assert graph("delta", "@{0}").lines[0] == "big.py: committed, skipped (too-large) -> not skipped"
    (file,) = graph("delta", "@{1}", "@{0}", "--json").json["files"]
    assert file["change"] == "state"
    assert (file["old"]["skipped"], file["new"]["skipped"]) == ("too-large", None)
    assert graph("delta", "@{0}", "@{1}").lines[0] == "big.py: committed, not skipped -> skipped (too-large)"
    assert graph("delta", "@{1}", "HEAD").lines == ["branch: main -> no branch"]  # what of HEAD is read nobody stored


def test_a_file_that_is_added_says_that_it_was_skipped(steps, graph):
    steps.git("config", "graph.maxFileSize", "1000")
    steps.write("big.py", "def big(): return 1\n" + "# much more\n" * 200)
    assert graph("delta", "@{0}").lines[1] == "big.py: added, new, skipped (too-large)"


def test_a_cue_takes_what_has_changed_since_a_snapshot(steps, graph):
    since = snapshot(graph)
    steps.write("a.py", "\n\n" + APP + "\ndef late():\n    return g()\n")
    for name in (since, since[:12], "3", "main-worktree@{1}"):
        assert graph("sync").status == 0
        ranked = graph("cue", "--since", name, "--json").json
        assert "late" in str(ranked)
        assert ranked["freshness"] == "dirty-but-indexed"
        assert "added: " in graph("cue", "--show", "delta", "--since", name).out
    assert graph("rebaseline", "--label", "now").status == 0
    assert "late" not in graph("cue", "--show", "delta", "--since", "now").out
    done = graph("cue", "--since", "no such")
    assert (done.status, done.err.count("\n")) == (128, 1)
    assert "'no such' is neither a revision nor a view or snapshot" in done.err


def test_diff_takes_snapshots_too(steps, graph):
    steps.write("a.py", APP.replace("return 1", "return 2"))
    steps.commit()
    assert graph("rebaseline", "--label", "two").status == 0
    steps.write("a.py", APP)
    assert graph("diff", "two").lines == ["a.py:4: changed function g: body"]


def test_a_file_whose_earlier_bytes_are_gone_is_compared_by_what_is_known_of_it(steps, graph):
    steps.write("a.py", APP.replace("def g():", "def g(x):").replace("return g()", "return g() + h()"))
    assert graph("sync").status == 0  # git never had these bytes
    steps.write("a.py", APP + "\ndef new():\n    return 1\n")
    done = graph("delta", "@{0}")
    assert done.lines[1:] == [
        "a.py:1: changed function f: body",
        "a.py:4: changed function g: signature",
        "    - def g(x)",
        "    + def g()",
        "a.py:7: added function new",
    ]
    assert "a.py could not be read, only signatures and references were compared" in done.err


def test_a_corrupt_derived_store_is_no_obstacle(steps, graph):
    for file in (steps.path / ".git" / "graph").glob("engine-*"):
        file.write_bytes(b"nonsense" * 4000)
    assert line_of_g(graph, "--view", "@{1}") == 5
    shutil.rmtree(steps.path / ".git" / "graph")
    assert line_of_g(graph, "--view", "@{2}") == 4
