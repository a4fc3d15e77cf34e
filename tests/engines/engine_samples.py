"""Slices made by hand, and a stand-in for the manifests and objects that engines are brought to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_graph import codec
from git_graph.engines.protocol import Engine, FileChange
from git_graph.model import (
    ALIAS,
    BASE,
    EXPORT,
    KIND,
    LOCAL,
    READ,
    BindingColumns,
    ImportColumns,
    ReferenceColumns,
    Slice,
    SymbolColumns,
)


def make(
    defines: Iterable[str] = (),
    refers: Iterable[str] = (),
    imports: Iterable[tuple[str, str]] = (),
    exports: Iterable[str] = (),
    language: str = "python",
) -> Slice:
    """A slice that names what is asked; `imports` are pairs of the local and the imported name."""
    strings = {"": 0}

    def numbered(names: Iterable[str]) -> list[int]:
        return [strings.setdefault(name, len(strings)) for name in names]

    symbols = numbered(["", *defines])
    references = numbered(refers)
    pairs = list(imports)
    bindings = numbered(["hidden", *exports])
    count, lines = len(symbols), list(range(1, 1 + len(bindings)))
    return Slice(
        "0" * 40,
        language,
        "f" * 16,
        symbols=SymbolColumns(
            symbols, [0] + [KIND["function"]] * (count - 1), *([list(range(1, 1 + count))] * 3), [1] * count,
            [-1] + [0] * (count - 1), *([[0] * count] * 3), [[] for _ in symbols], *([[0] * count] * 2),
        ),
        references=ReferenceColumns(
            references, [READ] * len(references), *[[1] * len(references)] * 2, *[[0] * len(references)] * 3),
        imports=ImportColumns(numbered(local for local, _ in pairs), numbered("module" for _ in pairs),
            numbered(name for _, name in pairs), [0] * len(pairs), *[[1] * len(pairs)] * 2, *[[0] * len(pairs)] * 2),
        bindings=BindingColumns(
            bindings, [LOCAL, *((EXPORT, BASE, ALIAS)[line % 3] for line in lines[1:])], [0] * len(bindings), lines,
            lines, [0] * len(bindings)),
        strings=list(strings),
    )  # fmt: skip


class Forest:
    """Objects by id, and what an engine is told when it is brought somewhere. Counts what it is asked for."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.at: dict[str, dict[str, str]] = {}  # the files of each snapshot
        self.read_ids: list[str] = []
        self.listings = 0

    def put(self, slice_: Slice) -> str:
        """Store a slice; its id."""
        data = codec.encode(slice_)
        slice_id = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        self.objects[slice_id] = data
        return slice_id

    def read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of slices."""
        self.read_ids += ids
        return ((slice_id, self.objects[slice_id]) for slice_id in ids)

    def snapshot(self, view: str, files: Mapping[str, str]) -> str:
        """The snapshot id of a view that holds these files."""
        snapshot = _digest(f"{view}\0{tree(files)}")
        self.at[snapshot] = dict(files)
        return snapshot

    def bring(self, engine: Engine, view: str, files: Mapping[str, str], since: str | None = None) -> str:
        """Bring a view to these files: by everything if it is new, by changes (from `since`) otherwise."""
        snapshot = self.snapshot(view, files)
        start = since or engine.root(view)
        changes = None if start is None else differences(self.at[start], files)

        def everything() -> Iterable[tuple[str, str]]:
            self.listings += 1
            return files.items()

        engine.bring(view, snapshot, tree(files), changes, everything, self.read, since)
        return snapshot


def tree(files: Mapping[str, str]) -> str:
    """The id of a files tree."""
    return _digest(repr(sorted(files.items())))


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[FileChange]:
    """The changes that lead from one set of files to another."""
    paths = {*before, *after}
    return [FileChange(path, after.get(path)) for path in sorted(paths) if before.get(path) != after.get(path)]


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogateescape")).hexdigest()
