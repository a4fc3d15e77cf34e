"""The SQLite file of the derived store: its schema, where it lies, how it is opened, what its errors mean.

The name carries the schema's version and a generation. A damaged file is never mended and never made again under its
own name, since a process that still has it open would write into the write-ahead log of the new one: the next
generation is begun, then the damaged one removed. Knows nothing of views and slices.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from git_graph import codec
from git_graph.engines.protocol import Corrupt
from git_graph.errors import DiskFull, GraphError, Locked, NotWritable

TABLES_VERSION = 3
SCHEMA_VERSION = 100 * TABLES_VERSION + codec.FORMAT
"""The version of the tables and that of the slices in them: what was written before either changed is not read."""
BUSY_TIMEOUT = 20.0
"""Seconds that a writer waits for others; a transaction holds the file for a few 100 ms at most."""
CACHE_KIB = 16 * 1024
"""What a writer keeps of the file in memory."""
LOG_PAGES = 4096
"""Pages in the write-ahead log after which they are put in their places."""

_NAME = re.compile(r"engine-(\d+)\.(\d+)\.sqlite")
_UNESCAPED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:")

SCHEMA = """
CREATE TABLE slice(n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, language TEXT NOT NULL);
CREATE TABLE content(n INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX slice_language ON slice(language);
CREATE TABLE posting(name BLOB, slice INTEGER, kinds INTEGER NOT NULL, PRIMARY KEY(name, slice)) WITHOUT ROWID;
CREATE TABLE directory(n INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE path(n INTEGER PRIMARY KEY, directory INTEGER NOT NULL, name BLOB NOT NULL, UNIQUE(directory, name));
CREATE INDEX path_name ON path(name);
CREATE TABLE base(n INTEGER PRIMARY KEY, files_tree TEXT UNIQUE, files INTEGER NOT NULL, unused_since INTEGER);
CREATE TABLE base_file(base INTEGER, path INTEGER, slice INTEGER NOT NULL, PRIMARY KEY(base, path)) WITHOUT ROWID;
CREATE INDEX base_slice ON base_file(slice, base);
CREATE TABLE base_language(base INTEGER, language TEXT, files INTEGER, PRIMARY KEY(base, language)) WITHOUT ROWID;
CREATE TABLE view(n INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, snapshot TEXT NOT NULL, files_tree TEXT NOT NULL,
                  base INTEGER NOT NULL);
CREATE TABLE view_file(view INTEGER, path INTEGER, slice INTEGER, PRIMARY KEY(view, path)) WITHOUT ROWID;
CREATE INDEX view_slice ON view_file(slice, view);
CREATE TABLE loose(slice INTEGER PRIMARY KEY, since INTEGER NOT NULL);
CREATE INDEX loose_since ON loose(since);
CREATE TABLE kept(n INTEGER PRIMARY KEY AUTOINCREMENT, mark TEXT NOT NULL, files_tree TEXT NOT NULL,
                  base INTEGER NOT NULL, parent INTEGER, view INTEGER, whole INTEGER NOT NULL DEFAULT 0,
                  UNIQUE(files_tree, mark));
CREATE INDEX kept_base ON kept(base);
CREATE TABLE kept_file(kept INTEGER NOT NULL, path INTEGER NOT NULL, footprint BLOB NOT NULL, data BLOB NOT NULL,
                       UNIQUE(kept, path));
CREATE TABLE kept_change(kept INTEGER, path INTEGER, slice INTEGER, PRIMARY KEY(kept, path)) WITHOUT ROWID;
CREATE INDEX kept_slice ON kept_change(slice);
"""
"""slice, content: a slice's identity and its bytes. posting: by which names slices are found, and how they name them
(naming.py). base: a manifest that views share; files_tree NULL: being taken apart. view_file: where a view differs from
its base; slice NULL: the path is not there. loose: slices that perhaps nothing holds, and since when. kept, kept_file,
kept_change: what was found of a files tree (sqlite_kept.py); with a parent, for a view: the files in which its tree
differs from that of the base, and what is not found of those others.
"""


class Connection(sqlite3.Connection):
    """A connection that knows its file, and whether others must leave that alone meanwhile."""

    path: Path
    still: Callable[[], bool] | None = None
    """Where SQLite's locks cannot be had (a directory that cannot be written): whether the file is as it was opened."""

    def rows(self, statement: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
        """All rows of a query."""
        found = self.execute(statement, parameters).fetchall()
        if self.still and not self.still():
            raise Corrupt("the derived store was written while it was read without locks")
        return found


class Database:
    """The derived store's file in a directory: opened for reading or writing, thrown away when damaged."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._least = 0
        """Generations below this were seen damaged here."""

    @property
    def path(self) -> Path:
        """Where the file is, or will be."""
        generation = max((g for version, g in self._files() if version == SCHEMA_VERSION), default=0)
        return self.directory / f"engine-{SCHEMA_VERSION}.{max(generation, self._least)}.sqlite"

    def reader(self) -> Connection | None:
        """A connection that only reads, or None if there is nothing to read yet."""
        path = self.path
        if not _stamp(path):
            return None
        with self.guarded(path):
            connection = _connect(path, "mode=ro")
            try:
                version = _version(connection)
            except sqlite3.OperationalError as error:
                connection.close()
                if _code(error) not in _UNWRITABLE or _is_filled(path.with_name(path.name + "-wal")):
                    raise
                # Not even a reader's shared memory can be made here; whoever could write has the file closed.
                stamp = _stamp(path)
                connection = _connect(path, "immutable=1")
                connection.still = lambda: _stamp(path) == stamp
                version = _version(connection)
        if version:
            return connection
        connection.close()
        return None

    def writer(self) -> Connection:
        """A connection that writes; makes the file if there is none. Raises NotWritable."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotWritable(f"{self.directory} cannot be made: {error.strerror}") from error
        path = self.path
        with self.guarded(path):
            connection = _connect(path, "mode=rwc")
            if _version(connection) == 0:
                connection.execute("PRAGMA journal_mode=WAL")
                with transaction(connection):
                    if _version(connection) == 0:  # no other process was first
                        for statement in SCHEMA.split(";")[:-1]:
                            connection.execute(statement)
                        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
                self.remove_old()
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA temp_store=MEMORY")
            connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
            connection.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        return connection

    def discard(self, damaged: Path) -> None:
        """Throw a file away: begin the next generation, then remove this one."""
        self._least = max(self._least, int(damaged.name.split(".")[1]) + 1)
        with suppress(OSError):
            self.path.touch()
            for suffix in ("", "-wal", "-shm"):
                damaged.with_name(damaged.name + suffix).unlink(missing_ok=True)

    def remove_old(self) -> None:
        """Remove the files of earlier schemas and generations: nothing is read from them any more."""
        present = _NAME.fullmatch(self.path.name)
        assert present is not None
        for version, generation in list(self._files()):
            if (version, generation) < (int(present[1]), int(present[2])):
                for suffix in ("", "-wal", "-shm"):
                    with suppress(OSError):
                        (self.directory / f"engine-{version}.{generation}.sqlite{suffix}").unlink(missing_ok=True)

    @contextmanager
    def guarded(self, path: Path) -> Iterator[None]:
        """Turn SQLite's errors about the file into ours; if it is damaged, throw it away."""
        try:
            yield
        except sqlite3.Error as error:
            told = _told(error, path)
            if told is None:
                raise
            if isinstance(told, Corrupt):
                self.discard(path)
            raise told from error
        except Corrupt:
            self.discard(path)
            raise

    def _files(self) -> Iterator[tuple[int, int]]:
        """Schema version and generation of every derived store in the directory."""
        with suppress(OSError):
            for file in self.directory.iterdir():
                if match := _NAME.fullmatch(file.name):
                    yield int(match[1]), int(match[2])


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """All that is written inside, or nothing. Waits for other writers first."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


_BUSY = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_UNWRITABLE = frozenset((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM))
_DAMAGED = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR))


def _told(error: sqlite3.Error, path: Path) -> GraphError | None:
    """What an error of SQLite's means, None if it is a fault of ours."""
    code = _code(error)
    if code in _BUSY:
        return Locked(f"{path} is in use by another process", "try again")
    if code in _UNWRITABLE:
        return NotWritable(f"{path} cannot be written: {error}")
    if code == sqlite3.SQLITE_FULL:
        return DiskFull(f"no room for {path}", "free some space and try again")
    if code in _DAMAGED or str(error).startswith("no such "):
        return Corrupt(f"{path} is damaged: {error}", "it is built again by the next sync")
    return None


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _version(connection: Connection) -> int:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, SCHEMA_VERSION):
        raise Corrupt(f"the derived store has schema {version} under the name of {SCHEMA_VERSION}")
    return int(version)


def _connect(path: Path, mode: str) -> Connection:
    uri = f"file:{_escaped(path)}?{mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT, factory=Connection)
    connection.path = path
    return connection


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _is_filled(path: Path) -> bool:
    stamp = _stamp(path)
    return stamp is not None and stamp[1] > 0


def _escaped(path: Path) -> str:
    """A path as SQLite's URIs want it (urllib could say it as well, but importing it costs more than all else here)."""
    text = os.fsencode(path.absolute().as_posix())
    escaped = "".join(chr(c) if c in _UNESCAPED else f"%{c:02X}" for c in text)
    return escaped if escaped.startswith("/") else f"/{escaped}"
