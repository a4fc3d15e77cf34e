"""Pinning what a view is by name, and beginning to count anew: `git graph rebaseline`."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from git_graph.errors import NotWritable, RefMoved, UnknownView, UsageError
from git_graph.records import NamedTuple
from git_graph.store import snapshots, views
from git_graph.store.transaction import Transaction
from git_graph.sync.context import Context
from git_graph.sync.reconcile import reconcile, writing

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

ATTEMPTS = 5


class Rebaselined(NamedTuple):
    """An epoch that began: its name and the snapshot that it pins, and the first snapshot after it."""

    view: str
    name: str
    label: str
    pinned: str
    snapshot: str
    sequence: int
    replaced: str | None
    """The snapshot that the label held before."""


def rebaseline(
    repository: Repository, label: str, *, force: bool = False, progress: Callable[[int, int], None] | None = None
) -> Rebaselined:
    """Pin this worktree's present snapshot as an epoch, and begin a new count; `force`: in place of an earlier one.

    Raises:
        UsageError: the label is none, or in use.
        BareRepository, NotWritable, Locked, RefMoved, NewerFormat, OlderTool, DiskFull, GitFailed
    """
    repository.require_worktree()
    name = snapshots.epoch(repository.view, label)
    replaced = _held(repository, name, label, force)  # better told before anything is read
    pinned = False
    with closing(Context(repository)) as context:
        if not context.writable:
            raise NotWritable(f"{repository.common_dir} cannot be written", "do it where it can be")
        for _ in range(ATTEMPTS):
            settled = reconcile(context, progress=progress)
            if not settled.stored:
                raise NotWritable(f"view '{repository.view}' is not stored", "; ".join(settled.warnings))
            with writing(repository), Transaction(repository) as transaction:
                view = views.require(repository, repository.view)
                if view.snapshot.id != settled.snapshot.id:
                    continue  # somebody took in an edit meanwhile
                if not pinned:  # else it is ours
                    replaced = _held(repository, name, label, force)
                try:
                    views.pin(transaction, view, label)
                    pinned = True
                    basis = view.basis._replace(epoch=label, observed_at=int(time.time()))
                    after = views.restart(transaction, view, basis)
                except RefMoved:
                    continue
                context.remember(after)
                return Rebaselined(
                    view.name, name, label, view.snapshot.id, after.snapshot.id, after.basis.sequence or 0, replaced
                )
    raise RefMoved(f"view '{repository.view}' kept being moved by another process", "run the command again")


def _held(repository: Repository, name: str, label: str, force: bool) -> str | None:
    """The snapshot that an epoch of that name holds. Raises UsageError: there is one, and it is to stay."""
    held = repository.refs.read(views.ref_of(name))
    if held is not None and not force:
        raise UsageError(
            f"there is an epoch '{label}' already (snapshot {held[:12]})", "choose another label, or add --force"
        )
    return held


class Listed(NamedTuple):
    """A snapshot of a view, as it is listed: `name` is what it can be asked by from anywhere, `short` from its view.

    `uncommitted` is how many paths differ from `head`, `sequence` its number since `epoch` began.
    """

    short: str
    name: str
    id: str
    sequence: int | None
    epoch: str | None
    observed_at: int | None
    head: str | None
    branch: str | None
    uncommitted: int
    files: int


def listing(repository: Repository, name: str | None = None) -> list[Listed]:
    """The snapshots of a view (by default this worktree's): the present one, earlier ones, then epochs.

    Raises UnknownView; MissingObject, CorruptObject, NewerFormat.
    """
    view = views.require(repository, name or repository.view)
    kept = [(f"@{{{ago}}}", held) for ago, held in enumerate(snapshots.earlier(repository, view))]
    kept += [(snapshots.label_of(held.name), held) for held in snapshots.epochs(repository, view.name)]
    return [_listed(repository, short, held) for short, held in kept]


def last(repository: Repository) -> str:
    """The snapshot to compare this worktree's view with if none is named: its epoch, else the one before the present.

    Raises UnknownView: there is neither.
    """
    view = views.require(repository, repository.view)
    if view.basis.epoch is not None:
        name = snapshots.epoch(view.name, view.basis.epoch)
        if repository.refs.read(views.ref_of(name)) is not None:
            return name
    if len(snapshots.earlier(repository, view)) > 1:
        return "@{1}"
    raise UnknownView(f"view '{view.name}' has no earlier snapshot", "name what to compare with: git graph delta SINCE")


def _listed(repository: Repository, short: str, held: snapshots.Held) -> Listed:
    basis = snapshots.read(repository, held).basis
    return Listed(
        short, held.name, held.id, basis.sequence, basis.epoch, basis.observed_at, basis.head, basis.branch,
        len(basis.overlay), basis.counts.get("files", 0),
    )  # fmt: skip
