"""The rules of rooms: who may import whom, who may print, who may run git."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import git_graph

ROOT = Path(git_graph.__file__).parent
LEVELS = {
    "__init__": 0, "errors": 0, "meter": 0, "model": 0, "records": 0,
    "codec": 1, "languages": 1, "git": 1,
    "extract": 2, "store": 2,
    "engines": 3, "resolve": 3, "sync": 3,
    "query": 4, "hooks": 4, "upkeep": 4,
    "cli": 5, "__main__": 6,
}  # fmt: skip
SAME_LEVEL = {("resolve", "engines"), ("sync", "engines"), ("model", "records")}
"""Rooms of one level that may look into each other."""
ONLY_PROTOCOL = ("resolve", "query")
"""Rooms that know engines by their protocol alone."""
HEAVY = {
    "pygit2", "tree_sitter", "tree_sitter_language_pack", "multiprocessing", "concurrent.futures", "asyncio",
    "importlib.metadata", "importlib.resources", "email", "difflib", "tempfile", "http", "filelock",
}  # fmt: skip
"""What a warm question must not import."""
SPARED = {
    "click", "gettext", "inspect", "ast", "tokenize", "dis", "uuid", "platform", "dataclasses", "hashlib", "_hashlib",
    "tomllib", "string", "shutil", "random", "socket", "pickle", "logging",
}  # fmt: skip
"""What the plainest question and a sync with nothing to do must not import either: it is a third of what they cost."""


class Use(NamedTuple):
    module: str
    line: int
    target: str
    typing_only: bool


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def typing_blocks(parsed: ast.Module) -> set[int]:
    return {
        id(node)
        for block in ast.walk(parsed)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }


def uses(module: str) -> Iterator[Use]:
    parsed = tree(module)
    quiet = typing_blocks(parsed)
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Use(module, node.lineno, alias.name, id(node) in quiet)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute"
            for alias in node.names:
                longer = f"{node.module}.{alias.name}"
                yield Use(module, node.lineno, longer if longer in MODULES else node.module or "", id(node) in quiet)


ALL = [use for module in MODULES for use in uses(module)]
OURS = [use for use in ALL if use.target.split(".")[0] == "git_graph"]


def told(broken: list[Use]) -> str:
    return "\n".join(f"{use.module}:{use.line} imports {use.target}" for use in broken)


def test_every_module_is_in_a_room_with_a_level() -> None:
    assert {room(module) for module in MODULES} - LEVELS.keys() == set()


def test_imports_go_to_lower_levels_or_stay_in_the_room() -> None:
    broken = []
    for use in OURS:
        mine, other = room(use.module), room(use.target)
        allowed = mine == other or LEVELS[other] < LEVELS[mine] or (mine, other) in SAME_LEVEL
        if not allowed and not (use.typing_only and other in ("engines",)):
            broken.append(use)
    assert not broken, told(broken)


@pytest.mark.parametrize("mine", ONLY_PROTOCOL)
def test_engines_are_known_by_their_protocol_alone(mine: str) -> None:
    broken = [
        use
        for use in OURS
        if room(use.module) == mine and room(use.target) == "engines" and use.target != "git_graph.engines.protocol"
    ]
    assert not broken, told(broken)


@pytest.mark.parametrize(
    ("package", "rooms"),
    [
        ("pygit2", {"git"}),
        ("tree_sitter", {"extract"}),
        ("tree_sitter_language_pack", {"extract"}),
        ("click", {"cli"}),
        ("sqlite3", {"engines", "sync"}),
    ],
)
def test_a_package_is_imported_in_its_room_alone(package: str, rooms: set[str]) -> None:
    broken = [use for use in ALL if use.target.split(".")[0] == package and room(use.module) not in rooms]
    assert not broken, told(broken)


def test_only_git_runs_git() -> None:
    broken = [
        f"{module}:{node.lineno}"
        for module in MODULES
        if room(module) != "git"
        for node in ast.walk(tree(module))
        if isinstance(node, (ast.List, ast.Tuple))
        and node.elts
        and isinstance(node.elts[0], ast.Constant)
        and node.elts[0].value == "git"
    ]
    assert not broken, broken


def test_only_cli_prints() -> None:
    broken = []
    for module in MODULES:
        if room(module) in ("cli", "__main__"):
            continue
        for node in ast.walk(tree(module)):
            printing = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            writing = isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout", "sys.stderr")
            if printing or writing:
                broken.append(f"{module}:{node.lineno}")
    assert not broken, broken


@pytest.mark.parametrize("module", MODULES)
def test_a_module_opens_with_what_it_promises(module: str) -> None:
    assert ast.get_docstring(tree(module)), f"{module} has no docstring"


LONGEST = 440
TOO_LONG = {
    "git_graph.languages.c.declarations": 540,
    "git_graph.languages.c.mend": 520,
    "git_graph.languages.cpp.declarations": 640,
}
"""Modules that are known to be too long, and how long they may be; they may only get shorter."""


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_too_long(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= TOO_LONG.get(module, LONGEST)


def imported(code: str, directory: Path) -> set[str]:
    """What a fresh Python has imported once it has run `code`."""
    listing = "import sys, os; os.write(2, '\\n'.join(sys.modules).encode())"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{listing}"],
        cwd=directory, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT.parent)},
    )  # fmt: skip
    return set(done.stderr.split("\n"))


def test_the_command_line_imports_nothing_heavy(tmp_path: Path) -> None:
    loaded = imported("import git_graph.cli.app, git_graph.cli.commands.lookup", tmp_path)
    assert loaded & (HEAVY | {"sqlite3", "msgpack", "subprocess", "difflib", "json"}) == set()


def test_a_warm_question_imports_nothing_heavy(repo: Any) -> None:
    repo.write("a.py", "def f():\n    return g()\n\ndef g():\n    return 1\n")
    repo.commit()
    question = "from git_graph.cli.main import run; run(['callers', 'g'])"
    imported(question, repo.path)
    loaded = imported(question, repo.path)
    assert "git_graph.resolve.resolver" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("line", [["definitions", "g"], ["references", "g"], ["callers", "--json", "g"], ["sync"]])
def test_what_is_asked_most_often_imports_next_to_nothing(repo: Any, line: list[str]) -> None:
    repo.write("a.py", "def f():\n    return g()\n\ndef g():\n    return 1\n")
    repo.commit()
    question = f"from git_graph.cli.main import run; run({line})"
    imported(question, repo.path)
    loaded = imported(question, repo.path)
    bare = imported("pass", repo.path)
    assert "git_graph.sync.observe" in loaded
    assert loaded & (HEAVY | SPARED) - bare == set()


def test_what_is_asked_most_often_opens_one_language(repo: Any) -> None:
    repo.write("a.py", "def g():\n    return 1\n")
    repo.write("a.go", "package a\n\nfunc other() {}\n")
    repo.commit()
    question = "from git_graph.cli.main import run; run(['definitions', 'g'])"
    imported(question, repo.path)
    rooms = {name.split(".")[2] for name in imported(question, repo.path) if name.startswith("git_graph.languages.")}
    assert rooms & {"python", "go", "javascript", "c"} == {"python"}
