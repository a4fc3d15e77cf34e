"""Declarations, overloads, stubs and conditional definitions of one name in one scope are one symbol."""

from __future__ import annotations


def test_overloads_are_one_symbol_whose_target_is_the_implementation(project) -> None:
    found = project(
        {
            "a.py": "from typing import overload\n"
            "@overload\ndef conv(x: int) -> int: ...\n"
            "@overload\ndef conv(x: str) -> str: ...\n"
            "def conv(x):\n    return x\n",
            "b.py": "from a import conv\nconv(1)\n",
        }
    )
    (definition,) = found.resolver.lookup("conv")
    group = found.resolver.group(definition)
    lines = [found.slices["a.py"].symbols.line[d.index] for d in (group.target, *group.places)]
    assert lines == [6, 3, 5]
    for place in ("a.py:3", "a.py:5", "a.py:6"):
        assert found.places(place) == ["a.py:6"]
        assert [site for site in found.sites(place) if site.startswith("b")] == ["b.py:1", "b.py:2"]


def test_conditional_definitions_are_one_symbol(project) -> None:
    found = project({"a.py": "try:\n    def f(): ...\nexcept ImportError:\n    def f(): return 1\nf()\n"})
    assert found.places("f") == ["a.py:4"]
    assert "a.py:5" in found.sites("f")


def test_stub_and_source_are_one_symbol_whose_target_is_the_source(project) -> None:
    found = project(
        {
            "a.py": "class A:\n    def f(self): return 1\n",
            "a.pyi": "class A:\n    def f(self) -> int: ...\n",
            "b.py": "import a\na.A().f()\n",
        }
    )
    assert found.places("A.f") == ["a.py:2"]
    assert found.sites("a.pyi:2") == ["b.py:2"]


def test_same_name_in_other_scopes_is_another_symbol(project) -> None:
    found = project({"a.py": "def f(): ...\nclass A:\n    def f(self): ...\nclass B:\n    def f(self): ...\n"})
    assert found.places("f") == ["a.py:1", "a.py:3", "a.py:5"]


def test_redefinition_is_no_use(project) -> None:
    found = project({"a.py": "class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...\n"})
    assert found.sites("A.x") == ["a.py:4"]
