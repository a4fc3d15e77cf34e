"""What decides which paths are in a view: attributes and settings, and that a changed rule re-decides all paths."""

from git_graph.git.attributes import Checkout

F, G, H = (f"def {name}():\n    return 1\n" for name in "fgh")


def test_attributes_leave_paths_out(repo, graph):
    repo.write(".gitattributes", "vendor/** linguist-vendored\n*.gen.py linguist-generated=true\nout.py -graph\n")
    for name in ("a.py", "vendor/x.py", "d/x.gen.py", "out.py"):
        repo.write(name, F)
    repo.commit()
    assert graph.paths() == ["a.py"]
    repo.write("vendor/new.py", G)
    repo.write("new.py", G)
    assert graph.paths() == ["a.py", "new.py"]


def test_a_changed_rule_re_decides_paths_that_did_not_change_and_parses_nothing(repo, graph):
    repo.write("a.py", F)
    repo.write("lib/b.py", G)
    repo.commit()
    before = graph.stored() if graph.sync() else None
    repo.write(".gitattributes", "lib/* linguist-vendored\n")
    assert (graph.sync().removed, graph.paths()) == (1, ["a.py"])
    repo.remove(".gitattributes")
    result = graph.sync()
    assert (result.added, result.parsed) == (1, 0)
    assert graph.stored() == before


def test_rules_in_subfolders_and_of_a_commit_that_is_switched_to(repo, graph):
    repo.write("lib/b.py", G)
    repo.write("a.py", F)
    repo.commit()
    graph.sync()
    repo.git("checkout", "-q", "-b", "side")
    repo.write("lib/.gitattributes", "*.py -graph\n")
    repo.commit()
    assert graph.paths() == ["a.py"]
    repo.git("checkout", "-q", "main")
    assert graph.paths() == ["a.py", "lib/b.py"]


def test_rules_outside_the_tree_count(repo, graph, sealed):
    repo.write("a.py", F)
    repo.write("b.py", G)
    repo.commit()
    graph.sync()
    repo.write(".git/info/attributes", "a.py -graph\n")
    assert graph.paths() == ["b.py"]
    repo.write(".git/info/attributes", "")
    (sealed / "config" / "git").mkdir(parents=True)
    (sealed / "config" / "git" / "attributes").write_text("b.py -graph\n")
    assert graph.paths() == ["a.py"]
    (sealed / "mine").write_text("")
    repo.git("config", "core.attributesFile", "~/mine")
    assert graph.paths() == ["a.py", "b.py"]


def test_a_language_can_be_named(repo, graph):
    repo.write("a.inc", F)
    repo.write("b.py", G)
    repo.write("c.py", H)
    repo.write(".gitattributes", "*.inc linguist-language=Python\nb.py linguist-language=Cobol\n")
    repo.commit()
    view = graph.ask().view
    assert list(view.paths()) == ["a.inc", "c.py"]
    assert view.language("a.inc") == "python"


def test_git_is_asked_about_attributes_only_if_some_source_names_one_of_ours(repo, graph, monkeypatch):
    asked = []
    real = Checkout.values
    monkeypatch.setattr(Checkout, "values", lambda self, paths, names: asked.append(paths) or real(self, paths, names))
    repo.write(".gitattributes", "*.py diff=python\n")
    repo.write("a.py", F)
    repo.commit()
    graph.sync()
    assert asked == []
    repo.write(".gitattributes", "*.py diff=python -graph\n")
    graph.sync()
    assert asked


def test_rules_about_line_endings_alone_re_decide_nothing(repo, graph):
    repo.write("a.py", F)
    repo.commit()
    graph.sync()
    policy = graph.basis().policy
    repo.write(".gitattributes", "* text=auto\n")
    graph.sync()
    assert graph.basis().policy == policy


def test_a_macro_is_understood(repo, graph):
    repo.write(".gitattributes", "[attr]mine -graph\n")
    repo.write("lib/.gitattributes", "*.py mine\n")
    repo.write("lib/b.py", G)
    repo.write("a.py", F)
    assert graph.paths() == ["a.py"]
    repo.write("lib/.gitattributes", "\n")
    assert graph.paths() == ["a.py", "lib/b.py"]


def test_new_rules_of_a_language_reach_unchanged_files_once_and_no_other_language(repo, graph, monkeypatch):
    from git_graph.sync.rules import Rules

    repo.write("a.py", F)
    repo.write("a.go", "package a\n\nfunc F() {}\n")
    repo.commit()
    graph.sync()
    old = graph.basis().rules
    real = Rules.of
    monkeypatch.setattr(
        Rules, "of", lambda self, language: (9, "0" * 16) if language == "python" else real(self, language)
    )
    result = graph.sync()
    assert (result.parsed, result.published) == (1, True)
    assert graph.basis().rules == {"go": old["go"], "python": (9, "0" * 16)}
    assert not graph.sync().published


def test_a_language_that_comes_and_goes_is_counted(repo, graph):
    repo.write("a.py", F)
    repo.write("b.py", F)
    repo.write("a.go", "package a\n")
    repo.commit()
    graph.sync()
    assert graph.basis().counts == {"files": 3, "go": 1, "python": 2}
    repo.git("mv", "b.py", "b.go")
    graph.sync()
    assert graph.basis().counts == {"files": 3, "go": 2, "python": 1}
    repo.remove("a.py")
    graph.sync()
    basis = graph.basis()
    assert (basis.counts, sorted(basis.rules)) == ({"files": 2, "go": 2}, ["go"])


def test_hostile_rules_run_nothing(repo, graph):
    repo.write(".gitattributes", "*.py filter=evil diff=evil merge=evil -graph\n")
    repo.write("a.py", F)
    repo.write("b.txt", "x")
    assert graph.paths() == []
