"""Reading git objects, and comparing trees.

The first reads are answered without pygit2 (loose files by hand, the rest by one `git cat-file --batch`), because
importing it costs more than they do; `bulk()`, or the sheer number of reads, switches to libgit2. A blob that a partial
clone left out is fetched by git. Ids are 40 hex digits, names and paths are bytes. Writing is the business of `loose`
and `packs`, what the objects mean that of others.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, MissingObject, UnknownRevision
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    import pygit2

    from git_graph.git.process import Running
    from git_graph.git.repository import Repository

TREE, BLOB, EXECUTABLE, SYMLINK, SUBMODULE = 0o40000, 0o100644, 0o100755, 0o120000, 0o160000
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
TYPES = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_KINDS = {number: kind for kind, number in TYPES.items()}

LIGHT_READS = 300
"""How many reads the light way is cheaper for than importing pygit2."""

_ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
_CHUNK = 1_000
"""So many blobs are fetched at once in a partial clone."""

_ENTRY = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)
_ID = re.compile(r"[0-9a-f]{40}")


class Entry(NamedTuple):
    """One entry of a tree."""

    name: bytes
    mode: int
    id: str


class TreeChange(NamedTuple):
    """A path that differs between two trees: (mode, id) before and after, None where it is absent. No trees."""

    path: bytes
    old: tuple[int, str] | None
    new: tuple[int, str] | None


class Objects:
    """The objects of a repository."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._batch: Running | None = None
        self._odb: pygit2.Odb | None = None
        self._light_reads = 0

    @property
    def directory(self) -> Path:
        """Where loose objects and packs lie (GIT_OBJECT_DIRECTORY is honoured as git honours it)."""
        configured = process_variable(self._repository, "GIT_OBJECT_DIRECTORY")
        return Path(configured) if configured else self._repository.common_dir / "objects"

    def bulk(self) -> pygit2.Odb:
        """Many reads are to come: the libgit2 object database, opened."""
        if self._odb is None:
            import pygit2

            self._odb = pygit2.Odb(os.fspath(self.directory))
            alternates = process_variable(self._repository, _ALTERNATES) or ""
            for place in filter(None, alternates.split(os.pathsep)):
                self._odb.add_disk_alternate(place)
        return self._odb

    def blob(self, id: str, limit: int | None = None) -> bytes:
        """The bytes of a blob.

        Raises:
            MissingObject
            CorruptObject: it is no blob, its bytes are damaged, or it has more than `limit` (then it is not read).
        """
        return self._typed(id, "blob", limit)

    def blobs(self, ids: Iterable[str], limit: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The bytes of many blobs, in the order asked. Raises as `blob`, at the first that cannot be had."""
        promised = self._repository.settings.promisor is not None
        remaining = iter(ids)
        while chunk := list(islice(remaining, _CHUNK)):
            if promised:
                self.prefetch(chunk)
            for id in chunk:
                yield id, self._typed(id, "blob", limit)

    def prefetch(self, ids: Iterable[str]) -> None:
        """In a partial clone, fetch those of `ids` that are not here, all at once; nothing happens elsewhere.

        Nothing is raised: what could not be fetched is missed by whoever reads it.
        """
        remote = self._repository.settings.promisor
        if remote is None:
            return
        asked = set(ids)
        missing = sorted(asked - self.present(asked))
        if missing:
            quiet = ("-c", "fetch.negotiationAlgorithm=noop", "-c", "maintenance.auto=false", "-c", "gc.auto=0")
            how = ("--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin")
            self._repository.attempt(*quiet, "fetch", *how, remote, stdin="\n".join(missing).encode() + b"\n")

    def raw(self, id: str, limit: int | None = None) -> tuple[str, bytes]:
        """The type and bytes of any object. Raises MissingObject, CorruptObject (as `blob`, `limit` as there)."""
        return self._read(id, limit)

    def present(self, ids: Iterable[str]) -> set[str]:
        """Those of `ids` that are in the repository (nothing is fetched)."""
        asked = {id for id in ids if _ID.fullmatch(id)}
        found = set()
        if self._odb is None:
            found = {id for id in asked if self.loose_path(id).exists()}
            packs = self._repository.packs.indexes() if found < asked else []
            found |= {id for id in asked - found if any(id in pack for pack in packs)}
            if found == asked or not self._alternates():
                return found
        odb = self.bulk()
        return found | {id for id in asked - found if odb.exists(id)}

    def disk_sizes(self, ids: Iterable[str]) -> dict[str, int]:
        """The bytes that each of `ids` takes on disk; what is not here is left out (nothing is fetched)."""
        asked = "".join(f"{id}\n" for id in sorted(self.present(ids))).encode()
        if not asked:
            return {}
        said = self._repository.git("cat-file", "--batch-check=%(objectname) %(objectsize:disk)", stdin=asked)
        rows = [line.split() for line in said.decode("ascii", "replace").splitlines()]
        return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}

    def loose_path(self, id: str) -> Path:
        """Where the loose file of an object is, if it has one."""
        return self.directory / id[:2] / id[2:]

    def tree(self, id: str) -> list[Entry]:
        """The entries of a tree, in git's order. Raises as `blob`."""
        return parse_tree(self._typed(id, "tree"), id)

    def commit_of(self, revision: str) -> str:
        """The id of the commit that a revision names. Raises UnknownRevision."""
        return self._resolve(revision, "commit")

    def tree_of(self, revision: str) -> str:
        """The id of the tree of a revision (a commit, a tag of one, or a tree). Raises UnknownRevision."""
        return self._resolve(revision, "tree")

    def entry(self, tree: str, path: bytes) -> Entry | None:
        """The entry at `path` below `tree`, or None."""
        *directories, base = path.split(b"/")
        for name in directories:
            found = next((entry for entry in self.tree(tree) if entry.name == name and entry.mode == TREE), None)
            if found is None:
                return None
            tree = found.id
        return next((entry for entry in self.tree(tree) if entry.name == base), None)

    def walk(self, tree: str) -> Iterator[tuple[bytes, int, str]]:
        """(path, mode, id) of everything below `tree` but trees, in git's order."""
        stack = [(b"", iter(self.tree(tree)))]
        while stack:
            prefix, entries = stack[-1]
            for name, mode, id in entries:
                if mode == TREE:
                    stack.append((prefix + name + b"/", iter(self.tree(id))))
                    break
                yield prefix + name, mode, id
            else:
                stack.pop()

    def diff(self, old: str | None, new: str | None) -> Iterator[TreeChange]:
        """What differs between two trees (None: an empty one), found by comparing only where ids differ."""
        stack: list[tuple[bytes, str | None, str | None]] = [(b"", old, new)]
        while stack:
            prefix, old, new = stack.pop()
            if old == new:
                continue
            before = {entry.name: entry for entry in self.tree(old)} if old else {}
            after = {entry.name: entry for entry in self.tree(new)} if new else {}
            below: list[tuple[bytes, str | None, str | None]] = []
            for name in sorted(before.keys() | after.keys()):
                was, now = before.get(name), after.get(name)
                if was == now:
                    continue
                path = prefix + name
                if (was and was.mode == TREE) or (now and now.mode == TREE):
                    below.append((path + b"/", _subtree(was), _subtree(now)))
                change = TreeChange(path, _leaf(was), _leaf(now))
                if change.old != change.new:
                    yield change
            stack.extend(reversed(below))

    def close(self) -> None:
        """End what runs and release what is open."""
        if self._batch is not None:
            self._batch.stop()
            self._batch = None
        self._odb = None

    def _alternates(self) -> bool:
        """Whether objects may lie elsewhere too."""
        borrowed = self.directory / "info" / "alternates"
        return borrowed.exists() or bool(process_variable(self._repository, _ALTERNATES))

    def _typed(self, id: str, kind: str, limit: int | None = None) -> bytes:
        found, data = self._read(id, limit)
        if found != kind:
            raise _corrupt(id, f"it is a {found}, not a {kind}")
        return data

    def _read(self, id: str, limit: int | None = None) -> tuple[str, bytes]:
        if not _ID.fullmatch(id):
            raise CorruptObject(f"'{id}' is not the id of an object")
        if self._odb is None:
            self._light_reads += 1
            if self._light_reads <= LIGHT_READS:
                return self._read_loose(id, limit) or self._ask_git(id, limit)
        odb = self.bulk()
        try:
            if limit is not None and odb.read_header(id)[1] > limit:
                raise _too_large(id, limit)
            kind, data = odb.read(id)
        except KeyError:
            return self._ask_git(id, limit)
        except CorruptObject:
            raise
        except Exception as error:  # libgit2's own, for what is damaged
            raise _corrupt(id, str(error)) from error
        return _KINDS[kind], data

    def _read_loose(self, id: str, limit: int | None) -> tuple[str, bytes] | None:
        inflate = zlib.decompressobj()
        try:
            content = inflate.decompress(self.loose_path(id).read_bytes(), limit + 32 if limit is not None else 0)
        except OSError:
            return None
        except zlib.error as error:
            raise _corrupt(id, str(error)) from error
        if inflate.unconsumed_tail:
            raise _too_large(id, limit)
        header, _, data = content.partition(b"\0")
        kind, _, size = header.decode("ascii", "replace").partition(" ")
        if kind not in TYPES or size != str(len(data)):
            raise _corrupt(id, "its header is wrong")
        if limit is not None and len(data) > limit:
            raise _too_large(id, limit)
        return kind, data

    def _ask_git(self, id: str, limit: int | None) -> tuple[str, bytes]:
        """The object from `git cat-file`, which fetches it if the repository is a partial clone."""
        if self._batch is None:
            self._batch = self._repository.start("cat-file", "--batch", stdin=True)
        try:
            self._batch.stdin.write(id.encode() + b"\n")
            self._batch.stdin.flush()
            answer = self._batch.stdout.readline().decode("ascii", "replace").split()
        except OSError:
            answer = []
        if not answer:  # git ended: damaged objects and failed fetches are fatal to it
            done, self._batch = self._batch.complete(), None
            raise _missing(id, done.stderr.decode("utf-8", "replace").strip())
        if len(answer) != 3:
            raise _missing(id)
        if limit is not None and int(answer[2]) > limit:
            self._batch.stop()
            self._batch = None
            raise _too_large(id, limit)
        return answer[1], self._batch.stdout.read(int(answer[2]) + 1)[:-1]

    def _resolve(self, revision: str, kind: str) -> str:
        done = self._repository.attempt(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{{kind}}}"
        )
        id = done.stdout.decode("ascii", "replace").strip()
        if done.status or not _ID.fullmatch(id):
            raise UnknownRevision(
                f"unknown revision '{revision}'", "git log --oneline and git branch list what there is"
            )
        return id


def parse_tree(data: bytes, id: str = "") -> list[Entry]:
    """The entries in the bytes of a tree object. Raises CorruptObject."""
    rows = _ENTRY.findall(data)
    if sum([len(mode) + len(name) for mode, name, _ in rows]) + 22 * len(rows) != len(data):
        raise _corrupt(id, "it is not a tree")
    return [Entry(name, int(mode, 8), raw.hex()) for mode, name, raw in rows]


def serialize_tree(entries: Iterable[Entry]) -> bytes:
    """The bytes of the tree object with these entries, sorted as git sorts them (a directory as if it ended in `/`)."""
    rows = sorted(entries, key=lambda entry: entry.name + b"/" if entry.mode == TREE else entry.name)
    return b"".join([b"%o %s\0%s" % (mode, name, bytes.fromhex(id)) for name, mode, id in rows])


def _subtree(entry: Entry | None) -> str | None:
    return entry.id if entry and entry.mode == TREE else None


def _leaf(entry: Entry | None) -> tuple[int, str] | None:
    return (entry.mode, entry.id) if entry and entry.mode != TREE else None


def process_variable(repository: Repository, name: str) -> str | None:
    """A variable of the environment as git sees it in this repository."""
    return repository.env[name] if name in repository.env else os.environ.get(name)


def _missing(id: str, said: str = "") -> MissingObject:
    return MissingObject(f"object {id} is not in the repository" + (f": {said}" if said else ""))


def _too_large(id: str, limit: int | None) -> CorruptObject:
    return CorruptObject(f"object {id} has more than {limit} bytes, which nothing of its kind has")


def _corrupt(id: str, why: str) -> CorruptObject:
    return CorruptObject(f"object {id} is damaged: {why}", "git fsck tells more")
