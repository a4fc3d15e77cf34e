"""What became of the files between two sides: by what they hold, their modes, and whether git has them committed.

All of it follows from the two commits and from what each side has on top of its own, so it costs what differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING

from git_graph.errors import MissingObject
from git_graph.records import NamedTuple
from git_graph.store.basis import OverlayEntry
from git_graph.sync.context import Context
from git_graph.sync.sides import Side, entries_of, skipped_of

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.sync.heads import Heads

CHANGES = ("added", "deleted", "restored", "content", "mode", "state", "renamed")
"""What can have become of a file, in the order in which it is told.

restored: it is there again after it was deleted and its commit was not; content, mode: that changed (both: content);
state: nothing but whether git has it committed, or whether it was skipped; renamed: another path with the same bytes
is gone.
"""
COMMITTED, CHANGED, NEW, DELETED = "committed", "changed", "new", "deleted"
"""The states of a file: as in the commit; another than that; not in it; in it, and not there."""
_STATES = {"A": NEW, "M": CHANGED, "D": DELETED}


class FileState(NamedTuple):
    """A file on one side: git's mode, the blob id of what it holds (None for a submodule), and its state.

    `skipped` is why it could not be read; None if it was not skipped, or that is not known.
    """

    mode: int
    content: str | None
    state: str
    skipped: str | None = None


class FileChange(NamedTuple):
    """A file that differs; `old_path` if it had another. A side is None where the file is not there."""

    change: str
    path: str
    old_path: str | None
    old: FileState | None
    new: FileState | None


class Moved(NamedTuple):
    """Where the two sides are: branch (None: detached, or none at all) and commit of each, and how many files differ
    from it."""

    branches: tuple[str | None, str | None]
    heads: tuple[str | None, str | None]
    uncommitted: tuple[int, int]


class Delta(NamedTuple):
    """What became of the files between two sides; `files` in the order of CHANGES, then by path."""

    moved: Moved
    files: tuple[FileChange, ...]


def delta(repository: Repository, old: Side, new: Side) -> Delta:
    """What became of the files. Raises MissingObject: the older commit cannot be read any more."""
    with closing(Context(repository)) as context:
        heads = context.heads
        one, other = old.answering, new.answering
        changed = heads.differences(one.head, other.head)
        if changed is None:
            raise MissingObject(f"commit {one.head} cannot be read", "git fsck tells more")
        sides = _Files(heads, old), _Files(heads, new)
        paths = {change.path for change in changed}.union(*(side.overlay for side in sides))
        was, now = skipped_of(old), skipped_of(new)
        if was is not None and now is not None:
            sides[0].skipped, sides[1].skipped = was, now
            paths |= was.keys() | now.keys()
        files = [found for path in sorted(paths) if (found := _became(path, *sides)) is not None]
    moved = Moved(
        (one.branch, other.branch), (one.head, other.head), (len(sides[0].overlay), len(sides[1].overlay))
    )  # fmt: skip
    return Delta(moved, tuple(sorted(_renamed(files), key=lambda file: (CHANGES.index(file.change), file.path))))


class _Files:
    """The files of a side."""

    def __init__(self, heads: Heads, side: Side) -> None:
        self._heads = heads
        self._head = side.answering.head
        self.overlay: Mapping[bytes, OverlayEntry] = {_bytes(entry.path): entry for entry in entries_of(side)}
        self.skipped: Mapping[bytes, str] = {}
        """Path -> why it was left out; empty if only one of both sides knows."""

    def state(self, path: bytes) -> FileState | None:
        """A file; None if it is not there."""
        entry = self.overlay.get(path)
        if entry is not None:
            if entry.status == "D":
                return None
            return FileState(entry.mode, entry.content, _STATES[entry.status], self.skipped.get(path))
        found = self._heads.find(self._head, path)
        return None if found is None else FileState(found.mode, found.id, COMMITTED, self.skipped.get(path))

    def is_deleted(self, path: bytes) -> bool:
        """Whether the commit has a file that is not there."""
        entry = self.overlay.get(path)
        return entry is not None and entry.status == "D"


def _became(path: bytes, old: _Files, new: _Files) -> FileChange | None:
    one, other = old.state(path), new.state(path)
    if one == other:
        return None
    if one is None:
        change = "restored" if old.is_deleted(path) else "added"
    elif other is None:
        change = "deleted"
    else:
        change = "content" if one.content != other.content else "mode" if one.mode != other.mode else "state"
    return FileChange(change, path.decode("utf-8", "surrogateescape"), None, one, other)


def _renamed(files: Iterable[FileChange]) -> list[FileChange]:
    """The same changes, an added file put together with the deleted one that held the same bytes, if that is one."""
    files = list(files)
    gone: dict[str, list[FileChange]] = {}
    came: dict[str, list[FileChange]] = {}
    for file in files:
        state = file.new if file.change == "added" else file.old if file.change == "deleted" else None
        if state is not None and state.content is not None:
            (came if file.change == "added" else gone).setdefault(state.content, []).append(file)
    for content, (file, *more) in came.items():
        before = gone.get(content, [])
        if more or len(before) != 1:
            continue
        files[files.index(file)] = FileChange("renamed", file.path, before[0].path, before[0].old, file.new)
        files.remove(before[0])
    return files


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
