"""Letting go of what nobody asks any more: `git graph gc`.

Views of worktrees that are gone are deleted, histories cut to `graph.historyLimit`, derived data about neither removed,
and our own small objects packed. Git objects are only ever let go of: reclaiming them is git's, but for orphans of our
own that the journal knows (see `store.tend`). Every step is safe at any time, and beside anybody at work.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from git_graph.engines.sqlite import SqliteEngine
from git_graph.errors import CorruptObject, DiskFull, GraphError, Locked, MissingObject, NotWritable, RefMoved
from git_graph.git.lock import FileLock
from git_graph.records import NamedTuple
from git_graph.store import reach, views
from git_graph.store.journal import Journal
from git_graph.store.tend import Tended, tend
from git_graph.store.transaction import Transaction
from git_graph.sync.context import Context
from git_graph.sync.derive import PASSING

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


class Collected(NamedTuple):
    """What a collection came to.

    `views`: the dead views that were deleted; `derived`: views that the derived store has forgotten; `snapshots`: how
    many earlier snapshots were dropped; `tended`: what became of our loose objects and packs. `reclaimable`: objects
    that were let go of here and that are git's to reclaim now, and the bytes they take. `derived_bytes`: what can be
    deleted and built again, before and after.
    """

    views: tuple[str, ...]
    derived: tuple[str, ...]
    snapshots: int
    tended: Tended
    reclaimable: int
    reclaimable_bytes: int
    derived_bytes: tuple[int, int]
    warnings: tuple[str, ...] = ()


def collect(repository: Repository, *, dry_run: bool = False) -> Collected:
    """Let go of what is of no use; `dry_run` only tells what could go.

    Raises:
        NotWritable: the repository cannot be written.
        MissingObject, CorruptObject: a manifest cannot be read, so that nobody can tell what is held.
        Locked, DiskFull, GitFailed
    """
    with closing(Context(repository)) as context:
        if not context.writable and not dry_run:
            raise NotWritable(
                f"{repository.common_dir} cannot be written", "run it where the repository can be written"
            )
        try:
            return _Collection(context, dry_run).run()
        except (MissingObject, CorruptObject) as error:
            raise type(error)(error.message, "git graph verify tells what is wrong and mends it") from error


def forget(repository: Repository, names: Sequence[str]) -> None:
    """Delete views by name, readable or not, and what is derived of them; all or none of them.

    Raises:
        UnknownView: there is no view of one of these names.
        Locked, NotWritable
    """
    for name in names:
        if name not in views.roots(repository):
            raise views.unknown(repository, name)
    with closing(Context(repository)) as context:
        for name in names:
            views.delete(repository, name)
            with suppress(GraphError):  # the next collection finds it
                context.engine.drop(name)


class _Collection:
    def __init__(self, context: Context, dry_run: bool) -> None:
        self.context = context
        self.repository = context.repository
        self.dry_run = dry_run
        self.warnings: list[str] = []

    def run(self) -> Collected:
        repository = self.repository
        before, bytes_before = views.roots(repository), _derived_bytes(repository)
        held_before = reach.below(repository, before.values())
        dead = sorted(views.dead(repository) if self.dry_run else views.sweep(repository))
        snapshots, kept = self._bound_histories([name for name in before if name not in dead])
        derived = self._drop_derived(set(before) - set(dead))
        tended = Tended() if self.dry_run else self._tend()
        held = reach.below(repository, kept if self.dry_run else views.roots(repository).values())
        released = held_before - held
        if not self.dry_run:
            released -= reach.by_any_ref(repository, released)
            self.context.cache.prune(before.keys() - set(dead), views.roots(repository).values(), held)
        sizes = repository.objects.disk_sizes(released)
        return Collected(
            tuple(dead), tuple(derived), snapshots, tended, len(sizes), sum(sizes.values()),
            (bytes_before, _derived_bytes(repository)), tuple(self.warnings),
        )  # fmt: skip

    def _bound_histories(self, names: list[str]) -> tuple[int, list[str]]:
        """Cut histories to the limit: how many snapshots went, and the trees that are (or would be) held then."""
        limit, dropped, held = self.repository.settings.history_limit, 0, []
        for name in names:
            view = views.read(self.repository, name)
            if view is None:
                continue
            earlier = views.history(self.repository, view)
            excess = max(0, len(earlier) - limit)
            dropped += excess
            if not excess:
                held.append(view.root)
                continue
            kept = dict(list(earlier.items())[excess:])
            held += [view.snapshot.id, *kept.values()]
            if not self.dry_run:
                self._trim(view, kept)
        return dropped, held

    def _trim(self, view: views.View, kept: dict[int, str]) -> None:
        with Transaction(self.repository) as transaction:
            try:
                views.trim(transaction, view, kept)
            except RefMoved:
                return  # whoever moved it has cut its history as well

    def _drop_derived(self, names: set[str]) -> list[str]:
        """Have the derived store forget views that are gone, and give back the room."""
        engine = self.context.engine
        dropped = []
        try:
            dropped = [view for view in engine.views() if view not in names and not view.startswith(PASSING)]
            if not self.dry_run:
                for view in dropped:
                    engine.drop(view)
                if isinstance(engine, SqliteEngine):
                    engine.compact()
        except (Locked, DiskFull, NotWritable) as error:
            self.warnings.append(f"not-compacted: {error.message}")
        except GraphError as error:  # damaged, and thrown away by now
            self.warnings.append(f"rebuilt: {error.message}")
        return dropped

    def _tend(self) -> Tended:
        repository = self.repository
        lock = FileLock(repository.graph_dir / "store.lock", repository.settings.lock_timeout, "pack objects")
        with lock:
            repository.packs.sweep()
            done = tend(repository, Journal(repository), thorough=True)
        if done.prevented:
            self.warnings.append(f"not-packed: {done.prevented}")
        return done


def _derived_bytes(repository: Repository) -> int:
    try:
        files = [file for file in repository.graph_dir.iterdir() if ".sqlite" in file.name]
        return sum(file.stat().st_size for file in files)
    except OSError:
        return 0
