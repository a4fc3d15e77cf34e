"""What was found of files trees, in the SQLite file: of a base as a whole, of a view where it is not as in its base.

So views that share a base share what was found of it, and each has at most one set of its own. What differs between a
view and what was found is told by the rows in which either differs from the base. Knows nothing of what the bytes mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from git_graph.engines.database import Connection
from git_graph.engines.protocol import Kept, KeptFile

MARKS = 2
"""Under so many marks something is kept for one base: two versions of the program may be in use at once."""

PATHS = """
SELECT d.path, p.name FROM kept_file f CROSS JOIN path p ON p.n = f.path
CROSS JOIN directory d ON d.n = p.directory WHERE f.kept = ?
"""
FILE = """
SELECT d.path, p.name, f.footprint, f.data FROM directory d CROSS JOIN path p ON p.directory = d.n
CROSS JOIN kept_file f ON f.path = p.n WHERE d.path = ? AND p.name = ? AND f.kept = ?
"""

CHANGES = """
SELECT d.path, p.name, old.id, new.id FROM (
    SELECT c.path, CASE WHEN k.path IS NULL THEN b.slice ELSE k.slice END AS before,
           CASE WHEN v.path IS NULL THEN b.slice ELSE v.slice END AS after
    FROM (SELECT path FROM view_file WHERE view = :view UNION SELECT path FROM kept_change WHERE kept = :kept) c
    LEFT JOIN view_file v ON v.view = :view AND v.path = c.path
    LEFT JOIN kept_change k ON k.kept = :kept AND k.path = c.path
    LEFT JOIN base_file b ON b.base = :base AND b.path = c.path
) c CROSS JOIN path p ON p.n = c.path CROSS JOIN directory d ON d.n = p.directory
LEFT JOIN slice old ON old.n = c.before LEFT JOIN slice new ON new.n = c.after
WHERE c.before IS NOT c.after LIMIT :most
"""
"""Where a view differs from what was kept for its base, or for a view of that."""

ALL_CHANGES = """
WITH now AS (
    SELECT path, slice FROM base_file b WHERE base = :base
    AND NOT EXISTS (SELECT 1 FROM view_file v WHERE v.view = :view AND v.path = b.path)
    UNION ALL SELECT path, slice FROM view_file WHERE view = :view AND slice NOTNULL
), then_ AS (SELECT path, slice FROM base_file WHERE base = :other)
SELECT d.path, p.name, old.id, new.id FROM (
    SELECT t.path, t.slice AS before, n.slice AS after FROM then_ t LEFT JOIN now n ON n.path = t.path
    WHERE n.slice IS NOT t.slice
    UNION ALL SELECT n.path, NULL, n.slice FROM now n
    WHERE NOT EXISTS (SELECT 1 FROM base_file b WHERE b.base = :other AND b.path = n.path)
) c CROSS JOIN path p ON p.n = c.path CROSS JOIN directory d ON d.n = p.directory
LEFT JOIN slice old ON old.n = c.before LEFT JOIN slice new ON new.n = c.after
"""
"""Where a view differs from another base."""


def load(connection: Connection, key: Mapping[str, Any], files_tree: str, mark: str, most: int | None) -> Kept | None:
    """See GraphView.kept; `key` are the numbers of the view and its base."""
    exact = connection.rows("SELECT n, parent, whole FROM kept WHERE files_tree = ? AND mark = ?", (files_tree, mark))
    near = exact or connection.rows(
        "SELECT n, parent, whole FROM kept WHERE base = :base AND mark = :mark AND (parent IS NULL OR view = :view)"
        " ORDER BY parent IS NULL LIMIT 1",
        {**key, "mark": mark},
    )
    if near:
        number, parent, whole = near[0]
        some = -1 if most is None else most + 1
        rows = [] if exact else connection.rows(CHANGES, {**key, "kept": number, "most": some})
        if most is not None and len(rows) > most:
            return None
        return _kept(connection, number, parent, rows, whole=bool(whole))
    if most is not None:
        return None
    last = connection.rows(
        "SELECT k.n, b.n FROM kept k CROSS JOIN base b ON b.n = k.base AND b.files_tree NOTNULL"
        " WHERE parent IS NULL AND mark = ? ORDER BY k.n DESC LIMIT 1",
        (mark,),
    )
    if not last:
        return None
    number, other = last[0]
    return _kept(connection, number, None, connection.rows(ALL_CHANGES, {**key, "other": other}), whole=False)


def differences(connection: Connection, view: int) -> list[tuple[int, int | None]]:
    """The rows in which a view differs from its base."""
    return connection.rows("SELECT path, slice FROM view_file WHERE view = ?", (view,))


def store(
    db: Connection,
    key: Mapping[str, Any],
    files_tree: str,
    mark: str,
    differing: list[tuple[int, int | None]],
    files: Mapping[str, KeptFile],
    *,
    whole: bool,
) -> None:
    """Keep more of a files tree, inside a transaction; `differing` as told by `differences`. Nothing if it is gone."""
    number = _number(db, key, files_tree, mark, differing)
    if number is None:
        return
    db.executemany(
        "REPLACE INTO kept_file SELECT ?, p.n, ?, ? FROM directory d CROSS JOIN path p"
        " ON p.directory = d.n AND p.name = ? WHERE d.path = ?",
        (
            (number, file.footprint, file.data, name, directory)
            for (directory, name), file in ((_split(path), file) for path, file in sorted(files.items()))
        ),
    )
    db.execute("UPDATE kept SET whole = ? WHERE n = ?", (whole, number))


def _number(
    db: Connection, key: Mapping[str, Any], files_tree: str, mark: str, differing: list[tuple[int, int | None]]
) -> int | None:
    """The number under which something is kept for a files tree; what is in its way goes."""
    for (number,) in db.rows("SELECT n FROM kept WHERE files_tree = ? AND mark = ?", (files_tree, mark)):
        return int(number)
    if not db.rows("SELECT 1 FROM base WHERE n = ? AND files_tree NOTNULL", (key["base"],)):
        return None
    parent = None
    if differing:
        whole = db.rows("SELECT n FROM kept WHERE base = ? AND mark = ? AND parent IS NULL", (key["base"], mark))
        if not whole:
            return None
        parent = whole[0][0]
        _remove(db, "parent NOTNULL AND view = ? AND mark = ?", (key["view"], mark))
    number = db.rows(
        "INSERT INTO kept(mark, files_tree, base, parent, view) VALUES (?, ?, ?, ?, ?) RETURNING n",
        (mark, files_tree, key["base"], parent, None if parent is None else key["view"]),
    )[0][0]
    db.executemany("INSERT INTO kept_change VALUES (?, ?, ?)", ((number, *row) for row in differing))
    marks = db.rows("SELECT mark FROM kept WHERE base = ? GROUP BY mark ORDER BY max(n) DESC", (key["base"],))
    for (old,) in marks[MARKS:]:
        _remove(db, "base = ? AND mark = ?", (key["base"], old))
    return int(number)


def leave_view(db: Connection, view: int) -> None:
    """Remove what is kept for a view alone: it goes."""
    _remove(db, "view = ?", (view,))


def leave_base(db: Connection, base: int, most: int) -> int:
    """Remove what is kept for a base, which goes, and for views that differ from it, but no more than `most` at once;
    how much that was."""
    for (number,) in db.rows("SELECT n FROM kept WHERE base = ? LIMIT 1", (base,)):
        some = "SELECT rowid FROM kept_file WHERE kept = ? LIMIT ?"
        gone = db.execute(f"DELETE FROM kept_file WHERE rowid IN ({some})", (number, most)).rowcount
        if gone < most:
            _remove(db, "n = ?", (number,))
        return gone + 1
    return 0


def tidy(db: Connection) -> None:
    """Remove what was kept for views that have another base by now."""
    _remove(db, "parent NOTNULL AND NOT EXISTS (SELECT 1 FROM view v WHERE v.n = kept.view AND v.base = kept.base)", ())


class _Files(Mapping[str, KeptFile]):
    """What was found of files, looked up in one set after the other."""

    def __init__(self, connection: Connection, numbers: tuple[int, ...]) -> None:
        self._connection = connection
        self._numbers = numbers

    def __getitem__(self, path: str) -> KeptFile:
        directory, name = _split(path)
        for number in self._numbers:
            for _, _, footprint, data in self._connection.rows(FILE, (directory, name, number)):
                return KeptFile(footprint, data)
        raise KeyError(path)

    def __iter__(self) -> Iterator[str]:
        found = {_path(*row): None for n in self._numbers for row in self._connection.rows(PATHS, (n,))}
        return iter(found)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _kept(connection: Connection, number: int, parent: int | None, changes: list[Any], *, whole: bool) -> Kept:
    changed = {
        _path(directory, name): (before and before.hex(), after and after.hex())
        for directory, name, before, after in changes
    }
    numbers = (number,) if parent is None else (number, parent)
    return Kept(changed, _Files(connection, numbers), _Files(connection, numbers[:-1]), whole)


def _remove(db: Connection, where: str, parameters: tuple[object, ...]) -> None:
    for (number,) in db.rows(f"SELECT n FROM kept WHERE {where}", parameters):
        db.execute("DELETE FROM kept_file WHERE kept = ?", (number,))
        db.execute("REPLACE INTO loose SELECT slice, 0 FROM kept_change WHERE kept = ? AND slice NOTNULL", (number,))
        db.execute("DELETE FROM kept_change WHERE kept = ?", (number,))
        db.execute("DELETE FROM kept WHERE n = ?", (number,))


def _path(directory: bytes, name: bytes) -> str:
    return (directory + b"/" + name if directory else name).decode("utf-8", "surrogateescape")


def _split(path: str) -> tuple[bytes, bytes]:
    directory, _, name = path.encode("utf-8", "surrogateescape").rpartition(b"/")
    return directory, name
