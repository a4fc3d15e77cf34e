"""Keeping views in step while files change: `git graph watch`.

What the operating system says of a change only tells when to look and at which worktree; what has changed is always
read from git, as every sync does. So a deletion or a rename is nothing special, an event that was lost or came twice
does no harm, and every worktree is looked at in intervals whatever was said. One watcher a view, by a lock.
Prints nothing: what happens is yielded.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from git_graph.errors import GraphError, Locked
from git_graph.git.lock import FileLock
from git_graph.git.repository import LINKED_PREFIX, MAIN_VIEW
from git_graph.records import NamedTuple
from git_graph.store import views
from git_graph.sync import sync
from git_graph.sync.context import Context
from git_graph.sync.reconcile import sweep

if TYPE_CHECKING:
    from git_graph.git.repository import Repository, Worktree
    from git_graph.sync.values import SyncResult

INTERVAL = 300.0
"""Seconds between two looks at every worktree, whatever was said."""
QUIET_MS, LONGEST_MS = 80, 800
"""Milliseconds without a change after which a burst is over, and the longest that one burst is waited for."""
WAKE_MS = 1000
"""How often to see whether there is something to be done that nobody told of."""
REST, LONGEST_REST = 2.0, 10.0
"""A look that took so many seconds is followed by a rest so many times as long, at most that many seconds."""
SECOND_TRY = 1.0
"""Seconds after which a sync that failed is tried again, before anything is said of it."""
BLIND_INTERVAL = 5.0
"""Seconds between two looks where the system tells of no changes."""

SYNCED, FAILED, JOINED, LEFT, BLIND = "synced", "failed", "joined", "left", "blind"

_OF_THE_TREE = ("HEAD", "index", "logs/HEAD", "info/sparse-checkout", "config.worktree")
_OF_ALL = ("config", "info/exclude", "info/attributes")


class Happened(NamedTuple):
    """Something that a watcher did or met: `kind` is one of the constants above; `seconds` that it took."""

    kind: str
    view: str
    result: SyncResult | None = None
    message: str = ""
    hint: str = ""
    seconds: float = 0.0


class Place(NamedTuple):
    """A worktree that is watched, and the lock that says so."""

    worktree: Worktree
    root: str
    lock: FileLock


def watch(repository: Repository, *, every: bool = False, interval: float = INTERVAL) -> Iterator[Happened]:
    """Keep this worktree's view (`every`: that of each worktree) in step until SIGINT or SIGTERM.

    Raises:
        Locked: another process watches the view.
        BareRepository; GraphError: the library that it needs is not installed
    """
    if not every:
        repository.require_worktree()
    try:
        import watchfiles
    except ImportError as error:
        raise GraphError(
            "git graph watch needs the package watchfiles", "pip install 'git-code-graph[watch]'"
        ) from error
    watcher = _Watcher(repository, every, interval, watchfiles.watch)
    try:
        with _stopped_by_signals(watcher):
            yield from watcher.run()
    finally:
        watcher.close()


class _Watcher:
    def __init__(
        self, repository: Repository, every: bool, interval: float, changes: Callable[..., Iterator[Any]]
    ) -> None:
        self.repository = repository
        self.every = every
        self.interval = interval
        self.changes = changes
        self.stop = threading.Event()
        self.at_work = False
        self.places: dict[str, Place] = {}
        self.roots: dict[str, str] = {}
        """Root -> view of every worktree there is: one may lie inside another."""
        self.branches: dict[str, str | None] = {}
        self.due: set[str] = set()
        self.rest_until: dict[str, float] = {}
        self.failing: set[str] = set()
        self.looked_at = 0.0
        self.fleet_changed = False
        self.common = os.path.realpath(repository.common_dir)

    def run(self) -> Iterator[Happened]:
        yield from self.gather()
        while not self.stop.is_set():
            self.due |= self.places.keys()
            yield from self.work()
            try:
                yield from self.listen()
            except FileNotFoundError:
                pass  # a worktree went while it was to be listened to
            except OSError as error:
                yield Happened(BLIND, "", message=str(error), hint="see fs.inotify.max_user_watches")
                yield from self.look_blindly()
            yield from self.gather()
            if not self.every and not self.places:
                return

    def close(self) -> None:
        for place in self.places.values():
            place.lock.release()

    # who is watched

    def gather(self) -> Iterator[Happened]:
        """Take in worktrees that are new, and let go of those that are gone."""
        self.fleet_changed = False
        present = [item for item in self.repository.worktrees() if item.path is not None and not item.gone]
        self.roots = {os.path.realpath(str(item.path)): item.view for item in present}
        there = {item.view: item for item in present if self.every or item.view == self.repository.view}
        for view in [view for view in self.places if there.get(view) != self.places[view].worktree]:
            self.places.pop(view).lock.release()
            self.branches.pop(view, None)
            yield Happened(LEFT, view)
            if self.every:
                with closing(Context(self.repository.at(next(iter(there.values()))))) as context:
                    sweep(context)
        for view, worktree in there.items():
            if view in self.places or self.stop.is_set():
                continue
            file = self.repository.make_graph_dir() / f"watch-{views.encode(view)}.lock"
            lock = FileLock(file, 0)
            if lock.acquire():
                self.places[view] = Place(worktree, os.path.realpath(str(worktree.path)), lock)
                yield Happened(JOINED, view)
            elif not self.every:
                raise Locked(
                    f"view '{view}' is watched already, by process {lock.holder()}", "one watcher a view is enough"
                )

    # what happens

    def listen(self) -> Iterator[Happened]:
        """Sync what the system tells of, until the set of worktrees changes."""
        self.due |= self.places.keys()  # what happened before we listened
        for changes in self.changes(
            *self.watched(), watch_filter=lambda _, path: self.concerns(path), debounce=LONGEST_MS, step=QUIET_MS,
            stop_event=self.stop, rust_timeout=WAKE_MS, yield_on_timeout=True, raise_interrupt=False,
            ignore_permission_denied=True,
        ):  # fmt: skip
            if changes and self.fleet_changed:
                return
            if time.monotonic() - self.looked_at > self.interval:
                self.due |= self.places.keys()
                if self.every:
                    return
            yield from self.work()
            if self.stop.is_set() or any(not Path(place.root).is_dir() for place in self.places.values()):
                return

    def look_blindly(self) -> Iterator[Happened]:
        """Where the system tells nothing, look again and again, until there are worktrees to come or go."""
        until = time.monotonic() + self.interval
        while time.monotonic() < until and not self.stop.wait(min(BLIND_INTERVAL, self.interval)):
            self.due |= self.places.keys()
            yield from self.work()

    def watched(self) -> list[str]:
        """The directories to be told about; those inside others are with them."""
        asked = {place.root for place in self.places.values()}
        asked |= {os.path.realpath(place.worktree.git_dir) for place in self.places.values()} - {self.common}
        shared = ["info", "refs/heads"] + (["worktrees"] if self.every else [])
        asked |= {str(path) for name in shared if (path := Path(self.common, name)).is_dir()}
        if MAIN_VIEW in self.places:
            asked.add(self.common)
        return sorted(path for path in asked if not any(_is_below(path, other) for other in asked if other != path))

    def concerns(self, path: str) -> bool:
        """Whether a change at a path is one of a tree, of HEAD or of a rule; marks the views that it is about."""
        if _is_below(path, self.common):
            concerned = self.concerned(os.path.relpath(path, self.common).replace(os.sep, "/"))
        else:
            nearest = max((root for root in self.roots if _is_below(path, root)), key=len, default="")
            concerned = {self.roots.get(nearest, "")} & self.places.keys()
        self.due |= concerned
        return bool(concerned) or self.fleet_changed

    def concerned(self, name: str) -> set[str]:
        """The views that a file of the common git directory is about; none for all that we write ourselves."""
        if name.startswith(LINKED_PREFIX):
            id, _, rest = name.removeprefix(LINKED_PREFIX).partition("/")
            if rest in ("", "gitdir", "commondir"):
                self.fleet_changed = self.fleet_changed or self.every
                return set()
            view = LINKED_PREFIX + id
            return {view} & self.places.keys() if rest in _OF_THE_TREE else set()
        if name.startswith("refs/heads/"):
            branch = name.removeprefix("refs/heads/")
            return {view for view in self.places if self.branches.get(view) == branch}
        if name in _OF_ALL:
            return set(self.places)
        return {MAIN_VIEW} & self.places.keys() if name in _OF_THE_TREE else set()

    # what is done

    def work(self) -> Iterator[Happened]:
        """Sync the views that are due and have rested."""
        if self.due >= self.places.keys():
            self.looked_at = time.monotonic()
        for view in sorted(self.due):
            if self.stop.is_set():
                return
            if view not in self.places:
                self.due.discard(view)
                continue
            if self.rest_until.get(view, 0.0) > time.monotonic():
                continue
            self.due.discard(view)
            happened = self.synced(self.places[view])
            if happened is not None:
                yield happened

    def synced(self, place: Place) -> Happened | None:
        """Sync one view; None if there was nothing to do, or an end was asked for meanwhile."""
        view, began = place.worktree.view, time.monotonic()
        try:
            self.at_work = True
            result = sync(self.repository.at(place.worktree))
        except GraphError as error:
            if self.stop.is_set() or not Path(place.root).is_dir():
                return None
            self.due.add(view)  # and again, after a rest
            again = view in self.failing
            self.failing.add(view)
            self.rest_until[view] = time.monotonic() + (LONGEST_REST if again else SECOND_TRY)
            if not again:
                return None  # as when a worktree is being made or removed just now
            return Happened(FAILED, view, message=error.message, hint=error.hint)
        except KeyboardInterrupt:
            if not self.stop.is_set():
                raise
            return None
        finally:
            self.at_work = False
        self.failing.discard(view)
        self.branches[view] = result.branch
        took = time.monotonic() - began
        self.rest_until[view] = time.monotonic() + min(REST * took, LONGEST_REST)
        return Happened(SYNCED, view, result, seconds=took) if result.published or result.warnings else None


@contextmanager
def _stopped_by_signals(watcher: _Watcher) -> Iterator[None]:
    """SIGINT and SIGTERM end the watcher; a sync that is going on is broken off, which costs nothing but its work."""

    def end(number: int, frame: FrameType | None) -> None:
        watcher.stop.set()
        if watcher.at_work:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        if not watcher.stop.is_set():
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory + os.sep)
