"""What comparisons are told in: changes of symbols with both sides, and the references that change with them."""

from __future__ import annotations

from git_graph.query.values import ReferenceInfo, SymbolInfo
from git_graph.records import NamedTuple

CHANGES = ("added", "removed", "moved", "renamed", "changed")
"""What can have become of a symbol; of several, the later of moved and renamed names it."""
EFFECTS = ("dangling", "elsewhere", "unclear")
"""What can have become of a reference that was certain: nothing that it could mean, another symbol, several or none."""


class Affected(NamedTuple):
    """A reference that stands on both sides and means something else on the new one."""

    effect: str
    old: ReferenceInfo
    new: ReferenceInfo


class Change(NamedTuple):
    """A symbol that differs; `old` or `new` is None where it is not there.

    `what` says in which ways: moved, renamed, kind, signature, decorators, visibility, body, places (one of several
    definitions came or went), reach (nothing but the references differs), comments. `members` are
    the symbols in it that came or went with it. `references` are at most the limit asked for of `references_total`.
    """

    change: str
    what: tuple[str, ...]
    old: SymbolInfo | None
    new: SymbolInfo | None
    members: tuple[SymbolInfo, ...] = ()
    references: tuple[Affected, ...] = ()
    references_total: int = 0


class FileStat(NamedTuple):
    """How many symbols of a file came, went, moved (renamed ones too) and changed; `old_path` if it was another."""

    path: str
    old_path: str | None
    added: int
    removed: int
    moved: int
    changed: int
    dangling: int
