"""Packs: many objects written as one, kept while they are not yet reachable, and finding what a pack holds.

The pack is put together here and handed to `git index-pack --stdin --keep`, which checks it, names it and moves it
into place as a whole; killed, it leaves a `tmp_pack_*` that git clears away. The `.keep` file carries a token, and a
token is a lock that its process holds: a `.keep` whose token is free is removed by whoever comes by. Knows nothing
of what the objects mean.
"""

from __future__ import annotations

import errno
import functools
import mmap
import os
import re
import struct
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, GraphError
from git_graph.git.lock import FileLock
from git_graph.git.objects import TYPES
from git_graph.git.process import Completed, failure
from git_graph.git.repository import write_error

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

_KEEP = b"git-graph "
_TOKEN = re.compile(r"[0-9a-f]{16}")
_ATTEMPTS = 20
_GC_HOURS = 12
"""A `gc.pid` older than this is one that git ignores too."""


class PackIndex:
    """A pack's list of ids, read from its `.idx` (version 2)."""

    def __init__(self, path: Path) -> None:
        """`path` is the `.idx` or the `.pack`. Raises CorruptObject; FileNotFoundError if a repack took it away."""
        self.pack = path.with_suffix(".pack")
        with path.with_suffix(".idx").open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self._map[:8] != b"\xfftOc\0\0\0\2" or len(self._map) < 1032:
            raise CorruptObject(f"{path} is not a pack index of version 2")
        self._fanout: tuple[int, ...] = (0, *struct.unpack(">256I", self._map[8:1032]))
        if list(self._fanout) != sorted(self._fanout) or len(self._map) < 1032 + 28 * len(self) + 40:
            raise CorruptObject(f"{path} is damaged: it does not hold what it says it holds")

    def __len__(self) -> int:
        return self._fanout[256]

    def __contains__(self, id: str) -> bool:
        wanted = bytes.fromhex(id)
        low, high = self._fanout[wanted[0]], self._fanout[wanted[0] + 1]
        data = self._map
        while low < high:
            middle = (low + high) // 2
            at = 1032 + 20 * middle
            found = data[at : at + 20]
            if found == wanted:
                return True
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return False

    def __iter__(self) -> Iterator[str]:
        for at in range(1032, 1032 + 20 * len(self), 20):
            yield self._map[at : at + 20].hex()

    @functools.cached_property
    def modified(self) -> float:
        """When the pack was last written or freshened, as git reckons the age of what is in it."""
        return self.pack.stat().st_mtime

    @property
    def kept(self) -> bool:
        """Whether somebody keeps it from being repacked."""
        return self.pack.with_suffix(".keep").exists()

    @property
    def cruft(self) -> bool:
        """Whether git keeps unreachable objects in it, with ages of their own."""
        return self.pack.with_suffix(".mtimes").exists()

    def remove(self) -> None:
        """Remove the pack, its index first, as git does."""
        self._map.close()
        for suffix in (".idx", ".pack", ".rev", ".bitmap"):
            try:
                self.pack.with_suffix(suffix).unlink(missing_ok=True)
            except OSError:  # in use, where that matters: git's next repack takes it
                return


class KeptPack:
    """A pack that no repack touches until `release`."""

    def __init__(self, store: PackStore, pack: Path, keep: Path | None) -> None:
        self.pack = pack
        self._store = store
        self._keep = keep

    def release(self) -> None:
        """Let git repack it as any other."""
        if self._keep is not None:
            self._keep.unlink(missing_ok=True)
            self._keep = None
            self._store.released(self)


class PackStore:
    """The packs of a repository."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._token: FileLock | None = None
        self._kept: set[KeptPack] = set()

    @property
    def directory(self) -> Path:
        """Where packs lie."""
        return self._repository.objects.directory / "pack"

    def indexes(self, since: float = 0) -> list[PackIndex]:
        """The packs that are there now and not older than `since` (seconds since 1970)."""
        for _ in range(_ATTEMPTS):
            found, whole = [], True
            for path in sorted(self.directory.glob("*.idx")):
                try:
                    if path.with_suffix(".pack").stat().st_mtime >= since:
                        found.append(PackIndex(path))
                except FileNotFoundError:  # a repack took it away: what was in it is in another now
                    whole = False
                except (ValueError, CorruptObject):  # being written, or damaged: git finds nothing in it either
                    continue
            if whole:
                break
        return found

    def write(self, objects: Iterable[tuple[str, bytes]]) -> KeptPack:
        """Write (type, bytes) of each object as one pack and keep it.

        Raises:
            DiskFull, NotWritable, GitFailed
        """
        body = [_packed(kind, data) for kind, data in objects]
        return self._keep(lambda: _framed(body))

    def take(self, pack: Path) -> KeptPack:
        """Write what another pack holds as a pack of ours and keep it. Raises as `write`."""
        return self._keep(lambda: _pieces(pack))

    def _keep(self, pieces: Callable[[], Iterable[bytes]]) -> KeptPack:
        """Have git write the pack that these pieces are, and keep it."""
        message = (_KEEP + self._alive().encode()).decode()
        command = ("index-pack", "--stdin", f"--keep={message}")
        for _ in range(_ATTEMPTS):
            done = self._feed(command, pieces())
            if done.status == 0:
                break
            if b"temporary" not in done.stderr:  # else `git gc --prune=now` took the file that was being written
                raise self._failure(command, done)
        else:
            raise self._failure(command, done)
        kept, _, name = done.stdout.decode().strip().partition("\t")
        pack = self.directory / f"pack-{name}.pack"
        result = KeptPack(self, pack, pack.with_suffix(".keep") if kept == "keep" else None)
        self._kept.add(result)
        return result

    def _feed(self, command: tuple[str, ...], pieces: Iterable[bytes]) -> Completed:
        """Give a pack to a git command."""
        running = self._repository.start(*command, stdin=True)
        try:
            for piece in pieces:
                running.stdin.write(piece)
        except BrokenPipeError:
            pass  # it says why when it is asked
        except BaseException:
            running.stop()
            raise
        return running.complete()

    def _failure(self, command: tuple[str, ...], done: Completed) -> GraphError:
        said = done.stderr.decode("utf-8", "replace")
        for number in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
            if os.strerror(number) in said:
                return write_error(OSError(number, os.strerror(number)), f"a pack in {self.directory}")
        return failure(command, done)

    def sweep(self) -> None:
        """Remove each `.keep` of ours whose process is dead, and the tokens of the dead."""
        keeps: dict[str, list[Path]] = {}
        for keep in self.directory.glob("*.keep"):
            try:
                content = keep.read_bytes().strip()
            except OSError:
                continue
            token = content.removeprefix(_KEEP).decode("ascii", "replace")
            if content.startswith(_KEEP) and _TOKEN.fullmatch(token):
                keeps.setdefault(token, []).append(keep)
        alive = self._repository.graph_dir / "alive"
        tokens = keeps.keys() | {path.name for path in alive.glob("*") if _TOKEN.fullmatch(path.name)}
        for token in tokens:
            if self._token is not None and token == self._token.path.name:
                continue
            lock = FileLock(self._tokens() / token, 0)
            if lock.acquire():
                for keep in keeps.get(token, []):
                    keep.unlink(missing_ok=True)
                lock.path.unlink(missing_ok=True)
                lock.release()

    def collecting(self) -> bool:
        """Whether a `git gc` is running here (its pid file is there and not one that git would ignore)."""
        file = self._repository.common_dir / "gc.pid"
        try:
            return time.time() - file.stat().st_mtime < _GC_HOURS * 3600 and _may_be_alive(file.read_bytes())
        except OSError:
            return False

    def released(self, pack: KeptPack) -> None:
        """A pack is no longer kept; with the last one the token goes."""
        self._kept.discard(pack)
        if not self._kept and self._token is not None:
            self._token.path.unlink(missing_ok=True)
            self._token.release()
            self._token = None

    def _tokens(self) -> Path:
        directory = self._repository.make_graph_dir() / "alive"
        try:
            directory.mkdir(exist_ok=True)
        except OSError as error:
            raise write_error(error, str(directory)) from error
        return directory

    def _alive(self) -> str:
        """This process's token, made when it is first needed."""
        while self._token is None:
            token = FileLock(self._tokens() / os.urandom(8).hex(), 0)
            if token.acquire() and token.path.exists():
                self._token = token
            else:  # a sweeper has just taken it for a dead one's
                token.release()
        return self._token.path.name


def _may_be_alive(pid_file: bytes) -> bool:
    """Whether the process in a `gc.pid` (pid, host) runs, as far as can be told from this host."""
    words = pid_file.split()
    if os.name != "posix" or len(words) < 2 or not words[0].isdigit() or words[1] != os.fsencode(os.uname().nodename):
        return True
    try:
        os.kill(int(words[0]), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _framed(body: list[bytes]) -> Iterator[bytes]:
    """A pack with these objects."""
    import hashlib  # quicker than `hashing` for many bytes

    digest = hashlib.sha1(usedforsecurity=False)
    for piece in (b"PACK" + (2).to_bytes(4) + len(body).to_bytes(4), *body):
        digest.update(piece)
        yield piece
    yield digest.digest()


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while piece := opened.read(1 << 20):
            yield piece


def _packed(kind: str, data: bytes) -> bytes:
    """An object as it stands in a pack: type and size in the packs' own number format, then the bytes deflated."""
    size = len(data)
    first, size = TYPES[kind] << 4 | size & 15, size >> 4
    header = bytearray()
    while size:
        header.append(first | 0x80)
        first, size = size & 0x7F, size >> 7
    header.append(first)
    return bytes(header) + zlib.compress(data)
