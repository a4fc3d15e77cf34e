"""The rules of this installation: each language's version and fingerprint, and what decides a file's language.

Computing them reads every language's room and costs more than a warm query has, so they are remembered under the stat
of every file that they come from. Knows nothing of repositories.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import git_graph
from git_graph.git.hashing import sha256
from git_graph.sync.cache import Cache

_SOURCES = ("languages", "extract")
_PACK = "tree_sitter_language_pack"


class Rules:
    """What is asked of the rules, computed when first asked for."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._key = _installation()
        self._known: dict[str, Any] = cache.note("rules", self._key) or {}

    def of(self, language: str) -> tuple[int, str] | None:
        """A language's rules version and fingerprint; None if there is no such language here."""
        found = self._recall(f"language {language}", lambda: _rule(language))
        return None if found is None else (found[0], found[1])

    def of_all(self, languages: Iterable[str]) -> dict[str, tuple[int, str]]:
        """The rules of those of `languages` that there are here."""
        return {language: rule for language in languages if (rule := self.of(language)) is not None}

    @property
    def detection(self) -> str:
        """A digest (16 hex digits) of what decides which language a file is in."""
        found: str = self._recall("detection", _detection)
        return found

    def _recall(self, name: str, compute: Any) -> Any:
        if name not in self._known:
            self._known = {**self._known, name: compute()}
            self._cache.put_note("rules", self._key, self._known)
        return self._known[name]


def _rule(language: str) -> tuple[int, str] | None:
    from git_graph import languages
    from git_graph.extract.fingerprint import fingerprint

    spec = languages.specs().get(language)
    return None if spec is None else (spec.version, fingerprint(language))


def _detection() -> str:
    from git_graph import languages

    digest = sha256()
    for spec in languages.specs().values():
        parts = (spec.name, spec.extensions, spec.filenames, spec.shebangs, spec.linguist, list(spec.claims))
        digest.update(repr(parts).encode())
    return digest.hexdigest()[:16]


def _installation() -> str:
    """A digest of the stat of everything that rules are computed from."""
    digest = sha256(git_graph.__version__.encode())
    root = os.path.dirname(git_graph.__file__)  # noqa: PTH120 (pathlib would double what this costs)
    for path, stat in (*_stats(root, ("codec.py",)), *(item for room in _SOURCES for item in _below(f"{root}/{room}"))):
        digest.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    for place in sys.path:
        for path, stat in _stats(place, (_PACK,)):
            where = os.stat(place)  # noqa: PTH116 (its time changes with every installation)
            digest.update(f"{path}\0{stat.st_mtime_ns}\0{where.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def _below(directory: str) -> Iterator[tuple[str, os.stat_result]]:
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _below(entry.path)
        elif entry.name.endswith((".py", ".toml")):
            yield entry.path, entry.stat()


def _stats(directory: str, names: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
    for name in names:
        path = os.path.join(directory, name)  # noqa: PTH118
        try:
            yield path, os.stat(path)  # noqa: PTH116
        except OSError:
            continue
