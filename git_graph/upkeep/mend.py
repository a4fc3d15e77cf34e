"""Mending what was found: each repair is one that a killed process may leave half done.

In order: objects that are damaged are put away, slices made again, views of worktrees brought to their trees anew,
earlier snapshots that cannot be read dropped, derived data thrown away. Pinned and fetched manifests are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.engines.sqlite import SqliteEngine
from git_graph.errors import GraphError, RefMoved
from git_graph.git.lock import FileLock
from git_graph.git.loose import object_id
from git_graph.git.repository import LINKED_PREFIX, MAIN_VIEW
from git_graph.store import views
from git_graph.store.journal import Journal
from git_graph.store.keymap import Key
from git_graph.store.transaction import Transaction
from git_graph.sync import sync
from git_graph.sync.context import Context
from git_graph.upkeep import findings, fresh
from git_graph.upkeep.findings import Finding
from git_graph.upkeep.survey import Survey

if TYPE_CHECKING:
    from git_graph.git.repository import Worktree

Mended = dict[tuple[object, ...], str]
"""Key of a finding -> how it was mended."""


class Mender:
    """Mends what one look has found."""

    def __init__(self, context: Context, survey: Survey) -> None:
        self.context = context
        self.repository = context.repository
        self.survey = survey

    def mend(self, found: Iterable[Finding]) -> Mended:
        """Do what can be done; how each finding was mended, to be believed only once it is no longer found."""
        todo, how = list(found), Mended()
        self._put_away(self.survey.unread)
        how |= self._make_again([f for f in todo if f.code in (findings.MISSING, findings.DAMAGED)])
        self.context.cache.forget_slices(self.survey.bad)
        self.context.cache.forget_slices({f.object for f in todo if f.code == findings.DIFFERS})
        if any(finding.code == findings.CACHE for finding in todo):
            self.context.cache.discard()
        self.context.cache.close()
        left = [finding for finding in todo if finding.key not in how]
        how |= self._bring_again([f for f in left if f.view and f.sequence is None])
        how |= self._drop_snapshots([f for f in left if f.view and f.sequence is not None])
        for finding in left:
            if finding.code == findings.REFLOG:
                with suppress(OSError):
                    Path(finding.object).unlink()
                how[finding.key] = "removed"
            elif finding.code == findings.CACHE:
                how[finding.key] = "removed: it is found out again"
            elif finding.code == findings.ENGINE:
                if isinstance(self.context.engine, SqliteEngine):
                    self.context.engine.discard()
                how[finding.key] = "thrown away and built again"
                self._derive()
        return how

    # objects

    def _put_away(self, ids: set[str]) -> None:
        """Take damaged files of ours out of the way, so that what they should have been can be written."""
        if not ids:
            return
        repository = self.repository
        lock = FileLock(repository.make_graph_dir() / "store.lock", repository.settings.lock_timeout, "mend objects")
        with lock:
            journal = Journal(repository)
            written = journal.loose.take()
            journal.loose.settle(written.items())
            for id in {*ids, *(id for id in written if self._is_damaged(id))}:
                repository.loose.remove(id)
            noted = journal.packs.take()
            try:
                broken = [
                    index
                    for index in repository.packs.indexes()
                    if index.pack.stem.removeprefix("pack-") in noted and any(id in index for id in ids)
                ]
                for index in broken:
                    journal.note(index)
                    for id in index:
                        with suppress(GraphError):
                            kind, data = repository.objects.raw(id)
                            if object_id(kind, data) == id:
                                repository.loose.write(id, kind, data)
                    noted.pop(index.pack.stem.removeprefix("pack-"))
                    index.remove()
            finally:
                journal.packs.settle(noted.items())
                repository.objects.close()

    def _is_damaged(self, id: str) -> bool:
        """Whether a loose object is not what it is named by."""
        if not self.repository.loose.path(id).exists():
            return False
        try:
            return object_id(*self.repository.objects.raw(id)) != id
        except GraphError:
            return True

    def _make_again(self, lost: list[Finding]) -> Mended:
        """Extract lost slices from their contents; those that come out as they were named are mended everywhere."""
        if not lost:
            return {}
        known: dict[str, Key] = {slice_id: key for key, slice_id in self.context.cache.known_slices()}
        by_id: dict[str, list[Finding]] = {}
        for finding in lost:
            by_id.setdefault(finding.object, []).append(finding)
        keys = {id: known[id] for id in by_id if id in known} | self._guessed({id for id in by_id if id not in known})
        contents = fresh.Contents(self.repository, self.survey.held)
        how: Mended = {}
        journal = Journal(self.repository)
        for id, data in fresh.extracted(self.repository, contents, keys):
            if data is not None and object_id("blob", data) == id:
                journal.note([id])
                self.repository.loose.write(id, "blob", data)
                how |= {finding.key: "extracted again" for finding in by_id[id]}
        self.repository.objects.close()
        return how

    def _guessed(self, ids: set[str]) -> dict[str, Key]:
        """What slices were made of, by the paths at which a basis has other contents than HEAD, or HEAD itself."""
        from git_graph import languages

        keys: dict[str, Key] = {}
        contents = fresh.Contents(self.repository, self.survey.held)
        wanted = [finding for finding in self.survey.found if finding.object in ids]
        held = {(item.view, item.sequence): item.snapshot for item in self.survey.held}
        for finding in wanted:
            snapshot = held.get((finding.view, finding.sequence))
            if snapshot is None or finding.object in keys:
                continue
            source = next((e.content for e in snapshot.basis.overlay if e.path == finding.path), None)
            if source is None and snapshot.basis.head is not None:
                with suppress(GraphError):
                    tree = self.repository.objects.tree_of(snapshot.basis.head)
                    entry = self.repository.objects.entry(tree, finding.path.encode("utf-8", "surrogateescape"))
                    source = entry.id if entry else None
            data = contents.read(source) if source else None
            language = languages.detect(finding.path, data) if data is not None else None
            if source and language:
                keys[finding.object] = (source, language, "")
        return keys

    # views

    def _bring_again(self, broken: list[Finding]) -> Mended:
        worktrees = {worktree.view: worktree for worktree in self.repository.worktrees()}
        how: Mended = {}
        for view in sorted({finding.view for finding in broken}):
            said = self._brought(view, worktrees.get(view))
            if said:
                how |= {finding.key: said for finding in broken if finding.view == view}
        return how

    def _brought(self, view: str, worktree: Worktree | None) -> str:
        if worktree is not None and worktree.path is not None and not worktree.gone:
            with suppress(GraphError):
                sync(self.repository.at(worktree), full=True)
                return "made again from the worktree"
            return ""
        if view == MAIN_VIEW or view.startswith(LINKED_PREFIX):
            views.delete(self.repository, view)
            return "removed: there is no worktree to make it of"
        return ""

    def _drop_snapshots(self, broken: list[Finding]) -> Mended:
        how: Mended = {}
        for name in sorted({finding.view for finding in broken}):
            lost = {finding.sequence for finding in broken if finding.view == name}
            with suppress(GraphError, RefMoved), Transaction(self.repository) as transaction:
                view = views.read(self.repository, name)
                if view is not None:
                    earlier = views.history(self.repository, view)
                    views.trim(transaction, view, {n: id for n, id in earlier.items() if n not in lost})
                    said = "the earlier snapshot was dropped"
                    how |= {finding.key: said for finding in broken if finding.view == name}
        return how

    def _derive(self) -> None:
        """Build the derived store again, for the worktrees that are there."""
        for worktree in self.repository.worktrees():
            if worktree.gone or worktree.path is None:
                continue
            with suppress(GraphError), closing(Context(self.repository.at(worktree))) as there:
                published = there.published()
                if published is not None:
                    from git_graph.sync.opening import open_stored

                    open_stored(there, worktree.view, published.snapshot, []).close()
