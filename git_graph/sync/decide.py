"""From what lies at paths to the slices that they have: reused where they are known, extracted where they are not.

A content is looked up under its language and the rules' fingerprint, never by path. What is extracted is kept in
batches, so that whoever is interrupted loses little. Knows nothing of manifests and views.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from git_graph import meter
from git_graph.errors import GraphError
from git_graph.extract.pool import Job, extract_many
from git_graph.records import Record, field
from git_graph.store import keymap, views
from git_graph.store.basis import Skipped
from git_graph.sync.cache import Cache, Key, KnownSlice
from git_graph.sync.plan import RETRIED, Target, is_due
from git_graph.sync.policy import Policy
from git_graph.sync.rules import Rules
from git_graph.sync.sources import Sources, Wanted, wanted

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction
    from git_graph.sync.observe import Disk

KEEP_AFTER, KEPT_SHARE = 10.0, 0.25
"""Seconds of extraction after which what there is is kept, or a share of all the time so far if that is more: each time
makes a pack, and nobody wants many."""
ROUNDS = 3
"""How often a file that changes while it is read is read again."""

UNKNOWN = "0" * 40
"""Stands for the id of a slice that was not made."""

Progress = Callable[[int, int], None]
"""Called with how many files are done, of how many."""
TakeIn = Callable[[Iterable[tuple[str, bytes]]], None]
"""Called with (id, bytes) of new slices."""
TAKEN_TOGETHER = 256
"""How many slices are handed over at a time; fewer than that are no matter."""


class Decided(Record):
    """What was found for each path; a path in none of `slices` and `skipped` has no slice to have.

    `corrections` are contents as they were really read where a file changed after it was looked at (None: gone).
    """

    slices: dict[bytes, str] = field(factory=dict)
    languages: dict[bytes, str] = field(factory=dict)
    skipped: dict[bytes, Skipped] = field(factory=dict)
    corrections: dict[bytes, str | None] = field(factory=dict)
    parsed: int = 0


class Decider:
    """Decides paths of one tree within one transaction.

    `remember`: what is extracted will be in the repository. `pretend`: nothing is extracted.
    """

    def __init__(
        self,
        repository: Repository,
        cache: Cache,
        rules: Rules,
        policy: Policy,
        disk: Disk | None,
        transaction: Transaction,
        *,
        remember: bool = True,
        progress: Progress | None = None,
        pretend: bool = False,
        take_in: TakeIn | None = None,
    ) -> None:
        """`take_in` is given new slices while others are still extracted; it is no matter if it fails."""
        self._repository = repository
        self._cache = cache
        self._rules = rules
        self._policy = policy
        self._sources = Sources(repository, disk)
        self._transaction = transaction
        self._remember = remember
        self._progress = progress
        self._pretend = pretend
        self._take_in = take_in
        self._fresh: list[tuple[str, bytes]] = []
        self._gathered: list[tuple[Key, KnownSlice]] = []
        self._began_at = self._kept_at = time.monotonic()

    def decide(
        self, targets: Mapping[bytes, Target | None], held: set[str], earlier: Mapping[str, Skipped], now: float
    ) -> Decided:
        """Decide paths. `held` are slices that the view holds already, `earlier` what it skipped before, by path."""
        decided = Decided()
        for _ in range(ROUNDS):
            self._sources.changed = {}
            try:
                self._round(targets, held, earlier, now, decided)
            except KeyboardInterrupt:
                self._keep()
                raise
            decided.corrections |= self._sources.changed
            changed = {path: id for path, id in self._sources.changed.items() if id is not None}
            if not changed:
                return decided
            modes = {path: target.mode for path, target in targets.items() if target is not None}
            targets = {path: Target(modes[path], id, on_disk=True) for path, id in changed.items()}
        for path in targets:  # it never rests
            decided.skipped[path] = Skipped(_text(path), "unreadable", None, 1, int(now))
        return decided

    def published(self) -> None:
        """What was made here is in the repository now."""
        if self._remember:
            self._cache.put_slices(self._gathered)
        self._gathered = []

    def _round(
        self,
        targets: Mapping[bytes, Target | None],
        held: set[str],
        earlier: Mapping[str, Skipped],
        now: float,
        decided: Decided,
    ) -> None:
        groups: dict[Key, list[Wanted]] = {}
        for item in wanted(targets, self._policy, self._sources, self._cache, self._rules.detection):
            decided.languages[item.path] = item.language
            if item.target.content is None:
                decided.skipped[item.path] = _skip(item, self._sources.why_unread(item.path), earlier, now)
            else:
                groups.setdefault(self._key(item.target.content, item.language), []).append(item)
        known = self._known(groups, held)
        sizes = self._sizes(groups, known)
        unknown: dict[Key, list[Wanted]] = {}
        for key, group in groups.items():
            if sizes.get(key[0], 0) > self._policy.max_file_size:
                decided.skipped |= {item.path: _skip(item, "too-large", earlier, now) for item in group}
            elif key in known:
                decided.slices |= {item.path: known[key].id for item in group}
                meter.count("reused", len(group))
            elif (before := _pausing(group, earlier, now)) is not None:
                decided.skipped |= {item.path: before._replace(path=_text(item.path)) for item in group}
            elif key[0] in sizes:
                unknown[key] = group
            else:  # its blob is nowhere, if the file has not changed
                here = [item for item in group if item.path not in self._sources.changed]
                decided.skipped |= {item.path: _skip(item, "missing", earlier, now) for item in here}
        if self._pretend:
            decided.parsed += len(unknown)
            decided.slices |= {item.path: UNKNOWN for group in unknown.values() for item in group}
        else:
            with meter.phase("extracting"):
                self._extract(unknown, sizes, earlier, now, decided)

    def _key(self, content: str, language: str) -> Key:
        rule = self._rules.of(language)
        assert rule is not None, f"no rules for {language}"
        return content, language, rule[1]

    def _known(self, keys: Iterable[Key], held: set[str]) -> dict[Key, KnownSlice]:
        """The slices that there are already, and still are."""
        asked = set(keys)
        known = self._cache.slices(asked)
        if len(known) < len(asked) and self._learn():
            known = self._cache.slices(asked)
        lost = self._transaction.reuse({item.id for item in known.values()} - held)
        return {key: item for key, item in known.items() if item.id not in lost}

    def _learn(self) -> bool:
        """Learn the slices of manifests that the cache has not seen; whether there were any."""
        unseen = self._cache.without_note("scanned", views.roots(self._repository).values())
        if not unseen:
            return False
        found = [(key, KnownSlice(id, None)) for key, id in keymap.scan(self._repository, self._cache.slice_ids())]
        self._cache.put_slices(found)
        for root in unseen:
            self._cache.put_note("scanned", root, True)
        self._cache.save()
        return bool(found)

    def _sizes(self, groups: Mapping[Key, list[Wanted]], known: Mapping[Key, KnownSlice]) -> dict[str, int]:
        """The sizes of the contents; of files that have changed they are not known."""
        sizes = {key[0]: item.size for key, item in known.items() if item.size is not None}
        sizes |= self._sources.sizes(group[0] for key, group in groups.items() if key[0] not in sizes)
        unsized = [(key, item) for key, item in known.items() if item.size is None and key[0] in sizes]
        self._cache.put_slices((key, item._replace(size=sizes[key[0]])) for key, item in unsized)
        return sizes

    def _extract(
        self,
        unknown: Mapping[Key, list[Wanted]],
        sizes: Mapping[str, int],
        earlier: Mapping[str, Skipped],
        now: float,
        decided: Decided,
    ) -> None:
        settings = self._repository.settings
        results = extract_many(
            self._jobs(unknown), workers=settings.jobs or None, time_limit=settings.parse_timeout, files=len(unknown)
        )
        for done, (key, data, reason) in enumerate(results):
            if self._progress is not None:
                self._progress(done, len(unknown))
            group = [item for item in unknown[key] if item.path not in self._sources.changed]
            if data is None:
                decided.skipped |= {item.path: _skip(item, reason, earlier, now) for item in group}
                continue
            decided.parsed += 1
            meter.count("parsed")
            meter.count("reused", len(group) - 1)
            slice_id = self._transaction.blob(data)
            self._gathered.append((key, KnownSlice(slice_id, sizes[key[0]])))
            decided.slices |= {item.path: slice_id for item in group}
            self._hand_over(slice_id, data)
            at = time.monotonic()
            if at - self._kept_at > max(KEEP_AFTER, KEPT_SHARE * (at - self._began_at)):
                self._keep()

    def _hand_over(self, slice_id: str, data: bytes) -> None:
        if self._take_in is None:
            return
        self._fresh.append((slice_id, data))
        if len(self._fresh) >= TAKEN_TOGETHER:
            fresh, self._fresh = self._fresh, []
            with suppress(GraphError):
                self._take_in(fresh)

    def _jobs(self, unknown: Mapping[Key, list[Wanted]]) -> Iterator[Job]:
        for key, group in unknown.items():
            for item in group:
                data = self._sources.read(item.path, item.target)
                if data is not None:
                    yield Job(key, key[1], data, key[0])
                    break

    def _keep(self) -> None:
        """Make sure that what was extracted outlives us."""
        if self._remember:
            self._transaction.flush()
            self.published()
            self._cache.save()
        self._kept_at = time.monotonic()


def _skip(item: Wanted, reason: str, earlier: Mapping[str, Skipped], now: float) -> Skipped:
    """A path passed over; attempts count as long as content and reason stay the same."""
    path = _text(item.path)
    before = earlier.get(path)
    if reason not in RETRIED:
        return Skipped(path, reason, item.target.content, 1, 0)
    again = before is not None and (before.reason, before.content) == (reason, item.target.content)
    return Skipped(path, reason, item.target.content, before.attempts + 1 if before and again else 1, int(now))


def _pausing(group: list[Wanted], earlier: Mapping[str, Skipped], now: float) -> Skipped | None:
    """What was said of the same content when it failed, if it is too early to try it again."""
    for item in group:
        before = earlier.get(_text(item.path))
        if before and before.content == item.target.content and before.reason in RETRIED and not is_due(before, now):
            return before
    return None


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
