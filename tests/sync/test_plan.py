"""Deciding what there is to do, from values alone."""

from hypothesis import given
from hypothesis import strategies as st

from git_graph.git.objects import TreeChange
from git_graph.store.basis import Basis, OverlayEntry
from git_graph.sync import plan
from git_graph.sync.plan import Desired, Target

RULE = (1, "f" * 16)
ONE, TWO = "1" * 40, "2" * 40


def rules(language):
    return RULE


def desired(**changes):
    return Desired("1.0", ONE, "main", (), "policy", "", "/w")._replace(**changes)


def basis_of(tree, **changes):
    return tree.pictured(Basis(tool="", rules={"python": RULE}))._replace(**changes)


def make(basis, tree, between=(), **options):
    return plan.make(basis, tree, rules, 0.0, lambda old, new: between, **options)


def edit(path, content, status="M"):
    return OverlayEntry(status, 0o100644, path, content)


def test_a_picture_of_the_tree_agrees_with_it():
    tree = desired(overlay=(edit("a.py", ONE),))
    assert plan.agrees(basis_of(tree, sequence=7, observed_at=9), tree, rules, 0.0)


def test_whatever_a_basis_says_of_the_tree_has_to_agree():
    tree = desired()
    others = {
        "tool": "2.0", "head": TWO, "branch": None, "overlay": (edit("a.py", ONE),), "policy": "other", "sparse": "x",
        "worktree": "/v",
    }  # fmt: skip
    assert set(others) == set(Desired._fields)
    for name, value in others.items():
        assert not plan.agrees(basis_of(tree), tree._replace(**{name: value}), rules, 0.0), name


def test_other_rules_disagree():
    assert not plan.agrees(basis_of(desired()), desired(), lambda language: (1, "0" * 16), 0.0)
    assert not plan.agrees(basis_of(desired()), desired(), lambda language: None, 0.0)


def test_only_overlay_entries_that_differ_are_decided():
    same, old, new = edit("same.py", ONE), edit("a.py", ONE), edit("a.py", TWO)
    gone, come = edit("gone.py", ONE, "A"), edit("come.py", ONE, "A")
    todo = make(basis_of(desired(overlay=(old, gone, same))), desired(overlay=(new, come, same)))
    assert todo.paths == {b"a.py", b"gone.py", b"come.py"}


def test_another_head_adds_what_differs_between_commits():
    change = TreeChange(b"d/x.py", None, (0o100644, ONE))
    assert make(basis_of(desired()), desired(head=TWO), [change]).paths == {b"d/x.py"}


def test_everything_is_decided_when_nothing_smaller_can_be_told():
    tree = desired()
    assert make(basis_of(tree), tree, full=True).whole
    assert make(basis_of(tree), tree._replace(policy="other")).whole
    assert make(basis_of(tree), tree._replace(sparse="other")).whole
    assert make(basis_of(tree), tree._replace(head=TWO), between=None).whole
    assert plan.make(basis_of(tree), tree, lambda language: None, 0.0, lambda old, new: ()).whole


def test_targets_are_what_lies_on_disk_then_what_is_committed():
    tree = desired(overlay=(edit("a.py", ONE), OverlayEntry("D", 0, "b.py", None)))
    held = {b"a.py": (0o100644, TWO), b"b.py": (0o100644, TWO), b"c.py": (0o100755, TWO), b"s.py": (0o100644, TWO)}
    expected = {b"a.py": Target(0o100644, ONE, True), b"b.py": None, b"c.py": Target(0o100755, TWO, False)}
    sparse = frozenset([b"s.py"])
    whole = plan.targets(plan.Plan(None), tree, sparse, held.get, lambda: [(p, *e) for p, e in held.items()])
    assert whole == expected
    some = plan.targets(plan.Plan(frozenset([*held, b"no.py"])), tree, sparse, held.get, lambda: [])
    assert some == {**expected, b"s.py": None, b"no.py": None}


contents = st.sampled_from([None, ONE, TWO])
states = st.dictionaries(st.sampled_from([b"a.py", b"b.py", b"d/c.py"]), contents)


def overlay_of(head, disk):
    rows = []
    for path in sorted(head.keys() | disk.keys()):
        was, now = head.get(path), disk.get(path)
        if was != now:
            name = path.decode()
            rows.append(edit(name, now, "M" if was else "A") if now else OverlayEntry("D", 0, name, None))
    return tuple(rows)


@given(states, states, states, states)
def test_what_is_not_planned_is_as_it_was(head_before, disk_before, head_after, disk_after):
    """The soundness of the plan: applied to the old state it gives the new one, whatever either was."""
    before = basis_of(desired(overlay=overlay_of(head_before, disk_before)))
    tree = desired(head=TWO, overlay=overlay_of(head_after, disk_after))
    paths = sorted(head_before.keys() | head_after.keys())
    entry = {ONE: (0o100644, ONE), TWO: (0o100644, TWO), None: None}
    between = [
        TreeChange(path, entry[head_before.get(path)], entry[head_after.get(path)])
        for path in paths
        if head_before.get(path) != head_after.get(path)
    ]
    todo = make(before, tree, between)
    held = {path: entry[id] for path, id in head_after.items() if id}
    state = {path: id for path, id in disk_before.items() if id}
    for path, target in plan.targets(todo, tree, frozenset(), held.get, lambda: []).items():
        state.pop(path, None)
        if target is not None:
            state[path] = target.content
    assert state == {path: id for path, id in disk_after.items() if id}


def test_corrections_reach_the_overlay():
    overlay = (edit("a.py", ONE), edit("b.py", ONE), edit("new.py", ONE, "A"), edit("same.py", ONE))
    found = plan.corrected(overlay, {b"a.py": TWO, b"b.py": None, b"new.py": None})
    assert found == (edit("a.py", TWO), OverlayEntry("D", 0, "b.py", None), edit("same.py", ONE))
