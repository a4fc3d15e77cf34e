"""What was found of a files tree, in the SQLite file: whole, or as what differs from another one that is whole.

Knows nothing of what the bytes mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from git_graph.engines.database import Connection
from git_graph.engines.protocol import Kept, KeptFile

SHARE = 4
"""What differs from a whole one in more than one of this many files is kept whole itself."""
SPARE = 2
"""As many of the last ones stay though no view is at their files tree: something to start from."""

FILES = """
SELECT d.path, p.name, f.slice, f.footprint, f.data FROM kept_file f CROSS JOIN path p ON p.n = f.path
CROSS JOIN directory d ON d.n = p.directory WHERE f.kept = ?
"""
FILE = """
SELECT d.path, p.name, f.slice, f.footprint, f.data FROM directory d CROSS JOIN path p ON p.directory = d.n
CROSS JOIN kept_file f ON f.path = p.n WHERE d.path = ? AND p.name = ? AND f.kept = ?
"""
MANY = 48
"""Who asks for more files than this is given them all at once."""


def load(connection: Connection, files_tree: str) -> Kept | None:
    """What is kept for a files tree, else what was kept last."""
    rows = connection.rows(
        "SELECT n, parent, facts, files_tree FROM kept ORDER BY files_tree <> ?, n DESC LIMIT 1", (files_tree,)
    )
    if not rows:
        return None
    number, parent, facts, tree = rows[0]
    return Kept(tree, facts, _Files(connection, number, parent))


def store(db: Connection, files_tree: str, facts: bytes, files: Mapping[str, KeptFile]) -> None:
    """Keep something for a files tree, inside a transaction; what no view is at any more goes."""
    same = "SELECT n FROM kept WHERE files_tree = ?"
    _remove(db, f"n IN ({same}) OR parent IN ({same})", (files_tree, files_tree))
    parent, differing = _nearest(db, files)
    number = db.rows(
        "INSERT INTO kept(files_tree, parent, facts) VALUES (?, ?, ?) RETURNING n", (files_tree, parent, facts)
    )[0][0]
    db.executemany(
        "INSERT INTO kept_file SELECT ?, p.n, ?, ?, ? FROM directory d CROSS JOIN path p"
        " ON p.directory = d.n AND p.name = ? WHERE d.path = ?",
        (
            (number, bytes.fromhex(file.slice_id), file.footprint, file.data, name, directory)
            for (directory, name), file in ((_split(path), file) for path, file in sorted(differing.items()))
        ),
    )
    sweep(db, SPARE)


def sweep(db: Connection, spare: int) -> None:
    """Remove what is kept for files trees that no view is at, the last `spare` aside."""
    unused = (
        "n NOT IN (SELECT k.n FROM kept k WHERE k.files_tree IN (SELECT files_tree FROM view))"
        " AND n NOT IN (SELECT n FROM kept ORDER BY n DESC LIMIT ?)"
    )
    _remove(db, f"parent NOTNULL AND {unused}", (spare,))
    _remove(db, f"parent IS NULL AND {unused} AND n NOT IN (SELECT parent FROM kept WHERE parent NOTNULL)", (spare,))


class _Files(Mapping[str, KeptFile]):
    """The files of one that is kept: a few are read one by one, many all at once."""

    def __init__(self, connection: Connection, number: int, parent: int | None) -> None:
        self._connection = connection
        self._numbers = (number,) if parent is None else (number, parent)
        self._some: dict[str, KeptFile | None] = {}

    @cached_property
    def _all(self) -> dict[str, KeptFile]:
        found: dict[str, KeptFile] = {}
        for number in reversed(self._numbers):
            found.update(_files(self._connection, number))
        return found

    def __getitem__(self, path: str) -> KeptFile:
        if len(self._some) >= MANY:
            return self._all[path]
        if path not in self._some:
            self._some[path] = self._one(path)
        found = self._some[path]
        if found is None:
            raise KeyError(path)
        return found

    def _one(self, path: str) -> KeptFile | None:
        directory, name = _split(path)
        for number in self._numbers:
            for _, file in _read(self._connection.rows(FILE, (directory, name, number))):
                return file
        return None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


def _remove(db: Connection, where: str, parameters: tuple[object, ...]) -> None:
    for (number,) in db.rows(f"SELECT n FROM kept WHERE {where}", parameters):
        db.execute("DELETE FROM kept_file WHERE kept = ?", (number,))
        db.execute("DELETE FROM kept WHERE n = ?", (number,))


def _nearest(db: Connection, files: Mapping[str, KeptFile]) -> tuple[int | None, Mapping[str, KeptFile]]:
    """A whole one that differs little, and what differs from it; None and everything if there is none."""
    for (number,) in db.rows("SELECT n FROM kept WHERE parent IS NULL ORDER BY n DESC LIMIT 2"):
        known = dict(_files(db, number))
        if known.keys() != files.keys():
            continue
        differing = {path: file for path, file in files.items() if known[path] != file}
        if len(differing) * SHARE <= len(files):
            return number, differing
    return None, files


def _files(connection: Connection, number: int) -> Iterator[tuple[str, KeptFile]]:
    return _read(connection.rows(FILES, (number,)))


def _read(rows: Iterable[tuple[bytes, bytes, bytes, bytes, bytes]]) -> Iterator[tuple[str, KeptFile]]:
    for directory, name, slice_id, footprint, data in rows:
        path = (directory + b"/" + name if directory else name).decode("utf-8", "surrogateescape")
        yield path, KeptFile(slice_id.hex(), footprint, data)


def _split(path: str) -> tuple[bytes, bytes]:
    directory, _, name = path.encode("utf-8", "surrogateescape").rpartition(b"/")
    return directory, name
