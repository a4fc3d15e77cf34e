"""What a `package.json` says of modules, as bindings of kind project.

`name`; `entry`, what the package is to who imports it (`types`, `module`, `main` and the like), best first; `exports`
and `imports` read `subpath => target`, one for each target, conditions in the order in which they are written;
`workspace` is a pattern of folders.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from git_graph.languages.builder import Builder
from git_graph.model import PROJECT

_ENTRIES = ("source", "types", "typings", "module", "main", "browser", "es2015", "jsnext:main")


def read(source: bytes, builder: Builder) -> None:
    """Record the facts of one file; a file that is no JSON object has none and is said to be unparsed."""
    text = source.decode("utf-8-sig", "replace")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        builder.slice.unparsed.append((1, builder.scope.end_line))
        return
    for key, value, written in _facts(data):
        builder.binding(key, PROJECT, builder.literal(value), _line(text, written))


def _facts(data: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(key, value, the text by which the line is found) for each fact."""
    name = data.get("name")
    if isinstance(name, str):
        yield "name", name, name
    for key in _ENTRIES:
        value = data.get(key)
        if isinstance(value, str):
            yield "entry", value, value
    for key in ("exports", "imports"):
        yield from ((key, f"{subpath} => {target}", target) for subpath, target in _targets(data.get(key), "."))
    workspaces = data.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    for pattern in workspaces if isinstance(workspaces, list) else ():
        if isinstance(pattern, str):
            yield "workspace", pattern, pattern


def _targets(value: Any, subpath: str) -> Iterator[tuple[str, str]]:
    """(subpath, target) pairs of an `exports` or `imports` field, whatever the conditions around them."""
    if isinstance(value, str):
        yield subpath, value
    elif isinstance(value, list):
        for item in value:
            yield from _targets(item, subpath)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _targets(item, key if key.startswith((".", "#")) else subpath)


def _line(text: str, written: str) -> int:
    """The line on which a string stands first."""
    position = text.find(json.dumps(written, ensure_ascii=False))
    return text.count("\n", 0, max(position, 0)) + 1
