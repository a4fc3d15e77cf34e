"""A view in the SQLite file: each question is one indexed query, whatever the size of the view.

A view is a base, which others share, and the rows that differ from it. Every query therefore asks both: what the view
says of a path hides what the base says. The connection stays in the read transaction in which the view was opened, so
all answers are of one root, whatever is written meanwhile.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from git_graph import codec
from git_graph.engines.cache import SliceCache
from git_graph.engines.database import Connection
from git_graph.engines.naming import DEFINES, EXPORTS, IMPORTS, REFERS, fragment, pattern
from git_graph.engines.protocol import Corrupt, GraphView, Kept, KeptFile
from git_graph.errors import GraphError
from git_graph.model import Slice
from git_graph.records import NamedTuple

BY_PATH = """
SELECT d.path, p.name, s.n, s.id, s.language
FROM {driver}
LEFT JOIN view_file v ON v.view = :view AND v.path = p.n
LEFT JOIN base_file b ON b.base = :base AND b.path = p.n
CROSS JOIN slice s ON s.n = CASE WHEN v.path IS NULL THEN b.slice ELSE v.slice END
"""
"""Files found by their paths: `driver` yields directory d and path p."""
AT = BY_PATH.format(driver="directory d CROSS JOIN path p ON p.directory = d.n AND p.name = :name AND d.path = :path")
IN = BY_PATH.format(driver="directory d CROSS JOIN path p ON p.directory = d.n AND d.path = :path")
NAMED = BY_PATH.format(driver="path p CROSS JOIN directory d ON d.n = p.directory AND p.name = :name")
ALL = BY_PATH.format(driver="path p CROSS JOIN directory d ON d.n = p.directory")

HIDDEN = "EXISTS (SELECT 1 FROM view_file h WHERE h.view = :view AND h.path = b.path)"
BY_SLICE = f"""
SELECT d.path, p.name, s.n, s.id, s.language
FROM (
    SELECT b.path, b.slice FROM {{driver}} CROSS JOIN base_file b ON b.slice = o.slice AND b.base = :base
    WHERE NOT {HIDDEN}
    UNION ALL
    SELECT v.path, v.slice FROM {{driver}} CROSS JOIN view_file v ON v.slice = o.slice AND v.view = :view
) f
CROSS JOIN path p ON p.n = f.path CROSS JOIN directory d ON d.n = p.directory CROSS JOIN slice s ON s.n = f.slice
"""
"""Files found by their slices: `driver` yields slice o."""
BY_NAME = BY_SLICE.format(driver="(SELECT slice FROM posting WHERE name = :name AND kinds & :kind) o")
BY_LANGUAGE = BY_SLICE.format(driver="(SELECT n AS slice FROM slice WHERE language = :language) o")

SYMBOL_NAMES = f"""
SELECT DISTINCT o.name FROM posting o
WHERE o.kinds & {DEFINES} AND instr(o.name, :fragment) AND (
    EXISTS (SELECT 1 FROM base_file b WHERE b.slice = o.slice AND b.base = :base AND NOT {HIDDEN})
    OR EXISTS (SELECT 1 FROM view_file v WHERE v.slice = o.slice AND v.view = :view))
"""

MOST_REFERRED = f"""
WITH held AS MATERIALIZED (
    SELECT slice, count(*) AS files FROM (
        SELECT b.slice FROM base_file b WHERE b.base = :base AND NOT {HIDDEN}
        UNION ALL
        SELECT v.slice FROM view_file v WHERE v.view = :view AND v.slice NOT NULL
    ) GROUP BY slice
)
SELECT o.name, sum(CASE WHEN o.kinds & {REFERS} THEN h.files ELSE 0 END) AS referring,
    sum(CASE WHEN o.kinds & {DEFINES} THEN h.files ELSE 0 END) AS defining
FROM posting o CROSS JOIN held h ON h.slice = o.slice GROUP BY o.name
HAVING referring AND defining BETWEEN 1 AND :most ORDER BY referring DESC, o.name LIMIT :limit
"""

LANGUAGES = """
SELECT language, sum(files) FROM (
    SELECT language, files FROM base_language WHERE base = :base
    UNION ALL
    SELECT s.language, -1 FROM view_file v CROSS JOIN base_file b ON b.base = :base AND b.path = v.path
    CROSS JOIN slice s ON s.n = b.slice WHERE v.view = :view
    UNION ALL
    SELECT s.language, 1 FROM view_file v CROSS JOIN slice s ON s.n = v.slice WHERE v.view = :view
) GROUP BY language HAVING sum(files) > 0 ORDER BY language
"""


class Held(NamedTuple):
    """What is known of a path without decoding its slice: the slice's number here, its id and language."""

    number: int
    id: bytes
    language: str


class SqliteView:
    """A view at one root; see GraphView."""

    def __init__(
        self,
        name: str,
        connection: Connection,
        guarded: Callable[[Connection], AbstractContextManager[None]],
        cache: SliceCache,
        writing: Callable[[], AbstractContextManager[Connection]],
        reader: Callable[[], Connection | None],
    ) -> None:
        """Open the view on a connection of its own. Raises KeyError if there is none of that name."""
        self.name = name
        self._connection = connection
        self._guarded = guarded
        self._cache = cache
        self._writing = writing
        self._reader = reader
        self._kept_some: list[Connection | None] = []
        """Not empty once something was kept by way of this view or its base; the connections opened to see that."""
        self._known: dict[str, Held | None] = {}
        with guarded(connection):
            connection.execute("BEGIN")
            found = connection.rows("SELECT n, base, snapshot, files_tree FROM view WHERE name = ?", (encoded(name),))
        if not found:
            raise KeyError(name)
        self._key: dict[str, Any] = {"view": found[0][0], "base": found[0][1]}
        self.snapshot: str = found[0][2]
        self.files_tree: str = found[0][3]
        self._paths: tuple[str, ...] | None = None

    def paths(self) -> Sequence[str]:
        """See GraphView."""
        if self._paths is None:
            self._paths = tuple(self._found(ALL))
        return self._paths

    def has(self, path: str) -> bool:
        """See GraphView."""
        return self._held(path) is not None

    def slice_id(self, path: str) -> str | None:
        """See GraphView."""
        held = self._held(path)
        return held and held.id.hex()

    def slice(self, path: str) -> Slice | None:
        """See GraphView."""
        held = self._held(path)
        return held and (self._cache.get(held.id) or self._decoded(held))

    def language(self, path: str) -> str | None:
        """See GraphView."""
        held = self._held(path)
        return held and held.language

    def paths_named(self, base: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(NAMED, name=encoded(base))

    def paths_in(self, directory: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(IN, path=encoded(directory))

    def paths_of_language(self, language: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(BY_LANGUAGE, language=language)

    def languages(self) -> Mapping[str, int]:
        """See GraphView."""
        return dict(self._rows(LANGUAGES, self._key))

    def defining(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(BY_NAME, kind=DEFINES, name=encoded(name))

    def referring(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(BY_NAME, kind=REFERS, name=encoded(name))

    def importing(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(BY_NAME, kind=IMPORTS, name=encoded(name))

    def exporting(self, name: str) -> Sequence[str]:
        """See GraphView."""
        return self._found(BY_NAME, kind=EXPORTS, name=encoded(name))

    def symbol_names(self, glob: str = "*") -> Sequence[str]:
        """See GraphView."""
        matches = pattern(glob).fullmatch
        rows = self._rows(SYMBOL_NAMES, self._key | {"fragment": encoded(fragment(glob))})
        return sorted(filter(matches, (decoded(name) for (name,) in rows)))

    def most_referred(self, most_definitions: int, limit: int) -> Sequence[tuple[str, int]]:
        """See GraphView."""
        rows = self._rows(MOST_REFERRED, self._key | {"most": most_definitions, "limit": limit})
        return [(decoded(name), number) for name, number, _ in rows]

    def shared(self) -> GraphView | None:
        """See GraphView."""
        rows = self._rows(
            "SELECT files_tree FROM base WHERE n = :base AND files_tree NOTNULL AND files_tree <> :tree",
            {**self._key, "tree": self.files_tree},
        )
        if not rows:
            return None
        from copy import copy

        base = copy(self)
        base._key, base.files_tree, base._known, base._paths = {**self._key, "view": 0}, rows[0][0], {}, None
        return base

    def kept(self, mark: str, most: int | None = None) -> Kept | None:
        """See GraphView. What was kept by way of this view is seen as well: nothing, once the view has moved on."""
        from git_graph.engines import sqlite_kept

        connection = self._renewed() if self._kept_some else self._connection
        if connection is None:
            return None
        with self._guarded(connection):
            return sqlite_kept.load(connection, self._key, self.files_tree, mark, most)

    def _renewed(self) -> Connection | None:
        """A connection that sees what was written by now, if the view is still where it was."""
        connection = self._reader()
        if connection is None:
            return None
        self._kept_some.append(connection)
        with self._guarded(connection):
            connection.execute("BEGIN")
            there = connection.rows(
                "SELECT 1 FROM base WHERE n = :base AND files_tree NOTNULL AND (:view = 0 OR EXISTS"
                " (SELECT 1 FROM view WHERE n = :view AND base = :base AND files_tree = :tree))",
                {**self._key, "tree": self.files_tree},
            )
        return connection if there else None

    def keep(self, mark: str, files: Mapping[str, KeptFile], *, whole: bool = False) -> bool:
        """See GraphView."""
        from git_graph.engines import sqlite_kept
        from git_graph.engines.database import transaction

        with self._guarded(self._connection):
            differing = sqlite_kept.differences(self._connection, self._key["view"])
        with suppress(GraphError), self._writing() as db, transaction(db):
            sqlite_kept.store(db, self._key, self.files_tree, mark, differing, files, whole=whole)
            self._kept_some.append(None)
            return True
        return False

    def any_slice(self, slice_id: str) -> Slice | None:
        """See GraphView."""
        key = bytes.fromhex(slice_id)
        rows = self._rows("SELECT n, id, language FROM slice WHERE id = ?", (key,))
        return (self._cache.get(key) or self._decoded(Held(*rows[0]))) if rows else None

    def reopener(self) -> Callable[[], GraphView] | None:
        """See GraphView."""
        if self._connection.still:
            return None
        base = None if self._key["view"] else self.files_tree
        return partial(_reopened, self._connection.path.parent, self.name, self.snapshot, base)

    def close(self) -> None:
        """See GraphView."""
        for connection in (self._connection, *self._kept_some):
            if connection is not None:
                connection.close()

    def _held(self, path: str) -> Held | None:
        if path not in self._known:
            directory, _, name = path.rpartition("/")
            self._known[path] = None
            self._found(AT, path=encoded(directory), name=encoded(name))
        return self._known[path]

    def _found(self, statement: str, **parameters: Any) -> Sequence[str]:
        """The paths that a query finds, sorted; what it says of them is remembered."""
        known, paths = self._known, []
        for directory, name, *held in self._rows(statement, self._key | parameters):
            path = decoded(directory + b"/" + name if directory else name)
            known[path] = Held(*held)
            paths.append(path)
        paths.sort()
        return tuple(paths)

    def _decoded(self, held: Held) -> Slice:
        rows = self._rows("SELECT data, checksum FROM content WHERE n = ?", (held.number,))
        if not rows or zlib.crc32(rows[0][0]) != rows[0][1]:
            with self._guarded(self._connection):
                raise Corrupt(f"the derived store's copy of slice {held.id.hex()} is damaged")
        return self._cache.put(held.id, codec.decode_trusted(rows[0][0]), len(rows[0][0]))

    def _rows(self, statement: str, parameters: Sequence[object] | Mapping[str, object]) -> list[Any]:
        with self._guarded(self._connection):
            return self._connection.rows(statement, parameters)


def _reopened(directory: Path, name: str, snapshot: str, base: str | None) -> GraphView:
    """A view in a process that has nothing open yet, or its base. Raises KeyError if it is at another root."""
    from git_graph.engines.sqlite import SqliteEngine

    view = SqliteEngine(directory).open(name)
    if base is not None and view.files_tree != base:
        shared = view.shared()
        if shared is None or shared.files_tree != base:
            raise KeyError(name)
        return shared
    if base is None and view.snapshot != snapshot:
        raise KeyError(name)
    return view


def encoded(text: str) -> bytes:
    """A name or path as it stands in the file: strings that are not UTF-8 could not be stored as text."""
    return text.encode("utf-8", "surrogateescape")


def decoded(data: bytes) -> str:
    """The name or path that `data` stands for."""
    return data.decode("utf-8", "surrogateescape")
