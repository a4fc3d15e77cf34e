"""Snapshots by name: what a view was, and what was pinned of it.

A snapshot is called by the label of an epoch, by how many publications ago it was (`@{1}`, of another view `VIEW@{1}`;
`@{0}` is the present one), by its sequence number in its view, or by its id, abbreviated at will. Knows nothing of how
a snapshot is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.errors import GraphError, UnknownView, UsageError
from git_graph.git.repository import LINKED_PREFIX, MAIN_VIEW
from git_graph.records import NamedTuple
from git_graph.store import manifest, views
from git_graph.store.manifest import Snapshot

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.views import View

SHORTEST = 4
"""Fewer digits of an id name nothing, as in git."""
LONGEST_LABEL = 200
"""Bytes as the component of a ref: longer file names than 255 no file system has."""
EPOCHS = "epochs/"
_LISTED = "git graph snapshots lists them, graph.historyLimit says how many are kept"
_AGO = re.compile(r"(?P<view>.*)@\{(?P<ago>\d{1,9})\}", re.DOTALL)
_DIGITS = re.compile(r"[0-9a-f]{1,40}", re.IGNORECASE)
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
"""A sequence number; an id may begin with 0, and be long."""


class Held(NamedTuple):
    """A snapshot that something holds: `name` is what it can be called by, `view` whose it is (or was)."""

    name: str
    view: str
    id: str


def find(repository: Repository, text: str, here: str | None = None) -> Held | None:
    """The snapshot called `text`, from the view `here`; None if that is no name of one.

    Raises:
        UnknownView: a view has no such earlier snapshot, or several ids begin like that.
    """
    if ago := _AGO.fullmatch(text):
        return _ago(repository, ago["view"] or here or MAIN_VIEW, int(ago["ago"]))
    if here is not None:
        try:
            name = epoch(here, text)
            id = repository.refs.read(views.ref_of(name))
        except (UsageError, UnknownView):
            id = None
        if id is not None:
            return Held(name, here, id)
        if _NUMBER.fullmatch(text) and (numbered := _numbered(repository, here, int(text))):
            return numbered
    if _is_id(text):
        return _by_id(repository, text.lower())
    return None


def unknown(repository: Repository, text: str, here: str | None = None) -> UnknownView:
    """The error that says that nothing is called `text` (any more), and what there is."""
    view = _readable(repository, here) if here is not None else None
    error = views.unknown(repository, text)
    if _NUMBER.fullmatch(text) and view is not None and int(text) < (view.basis.sequence or 0):
        message = f"view '{view.name}' no longer has snapshot {text}"
    elif _is_id(text):
        message = f"there is no view or snapshot '{text}', or no longer"
    else:
        return error
    kept = f"view '{view.name}' keeps {_kept(repository, view)}; " if view is not None else ""
    return UnknownView(message, f"{kept}{error.hint}")


def epoch(view: str, label: str) -> str:
    """The name of a view's epoch. Raises UsageError: the label is none."""
    told = bool(label) and label.isprintable() and not label.startswith("-") and "@{" not in label
    if not told or len(label) > LONGEST_LABEL or len(views.encode(label)) > LONGEST_LABEL:
        raise UsageError(f"'{label}' is no label", "a label is one short line of text, such as before-refactoring")
    return f"{EPOCHS}{view}/{label}"


def earlier(repository: Repository, view: View) -> list[Held]:
    """The snapshots that a view keeps, the present one first."""
    rows = list(views.history(repository, view).values())
    ids = [view.snapshot.id, *reversed(rows)]
    return [Held(f"{view.name}@{{{ago}}}", view.name, id) for ago, id in enumerate(ids)]


def epochs(repository: Repository, view: str | None = None) -> list[Held]:
    """The pinned snapshots, of one view or of all, by name."""
    found = []
    for name, id in sorted(views.roots(repository).items()):
        if name.startswith(EPOCHS):
            of = _whose(name)
            if view in (None, of):
                found.append(Held(name, of, id))
    return found


def label_of(name: str) -> str:
    """The label in the name of an epoch."""
    return name.removeprefix(EPOCHS + _whose(name) + "/")


def read(repository: Repository, held: Held) -> Snapshot:
    """The snapshot. Raises MissingObject, CorruptObject, NewerFormat."""
    return manifest.read_snapshot(repository, held.id)


def _is_id(text: str) -> bool:
    """Whether that could be an id, or the beginning of one."""
    return len(text) >= SHORTEST and _DIGITS.fullmatch(text) is not None


def _whose(name: str) -> str:
    """The view that an epoch's name says."""
    rest = name.removeprefix(EPOCHS)
    prefix = LINKED_PREFIX if rest.startswith(LINKED_PREFIX) else ""
    return prefix + rest.removeprefix(prefix).partition("/")[0]


def _ago(repository: Repository, name: str, ago: int) -> Held:
    view = views.require(repository, name)
    kept = earlier(repository, view)
    if ago < len(kept):
        return kept[ago]
    since = f" since epoch '{view.basis.epoch}'" if view.basis.epoch else ""
    have = f"it keeps {len(kept) - 1 or 'none'}{since}"
    raise UnknownView(f"view '{name}' has no snapshot @{{{ago}}}", f"{have}; {_LISTED}")


def _kept(repository: Repository, view: View) -> str:
    """Which snapshots a view keeps, by number."""
    numbers = [*views.history(repository, view), view.basis.sequence or 0]
    told = f"numbers {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"number {numbers[0]} only"
    return f"{told}; {_LISTED}"


def _numbered(repository: Repository, name: str, sequence: int) -> Held | None:
    view = views.read(repository, name)
    if view is None:
        return None
    id = view.snapshot.id if sequence == view.basis.sequence else views.history(repository, view).get(sequence)
    return next((held for held in earlier(repository, view) if held.id == id), None)


def _by_id(repository: Repository, digits: str) -> Held | None:
    found: dict[str, Held] = {}
    for held in _every(repository):
        if held.id.startswith(digits):
            found.setdefault(held.id, held)
    if len(found) > 1:
        told = ", ".join(f"{held.id[:12]} ({held.name})" for held in list(found.values())[:8])
        raise UnknownView(f"snapshot '{digits}' is ambiguous", f"there are {told}")
    return next(iter(found.values()), None)


def _every(repository: Repository) -> Iterator[Held]:
    """Every snapshot that a ref holds; of views that cannot be read none."""
    for name, id in sorted(views.roots(repository).items()):
        if name == MAIN_VIEW or name.startswith(LINKED_PREFIX):
            if (view := _readable(repository, name)) is not None:
                yield from earlier(repository, view)
        else:
            yield Held(name, _whose(name) if name.startswith(EPOCHS) else name, id)


def _readable(repository: Repository, name: str) -> View | None:
    """The view of that name, if there is one and it can be read."""
    try:
        return views.read(repository, name)
    except GraphError:
        return None
