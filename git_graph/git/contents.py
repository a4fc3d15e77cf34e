"""Which blob git would make of a file on disk, and that blob's bytes.

A file that git converts on its way in (filters, encodings, line endings) is given to git itself, which writes the blob
into a temporary object store: nothing is left behind in the repository. Everything else is read once and hashed here;
id and bytes always come from one reading. Symbolic links are never followed.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping, Sequence

from git_graph.errors import GitFailed
from git_graph.git import process
from git_graph.git.attributes import CONVERSION, Checkout
from git_graph.git.hashing import sha1
from git_graph.git.worktree import EXECUTABLE, REGULAR, SYMLINK
from git_graph.records import NamedTuple

LARGEST = 8 * 1024 * 1024
"""Files above this are not read: no slice can come of them, so their content makes no difference."""
COARSE_NS, FINE_NS = 2_000_000_000, 20_000_000
"""How far a file's times must lie back before they can be trusted to change with its content: two seconds where they
are whole seconds, else twice the slowest kernel tick."""


class Conversion(NamedTuple):
    """What may apply in a worktree: `line_endings` to any file with CRLF in it, `filters` to paths that name one."""

    line_endings: bool = False
    filters: bool = False
    digest: str = ""
    """Of every setting and attribute that bears on it."""


class Content(NamedTuple):
    """A blob: its id, its bytes, and the stat of the file that it was made from."""

    id: str
    data: bytes
    stat: os.stat_result
    settled: bool
    """Whether the stat is old enough that a later change of the file would change it."""


def blob_id(data: bytes) -> str:
    """The id that git gives these bytes as a blob."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def look(top: bytes, path: bytes) -> os.stat_result | None:
    """The stat of a file or symbolic link in the worktree, None if there is neither."""
    try:
        found = os.lstat(top + b"/" + path)
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode) else None


def git_mode(found: os.stat_result, file_mode: bool) -> int:
    """The mode that git gives a file with that stat; `file_mode`: the executable bit means something."""
    if stat.S_ISLNK(found.st_mode):
        return SYMLINK
    return EXECUTABLE if file_mode and found.st_mode & stat.S_IXUSR else REGULAR


def read(top: bytes, paths: Iterable[bytes], conversion: Conversion, env: process.Environment) -> dict[bytes, Content]:
    """The blobs that git would make of files in the worktree now; those that cannot be read are left out.

    Raises:
        GitFailed: a filter that git needs for one of them fails.
    """
    found: dict[bytes, Content] = {}
    for path in paths:
        content = _read(top, path)
        if content is not None:
            found[path] = content
    if conversion.filters or conversion.line_endings:
        found |= _converted(top, _suspects(top, found, conversion, env), found, env)
    return found


def _read(top: bytes, path: bytes) -> Content | None:
    """A file's own bytes, read while its stat stayed the same (or as good as a file that never rests allows)."""
    content = None
    for _ in range(3):
        now = time.time_ns()
        before = look(top, path)
        if before is None or before.st_size > LARGEST:
            return None
        try:
            data = _bytes(top + b"/" + path, before)
        except OSError:
            return None
        after = look(top, path)
        same = after is not None and _times(after) == _times(before) and len(data) == before.st_size
        content = Content(blob_id(data), data, before, same and _settled(before, now))
        if same:
            break
    return content


def _bytes(name: bytes, found: os.stat_result) -> bytes:
    if stat.S_ISLNK(found.st_mode):
        return os.readlink(name)  # noqa: PTH115 (bytes)
    handle = os.open(name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:  # noqa: PTH123 (a descriptor)
        return file.read(LARGEST + 1)


def _times(found: os.stat_result) -> tuple[int, ...]:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _settled(found: os.stat_result, now: int) -> bool:
    latest = max(found.st_mtime_ns, found.st_ctime_ns)
    slack = COARSE_NS if found.st_mtime_ns % 1_000_000_000 == 0 and found.st_ctime_ns % 1_000_000_000 == 0 else FINE_NS
    return latest < now - slack


def _suspects(
    top: bytes, found: Mapping[bytes, Content], conversion: Conversion, env: process.Environment
) -> list[bytes]:
    """The paths whose blob may differ from the file's own bytes."""
    files = [path for path, content in found.items() if not stat.S_ISLNK(content.stat.st_mode)]
    suspects = set()
    if conversion.line_endings:
        suspects = {path for path in files if b"\r\n" in found[path].data}
    if conversion.filters:
        values = Checkout(top, env).values(files, CONVERSION)
        suspects |= {path for path in files if _filtered(values[path])}
    return sorted(suspects)


def _filtered(values: Mapping[str, str]) -> bool:
    return any(values[name] not in ("unspecified", "unset") for name in ("filter", "working-tree-encoding", "ident"))


def _converted(
    top: bytes, paths: Sequence[bytes], found: Mapping[bytes, Content], env: process.Environment
) -> dict[bytes, Content]:
    """The blobs that git makes of these files, by its own hand."""
    if not paths:
        return {}
    import tempfile

    with tempfile.TemporaryDirectory(prefix="git-graph-") as folder:
        apart = {**env, "GIT_OBJECT_DIRECTORY": folder}
        while True:
            listing = b"".join(_quoted(path) + b"\n" for path in paths)
            done = process.attempt(["hash-object", "-w", "--stdin-paths"], top, stdin=listing, env=apart)
            if done.status == 0:
                break
            there = [path for path in paths if look(top, path) is not None]
            if len(there) == len(paths):
                raise GitFailed(
                    f"git hash-object failed: {done.stderr.decode('utf-8', 'replace').strip().removeprefix('fatal: ')}",
                    "see which filter the attributes name for it, and whether it is installed",
                )
            paths = there
        ids = done.stdout.decode().split()
        asked = "".join(f"{id}\n" for id in ids).encode()
        output = process.run(["cat-file", "--batch"], top, stdin=asked, env=apart)
    result, at = {}, 0
    for path, id in zip(paths, ids, strict=True):
        end = output.index(b"\n", at)
        size = int(output[at:end].split()[2])
        data = output[end + 1 : end + 1 + size]
        at = end + size + 2
        # git has read the file after us: what we know of its stat is that of another reading, unless nothing changed
        known, now = found[path].stat, look(top, path)
        same = now is not None and _times(now) == _times(known)
        result[path] = Content(id, data, known, same and found[path].settled)
    return result


def _quoted(path: bytes) -> bytes:
    """A path as one line of git's --stdin-paths."""
    if not path.startswith(b'"') and b"\n" not in path:
        return path
    return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
