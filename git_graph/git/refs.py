"""References: read without pygit2, moved only by compare-and-swap, never with a reflog.

Reading looks at the loose file and then at `packed-refs`, as git does (reftable repositories are refused before we get
here). Writing is `git update-ref`, which also knows the locks. Knows nothing of what a ref means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


class Refs:
    """The references of a repository, those shared by all worktrees and HEAD of this one."""

    def __init__(self, repository: Repository) -> None: ...

    def read(self, name: str) -> str | None:
        """The id that a ref points to (symbolic ones followed), or None."""
        raise NotImplementedError

    def list(self, prefix: str) -> dict[str, str]:
        """Every ref whose name starts with `prefix` (`refs/graph/`), sorted by name."""
        raise NotImplementedError

    def update(self, name: str, new: str, old: str | None) -> bool:
        """Point `name` to `new` if it points to `old` (None: does not exist); whether it did.

        Raises:
            Locked: somebody holds the ref's lock for longer than we wait; the lock file is named.
            NotWritable, DiskFull, GitFailed
        """
        raise NotImplementedError

    def delete(self, name: str, old: str) -> bool:
        """Delete `name` if it points to `old`; whether it did. Raises as `update`."""
        raise NotImplementedError
