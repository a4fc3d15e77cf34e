"""The manifest of any commit, derived from the nearest known one and published nowhere.

It is the manifest that the commit would be published with: default settings, the commit's own attributes, nothing of
any worktree; so it is the same on every machine. What it takes to derive it stays in the derived store for a while.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import git_graph
from git_graph.engines.protocol import Corrupt
from git_graph.errors import CorruptObject, DiskFull, Locked, MissingObject, NotWritable
from git_graph.git import attributes
from git_graph.git.settings import Settings
from git_graph.store import manifest
from git_graph.store.basis import Basis
from git_graph.store.manifest import Snapshot
from git_graph.sync import policy, values
from git_graph.sync.context import Context, Tree
from git_graph.sync.plan import Desired
from git_graph.sync.values import Answering

if TYPE_CHECKING:
    from git_graph.engines.protocol import Engine, GraphView
    from git_graph.git.repository import Repository

PREFIX = "revisions/"
"""What the names of derived views in an engine begin with; no view that is published has such a name."""
EARLIER = "snapshots/"
"""What those of earlier snapshots of views begin with."""
PASSING = (PREFIX, EARLIER)
KEPT = 8
"""How many views of either kind an engine keeps."""

Progress = Callable[[int, int], None]


def derived(repository: Repository, revision: str, progress: Progress | None = None) -> Answering:
    """A view of a commit. Raises UnknownRevision, MissingObject, CorruptObject."""
    commit = repository.objects.commit_of(revision)
    context = Context(repository)
    try:
        tree = tree_of(context, commit)
        name = PREFIX + commit
        opened = _kept(context, name, tree)
        warnings: tuple[str, ...] = ()
        if opened is None:
            opened, warnings = _made(context, name, tree, progress)
        return Answering(opened, name, opened.snapshot, commit, None, values.CURRENT, warnings)
    finally:
        context.close()


def tree_of(context: Context, commit: str) -> Tree:
    """A commit as a tree to make a manifest of, the same on every machine."""
    repository = context.repository
    sources = policy.in_commit(context.heads, repository, context.cache, commit, None)
    asked = attributes.Snapshot(repository.objects.directory, [(source.path, source.id) for source in sources])
    decided = policy.of(sources, Settings(), context.rules.detection, asked)
    desired = Desired(git_graph.__version__, commit, None, (), decided.digest, "", None)
    return Tree(desired, frozenset(), None, decided)


def _kept(context: Context, name: str, tree: Tree) -> GraphView | None:
    """The view that was derived before, if rules and policy are still the same and the engine still has it."""
    noted = context.cache.note("derived", name)
    if noted is None or noted["policy"] != tree.policy.digest:
        return None
    if any(context.rules.of(language) != tuple(rule) for language, rule in noted["rules"].items()):
        return None
    try:
        if context.engine.root(name) == noted["snapshot"]:
            return context.engine.open(name)
    except (Corrupt, Locked, KeyError):
        pass
    return None


def _made(context: Context, name: str, tree: Tree, progress: Progress | None) -> tuple[GraphView, tuple[str, ...]]:
    """The view, derived now."""
    from git_graph.engines.memory import MemoryEngine
    from git_graph.sync.apply import Builder, Unpublished, bring

    transaction = Unpublished(context.repository)
    builder = Builder(context, transaction, progress)
    try:
        change = builder.compute(context.start(tree.desired), tree)
    except (MissingObject, CorruptObject):  # of what it started from
        change = builder.compute(None, tree)
    basis = change.basis.published()
    snapshot = Snapshot(manifest.put_snapshot(transaction, change.files_tree, basis), change.files_tree, basis)
    warnings: list[str] = []
    for engine in (context.engine, MemoryEngine()):
        try:
            bring(engine, context, name, snapshot, change, builder)
            _note(context, engine, name, basis, snapshot.id)
            return engine.open(name), tuple(warnings)
        except (Corrupt, Locked, DiskFull, NotWritable) as error:
            warnings.append(f"not-cached: {error.message}")
    raise AssertionError("memory always answers")


def _note(context: Context, engine: Engine, name: str, basis: Basis, snapshot: str) -> None:
    """Remember what was derived, and let go of what was derived long ago."""
    note = {
        "policy": basis.policy,
        "rules": {language: list(rule) for language, rule in basis.rules.items()},
        "snapshot": snapshot,
    }
    context.cache.put_note("derived", name, note)
    hold(context, engine, name)


def hold(context: Context, engine: Engine, name: str) -> None:
    """Say that a view was asked that is of no tree of now; the engine lets go of such that were asked long ago."""
    earlier = [other for other in context.cache.note("derived", "order") or () if other != name]
    context.cache.put_note("derived", "order", [name, *earlier][:KEPT])
    kept = {name, *earlier[: KEPT - 1]}
    for other in engine.views():
        if other.startswith(PASSING) and other not in kept:
            engine.drop(other)
