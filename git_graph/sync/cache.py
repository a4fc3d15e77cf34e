"""What sync remembers to be quick: a small SQLite file in the common git directory, shared by all worktrees.

It holds facts that stay true whoever wrote them (this content in this language gives that slice; this file with this
stat has that content), so it may be read by anyone, written by any number at once and deleted at any time. Nothing here
ever fails a sync: a file that is damaged is removed, one that cannot be read or written is done without. Writes gather
in memory until `save`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from git_graph.records import NamedTuple

SCHEMA_VERSION = 1
BUSY_TIMEOUT = 2.0
"""Seconds to wait for another writer; after that this process remembers nothing."""
MANY = 500
"""From so many on, all rows are read at once instead of each by itself."""
KEPT_NOTES = 4096
"""So many notes of a kind are kept, the latest: more than there are worktrees, each of which has some of its own."""
THINNED_EVERY = 256
"""Notes that are written between two looks at how many there are."""

SCHEMA = """
CREATE TABLE slice(source BLOB, language TEXT, fingerprint BLOB, slice BLOB NOT NULL, size INTEGER,
                   PRIMARY KEY(source, language, fingerprint)) WITHOUT ROWID;
CREATE TABLE detected(source BLOB, hint TEXT, rules BLOB, language TEXT,
                      PRIMARY KEY(source, hint, rules)) WITHOUT ROWID;
CREATE TABLE file(view TEXT, path BLOB, size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER, conversion TEXT,
                  source BLOB NOT NULL, PRIMARY KEY(view, path)) WITHOUT ROWID;
CREATE TABLE note(kind TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY(kind, key));
"""
"""slice: the key map. detected: the language of contents whose name alone does not tell it (NULL: none). file: the
content of a dirty or untracked file. note: values of many kinds as JSON."""


_KEPT = "IN (SELECT key FROM kept WHERE kind = '{}')"
_PRUNE = (
    f"DELETE FROM file WHERE view NOT {_KEPT.format('view')}",
    f"DELETE FROM slice WHERE slice NOT {_KEPT.format('slice')}",
    "DELETE FROM note WHERE kind IN ('view', 'index', 'scanned') AND key NOT IN"
    " (SELECT key FROM kept WHERE kept.kind = note.kind)",
)

_THIN = (
    "DELETE FROM note WHERE rowid IN (SELECT n FROM (SELECT rowid AS n, row_number() OVER"
    " (PARTITION BY kind ORDER BY rowid DESC) AS place FROM note) WHERE place > ?)"
)

Key = tuple[str, str, str]
"""Content id, language, fingerprint."""


class FileStat(NamedTuple):
    """What of a file's stat changes when its content may have."""

    size: int
    mtime: int
    ctime: int
    inode: int

    @classmethod
    def of(cls, stat: os.stat_result) -> FileStat:
        """That of a stat."""
        inode = stat.st_ino if stat.st_ino < 1 << 63 else stat.st_ino - (1 << 64)
        return cls(stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, inode)


class KnownSlice(NamedTuple):
    """The slice of a content in a language, and the content's size if it was ever looked at."""

    id: str
    size: int | None


class Cache:
    """See the module. `directory` None: nothing is kept beyond this process."""

    def __init__(self, directory: Path | None, *, writable: bool = True) -> None:
        self._path = directory / f"sync-{SCHEMA_VERSION}.sqlite" if directory else None
        self._writable = writable
        self._connection: sqlite3.Connection | None = None
        self._pending: list[tuple[str, Sequence[Any]]] = []
        self._notes: dict[tuple[str, str], Any] = {}

    # notes

    def note(self, kind: str, key: str) -> Any:
        """The value noted under `key`, or None."""
        if (kind, key) in self._notes:
            return self._notes[kind, key]
        rows = self._rows("SELECT value FROM note WHERE kind = ? AND key = ?", (kind, key))
        value = None
        with suppress(ValueError):
            value = _unsealed(rows[0][0]) if rows else None
        self._notes[kind, key] = value
        return value

    def put_note(self, kind: str, key: str, value: Any) -> None:
        """Note a value (anything that JSON can say)."""
        self._notes[kind, key] = value
        self._pending.append(("INSERT OR REPLACE INTO note VALUES(?, ?, ?)", (kind, key, _sealed(value))))

    def without_note(self, kind: str, keys: Iterable[str]) -> set[str]:
        """Those of the keys under which nothing is noted; asks once for all of them."""
        noted = {key for (key,) in self._rows("SELECT key FROM note WHERE kind = ?", (kind,))}
        return {key for key in keys if key not in noted and not self._notes.get((kind, key))}

    def forget_note(self, kind: str, key: str) -> None:
        """Let go of what is noted under `key`."""
        self._notes.pop((kind, key), None)
        self._pending.append(("DELETE FROM note WHERE kind = ? AND key = ?", (kind, key)))

    # the key map

    def slices(self, keys: Iterable[Key]) -> dict[Key, KnownSlice]:
        """The slices of those keys that are known."""
        query = "SELECT source, language, fingerprint, slice, size FROM slice"
        asked = set(keys)
        if len(asked) > MANY:
            rows = self._rows(query)
        else:
            one = query + " WHERE source = ? AND language = ? AND fingerprint = ?"
            rows = [row for key in asked for row in self._rows(one, _packed(key))]
        every = (((row[0].hex(), row[1], row[2].hex()), row) for row in rows)
        return {key: KnownSlice(row[3].hex(), row[4]) for key, row in every if key in asked}

    def put_slices(self, slices: Iterable[tuple[Key, KnownSlice]]) -> None:
        """Remember slices; a size that was known stays known."""
        query = (
            "INSERT INTO slice VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET slice = excluded.slice, size = coalesce(excluded.size, size)"
        )
        for key, known in slices:
            self._pending.append((query, (*_packed(key), bytes.fromhex(known.id), known.size)))

    def slice_ids(self) -> set[str]:
        """The ids of all slices in the key map."""
        return {slice_id.hex() for (slice_id,) in self._rows("SELECT slice FROM slice")}

    def known_slices(self) -> Iterator[tuple[Key, str]]:
        """The whole key map: (key, slice id)."""
        for source, language, fingerprint, slice_id in self._rows(
            "SELECT source, language, fingerprint, slice FROM slice"
        ):
            yield (source.hex(), language, fingerprint.hex()), slice_id.hex()

    def forget_slices(self, ids: Iterable[str]) -> None:
        """Take slices out of the key map, so that what has them is extracted again."""
        self._pending += [("DELETE FROM slice WHERE slice = ?", (bytes.fromhex(id),)) for id in ids]

    # languages

    def languages(self, asked: Iterable[tuple[str, str]], rules: str) -> dict[tuple[str, str], str | None]:
        """The languages detected before by these `rules`, by (content id, hint)."""
        found = {}
        query = "SELECT language FROM detected WHERE source = ? AND hint = ? AND rules = ?"
        for source, hint in asked:
            for (language,) in self._rows(query, (bytes.fromhex(source), hint, bytes.fromhex(rules))):
                found[source, hint] = language
        return found

    def put_language(self, source: str, hint: str, rules: str, language: str | None) -> None:
        """Remember a language that was detected."""
        row = (bytes.fromhex(source), hint, bytes.fromhex(rules), language)
        self._pending.append(("INSERT OR REPLACE INTO detected VALUES(?, ?, ?, ?)", row))

    # files on disk

    def files(self, view: str, paths: Sequence[bytes], conversion: str) -> dict[bytes, tuple[FileStat, str]]:
        """The stat and content id remembered of files of a view, as git converts them now."""
        query = "SELECT path, size, mtime, ctime, inode, source FROM file WHERE view = ? AND conversion = ?"
        if len(paths) > MANY:
            rows: Iterator[Any] = iter(self._rows(query, (view, conversion)))
        else:
            rows = (row for path in paths for row in self._rows(query + " AND path = ?", (view, conversion, path)))
        return {row[0]: (FileStat(*row[1:5]), row[5].hex()) for row in rows}

    def put_file(self, view: str, path: bytes, stat: FileStat, conversion: str, source: str) -> None:
        """Remember a file's content id."""
        row = (view, path, *stat, conversion, bytes.fromhex(source))
        self._pending.append(("INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?, ?, ?, ?, ?)", row))

    def keep_files(self, view: str, paths: Iterable[bytes]) -> None:
        """Forget the files of a view but these, once there are many that are of no use any more."""
        kept = set(paths)
        known = {path for (path,) in self._rows("SELECT path FROM file WHERE view = ?", (view,))}
        if len(known - kept) > MANY:
            delete = "DELETE FROM file WHERE view = ? AND path = ?"
            self._pending.extend((delete, (view, path)) for path in known - kept)

    def prune(self, views: Iterable[str], roots: Iterable[str], slices: Iterable[str]) -> None:
        """Forget what is not about these views, roots and slices, and give the room back."""
        self.save()
        connection = self._open() if self._writable else None
        if connection is None:
            return
        try:
            connection.execute("PRAGMA temp_store=MEMORY")
            connection.execute("CREATE TEMP TABLE kept(kind TEXT, key, PRIMARY KEY(kind, key)) WITHOUT ROWID")
            rows = [("view", view) for view in views]
            rows += [("index", view) for _, view in rows]
            rows += [("scanned", root) for root in roots]
            connection.executemany("INSERT OR IGNORE INTO kept VALUES(?, ?)", rows)
            held = (("slice", bytes.fromhex(slice_id)) for slice_id in slices)
            connection.executemany("INSERT OR IGNORE INTO kept VALUES(?, ?)", held)
            connection.execute("BEGIN IMMEDIATE")
            for statement in _PRUNE:
                connection.execute(statement)
            connection.execute("COMMIT")
            connection.execute("DROP TABLE kept")
            connection.execute("VACUUM")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            self._failed(error)

    # the file

    def save(self) -> None:
        """Write what has gathered; whatever prevents it is passed over."""
        pending, self._pending = self._pending, []
        connection = self._open() if pending and self._writable else None
        if connection is None:
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            before = _newest(connection)
            for statement, row in pending:
                connection.execute(statement, row)
            if before // THINNED_EVERY != _newest(connection) // THINNED_EVERY:
                connection.execute(_THIN, (KEPT_NOTES,))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            self._failed(error)

    def is_sound(self) -> bool:
        """Whether the file can be read as a whole; damage makes the next process begin a new one."""
        return (self._connection is None and self._path is None) or self._rows("PRAGMA integrity_check") == [("ok",)]

    def discard(self) -> None:
        """Remove the file: what it knows is found out again."""
        self._pending, self._notes = [], {}
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._path is not None and self._writable:
            with suppress(OSError):
                self._path.unlink()

    def close(self) -> None:
        """Save and release the file."""
        self.save()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, query: str, row: Sequence[Any] = ()) -> list[Any]:
        connection = self._open()
        if connection is None:
            return []
        try:
            return connection.execute(query, row).fetchall()
        except sqlite3.Error as error:
            self._failed(error)
            return []

    def _open(self) -> sqlite3.Connection | None:
        if self._connection is None and self._path is not None:
            try:
                self._connection = self._connect(self._path)
            except sqlite3.Error as error:
                self._failed(error)
        return self._connection

    def _connect(self, path: Path) -> sqlite3.Connection:
        mode = "rwc" if self._writable else "ro"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=BUSY_TIMEOUT
        )
        connection.execute("PRAGMA synchronous=OFF")
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0 and self._writable:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:  # no other process was first
                for statement in SCHEMA.split(";")[:-1]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            connection.execute("COMMIT")
        return connection

    def _failed(self, error: sqlite3.Error) -> None:
        """Do without the file from now on; if it is damaged, let the next process begin a new one."""
        damaged = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._path is not None and damaged and self._writable:
            with suppress(OSError):
                self._path.unlink()
                self._path.with_name(self._path.name + "-journal").unlink(missing_ok=True)
        self._path = None


def _newest(connection: sqlite3.Connection) -> int:
    """The number of the latest note."""
    return int(connection.execute("SELECT coalesce(max(rowid), 0) FROM note").fetchone()[0])


def _sealed(value: Any) -> str:
    """A note as it is stored: its checksum first, since nobody else would notice a bit of it that has changed."""
    text = json.dumps(value)
    return f"{zlib.crc32(text.encode()):08x}{text}"


def _unsealed(stored: Any) -> Any:
    """The value of a note, None if it is not what was noted."""
    text = stored[8:] if isinstance(stored, str) else ""
    return json.loads(text) if text and f"{zlib.crc32(text.encode()):08x}" == stored[:8] else None


def _packed(key: Key) -> tuple[bytes, str, bytes]:
    return bytes.fromhex(key[0]), key[1], bytes.fromhex(key[2])
