"""What sync tells its callers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.records import NamedTuple
from git_graph.store.basis import OverlayEntry, Skipped

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView

CURRENT, DIRTY, REFRESH_NEEDED, UNKNOWN = "current", "dirty-but-indexed", "refresh-needed", "unknown"
"""Values of `freshness`; see DESIGN section 6."""


class SyncResult(NamedTuple):
    """What a sync has come to. Paths are counted where they have, or had, a slice.

    `changed` is the sum of `added`, `modified` and `removed`, against the view's manifest before. `parsed` counts
    contents that were extracted, `reused` paths whose slice was there already.
    """

    view: str
    snapshot: str | None
    head: str | None
    branch: str | None
    freshness: str
    published: bool
    """Whether the view has moved; never when `warnings` say `not-stored` or `older-tool`."""
    sequence: int | None
    files: int
    changed: int = 0
    added: int = 0
    modified: int = 0
    removed: int = 0
    parsed: int = 0
    reused: int = 0
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()


class Status(NamedTuple):
    """How a view stands to the tree in front of it.

    `changed_paths` are the paths whose slice a sync would change, each with `A`, `M` or `D`; `overlay` the paths that
    differ from HEAD. Snapshot and what follows it are those of the manifest, None or empty if there is none.
    """

    view: str
    freshness: str
    initialized: bool
    head: str | None
    branch: str | None
    changed_paths: tuple[tuple[str, str], ...]
    overlay: tuple[OverlayEntry, ...]
    snapshot: str | None = None
    sequence: int | None = None
    epoch: str | None = None
    observed_at: int | None = None
    tool: str | None = None
    files: int = 0
    languages: tuple[tuple[str, int], ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()


class Answering(NamedTuple):
    """A view to ask questions of, and what it is a picture of. `result` is that of the sync, if there was one."""

    view: GraphView
    name: str
    snapshot: str
    head: str | None
    branch: str | None
    freshness: str
    warnings: tuple[str, ...] = ()
    result: SyncResult | None = None
