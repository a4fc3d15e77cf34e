"""Slices as blobs: stored once, by what they say. Knows nothing of paths and views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from git_graph.model import Slice

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction


class SliceHead(NamedTuple):
    """What a slice says about itself, read without decoding the rest."""

    format: int
    source: str
    language: str
    fingerprint: str


def put(transaction: Transaction, slice_: Slice) -> str:
    """Add a slice; its id. (Bytes that a worker has encoded already: `transaction.blob(data)`.)"""
    raise NotImplementedError


def read(repository: Repository, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The bytes of slices, in the order asked. Raises MissingObject, naming `git graph verify` as what to do."""
    raise NotImplementedError


def get(repository: Repository, id: str) -> Slice:
    """One slice, decoded and validated. Raises MissingObject, CorruptObject, NewerFormat."""
    raise NotImplementedError


def head(data: bytes) -> SliceHead:
    """The head of a slice. Raises CorruptObject, NewerFormat."""
    raise NotImplementedError
