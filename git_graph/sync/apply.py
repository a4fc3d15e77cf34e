"""From a manifest and a tree to the next manifest: what was decided is put together within a transaction.

`Builder.compute` touches no ref and no engine; `bring` tells an engine what has come of it. Knows nothing of how a tree
was observed and of who else is at work.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from git_graph import meter
from git_graph.engines.protocol import FileChange
from git_graph.records import NamedTuple
from git_graph.store import manifest, slices
from git_graph.store.basis import Basis, Skipped
from git_graph.store.manifest import Snapshot
from git_graph.store.transaction import Transaction
from git_graph.sync import plan
from git_graph.sync.context import NOTHING, Context, Tree
from git_graph.sync.decide import Decided, Decider, Progress
from git_graph.sync.plan import Plan

if TYPE_CHECKING:
    from git_graph.engines.protocol import Engine

FIND_EACH = 1000
"""Up to so many paths, each is looked for in a files tree; for more, the whole tree is walked."""


class Change(NamedTuple):
    """A manifest's next state. `files` are the paths that differ: slice before and after, None where it has none."""

    start: Snapshot | None
    files_tree: str
    basis: Basis
    files: Mapping[bytes, tuple[str | None, str | None]]
    assigned: int
    """How many paths were given a slice, be it the one that they had."""
    parsed: int

    def everything(self, context: Context) -> Iterator[tuple[str, str]]:
        """(path, slice id) of the whole state, without reading the new files tree."""
        if self.start is not None:
            for path, slice_id in manifest.walk(context.repository, self.start.files):
                if path not in self.files:
                    yield _text(path), slice_id
        yield from ((_text(path), new) for path, (_, new) in sorted(self.files.items()) if new is not None)

    def file_changes(self) -> list[FileChange]:
        """The paths that differ, as an engine takes them."""
        return [FileChange(_text(path), new) for path, (_, new) in sorted(self.files.items())]


class Unpublished(Transaction):
    """A transaction that never writes: ids and trees as they would be."""

    def flush(self) -> None:
        """Keep everything in memory."""

    def publish(self, ref: str, new: str, old: str | None) -> bool:
        """Never."""
        raise AssertionError("nothing of this is to be published")


class Builder:
    """Computes changes within one transaction."""

    def __init__(
        self,
        context: Context,
        transaction: Transaction,
        progress: Progress | None = None,
        *,
        pretend: bool = False,
    ) -> None:
        """`pretend`: extract nothing, only find out what would be."""
        self._context = context
        self._transaction = transaction
        self._progress = progress
        self._pretend = pretend
        self._stored = not isinstance(transaction, Unpublished)
        self._decider: Decider | None = None

    @meter.phase("planning")
    def compute(self, start: Snapshot | None, tree: Tree, *, full: bool = False) -> Change:
        """The state that a picture of `tree` has, from `start`. `full`: trust nothing that was there before.

        Raises:
            MissingObject, CorruptObject: `start` or a commit's tree cannot be read.
        """
        context, now = self._context, time.time()
        basis = start.basis if start else NOTHING
        todo = plan.make(basis, tree.desired, context.rules.of, now, context.heads.differences, full=full or not start)
        head = tree.desired.head
        targets = plan.targets(
            todo,
            tree.desired,
            tree.sparse,
            lambda path: context.heads.find(head, path),
            lambda: context.heads.walk(head),
        )
        before = self._held(start, todo)
        self._decider = Decider(
            context.repository, context.cache, context.rules, tree.policy, tree.disk, self._transaction,
            remember=self._stored, progress=self._progress, pretend=self._pretend,
            take_in=context.engine.take_in if self._stored and not self._pretend else None,
        )  # fmt: skip
        earlier = {item.path: item for item in basis.skipped}
        decided = self._decider.decide(targets, set() if full else set(before.values()), earlier, now)
        files = _difference(before, decided.slices, targets.keys() | (before.keys() if todo.whole else set()))
        news = {path: new for path, (_, new) in files.items()}
        files_tree = manifest.update(self._transaction, start.files, news) if start else self._built(news)
        desired = tree.desired._replace(overlay=plan.corrected(tree.desired.overlay, decided.corrections))
        counts = self._counts(basis, todo, files, decided)
        skipped = [item for item in basis.skipped if not todo.whole and _bytes(item.path) not in targets]
        picture = desired.pictured(
            Basis(
                tool=desired.tool,
                rules=context.rules.of_all(sorted(counts.keys() - {"files"})),
                skipped=_sorted([*skipped, *decided.skipped.values()]),
                counts=counts,
                epoch=basis.epoch,
                observed_at=int(now),
            )
        )
        return Change(start, files_tree, picture, files, len(decided.slices), decided.parsed)

    def published(self) -> None:
        """What was computed last is in the repository now."""
        if self._decider is not None:
            self._decider.published()

    def read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of slices, new or old."""
        if self._stored:
            yield from slices.read(self._context.repository, ids)
        else:
            yield from ((id, self._transaction.read_blob(id)) for id in ids)

    def _built(self, files: Mapping[bytes, str | None]) -> str:
        return manifest.build(self._transaction, {path: new for path, new in files.items() if new is not None})

    def _held(self, start: Snapshot | None, todo: Plan) -> dict[bytes, str]:
        """The slices that the paths of a plan have so far."""
        if start is None:
            return {}
        repository = self._context.repository
        if todo.paths is not None and len(todo.paths) <= FIND_EACH:
            found = {path: manifest.find(repository, start.files, path) for path in todo.paths}
            return {path: slice_id for path, slice_id in found.items() if slice_id is not None}
        every = manifest.walk(repository, start.files)
        return {path: slice_id for path, slice_id in every if todo.paths is None or path in todo.paths}

    def _counts(
        self, basis: Basis, todo: Plan, files: Mapping[bytes, tuple[str | None, str | None]], decided: Decided
    ) -> dict[str, int]:
        """How many files there are, and of each language."""
        if todo.whole:
            counts = Counter(decided.languages[path] for path in decided.slices)
        else:
            counts = Counter({key: count for key, count in basis.counts.items() if key != "files"})
            counts.update(decided.languages[path] for path, (_, new) in files.items() if new is not None)
            counts.subtract(self._languages(old for old, _ in files.values() if old is not None))
        present = {language: count for language, count in sorted(counts.items()) if count > 0}
        return {"files": sum(present.values()), **present}

    def _languages(self, ids: Iterable[str]) -> list[str]:
        """The language of each slice."""
        listed = list(ids)
        known = {
            id: slices.head(data).language for id, data in slices.read(self._context.repository, sorted(set(listed)))
        }
        return [known[id] for id in listed]


def bring(engine: Engine, context: Context, name: str, snapshot: Snapshot, change: Change, builder: Builder) -> None:
    """Bring an engine's view to what a change has come to; the ref has moved already, or never will."""
    since = change.start.id if change.start else None
    engine.bring(
        name,
        snapshot.id,
        snapshot.files,
        change.file_changes() if since else None,
        lambda: change.everything(context),
        builder.read,
        since=since,
    )


def _difference(
    before: Mapping[bytes, str], after: Mapping[bytes, str], paths: Iterable[bytes]
) -> dict[bytes, tuple[str | None, str | None]]:
    """Where two states differ, among `paths`."""
    sides = ((path, before.get(path), after.get(path)) for path in paths)
    return {path: (old, new) for path, old, new in sides if old != new}


def _sorted(skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    return tuple(sorted(skipped, key=lambda item: _bytes(item.path)))


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
