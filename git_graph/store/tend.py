"""Tending what we created: pack what is reachable, merge our small packs, remove our old orphans.

Every edit leaves a few objects that soon nothing refers to, and git complains when some thousands lie about loose, or
fifty packs. It runs under the store lock, so none of our own writers is half-way. Others are safe because what they
have written again is newer than our note and then is left to git for good, and because what a ref or a tag of theirs
points to counts as reachable. A manifest that cannot be read ends it before anything is removed. `plan` decides and is
pure, `tend` acts.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from git_graph.errors import GraphError
from git_graph.git.packs import PackIndex
from git_graph.records import NamedTuple
from git_graph.store import reach
from git_graph.store.journal import PACKS, Journal

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

AGE = 3_600
"""Seconds that an orphan of ours is left, for whoever still reads an older snapshot."""
SPARED = 1_000
"""When younger orphans are more than this, the oldest go all the same: they are a hundred publications old."""
SLACK = 2.0
"""Seconds by which a file's time may be later than our note of it and still be ours."""
WORTH_A_PACK = 100
"""Fewer reachable loose objects than this are left loose."""
LARGE_PACKS = 4
"""When packs are merged, this many of the largest are left alone."""


class LooseNote(NamedTuple):
    """A loose object of ours: when we noted it, and when its file was last written."""

    id: str
    noted: float
    modified: float


class PackNote(NamedTuple):
    """A pack of ours: its name (40 hex digits), what it holds, when we noted it, and when it was last written."""

    name: str
    ids: Collection[str]
    noted: float
    modified: float


class Plan(NamedTuple):
    """What to do: objects to pack anew, loose objects and packs to remove then, and the notes that stay."""

    pack: list[str]
    remove_loose: list[str]
    remove_packs: list[str]
    loose_notes: list[tuple[str, float]]
    pack_notes: list[tuple[str, float]]


class Tended(NamedTuple):
    """What was done: objects packed anew and orphans removed, those left that are too young; or why nothing was."""

    packed: int = 0
    removed: int = 0
    left: int = 0
    prevented: str = ""


def plan(
    loose: Sequence[LooseNote],
    packs: Sequence[PackNote],
    reached: Collection[str],
    now: float,
    *,
    thorough: bool = False,
) -> Plan:
    """What to do with what we created; `reached` are the ids among it that something refers to.

    `thorough`: pack also where little is to be packed, so that few files stay.
    """
    orphans = [note for note in loose if note.id not in reached and note.modified <= note.noted + SLACK]
    orphans.sort(key=lambda note: -note.noted)
    gone = {note.id for n, note in enumerate(orphans) if n >= SPARED or now - note.noted > AGE}
    live = [note for note in loose if note.id in reached]

    ours = [pack for pack in packs if pack.modified <= pack.noted + SLACK]
    stale = {pack.name: [id for id in pack.ids if id not in reached] for pack in ours}
    merged = _to_merge(ours, stale, LARGE_PACKS if thorough else PACKS)
    pressed = sum(len(stale[pack.name]) for pack in merged) > SPARED
    carried = [
        id for pack in merged for id in pack.ids if id in reached or not (pressed or now - pack.noted > AGE)
    ]  # fmt: skip
    if not merged and len(live) < (2 if thorough else WORTH_A_PACK):
        live_notes, packed = [(note.id, note.noted) for note in live], []
    else:
        live_notes, packed = [], [note.id for note in live]
    return Plan(
        list(dict.fromkeys(packed + carried)),
        packed + [note.id for note in orphans if note.id in gone],
        [pack.name for pack in merged],
        live_notes + [(note.id, note.noted) for note in orphans if note.id not in gone],
        [(pack.name, pack.noted) for pack in ours if pack not in merged],
    )


def _to_merge(packs: list[PackNote], stale: dict[str, list[str]], many: int) -> list[PackNote]:
    """The packs to write anew as one: all but the largest when they are many, and those that are mostly orphans."""
    ordered = sorted(packs, key=lambda pack: (-len(pack.ids), pack.name))
    small = ordered[LARGE_PACKS:] if len(ordered) > many else []
    rotten = [pack for pack in ordered if len(stale[pack.name]) > max(SPARED // 2, len(pack.ids) // 2)]
    return [pack for pack in ordered if pack in small or pack in rotten]


def tend(repository: Repository, journal: Journal, *, thorough: bool = False) -> Tended:
    """Do what `plan` says. The caller holds the store lock."""
    if repository.packs.collecting():
        return Tended(prevented="git gc is at work in this repository")
    noted, packs = journal.loose.take(), journal.packs.take()
    stay, done = (list(noted.items()), list(packs.items())), Tended()
    try:
        stay, done = _tend(repository, journal, noted, packs, thorough)
    except GraphError as error:  # something cannot be read or written: everything stays, and is tried again
        done = Tended(prevented=error.message)
    finally:
        journal.loose.settle(stay[0])
        journal.packs.settle(stay[1])
    return done


Stay = tuple[list[tuple[str, float]], list[tuple[str, float]]]


def _tend(
    repository: Repository, journal: Journal, noted: dict[str, float], packs: dict[str, float], thorough: bool
) -> tuple[Stay, Tended]:
    indexes, being_kept = _indexes(repository, packs)
    loose = [LooseNote(id, noted[id], when) for id, when in repository.loose.age_of(noted).items()]
    ours = [PackNote(name, list(index), packs[name], index.modified) for name, index in indexes.items()]
    wanted = {note.id for note in loose}.union(*(pack.ids for pack in ours))
    reached = reach.by_any_ref(repository, wanted)
    todo = plan(loose, ours, reached, time.time(), thorough=thorough)
    notes = [*todo.pack_notes, *((name, packs[name]) for name in being_kept)]
    if todo.pack:
        kept = repository.packs.write(map(repository.objects.raw, todo.pack))
        notes = [*notes, (kept.pack.stem.removeprefix("pack-"), time.time())]
        kept.release()
    for id in todo.remove_loose:
        repository.loose.remove(id)
    written = {name for name, _ in notes}
    removed = {name for name in todo.remove_packs if name not in written}
    for name in removed:
        indexes[name].remove()
    repository.objects.close()
    gone = set(todo.remove_loose).union(*(pack.ids for pack in ours if pack.name in removed)) - set(todo.pack)
    left = sum(id not in reached for id, _ in todo.loose_notes)
    return (todo.loose_notes, notes), Tended(len(todo.pack), len(gone - reached), left)


def _indexes(repository: Repository, packs: dict[str, float]) -> tuple[dict[str, PackIndex], list[str]]:
    """Our packs that are still there, by name, and the names of those that a transaction keeps just now.

    Where git has put packs into a multi-pack index, it takes care of them, and ours are no longer noted.
    """
    if not packs or (repository.packs.directory / "multi-pack-index").exists():
        return {}, []
    there = {index.pack.stem.removeprefix("pack-"): index for index in repository.packs.indexes()}
    ours = {name: index for name, index in there.items() if name in packs}
    return {name: index for name, index in ours.items() if not index.kept}, [n for n, i in ours.items() if i.kept]
