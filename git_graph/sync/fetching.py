"""Taking in the manifests that a remote publishes: `git graph fetch`.

What a remote offers is a stranger's: it is taken into a quarantine, bounded, inspected, compared with the commit that
it says it is of, and only then moved into the repository, where a ref holds it. What does not hold is refused with a
reason, and nothing of it is kept. A sync then starts from it as from any other manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import (
    CorruptObject,
    GitFailed,
    GraphError,
    MissingObject,
    NewerFormat,
    NotWritable,
    RefMoved,
    Refused,
    UnknownRevision,
    UnknownView,
)  # fmt: skip
from git_graph.git import remotes
from git_graph.git.worktree import EXECUTABLE, REGULAR
from git_graph.records import NamedTuple
from git_graph.store import manifest, published, views
from git_graph.store.published import Inspected
from git_graph.store.transaction import PACK_FROM, Transaction
from git_graph.sync import derive
from git_graph.sync.cache import KnownSlice
from git_graph.sync.context import INSPECTED, Context
from git_graph.sync.plan import Target
from git_graph.sync.policy import Policy
from git_graph.sync.sharing import checked_out
from git_graph.sync.sources import Sources, wanted

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

MOST = 100
"""So many branches are fetched when none is named; where there are more, those that matter here."""
HEADS = f"{views.PREFIX}heads/"

NEW, UPDATED, SAME, REFUSED, GONE = "new", "updated", "up-to-date", "refused", "gone"


class Branch(NamedTuple):
    """What became of one branch: `outcome` is one of the words above, `view` the name to ask it by."""

    branch: str
    view: str
    outcome: str
    snapshot: str | None = None
    commit: str | None = None
    files: int = 0
    reason: str = ""


class Fetched(NamedTuple):
    """What a fetch has come to."""

    remote: str
    branches: tuple[Branch, ...]
    warnings: tuple[str, ...] = ()


def fetch(
    repository: Repository,
    remote: str | None = None,
    branches: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Fetched:
    """Fetch what a remote publishes, of all branches or of those named; what it no longer has goes here too.

    A manifest that is refused is told in the result; only a single one that was asked for is an error.

    Raises:
        UnknownRemote; UnknownView: a branch was named that is not published there.
        Refused, NewerFormat: of the one branch that was named.
        GitFailed: the remote cannot be reached. NotWritable, DiskFull, Locked
    """
    remote = remotes.chosen(repository, remote, checked_out(repository), push=False)
    with closing(Context(repository)) as context:
        if not context.writable:
            raise NotWritable(f"{repository.common_dir} cannot be written", "fetch where it can be")
        offered = _offered(repository, remote)
        warnings: list[str] = []
        asked = _asked(repository, remote, offered, branches, warnings)
        ours = {branch: repository.refs.read(views.ref_of(_view(remote, branch))) for branch in asked}
        done = [_same(repository, remote, branch, id) for branch, id in asked.items() if ours[branch] == id]
        todo = {branch: id for branch, id in asked.items() if ours[branch] != id}
        done += _take(_Taking(context, remote, ours, warnings), todo, single=len(branches) == 1)
        done += _pruned(repository, remote, offered)
    return Fetched(remote, tuple(sorted(done)), tuple(warnings))


class _Taking(NamedTuple):
    """What taking manifests in goes by; `ours` is what refs of ours hold for each branch."""

    context: Context
    remote: str
    ours: Mapping[str, str | None]
    warnings: list[str]


def _offered(repository: Repository, remote: str) -> dict[str, str]:
    """Branch -> id of what a remote publishes; refs that no git-graph would have made are none of it."""
    found = {}
    for ref, id in remotes.refs_at(repository, remote, f"{HEADS}*").items():
        component = ref.removeprefix(HEADS)
        branch = views.decode(component)
        if ref.startswith(HEADS) and branch and views.encode(branch) == component:
            found[branch] = id
    return found


def _asked(
    repository: Repository, remote: str, offered: Mapping[str, str], branches: Sequence[str], warnings: list[str]
) -> dict[str, str]:
    """The branches to fetch, with their ids."""
    if missing := [branch for branch in branches if branch not in offered]:
        known = ", ".join(sorted(offered)[:20]) or "nothing"
        raise UnknownView(f"'{remote}' publishes nothing for branch '{missing[0]}'", f"it publishes {known}")
    if not offered:
        warnings.append(f"nothing-published: '{remote}' has no manifests; git graph push publishes one")
    if branches:
        return {branch: offered[branch] for branch in branches}
    if len(offered) <= MOST:
        return dict(offered)
    said = repository.attempt("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").stdout
    here = {"main", "master", *said.decode("utf-8", "surrogateescape").split("\n")}
    chosen = {branch: id for branch, id in sorted(offered.items()) if branch in here}
    warnings.append(f"many: '{remote}' publishes {len(offered):,} branches; fetched are those that exist here too")
    return dict(list(chosen.items())[:MOST])


def _take(taking: _Taking, todo: Mapping[str, str], *, single: bool) -> Iterator[Branch]:
    """Take manifests in, all at once; one by one if that is refused, so that none pays for another."""
    if not todo:
        return
    repository = taking.context.repository
    with remotes.quarantine(repository) as apart:
        try:
            remotes.receive(apart, taking.remote, sorted(set(todo.values())), repository.settings.max_fetch_size)
            problem = None
        except (Refused, GitFailed) as error:
            if len(todo) == 1 and (single or not isinstance(error, Refused)):
                raise
            problem = error
        if problem is None or len(todo) == 1:
            for branch, id in todo.items():
                yield _judged(taking, apart, branch, id, problem, single)
            return
    for branch, id in todo.items():
        yield from _take(taking, {branch: id}, single=False)


def _judged(
    taking: _Taking, apart: Repository, branch: str, id: str, problem: GraphError | None, single: bool
) -> Branch:
    """What becomes of one manifest in the quarantine."""
    view, ours = _view(taking.remote, branch), taking.ours[branch]
    try:
        if problem is not None:
            raise problem
        inspected = published.inspect(apart, id, _trusted(taking.context.repository, ours))
        _compare(taking, inspected)
        _move_in(taking, apart, inspected, views.ref_of(view), ours)
    except (Refused, NewerFormat) as error:
        if single:
            raise
        return Branch(branch, view, REFUSED, id, None, 0, error.message)
    outcome = NEW if ours is None else UPDATED
    return Branch(branch, view, outcome, id, inspected.basis.head, len(inspected.files))


def _trusted(repository: Repository, root: str | None) -> set[str]:
    """The slices of what was fetched before: they were inspected then."""
    if root is None:
        return set()
    try:
        return {id for _, id in manifest.walk(repository, manifest.read_snapshot(repository, root).files)}
    except GraphError:
        return set()


def _compare(taking: _Taking, inspected: Inspected) -> None:
    """Refuse a manifest that is not one of the commit it names; that a commit is not here is only said."""
    context, basis = taking.context, inspected.basis
    assert basis.head is not None
    for language, rule in basis.rules.items():
        if context.rules.of(language) != tuple(rule):
            taking.warnings.append(
                f"other-rules: {language} in {basis.head[:12]} was extracted by other rules than those of this "
                "git-graph; a sync extracts it again"
            )
    try:
        if not context.repository.objects.present([basis.head]):
            raise UnknownRevision(basis.head)
        tree = derive.tree_of(context, basis.head)
        held = {path: Target(mode, id, False) for path, mode, id in context.heads.walk(basis.head)}
    except (UnknownRevision, MissingObject, CorruptObject):
        taking.warnings.append(
            f"unchecked: commit {basis.head[:12]} is not here, so its manifest was not compared with it"
        )
        return
    for path, id in inspected.files.items():
        target = held.get(path)
        if target is None or target.mode not in (REGULAR, EXECUTABLE):
            raise Refused(f"manifest {inspected.snapshot.id[:12]} has a file that commit {basis.head[:12]} has not")
        if inspected.heads[id].source != target.content:
            raise Refused(f"manifest {inspected.snapshot.id[:12]} has a slice of another content than its commit has")
    if tree.policy.digest == basis.policy:
        _complete(context, tree.policy, inspected, held)


def _complete(context: Context, policy: Policy, inspected: Inspected, held: Mapping[bytes, Target]) -> None:
    """Refuse a manifest that leaves out what it ought to have, or has it in another language."""
    sources = Sources(context.repository, None)
    detection = context.rules.detection
    expected = {item.path: item for item in wanted(held, policy, sources, context.cache, detection)}
    skipped = {item.path.encode("utf-8", "surrogateescape"): item for item in inspected.basis.skipped}
    told = f"manifest {inspected.snapshot.id[:12]}"
    if expected.keys() != inspected.files.keys() | skipped.keys():
        raise Refused(f"{told} does not have the files that its commit has")
    if any(inspected.heads[id].language != expected[path].language for path, id in inspected.files.items()):
        raise Refused(f"{told} has a file in a language that it is not in")
    sizes = sources.sizes(expected[path] for path in skipped)
    for path, item in skipped.items():
        content = expected[path].target.content or ""
        if item.content != content or sizes.get(content, 0) <= policy.max_file_size:
            raise Refused(f"{told} leaves out a file that is not too large")


def _move_in(taking: _Taking, apart: Repository, inspected: Inspected, ref: str, ours: str | None) -> None:
    """Move what was inspected from the quarantine into the repository, and have a ref of ours hold it."""
    context = taking.context
    ids = _reached(apart, inspected)
    there = context.repository.objects.present(ids)
    new = sorted(ids - there)
    with Transaction(context.repository) as transaction:
        transaction.reuse(there)
        if len(new) >= PACK_FROM:
            transaction.adopt(_packed(apart, new))
        else:
            for id in new:
                kind, data = apart.objects.raw(id)
                transaction.take(kind, data)
        if not transaction.publish(ref, inspected.snapshot.id, ours):
            raise RefMoved(f"{ref} was moved by another process", "run the command again")
    context.repository.objects.close()
    keys = [
        ((head.source, head.language, head.fingerprint), KnownSlice(id, None)) for id, head in inspected.heads.items()
    ]
    context.cache.put_slices(keys)
    context.cache.put_note("scanned", inspected.snapshot.id, True)
    context.cache.put_note(INSPECTED, inspected.snapshot.id, True)
    context.cache.save()


def _reached(apart: Repository, inspected: Inspected) -> set[str]:
    """Every object of a manifest."""
    found = {inspected.snapshot.id, *inspected.heads}
    found.update(entry.id for entry in apart.objects.tree(inspected.snapshot.id))
    todo = [inspected.snapshot.files]
    while todo:
        for _, mode, id in apart.objects.tree(todo.pop()):
            if mode == 0o40000 and id not in found:
                found.add(id)
                todo.append(id)
    return found


def _packed(apart: Repository, ids: Sequence[str]) -> Path:
    """A pack of these objects, in the quarantine."""
    base = apart.objects.directory / "chosen"
    asked = "".join(f"{id}\n" for id in ids).encode()
    name = apart.git("pack-objects", "--quiet", "--delta-base-offset", str(base), stdin=asked).decode().strip()
    return base.with_name(f"chosen-{name}.pack")


def _pruned(repository: Repository, remote: str, offered: Mapping[str, str]) -> Iterator[Branch]:
    """Let go of what a remote no longer publishes."""
    prefix = f"{views.PREFIX}remotes/{views.encode(remote)}/"
    for ref, id in repository.refs.under(prefix).items():
        branch = views.decode(ref.removeprefix(prefix))
        if branch not in offered and repository.refs.delete(ref, id):
            yield Branch(branch, _view(remote, branch), GONE, id)


def _same(repository: Repository, remote: str, branch: str, id: str) -> Branch:
    view = _view(remote, branch)
    try:
        basis = manifest.read_snapshot(repository, id).basis
    except GraphError:
        return Branch(branch, view, SAME, id)
    return Branch(branch, view, SAME, id, basis.head, basis.counts.get("files", 0))


def _view(remote: str, branch: str) -> str:
    """The name of the view that what was fetched is."""
    return f"remotes/{remote.replace('%', '%25').replace('/', '%2F')}/{branch}"
