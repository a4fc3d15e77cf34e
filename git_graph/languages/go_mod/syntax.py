"""What `go.mod` and `go.work` say of modules, as bindings of kind project.

`module` is the module's path, `replace` reads `old => new`, `use` is a folder of a workspace. Versions are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from git_graph.languages.builder import Builder
from git_graph.model import PROJECT

_KEPT = frozenset(("module", "replace", "use"))


def read(source: bytes, builder: Builder) -> None:
    """Record the facts of one file."""
    for line, directive, words in _directives(source.decode("utf-8", "surrogateescape")):
        value = _replacement(words) if directive == "replace" else "".join(words[:1])
        if value:
            builder.binding(directive, PROJECT, builder.literal(value), line)


def _directives(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """(line, directive, its words) for each directive that is kept; a block's lines are directives of their own."""
    block = ""
    for line, row in enumerate(text.split("\n"), 1):
        words = [word.strip('"`') for word in row.split("//", 1)[0].split()]
        if not words:
            continue
        if block:
            if words[0] == ")":
                block = ""
            elif block in _KEPT:
                yield line, block, words
        elif words[-1] == "(":
            block = words[0]
        elif words[0] in _KEPT:
            yield line, words[0], words[1:]


def _replacement(words: list[str]) -> str:
    if "=>" not in words:
        return ""
    arrow = words.index("=>")
    if arrow == 0 or arrow + 1 >= len(words):
        return ""
    return f"{words[0]} => {words[arrow + 1]}"
