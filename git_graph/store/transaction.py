"""New objects on their way into the repository, and the ref that makes them count.

A transaction collects blobs and trees in memory (asking for one that was just made is answered from there). Publishing
takes the store lock, writes what the repository does not hold safely (loose when few, one kept pack when many or while
`git gc` runs), freshens the rest, and moves a ref by compare-and-swap. Everything is written before the ref moves; what
a killed process leaves are orphans that the journal knows. Not shared among threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from git_graph import meter
from git_graph.errors import MissingObject, RefMoved
from git_graph.git.lock import FileLock
from git_graph.git.loose import object_id
from git_graph.git.objects import Entry, parse_tree, serialize_tree
from git_graph.store.journal import Journal
from git_graph.store.tend import tend

if TYPE_CHECKING:
    from pathlib import Path

    from git_graph.git.packs import KeptPack
    from git_graph.git.repository import Repository

PACK_FROM = 100
"""So many objects are written as a pack, fewer loose."""
FLUSH_BYTES = 32 << 20
"""So much is held in memory before it is written."""
FRESH = 24 * 3600
"""Seconds for which an object's age is good enough; git prunes nothing younger than two weeks by default."""


class Transaction:
    """Use as a context manager: leaving it releases the packs that were kept, whether a ref has moved or not."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._journal = Journal(repository)
        self._new: dict[str, tuple[str, bytes]] = {}
        self._bytes = 0
        self._reused: set[str] = set()
        self._written: set[str] = set()
        self._kept: list[KeptPack] = []

    def __enter__(self) -> Transaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def blob(self, data: bytes) -> str:
        """Add a blob; its id. What has gathered is written by itself when it is a lot."""
        return self._add("blob", data)

    def tree(self, entries: Iterable[Entry]) -> str:
        """Add a tree (entries in any order, each name once); its id."""
        return self._add("tree", serialize_tree(entries))

    def read_tree(self, id: str) -> list[Entry]:
        """The entries of a tree, new or old. Raises MissingObject, CorruptObject."""
        new = self._new.get(id)
        return parse_tree(new[1], id) if new else self.repository.objects.tree(id)

    def read_blob(self, id: str) -> bytes:
        """The bytes of a blob, new or old. Raises MissingObject, CorruptObject."""
        new = self._new.get(id)
        return new[1] if new else self.repository.objects.blob(id)

    def reuse(self, ids: Iterable[str]) -> set[str]:
        """Existing objects that the ref will hold: `publish` makes sure that no pruning takes them.

        Returns those that do not exist (any more), which have to be made again.
        """
        asked = set(ids) - self._new.keys() - self._written
        there = self.repository.objects.present(asked)
        self._reused |= there
        return asked - there

    def take(self, kind: str, data: bytes) -> str:
        """Add an object of any kind as it is; its id."""
        return self._add(kind, data)

    def adopt(self, pack: Path) -> None:
        """Take in what a pack elsewhere holds, kept until the transaction ends. Raises DiskFull, NotWritable."""
        kept = self.repository.packs.take(pack)
        self._kept.append(kept)
        self._journal.note_pack(kept.pack)

    @meter.phase("storing")
    def flush(self) -> None:
        """Write what has gathered as a pack that is kept until the transaction ends. Raises DiskFull, NotWritable."""
        if self._new:
            self._pack(self._new.values())
            self._forget()

    @meter.phase("storing")
    def publish(self, ref: str, new: str, old: str | None) -> bool:
        """Write what has gathered, then point `ref` to `new` if it points to `old` (None: does not exist).

        Returns whether it did.

        Raises:
            RefMoved: an object to be reused was pruned under us: plan again.
            DiskFull, NotWritable, Locked
        """
        repository = self.repository
        lock = repository.make_graph_dir() / "store.lock"
        with FileLock(lock, repository.settings.lock_timeout, "publish a manifest"):
            repository.packs.sweep()
            before = self._sign_of_gc()
            unsafe = self._write()
            moved = self._move(ref, new, old, unsafe)
            if moved and unsafe and (repository.packs.collecting() or self._sign_of_gc() != before):
                try:
                    self._write_again(unsafe)
                except RefMoved:
                    self._move_back(ref, new, old)
                    raise
            self._release()
            if moved and self._journal.due():
                tend(repository, self._journal)
        return moved

    def _add(self, kind: str, data: bytes) -> str:
        id = object_id(kind, data)
        if id not in self._new and id not in self._written:
            self._new[id] = kind, data
            self._bytes += len(data)
            if self._bytes > FLUSH_BYTES:
                self.flush()
        return id

    def _write(self) -> dict[str, tuple[str, bytes] | None]:
        """Write what has gathered; what a `git gc` that started meanwhile could take (None: it was there already)."""
        collecting = self.repository.packs.collecting()
        secured = set() if collecting else self._secure([*self._new, *self._reused])
        todo = {id: thing for id, thing in self._new.items() if id not in secured}
        for id in self._reused - secured:
            try:
                todo[id] = self.repository.objects.raw(id)
            except MissingObject as error:
                raise RefMoved(f"object {id} was removed while it was wanted", "run the command again") from error
        packed = collecting or len(todo) >= PACK_FROM
        if packed:
            self._pack(todo.values())
        else:
            self._journal.note(todo)
            for id, (kind, data) in todo.items():
                self.repository.loose.write(id, kind, data)
        unsafe = {id: self._new.get(id) for id in secured} | ({} if packed else todo)
        self._forget()
        return unsafe

    def _move(self, ref: str, new: str, old: str | None, unsafe: dict[str, tuple[str, bytes] | None]) -> bool:
        """Move the ref; what a pruning takes from under it is written again."""
        try:
            return self.repository.refs.update(ref, new, old)
        except MissingObject:
            self._write_again(unsafe)
        return self.repository.refs.update(ref, new, old)

    def _move_back(self, ref: str, new: str, old: str | None) -> None:
        """What the ref now points to cannot be made whole: undo it."""
        if old is None:
            self.repository.refs.delete(ref, new)
        else:
            self.repository.refs.update(ref, old, new)

    def _write_again(self, unsafe: dict[str, tuple[str, bytes] | None]) -> None:
        """A `git gc --prune=now` that looked at the refs before ours had moved may remove what is not in a kept pack:
        write it once more, into one."""
        objects = self.repository.objects
        objects.close()
        if not self.repository.packs.collecting():
            there = objects.present(unsafe)
            unsafe = {id: thing for id, thing in unsafe.items() if id not in there}
        try:
            again = [thing or objects.raw(id) for id, thing in unsafe.items()]
        except MissingObject as error:
            raise RefMoved(f"{error.message}: it was removed while it was wanted", "run the command again") from error
        self._pack(again)

    def _sign_of_gc(self) -> int:
        """Something that is no longer the same once a `git gc` has started or ended (`gc.pid` comes and goes)."""
        return self.repository.common_dir.stat().st_mtime_ns

    def _secure(self, ids: list[str]) -> set[str]:
        """Those of `ids` that the repository holds and that no pruning takes soon."""
        loose, now = self.repository.loose, time.time()
        ages = loose.age_of(ids)
        secured = {id for id, when in ages.items() if now - when < FRESH or loose.freshen(id)}
        young = [pack for pack in self.repository.packs.indexes(since=now - FRESH) if not pack.cruft]
        secured.update(id for id in ids if id not in secured and any(id in pack for pack in young))
        return secured

    def _pack(self, things: Iterable[tuple[str, bytes]]) -> None:
        if not (things := list(things)):
            return
        kept = self.repository.packs.write(things)
        self._kept.append(kept)
        self._journal.note_pack(kept.pack)

    def _forget(self) -> None:
        self._written |= self._new.keys()
        self._new = {}
        self._bytes = 0

    def _release(self) -> None:
        while self._kept:
            self._kept.pop().release()
