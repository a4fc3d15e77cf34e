"""export as it is run: what goes where, and what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from git_graph.cli.commands import export as command

LIBRARY = "def total(items):\n    return helper(items)\n\n\ndef helper(a):\n    return a\n"
USER = "from lib import total\n\n\ndef run(items):\n    return total(items)\n"
FORMATS = ("scip", "ctags", "dot", "mermaid", "graphml", "jsonl")


@pytest.fixture
def shop(repo: Any) -> Any:
    repo.write("lib.py", LIBRARY)
    repo.write("app.py", USER)
    repo.commit("begin")
    return repo


def test_what_is_exported_goes_to_standard_output(shop: Any, graph: Any) -> None:
    done = graph("export", "--format", "jsonl")
    head, *rows = map(json.loads, done.lines)
    assert (done.status, done.err) == (0, "")
    assert (head["schema"], head["view"], head["head"]) == ("git-graph/1", "main-worktree", shop.head())
    assert [row["path"] for row in rows if row["type"] == "file"] == ["app.py", "lib.py"]


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_is_replaced_when_it_is_whole(shop: Any, graph: Any, tmp_path: Path, format_: str) -> None:
    out = tmp_path / "out"
    out.write_text("old")
    done = graph("export", "--format", format_, "-o", str(out))
    assert (done.status, done.out, done.err) == (0, "", "")
    first = out.read_bytes()
    assert b"total" in first
    graph("export", "--format", format_, "--output", str(out), cwd=shop.path)
    assert out.read_bytes() == first
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("out")] == ["out"]


def test_the_neighbourhood_of_a_symbol(shop: Any, graph: Any) -> None:
    assert graph("export", "--format", "mermaid", "--around", "total", "--depth", "0").lines == [
        "flowchart LR",
        '  n0["total (lib.py:1)"]',
    ]
    assert graph("export", "--format", "mermaid", "--around", "total").lines == [
        "flowchart LR",
        '  n0["run (app.py:4)"]',
        "  n0 -->|call| n1",
        '  n1["total (lib.py:1)"]',
        '  n2["helper (lib.py:5)"]',
        "  n1 -->|call| n2",
    ]


def test_a_commit_and_a_view_can_be_exported(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY.replace("helper", "other"))
    first = graph("export", "--format", "ctags", "--rev", "HEAD").out
    assert "\nhelper\tlib.py\t5;" in first and "\nother\t" not in first
    assert "\nother\tlib.py\t5;" in graph("export", "--format", "ctags").out


def test_a_symbol_that_there_is_none_of(shop: Any, graph: Any) -> None:
    done = graph("export", "--format", "dot", "--around", "totl")
    assert (done.status, done.out) == (1, "")
    assert done.err == "no symbol 'totl'; did you mean total?\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing option '--format'"),
        (("--format", "svg"), "there is no 'svg'"),
        (("--format", "dot", "--depth", "2"), "--depth says how far --around reaches"),
        (("--format", "dot", "--json"), "--json is for answers"),
    ],
)
def test_wrong_usage(shop: Any, graph: Any, arguments: tuple[str, ...], said: str) -> None:
    done = graph(*(["--json"] if "--json" in arguments else []), "export", *(a for a in arguments if a != "--json"))
    assert done.status == 2
    assert said in done.out + done.err


def test_a_place_that_cannot_be_written_is_named(shop: Any, graph: Any, tmp_path: Path) -> None:
    out = tmp_path / "none" / "out"
    done = graph("export", "--format", "dot", "-o", str(out))
    assert done.status == 128
    assert done.err == f"fatal: cannot write {out}: No such file or directory; name another file after -o\n"


def test_without_the_package_scip_says_what_to_install(shop: Any, graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.protobuf", None)
    done = graph("export", "--format", "scip")
    assert (done.status, done.out) == (128, "")
    assert done.err == (
        "fatal: SCIP needs the protobuf package, which is not installed; pip install 'git-code-graph[scip]'\n"
    )


def test_scip_is_not_for_a_terminal(shop: Any, graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    done = graph("export", "--format", "scip")
    assert (done.status, done.out) == (2, "")
    assert "name a file with -o FILE" in done.err


def test_a_chart_that_mermaid_would_not_draw_is_told(shop: Any, graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "DRAWN", 1)
    done = graph("export", "--format", "mermaid")
    assert done.status == 0
    assert done.err == "2 edges, and Mermaid draws 1 unless maxEdges is set; --around SYMBOL narrows\n"


@pytest.mark.parametrize("format_", FORMATS)
def test_paths_of_any_bytes_and_an_empty_view(repo: Any, graph: Any, tmp_path: Path, format_: str) -> None:
    out = tmp_path / "out"
    assert graph("export", "--format", format_, "-o", str(out)).status == 0
    repo.write(b"d\xff\x1b/a\n.py", "def f():\n    return f\n")
    done = graph("export", "--format", format_, "-o", str(out))
    assert (done.status, done.err) == (0, "")
    assert b"\x1b" not in out.read_bytes() or format_ == "scip"
