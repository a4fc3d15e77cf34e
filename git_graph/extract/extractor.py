"""One file's bytes, in one language, as a slice: a pure function, the same in every process and on every machine."""

from __future__ import annotations

import functools
import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

from tree_sitter import Language, Node, Parser

from git_graph.extract.fingerprint import PACK, fingerprint
from git_graph.git.hashing import sha1
from git_graph.languages import HEAD_BYTES, specs
from git_graph.languages.builder import Builder
from git_graph.languages.walker import Walker
from git_graph.model import Slice

MAX_BYTES = 8 * 1024 * 1024
"""Files above this have no symbols whatever the settings; `graph.maxFileSize` may only be stricter."""
MAX_LONG_LINE = 64 * 1024
"""A file with a line longer than this was made by a program (minified, generated data) and is not read."""
MAX_UNPARSED = 1000
"""More ranges than this are told as one."""
RECURSION_LIMIT = 12_000
"""The walk nests a few Python frames for each of walker.MAX_DEPTH handlers."""

ERROR_KIND = 65535
"""tree-sitter's id of nodes that it could not read."""

_LFS = b"version https://git-lfs.github.com/spec/"


def extract(language: str, source: bytes, source_id: str | None = None) -> Slice:
    """The slice of `source` read as `language`; `source_id` is its git blob id, computed if not given."""
    spec = specs()[language]
    identity = source_id or blob_id(source)
    builder = Builder(source)
    if omitted := omission(source):
        result = builder.finish(identity, language, fingerprint(language))
        result.omitted = omitted
        return result
    if not spec.grammar:
        spec.syntax().read(source, builder)
        return builder.finish(identity, language, fingerprint(language))
    if sys.getrecursionlimit() < RECURSION_LIMIT:
        sys.setrecursionlimit(RECURSION_LIMIT)
    walk = syntax(language)(source, builder)
    parse = parser(language).parse
    root = walk.prepare(lambda text: parse(text).root_node)
    walk.run(root)
    walk.steps.clear()
    walk.handlers.clear()  # bound methods of the walk itself: a cycle that only the collector would free
    result = builder.finish(identity, language, fingerprint(language))
    ranges = [*result.unparsed, *(_broken(root) if root.has_error else ())]
    result.unparsed = _merged(ranges)
    return result


def omission(source: bytes) -> str:
    """Why these bytes are passed over whatever their language: see model.Slice.omitted."""
    if len(source) > MAX_BYTES:
        return "too-large"
    if b"\0" in source[:HEAD_BYTES]:
        return "binary"
    if source.startswith(_LFS):
        return "lfs-pointer"
    return ""


def blob_id(source: bytes) -> str:
    """The id that git gives these bytes as a blob (SHA-1 repositories)."""
    return sha1(b"blob %d\0" % len(source) + source, usedforsecurity=False).hexdigest()


@functools.cache
def grammar(language: str) -> Language:
    """The tree-sitter grammar of a language.

    Its binding alone is loaded: importing the package loads grammars that nobody asked for and much of the standard
    library, 20 ms in each worker.
    """
    name: Any = specs()[language].grammar
    package = find_spec(PACK)
    folders = [str(Path(place) / "bindings") for place in package.submodule_search_locations or ()] if package else []
    found = PathFinder.find_spec(name, folders)
    if found is None or found.loader is None:
        from tree_sitter_language_pack import get_language

        return get_language(name)
    binding: Any = module_from_spec(found)
    found.loader.exec_module(binding)
    return Language(binding.language())


@functools.cache
def syntax(language: str) -> type[Walker]:
    """The walk of a language, told its grammar's ids of node types."""
    walk: type[Walker] = specs()[language].syntax().Syntax
    known = grammar(language)
    types = [(kind, known.node_kind_for_id(kind) or "") for kind in range(known.node_kind_count)]
    named = [pair for pair in types if known.node_kind_is_named(pair[0])]
    tokens = [pair for pair in types if not known.node_kind_is_named(pair[0])]
    walk.use_grammar([*named, (ERROR_KIND, "ERROR")], tokens)
    return walk


@functools.cache
def parser(language: str) -> Parser:
    """A parser for a language, one a process."""
    return Parser(grammar(language))


def _broken(root: Node) -> list[tuple[int, int]]:
    """Line ranges of what the grammar could not read."""
    ranges = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            ranges.append((node.start_point[0] + 1, node.end_point[0] + 1))
        elif node.has_error:
            stack.extend(node.children)
    return ranges


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges sorted, those that touch made one, and all made one if there are too many."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return [(merged[0][0], merged[-1][1])] if len(merged) > MAX_UNPARSED else merged
