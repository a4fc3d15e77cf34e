"""What counts as a change, and what a symbol that is elsewhere, or called otherwise, is told as."""

from __future__ import annotations

import pytest
from review_samples import difference, line, lines

BODY = """
    total = 0
    for item in items:
        total += item.price * item.count
    return round(total, 2)
"""


def function(name: str, parameters: str = "items", body: str = BODY) -> str:
    return f"def {name}({parameters}):{body}"


def one(old: str, new: str, path: str = "a.py") -> list[str]:
    return lines({path: old}, {path: new})


def test_equal_files_have_no_changes() -> None:
    assert one(function("f"), function("f")) == []


def test_lines_that_move_are_no_change() -> None:
    assert (
        one(
            "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
            "def g():\n    return 2\n\n\n\ndef f():\n    return 1\n",
        )
        == []
    )


def test_added_and_removed_symbols_are_told_with_what_is_in_them() -> None:
    old = "def f():\n    return 1\n"
    new = "class A:\n    def m(self):\n        return 'm'\n    def n(self):\n        return 'n'\n"
    assert one(old, new) == ["removed f", "added A with 2"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def f(a):\n    return a\n", "def f(a, b):\n    return a\n", ["changed f: signature"]),
        ("def f(a):\n    return a\n", "def f(a):\n    return -a\n", ["changed f: body"]),
        ("def f(a):\n    return a\n", "def f(a, b):\n    return b\n", ["changed f: signature, body"]),
        ("def f(a):\n    return a\n", "@cache\ndef f(a):\n    return a\n", ["changed f: decorators"]),
        ("def f(a):\n    return a\n", "def f(\n    a,\n):\n    return (a)\n", ["changed f: body"]),
        ("def f(a):\n    return g(a, 1)\n", "def f(\n    a,\n):\n    return g(\n        a,\n        1,\n    )\n", []),
        ("def f(a):\n    return 'x'\n", "def f(a):\n    return \"x\"  # why\n", []),
        ("class A(B):\n    pass\n", "class A(C):\n    pass\n", ["changed A: signature"]),
        ("X = 1\n", "X = 2\n", ["changed X: body"]),
        ("X: int = 1\n", "X: str = 1\n", ["changed X: signature"]),
    ],
)  # fmt: skip
def test_what_changed_is_told_apart(old: str, new: str, expected: list[str]) -> None:
    assert one(old, new) == expected


def test_in_python_indentation_inside_a_body_counts() -> None:
    old = "def f(a):\n    if a:\n        a = 1\n    return a\n"
    new = "def f(a):\n    if a:\n        a = 1\n        return a\n"
    assert one(old, new) == ["changed f: body"]


def test_a_body_that_is_indented_as_a_whole_moves_and_does_not_change() -> None:
    old = function("f")
    new = "if True:\n" + "".join(f"    {row}\n" if row else "\n" for row in function("f").split("\n"))
    assert one(old, new) == ["changed a.py: body"]


def test_comments_and_documentation_are_listed_only_if_asked_for() -> None:
    old = 'def f():\n    """Old."""\n    return 1  # one\n'
    new = 'def f():\n    """New."""\n    return 1  # two\n'
    answer = difference({"a.py": old}, {"a.py": new})
    assert answer.results == ()
    assert answer.facts["comments_only"] == 1
    assert lines({"a.py": old}, {"a.py": new}, comments=True) == ["changed f: comments"]


def test_a_member_that_changes_leaves_its_class_as_it_was() -> None:
    old = "class A:\n    x = 1\n    def m(self):\n        return 1\n"
    new = "class A:\n    x = 1\n    def m(self):\n        return 2\n    def n(self):\n        return 3\n"
    assert one(old, new) == ["changed A.m: body", "added A.n"]


def test_members_on_one_line_are_told_apart() -> None:
    assert one("enum E { A, B }\n", "enum E { A, B, C }\n", "a.ts") == ["added E.C"]
    assert one("struct s { int a; int b; };\n", "struct s { int a; long b; };\n", "a.c") == ["changed s.b: signature"]


def test_a_rename_is_the_same_text_under_another_name() -> None:
    assert one(function("gross"), function("sum_up")) == ["renamed gross -> sum_up"]


def test_a_rename_holds_through_recursion() -> None:
    text = (
        "def {0}(node):\n    if node is None:\n        return 0\n    return 1 + max({0}(node.left), {0}(node.right))\n"
    )
    assert one(text.format("depth"), text.format("height")) == ["renamed depth -> height"]


def test_equal_candidates_are_no_rename() -> None:
    old = function("a")
    new = function("b") + function("c")
    assert one(old, new) == ["removed a", "added b", "added c"]


def test_short_bodies_are_no_rename() -> None:
    assert one("def a():\n    pass\n", "def b():\n    pass\n") == ["removed a", "added b"]


def test_a_rename_with_a_changed_signature_says_both() -> None:
    assert one(function("gross"), function("sum_up", "items, tax=0")) == ["renamed gross -> sum_up: signature"]


def test_a_class_that_is_renamed_keeps_its_members() -> None:
    text = (
        "class {0}:\n    def m(self, a):\n        return {0}(a, 1, 2)\n"
        "    def n(self):\n        return [self.m(1), {1}]\n"
    )
    assert one(text.format("Old", 2), text.format("New", 2)) == ["renamed Old -> New"]
    assert one(text.format("Old", 2), text.format("New", 3)) == ["renamed Old -> New", "changed Old.n -> New.n: body"]


def test_a_function_in_another_file_has_moved() -> None:
    old = {"a.py": function("f") + "\n\nX = 1\n", "b.py": "Y = 1\n"}
    new = {"a.py": "X = 1\n", "b.py": "Y = 1\n" + function("f")}
    assert lines(old, new) == ["moved f (a.py -> b.py)"]


def test_a_function_that_moves_and_changes_says_both() -> None:
    changed = BODY.replace("2)", "3)")
    old = {"a.py": function("f") + "\n\nX = 1\n", "b.py": "Y = 1\n"}
    new = {"a.py": "X = 1\n", "b.py": "Y = 1\n" + function("f", body=changed)}
    assert lines(old, new) == ["moved f (a.py -> b.py): body"]


def test_a_method_in_another_class_has_moved() -> None:
    method = "    def total(self, items):\n        return sum(item.price * item.count for item in items)\n"
    old = f"class A:\n    x = 1\n{method}class B:\n    y = 2\n"
    new = f"class A:\n    x = 1\nclass B:\n    y = 2\n{method}"
    assert one(old, new) == ["moved A.total -> B.total"]


def test_a_file_that_is_renamed_is_one_change() -> None:
    text = function("f") + function("g", body="\n    return items\n")
    assert lines({"a.py": text}, {"b.py": text}) == ["moved a.py -> b.py"]
    edited = text.replace("round(total, 2)", "round(total, 3)")
    assert lines({"a.py": text}, {"b.py": edited}) == ["moved a.py -> b.py", "changed f (a.py -> b.py): body"]


def test_overloads_are_paired_by_what_they_say() -> None:
    old = "class A {\n  int f(int a) { return 1; }\n  int f(long a) { return 2; }\n}\n"
    new = "class A {\n  int f(long a) { return 2; }\n  int f(int a) { return 3; }\n}\n"
    assert one(old, new, "A.java") == ["changed A.f: body"]


def test_a_prototype_that_changes_with_its_definition_is_told_once() -> None:
    old = {"a.h": "int f(int a);\n", "a.c": '#include "a.h"\nint f(int a) { return a; }\n'}
    new = {"a.h": "int f(int a, int b);\n", "a.c": '#include "a.h"\nint f(int a, int b) { return a; }\n'}
    assert lines(old, new) == ["changed f: signature"]


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (
            "a.go",
            "package a\nfunc F(a int) int { return a }\n",
            "package a\nfunc F(a, b int) int {\n\treturn a\n}\n",
            ["changed F: signature"],
        ),
        (
            "a.ts",
            "export function f(a: string) { return `x//${a}`; }\n",
            "export function f(a: string) { return `x//${a}!`; }\n",
            ["changed f: body"],
        ),
        (
            "a.js",
            "function f(s) { return s.replace(/a\\/\\/b/g, 'x'); }\n",
            "function f(s) { return s.replace(/a\\/\\/b/g, 'y'); }\n",
            ["changed f: body"],
        ),
        (
            "a.rs",
            "fn f<'a>(s: &'a str) -> char { 'x' }\n",
            "fn f<'a>(s: &'a str) -> char {\n    // why\n    'x'\n}\n",
            [],
        ),
        ("A.java", "class A { void m() { f(1); } }\n", "class A {\n  void m() {\n    f(1);\n  }\n}\n", []),
        (
            "a.cpp",
            "struct A { int m() const { return 1; } };\n",
            "struct A { int m() { return 1; } };\n",
            ["changed A.m: signature"],
        ),
    ],
)
def test_each_language_is_read_in_its_own_way(path: str, old: str, new: str, expected: list[str]) -> None:
    assert one(old, new, path) == expected


# references


def test_a_caller_of_what_was_removed_dangles() -> None:
    old = {"a.py": function("f") + "X = 1\n", "b.py": "from a import f\n\ndef run():\n    return f([])\n"}
    new = {**old, "a.py": "X = 1\n"}
    assert lines(old, new) == ["removed f [dangling b.py:1, dangling b.py:4]"]


def test_a_caller_that_was_changed_along_is_not_told() -> None:
    old = {"a.py": function("f"), "b.py": "from a import f\n\ndef run():\n    return f([])\n"}
    new = {"a.py": function("g"), "b.py": "from a import g\n\ndef run():\n    return g([])\n"}
    assert lines(old, new) == ["renamed f -> g", "changed b.py: body", "changed run: body"]


def test_a_caller_of_a_method_that_its_base_has_too_means_that_now() -> None:
    text = (
        "class Base:\n    def m(self):\n        return 1\n"
        "class A(Base):\n    x = 1\n{}\ndef run():\n    return A().m()\n"
    )
    mine = "    def m(self):\n        return 2\n"
    found = difference({"a.py": text.format(mine)}, {"a.py": text.format("")})
    assert [line(change) for change in found.results] == ["removed A.m [elsewhere a.py:8]"]
    assert found.results[0].references[0].new.target.qualified == "Base.m"


def test_references_through_a_reexport_that_was_dropped_dangle() -> None:
    old = {"p/__init__.py": "from .a import f\n", "p/a.py": function("f"), "b.py": "from p import f\nf([])\n"}
    new = {**old, "p/__init__.py": "X = 1\n"}
    assert "changed f: reach [dangling b.py:1, dangling b.py:2]" in lines(old, new)


def test_a_moved_function_that_is_still_imported_keeps_its_callers() -> None:
    old = {"a.py": function("f"), "b.py": "", "c.py": "from a import f\nf([])\n"}
    new = {"a.py": "from b import f\n", "b.py": function("f"), "c.py": "from a import f\nf([])\n"}
    assert "moved f (a.py -> b.py)" in lines(old, new)


def test_importers_of_a_file_that_was_renamed_dangle() -> None:
    old = {"a.py": function("f"), "c.py": "from a import f\nf([])\n"}
    new = {"b.py": function("f"), "c.py": "from a import f\nf([])\n"}
    found = lines(old, new)
    assert len(found) == 1
    assert found[0].startswith("moved a.py -> b.py [")
    assert "dangling c.py:2" in found[0]


def test_one_line_a_file_sums_up() -> None:
    old = {"a.py": function("f") + "X = 1\n", "b.py": "from a import f\nf([])\n"}
    new = {"a.py": "X = 2\n\nclass A:\n    y = 1\n", "b.py": "from a import f\nf([])\n"}
    (row,) = difference(old, new, stat=True).results
    assert tuple(row) == ("a.py", None, 2, 1, 0, 1, 2)


def test_documentation_belongs_to_what_it_stands_in() -> None:
    text = 'class A:\n    """{}\n    """\n    name = "a"\n\n    def m(self):\n        return 1\n'
    assert lines({"a.py": text.format("Old.")}, {"a.py": text.format("New.")}, comments=True) == ["changed A: comments"]


def test_a_comment_above_a_symbol_is_its_own() -> None:
    text = "X = 1\n\n# {0}\n# still {0}\ndef f():\n    return 1\n"
    assert lines({"a.py": text.format("old")}, {"a.py": text.format("new")}, comments=True) == ["changed f: comments"]


def test_a_definition_that_goes_while_others_of_it_stay_is_a_change() -> None:
    other = "if WIN:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n"
    assert one(other, "if WIN:\n    def f():\n        return 1\n")[-1] == "changed f: places"


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("a.py", "LIMIT = 4096\nX = 1\n", "MOST = 4096\nX = 1\n", ["renamed LIMIT -> MOST"]),
        ("a.py", "KEY = 'settings'\n", 'NAME = "settings"\n', ["renamed KEY -> NAME"]),
        ("a.py", "word = re.compile(r'[a-z]')\n", "token = re.compile(r'[a-z]')\n", ["renamed word -> token"]),
        ("a.py", "class A:\n    lock = Lock()\n", "class A:\n    guard = Lock()\n", ["renamed A.lock -> A.guard"]),
        ("a.py", "A = None\n", "B = None\n", ["added B", "removed A"]),
        ("a.py", "A = 10\n", "B = 10\n", ["added B", "removed A"]),
        ("a.py", "A = 4096\n", "B = 4097\n", ["added B", "removed A"]),
        ("a.py", "A = auto()\nB = auto()\n", "A = auto()\nC = auto()\n", ["added C", "removed B"]),
        ("a.py", "A = 4096\n", "B = 4096\nC = 4096\n", ["added B", "added C", "removed A"]),
        ("a.py", "class P:\n    a: int\n", "class P:\n    b: int\n", ["added P.b", "removed P.a"]),
        ("a.go", "package a\n\nconst limit = 4096\n", "package a\n\nconst most = 4096\n", ["renamed limit -> most"]),
        ("a.ts", "export const KEY = 'settings';\n", "export const NAME = 'settings';\n", ["renamed KEY -> NAME"]),
        ("a.rs", "const LIMIT: u32 = 4096;\n", "const MOST: u32 = 4096;\n", ["renamed LIMIT -> MOST"]),
        ("a.c", "static int limit = 4096;\n", "static int most = 4096;\n", ["renamed limit -> most"]),
        ("A.java", "class A { int limit = 4096; }\n", "class A { int most = 4096; }\n", ["renamed A.limit -> A.most"]),
    ],
)
def test_what_is_given_says_which_value_was_renamed(path: str, old: str, new: str, expected: list[str]) -> None:
    assert sorted(lines({path: old}, {path: new})) == expected
