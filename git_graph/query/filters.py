"""Which symbols a list is narrowed to: by kind, path and language.

A path pattern means what a git pathspec means: a file, everything below a directory, or a glob whose `*` matches `/`.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Sequence

from git_graph.engines.protocol import GraphView
from git_graph.model import KIND, KINDS, Definition
from git_graph.records import NamedTuple


class Filter(NamedTuple):
    """What is kept; an empty field keeps everything, but modules are kept only where `kinds` names them."""

    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    def query(self) -> dict[str, list[str]]:
        """As answers repeat it."""
        return {"kinds": list(self.kinds), "paths": list(self.paths), "languages": list(self.languages)}

    def kind_indices(self) -> frozenset[int]:
        """The kinds that are kept, as slices store them."""
        return frozenset(KIND[kind] for kind in self.kinds or KINDS[1:])

    def accepts_path(self) -> Callable[[str], bool]:
        """A test for paths."""
        return path_filter(self.paths)

    def accepts(self, view: GraphView) -> Callable[[Definition], bool]:
        """A test for definitions of a view."""
        kinds, path, languages = self.kind_indices(), self.accepts_path(), self.languages

        def test(definition: Definition) -> bool:
            slice_ = view.slice(definition.path)
            return (
                slice_ is not None
                and slice_.symbols.kind[definition.index] in kinds
                and path(definition.path)
                and (not languages or slice_.language in languages)
            )

        return test


EVERYTHING = Filter()


def is_glob(pattern: str) -> bool:
    """Whether a path pattern has wildcards (`*`, `?`, `[...]`)."""
    return any(character in pattern for character in "*?[")


def path_filter(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A test for paths; no pattern accepts all."""
    if not patterns:
        return lambda path: True
    regex = re.compile("|".join(f"(?:{_expression(pattern)})" for pattern in patterns), re.DOTALL)
    return lambda path: regex.match(path) is not None


def _expression(pattern: str) -> str:
    bare = pattern.rstrip("/")
    if bare in ("", "."):
        return ""
    literal = re.escape(bare) + r"(?:/|\Z)"
    return f"{literal}|{fnmatch.translate(bare)}" if is_glob(bare) else literal
