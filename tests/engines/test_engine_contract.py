"""What every engine promises; each test runs over all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_samples import Forest, make, tree

from git_graph import codec
from git_graph.engines.memory import view_of
from git_graph.engines.protocol import Engine, FileChange
from git_graph.errors import CorruptObject, MissingObject

ODD = "caf\udce9/na\nme \u00fc.py"


@pytest.fixture
def files(forest: Forest) -> dict[str, str]:
    """A small view: five files, four slices, two languages."""
    a = forest.put(make(["f", "g"], ["h", "print"], [("m", "n")], ["f"]))
    b = forest.put(make(["g"], ["f"], [("*", "*"), ("os.path", "")]))
    c = forest.put(make(["Z"], ["f", "g"], language="go"))
    return {"a.py": a, "pkg/a.py": a, "pkg/sub/b.py": b, "pkg/c.go": c, ODD: forest.put(make(["odd"], ["f"]))}


def test_a_view_lists_its_paths_sorted(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert list(view.paths()) == sorted(files)
    assert {path: view.slice_id(path) for path in view.paths()} == files


def test_a_path_is_there_or_not(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    for absent in ("", "b.py", "pkg", "pkg/", "/a.py", "a.py/", "A.py"):
        assert not view.has(absent), absent
        assert view.slice_id(absent) is view.slice(absent) is view.language(absent) is None
    assert view.has("pkg/a.py")
    assert view.language("pkg/c.go") == "go"


def test_slices_come_back_as_they_went_in(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    for path, slice_id in files.items():
        slice_ = view.slice(path)
        assert slice_ is not None
        assert codec.encode(slice_) == forest.objects[slice_id]


def test_a_slice_is_decoded_once_while_it_is_in_use(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert view.slice("a.py") is view.slice("pkg/a.py")


def test_paths_are_found_by_base_name_and_by_directory(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert list(view.paths_named("a.py")) == ["a.py", "pkg/a.py"]
    assert list(view.paths_named("pkg")) == []
    assert list(view.paths_in("")) == ["a.py"]
    assert list(view.paths_in("pkg")) == ["pkg/a.py", "pkg/c.go"]
    assert list(view.paths_in("pkg/")) == list(view.paths_in("nowhere")) == []
    assert list(view.paths_in(ODD.rpartition("/")[0])) == [ODD]


def test_languages_are_counted_and_list_their_paths(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert view.languages() == {"go": 1, "python": 4}
    assert list(view.languages()) == ["go", "python"]
    assert list(view.paths_of_language("go")) == ["pkg/c.go"]
    assert list(view.paths_of_language("python")) == sorted(set(files) - {"pkg/c.go"})
    assert list(view.paths_of_language("rust")) == []


def test_names_are_found_by_what_a_file_does_with_them(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert list(view.defining("g")) == ["a.py", "pkg/a.py", "pkg/sub/b.py"]
    assert list(view.referring("f")) == sorted([ODD, "pkg/c.go", "pkg/sub/b.py"])
    assert list(view.importing("m")) == list(view.importing("n")) == ["a.py", "pkg/a.py"]
    assert list(view.importing("*")) == list(view.importing("os.path")) == ["pkg/sub/b.py"]
    assert list(view.exporting("f")) == ["a.py", "pkg/a.py"]


def test_a_name_of_one_kind_is_not_of_another(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert list(view.defining("h")) == list(view.referring("Z")) == []
    assert list(view.exporting("g")) == list(view.exporting("hidden")) == []
    assert list(view.defining("python")) == list(view.importing("module")) == []


def test_the_empty_name_names_nothing(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    assert [list(ask("")) for ask in (view.defining, view.referring, view.importing, view.exporting)] == [[]] * 4
    assert list(view.paths_named("")) == list(view.paths_of_language("")) == []


def test_most_referred_names_are_those_that_most_files_refer_to(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    forest.bring(engine, "other", {"x.py": forest.put(make(["f"], ["f", "g"]))})
    forest.bring(engine, "main", files)
    view = engine.open("main")
    expected = [
        (name, len(view.referring(name)))
        for name in view.symbol_names()
        if view.referring(name) and len(view.defining(name)) <= 2
    ]
    expected.sort(key=lambda row: (-row[1], row[0]))
    assert list(view.most_referred(2, 1000)) == expected
    assert list(view.most_referred(2, 1)) == expected[:1]
    assert list(view.most_referred(0, 1000)) == []


def test_symbol_names_match_globs_in_full_and_by_case(engine: Engine, forest: Forest) -> None:
    names = ["save", "save_all", "Save", "s[av]e", "naïve", "a%b_c", "new\nline"]
    forest.bring(engine, "main", {"a": forest.put(make(names[:4], ["used"])), "b": forest.put(make(names[2:]))})
    view = engine.open("main")
    assert list(view.symbol_names()) == sorted(names)
    assert list(view.symbol_names("save")) == ["save"]
    assert list(view.symbol_names("*ave*")) == ["Save", "save", "save_all"]
    assert list(view.symbol_names("?ave")) == ["Save", "save"]
    assert list(view.symbol_names("s[av]e")) == ["s[av]e"]
    assert list(view.symbol_names("na?ve")) == ["naïve"]
    assert list(view.symbol_names("*%*_*")) == ["a%b_c"]
    assert list(view.symbol_names("new*ne")) == ["new\nline"]
    assert list(view.symbol_names("used")) == list(view.symbol_names("")) == list(view.symbol_names("hidden")) == []


def test_names_that_are_not_utf8_are_found(engine: Engine, forest: Forest) -> None:
    forest.bring(engine, "main", {"a": forest.put(make(["n\udcffo"], ["\udc80"]))})
    view = engine.open("main")
    assert list(view.defining("n\udcffo")) == list(view.referring("\udc80")) == ["a"]
    assert list(view.symbol_names("n?o")) == ["n\udcffo"]


def test_changes_add_replace_and_remove(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    after = dict(files)
    del after["a.py"]
    after["pkg/c.go"] = forest.put(make(["new"], language="go"))
    after["new.rs"] = forest.put(make(["fresh"], language="rust"))
    forest.bring(engine, "main", after)
    view = engine.open("main")
    assert list(view.paths()) == sorted(after)
    assert list(view.defining("Z")) == []
    assert list(view.defining("new")) == ["pkg/c.go"]
    assert list(view.defining("f")) == ["pkg/a.py"]
    assert list(view.paths_in("")) == ["new.rs"]
    assert view.languages() == {"go": 1, "python": 3, "rust": 1}
    assert "Z" not in view.symbol_names()
    assert forest.listings == 1, "changes need no listing of everything"


def test_a_change_that_is_taken_back_leaves_nothing(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    first = forest.bring(engine, "main", files)
    forest.bring(engine, "main", files | {"a.py": forest.put(make(["ghost"]))})
    assert forest.bring(engine, "main", files) == first == engine.root("main")
    view = engine.open("main")
    assert list(view.defining("ghost")) == []
    assert "ghost" not in view.symbol_names()


def test_a_file_that_comes_back_after_its_removal_is_there(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    forest.bring(engine, "main", files)
    less = {path: slice_id for path, slice_id in files.items() if path != "pkg/c.go"}
    forest.bring(engine, "main", less)
    forest.bring(engine, "main", {**less, "pkg/c.go": files["a.py"]})
    view = engine.open("main")
    assert list(view.defining("f")) == ["a.py", "pkg/a.py", "pkg/c.go"]
    assert list(view.defining("Z")) == []


def test_changes_may_name_a_path_that_never_was(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    changes = [FileChange("never/was.py", None), FileChange("a.py", None)]
    engine.bring("main", "s", "t", changes, dict, forest.read)
    assert "never/was.py" not in engine.open("main").paths()


def test_only_slices_that_are_new_are_read(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    assert sorted(forest.read_ids) == sorted(set(files.values()))
    forest.read_ids.clear()
    forest.bring(engine, "main", {"moved/" + path: slice_id for path, slice_id in files.items()})
    forest.bring(engine, "worktrees/w", files)
    assert forest.read_ids == []


def test_an_open_view_stays_at_its_root(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    root = forest.bring(engine, "main", files)
    view = engine.open("main")
    forest.bring(engine, "main", {"other.py": forest.put(make(["other"]))})
    assert view.snapshot == root != engine.root("main")
    assert list(view.paths()) == sorted(files)
    assert list(view.defining("Z")) == ["pkg/c.go"]
    assert list(engine.open("main").paths()) == ["other.py"]


def test_an_open_view_outlives_the_dropping_of_its_name(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    view = engine.open("main")
    engine.drop("main")
    assert view.slice("a.py") is not None
    assert list(view.defining("Z")) == ["pkg/c.go"]


def test_views_do_not_see_each_other(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    forest.bring(engine, "worktrees/w", files)
    forest.bring(engine, "worktrees/w", {**files, "a.py": forest.put(make(["mine"]))})
    forest.bring(engine, "main", {**files, "pkg/c.go": forest.put(make(["theirs"]))})
    main, other = engine.open("main"), engine.open("worktrees/w")
    assert list(main.defining("mine")) == list(other.defining("theirs")) == []
    assert list(main.defining("f")) == ["a.py", "pkg/a.py"]
    assert list(other.defining("f")) == ["pkg/a.py"]


def test_a_view_with_a_known_files_tree_needs_nothing(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    after = {**files, "a.py": forest.put(make(["edited"]))}
    forest.bring(engine, "main", after)
    listings = forest.listings
    forest.bring(engine, "worktrees/w", after)
    assert forest.listings == listings
    assert list(engine.open("worktrees/w").paths()) == sorted(after)
    assert list(engine.open("worktrees/w").defining("edited")) == ["a.py"]


def test_a_new_view_may_start_from_where_another_is(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    start = forest.bring(engine, "main", {**files, "x.py": forest.put(make(["x"]))})
    after = {**files, "y.py": forest.put(make(["y"]))}
    listings = forest.listings
    forest.bring(engine, "worktrees/w", after, since=start)
    assert forest.listings == listings
    assert list(engine.open("worktrees/w").paths()) == sorted(after)
    assert list(engine.open("main").defining("x")) == ["x.py"]


def test_changes_since_a_root_that_nobody_is_at_bring_everything(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    gone = forest.snapshot("main", files)
    forest.bring(engine, "main", {"z.py": files["a.py"]})
    after = {**files, "y.py": forest.put(make(["y"]))}
    forest.bring(engine, "main", after, since=gone)
    assert list(engine.open("main").paths()) == sorted(after)
    assert forest.listings == 2


def test_changes_to_a_view_that_is_unknown_bring_everything(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    snapshot = forest.snapshot("main", files)
    engine.bring("main", snapshot, tree(files), [FileChange("a.py", None)], files.items, forest.read)
    assert list(engine.open("main").paths()) == sorted(files)


def test_the_root_is_what_the_view_was_brought_to(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    assert engine.root("main") is None
    root = forest.bring(engine, "main", files)
    assert engine.root("main") == root == engine.open("main").snapshot
    assert engine.open("main").name == "main"
    assert engine.root("Main") is None


def test_a_snapshot_may_change_while_the_files_do_not(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    after = {**files, "x.py": files["a.py"]}
    forest.bring(engine, "main", after)
    engine.bring("main", "another", tree(after), [], dict, forest.read)
    assert engine.root("main") == "another"
    assert list(engine.open("main").paths()) == sorted(after)


def test_views_are_listed_until_they_are_dropped(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    assert list(engine.views()) == []
    for name in ("worktrees/b", "main-worktree", "worktrees/\udcff"):
        forest.bring(engine, name, files)
    assert list(engine.views()) == ["main-worktree", "worktrees/b", "worktrees/\udcff"]
    engine.drop("worktrees/b")
    engine.drop("worktrees/b")
    engine.drop("never")
    assert list(engine.views()) == ["main-worktree", "worktrees/\udcff"]
    assert engine.root("worktrees/b") is None
    assert list(engine.open("main-worktree").paths()) == sorted(files)


def test_a_view_that_is_not_there_is_a_key_error(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        engine.open("main")
    forest.bring(engine, "main", files)
    engine.drop("main")
    with pytest.raises(KeyError):
        engine.open("main")


def test_an_empty_view_answers_with_nothing(engine: Engine, forest: Forest) -> None:
    forest.bring(engine, "main", {})
    view = engine.open("main")
    assert list(view.paths()) == list(view.symbol_names()) == list(view.defining("f")) == []
    assert view.languages() == {}


def test_a_view_may_become_empty_and_full_again(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    for state in (files, {}, files):
        forest.bring(engine, "main", state)
        assert list(engine.open("main").paths()) == sorted(state)


def test_a_missing_slice_is_named_and_the_view_stays(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    root = forest.bring(engine, "main", files)
    with pytest.raises(MissingObject, match="1" * 40):
        engine.bring("main", "s", "t", [FileChange("x", "1" * 40)], dict, lambda ids: iter(()))
    assert engine.root("main") == root
    assert list(engine.open("main").paths()) == sorted(files)


def test_bytes_that_are_no_slice_are_refused_and_the_view_stays(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    root = forest.bring(engine, "main", files)
    with pytest.raises(CorruptObject):
        engine.bring("main", "s", "t", [FileChange("x", "2" * 40)], dict, lambda ids: iter([(ids[0], b"\x90")]))
    assert engine.root("main") == root


def test_a_reader_that_fails_leaves_the_view_where_it_was(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    root = forest.bring(engine, "main", files)

    def failing() -> dict[str, str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        engine.bring("main", "s", "t", None, failing, forest.read)
    assert engine.root("main") == root
    forest.bring(engine, "main", {"a.py": files["a.py"]})
    assert list(engine.open("main").paths()) == ["a.py"]


def test_a_closed_engine_can_be_opened_again(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    forest.bring(engine, "main", files)
    engine.open("main").close()
    engine.close()
    forest.bring(engine, "main", files)
    assert list(engine.open("main").paths()) == sorted(files)


def test_a_view_of_slices_needs_no_store(tmp_path: Path) -> None:
    view = view_of({"a.py": make(["f"]), "b/c.py": make([], ["f"])})
    assert list(view.defining("f")) == ["a.py"]
    assert list(view.referring("f")) == ["b/c.py"]
    assert view.slice("a.py") == make(["f"])


def test_slices_taken_in_ahead_are_not_read_again(engine: Engine, forest: Forest, files: dict[str, str]) -> None:
    engine.take_in(list(forest.objects.items())[:2])
    engine.take_in(iter(forest.objects.items()))
    engine.take_in([])
    assert engine.root("main") is None
    forest.bring(engine, "main", files)
    assert forest.read_ids == []
    assert list(engine.open("main").defining("Z")) == ["pkg/c.go"]


def test_slices_taken_in_for_nothing_are_no_part_of_a_view(
    engine: Engine, forest: Forest, files: dict[str, str]
) -> None:
    forest.bring(engine, "main", files)
    stray = forest.put(make(["stray"]))
    engine.take_in([(stray, forest.objects[stray])])
    engine.close()
    forest.bring(engine, "main", {**files, "x.py": files["a.py"]})
    view = engine.open("main")
    assert list(view.defining("stray")) == []
    assert "stray" not in view.symbol_names()
