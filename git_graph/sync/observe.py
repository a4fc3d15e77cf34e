"""The tree in front of us, observed: HEAD, and every path that differs from it with its content id.

Three things are looked at: `git status`, the paths that git does not compare (assume-unchanged, skip-worktree), and the
files whose content git has not named. All that can be remembered by a stat is, so that asking twice hashes nothing
twice. Knows nothing of languages and manifests.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from git_graph import meter
from git_graph.git import contents, worktree
from git_graph.git.contents import Content, Conversion
from git_graph.git.hashing import sha256
from git_graph.git.worktree import EXECUTABLE, REGULAR, SYMLINK, TRACKED, UNTRACKED, Entry, Hidden, Stored
from git_graph.records import NamedTuple
from git_graph.store.basis import OverlayEntry
from git_graph.sync.cache import Cache, FileStat
from git_graph.sync.heads import Heads

if TYPE_CHECKING:
    from git_graph.git.process import Running
    from git_graph.git.repository import Repository

CHUNK = 256
"""Files read at a time."""
RETAINED_BYTES = 48 * 1024 * 1024
"""How much of what was hashed is kept for extraction; what is above is read, and hashed, again."""


class Found(NamedTuple):
    """A file on disk: the mode that git gives it and its content id (None: too large to read, or unreadable)."""

    mode: int
    id: str | None


class Unseen(NamedTuple):
    """What git does not compare. `sparse`: not on disk and not present; `unchecked`: to be hashed by us."""

    sparse: frozenset[bytes]
    digest: str
    unchecked: tuple[Hidden, ...]


class Disk:
    """The files of one worktree, and the bytes of those that were read while this lives."""

    def __init__(self, repository: Repository, cache: Cache, conversion: Conversion, *, file_mode: bool) -> None:
        self.top = os.fsencode(repository.require_worktree())
        self._repository = repository
        self._cache = cache
        self._conversion = conversion
        self._file_mode = file_mode
        self._retained: dict[str, bytes] = {}
        self._room = RETAINED_BYTES

    def identify(self, entries: Iterable[Entry]) -> dict[bytes, Found]:
        """What is on disk at each entry's path; what is not there is left out."""
        found: dict[bytes, Found] = {}
        unknown: dict[bytes, os.stat_result] = {}
        for entry in entries:
            if entry.id is not None or (entry.mode == worktree.GITLINK):
                found[entry.path] = Found(entry.mode, entry.id)
            elif entry.mode != 0 and (stat := contents.look(self.top, entry.path)) is not None:
                found[entry.path] = Found(self._mode(entry, stat), None)
                if stat.st_size <= contents.LARGEST:
                    unknown[entry.path] = stat
        known = self._cache.files(self._repository.view, list(unknown), self._conversion.digest)
        unread = []
        for path, stat in unknown.items():
            if path in known and known[path][0] == FileStat.of(stat):
                found[path] = found[path]._replace(id=known[path][1])
            else:
                unread.append(path)
        for at in range(0, len(unread), CHUNK):
            chunk = unread[at : at + CHUNK]
            read = self._read(chunk)
            for path in chunk:
                if path in read:
                    found[path] = found[path]._replace(id=read[path].id)
                elif contents.look(self.top, path) is None:
                    del found[path]
        return found

    def load(self, path: bytes, id: str) -> tuple[str, bytes] | None:
        """Bytes of a file and their id, which is `id` unless the file has changed since; None if it is gone."""
        if id in self._retained:
            return id, self._retained[id]
        content = self._read([path]).get(path)
        return None if content is None else (content.id, content.data)

    def is_too_large(self, path: bytes) -> bool:
        """Whether a file is too large for its content to make a difference."""
        stat = contents.look(self.top, path)
        return stat is not None and stat.st_size > contents.LARGEST

    def _read(self, paths: Sequence[bytes]) -> dict[bytes, Content]:
        read = contents.read(self.top, paths, self._conversion, self._repository.env)
        for path, content in read.items():
            meter.count("files")
            meter.count("bytes", len(content.data))
            if content.settled:
                stat = FileStat.of(content.stat)
                self._cache.put_file(self._repository.view, path, stat, self._conversion.digest, content.id)
            if content.id not in self._retained and len(content.data) <= self._room:
                self._retained[content.id] = content.data
                self._room -= len(content.data)
        return read

    def _mode(self, entry: Entry, stat: os.stat_result) -> int:
        """The mode of what lies there, in git's eyes where it has looked."""
        mode = contents.git_mode(stat, self._file_mode)
        if entry.mode in (REGULAR, EXECUTABLE, SYMLINK):
            return SYMLINK if mode == SYMLINK else entry.mode
        if not self._file_mode and mode == REGULAR and entry.head and entry.head.mode == EXECUTABLE:
            return EXECUTABLE
        return mode


def overlay(
    state: worktree.WorktreeState, unseen: Unseen, disk: Disk, heads: Heads, *, untracked: bool
) -> tuple[OverlayEntry, ...]:
    """Every path that differs from HEAD, sorted; skip-worktree paths are none of them."""
    entries = {path: entry for path, entry in _counted(state.entries, untracked) if path not in unseen.sparse}
    for hidden in unseen.unchecked:
        known = state.entries.get(hidden.path)
        head = known.head if known and known.kind == TRACKED else hidden.staged
        entries[hidden.path] = Entry(hidden.path, TRACKED, head, -1, None)
    found = disk.identify(entries.values())
    result = []
    for path in sorted(entries):
        entry = entries[path]
        head = heads.find(state.head, path) if entry.kind == worktree.CONFLICTED else entry.head
        row = _difference(path, head, found.get(path))
        if row is not None:
            result.append(row)
    return tuple(result)


def _counted(entries: Mapping[bytes, Entry], untracked: bool) -> Iterable[tuple[bytes, Entry]]:
    """The entries that count, as they count: without untracked files, one that was taken out of the index is gone."""
    for path, entry in entries.items():
        if untracked:
            yield path, entry
        elif entry.kind != UNTRACKED:
            yield path, entry._replace(mode=0, id=None) if entry.mode == -1 else entry


def _difference(path: bytes, head: Stored | None, found: Found | None) -> OverlayEntry | None:
    name = path.decode("utf-8", "surrogateescape")
    if found is None:
        return OverlayEntry("D", 0, name, None) if head else None
    if head is not None and tuple(head) == tuple(found):
        return None
    return OverlayEntry("M" if head else "A", found.mode, name, found.id)


# what git does not compare


class Index(NamedTuple):
    """The state of the index file, and whatever reads it on its way."""

    key: str
    listing: Running | None


def start_index(repository: Repository, cache: Cache) -> Index:
    """Look at the index; if it is not as it was, start reading it."""
    key = _index_key(repository)
    noted = cache.note("index", repository.view)
    fresh = noted is not None and noted["key"] == key and _is_as_noted(repository, noted)
    return Index(
        key, None if fresh or not key else worktree.start_hidden(repository.require_worktree(), repository.env)
    )


def unseen(repository: Repository, cache: Cache, index: Index) -> Unseen:
    """What git does not compare, from the index that was looked at."""
    if index.listing is None:
        noted = cache.note("index", repository.view) if index.key else None
        if noted is None:
            return Unseen(frozenset(), "", ())
        sparse = frozenset(_bytes(path) for path in noted["sparse"])
        unchecked = tuple(Hidden(_bytes(p), skip, Stored(mode, id)) for p, skip, mode, id in noted["unchecked"])
        return Unseen(sparse, noted["digest"], unchecked)
    top = os.fsencode(repository.require_worktree())
    hidden = worktree.hidden(index.listing.finish())
    absent = _Absent(top)
    sparse = frozenset(item.path for item in hidden if item.skip and absent.holds(item.path))
    unchecked = tuple(item for item in hidden if item.path not in sparse)
    digest = sha256(b"\0".join(sorted(sparse))).hexdigest()[:16] if sparse else ""
    note = {
        "key": index.key,
        "digest": digest,
        "sparse": [_text(path) for path in sorted(sparse)],
        "roots": [_text(path) for path in sorted(absent.roots)],
        "unchecked": [(_text(item.path), item.skip, *item.staged) for item in unchecked],
    }
    cache.put_note("index", repository.view, note)
    return Unseen(sparse, digest, unchecked)


class _Absent:
    """Whether paths are not on disk; `roots` are the topmost ones seen missing, which is all there is to look at."""

    def __init__(self, top: bytes) -> None:
        self._top = top
        self._there: dict[bytes, bool] = {b"": True}
        self.roots: set[bytes] = set()

    def holds(self, path: bytes) -> bool:
        return not self._is_there(path)

    def _is_there(self, path: bytes) -> bool:
        if path not in self._there:
            above = self._is_there(path.rpartition(b"/")[0])
            self._there[path] = above and os.path.lexists(self._top + b"/" + path)
            if above and not self._there[path]:
                self.roots.add(path)
        return self._there[path]


def _is_as_noted(repository: Repository, noted: Mapping[str, Any]) -> bool:
    """Whether skip-worktree files are on disk, and not on disk, where they were."""
    top = os.fsencode(repository.require_worktree()) + b"/"
    present = (path for path, skip, *_ in noted["unchecked"] if skip)
    return all(os.path.lexists(top + _bytes(path)) for path in present) and not any(
        os.path.lexists(top + _bytes(path)) for path in noted["roots"]
    )


def _index_key(repository: Repository) -> str:
    """What identifies the index file's content: its own checksum, and its stat (some write no checksum)."""
    configured = repository.env.get("GIT_INDEX_FILE", os.environ.get("GIT_INDEX_FILE"))
    file = repository.require_worktree() / configured if configured else repository.git_dir / "index"
    try:
        with file.open("rb") as stream:
            stat = os.fstat(stream.fileno())
            stream.seek(max(0, stat.st_size - 20))
            return f"{stream.read(20).hex()}-{stat.st_size}-{stat.st_mtime_ns}-{stat.st_ino}"
    except OSError:
        return ""


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
