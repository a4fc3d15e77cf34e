"""Views: the refs under `refs/graph/` and the root trees they point to.

A name is the ref without `refs/graph/` (and, for the views of worktrees, without `views/`): `main-worktree`,
`worktrees/<id>`, `epochs/<view>/<label>`, `heads/<branch>`, `remotes/<remote>/<branch>`. Each part is percent-encoded
in the ref, `/` within a part included, so that no two collide and none stands in another's way; names carry the parts
as they are, but for a remote's own `/`. A ref moves only by compare-and-swap from the root that its plan started from,
after every object is written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from git_graph.errors import CorruptObject, MissingObject, OlderTool, RefMoved, UnknownView
from git_graph.git.objects import TREE, Entry
from git_graph.git.repository import LINKED_PREFIX, MAIN_VIEW, write_error
from git_graph.records import NamedTuple
from git_graph.store import manifest
from git_graph.store.basis import FORMAT, Basis
from git_graph.store.manifest import Snapshot

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction

PREFIX = "refs/graph/"
SHARED = ("heads/", "remotes/")
"""What the names of views begin with that are made to be shared, and may be a stranger's."""
OWNED = "graph-view"
"""In the git directory of a linked worktree whose view is its own: git gives the id of a removed worktree, and with it
the name of its view, to the next one of that name."""

_UNSAFE = re.compile(rb"[^A-Za-z0-9_+=,.-]|^\.|\.(?=\.|$|lock$)")
_ENCODED = re.compile(r"%([0-9A-F]{2})")


class View(NamedTuple):
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


def ref_of(name: str) -> str:
    """The ref of a view by name. Raises UnknownView if it cannot be the name of one."""
    try:
        components = _components(name)
    except UnicodeEncodeError:  # half of a character, which no command line gives
        components = ()
    if all(components) and components:
        return PREFIX + "/".join(components)
    raise UnknownView(f"'{name}' is not the name of a view", "git graph views lists them")


def _components(name: str) -> tuple[str, ...]:
    """The components of the ref of that name; one that is empty, or none at all, is no name."""
    if name == MAIN_VIEW:
        return ("views", MAIN_VIEW)
    kind, _, rest = name.partition("/")
    if kind + "/" == LINKED_PREFIX:
        return ("views", kind, encode(rest))
    if kind == "heads":
        return (kind, encode(rest))
    if kind == "remotes":
        remote, _, branch = rest.partition("/")
        return (kind, encode(decode(remote)), encode(branch))
    if kind == "epochs":
        of, _, label = rest.removeprefix(LINKED_PREFIX).partition("/")
        linked = (LINKED_PREFIX.removesuffix("/"),) if rest.startswith(LINKED_PREFIX) else ()
        return (kind, *linked, encode(of), encode(label))
    return ()


def name_of(ref: str) -> str:
    """The name of the view that a ref below `refs/graph/` holds."""
    parts = ref.removeprefix(PREFIX).split("/")
    if parts[0] == "views":
        return "/".join(map(decode, parts[1:]))
    if parts[0] == "remotes":
        return "/".join([parts[0], decode(parts[1]).replace("%", "%25").replace("/", "%2F"), *map(decode, parts[2:])])
    return "/".join(map(decode, parts))


def encode(part: str) -> str:
    """A part of a name as one component of a ref: bytes that are not plainly safe percent-encoded."""
    data = part.encode("utf-8", "surrogateescape")
    return _UNSAFE.sub(lambda match: b"".join(b"%%%02X" % byte for byte in match[0]), data).decode("ascii")


def decode(component: str) -> str:
    """The part that `encode` made `component` of."""
    data = _ENCODED.sub(lambda match: chr(int(match[1], 16)), component).encode("latin-1", "replace")
    return data.decode("utf-8", "surrogateescape")


def roots(repository: Repository) -> dict[str, str]:
    """Name -> the id its ref points to, for every name. Cheap, and without pygit2."""
    return {name_of(ref): id for ref, id in repository.refs.under(PREFIX).items()}


def names(repository: Repository) -> list[str]:
    """The names of all views, epochs, heads and remotes, sorted."""
    return sorted(roots(repository))


def read(repository: Repository, name: str) -> View | None:
    """The view of that name, or None if there is none (or only that of a removed worktree). Cheap, and without pygit2.

    Raises:
        MissingObject, CorruptObject, NewerFormat: it cannot be read; never an empty view instead.
    """
    ref = ref_of(name)
    if is_inherited(repository, name):
        return None
    while (root := repository.refs.read(ref)) is not None:
        try:
            return _read_root(repository, name, root)
        except MissingObject:
            if repository.refs.read(ref) == root:
                raise  # else it has moved on, and what it held is gone with a pruning
    return None


def require(repository: Repository, name: str) -> View:
    """As `read`. Raises UnknownView, whose hint lists those that exist."""
    try:
        view = read(repository, name)
    except UnknownView:  # not even the name of one
        view = None
    if view is None:
        raise unknown(repository, name)
    return view


def unknown(repository: Repository, name: str) -> UnknownView:
    """The error that says that there is no such view, and lists those that exist."""
    known = ", ".join(names(repository))
    if known:
        hint = f"there are: {known}"
    elif repository.worktree is None:  # nothing to sync: a commit is all that can be asked about
        hint = "there are none; ask about a commit with --rev REV"
    else:
        hint = "there are none yet; git graph sync makes one"
    return UnknownView(f"there is no view '{name}'", hint)


def is_inherited(repository: Repository, name: str) -> bool:
    """Whether a view of that name can only be that of a removed worktree whose id another one has now."""
    if not name.startswith(LINKED_PREFIX):
        return False
    home = repository.common_dir / name
    return not (home / OWNED).exists() and home.is_dir()


def publish(
    transaction: Transaction, name: str, files_tree: str, basis: Basis, expected: View | None
) -> tuple[View, bool]:
    """Publish a files tree as the view's next snapshot; the view as it then is, and whether anything was published.

    `basis.sequence` is set here. Nothing is published if the files tree and the basis equal those of `expected` but
    for `observed_at` and `sequence`. The earlier snapshot goes to `history/`, at most `graph.historyLimit` are kept.

    Raises:
        RefMoved: the view is no longer at `expected` (None: it exists): read again and plan again.
        OlderTool: the published view was written by a newer git-graph.
        DiskFull, NotWritable, Locked
    """
    if expected is not None:
        # A language whose last file has gone is in the old rules only; whether it is known here the caller has asked.
        shared = {language: rule for language, rule in expected.basis.rules.items() if language in basis.rules}
        if writer_is_newer(expected.basis._replace(rules=shared), basis.rules):
            raise OlderTool(
                f"view '{name}' was written by git-graph {expected.basis.tool}, which is newer than this one",
                "upgrade git-graph, or remove the view to make it again: git graph views",
            )
        if expected.snapshot.files == files_tree and expected.basis.same_picture(basis):
            return expected, False
    else:
        _claim(transaction.repository, name)
    basis = basis._replace(sequence=((expected.basis.sequence or 0) if expected else 0) + 1)
    snapshot = manifest.put_snapshot(transaction, files_tree, basis)
    entries = [Entry(b"snapshot", TREE, snapshot)]
    if earlier := _next_history(transaction, expected):
        entries.append(Entry(b"history", TREE, transaction.tree(earlier)))
    root = transaction.tree(entries)
    if not transaction.publish(ref_of(name), root, expected.root if expected else None):
        raise RefMoved(f"view '{name}' was moved by another process", "run the command again")
    return View(name, root, Snapshot(snapshot, files_tree, basis)), True


def history(repository: Repository, view: View) -> dict[int, str]:
    """Sequence -> snapshot id of the earlier snapshots that the view keeps, oldest first."""
    return dict(sorted((int(entry.name), entry.id) for entry in _history(repository.objects.tree, view)))


def pin(transaction: Transaction, view: View, label: str) -> str:
    """Pin the view's snapshot under `epochs/<view>/<label>`, in place of what that label held; the name."""
    name = f"epochs/{view.name}/{label}"
    ref = ref_of(name)
    if not transaction.publish(ref, view.snapshot.id, transaction.repository.refs.read(ref)):
        raise RefMoved(f"epoch '{name}' was moved by another process", "run the command again")
    return name


def restart(transaction: Transaction, view: View, basis: Basis) -> View:
    """Publish the view's files with another basis as its first snapshot, without a history; the view as it then is.

    Raises:
        RefMoved: the view is no longer at `view`.
        DiskFull, NotWritable, Locked
    """
    basis = basis._replace(sequence=1)
    snapshot = manifest.put_snapshot(transaction, view.snapshot.files, basis)
    root = transaction.tree([Entry(b"snapshot", TREE, snapshot)])
    if not transaction.publish(ref_of(view.name), root, view.root):
        raise RefMoved(f"view '{view.name}' was moved by another process", "run the command again")
    return View(view.name, root, Snapshot(snapshot, view.snapshot.files, basis))


def delete(repository: Repository, name: str) -> bool:
    """Delete a view by name; whether there was one. What only it held is git's to reclaim."""
    ref = ref_of(name)
    while (root := repository.refs.read(ref)) is not None:
        if repository.refs.delete(ref, root):
            return True
    return False


def trim(transaction: Transaction, view: View, kept: Mapping[int, str]) -> View:
    """Keep only these of a view's earlier snapshots (sequence -> snapshot id); the view as it then is.

    Raises:
        RefMoved: the view is no longer at `view`.
        DiskFull, NotWritable, Locked
    """
    entries = [Entry(b"snapshot", TREE, view.snapshot.id)]
    if earlier := [Entry(b"%d" % sequence, TREE, id) for sequence, id in sorted(kept.items())]:
        entries.append(Entry(b"history", TREE, transaction.tree(earlier)))
    root = transaction.tree(entries)
    if root != view.root and not transaction.publish(ref_of(view.name), root, view.root):
        raise RefMoved(f"view '{view.name}' was moved by another process", "run the command again")
    return view._replace(root=root)


def dead(repository: Repository) -> dict[str, str]:
    """Name -> root of each view (not epoch) whose linked worktree git no longer knows, whoever has its id now."""
    home, refs = os.fspath(repository.common_dir), repository.refs
    named = {name_of(ref): ref for ref in refs.names(f"{PREFIX}views/{LINKED_PREFIX}")}
    gone = {name: ref for name, ref in named.items() if not os.path.exists(f"{home}/{name}/{OWNED}")}  # noqa: PTH110
    return {name: root for name, ref in gone.items() if (root := refs.read(ref))}


def sweep(repository: Repository) -> list[str]:
    """Delete the dead views; their names."""
    return [name for name, root in dead(repository).items() if repository.refs.delete(ref_of(name), root)]


def writer_is_newer(basis: Basis, rules: Mapping[str, tuple[int, str]]) -> bool:
    """Whether a newer git-graph than this one wrote the basis; `rules` are all rules of this one.

    By format, or by the rules version of a language; a language that is unknown here was added later.
    """
    if basis.format > FORMAT:
        return True
    return any(language not in rules or version > rules[language][0] for language, (version, _) in basis.rules.items())


def _claim(repository: Repository, name: str) -> None:
    """Make a name that has no view this worktree's own, before there is a view."""
    root = repository.refs.read(ref_of(name))
    if not is_inherited(repository, name):
        return
    if root is not None and not repository.refs.delete(ref_of(name), root):
        raise RefMoved(f"view '{name}' was moved by another process", "run the command again")
    marker = repository.common_dir / name / OWNED
    try:
        marker.touch()
    except OSError as error:
        raise write_error(error, str(marker)) from error


def _read_root(repository: Repository, name: str, root: str) -> View:
    if name == MAIN_VIEW or name.startswith(LINKED_PREFIX):
        try:
            entries = {entry.name: entry for entry in repository.objects.tree(root)}
        except MissingObject as error:
            raise MissingObject(f"view '{name}': {error.message}", manifest.MEND) from error
        snapshot = entries.get(b"snapshot")
        if snapshot is None or snapshot.mode != TREE:
            raise CorruptObject(f"view '{name}' does not point to a manifest", manifest.MEND)
        return View(name, root, manifest.read_snapshot(repository, snapshot.id))
    return View(name, root, manifest.read_snapshot(repository, root))


def _history(read_tree: Callable[[str], list[Entry]], view: View) -> list[Entry]:
    """The entries of a view's `history/`."""
    if view.root == view.snapshot.id:
        return []
    tree = next((entry.id for entry in read_tree(view.root) if entry.name == b"history" and entry.mode == TREE), None)
    entries = read_tree(tree) if tree else []
    return [entry for entry in entries if entry.name.isdigit() and entry.mode == TREE]


def _next_history(transaction: Transaction, expected: View | None) -> list[Entry]:
    """The entries of `history/` once `expected` is an earlier snapshot."""
    limit = transaction.repository.settings.history_limit
    if expected is None or not limit:
        return []
    entries = _history(transaction.read_tree, expected)
    entries.append(Entry(b"%d" % (expected.basis.sequence or 0), TREE, expected.snapshot.id))
    return sorted(entries, key=lambda entry: int(entry.name))[-limit:]
