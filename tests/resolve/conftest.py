"""Views for the resolver's tests, made from source text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from git_graph.engines.memory import view_of
from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.model import ATTRIBUTED
from git_graph.resolve import Resolver


class Project:
    """Source files, and a resolver over them."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.slices = {}
        for path, text in files.items():
            source = text.encode()
            language = detect(path, source)
            assert language is not None, path
            self.slices[path] = extract(language, source)
        self.resolver = Resolver(view_of(self.slices))

    def places(self, symbol: str) -> list[str]:
        """`path:line` of what a SYMBOL names."""
        return [f"{d.path}:{self.slices[d.path].symbols.line[d.index]}" for d in self.resolver.lookup(symbol)]

    def sites(self, symbol: str, outcome: str = "") -> list[str]:
        """`path:line` of the references attributed to a SYMBOL, or of those with one outcome."""
        occurrences = self.resolver.references(self.resolver.lookup(symbol))
        return [
            f"{o.path}:{self.slices[o.path].references.line[o.index]}"
            for o in occurrences
            if (o.resolution.outcome == outcome if outcome else o.resolution.outcome in ATTRIBUTED)
        ]


@pytest.fixture
def project() -> Callable[[Mapping[str, str]], Project]:
    return Project
