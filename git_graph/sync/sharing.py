"""Publishing the manifest of a commit on a remote: `git graph push`.

What is published is a function of the commit and the rules: default settings, the commit's own attributes, nothing of
any worktree. Overlays, untracked files and settings never leave the machine. A remote has one manifest for each branch;
a new one takes the old one's place, and only if nobody else has replaced it meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, GraphError, MissingObject, NotWritable, RefMoved, UnknownRevision
from git_graph.git import remotes
from git_graph.records import NamedTuple
from git_graph.store import manifest, published, views
from git_graph.store.manifest import Snapshot
from git_graph.store.transaction import Transaction
from git_graph.sync import derive
from git_graph.sync.context import INSPECTED, Context

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.sync.apply import Change

Progress = Callable[[int, int], None]


class Published(NamedTuple):
    """What a push has come to. `replaced` is the snapshot that the remote had before; `sent`: it has moved."""

    remote: str
    branch: str
    commit: str | None
    snapshot: str | None
    replaced: str | None
    sent: bool
    files: int = 0
    warnings: tuple[str, ...] = ()


def push(
    repository: Repository,
    remote: str | None = None,
    source: str | None = None,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Published:
    """Publish the manifest of a commit. `source`: BRANCH, or REVISION:BRANCH; by default the branch checked out here.

    Raises:
        UnknownRemote, UnknownRevision
        GraphError: no branch was named and none is checked out; a file of the commit could not be extracted.
        RefMoved: somebody else has published meanwhile.
        GitFailed: the remote cannot be reached, or refuses. NotWritable, DiskFull, Locked
    """
    commit, branch = _what(repository, source)
    remote = remotes.chosen(repository, remote, branch, push=True)
    name = f"heads/{branch}"
    ref = views.ref_of(name)
    with closing(Context(repository)) as context:
        if not context.writable:
            raise NotWritable(f"{repository.common_dir} cannot be written", "push from where it can be")
        there = remotes.refs_at(repository, remote, ref).get(ref)
        with Transaction(repository) as transaction:
            snapshot = _made(context, transaction, commit, progress)
            moves = there != snapshot.id
            if not dry_run:
                _hold(transaction, ref, snapshot.id)
                context.cache.put_note(INSPECTED, snapshot.id, True)
        if moves and not dry_run:
            remotes.send(repository, remote, ref, snapshot.id, there)
    files = snapshot.basis.counts.get("files", 0)
    return Published(remote, branch, commit, snapshot.id, there, moves, files)


def keep(repository: Repository, revision: str, *, progress: Progress | None = None) -> str:
    """Keep the manifest of a commit here, as an epoch that nobody publishes; the view's name. Raises as `push`."""
    commit = repository.objects.commit_of(revision)
    name = f"epochs/{derive.PREFIX}{commit}"
    with closing(Context(repository)) as context:
        if not context.writable:
            raise NotWritable(f"{repository.common_dir} cannot be written", "ask without --keep")
        with Transaction(repository) as transaction:
            _hold(transaction, views.ref_of(name), _made(context, transaction, commit, progress).id)
    return name


def withdraw(repository: Repository, remote: str | None, branch: str, *, dry_run: bool = False) -> Published:
    """Remove what is published for a branch, on the remote and here. Raises as `push`."""
    remote = remotes.chosen(repository, remote, branch, push=True)
    ref = views.ref_of(f"heads/{branch}")
    there = remotes.refs_at(repository, remote, ref).get(ref)
    if not dry_run:
        if there is not None:
            remotes.send(repository, remote, ref, None, there)
        views.delete(repository, f"heads/{branch}")
    return Published(remote, branch, None, None, there, there is not None)


def _what(repository: Repository, source: str | None) -> tuple[str, str]:
    """The commit and the branch that it is published for."""
    if source is None:
        branch = checked_out(repository)
        if branch is None:
            raise GraphError("HEAD is detached: no branch to publish for", "name it: git graph push REMOTE HEAD:BRANCH")
        return repository.objects.commit_of("HEAD"), branch
    revision, colon, branch = source.rpartition(":")
    if not colon:
        branch = source.removeprefix("refs/heads/")
        if repository.refs.read(f"refs/heads/{branch}") is None:
            raise UnknownRevision(
                f"'{source}' is not a branch", f"to publish it for a branch: git graph push REMOTE {source}:BRANCH"
            )
        return repository.objects.commit_of(f"refs/heads/{branch}"), branch
    branch = branch.removeprefix("refs/heads/")
    if repository.attempt("check-ref-format", f"refs/heads/{branch}").status:
        raise UnknownRevision(
            f"'{branch}' cannot be the name of a branch", "name one: git graph push REMOTE REV:BRANCH"
        )
    return repository.objects.commit_of(revision), branch


def checked_out(repository: Repository) -> str | None:
    """The branch that HEAD is on, None if it is detached."""
    said = repository.attempt("symbolic-ref", "--quiet", "HEAD").stdout
    return os.fsdecode(said).removesuffix("\n").removeprefix("refs/heads/") or None


def _made(context: Context, transaction: Transaction, commit: str, progress: Progress | None) -> Snapshot:
    """The published manifest of a commit, made within a transaction."""
    from git_graph.sync.apply import Builder

    tree = derive.tree_of(context, commit)
    builder = Builder(context, transaction, progress)
    change: Change | None = None
    try:
        change = builder.compute(context.start(tree.desired), tree)
    except (MissingObject, CorruptObject):
        pass  # of what it started from
    if change is None or published.gaps(change.basis):  # what failed somewhere else may work here
        change = builder.compute(None, tree)
    basis = change.basis.published()
    if gaps := published.gaps(basis):
        first = f"{gaps[0].path} ({gaps[0].reason})"
        raise GraphError(
            f"{commit[:12]} is not published: {len(gaps)} of its files could not be extracted, {first}",
            "git graph status tells more; a larger graph.parseTimeout may help",
        )
    return Snapshot(manifest.put_snapshot(transaction, change.files_tree, basis), change.files_tree, basis)


def _hold(transaction: Transaction, ref: str, snapshot: str) -> None:
    """Let our own ref of that name hold the manifest, so that its objects are there to be sent."""
    for _ in range(3):
        at = transaction.repository.refs.read(ref)
        if transaction.publish(ref, snapshot, at):
            return
    raise RefMoved(f"{ref} kept being moved by another process", "run the command again")
