"""References of a definition: under every name, and never more than follows."""

from __future__ import annotations

import itertools

from git_graph.model import ROLES
from git_graph.resolve import Occurrence


def test_aliases_and_renamed_reexports_are_followed(project) -> None:
    found = project(
        {
            "pkg/__init__.py": "from .impl import work as job\n",
            "pkg/impl.py": "def work(): ...\n",
            "a.py": "from pkg import job as task\ntask()\n",
            "b.py": "import pkg\npkg.job()\n",
            "c.py": "def job(): ...\njob()\n",
        }
    )
    assert found.sites("impl.work") == ["a.py:1", "a.py:2", "b.py:2", "pkg/__init__.py:1"]


def test_unknown_receivers_and_ties_are_possible_and_not_attributed(project) -> None:
    found = project(
        {
            "a.py": "class A:\n    def go(self): ...\n",
            "b.py": "class B:\n    def go(self): ...\ndef f(x):\n    x.go()\n",
        }
    )
    assert found.sites("A.go") == []
    assert found.sites("A.go", "receiver-unknown") == ["b.py:4"]


def test_only_definition_of_a_free_name_is_unique_and_several_are_ambiguous(project) -> None:
    files = {"a.py": "def lonely(): ...\n", "use.py": "lonely()\n"}
    assert project(files).sites("lonely", "unique") == ["use.py:1"]
    two = project(files | {"b.py": "def lonely(): ...\n"})
    assert two.sites("a.lonely") == []
    assert two.sites("a.lonely", "ambiguous") == ["use.py:1"]


def test_constructions_are_references_of_the_constructor(project) -> None:
    found = project({"a.py": "class A:\n    def __init__(self): ...\nA()\nprint(A)\n"})
    assert found.sites("A.__init__") == ["a.py:3"]
    assert found.sites("a.py:1") == ["a.py:3", "a.py:4"]


def test_call_of_a_class_is_shown_as_instantiation(project) -> None:
    found = project({"a.py": "class A: ...\ndef f(): ...\nA()\nf()\n"})
    roles = [ROLES[found.resolver.role(o)] for o in found.resolver.resolve_file("a.py")]
    assert roles == ["instantiate", "call"]


def test_first_assignment_of_a_field_is_no_reference_of_it(project) -> None:
    found = project({"a.py": "class B: ...\nclass A(B):\n    def f(self):\n        self.x = 1\n        self.x = 2\n"})
    assert found.sites("A.x") == ["a.py:5"]


def test_answers_do_not_depend_on_what_was_asked_before(project) -> None:
    files = {
        "a.py": "import b\nclass A(b.B):\n    def make(self):\n        return b.B().make()\n    def go(self): ...\n",
        "b.py": "import a\nclass B:\n    def make(self):\n        return a.A().make() or self\n    def go(self): ...\n",
        "c.py": "import a, b\na.A().make().go()\nb.B().make().go()\nx = y = b.B().make()\nx.go()\n",
    }

    def answer(order: tuple[str, ...]) -> list[Occurrence]:
        resolver = project(files).resolver
        for path in order:
            resolver.resolve_file(path)
        return [occurrence for path in files for occurrence in resolver.resolve_file(path)]

    answers = [answer(order) for order in itertools.permutations(files)]
    assert all(found == answers[0] for found in answers)


def test_circles_of_imports_bases_and_values_end(project) -> None:
    found = project(
        {
            "a.py": "from b import *\nfrom b import thing\nclass A(B): ...\nx = y\ny = x\nx.go()\nA().go()\nthing()\n",
            "b.py": "from a import *\nfrom a import thing\nclass B(A): ...\ndef f():\n    return f()\nf().go()\n",
        }
    )
    outcomes = {o.resolution.outcome for path in found.slices for o in found.resolver.resolve_file(path)}
    assert outcomes <= {"exact", "dangling", "unique", "receiver-unknown", "inferred"}


def test_deep_chains_are_bounded(project) -> None:
    chain = "\n".join(f"def f{i}():\n    return f{i + 1}()" for i in range(300))
    text = f"{chain}\nclass A:\n    def go(self): ...\ndef f300():\n    return A()\nf0().go()\nf290().go()\n"
    found = project({"a.py": text})
    last = len(text.splitlines())
    assert f"a.py:{last}" in found.sites("A.go")


def test_module_targets_are_the_files_that_an_import_brings(project) -> None:
    found = project(
        {
            "pkg/__init__.py": "",
            "pkg/mod.py": "def f(): ...\n",
            "a.py": "import pkg.mod\nfrom pkg import mod\nimport os\n",
        }
    )
    targets = [found.resolver.module_targets("a.py", index) for index in range(3)]
    assert targets == [("pkg/mod.py",), ("pkg/mod.py",), ()]


def test_each_attribution_is_explained_in_one_line(project) -> None:
    found = project(
        {
            "pkg/__init__.py": "from .impl import Base\n",
            "pkg/impl.py": "class Base:\n    def go(self): ...\n",
            "a.py": "from pkg import Base\nclass A(Base): ...\ndef f(x: A):\n    x.go()\n    nobody.go()\n",
        }
    )
    slice_ = found.slices["a.py"]
    lines = {
        (slice_.references.line[i], slice_.strings[slice_.references.name[i]]): found.resolver.explain("a.py", i)
        for i in range(len(slice_.references.name))
    }
    assert lines[2, "Base"] == "in scope: a.py:1 imports Base, pkg/__init__.py:1 imports Base"
    assert lines[4, "go"] == "the receiver's type leads to it: x is A (a.py:2), which has it from Base"
    assert lines[5, "go"] == "the receiver's type is not known: nobody"


def test_what_one_of_several_bodies_of_a_macro_names_is_inferred_where_the_macro_is_used(project) -> None:
    found = project(
        {
            "check.h": "void check32(int a);\nvoid check64(int a);\n#define SURE(a) check32(a)\n"
            "#if WIDTH == 32\n#define CHECK(a) check32(a)\n#else\n#define CHECK(a) check64(a)\n#endif\n",
            "use.c": '#include "check.h"\nvoid f(void) { CHECK(1); }\nvoid g(void) { SURE(1); }\n',
        }
    )
    assert found.sites("check64", "inferred") == ["use.c:2"]
    assert found.sites("check32", "inferred") == ["use.c:2"]
    assert "use.c:3" in found.sites("check32", "exact")
