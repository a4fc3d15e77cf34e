"""The trees of commits as sync looks at them: what a commit holds at a path, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, MissingObject, UnknownRevision
from git_graph.git.objects import TREE, Entry, TreeChange
from git_graph.git.worktree import Stored

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


class Heads:
    """Trees of commits (None: before the first commit), each read once while this lives."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._trees: dict[str | None, str | None] = {None: None}
        self._directories: dict[str, Mapping[bytes, Entry]] = {}
        self._differences: dict[tuple[str | None, str | None], list[TreeChange]] = {}

    def tree(self, commit: str | None) -> str | None:
        """The id of a commit's tree. Raises UnknownRevision."""
        if commit not in self._trees:
            assert commit is not None
            self._trees[commit] = self._repository.objects.tree_of(commit)
        return self._trees[commit]

    def find(self, commit: str | None, path: bytes) -> Stored | None:
        """What a commit holds at a path (no directory)."""
        tree = self.tree(commit)
        *directories, base = path.split(b"/")
        for name in directories:
            entry = self._directory(tree).get(name)
            tree = entry.id if entry and entry.mode == TREE else None
        found = self._directory(tree).get(base)
        return Stored(found.mode, found.id) if found and found.mode != TREE else None

    def walk(self, commit: str | None) -> Iterator[tuple[bytes, int, str]]:
        """(path, mode, id) of everything in a commit but trees."""
        tree = self.tree(commit)
        return iter(()) if tree is None else self._repository.objects.walk(tree)

    def differences(self, old: str | None, new: str | None) -> list[TreeChange] | None:
        """What differs between two commits; None if the old one is gone."""
        if (old, new) not in self._differences:
            try:
                changes = list(self._repository.objects.diff(self.tree(old), self.tree(new)))
            except (UnknownRevision, MissingObject, CorruptObject):
                self.tree(new)  # this one has to be there
                return None
            self._differences[old, new] = changes
        return self._differences[old, new]

    def entries(self, commit: str | None, directory: bytes = b"") -> Mapping[bytes, Entry]:
        """What a commit holds directly in a directory (empty: the root); nothing if there is none."""
        tree = self.tree(commit)
        for name in filter(None, directory.split(b"/")):
            entry = self._directory(tree).get(name)
            tree = entry.id if entry and entry.mode == TREE else None
        return self._directory(tree)

    def _directory(self, tree: str | None) -> Mapping[bytes, Entry]:
        if tree is None:
            return {}
        if tree not in self._directories:
            self._directories[tree] = {entry.name: entry for entry in self._repository.objects.tree(tree)}
        return self._directories[tree]
