"""Questions asked of source text directly: extracted and resolved in this process, without a repository."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping

from git_graph.engines.memory import view_of
from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.resolve import Resolver

Look = Callable[[Mapping[str, str]], Resolver]


def resolver_of(files: Mapping[str, str]) -> Resolver:
    """A resolver over files given as text, common indentation taken away."""
    slices = {}
    for path, text in files.items():
        source = textwrap.dedent(text).lstrip("\n").encode()
        language = detect(path, source)
        assert language is not None, path
        slices[path] = extract(language, source)
    return Resolver(view_of(slices))
