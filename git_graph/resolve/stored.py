"""Whole views resolved once: what was found of each file is kept, and found again only where it may have changed.

What was found of a file still holds if the file is the same, no file that was read on the way shows anything else to
others (`interface`), and no slice says anything else of a name that the view was asked for. Where that cannot be told
(files came or went, a policy looked at what has changed, other code found it) everything is found again.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack

from git_graph import __version__
from git_graph.engines.protocol import KeptFile
from git_graph.resolve.records import StoredFile, is_whole

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView, Kept
    from git_graph.resolve.recording import Recorder

FORMAT = 1
FEW = 160
"""Fewer files than this are resolved by this process alone."""
CHUNK = 24
"""Files that a worker takes at a time."""

Progress = Callable[[int, int], None]


class _Facts(NamedTuple):
    """What holds of all that is kept: by what it was found, and what policies looked at."""

    made_by: str
    policy_paths: frozenset[str] = frozenset()
    policy_names: frozenset[str] = frozenset()

    def packed(self) -> bytes:
        """The facts as bytes."""
        document = [self.made_by, sorted(self.policy_paths), sorted(self.policy_names)]
        packed: bytes = msgpack.packb(document, unicode_errors="surrogateescape")
        return packed


class Stored:
    """What was found of the files of a view and holds; decoded as it is asked for."""

    def __init__(self, files: Mapping[str, KeptFile]) -> None:
        self._files = files
        self._read: dict[str, StoredFile] = {}

    def file(self, path: str) -> StoredFile | None:
        """What was found of a file, if that is stored."""
        found = self._read.get(path)
        if found is None and (kept := self._files.get(path)) is not None and is_whole(kept.data):
            found = self._read[path] = StoredFile(path, kept.data)
        return found

    def files(self) -> Iterator[StoredFile]:
        """What was found of each file, by path."""
        for path in sorted(self._files):
            file = self.file(path)
            assert file is not None
            yield file


def stored(view: GraphView) -> Stored:
    """What was found of a view before and still holds; it may be nothing."""
    kept = view.kept()
    files = _holding(view, kept, _facts(kept)) if kept is not None else {}
    return Stored(files)


def completed(view: GraphView, progress: Progress) -> Stored:
    """What is found of all files of a view: what still holds of before, and what has to be found now, which is kept."""
    kept = view.kept()
    facts = _facts(kept)
    files = dict(_holding(view, kept, facts)) if kept is not None else {}
    missing = [path for path in view.paths() if path not in files or not is_whole(files[path].data)]
    if missing:
        if not files:
            facts = _Facts(_made_by())
        for found, path_facts in _found(view, missing, progress):
            files.update(found)
            facts = facts._replace(
                policy_paths=facts.policy_paths | path_facts[0], policy_names=facts.policy_names | path_facts[1]
            )
    if kept is None or missing or kept.files_tree != view.files_tree:
        view.keep(facts.packed(), files)
    return Stored(files)


# what still holds


def _facts(kept: Kept | None) -> _Facts:
    if kept is not None:
        document: Any = msgpack.unpackb(kept.facts, unicode_errors="surrogateescape")
        if document[0] == _made_by():
            return _Facts(document[0], frozenset(document[1]), frozenset(document[2]))
    return _Facts("")


def _holding(view: GraphView, kept: Kept, facts: _Facts) -> Mapping[str, KeptFile]:
    """The files of which what is kept still holds."""
    if facts.made_by != _made_by():
        return {}
    if kept.files_tree == view.files_tree and view.files_tree:
        return kept.files
    paths = view.paths()
    if len(paths) != len(kept.files) or any(path not in kept.files for path in paths):
        return {}
    changed = {path: kept.files[path] for path in paths if view.slice_id(path) != kept.files[path].slice_id}
    bits = _changed_bits(view, changed, facts) if changed else 0
    if bits is None:
        return {}
    same = {path: file for path, file in kept.files.items() if path not in changed}
    if not bits:
        return same
    return {path: file for path, file in same.items() if not _footprint(file.footprint) & bits}


def _changed_bits(view: GraphView, changed: dict[str, KeptFile], facts: _Facts) -> int | None:
    """The bits of what has changed for others; None if everything may have."""
    from git_graph.resolve.interface import changed_names, interface, structure
    from git_graph.resolve.recording import file_bits, name_bits

    names: set[str] = set()
    seen: list[str] = []
    for path, file in changed.items():
        old, new = view.any_slice(file.slice_id), view.slice(path)
        if old is None or new is None or old.language != new.language:
            return None
        if interface(old) == interface(new):
            continue
        if path in facts.policy_paths and structure(old) != structure(new):
            return None
        seen.append(path)
        names |= changed_names(old, new)
    if not names.isdisjoint(facts.policy_names):
        return None
    numbers = {path: number for number, path in enumerate(view.paths())}
    return file_bits(numbers[path] for path in seen) | name_bits(names)


def _packed_footprint(footprint: int) -> bytes:
    return zlib.compress(footprint.to_bytes((footprint.bit_length() + 7) // 8, "little"), 1)


@cache
def _footprint(packed: bytes) -> int:
    return int.from_bytes(zlib.decompress(packed), "little")


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


Found = tuple[dict[str, KeptFile], tuple[frozenset[str], frozenset[str]]]


def _found(view: GraphView, paths: Sequence[str], progress: Progress) -> Iterator[Found]:
    """What is found of some files, and what policies looked at for that, by and by."""
    reopen = view.reopener()
    workers = min(os.cpu_count() or 1, 8)
    if len(paths) >= FEW and workers > 1 and reopen is not None:
        yield from _found_by_workers(view, reopen, workers, paths, progress)
        return
    from git_graph.resolve.recording import Recorder

    recorder, done = Recorder(view), 0
    for start in range(0, len(paths), CHUNK):
        chunk = paths[start : start + CHUNK]
        yield _records(view, recorder, chunk)
        done += len(chunk)
        progress(done, len(paths))


def _records(view: GraphView, recorder: Recorder, paths: Sequence[str]) -> Found:
    from git_graph.resolve.records import encode

    files = {}
    for path in paths:
        record, slice_id = recorder.file(path), view.slice_id(path)
        assert slice_id is not None
        files[path] = KeptFile(slice_id, _packed_footprint(record.footprint), encode(record))
    return files, (recorder.policy_paths, recorder.policy_names)


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
            yield _records(view, recorder, chunks[number])


_worker: tuple[GraphView, Recorder] | None = None
"""Of a worker process: the view, and what resolves over it."""


def _start(reopen: Callable[[], GraphView]) -> None:
    """Make this process a worker."""
    import gc
    import signal

    from git_graph.resolve.recording import Recorder

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it tells it when to stop
    gc.disable()  # a worker lives for seconds, and what it remembers has no circles
    view = reopen()
    _worker = view, Recorder(view)


def _work(paths: Sequence[str]) -> Found:
    assert _worker is not None
    return _records(*_worker, paths)
