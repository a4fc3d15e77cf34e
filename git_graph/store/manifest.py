"""Manifests as trees: which path holds which slice.

`files/` mirrors the worktree with a `=` before each component. A tree that does not change stays the same tree, so
building at once and reaching the same files by any sequence of updates give the same id. Knows nothing of slices'
contents and of views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from git_graph.store.basis import Basis

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction


class Change(NamedTuple):
    """A path whose slice differs between two files trees; None where it has none."""

    path: bytes
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A `snapshot/` tree: its id, its files tree, and its basis."""

    id: str
    files: str
    basis: Basis


def build(transaction: Transaction, files: Mapping[bytes, str]) -> str:
    """The files tree that holds exactly `files` (path -> slice id); its id."""
    raise NotImplementedError


def update(transaction: Transaction, files_tree: str, changes: Mapping[bytes, str | None]) -> str:
    """The files tree with `changes` applied (None: the path goes); its id. Costs the changed paths only."""
    raise NotImplementedError


def walk(repository: Repository, files_tree: str) -> Iterator[tuple[bytes, str]]:
    """(path, slice id) of every file, in git's order. Raises CorruptObject if it is no files tree."""
    raise NotImplementedError


def find(repository: Repository, files_tree: str, path: bytes) -> str | None:
    """The slice id at `path`, or None."""
    raise NotImplementedError


def diff(repository: Repository, old: str | None, new: str | None) -> Iterator[Change]:
    """What differs between two files trees (None: an empty one); costs what differs."""
    raise NotImplementedError


def put_snapshot(transaction: Transaction, files_tree: str, basis: Basis) -> str:
    """Add the `snapshot/` tree of a files tree and its basis; its id."""
    raise NotImplementedError


def read_snapshot(repository: Repository, snapshot: str) -> Snapshot:
    """The snapshot with that tree id. Raises MissingObject, CorruptObject, NewerFormat."""
    raise NotImplementedError
