"""What a published manifest is, and whether something that came from elsewhere is one.

Whoever wrote it is a stranger: every count, size, name and value is bounded and checked before anything is made of it,
and whatever is not exactly what this version would have written for it is refused with a reason. That a slice says the
truth about its content nobody can tell from it alone; extracting the content again does (`git graph verify`). Knows
nothing of remotes and of commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from git_graph import codec
from git_graph.errors import CorruptObject, MissingObject, NewerFormat, Refused
from git_graph.git.objects import BLOB, TREE, Entry
from git_graph.records import NamedTuple
from git_graph.store import slices
from git_graph.store.basis import Basis, Skipped
from git_graph.store.manifest import Snapshot
from git_graph.store.slices import SliceHead

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

MAX_FILES = 2_000_000
MAX_PATH = 4096
MAX_DEPTH = 200
MAX_TREE = 64 << 20
MAX_BASIS = 16 << 20
MAX_WORD = 100
"""Characters of a version, a language's name, a digest."""

FINAL = frozenset(("too-large",))
"""Reasons that are a function of a file's bytes: a path may be skipped for them in a published manifest."""


class Inspected(NamedTuple):
    """A manifest that holds: its snapshot, path -> slice id, and what each slice says of itself."""

    snapshot: Snapshot
    files: Mapping[bytes, str]
    heads: Mapping[str, SliceHead]

    @property
    def basis(self) -> Basis:
        """The snapshot's basis."""
        return self.snapshot.basis


def gaps(basis: Basis) -> list[Skipped]:
    """The paths that were left without a slice for a reason of this machine's: with any, nothing is published."""
    return [item for item in basis.skipped if item.reason not in FINAL]


def inspect(repository: Repository, root: str, trusted: Collection[str] = ()) -> Inspected:
    """The published manifest that the tree `root` is; `trusted` are slices that were decoded before.

    Nothing is fetched for it.

    Raises:
        NewerFormat: it, or a slice of it, was written by a newer version.
        Refused: it is no manifest that could have been published.
    """
    read = _reader(repository)
    try:
        snapshot = _snapshot(read, root)
        files = dict(walk(lambda id: _tree(read, id), snapshot.files))
        heads = {id: check_slice(read(id, "blob", codec.MAX_BYTES), id, trusted) for id in set(files.values())}
        _check_agreement(snapshot.basis, files, heads)
    except (CorruptObject, MissingObject) as error:
        raise Refused(f"manifest {root[:12]}: {error.message}") from error
    except NewerFormat as error:
        raise NewerFormat(f"manifest {root[:12]}: {error.message}", error.hint) from error
    return Inspected(snapshot, files, heads)


def walk(tree: Callable[[str], list[Entry]], files: str) -> Iterator[tuple[bytes, str]]:
    """(path, slice id) of a files tree whose names, modes, order, depth and number are those of one.

    Raises:
        CorruptObject: they are not.
    """
    stack = [(b"", iter(tree(files)))]
    count = 0
    while stack:
        prefix, entries = stack[-1]
        entry = next(entries, None)
        if entry is None:
            stack.pop()
            continue
        count += 1
        if count > MAX_FILES:
            raise CorruptObject(f"it has more than {MAX_FILES:,} files and folders")
        path = prefix + _component(entry.name)
        if len(path) > MAX_PATH:
            raise CorruptObject(f"it has a path of more than {MAX_PATH} bytes")
        if entry.mode == TREE:
            if len(stack) >= MAX_DEPTH:
                raise CorruptObject(f"it has folders more than {MAX_DEPTH} deep")
            if not (below := tree(entry.id)):
                raise CorruptObject(f"it has an empty folder {_told(path)}")
            stack.append((path + b"/", iter(below)))
        elif entry.mode == BLOB:
            yield path, entry.id
        else:
            raise CorruptObject(f"it has something that is no file at {_told(path)}")


def check_slice(data: bytes, id: str = "", trusted: Collection[str] = ()) -> SliceHead:
    """What a slice says of itself, all of it decoded and checked unless it is among `trusted`.

    Raises:
        CorruptObject, NewerFormat
    """
    try:
        if id not in trusted:
            codec.decode(data)
        return slices.head(data)
    except CorruptObject as error:
        raise CorruptObject(f"slice {id[:12]}: {error.message}") from error


def _reader(repository: Repository) -> Callable[[str, str, int], bytes]:
    """Reading by (id, kind, limit) what is here; nothing that is missing is ever asked for elsewhere."""
    odb = repository.objects.bulk()

    def read(id: str, kind: str, limit: int) -> bytes:
        if not odb.exists(id):
            raise MissingObject(f"object {id} is missing")
        found, data = repository.objects.raw(id, limit)
        if found != kind:
            raise CorruptObject(f"object {id} is a {found}, not a {kind}")
        return data

    return read


def _tree(read: Callable[[str, str, int], bytes], id: str) -> list[Entry]:
    """The entries of a tree, in git's order, each name once."""
    from git_graph.git.objects import parse_tree

    entries = parse_tree(read(id, "tree", MAX_TREE), id)
    keys = [entry.name + b"/" if entry.mode == TREE else entry.name for entry in entries]
    if any(map(bytes.__ge__, keys, keys[1:])) or len({entry.name for entry in entries}) < len(entries):
        raise CorruptObject(f"tree {id} is not in order")
    return entries


def _snapshot(read: Callable[[str, str, int], bytes], root: str) -> Snapshot:
    entries = _tree(read, root)
    if [(entry.name, entry.mode) for entry in entries] != [(b"basis", BLOB), (b"files", TREE)]:
        raise CorruptObject("it does not consist of a basis and files")
    data = read(entries[0].id, "blob", MAX_BASIS)
    basis = Basis.decode(data)
    if basis.encode() != data:
        raise CorruptObject("its basis is not written canonically")
    _check_basis(basis)
    return Snapshot(root, entries[1].id, basis)


def _check_basis(basis: Basis) -> None:
    """Refuse a basis that is not that of a clean commit as every machine would write it."""
    if basis.head is None or basis != basis.published() or basis.sparse:
        raise CorruptObject("its basis is not that of a clean commit")
    words = (basis.tool, basis.policy, *basis.rules, *(print_ for _, print_ in basis.rules.values()), *basis.counts)
    if not all(len(word) <= MAX_WORD and word.isascii() and word.isprintable() for word in words):
        raise CorruptObject("its basis has a word that is none")
    if found := gaps(basis):
        raise CorruptObject(f"{len(found)} files of it were left out: {found[0].reason}")
    for item in basis.skipped:
        if (item.attempts, item.tried_at) != (1, 0) or item.content is None:
            raise CorruptObject("its basis tells more of a skipped file than it may")
        for part in item.path.encode("utf-8", "surrogateescape").split(b"/"):
            _component(b"=" + part)


def _check_agreement(basis: Basis, files: Mapping[bytes, str], heads: Mapping[str, SliceHead]) -> None:
    """Refuse a basis that says something else than the files and slices beside it."""
    counted = Counter(heads[id].language for id in files.values())
    if dict(basis.counts) != {"files": len(files), **counted} or basis.rules.keys() != counted.keys():
        raise CorruptObject("its basis does not count what is in it")
    for id, head in heads.items():
        if head.fingerprint != basis.rules[head.language][1]:
            raise CorruptObject(f"slice {id[:12]} was made by other rules than its basis says")
    if any(item.path.encode("utf-8", "surrogateescape") in files for item in basis.skipped):
        raise CorruptObject("it skips a file that it has")


def _component(name: bytes) -> bytes:
    """The component of a path that an entry's name stands for; none that git would not have in a tree of its own."""
    part = name[1:]
    if name[:1] != b"=" or not part or b"/" in part or b"\0" in part:
        raise CorruptObject(f"it has an entry with the name {_told(name)}")
    if part in (b".", b"..") or part.lower() == b".git":
        raise CorruptObject(f"it has a path with the component {_told(part)}")
    return part


def _told(name: bytes) -> str:
    """A name from a stranger, as it may be shown: short, and nothing but printable ASCII."""
    text = name[:60].decode("ascii", "backslashreplace")
    return repr("".join(sign if sign.isprintable() else "?" for sign in text))
