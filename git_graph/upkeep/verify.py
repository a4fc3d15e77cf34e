"""Is what we keep right, and if not, mend it: `git graph verify`.

All is looked at, what can be mended is mended, and all is looked at again: what is told as mended is no longer there.
Derived data is thrown away and built again; a slice that is lost is extracted again from its content; a view of a
worktree that cannot be read is made again from that worktree, an earlier snapshot that cannot be read is dropped.
Nothing that only a user could make again (a pinned snapshot, a fetched branch) is removed: it is named.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from git_graph.engines.protocol import Corrupt
from git_graph.engines.sqlite import SqliteEngine
from git_graph.errors import GraphError
from git_graph.git.loose import object_id
from git_graph.records import NamedTuple
from git_graph.store import manifest
from git_graph.store.keymap import Key
from git_graph.store.manifest import Snapshot
from git_graph.sync.context import Context
from git_graph.sync.reconcile import misplaced
from git_graph.upkeep import findings, fresh
from git_graph.upkeep.findings import Finding
from git_graph.upkeep.mend import Mender
from git_graph.upkeep.survey import Survey, survey

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

ROUNDS = 3
"""How often to mend and look again: what one repair brings to light is the next one's."""

LEFT = 60.0
"""Seconds after which a ref's lock is one that was left behind: git holds one for milliseconds."""

RESOLVED = 16
"""Files whose references are resolved again, to be compared with what is stored of them, unless all are."""

Progress = Callable[[int, int], None]


class Verified(NamedTuple):
    """What was looked at and what was found; findings whose `mended` is empty are still there.

    `extracted`: slices that were compared with a fresh extraction; `unverifiable`: those that could not be, because
    their content is nowhere or other rules made them.
    """

    views: int
    snapshots: int
    trees: int
    slices: int
    extracted: int
    unverifiable: int
    found: tuple[Finding, ...]

    @property
    def left(self) -> tuple[Finding, ...]:
        """What is still wrong."""
        return tuple(finding for finding in self.found if not finding.mended)


class Wish(NamedTuple):
    """What is wanted beyond looking: `extract`: slices are extracted anew, a `sample` of them if not 0."""

    extract: bool = False
    sample: int = 0
    mend: bool = True


def verify(repository: Repository, wish: Wish | None = None, progress: Progress | None = None) -> Verified:
    """Look at everything, and mend what can be mended unless that is not wanted.

    Raises:
        GitFailed; Locked, DiskFull while mending
    """
    wish = wish or Wish()
    with closing(Context(repository)) as context:
        first = looked = _look(context, wish, progress)
        told = {finding.key: finding for finding in looked.found}
        how: dict[tuple[object, ...], str] = {}
        for _ in range(ROUNDS if wish.mend and context.writable else 0):
            if not looked.found:
                break
            how |= Mender(context, looked.survey).mend(looked.found)
            looked = _look(context, wish, None)
            told |= {finding.key: finding for finding in looked.found if finding.key not in told}
        left = {finding.key for finding in looked.found}
        found = [
            finding if key in left else finding._replace(mended=how.get(key, "mended with the others"))
            for key, finding in told.items()
        ]
        roots = {held.view for held in first.survey.held}
        return Verified(
            len(roots), len(first.survey.held), first.survey.trees,
            len(first.survey.heads) + len(first.survey.bad), first.extracted, first.unverifiable, tuple(found),
        )  # fmt: skip


class _Looked(NamedTuple):
    survey: Survey
    found: list[Finding]
    extracted: int
    unverifiable: int


def _look(context: Context, wish: Wish, progress: Progress | None) -> _Looked:
    context.repository.objects.close()  # what was mended is seen
    found = survey(context.repository, progress)
    told = [*found.found, *_beside_refs(context.repository), *_cache(context, found)]
    told += _trees(context, {(finding.view, finding.sequence) for finding in found.found})
    told += _engine(context, found, 0 if wish.extract and not wish.sample else wish.sample or RESOLVED)
    extracted = unverifiable = 0
    if wish.extract:
        differing, extracted, unverifiable = _extraction(context, found, wish.sample, progress)
        told += differing
    return _Looked(found, told, extracted, unverifiable)


def _beside_refs(repository: Repository) -> Iterator[Finding]:
    """Reflogs of ours, and locks that lie about."""
    for directory, _, files in os.walk(repository.common_dir / "logs" / "refs" / "graph"):
        for name in files:
            log = os.path.join(directory, name)  # noqa: PTH118 (as os.walk gives it)
            yield Finding(findings.REFLOG, "", "a ref of ours has a reflog, which git gc stumbles over", object=log)
    for directory, _, files in os.walk(repository.common_dir / "refs" / "graph"):
        for name in files:
            lock = os.path.join(directory, name)  # noqa: PTH118
            if name.endswith(".lock") and _is_old(lock):
                hint = f"if no git command is running, a dead one has left it behind: remove {lock}"
                yield Finding(findings.LOCK, "", "a lock lies beside a ref of ours", object=lock, hint=hint)


def _is_old(file: str) -> bool:
    try:
        return time.time() - os.stat(file).st_mtime > LEFT  # noqa: PTH116
    except OSError:
        return False


def _cache(context: Context, found: Survey) -> Iterator[Finding]:
    """Whether sync's memory of which slice is of which content is what the slices say."""
    cache = context.cache
    if not cache.is_sound():
        yield Finding(findings.CACHE, "", "what sync remembers cannot be read")
        return
    wrong = [
        slice_id
        for key, slice_id in cache.known_slices()
        if (head := found.heads.get(slice_id)) is not None and (head.source, head.language, head.fingerprint) != key
    ]
    if wrong:
        told = f"what sync remembers gives {len(wrong)} contents the slice of another"
        yield Finding(findings.CACHE, "", told, object=wrong[0])


def _trees(context: Context, broken: set[tuple[str, int | None]]) -> Iterator[Finding]:
    """Whether views that say they are a picture of their tree are one."""
    repository = context.repository
    for worktree in repository.worktrees():
        if worktree.gone or worktree.path is None or (worktree.view, None) in broken:
            continue
        try:
            with closing(Context(repository.at(worktree))) as there:
                paths = misplaced(there)
        except GraphError as error:
            yield Finding(findings.UNREADABLE, worktree.view, error.message)
            continue
        for path in paths:
            yield Finding(findings.PATHS, worktree.view, "the view has another file here than the tree", path)


def _engine(context: Context, found: Survey, sample: int) -> Iterator[Finding]:
    """Whether the derived store says what slices and manifests say, and what is found of `sample` files (0: all)."""
    engine = context.engine
    if not isinstance(engine, SqliteEngine):
        return
    try:
        problems = engine.audit()
        published = {held.view: held.snapshot for held in found.held if held.sequence is None}
        for view in engine.views():
            snapshot = published.get(view)
            if snapshot is not None and engine.root(view) == snapshot.id and _differs(context, view, snapshot):
                problems.append(f"view {view} has other files there than its manifest")
        problems += _stored(engine, sample)
    except Corrupt as error:  # it is thrown away by now
        yield Finding(findings.ENGINE, "", error.message)
        return
    except GraphError as error:
        yield Finding(findings.ENGINE, "", error.message, hint=error.hint)
        return
    for problem in problems[:1]:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        yield Finding(findings.ENGINE, "", f"the derived store: {problem}{more}")


def _stored(engine: SqliteEngine, sample: int) -> Iterator[str]:
    """Where something else is stored of references than is found now. Views of the same files are looked at once."""
    from git_graph.resolve.auditing import differing

    trees: dict[str, str] = {}
    for name in engine.views():
        with closing(engine.open(name)) as view:
            trees.setdefault(view.files_tree, name)
    names = sorted(trees.values())
    for name in random.sample(names, sample) if 0 < sample < len(names) else names:
        with closing(engine.open(name)) as view:
            for path in differing(view, -(-sample // len(names))):
                yield f"what is stored of the references in {path}, in view {name}, is not what is found of them"


def _differs(context: Context, name: str, snapshot: Snapshot) -> bool:
    with closing(context.engine.open(name)) as view:
        if view.snapshot != snapshot.id:
            return False  # it has moved on just now
        there = {path: view.slice_id(path) for path in view.paths()}
    walked = manifest.walk(context.repository, snapshot.files)
    return there != {path.decode("utf-8", "surrogateescape"): slice_id for path, slice_id in walked}


def _extraction(
    context: Context, found: Survey, sample: int, progress: Progress | None
) -> tuple[list[Finding], int, int]:
    """Compare slices with a fresh extraction: those that differ, how many were compared, how many could not be."""
    wanted: dict[str, Key] = {
        id: (head.source, head.language, head.fingerprint)
        for id, head in found.heads.items()
        if (rule := context.rules.of(head.language)) is not None and rule[1] == head.fingerprint
    }
    others = len(found.heads) - len(wanted)
    if sample and len(wanted) > sample:
        wanted = {id: wanted[id] for id in random.sample(sorted(wanted), sample)}
    contents = fresh.Contents(context.repository, found.held)
    made = dict(fresh.extracted(context.repository, contents, wanted, progress))
    differing = {id for id, data in made.items() if data is not None and object_id("blob", data) != id}
    told = []
    for held in found.held if differing else ():
        for path, id in manifest.walk(context.repository, held.snapshot.files):
            if id in differing:
                name = path.decode("utf-8", "surrogateescape")
                said = "a fresh extraction gives another slice"
                told.append(Finding(findings.DIFFERS, held.view, said, name, id, held.sequence))
    compared = sum(data is not None for data in made.values())
    return told, compared, others + len(made) - compared
