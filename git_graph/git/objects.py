"""Reading git objects, and comparing trees.

A few reads are answered without pygit2 (loose files by hand, the rest by one `git cat-file --batch`), because
importing it costs more than they do; `Objects.bulk()` or any walk switches to pygit2. A blob that a partial clone left
out is fetched by git. Ids are 40 hex digits, names and paths are bytes. Writing is `packs` and `loose`; what the
objects mean is the business of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

TREE, BLOB, EXECUTABLE, SYMLINK, SUBMODULE = 0o40000, 0o100644, 0o100755, 0o120000, 0o160000
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


class Entry(NamedTuple):
    """One entry of a tree."""

    name: bytes
    mode: int
    id: str


class TreeChange(NamedTuple):
    """A path that differs between two trees: (mode, id) before and after, None where it is absent. No trees."""

    path: bytes
    old: tuple[int, str] | None
    new: tuple[int, str] | None


class Objects:
    """The objects of a repository."""

    def __init__(self, repository: Repository) -> None: ...

    def bulk(self) -> None:
        """Many reads are to come: open pygit2 now."""

    def blob(self, id: str) -> bytes:
        """The bytes of a blob. Raises MissingObject; CorruptObject if it is no blob."""
        raise NotImplementedError

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of many blobs, in the order asked. Raises MissingObject at the first that is nowhere."""
        raise NotImplementedError

    def present(self, ids: Iterable[str]) -> set[str]:
        """Those of `ids` that are in the repository (nothing is fetched)."""
        raise NotImplementedError

    def tree(self, id: str) -> list[Entry]:
        """The entries of a tree, in git's order."""
        raise NotImplementedError

    def commit_of(self, revision: str) -> str:
        """The id of the commit that a revision names. Raises UnknownRevision."""
        raise NotImplementedError

    def tree_of(self, revision: str) -> str:
        """The id of the tree of a revision (a commit, a tag of one, or a tree). Raises UnknownRevision."""
        raise NotImplementedError

    def entry(self, tree: str, path: bytes) -> Entry | None:
        """The entry at `path` below `tree`, or None."""
        raise NotImplementedError

    def walk(self, tree: str) -> Iterator[tuple[bytes, int, str]]:
        """(path, mode, id) of everything below `tree` but trees, in git's order."""
        raise NotImplementedError

    def diff(self, old: str | None, new: str | None) -> Iterator[TreeChange]:
        """What differs between two trees (None: an empty one), found by comparing only where ids differ."""
        raise NotImplementedError

    def close(self) -> None:
        """End what runs and release what is open."""
