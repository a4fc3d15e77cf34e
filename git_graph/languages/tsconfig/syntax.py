"""What a `tsconfig.json` says of modules, as bindings of kind project.

`extends` and `reference` name other configurations; `baseUrl`, `rootDir` and `outDir` are folders, `rootDirs` one for
each; `paths` reads `pattern => target`, one for each target. The files are JSON with comments and trailing commas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from git_graph.languages.builder import Builder
from git_graph.model import PROJECT

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[\]}])', re.DOTALL)
_FOLDERS = ("baseUrl", "rootDir", "outDir")


def read(source: bytes, builder: Builder) -> None:
    """Record the facts of one file; a file that is no JSON object has none and is said to be unparsed."""
    text = source.decode("utf-8-sig", "replace")
    data = parse(text)
    if not isinstance(data, dict):
        builder.slice.unparsed.append((1, builder.scope.end_line))
        return
    for key, value, written in _facts(data):
        builder.binding(key, PROJECT, builder.literal(value), _line(text, written))


def parse(text: str) -> Any:
    """JSON with comments and trailing commas; None if it is not even that."""
    plain = _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    plain = _TOKEN.sub(lambda match: " " if match[0] == "," else match[0], plain)  # commas before a comment
    try:
        return json.loads(plain)
    except (ValueError, RecursionError):
        return None


def _facts(data: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(key, value, the text by which the line is found) for each fact."""
    extended = data.get("extends")
    for value in extended if isinstance(extended, list) else [extended]:
        if isinstance(value, str):
            yield "extends", value, value
    references = data.get("references")
    for item in references if isinstance(references, list) else ():
        if isinstance(item, dict) and isinstance(path := item.get("path"), str):
            yield "reference", path, path
    options = data.get("compilerOptions")
    if not isinstance(options, dict):
        return
    for key in _FOLDERS:
        value = options.get(key)
        if isinstance(value, str):
            yield key, value, value
    roots = options.get("rootDirs")
    for value in roots if isinstance(roots, list) else ():
        if isinstance(value, str):
            yield "rootDirs", value, value
    paths = options.get("paths")
    for pattern, targets in paths.items() if isinstance(paths, dict) else ():
        for target in targets if isinstance(targets, list) else ():
            if isinstance(target, str):
                yield "paths", f"{pattern} => {target}", pattern


def _line(text: str, written: str) -> int:
    """The line on which a string stands first."""
    position = text.find(json.dumps(written, ensure_ascii=False))
    return text.count("\n", 0, max(position, 0)) + 1
