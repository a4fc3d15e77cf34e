"""Every view there is: where its worktree stands, how fresh it is, what it shares with others and what is its own.

The fleet is looked at, not changed. Worktrees are looked at in turn while git is already reading the next ones.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from git_graph.errors import GraphError
from git_graph.git import worktree as working
from git_graph.git.objects import TREE
from git_graph.git.repository import LINKED_PREFIX
from git_graph.records import NamedTuple
from git_graph.store import views
from git_graph.store.views import View
from git_graph.sync import values
from git_graph.sync.context import Context
from git_graph.sync.reconcile import freshness

if TYPE_CHECKING:
    from git_graph.git.repository import Repository, Worktree
    from git_graph.git.worktree import Reading

AHEAD = 4
"""So many `git status` run at a time."""


class Member(NamedTuple):
    """One view.

    `freshness` is None where it was not asked. `own_files` are the files whose slice no other view holds now,
    `own_bytes` what slices and trees of its own take on disk, earlier ones left out. `problem`: why it cannot be read.
    """

    name: str
    current: bool
    gone: bool
    path: str | None
    snapshot: str | None = None
    head: str | None = None
    branch: str | None = None
    sequence: int | None = None
    observed_at: int | None = None
    files: int = 0
    freshness: str | None = None
    own_files: int = 0
    own_bytes: int = 0
    problem: str | None = None


def fleet(repository: Repository, *, look: bool = True) -> list[Member]:
    """Every view that can be asked: those of worktrees first, indexed or not, then epochs, heads and remotes.

    Unless worktrees are to be looked at, nothing is said of how fresh they are. Raises GitFailed.
    """
    worktrees = {worktree.view: worktree for worktree in repository.worktrees() if worktree.path is not None}
    stored = views.names(repository)
    names = [*worktrees, *(name for name in stored if name not in worktrees)]
    members, found = [], dict[str, View]()
    for name in names:
        view, problem = _read(repository, name) if name in stored else (None, None)
        if view is not None:
            found[name] = view
        members.append(_member(repository, name, worktrees.get(name), view, problem))
    own = _own(repository, found)
    fresh = _freshness(repository, [worktrees[name] for name in worktrees], found) if look else {}
    return [
        member._replace(
            freshness=fresh.get(member.name) if look else None,
            own_files=own.get(member.name, (0, 0))[0],
            own_bytes=own.get(member.name, (0, 0))[1],
        )
        for member in members
    ]


def _read(repository: Repository, name: str) -> tuple[View | None, str | None]:
    try:
        return views.read(repository, name), None
    except GraphError as error:
        return None, error.message


def _member(
    repository: Repository, name: str, worktree: Worktree | None, view: View | None, problem: str | None
) -> Member:
    path = str(worktree.path) if worktree else view.basis.worktree if view else None
    member = Member(
        name,
        name == repository.view and repository.worktree is not None,
        worktree.gone if worktree else name.startswith(LINKED_PREFIX),
        path,
        problem=problem,
    )
    if view is None:
        return member
    basis = view.basis
    return member._replace(
        snapshot=view.snapshot.id,
        head=basis.head,
        branch=basis.branch,
        sequence=basis.sequence,
        observed_at=basis.observed_at,
        files=basis.counts.get("files", 0),
    )


def _freshness(repository: Repository, worktrees: Sequence[Worktree], found: dict[str, View]) -> dict[str, str]:
    """How each view stands to its tree; views without a tree of now are what they are of."""
    fresh = {
        name: values.DIRTY if view.basis.overlay else values.CURRENT
        for name, view in found.items()
        if not name.startswith(LINKED_PREFIX)
    }
    for worktree, reading in _readings(repository, worktrees):
        view = found.get(worktree.view)
        fresh[worktree.view] = values.UNKNOWN
        if reading is None or view is None:
            continue
        try:
            with closing(Context(repository.at(worktree))) as context:
                tree = context.observe(reading, view.basis.head)
                fresh[worktree.view] = freshness(context, view, tree)
        except GraphError:
            continue  # whatever is wrong there is told to who asks there
    return fresh


def _readings(repository: Repository, worktrees: Sequence[Worktree]) -> Iterator[tuple[Worktree, Reading | None]]:
    """Each worktree with a `git status` of it (None: it is not there), some of them running ahead."""
    running: deque[tuple[Worktree, Reading | None]] = deque()
    for worktree in worktrees:
        there = repository.at(worktree) if not worktree.gone and worktree.path is not None else None
        running.append((worktree, working.start(there.worktree, there.env) if there is not None else None))
        if len(running) > AHEAD:
            yield running.popleft()
    while running:
        yield running.popleft()


def _own(repository: Repository, found: dict[str, View]) -> dict[str, tuple[int, int]]:
    """By view: the files whose slice no other holds, and the bytes on disk of what no other holds."""
    known: dict[str, list[tuple[bool, str]] | None] = {}
    sharing = Counter(view.snapshot.files for view in found.values())
    holders: Counter[str] = Counter()
    for files, count in sharing.items():
        slices, trees = _below(repository, files, known)
        for id in (*slices, *trees):
            holders[id] += count
    sizes = repository.objects.disk_sizes(id for id, count in holders.items() if count == 1)
    own = {}
    for name, view in found.items():
        if sharing[view.snapshot.files] == 1:
            slices, trees = _below(repository, view.snapshot.files, known)
            alone = {id for id in (*slices, *trees) if holders[id] == 1}
            mine = sum(count for id, count in slices.items() if id in alone), sum(sizes.get(id, 0) for id in alone)
            own[name] = mine
    return own


def _below(
    repository: Repository, files: str, known: dict[str, list[tuple[bool, str]] | None]
) -> tuple[Counter[str], set[str]]:
    """The slices in a files tree, by how many files have them, and its trees; what cannot be read is passed over."""
    slices: Counter[str] = Counter()
    trees, todo = {files}, [files]
    while todo:
        tree = todo.pop()
        if tree not in known:
            try:
                known[tree] = [(mode == TREE, id) for _, mode, id in repository.objects.tree(tree)]
            except GraphError:
                known[tree] = None
        for is_tree, id in known[tree] or ():
            if is_tree:
                todo.append(id)
                trees.add(id)
            else:
                slices[id] += 1
    return slices, trees
