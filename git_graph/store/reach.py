"""What is held: the trees and blobs that can be reached from refs. Knows nothing of what they mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from git_graph.git.objects import TREE

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


def below(repository: Repository, roots: Iterable[str], wanted: Collection[str] | None = None) -> set[str]:
    """The trees `roots` and all that is in them; only what is among `wanted`, if that is given.

    Raises:
        MissingObject, CorruptObject: a tree cannot be read.
    """
    todo = list(dict.fromkeys(roots))
    trees, blobs = set(todo), set[str]()
    while todo:
        for _, mode, id in repository.objects.tree(todo.pop()):
            if mode != TREE:
                blobs.add(id)
            elif id not in trees:
                trees.add(id)
                todo.append(id)
    found = trees | blobs
    return found if wanted is None else found.intersection(wanted)


def by_any_ref(repository: Repository, wanted: Collection[str]) -> set[str]:
    """Those of `wanted` that a ref or a tag reaches through trees, whoever's it is. Raises as `below`."""
    listing = repository.git(
        "for-each-ref", "--format=%(objectname) %(objecttype) %(*objectname) %(*objecttype)"
    ).decode("ascii", "replace")  # fmt: skip
    trees, reached = [], set()
    for line in listing.splitlines():
        words = line.split()
        for id, kind in zip(words[::2], words[1::2], strict=True):
            if kind == "tree":
                trees.append(id)
            elif id in wanted:
                reached.add(id)
    return reached | below(repository, trees, wanted)
