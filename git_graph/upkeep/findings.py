"""What can be wrong, by name. Codes are stable: scripts read them."""

from __future__ import annotations

from git_graph.records import NamedTuple

UNREADABLE = "unreadable-manifest"
"""A snapshot, its basis or a tree of it cannot be read."""
MISSING, DAMAGED, MALFORMED = "missing-slice", "damaged-slice", "malformed-slice"
"""A slice is not there; its bytes are not those that it is named by; it is not what the format says."""
MISPLACED = "wrong-source"
"""A path has the slice of another content than the basis says it has."""
DIFFERS = "wrong-slice"
"""A fresh extraction of the same bytes, by the same rules, gives another slice."""
COUNTS = "wrong-counts"
"""A basis counts other files than its manifest has."""
PATHS = "wrong-paths"
"""A view that says it is a picture of its tree has other files."""
ENGINE, CACHE = "derived-engine", "derived-cache"
"""The derived store says something else than the slices and manifests, or is damaged."""
REFLOG, LOCK = "reflog", "left-lock"
"""A ref of ours has a reflog, which pins what it held; a lock file lies beside one."""


class Finding(NamedTuple):
    """Something that is wrong: what, in which view (empty: in none), at which path or object, and in words.

    `sequence` is that of an earlier snapshot, None for the present one. `mended` says how, empty if it is still there.
    """

    code: str
    view: str
    message: str
    path: str = ""
    object: str = ""
    sequence: int | None = None
    hint: str = ""
    mended: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, int | None]:
        """What makes it the same finding when it is met again."""
        return self.code, self.view, self.path, self.object, self.sequence
