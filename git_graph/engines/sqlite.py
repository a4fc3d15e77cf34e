"""The engine in a file: a SQLite database in the common git directory that serves every worktree.

Each call but `take_in` opens the file and closes it again, which costs less than a millisecond: so a process that lives
long sees when another one has thrown a damaged file away, and holds nothing that others wait for. Knows nothing of git.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

from git_graph import codec
from git_graph.engines.cache import SliceCache
from git_graph.engines.database import Connection, Database
from git_graph.engines.protocol import Corrupt, FileChange, GraphView
from git_graph.engines.sqlite_view import SqliteView, decoded, encoded


class SqliteEngine:
    """Views in the SQLite file of a directory; see Engine.

    Raises Locked where another process writes for too long, NotWritable and DiskFull where it cannot be written, and
    Corrupt as `protocol` says.
    """

    def __init__(self, directory: Path) -> None:
        self._database = Database(directory)
        self._cache = SliceCache()
        self._opened: WeakSet[Connection] = WeakSet()
        self._taking_in: Connection | None = None

    def root(self, view: str) -> str | None:
        """See Engine."""
        found = self._ask("SELECT snapshot FROM view WHERE name = ?", (encoded(view),))
        return found[0][0] if found else None

    def bring(
        self,
        view: str,
        snapshot: str,
        files_tree: str,
        changes: Iterable[FileChange] | None,
        everything: Callable[[], Iterable[tuple[str, str]]],
        read: Callable[[Sequence[str]], Iterator[tuple[str, bytes]]],
        since: str | None = None,
    ) -> None:
        """See Engine."""
        from git_graph.engines.sqlite_writer import Bringing

        with self._writing() as db:
            bringing = Bringing(db, view, snapshot, files_tree)
            bringing.run(None if changes is None else list(changes), everything, read, since)

    def take_in(self, slices: Iterable[tuple[str, bytes]]) -> None:
        """See Engine. The file stays open until the next `bring`, `drop` or `close`."""
        from git_graph.engines.sqlite_writer import take_in

        if self._taking_in is None:
            self._taking_in = self._database.writer()
        with self._guarded(self._taking_in):
            take_in(self._taking_in, slices, codec.decode_trusted, int(time.time()))

    def open(self, view: str) -> GraphView:
        """See Engine."""
        connection = self._database.reader()
        if connection is None:
            raise KeyError(view)
        self._opened.add(connection)
        return SqliteView(view, connection, self._guarded, self._cache, self._writing, self._database.reader)

    def drop(self, view: str) -> None:
        """See Engine."""
        from git_graph.engines import sweep

        if self.root(view) is None:
            return
        with self._writing() as db:
            sweep.drop_view(db, encoded(view))

    def views(self) -> Sequence[str]:
        """See Engine."""
        return sorted(decoded(name) for (name,) in self._ask("SELECT name FROM view"))

    def close(self) -> None:
        """See Engine."""
        for connection in tuple(self._opened):
            connection.close()
        if self._taking_in:
            self._taking_in.close()
            self._taking_in = None

    def compact(self) -> None:
        """Remove at once whatever no view holds, and give the room back to the file system."""
        from git_graph.engines import sweep

        self._database.remove_old()
        if self._database.path.exists():
            with self._writing() as db:
                sweep.everything(db)

    def check(self) -> None:
        """Read the whole file; raises Corrupt, the file thrown away, if any of it is damaged."""
        connection = self._database.reader()
        if connection is None:
            return
        with self._guarded(connection), closing(connection):
            problems = connection.rows("PRAGMA integrity_check")
            if problems != [("ok",)]:
                raise Corrupt(f"{connection.path} is damaged: {problems[0][0]}", "it is built again by the next sync")

    def audit(self) -> list[str]:
        """What in the file does not agree with the slices in it, in words. Raises Corrupt as `check`."""
        from git_graph.engines import audit

        self.check()
        connection = self._database.reader()
        if connection is None:
            return []
        with self._guarded(connection), closing(connection):
            return list(audit.problems(connection))

    def discard(self) -> None:
        """Throw the file away: it is built again from the manifests."""
        self.close()
        if self._database.path.exists():
            self._database.discard(self._database.path)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The connection left open by `take_in`, or a new one; closed afterwards."""
        writer, self._taking_in = self._taking_in or self._database.writer(), None
        with self._guarded(writer), closing(writer):
            yield writer

    def _ask(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        connection = self._database.reader()
        if connection is None:
            return []
        with self._guarded(connection), closing(connection):
            return connection.rows(statement, parameters)

    def _guarded(self, connection: Connection) -> AbstractContextManager[None]:
        return self._database.guarded(connection.path)
