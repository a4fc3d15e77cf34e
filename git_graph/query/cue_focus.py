"""What a cue is about: paths, SYMBOLs or words that are given, and what has changed, as weighted symbols.

A text is taken for a path if the view has one, else for a SYMBOL, else for words: symbols and files that have them in
their names. Rare words say more than common ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import log2

from git_graph.model import Definition
from git_graph.query.lines import Ranges
from git_graph.records import NamedTuple
from git_graph.resolve import Resolver

MAX_FILES = 60
"""Files of one focus that are looked at."""
MAX_WORDS = 8
NAMED_BY_WORDS = 40
"""Symbols that words lead to."""
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
FOUND, CHANGED = "found", "changed"


class Focus(NamedTuple):
    """Symbols with their weights; files that are in the focus as a whole; texts that led to nothing; notes."""

    weights: Mapping[Definition, float]
    files: tuple[str, ...] = ()
    changed: frozenset[Definition] = frozenset()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def focus(resolver: Resolver, texts: Iterable[str], changed: Mapping[str, Ranges | None]) -> Focus:
    """What `texts` name, and what stands in the lines that changed (None: all of the file)."""
    weights: dict[Definition, float] = {}
    files: dict[str, None] = {}
    unknown, notes = [], []
    for text in texts:
        found, whole, note = _named(resolver, text)
        if not found:
            unknown.append(text)
        _add(weights, found)
        files.update(dict.fromkeys(whole))
        notes.extend(note)
    differing = [found for path in sorted(changed) if (found := _changed(resolver, path, changed[path]))]
    for found in differing[:MAX_FILES]:
        _add(weights, found)
    if len(differing) > MAX_FILES:
        notes.append(
            f"{len(differing)} files have changed, the first {MAX_FILES} were looked at; git graph diff --stat"
        )
    return Focus(
        weights, tuple(files), frozenset(d for found in differing for d in found), tuple(unknown), tuple(notes)
    )


def _add(weights: dict[Definition, float], found: Mapping[Definition, float]) -> None:
    """Take found symbols in: each text, and each file, weighs as much as any other."""
    total = sum(found.values())
    for definition, weight in found.items():
        weights[definition] = weights.get(definition, 0.0) + weight / total


def _named(resolver: Resolver, text: str) -> tuple[dict[Definition, float], list[str], list[str]]:
    """The symbols that a text names, the files that it names whole, and notes."""
    view = resolver.view
    if view.has(text):
        return _of_file(resolver, text), [text], []
    folder = text.rstrip("/")
    below = [path for path in view.paths() if folder in ("", ".") or path.startswith(f"{folder}/")]
    if below:
        notes = []
        if len(below) > MAX_FILES:
            notes = [f"{text} holds {len(below)} files, {MAX_FILES} were looked at; name a smaller folder"]
        found: dict[Definition, float] = {}
        for path in below[:MAX_FILES]:
            _add(found, _of_file(resolver, path))
        return found, below[:MAX_FILES], notes
    if definitions := resolver.lookup(text):
        return _of_symbols(resolver, definitions), [], []
    return _of_words(resolver, text), [], []


def _of_file(resolver: Resolver, path: str) -> dict[Definition, float]:
    slice_ = resolver.view.slice(path)
    return {} if slice_ is None else {Definition(path, i): 1.0 for i in range(len(slice_.symbols.name))}


def _of_symbols(resolver: Resolver, definitions: Iterable[Definition]) -> dict[Definition, float]:
    """Symbols and, together as much again, what stands directly in them."""
    found: dict[Definition, float] = {}
    for definition in definitions:
        slice_ = resolver.view.slice(definition.path)
        members = [] if slice_ is None or not definition.index else list(slice_.children(definition.index))
        found[definition] = found.get(definition, 0.0) + 1.0
        for member in members:
            found.setdefault(resolver.group(Definition(definition.path, member)).target, 1.0 / len(members))
    return found


def _of_words(resolver: Resolver, text: str) -> dict[Definition, float]:
    """Symbols with the words of a text in their names, or in those of their files."""
    view = resolver.view
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(text)))[:MAX_WORDS]
    names: dict[str, float] = {}
    for word in words:
        hits = {name: share for name in _names(resolver, word) if (share := _share(name, word))}
        for name, share in hits.items():
            names[name] = names.get(name, 0.0) + share / (1 + log2(len(hits)))
    best = sorted(names, key=lambda name: (-names[name], name))[:NAMED_BY_WORDS]
    found: dict[Definition, float] = {}
    for name in best:
        for path in view.defining(name):
            slice_ = view.slice(path)
            for index, number in enumerate(slice_.symbols.name if slice_ else ()):
                if index and slice_ is not None and slice_.strings[number] == name:
                    about = sum(word in path.lower() for word in words)
                    found[resolver.group(Definition(path, index)).target] = names[name] * (1 + about)
    for path in view.paths():
        parts = {part.lower() for part in _PART.findall(path.rpartition("/")[2])}
        if parts.issuperset(words):
            found[Definition(path, 0)] = 1.0
    return dict(sorted(found.items(), key=lambda row: (-row[1], row[0]))[:NAMED_BY_WORDS])


def _names(resolver: Resolver, word: str) -> set[str]:
    spellings = {word, word.capitalize(), word.upper()}
    return {name for spelling in sorted(spellings) for name in resolver.view.symbol_names(f"*{spelling}*")}


def _share(name: str, word: str) -> float:
    """How much of a name a word is: 1 for all of it, 0 if it is no word of it."""
    parts = [part.lower() for part in _PART.findall(name)]
    return sum(part == word or part == f"{word}s" for part in parts) / len(parts) if parts else 0.0


def _changed(resolver: Resolver, path: str, ranges: Ranges | None) -> dict[Definition, float]:
    """The innermost symbols in whose lines something changed; the module for what is in none."""
    slice_ = resolver.view.slice(path)
    if slice_ is None:
        return {}
    if ranges is None:
        return _of_file(resolver, path)
    s, found = slice_.symbols, dict[Definition, float]()
    for first, last in ranges:
        touched = [i for i in range(1, len(s.name)) if s.start_line[i] <= last and s.end_line[i] >= first]
        outer = {s.parent[i] for i in touched}
        for index in [i for i in touched if i not in outer] or [0]:
            definition = resolver.group(Definition(path, index)).target
            found[definition] = found.get(definition, 0.0) + 1.0
    return found
