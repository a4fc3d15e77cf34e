"""Looking at everything we keep: manifests, slices and the derived store, each against the others. Changes nothing.

Every object that a ref of ours reaches is read and its bytes compared with its name, every slice is decoded, and every
path's slice has to be of the content that the basis says lies there. Shared trees and slices are looked at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from git_graph import codec
from git_graph.errors import GraphError, MissingObject
from git_graph.git.loose import object_id
from git_graph.git.objects import BLOB, TREE, Entry, parse_tree
from git_graph.records import NamedTuple, Record, field
from git_graph.store import manifest, published, slices, views
from git_graph.store.manifest import Snapshot
from git_graph.store.slices import SliceHead
from git_graph.upkeep import findings
from git_graph.upkeep.findings import Finding

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

Progress = Callable[[int, int], None]


class Held(NamedTuple):
    """A snapshot and who holds it; `sequence` None: as the present one."""

    view: str
    sequence: int | None
    snapshot: Snapshot


class Survey(Record):
    """What was found, and what there is: snapshots that can be read, each slice's head, and the slices that are bad."""

    found: list[Finding] = field(factory=list)
    held: list[Held] = field(factory=list)
    heads: dict[str, SliceHead] = field(factory=dict)
    bad: dict[str, str] = field(factory=dict)
    """Slice id -> code."""
    unread: set[str] = field(factory=set)
    """Objects of any kind that are missing or damaged."""
    trees: int = 0


class _Summary(NamedTuple):
    """Of a files tree beside a commit's tree: files by language, and (path, slice id, content there) where the slice is
    bad or of another content than the commit has."""

    counts: dict[str, int]
    deviating: list[tuple[bytes, str, str | None]]


def survey(repository: Repository, progress: Progress | None = None) -> Survey:
    """Look at every manifest and slice that a ref of ours holds. Raises GitFailed."""
    return _Surveyor(repository, progress).run()


class _Surveyor:
    def __init__(self, repository: Repository, progress: Progress | None) -> None:
        self.repository = repository
        self.progress = progress
        self.survey = Survey()
        self.entries: dict[str, list[Entry] | None] = {}
        """The entries of each files tree, None for those that cannot be read."""
        self.summaries: dict[tuple[str, str | None], _Summary] = {}
        self.commits: dict[str, dict[bytes, Entry]] = {}

    def run(self) -> Survey:
        repository, survey = self.repository, self.survey
        for name in views.names(repository):
            self._view(name)
        ids = sorted({id for rows in self.entries.values() for _, mode, id in rows or () if mode == BLOB})
        for number, id in enumerate(ids):
            if self.progress is not None and not number % 64:
                self.progress(number, len(ids))
            self._slice(id)
        for held in survey.held:
            self._contents(held)
            self._shared(held)
        survey.trees = len(self.entries)
        return survey

    # manifests

    def _view(self, name: str) -> None:
        try:
            view = views.read(self.repository, name)
            if view is None:
                return
            self._read(view.root)
            earlier = views.history(self.repository, view)
        except GraphError as error:
            self._probe(self.repository.refs.read(views.ref_of(name)) or "")
            self._unreadable(name, None, error)
            return
        snapshots: list[tuple[int | None, str]] = [(None, view.snapshot.id), *earlier.items()]
        for sequence, id in snapshots:
            try:
                self._whole(id)
                snapshot = view.snapshot if sequence is None else manifest.read_snapshot(self.repository, id)
                self._files(snapshot.files)
            except GraphError as error:
                self._unreadable(name, sequence, error)
            else:
                self.survey.held.append(Held(name, sequence, snapshot))

    def _probe(self, id: str) -> None:
        """Find out which objects of a view that cannot be read are damaged."""
        with suppress(GraphError):
            for row in parse_tree(self._read(id), id):
                if row.name in (b"snapshot", b"history"):
                    self._probe(row.id)
                elif row.name == b"basis":
                    self._read(row.id)

    def _whole(self, id: str) -> None:
        """The objects of a snapshot itself. Raises GraphError unless they are what they are named by."""
        for _, mode, child in parse_tree(self._read(id), id):
            if mode == BLOB:
                self._read(child)

    def _read(self, id: str) -> bytes:
        try:
            kind, data = self.repository.objects.raw(id)
        except GraphError:
            self.survey.unread.add(id)
            raise
        if object_id(kind, data) != id:
            self.survey.unread.add(id)
            raise MissingObject(f"object {id} is damaged: its bytes are not those that it is named by")
        return data

    def _files(self, tree: str) -> None:
        """Read the trees below a files tree that were not read before. Raises GraphError if one cannot be."""
        todo, broken = [tree], ""
        seen = {tree}
        while todo:
            id = todo.pop()
            if id not in self.entries:
                try:
                    rows = parse_tree(self._read(id), id)
                    self.entries[id] = rows if all(_is_sound(row) for row in rows) else None
                except GraphError:
                    self.entries[id] = None
            known = self.entries[id]
            if known is None:
                broken = broken or id
                continue
            new = [row.id for row in known if row.mode == TREE and row.id not in seen]
            seen.update(new)
            todo += new
        if broken:
            raise MissingObject(f"tree {broken} of the manifest is missing or damaged")

    # slices

    def _slice(self, id: str) -> None:
        try:
            data = self._read(id)
        except GraphError as error:
            gone = isinstance(error, MissingObject) and not self.repository.objects.present([id])
            self.survey.bad[id] = findings.MISSING if gone else findings.DAMAGED
            return
        try:
            codec.decode(data)
            self.survey.heads[id] = slices.head(data)
        except GraphError:
            self.survey.bad[id] = findings.MALFORMED

    def _shared(self, held: Held) -> None:
        """Whether a manifest that others may have written is one that could have been published."""
        if not held.view.startswith(views.SHARED) or any(found.view == held.view for found in self.survey.found):
            return
        try:
            published.inspect(self.repository, held.snapshot.id, self.survey.heads)
        except GraphError as error:
            hint = f"git graph views --delete {held.view} removes it"
            self.survey.found.append(Finding(findings.UNREADABLE, held.view, error.message, hint=hint))

    # what lies where

    def _contents(self, held: Held) -> None:
        """Compare the paths of a snapshot with what its basis says lies there."""
        basis, files = held.snapshot.basis, held.snapshot.files
        head, known = None, True
        if basis.head is not None:
            try:
                head = self.repository.objects.tree_of(basis.head)
            except GraphError:
                known = False  # the commit is gone: only the overlay can be compared
        summary = self._summary(files, head)
        differing = {path: (id, content) for path, id, content in summary.deviating}
        for entry in basis.overlay:
            path = entry.path.encode("utf-8", "surrogateescape")
            differing.pop(path, None)
            if (id := self._find(files, path)) is not None:
                self._compare(held, path, id, entry.content)
        for path, (id, content) in differing.items():
            if known or id in self.survey.bad:
                self._compare(held, path, id, content)
        told = {key: count for key, count in basis.counts.items() if key != "files" and count}
        if summary.counts != told and not self.survey.bad:
            self._tell(findings.COUNTS, held, f"it counts {told}, it has {summary.counts}")

    def _compare(self, held: Held, path: bytes, id: str, content: str | None) -> None:
        if (code := self.survey.bad.get(id)) is not None:
            self._tell(code, held, f"slice {id} {_SAID[code]}", path, id)
        elif (source := self.survey.heads[id].source) != content:
            there = f"the tree has {content}" if content else "there is nothing in the tree"
            self._tell(findings.MISPLACED, held, f"its slice is of content {source}, {there}", path, id)

    def _summary(self, files: str, head: str | None) -> _Summary:
        """What a files tree has beside a commit's tree; each pair of trees is looked at once."""
        todo = [(files, head)]
        while todo:
            tree, beside = pair = todo[-1]
            if pair in self.summaries:
                todo.pop()
                continue
            contents = self._beside(beside)
            below = []
            for name, mode, id in self.entries[tree] or ():
                there = contents.get(name[1:])
                is_tree = mode == TREE
                same_kind = there is not None and (there.mode == TREE) == is_tree
                below.append((name[1:], is_tree, id, there.id if there is not None and same_kind else None))
            missing = [(id, there) for _, is_tree, id, there in below if is_tree and (id, there) not in self.summaries]
            if missing:
                todo += missing
                continue
            self.summaries[pair] = self._summed(below)
            todo.pop()
        return self.summaries[files, head]

    def _summed(self, below: list[tuple[bytes, bool, str, str | None]]) -> _Summary:
        counts: dict[str, int] = {}
        deviating: list[tuple[bytes, str, str | None]] = []
        for name, is_tree, id, there in below:
            if is_tree:
                inner = self.summaries[id, there]
                deviating += [(name + b"/" + path, slice_id, content) for path, slice_id, content in inner.deviating]
                for language, count in inner.counts.items():
                    counts[language] = counts.get(language, 0) + count
                continue
            head = self.survey.heads.get(id)
            if head is not None:
                counts[head.language] = counts.get(head.language, 0) + 1
            if head is None or head.source != there:
                deviating.append((name, id, there))
        return _Summary(counts, deviating)

    def _find(self, files: str, path: bytes) -> str | None:
        *directories, base = path.split(b"/")
        tree: str | None = files
        for name in directories:
            rows = self.entries.get(tree or "") or ()
            tree = next((row.id for row in rows if row.name[1:] == name and row.mode == TREE), None)
        rows = self.entries.get(tree or "") or ()
        return next((row.id for row in rows if row.name[1:] == base and row.mode != TREE), None)

    def _beside(self, tree: str | None) -> dict[bytes, Entry]:
        if tree is None:
            return {}
        if tree not in self.commits:
            try:
                self.commits[tree] = {entry.name: entry for entry in self.repository.objects.tree(tree)}
            except GraphError:
                self.commits[tree] = {}
        return self.commits[tree]

    def _tell(self, code: str, held: Held, message: str, path: bytes = b"", object: str = "") -> None:
        name = path.decode("utf-8", "surrogateescape")
        self.survey.found.append(Finding(code, held.view, message, name, object, held.sequence))

    def _unreadable(self, view: str, sequence: int | None, error: GraphError) -> None:
        self.survey.found.append(Finding(findings.UNREADABLE, view, error.message, sequence=sequence))


_SAID = {
    findings.MISSING: "is not in the repository",
    findings.DAMAGED: "has other bytes than those that it is named by",
    findings.MALFORMED: "is not what the format says",
}


def _is_sound(entry: Entry) -> bool:
    return entry.mode in (TREE, BLOB) and entry.name[:1] == b"=" and len(entry.name) > 1
