"""Bringing a view to a root in the SQLite file, at the cost of what changed.

What is brought is staged in a temporary table first, slices that the file does not have are taken in in transactions of
their own (so that other writers get their turn, and an interrupted bring keeps them), then one transaction moves the
view. Only what differs from the view's base is written; when that is much, the view gets a base of its own.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_graph import codec
from git_graph.engines import sweep
from git_graph.engines.database import Connection, transaction
from git_graph.engines.naming import naming
from git_graph.engines.protocol import FileChange
from git_graph.engines.sqlite_view import encoded
from git_graph.errors import MissingObject
from git_graph.model import Slice
from git_graph.records import NamedTuple

Everything = Callable[[], Iterable[tuple[str, str]]]
Read = Callable[[Sequence[str]], Iterator[tuple[str, bytes]]]
Decode = Callable[[bytes], Slice]

BATCH = 256
"""Slices taken in in one transaction."""
BATCH_BYTES = 4 * 1024 * 1024
SMALL_DIFFERENCE = 128
"""A view that differs from a base in no more paths than this, or an eighth of all, is told by the difference."""

TEMPORARY = """
CREATE TEMP TABLE staged(directory BLOB, name BLOB, id BLOB, path INTEGER, slice INTEGER);
CREATE TEMP TABLE whole(path INTEGER PRIMARY KEY, slice INTEGER NOT NULL);
"""
"""staged: the paths being brought, `id` NULL: gone. whole: all files of a view, when they must be compared."""


class Start(NamedTuple):
    """A view at the root that changes start from."""

    view: int
    base: int
    snapshot: str


class Bringing:
    """One view on its way to one root."""

    def __init__(self, db: Connection, view: str, snapshot: str, files_tree: str) -> None:
        self.db = db
        self.view = view
        self.snapshot = snapshot
        self.files_tree = files_tree
        self.now = int(time.time())

    def run(self, changes: Sequence[FileChange] | None, everything: Everything, read: Read, since: str | None) -> None:
        """Bring the view; see Engine.bring."""
        if self._adopted():
            return
        self.db.executescript(TEMPORARY)
        start = None if changes is None else self._start(since)
        if changes is not None and start is not None:
            self._stage(changes)
            self._take_in(read)
            if self._moved_from(start, since, read):
                return
        self._stage(everything())
        self._take_in(read)
        with transaction(self.db):
            self._number(read)
            self.db.execute("INSERT INTO whole SELECT path, slice FROM staged ORDER BY path")
            self._settle()
            sweep.some(self.db, self.now)

    # a files tree that is known already

    def _adopted(self) -> bool:
        """Put the view where another one, or a base, is already."""
        if self._twin() is None:
            return False
        with transaction(self.db):
            if (twin := self._twin()) is None:
                return False
            view, base = twin
            own = self._place(base)
            if view != own:
                self._empty(own)
                self._copy(view, own)
            sweep.some(self.db, self.now)
        return True

    def _twin(self) -> tuple[int | None, int] | None:
        """A view (None: a base as it is) and base with the files tree; the view itself before all others."""
        rows = self.db.rows(
            "SELECT n, base FROM view WHERE files_tree = ?1 AND name = ?2"
            " UNION ALL SELECT NULL, n FROM base WHERE files_tree = ?1"
            " UNION ALL SELECT n, base FROM view WHERE files_tree = ?1 LIMIT 1",
            (self.files_tree, encoded(self.view)),
        )
        return rows[0] if rows else None

    # changes

    def _start(self, since: str | None) -> Start | None:
        """The view that is at the root that the changes start from."""
        rows = self.db.rows(
            "SELECT n, base, snapshot FROM view WHERE snapshot = coalesce(?1, snapshot) AND (name = ?2 OR ?1 NOTNULL)"
            " ORDER BY name <> ?2 LIMIT 1",
            (since, encoded(self.view)),
        )
        return Start(*rows[0]) if rows else None

    def _moved_from(self, start: Start, since: str | None, read: Read) -> bool:
        """Apply the staged changes, unless the view that they start from has moved meanwhile."""
        with transaction(self.db):
            if self._start(since) != start:
                return False
            self._number(read)
            view = self._place(start.base)
            if view != start.view:
                self._empty(view)
                self._copy(start.view, view)
            self._change(view, start.base)
            if self._differs_much(view, start.base):
                self._fill_whole(view, start.base)
                self._settle()
            sweep.some(self.db, self.now)
        return True

    def _change(self, view: int, base: int) -> None:
        key = {"view": view, "base": base, "now": self.now}
        self.db.execute(
            "REPLACE INTO loose SELECT v.slice, :now FROM staged t CROSS JOIN view_file v"
            " ON v.view = :view AND v.path = t.path WHERE v.slice NOTNULL",
            key,
        )
        self.db.execute("DELETE FROM view_file WHERE view = :view AND path IN (SELECT path FROM staged)", key)
        self.db.execute(
            "INSERT INTO view_file SELECT :view, t.path, t.slice FROM staged t"
            " LEFT JOIN base_file b ON b.base = :base AND b.path = t.path WHERE t.slice IS NOT b.slice",
            key,
        )

    def _differs_much(self, view: int, base: int) -> bool:
        differing = self.db.rows("SELECT count(*) FROM view_file WHERE view = ?", (view,))[0][0]
        files = self.db.rows("SELECT files FROM base WHERE n = ?", (base,))[0][0]
        return bool(differing > 2 * max(SMALL_DIFFERENCE, files // 8))

    def _fill_whole(self, view: int, base: int) -> None:
        self.db.execute(
            "INSERT INTO whole SELECT path, slice FROM base_file b WHERE base = :base"
            " AND NOT EXISTS (SELECT 1 FROM view_file v WHERE v.view = :view AND v.path = b.path)"
            " UNION ALL SELECT path, slice FROM view_file WHERE view = :view AND slice NOTNULL",
            {"view": view, "base": base},
        )

    # everything

    def _settle(self) -> None:
        """Put the view at `whole`: as what differs from the nearest base, or as a new base if none is near."""
        base = self._nearest()
        if base is None:
            base = self._new_base()
        view = self._place(base)
        self._empty(view)
        key = {"view": view, "base": base}
        self.db.execute(
            "INSERT INTO view_file SELECT :view, w.path, w.slice FROM whole w"
            " LEFT JOIN base_file b ON b.base = :base AND b.path = w.path WHERE w.slice IS NOT b.slice",
            key,
        )
        self.db.execute(
            "INSERT INTO view_file SELECT :view, b.path, NULL FROM base_file b"
            " WHERE b.base = :base AND NOT EXISTS (SELECT 1 FROM whole w WHERE w.path = b.path)",
            key,
        )

    def _nearest(self) -> int | None:
        files = self.db.rows("SELECT count(*) FROM whole")[0][0]
        near, found = max(SMALL_DIFFERENCE, files // 8), None
        for base, size in self.db.rows("SELECT n, files FROM base WHERE files_tree NOTNULL ORDER BY n DESC LIMIT 4"):
            if abs(size - files) > near:
                continue
            shared, same = self.db.rows(
                "SELECT count(*), coalesce(sum(b.slice = w.slice), 0) FROM whole w"
                " CROSS JOIN base_file b ON b.base = ? AND b.path = w.path",
                (base,),
            )[0]
            if (differing := files - same + size - shared) <= near:
                near, found = differing, base
        return found

    def _new_base(self) -> int:
        base = self.db.rows(
            "INSERT INTO base(files_tree, files) SELECT ?, count(*) FROM whole RETURNING n", (self.files_tree,)
        )[0][0]
        self.db.execute("INSERT INTO base_file SELECT ?, path, slice FROM whole ORDER BY path", (base,))
        self.db.execute(
            "INSERT INTO base_language SELECT ?, s.language, count(*) FROM whole w CROSS JOIN slice s ON s.n = w.slice"
            " GROUP BY s.language",
            (base,),
        )
        return int(base)

    # rows of the view itself

    def _place(self, base: int) -> int:
        """Say that the view is at the root on this base; returns its number. Its differences are the caller's."""
        before = self.db.rows("SELECT base FROM view WHERE name = ?", (encoded(self.view),))
        number = self.db.rows(
            "INSERT INTO view(name, snapshot, files_tree, base) VALUES (?, ?, ?, ?)"
            " ON CONFLICT(name) DO UPDATE SET snapshot = excluded.snapshot, files_tree = excluded.files_tree,"
            " base = excluded.base RETURNING n",
            (encoded(self.view), self.snapshot, self.files_tree, base),
        )[0][0]
        self.db.execute("UPDATE base SET unused_since = NULL WHERE n = ? AND unused_since NOTNULL", (base,))
        if before and before[0][0] != base:
            sweep.leave_base(self.db, before[0][0], self.now)
        return int(number)

    def _empty(self, view: int) -> None:
        sweep.empty_view(self.db, view, self.now)

    def _copy(self, view: int | None, to: int) -> None:
        self.db.execute("INSERT INTO view_file SELECT ?, path, slice FROM view_file WHERE view = ?", (to, view))

    # staged paths and their slices

    def _stage(self, files: Iterable[tuple[str, str | None]]) -> None:
        self.db.execute("DELETE FROM staged")
        self.db.execute("BEGIN")
        self.db.executemany("INSERT INTO staged(directory, name, id) VALUES (?, ?, ?)", map(_row, dict(files).items()))
        self.db.execute("COMMIT")

    def _number(self, read: Read) -> None:
        """Give each staged path and slice its number, in the transaction that will use them."""
        self._take_in(read)  # what was there when it was staged may have been swept since
        self.db.execute("INSERT OR IGNORE INTO directory(path) SELECT directory FROM staged WHERE id NOTNULL")
        self.db.execute(
            "INSERT OR IGNORE INTO path(directory, name) SELECT d.n, t.name FROM staged t"
            " CROSS JOIN directory d ON d.path = t.directory WHERE t.id NOTNULL"
        )
        self.db.execute(
            "UPDATE staged SET slice = (SELECT n FROM slice s WHERE s.id = staged.id), path = ("
            "SELECT p.n FROM directory d CROSS JOIN path p ON p.directory = d.n AND p.name = staged.name"
            " WHERE d.path = staged.directory)"
        )

    def _take_in(self, read: Read) -> None:
        """Take in the slices of staged paths that are not here yet."""
        missing = self._missing()
        if not missing:
            return
        take_in(self.db, read(missing), codec.decode, self.now)
        if lost := sorted(set(missing).intersection(self._missing())):
            raise MissingObject(f"slice {lost[0]} of view {self.view} is missing", "run: git graph verify")

    def _missing(self) -> list[str]:
        rows = self.db.rows(
            "SELECT DISTINCT id FROM staged t WHERE id NOTNULL AND NOT EXISTS (SELECT 1 FROM slice s WHERE s.id = t.id)"
        )
        return [slice_id.hex() for (slice_id,) in rows]


def take_in(db: Connection, slices: Iterable[tuple[str, bytes]], decode: Decode, now: int) -> None:
    """Take slices in, in transactions of a bounded size unless one is open. They are loose until a view holds them."""
    batch: list[tuple[str, bytes]] = []
    size = 0
    for slice_id, data in slices:
        batch.append((slice_id, data))
        size += len(data)
        if len(batch) >= BATCH or size >= BATCH_BYTES:
            _take_in_batch(db, batch, decode, now)
            batch, size = [], 0
    _take_in_batch(db, batch, decode, now)


def _take_in_batch(db: Connection, batch: Iterable[tuple[str, bytes]], decode: Decode, now: int) -> None:
    read = [(bytes.fromhex(slice_id), data, decode(data)) for slice_id, data in batch]
    if db.in_transaction:
        _insert(db, read, now)
    elif read:
        with transaction(db):
            _insert(db, read, now)


def _insert(db: Connection, read: Iterable[tuple[bytes, bytes, Slice]], now: int) -> None:
    number = db.rows("SELECT coalesce(max(n), 0) FROM slice")[0][0]
    postings: list[tuple[bytes, int, int]] = []
    for slice_id, data, slice_ in read:
        number += 1
        row = number, slice_id, slice_.language
        if not db.execute("INSERT OR IGNORE INTO slice(n, id, language) VALUES (?, ?, ?)", row).rowcount:
            continue
        db.execute("INSERT INTO content VALUES (?, ?, ?)", (number, zlib.crc32(data), data))
        db.execute("INSERT INTO loose VALUES (?, ?)", (number, now))
        postings += [(encoded(name), number, kinds) for name, kinds in naming(slice_).items()]
    postings.sort()
    db.executemany("INSERT INTO posting VALUES (?, ?, ?)", postings)


def _row(file: tuple[str, str | None]) -> tuple[bytes, bytes, bytes | None]:
    directory, _, name = encoded(file[0]).rpartition(b"/")
    return directory, name, None if file[1] is None else bytes.fromhex(file[1])
