"""New objects on their way into the repository, and the ref that makes them count.

A transaction collects blobs and trees in memory (asking for one that was just made is answered from there), writes
those the repository does not have (loose when few, one kept pack when many or while `git gc` runs), freshens those it
has, and moves a ref. Everything is written before the ref moves; what a killed process leaves are orphans in the
journal. Not shared among threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from git_graph.git.objects import Entry

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


class Transaction:
    """Use as a context manager: leaving it releases packs that were kept, whether the ref has moved or not."""

    def __init__(self, repository: Repository) -> None: ...

    def __enter__(self) -> Transaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def blob(self, data: bytes) -> str:
        """Add a blob; its id. Flushes by itself when a lot has gathered."""
        raise NotImplementedError

    def tree(self, entries: Iterable[Entry]) -> str:
        """Add a tree (entries in any order, each name once); its id."""
        raise NotImplementedError

    def read_tree(self, id: str) -> list[Entry]:
        """The entries of a tree, new or old."""
        raise NotImplementedError

    def read_blob(self, id: str) -> bytes:
        """The bytes of a blob, new or old."""
        raise NotImplementedError

    def reuse(self, ids: Iterable[str]) -> set[str]:
        """Existing objects that the ref will hold: freshened at once, so that no pruning takes them before the ref
        has moved. Returns those that do not exist (any more), which have to be made again."""
        raise NotImplementedError

    def flush(self) -> None:
        """Write what has gathered. Raises DiskFull, NotWritable."""

    def publish(self, ref: str, new: str, old: str | None) -> bool:
        """Flush, then point `ref` to `new` if it still points to `old` (None: does not exist); whether it did."""
        raise NotImplementedError
