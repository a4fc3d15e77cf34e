"""What there is to do, decided from values alone: a published basis against the tree as it was observed.

Nothing here reads or writes; what differs between two commits is asked of a function, and only when it matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from git_graph.git.objects import TreeChange
from git_graph.records import NamedTuple
from git_graph.store.basis import Basis, OverlayEntry, Skipped

RETRIED = frozenset(("timed-out", "crashed", "unreadable", "missing"))
"""Reasons for which a path is tried again: they are no function of its bytes."""
FIRST_PAUSE, LONGEST_PAUSE = 60, 24 * 3600
"""Seconds before a path that failed is tried again: a minute, four times that after each attempt, at most a day."""

Rule = tuple[int, str]
"""A language's rules version and fingerprint."""


class Desired(NamedTuple):
    """The tree in front of us, by the names that a basis has for it."""

    tool: str
    head: str | None
    branch: str | None
    overlay: tuple[OverlayEntry, ...]
    policy: str
    sparse: str
    worktree: str | None

    def pictured(self, basis: Basis) -> Basis:
        """`basis` as that of this tree."""
        return basis._replace(**self._asdict())


class Plan(NamedTuple):
    """The paths whose slices have to be decided; None: every path there is."""

    paths: frozenset[bytes] | None

    @property
    def whole(self) -> bool:
        """Whether every path has to be looked at."""
        return self.paths is None


def agrees(basis: Basis, desired: Desired, rules: Callable[[str], Rule | None], now: float) -> bool:
    """Whether a manifest is a picture of the tree already, so that there is nothing to do."""
    return (
        all(getattr(basis, name) == getattr(desired, name) for name in Desired._fields)
        and not outdated(basis, rules)
        and not any(is_due(skipped, now) for skipped in basis.skipped)
    )


def outdated(basis: Basis, rules: Callable[[str], Rule | None]) -> list[str]:
    """The languages present whose slices were made by other rules than today's."""
    return [language for language, rule in basis.rules.items() if rules(language) != tuple(rule)]


def is_due(skipped: Skipped, now: float) -> bool:
    """Whether a path that was skipped is to be tried again."""
    if skipped.reason not in RETRIED:
        return False
    pause = min(FIRST_PAUSE * 4 ** min(skipped.attempts - 1, 10), LONGEST_PAUSE)
    return not skipped.tried_at - pause < now < skipped.tried_at + pause


def make(
    basis: Basis,
    desired: Desired,
    rules: Callable[[str], Rule | None],
    now: float,
    differences: Callable[[str | None, str | None], Iterable[TreeChange] | None],
    *,
    full: bool = False,
) -> Plan:
    """What has to be decided to bring a manifest with `basis` to the tree.

    `differences` tells what differs between two commits, None if the old one is gone.
    """
    if full or basis.policy != desired.policy or basis.sparse != desired.sparse or outdated(basis, rules):
        return Plan(None)
    # An overlay entry says all there is to say of its path: where it stays the same, nothing has changed.
    altered = set(basis.overlay) ^ set(desired.overlay)
    changed = {entry.path.encode("utf-8", "surrogateescape") for entry in altered}
    if basis.head != desired.head:
        between = differences(basis.head, desired.head)
        if between is None:
            return Plan(None)
        changed |= {change.path for change in between}
    changed |= {item.path.encode("utf-8", "surrogateescape") for item in basis.skipped if is_due(item, now)}
    return Plan(frozenset(changed))


class Target(NamedTuple):
    """What lies at a path of the tree: git's mode, the content's id (None: not to be read), and where to read it."""

    mode: int
    content: str | None
    on_disk: bool


def targets(
    plan: Plan,
    desired: Desired,
    sparse: frozenset[bytes],
    held: Callable[[bytes], tuple[int, str] | None],
    walk: Callable[[], Iterable[tuple[bytes, int, str]]],
) -> dict[bytes, Target | None]:
    """What lies at each path of the plan, None where nothing does.

    `held` tells what HEAD's commit holds at a path, `walk` all that it holds.
    """
    over = {entry.path.encode("utf-8", "surrogateescape"): entry for entry in desired.overlay}
    found: dict[bytes, Target | None] = {}
    if plan.paths is None:
        found |= {path: Target(mode, id, False) for path, mode, id in walk() if path not in sparse}
        found |= {path: _overlaid(entry) for path, entry in over.items()}
        return found
    for path in plan.paths:
        if path in sparse:
            found[path] = None
        elif path in over:
            found[path] = _overlaid(over[path])
        else:
            stored = held(path)
            found[path] = Target(*stored, on_disk=False) if stored else None
    return found


def _overlaid(entry: OverlayEntry) -> Target | None:
    return None if entry.status == "D" else Target(entry.mode, entry.content, True)


def corrected(overlay: Iterable[OverlayEntry], corrections: Mapping[bytes, str | None]) -> tuple[OverlayEntry, ...]:
    """The overlay with the contents that were really read where a file changed under us (None: it has gone)."""
    result = []
    for entry in overlay:
        path = entry.path.encode("utf-8", "surrogateescape")
        if path not in corrections:
            result.append(entry)
        elif (content := corrections[path]) is not None:
            result.append(entry._replace(content=content))
        elif entry.status != "A":
            result.append(OverlayEntry("D", 0, entry.path, None))
    return tuple(result)
