"""Whether the SQLite file says what the slices in it say: every row against the bytes that it was made from.

Knows nothing of manifests; what a view is at is compared with those by whoever has them.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

from git_graph import codec
from git_graph.engines.database import Connection
from git_graph.engines.naming import naming
from git_graph.engines.sqlite_view import encoded
from git_graph.errors import GraphError


def problems(db: Connection) -> Iterator[str]:
    """What is wrong, in words; nothing if all agrees."""
    yield from _slices(db)
    yield from _bases(db)


def _slices(db: Connection) -> Iterator[str]:
    indexed: dict[int, int] = {}
    for number, name, kinds in db.execute("SELECT slice, name, kinds FROM posting"):
        indexed[number] = indexed.get(number, 0) ^ hash((name, kinds))
    rows = db.execute(
        "SELECT s.n, s.id, s.language, c.checksum, c.data FROM slice s LEFT JOIN content c ON c.n = s.n"
    )  # fmt: skip
    for number, id, language, checksum, data in rows:
        found = indexed.pop(number, 0)
        if data is None or zlib.crc32(data) != checksum or _blob(data) != id:
            yield f"the bytes of slice {id.hex()} are not those that it is named by"
            continue
        try:
            slice_ = codec.decode(data)
        except GraphError as error:
            yield f"slice {id.hex()}: {error.message}"
            continue
        expected = 0
        for name, kinds in naming(slice_).items():
            expected ^= hash((encoded(name), kinds))
        if found != expected or slice_.language != language:
            yield f"the names of slice {id.hex()} are not those that it is found by"
    if indexed:
        yield f"{len(indexed)} slices are found by name that are not there"


def _bases(db: Connection) -> Iterator[str]:
    for (number,) in db.rows("SELECT n FROM base WHERE files_tree NOTNULL"):
        counted = db.rows(
            "SELECT s.language, count(*) FROM base_file b JOIN path p ON p.n = b.path"
            " JOIN directory d ON d.n = p.directory JOIN slice s ON s.n = b.slice WHERE base = ? GROUP BY s.language",
            (number,),
        )
        told = db.rows("SELECT language, files FROM base_language WHERE base = ?", (number,))
        files = db.rows(
            "SELECT files, (SELECT count(*) FROM base_file WHERE base = n) FROM base WHERE n = ?", (number,)
        )
        if sorted(counted) != sorted(told) or files[0] != (sum(count for _, count in counted),) * 2:
            yield f"base {number} does not have the files that it says it has"


def _blob(data: bytes) -> bytes:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
