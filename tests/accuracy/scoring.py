"""What `references` answers, held against the truth, site by site.

Where a symbol is defined or declared counts for nobody. A site counts as attributed when its resolution is exact,
inferred or unique, and as possible when it is ambiguous or its receiver is unknown and the definition is among its
candidates.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.model import ATTRIBUTED
from tests.accuracy.truth import Asked, Site, Truth

if TYPE_CHECKING:
    from git_graph.resolve import Resolver


@dataclass
class Tally:
    """Sites that were found and are right, found and are wrong, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 1.0

    def add(self, other: Tally) -> None:
        self.right, self.wrong, self.missed = (
            self.right + other.right, self.wrong + other.wrong, self.missed + other.missed,
        )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One definition's sites. `wrong` and `missed` say how each was attributed, or that it was not."""

    asked: Asked
    tally: Tally
    wrong: dict[Site, str]
    missed: dict[Site, str]


@dataclass
class Score:
    """One archive's."""

    label: str
    server: str
    rows: list[Row] = field(default_factory=list)
    total: Tally = field(default_factory=Tally)
    possible: int = 0
    unknown: int = 0
    """Definitions that are no symbols here: all their sites are missed."""
    kinds: dict[str, Tally] = field(default_factory=dict)
    resolutions: dict[str, Tally] = field(default_factory=dict)
    roles: dict[str, Tally] = field(default_factory=dict)
    misses: Counter[str] = field(default_factory=Counter)
    """Missed sites by how they were resolved, `absent` if no reference of that name was met there."""

    def worst(self, count: int) -> list[Row]:
        """The definitions with the most faults."""
        faulty = [row for row in self.rows if row.tally.wrong or row.tally.missed]
        return sorted(faulty, key=lambda row: -(row.tally.wrong + row.tally.missed))[:count]


def score(root: Path, truth: Truth) -> Score:
    """Index the repository at `root` and score every definition of `truth`."""
    resolver = _resolver(root)
    result = Score(truth.corpus, truth.server)
    for asked in truth.definitions:
        _one(resolver, truth, asked, result)
    return result


def _resolver(root: Path) -> Resolver:
    from git_graph.git.repository import Repository
    from git_graph.resolve import Resolver
    from git_graph.sync.answering import answering

    return Resolver(answering(Repository.discover(root)).view)


def _one(resolver: Resolver, truth: Truth, asked: Asked, result: Score) -> None:
    from git_graph.query.references import references

    answer = references(resolver, f"{asked.path}:{asked.line}", explain=True, limit=0)
    own = {(place.path, place.line) for d in answer.definitions for place in (d, *d.places) if d.name == asked.name}
    known = (asked.path, asked.line) in own
    result.unknown += not known
    nobody = own | {(path, line) for path, lines in asked.unseen.items() for line in lines}
    wanted = {site for site in asked.sites if truth.sees(site) and site not in nobody}
    sure: dict[Site, tuple[str, str, str]] = {}
    maybe: dict[Site, str] = {}
    for found in answer.results if known else ():
        site = (found.path, found.line)
        if site in nobody or not truth.sees(site):
            continue
        target = found.target
        if target is not None and (target.name != asked.name or (target.path, target.line) not in own):
            continue  # a place may name several symbols
        if found.resolution in ATTRIBUTED:
            sure.setdefault(site, (found.resolution, found.role, found.rule))
        else:
            maybe[site] = found.resolution
    tally = Tally(len(sure.keys() & wanted), len(sure.keys() - wanted), len(wanted - sure.keys()))
    for site, (resolution, role, _) in sure.items():
        one = Tally(site in wanted, site not in wanted)
        result.resolutions.setdefault(resolution, Tally()).add(one)
        result.roles.setdefault(role, Tally()).add(one)
    missed = {site: maybe.get(site, "absent") for site in sorted(wanted - sure.keys())}
    result.misses.update(missed.values())
    result.possible += len(wanted & maybe.keys() - sure.keys())
    result.total.add(tally)
    result.kinds.setdefault(asked.kind, Tally()).add(tally)
    wrong = {site: f"{sure[site][0]}: {sure[site][2]}" for site in sorted(sure.keys() - wanted)}
    result.rows.append(Row(asked, tally, wrong, missed))
