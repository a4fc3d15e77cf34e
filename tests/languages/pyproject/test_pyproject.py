"""Project files of Python name source roots, and never raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph.extract import extract
from git_graph.model import PROJECT, X_LITERAL, Slice


def facts(slice_: Slice, key: str) -> list[str]:
    found = []
    for index in range(len(slice_.bindings.name)):
        binding = slice_.binding(index)
        expression = slice_.expression(binding.value)
        assert (binding.kind, expression.kind) == (PROJECT, X_LITERAL)
        if binding.name == key:
            found.append(slice_.strings[expression.text])
    return found


@pytest.mark.parametrize(
    "text",
    [
        '[tool.setuptools]\npackage-dir = {"" = "lib"}',
        '[tool.setuptools.packages.find]\nwhere = ["lib"]',
        '[tool.poetry]\npackages = [{include = "app", from = "lib"}]',
        '[tool.hatch.build.targets.wheel]\npackages = ["lib/app"]',
        '[tool.hatch.build.targets.wheel]\nsources = ["lib"]',
        '[tool.pdm.build]\npackage-dir = "./lib/"',
        '[tool.pytest.ini_options]\npythonpath = ["lib"]',
        '[tool.mypy]\nmypy_path = "lib"',
        '[tool.pyright]\nextraPaths = ["lib", "../elsewhere"]',
        "[options]\npackage_dir =\n    =lib\n",
        "[options.packages.find]\nwhere = lib\n",
    ],
)
def test_source_root_is_read_from_each_tool(text: str) -> None:
    assert facts(extract("pyproject", text.encode()), "source-root") == ["lib"]


def test_name_and_entry_points_are_read() -> None:
    toml = b'[project]\nname = "app"\n[project.scripts]\napp = "app.cli:main"\n'
    assert facts(extract("pyproject", toml), "distribution") == ["app"]
    assert facts(extract("pyproject", toml), "entry-point") == ["app.cli:main"]
    ini = b"[metadata]\nname = app\n[options.entry_points]\nconsole_scripts =\n  app = app.cli:main\n"
    assert facts(extract("pyproject", ini), "distribution") == ["app"]
    assert facts(extract("pyproject", ini), "entry-point") == ["app.cli:main"]


def test_what_cannot_be_read_is_unparsed() -> None:
    slice_ = extract("pyproject", b"= [[[ nothing\nof the kind\n")
    assert slice_.unparsed == [(1, 2)]
    assert facts(slice_, "source-root") == []


@pytest.mark.parametrize("text", [b"[" * 100_000, b"a = " + b"[" * 100_000, b'a = "' + b"x" * 2_000_000 + b'"'])
def test_hostile_files_are_unparsed_in_bounded_time(text: bytes) -> None:
    assert extract("pyproject", text).unparsed or len(text) < 1_000_000


@given(st.binary(max_size=200))
def test_any_bytes_make_a_slice(data: bytes) -> None:
    extract("pyproject", b"[tool]\n" + data)
