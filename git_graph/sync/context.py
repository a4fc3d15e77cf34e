"""What one run of sync works with, and the tree in front of it as it was observed.

Everything here is cheap until it is asked for; a warm query imports nothing heavier than sqlite3.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import git_graph
from git_graph import meter
from git_graph.errors import GraphError
from git_graph.git import worktree
from git_graph.git.attributes import Checkout
from git_graph.git.worktree import Reading
from git_graph.records import NamedTuple
from git_graph.store import views
from git_graph.store.basis import Basis
from git_graph.store.manifest import Snapshot
from git_graph.store.views import View
from git_graph.sync import observe, plan, policy
from git_graph.sync.cache import Cache
from git_graph.sync.heads import Heads
from git_graph.sync.plan import Desired
from git_graph.sync.policy import Policy
from git_graph.sync.rules import Rules

if TYPE_CHECKING:
    from git_graph.engines.protocol import Engine
    from git_graph.git.repository import Repository

INSPECTED = "inspected"
"""The note of a shared manifest that was made here, or looked at when it was fetched."""
NOTHING = Basis(tool=git_graph.__version__, rules={})
"""The basis of a view that does not exist: a picture of nothing."""


class Tree(NamedTuple):
    """What a manifest is to be a picture of, and where its files are read; `disk` None: from the commit alone."""

    desired: Desired
    sparse: frozenset[bytes]
    disk: observe.Disk | None
    policy: Policy


class Context:
    """A repository and what sync remembers of it. `writable`: what is found out may be stored in it."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.writable = _writable(repository)
        directory = repository.graph_dir if self.writable or repository.graph_dir.is_dir() else None
        self.cache = Cache(directory, writable=self.writable)
        self.rules = Rules(self.cache)
        self.heads = Heads(repository)

    @cached_property
    def engine(self) -> Engine:
        """The engine of the derived store (which may still be read where it cannot be written), or one in memory."""
        there = self.writable or self.repository.graph_dir.is_dir()
        if there and self.repository.settings.engine == "sqlite":
            from git_graph.engines.sqlite import SqliteEngine

            return SqliteEngine(self.repository.graph_dir)
        from git_graph.engines.memory import MemoryEngine

        return MemoryEngine()

    @meter.phase("observing")
    def observe(self, reading: Reading | None = None, near: str | None = None) -> Tree:
        """The worktree as it is now, or as `reading` is about to say; `near` is a commit it was at before."""
        repository, settings = self.repository, self.repository.settings
        reading = reading or worktree.start(repository.require_worktree(), repository.env)
        index = observe.start_index(repository, self.cache)
        state = reading.state()
        unseen = observe.unseen(repository, self.cache, index)
        committed = policy.in_commit(self.heads, repository, self.cache, state.head, near)
        disk_top = repository.require_worktree()
        sources = policy.on_disk(bytes(disk_top), committed, state.entries) + policy.outside(repository, settings)
        disk = observe.Disk(repository, self.cache, policy.conversion(sources, settings), file_mode=settings.file_mode)
        asked = Checkout(disk_top, repository.env)
        decided = policy.of(sources, settings, self.rules.detection, asked)
        overlay = observe.overlay(state, unseen, disk, self.heads, untracked=settings.untracked)
        desired = Desired(
            git_graph.__version__, state.head, state.branch, overlay, decided.digest, unseen.digest, str(disk_top)
        )
        return Tree(desired, unseen.sparse, disk, decided)

    def published(self, name: str | None = None, *, remembered: bool = True) -> View | None:
        """The view of that name (by default this worktree's) as it is published, not read again if it is remembered.

        Raises as `views.read`.
        """
        name = name or self.repository.view
        root = self.repository.refs.read(views.ref_of(name))
        if root is None or views.is_inherited(self.repository, name):
            return None
        noted = self.cache.note("view", name) if remembered else None
        if noted is not None and noted["root"] == root:
            basis = Basis.decode(noted["basis"].encode())
            return View(name, root, Snapshot(noted["snapshot"], noted["files"], basis))
        view = views.read(self.repository, name)
        if view is not None:
            self.remember(view)
        return view

    def remember(self, view: View) -> None:
        """Spare the next one reading this view's manifest."""
        note = {
            "root": view.root,
            "snapshot": view.snapshot.id,
            "files": view.snapshot.files,
            "basis": view.basis.encode().decode("ascii"),
        }
        self.cache.put_note("view", view.name, note)

    def start(self, desired: Desired) -> Snapshot | None:
        """The manifest nearest to a tree, for a view that has none: of the same commit if there is one."""
        best: tuple[tuple[bool, ...], Snapshot] | None = None
        for name in sorted(views.roots(self.repository)):
            try:
                view = self.published(name)
            except GraphError:
                continue  # one that cannot be read is no start
            if view is None or views.writer_is_newer(view.basis, self.rules.of_all(view.basis.rules)):
                continue
            if name.startswith(views.SHARED) and not self.cache.note(INSPECTED, view.snapshot.id):
                continue  # it came here by itself (a mirror, a refspec); its slices are found by their contents
            basis = view.basis
            rank = (
                basis.head == desired.head,
                (basis.policy, basis.sparse) == (desired.policy, desired.sparse),
                not plan.outdated(basis, self.rules.of),
                name.partition("/")[2].endswith(desired.branch or "\0"),
                not name.startswith("epochs/"),
            )
            if best is None or rank > best[0]:
                best = rank, view.snapshot
        return best[1]._replace(basis=best[1].basis._replace(epoch=None)) if best else None  # that is the other's own

    def close(self) -> None:
        """Save what was learnt and release what is open (an engine's views stay usable)."""
        self.cache.close()
        self.repository.objects.close()


def _writable(repository: Repository) -> bool:
    if not repository.writable():
        return False
    try:
        repository.make_graph_dir()
    except GraphError:
        return False
    return True
