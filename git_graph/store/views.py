"""Views: the refs under `refs/graph/` and the root trees they point to.

A name is the ref without `refs/graph/` (and, for the views of worktrees, without `views/`): `main-worktree`,
`worktrees/<id>`, `epochs/<view>/<label>`, `heads/<branch>`, `remotes/<remote>/<branch>`. Each part is percent-encoded
in the ref, `/` included, so that no two names collide and no name is in another's way. A ref moves only by
compare-and-swap from the root that its plan started from, after every object is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_graph.store.basis import Basis
from git_graph.store.manifest import Snapshot

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class View:
    """A view as it is published: the root its ref points to and the snapshot in it.

    For epochs, heads and remotes, whose refs point to a snapshot tree, `root` is the snapshot's id.
    """

    name: str
    root: str
    snapshot: Snapshot

    @property
    def basis(self) -> Basis:
        """The snapshot's basis."""
        return self.snapshot.basis


def read(repository: Repository, name: str) -> View | None:
    """The view of that name, or None if there is none. Cheap, and without pygit2.

    Raises:
        MissingObject, CorruptObject, NewerFormat: it cannot be read; never an empty view instead.
    """
    raise NotImplementedError


def names(repository: Repository) -> list[str]:
    """The names of all views, epochs, heads and remotes, sorted."""
    raise NotImplementedError


def require(repository: Repository, name: str) -> View:
    """As `read`. Raises UnknownView, whose hint lists those that exist."""
    raise NotImplementedError


def roots(repository: Repository) -> dict[str, str]:
    """Name -> the id its ref points to, for every name. Cheap, and without pygit2."""
    raise NotImplementedError


def publish(
    transaction: Transaction, name: str, files_tree: str, basis: Basis, expected: View | None
) -> tuple[View, bool]:
    """Publish a files tree as the view's next snapshot; the view as it then is, and whether anything was published.

    `basis.sequence` is set here. Nothing is published if the files tree and the basis equal those of `expected` but
    for `observed_at` and `sequence`. The earlier snapshot goes to `history/`, at most `graph.historyLimit` are kept.

    Raises:
        RefMoved: the view is no longer at `expected` (None: it exists): read again and plan again.
        OlderTool: the published view was written by a newer git-graph (see `writer_is_newer`).
        DiskFull, NotWritable, Locked
    """
    raise NotImplementedError


def history(repository: Repository, view: View) -> dict[int, str]:
    """Sequence -> snapshot id of the earlier snapshots that the view keeps."""
    raise NotImplementedError


def pin(transaction: Transaction, view: View, label: str) -> str:
    """Pin the view's snapshot under `epochs/<view>/<label>`; the name."""
    raise NotImplementedError


def delete(repository: Repository, name: str) -> bool:
    """Delete a view by name; whether there was one. What only it held is git's to reclaim."""
    raise NotImplementedError


def sweep(repository: Repository) -> list[str]:
    """Delete the views of linked worktrees that git no longer knows; their names."""
    raise NotImplementedError


def writer_is_newer(basis: Basis, rules: dict[str, tuple[int, str]]) -> bool:
    """Whether the basis was written by a newer tool than this one, whose rules are `rules` (by format, or by the rules
    version of a language): then it must not be published over."""
    raise NotImplementedError
