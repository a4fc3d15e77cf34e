"""From a snapshot to a view that can be asked: the engine is brought to it if it is not there yet.

The engine's file is only a copy: whatever is wrong with it ends in an answer from memory, never in a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from git_graph import meter
from git_graph.engines.protocol import Corrupt, FileChange, GraphView
from git_graph.errors import CorruptObject, DiskFull, GraphError, Locked, MissingObject, NotWritable
from git_graph.store import manifest, slices
from git_graph.store.manifest import Snapshot
from git_graph.sync.context import Context
from git_graph.sync.reconcile import Settled

if TYPE_CHECKING:
    from git_graph.engines.protocol import Engine


def open_settled(context: Context, settled: Settled) -> GraphView:
    """The view that a sync has come to. Raises MissingObject, CorruptObject if slices of it cannot be read."""
    if not settled.stored:
        return _in_memory(context, settled)
    if settled.change is None or settled.builder is None:
        return open_stored(context, settled.name, settled.snapshot, settled.warnings)
    from git_graph.sync.apply import bring

    try:
        bring(context.engine, context, settled.name, settled.snapshot, settled.change, settled.builder)
    except (Corrupt, Locked, DiskFull, NotWritable):
        pass  # met again below, and told there
    return open_stored(context, settled.name, settled.snapshot, settled.warnings)


def open_stored(context: Context, name: str, snapshot: Snapshot, warnings: list[str]) -> GraphView:
    """A published snapshot as a view, from the derived store if that can be had."""
    for _ in range(2):
        try:
            return _opened(context, context.engine, name, snapshot)
        except Corrupt:
            continue  # it has been thrown away
        except (Locked, DiskFull, NotWritable) as error:
            reason = error.message
            break
    else:
        reason = "the derived store is damaged again and again"
    if context.writable:
        warnings.append(f"not-cached: {reason}")
    from git_graph.engines.memory import MemoryEngine

    return _opened(context, MemoryEngine(), name, snapshot)


@meter.phase("bringing")
def _opened(context: Context, engine: Engine, name: str, snapshot: Snapshot) -> GraphView:
    at = engine.root(name)
    if at != snapshot.id:
        changes, since = _changes(context, at, snapshot)
        engine.bring(
            name, snapshot.id, snapshot.files, changes, lambda: everything(context, snapshot),
            lambda ids: read(context, ids), since=since,
        )  # fmt: skip
    view = engine.open(name)
    if view.snapshot != snapshot.id:
        raise Locked(f"view '{name}' moved on while it was opened", "run the command again")
    return view


def _changes(context: Context, at: str | None, snapshot: Snapshot) -> tuple[list[FileChange] | None, str | None]:
    """What differs from the snapshot that the engine is at, if that can still be told."""
    if at is None:
        return None, None
    try:
        old = manifest.read_snapshot(context.repository, at)
        differing = list(manifest.diff(context.repository, old.files, snapshot.files))
    except (MissingObject, CorruptObject):
        return None, None
    return [FileChange(_text(path), new) for path, _, new in differing], at


def everything(context: Context, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """(path, slice id) of a snapshot."""
    for path, slice_id in manifest.walk(context.repository, snapshot.files):
        yield _text(path), slice_id


def read(context: Context, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The bytes of slices."""
    return slices.read(context.repository, ids)


def _in_memory(context: Context, settled: Settled) -> GraphView:
    from git_graph.engines.memory import MemoryEngine
    from git_graph.sync.apply import bring

    if settled.change is None or settled.builder is None:
        raise GraphError(f"view '{settled.name}' was not computed")
    engine = MemoryEngine()
    bring(engine, context, settled.name, settled.snapshot, settled.change, settled.builder)
    return engine.open(settled.name)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
