"""Whole views resolved once: what was found of each file is kept, and found again only where it may have changed.

What was found of a file still holds if the file is the same and nothing that was looked at on the way has changed
(`footprints`). What was found of the base that views share is kept for all of them; each view adds only what is not so
there. A question looks at what is kept of the files it is about, and asks about no others.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph import __version__
from git_graph.engines.protocol import KeptFile
from git_graph.errors import Locked
from git_graph.resolve.records import StoredFile, is_whole

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView, Kept
    from git_graph.resolve.recording import Recorder

FORMAT = 3
MANY = 64
"""A view that differs in more files than this from what is kept is asked as if nothing were kept: to find out what has
changed costs about a millisecond a file."""
FEW = 160
"""Fewer files than this are resolved by this process alone."""
CARRIED = 256
"""Files whose records are carried from one base to another at a time."""
CHUNK = 24
"""Files that a worker takes at a time."""

Progress = Callable[[int, int], None]


class Stored:
    """What was found of the files of a view and holds; read as it is asked for."""

    def __init__(self, view: GraphView, kept: Kept | None) -> None:
        self._view = view
        self._kept = kept
        self._found: dict[str, KeptFile] = {}
        """What was found since."""
        self._read: dict[str, StoredFile | None] = {}
        self._changed: int | None = None

    def file(self, path: str) -> StoredFile | None:
        """What was found of a file, if that is stored."""
        if path not in self._read:
            held = self.held(path)
            self._read[path] = StoredFile(path, held.data) if held is not None else None
        return self._read[path]

    def files(self) -> Iterator[StoredFile]:
        """What was found of each file, by path."""
        for path in self._view.paths():
            file = self.file(path)
            assert file is not None
            yield file

    def names(self) -> Iterator[str]:
        """The files of which something is kept, whether or not it holds."""
        return iter(self._kept.files if self._kept is not None else ())

    def holds(self, path: str) -> bool:
        """Whether what was found of a file is stored."""
        return self.held(path) is not None

    def add(self, found: Mapping[str, KeptFile]) -> None:
        """Take in what was found now."""
        self._found.update(found)

    def own(self) -> dict[str, KeptFile]:
        """What is kept for this view, or one near it, alone and still holds."""
        if self._kept is None:
            return {}
        return {path: held for path in self._kept.own if (held := self.held(path)) is not None}

    @property
    def lacking(self) -> bool:
        """Whether there is more to find of what views share than is stored."""
        return self._kept is None or not self._kept.whole

    @property
    def exact(self) -> bool:
        """Whether it was found of the very view."""
        return self._kept is not None and not self._kept.changes

    def held(self, path: str) -> KeptFile | None:
        """What was found of a file and holds, as it is kept."""
        if (found := self._found.get(path)) is not None:
            return found
        kept = self._kept
        if kept is None or path in kept.changes or (file := kept.files.get(path)) is None or not is_whole(file.data):
            return None
        if kept.changes and (self._changed is None or self._changed):
            from git_graph.resolve.footprints import unpacked

            try:
                if self._bits() & unpacked(file.footprint):
                    return None
            except zlib.error:  # damaged
                return None
        return file

    def _bits(self) -> int:
        """The bits of what has changed since."""
        if self._changed is None:
            from git_graph.resolve.footprints import changed_bits

            assert self._kept is not None
            view, sides = self._view, {}
            for path, (then, now) in self._kept.changes.items():
                old, new = then and view.any_slice(then), view.slice(path)
                if bool(old) != bool(then) or bool(new) != bool(now):
                    self._changed = -1  # one that is gone: anything may have changed
                    return -1
                sides[path] = old or None, new
            self._changed = changed_bits(view, sides)
        return self._changed


def stored(view: GraphView) -> Stored:
    """What was found of a view before and still holds; it may be nothing."""
    return Stored(view, view.kept(_made_by(), MANY))


def completed(view: GraphView, progress: Progress) -> Stored:
    """What is found of all files of a view: what still holds of before, and what has to be found now, which is kept."""
    known = Stored(view, None)
    for known, found in completing(view, progress):
        known.add(found)
    return known


def completing(
    view: GraphView, progress: Progress, *, alone: bool = False
) -> Iterator[tuple[Stored, Mapping[str, KeptFile]]]:
    """`completed`, step by step: what is known, and what was found in addition; that of the view itself comes last.

    What was found of a base is kept after each step, so whoever begins again goes on from there. `alone`: in this
    process, and what is kept is not looked at for damage.
    """
    base = view.shared()
    if base is not None:
        yield from completing(base, progress, alone=alone)
    mark = _made_by()
    known = Stored(view, view.kept(mark))
    if alone and known.exact and not known.lacking:
        yield known, {}
        return
    names = frozenset(known.names()) if alone and known.exact else None
    missing = [p for p in view.paths() if (p not in names if names is not None else not known.holds(p))]
    if base is None:
        if not known.exact:
            yield from _carried(view, mark, known, frozenset(missing))
        for found in _found(view, missing, progress, alone):
            if not view.keep(mark, found) and alone:
                raise Locked("what was found ahead cannot be kept", "see whether the repository can be written")
            yield known, found
        if missing or not known.exact or known.lacking:
            view.keep(mark, {}, whole=True)
    elif missing or not known.exact:
        own = known.own()
        for found in _found(view, missing, progress, alone):
            own.update(found)
            yield known, found
        view.keep(mark, own, whole=True)  # at once: what is not among them is as in the base
    yield known, {}


def ahead(view: GraphView) -> Iterator[object]:
    """What can be found before anybody asks, step by step, by this process alone: what is shared by views, and that of
    this one if it differs so much that a question would make nothing of what is shared."""
    yield from completing(view.shared() or view, _quiet, alone=True)
    if view.kept(_made_by(), MANY) is None:
        yield from completing(view, _quiet, alone=True)


def _quiet(done: int, total: int) -> None:
    """The progress that nobody looks at."""


def _carried(
    view: GraphView, mark: str, known: Stored, missing: frozenset[str]
) -> Iterator[tuple[Stored, Mapping[str, KeptFile]]]:
    """Keep what holds of another base for this one."""
    holding = [path for path in view.paths() if path not in missing]
    for start in range(0, len(holding), CARRIED):
        chunk = holding[start : start + CARRIED]
        view.keep(mark, {path: held for path in chunk if (held := known.held(path)) is not None})
        yield known, {}


@cache
def _made_by() -> str:
    """What says that other code may find something else: the version, and how the modules that decide it look."""
    root = Path(__file__).parent.parent
    looks = [__version__, str(FORMAT)]
    for room in ("resolve", "languages"):
        for directory, _, files in os.walk(root / room):
            for name in files:
                if name.endswith(".py"):
                    stat = Path(directory, name).stat()
                    looks.append(f"{name} {stat.st_size} {stat.st_mtime_ns}")
    return f"{__version__} {zlib.crc32(chr(10).join(sorted(looks)).encode()):08x}"


# finding

Found = Mapping[str, KeptFile]


def _found(view: GraphView, paths: Sequence[str], progress: Progress, alone: bool) -> Iterator[Found]:
    """What is found of some files, by and by."""
    reopen = None if alone else view.reopener()
    workers = min(os.cpu_count() or 1, 8)
    if len(paths) >= FEW and workers > 1 and reopen is not None:
        yield from _found_by_workers(view, reopen, workers, paths, progress)
    elif paths:
        from git_graph.resolve.recording import Recorder

        recorder, done = Recorder(view), 0
        for start in range(0, len(paths), CHUNK):
            chunk = paths[start : start + CHUNK]
            yield _records(recorder, chunk)
            done += len(chunk)
            progress(done, len(paths))


def _records(recorder: Recorder, paths: Sequence[str]) -> Found:
    from git_graph.resolve.footprints import packed
    from git_graph.resolve.records import encode

    records = ((path, recorder.file(path)) for path in paths)
    return {path: KeptFile(packed(record.footprint), encode(record)) for path, record in records}


def _found_by_workers(
    view: GraphView, reopen: Callable[[], GraphView], workers: int, paths: Sequence[str], progress: Progress
) -> Iterator[Found]:
    """The same by several processes; what they leave undone is done here."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    left, done = set(range(len(chunks))), 0
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _start, (reopen,))
    try:
        futures = {pool.submit(_work, chunk): number for number, chunk in enumerate(chunks)}
        for future in as_completed(futures):
            yield future.result()
            left.discard(futures[future])
            done += len(chunks[futures[future]])
            progress(done, len(paths))
    except BrokenProcessPool:
        pass
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if left:
        from git_graph.resolve.recording import Recorder

        recorder = Recorder(view)
        for number in sorted(left):
            yield _records(recorder, chunks[number])


_worker: Recorder | None = None
"""Of a worker process: what resolves over the view."""


def _start(reopen: Callable[[], GraphView]) -> None:
    """Make this process a worker."""
    import gc
    import signal

    from git_graph.resolve.recording import Recorder

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it tells it when to stop
    gc.disable()  # a worker lives for seconds, and what it remembers has no circles
    _worker = Recorder(reopen())


def _work(paths: Sequence[str]) -> Found:
    assert _worker is not None
    return _records(_worker, paths)
