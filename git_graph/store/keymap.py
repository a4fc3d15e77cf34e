"""From content to slice: (content id, language, fingerprint) -> slice id, found in what is stored already.

Derived from the slices of every known manifest (each names its source, language and fingerprint in its head), without
parsing any source. Knows nothing of extraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

Key = tuple[str, str, str]
"""Content id, language, fingerprint."""


def scan(repository: Repository, known: Iterable[str] = ()) -> Iterator[tuple[Key, str]]:
    """(key, slice id) of every slice that a manifest holds (views and their histories, epochs, heads, remotes), each
    once, those in `known` left out. Slices that are missing or malformed are passed over."""
    raise NotImplementedError


def scan_tree(repository: Repository, files_tree: str, known: Iterable[str] = ()) -> Iterator[tuple[Key, str]]:
    """As `scan`, of one files tree."""
    raise NotImplementedError
