"""What is near to some symbols in the graph: personalised PageRank over the references around them, resolved here.

Costs what the neighbourhood costs and never what the view costs: names lead to the files that could matter (rare names
say more than common ones), a bounded number of references in them is resolved, and only attributed ones are edges.
Everything is bounded by counts and ordered by value, so the same view and focus always give the same ranks, whatever
of the view is stored already. Knows nothing of budgets and of output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import log2, sqrt

from git_graph.model import IMPORT, KIND, WRITE, Definition, Slice
from git_graph.records import NamedTuple
from git_graph.resolve import Resolver

USES, USED, NEAR = "uses", "used", "near"
RELATIONS = (USES, USED, NEAR)
"""How a symbol stands to the focus: it uses it, is used by it, or is near (further off, or beside one of those)."""

DAMPING, ROUNDS = 0.8, 12
COMMON = 120
"""A name that more files refer to than this says nothing of who belongs together; its uses are not followed."""
HOMONYMS = 30
"""The same of a name that more files define than this."""
FILES_IN = 24
"""So many files are searched for uses of the focus."""
SITES_IN, SITES_IN_FILE = 120, 16
SITES_OUT = 100
SITES_FURTHER, FURTHER = 60, 16
"""References that are resolved at most: uses of the focus (in all, in one file), what it uses, what those use."""
NAMES = 300
"""Names of the focus that are looked up at most."""
SIBLINGS = 0.7
"""The share of a file's rank that goes to all of its symbols alike."""
DATA = frozenset(KIND[kind] for kind in ("constant", "variable", "field", "property", "enum_member"))
DATA_WEIGHT = 0.15
"""Symbols that hold data say less for what they cost than symbols that do something."""


class Related(NamedTuple):
    """A symbol near the focus: its share of the rank, how it stands to the focus, and through which of its symbols."""

    definition: Definition
    score: float
    relation: str
    via: Definition | None = None


class Neighbourhood(NamedTuple):
    """The focus and what was found, best first. `common` are names of the focus with too many uses to be followed."""

    seeds: tuple[Definition, ...]
    related: tuple[Related, ...]
    common: tuple[str, ...]


def neighbourhood(
    resolver: Resolver, seeds: Mapping[Definition, float], within: frozenset[str] = frozenset()
) -> Neighbourhood:
    """The symbols near `seeds` (with their weights), those aside and what is in the files `within` aside."""
    search = _Search(resolver, seeds, within)
    search.inward()
    search.outward()
    search.further()
    return Neighbourhood(tuple(search.own()), tuple(search.related()), tuple(sorted(search.common)))


class _Search:
    """One walk around a focus."""

    def __init__(self, resolver: Resolver, seeds: Mapping[Definition, float], within: frozenset[str]) -> None:
        total = sum(seeds.values()) or 1.0
        self.resolver, self.view = resolver, resolver.view
        self.seeds = {seed: weight / total for seed, weight in sorted(seeds.items())}
        self.within = within
        self.common: set[str] = set()
        self._links: dict[Definition, dict[Definition, float]] = {}
        self._uses: dict[Definition, tuple[float, Definition]] = {}
        self._used: dict[Definition, tuple[float, Definition]] = {}
        self._rarity: dict[str, float] = {}
        self._inside = {path: self._part(path) for path in sorted({seed.path for seed in self.seeds})}

    def _part(self, path: str) -> dict[int, Definition]:
        """Symbols of a file that are seeds or stand in one -> that seed."""
        slice_ = self._slice(path)
        inside: dict[int, Definition] = {}
        for index, parent in enumerate(slice_.symbols.parent):  # containers come first
            here = Definition(path, index)
            if here in self.seeds:
                inside[index] = here
            elif parent in inside and parent:
                inside[index] = inside[parent]
        return inside

    def _slice(self, path: str) -> Slice:
        found = self.view.slice(path)
        assert found is not None
        return found

    # edges

    def _link(self, user: Definition, used: Definition, weight: float) -> None:
        if user == used:
            return
        for one, other in ((user, used), (used, user)):
            row = self._links.setdefault(one, {})
            row[other] = row.get(other, 0.0) + weight
        if used in self.seeds:
            _better(self._uses, user, weight, used)
        if user in self.seeds:
            _better(self._used, used, weight, user)

    def _rare(self, name: str) -> float:
        """How much a name says: 1 for one that is defined once, less for others, 0 for one that says nothing."""
        found = self._rarity.get(name)
        if found is None:
            count = len(self.view.defining(name))
            found = 1 / (1 + log2(count)) if 0 < count <= HOMONYMS else 0.0
            self._rarity[name] = found
        return found

    def inward(self) -> None:
        """Resolve uses of the seeds in the files that use most of them."""
        wanted = self._wanted()
        files: dict[str, float] = {}
        for weight, paths in wanted.values():
            for path in paths:
                files[path] = files.get(path, 0.0) + weight
        chosen = sorted(files, key=lambda path: (-files[path], path))[:FILES_IN]
        left = SITES_IN
        for path in chosen:
            sites = self._sites(path, {name: wanted[name][0] for name in wanted})[: min(left, SITES_IN_FILE)]
            left -= len(sites)
            for index, count, weight in sites:
                self._resolve(path, index, weight * sqrt(count))

    def _wanted(self) -> dict[str, tuple[float, tuple[str, ...]]]:
        """Names of the seeds -> what a use of them is worth, and the files with uses; common ones left out."""
        weights: dict[str, float] = {}
        for seed, weight in self.seeds.items():
            name = self.resolver.symbol(seed).name if seed.index else ""
            if name:
                weights[name] = weights.get(name, 0.0) + weight
        chosen = sorted(weights, key=lambda name: (-weights[name], name))[:NAMES]
        self.common.update(name for name in weights.keys() - set(chosen))
        wanted = {}
        for name in chosen:
            rare, paths = self._rare(name), self.view.referring(name)
            if not rare or len(paths) > COMMON:
                self.common.add(name)
            elif paths:
                wanted[name] = (weights[name] * rare / (1 + log2(len(paths))), tuple(paths))
        return wanted

    def _sites(self, path: str, names: Mapping[str, float]) -> list[tuple[int, int, float]]:
        """One reference for each enclosing symbol and name: (index, how many there are, worth), best first."""
        slice_ = self._slice(path)
        r = slice_.references
        texts = {number: text for number, text in enumerate(slice_.strings) if text in names}
        found: dict[tuple[int, int], list[int]] = {}
        for index, name in enumerate(r.name):
            if name in texts and r.role[index] != IMPORT:
                found.setdefault((name, r.symbol[index]), []).append(index)
        rows = [(indices[0], len(indices), names[texts[name]]) for (name, _), indices in found.items()]
        return sorted(rows, key=lambda row: (-row[2], row[0]))

    def outward(self) -> None:
        """Resolve what the seeds refer to, rare names first."""
        rows = []
        for path, inside in self._inside.items():
            for index, count, worth in self._references(path, inside):
                symbol = self._slice(path).references.symbol[index]
                rows.append((-worth * self.seeds[inside[symbol]], path, index, count))
        for worth, path, index, count in sorted(rows)[:SITES_OUT]:
            self._resolve(path, index, -worth * sqrt(count))

    def _references(self, path: str, inside: Mapping[int, object]) -> Iterator[tuple[int, int, float]]:
        """One reference for each name, receiver and enclosing symbol among `inside`: (index, count, worth)."""
        slice_ = self._slice(path)
        r, strings = slice_.references, slice_.strings
        local = {strings[name] for name in slice_.imports.local}
        found: dict[tuple[int, int, int], list[int]] = {}
        for index, key in enumerate(zip(r.name, r.receiver, r.symbol, strict=True)):
            if key[2] in inside and r.role[index] not in (IMPORT, WRITE):
                found.setdefault(key, []).append(index)
        for (name, _, _), indices in found.items():
            text = strings[name]
            worth = self._rare(text) or (0.5 if text in local else 0.0)
            if worth:
                yield indices[0], len(indices), worth

    def further(self) -> None:
        """Resolve what the best of those found so far refer to."""
        scores = self._scores()
        best = sorted((d for d in scores if d not in self.seeds), key=lambda d: (-scores[d], d))[:FURTHER]
        rows = []
        for definition in best:
            for index, count, worth in self._references(definition.path, {definition.index: None}):
                rows.append((-worth * scores[definition], definition.path, index, count))
        for worth, path, index, count in sorted(rows)[:SITES_FURTHER]:
            self._resolve(path, index, -worth * sqrt(count))

    def _resolve(self, path: str, index: int, weight: float) -> None:
        targets = self.resolver.resolve(path, index).targets
        if targets:
            user = self.resolver.enclosing(path, index)
            for target in targets:
                self._link(user, target, weight / len(targets))

    # ranks

    def _scores(self) -> dict[Definition, float]:
        """Personalised PageRank: who is likely to be met on walks along edges, either way, that start at the seeds."""
        shares = {
            node: [(other, weight / total) for other, weight in sorted(row.items())]
            for node, row in self._links.items()
            if (total := sum(row.values()))
        }
        ranks = dict(self.seeds)
        for _ in range(ROUNDS):
            fresh = {seed: (1 - DAMPING) * weight for seed, weight in self.seeds.items()}
            for node, score in ranks.items():
                for other, share in shares.get(node, ()):
                    fresh[other] = fresh.get(other, 0.0) + DAMPING * score * share
            ranks = fresh
        return ranks

    def own(self) -> list[Definition]:
        """The seeds, best first: what matters most around them, symbols that do something before data."""
        scores = self._scores()

        def key(seed: Definition) -> tuple[float, Definition]:
            weight = DATA_WEIGHT if self._slice(seed.path).symbols.kind[seed.index] in DATA else 1.0
            return -round(scores[seed] * weight, 9), seed

        return sorted(self.seeds, key=key)

    def related(self) -> list[Related]:
        """Everything near the seeds, best first: what was reached, and what stands beside it in its file."""
        scores = self._scores()
        files: dict[str, float] = {}
        for definition, score in scores.items():
            if definition not in self.seeds and definition.path not in self.within:
                files[definition.path] = files.get(definition.path, 0.0) + score
        found = dict(row for path, mass in files.items() for row in self._in_file(path, scores, mass))
        rows = [
            Related(definition, round(score, 9), *self._relation(definition))
            for definition, score in found.items()
            if definition not in self.seeds
        ]
        return sorted(rows, key=lambda row: (-row.score, row.definition))

    def _in_file(
        self, path: str, scores: Mapping[Definition, float], mass: float
    ) -> Iterable[tuple[Definition, float]]:
        symbols = self._slice(path).symbols
        count = len(symbols.name) - 1
        share = SIBLINGS * mass / count if count else 0.0
        own = [scores.get(Definition(path, index), 0.0) for index in range(count + 1)]
        passed = list(own)
        for index in range(count, 0, -1):  # a container is worth half of what its members are
            if symbols.parent[index] > 0:
                passed[symbols.parent[index]] += passed[index] / 2
        for index in range(1, count + 1):
            weight = DATA_WEIGHT if symbols.kind[index] in DATA else 1.0
            yield Definition(path, index), (passed[index] + share) * weight

    def _relation(self, definition: Definition) -> tuple[str, Definition | None]:
        uses, used = self._uses.get(definition), self._used.get(definition)
        if uses is not None and (used is None or uses[0] >= used[0]):
            return USES, uses[1]
        return (USED, used[1]) if used is not None else (NEAR, None)


def _better(table: dict[Definition, tuple[float, Definition]], key: Definition, weight: float, via: Definition) -> None:
    known = table.get(key)
    if known is None or (-weight, via) < (-known[0], known[1]):
        table[key] = weight, via
