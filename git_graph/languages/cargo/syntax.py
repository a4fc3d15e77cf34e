"""What a `Cargo.toml` says of crates, as bindings of kind project.

`package`, `lib`, `bin`, `example`, `test` and `bench` are names of crates, those of targets followed by ` => ` and the
path of the root file if one is given; `member` and `exclude` are patterns of a workspace; `dependency` reads `name`, or
`name => package` where it is renamed, and `name @ path` where it lies in the repository.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from git_graph.languages.builder import Builder
from git_graph.model import PROJECT

_WORD = re.compile(r"[^\s\"'=,\[\]{}]+")
_TARGETS = ("bin", "example", "test", "bench")
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")


def read(source: bytes, builder: Builder) -> None:
    """Record the facts of one file; a file that is no TOML has none and is said to be unparsed."""
    text = source.decode("utf-8", "replace")
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        builder.slice.unparsed.append((1, builder.scope.end_line))
        return
    lines = _lines_of_words(text)

    def fact(key: str, value: str) -> None:
        builder.binding(key, PROJECT, builder.literal(value), lines.get(value.split(" ")[0], 1))

    package = _table(data, "package") or _table(data, "project")
    if isinstance(name := package.get("name"), str):
        fact("package", name)
    library = _table(data, "lib")
    if library:
        fact("lib", _target(library, str(package.get("name", ""))))
    for kind in _TARGETS:
        for target in data.get(kind, ()) if isinstance(data.get(kind), list) else ():
            if isinstance(target, dict) and isinstance(target.get("name"), str):
                fact(kind, _target(target, target["name"]))
    workspace = _table(data, "workspace")
    for key in ("members", "exclude"):
        for pattern in workspace.get(key, ()) if isinstance(workspace.get(key), list) else ():
            if isinstance(pattern, str):
                fact(key.removesuffix("s"), pattern)
    tables = [data, workspace, *(t for t in _table(data, "target").values() if isinstance(t, dict))]
    for table in tables:
        for key in _DEPENDENCIES:
            for name, detail in sorted(_table(table, key).items()):
                fact("dependency", _dependency(name, detail))


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _target(target: dict[str, Any], name: str) -> str:
    path = target.get("path")
    return f"{target.get('name', name)}{f' => {path}' if isinstance(path, str) else ''}"


def _dependency(name: str, detail: Any) -> str:
    text = name
    if isinstance(detail, dict):
        if isinstance(package := detail.get("package"), str):
            text += f" => {package}"
        if isinstance(path := detail.get("path"), str):
            text += f" @ {path}"
    return text


def _lines_of_words(text: str) -> dict[str, int]:
    """Each word's first line: where a person looks for the fact."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for word in _WORD.findall(line):
            found.setdefault(word, number)
    return found
