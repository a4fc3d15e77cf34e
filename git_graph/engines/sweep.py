"""Removing from the SQLite file what no view holds any more, at leisure: a bounded amount of work for each bring.

A slice that a view lets go of is put among the loose ones and looked at an hour later: by then an edit that is taken
back, or another view, may hold it again. So it is with bases that no view uses.
"""

from __future__ import annotations

import time
import zlib

from git_graph import codec
from git_graph.engines import sqlite_kept
from git_graph.engines.database import Connection, transaction
from git_graph.engines.naming import naming
from git_graph.engines.protocol import Corrupt
from git_graph.engines.sqlite_view import encoded

LEISURE = 3600
"""Seconds for which something that nothing holds is kept."""
SLICES = 64
"""Slices removed at a time."""
ROWS = 1000
"""Rows of an unused base removed at a time."""


def empty_view(db: Connection, view: int, now: int) -> None:
    """Remove the rows in which a view differs from its base."""
    db.execute(
        "REPLACE INTO loose SELECT slice, ? FROM view_file WHERE view = ? AND slice NOTNULL",
        (now, view),
    )
    db.execute("DELETE FROM view_file WHERE view = ?", (view,))


def leave_base(db: Connection, base: int, now: int) -> None:
    """Say that a view has left a base; remembers since when none uses it."""
    db.execute(
        "UPDATE base SET unused_since = ?1 WHERE n = ?2 AND NOT EXISTS (SELECT 1 FROM view WHERE base = ?2)",
        (now, base),
    )


def drop_view(db: Connection, name: bytes) -> None:
    """Forget a view."""
    now = int(time.time())
    with transaction(db):
        for view, base in db.rows("SELECT n, base FROM view WHERE name = ?", (name,)):
            empty_view(db, view, now)
            sqlite_kept.leave_view(db, view)
            db.execute("DELETE FROM view WHERE n = ?", (view,))
            leave_base(db, base, now)
        some(db, now)


def everything(db: Connection) -> None:
    """Remove all that nothing holds, at once, and give the room back."""
    now = int(time.time())
    done = 1
    while done:
        with transaction(db):
            done = some(db, now, leisure=0)
    with transaction(db):
        sqlite_kept.tidy(db)
        db.execute(
            "DELETE FROM path WHERE n NOT IN (SELECT path FROM base_file) AND n NOT IN (SELECT path FROM view_file)"
            " AND n NOT IN (SELECT path FROM kept_file) AND n NOT IN (SELECT path FROM kept_change)"
        )
        db.execute("DELETE FROM directory WHERE n NOT IN (SELECT directory FROM path)")
    db.execute("VACUUM")
    _fold_log(db)


def _fold_log(db: Connection) -> None:
    """Fold the write-ahead log into the file, as far as open readers let us: none of them is waited for."""
    ((patience,),) = db.rows("PRAGMA busy_timeout")
    db.execute("PRAGMA busy_timeout = 0")
    try:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        db.execute(f"PRAGMA busy_timeout = {patience}")


def some(db: Connection, now: int, leisure: int | None = None) -> int:
    """Remove a bounded amount of what nothing has held for a while; how much that was."""
    before = now - (LEISURE if leisure is None else leisure)
    return _bases(db, now, before) + _slices(db, before)


def _bases(db: Connection, now: int, before: int) -> int:
    unused = db.rows("SELECT n FROM base WHERE unused_since <= ? LIMIT 1", (before,))
    if not unused:
        return 0
    base = unused[0][0]
    db.execute("UPDATE base SET files_tree = NULL WHERE n = ?", (base,))  # from here on nobody can come back to it
    if known := sqlite_kept.leave_base(db, base, ROWS):
        return known
    gone = db.rows("SELECT path, slice FROM base_file WHERE base = ? LIMIT ?", (base, ROWS))
    db.executemany("REPLACE INTO loose VALUES (?, ?)", ((slice_, now) for _, slice_ in gone))
    db.executemany("DELETE FROM base_file WHERE base = ? AND path = ?", ((base, path) for path, _ in gone))
    if len(gone) < ROWS:
        db.execute("DELETE FROM base_language WHERE base = ?", (base,))
        db.execute("DELETE FROM base WHERE n = ?", (base,))
    return len(gone) + 1


def _slices(db: Connection, before: int) -> int:
    rows = db.rows(
        "SELECT l.slice, EXISTS (SELECT 1 FROM base_file b WHERE b.slice = l.slice)"
        " OR EXISTS (SELECT 1 FROM view_file v WHERE v.slice = l.slice)"
        " OR EXISTS (SELECT 1 FROM kept_change k WHERE k.slice = l.slice) FROM loose l WHERE l.since <= ? LIMIT ?",
        (before, SLICES),
    )
    for number, held in rows:
        if not held:
            _remove(db, number)
        db.execute("DELETE FROM loose WHERE slice = ?", (number,))
    return len(rows)


def _remove(db: Connection, number: int) -> None:
    rows = db.rows("SELECT data, checksum FROM content WHERE n = ?", (number,))
    if not rows or zlib.crc32(rows[0][0]) != rows[0][1]:
        raise Corrupt(f"slice {number} is damaged in {db.path}")
    data = rows[0][0]
    names = map(encoded, naming(codec.decode_trusted(data)))
    db.executemany("DELETE FROM posting WHERE name = ? AND slice = ?", ((name, number) for name in names))
    db.execute("DELETE FROM content WHERE n = ?", (number,))
    db.execute("DELETE FROM slice WHERE n = ?", (number,))
