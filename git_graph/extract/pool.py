"""Extraction in worker processes, so that a file that hangs or crashes the parser costs that file only.

Every file is extracted in a child, also when there is one alone: a parser that crashes takes its process with it. The
parent imports no tree-sitter. Results come as they are ready, not in the order of the jobs.
"""

from __future__ import annotations

import marshal
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from git_graph.extract.processes import FORKS, Channel, pipe, start, wait
from git_graph.records import NamedTuple

TIME_LIMIT = 20.0
"""Seconds that one file may take; a megabyte of code takes less than one."""
STARVED = 10
"""Where a worker's processor time can be told, a file may wait so many times as long: a crowded machine is no hang."""
MEMORY_LIMIT = 2 << 30
"""Bytes of address space that a worker may grow by, where the system can limit it."""
BATCH_BYTES = 192 * 1024
BATCH_FILES = 64
BATCHES_AHEAD = 2
"""Batches that a worker has at a time: one that it works on and one that waits."""


class Job(NamedTuple):
    """A file to extract; `key` is the caller's own, and comes back with the result."""

    key: Any
    language: str
    source: bytes
    source_id: str


class Result(NamedTuple):
    """An encoded slice, or None and why: `timed-out`, `crashed`."""

    key: Any
    data: bytes | None
    reason: str = ""


Task = Callable[[str, bytes, str], bytes]
"""What a worker does with a job: language, source and source id in, encoded slice out."""


def encoded_slice(language: str, source: bytes, source_id: str) -> bytes:
    """The task of every worker: extract a slice and encode it."""
    from git_graph import codec
    from git_graph.extract.extractor import extract

    return codec.encode(extract(language, source, source_id))


def extract_many(
    jobs: Iterable[Job],
    *,
    workers: int | None = None,
    files: int | None = None,
    time_limit: float = TIME_LIMIT,
    task: Task = encoded_slice,
) -> Iterator[Result]:
    """Extract every job; `files`, if known, keeps a few files from waking more workers than they need."""
    count = workers or os.cpu_count() or 1
    if files is not None:
        count = max(1, min(count, (files + 7) // 8))
    pool = _Pool(iter(jobs), count, time_limit, task)
    try:
        yield from pool.results()
    finally:
        pool.close()


class _Worker:
    """A child and the jobs that it has not answered yet, in order."""

    def __init__(self, others: list[_Worker], task: Task) -> None:
        jobs_in, self.jobs = pipe()
        self.results, results_out = pipe()
        # A forked child holds our ends of every pipe: it must close them, or no worker would see us go.
        ours = [end for worker in (self, *others) for end in (worker.jobs, worker.results)] if FORKS else []
        self.process = start(_work, jobs_in, results_out, ours, task)
        jobs_in.close()
        results_out.close()
        self.pending: deque[Any] = deque()
        self.waited = 0.0
        self.used_before: float | None = 0.0
        """Processor time that it had used when it gave its last answer."""

    def send(self, batch: list[Job]) -> None:
        self.pending.extend(job.key for job in batch)
        with suppress(OSError):  # it has died meanwhile: whoever waits for its answers finds that out
            self.jobs.send_bytes(marshal.dumps([tuple(job)[1:] for job in batch]))

    def hangs(self, time_limit: float) -> bool:
        """Whether its present file has taken longer than it may."""
        if self.waited <= time_limit:
            return False
        used = _processor_seconds(self.process.pid)
        starved = used is not None and self.used_before is not None and used - self.used_before <= time_limit
        return not starved or self.waited > time_limit * STARVED

    def answered(self) -> None:
        """It has given an answer: its time starts anew."""
        if self.waited:
            self.waited, self.used_before = 0.0, _processor_seconds(self.process.pid)

    def stop(self, *, kill: bool = False) -> None:
        if kill:
            self.process.kill()
        self.jobs.close()
        self.results.close()
        self.process.join()


class _Pool:
    def __init__(self, jobs: Iterator[Job], count: int, time_limit: float, task: Task) -> None:
        self.jobs, self.count, self.time_limit, self.task = jobs, count, time_limit, task
        self.workers: list[_Worker] = []
        self.unsent: dict[_Worker, deque[list[Job]]] = {}
        self.again: deque[Job] = deque()
        self.exhausted = False

    def results(self) -> Iterator[Result]:
        while True:
            self.feed()
            busy = {worker.results: worker for worker in self.workers if worker.pending}
            if not busy:
                return
            started = time.monotonic()
            ready = wait(list(busy), timeout=min(1.0, self.time_limit / 4))
            # Only the time that we waited counts: while the caller was busy, a worker may have been held up by us.
            spent = time.monotonic() - started
            for connection, worker in busy.items():
                if connection in ready:
                    yield from self.receive(worker)
                else:
                    worker.waited += spent
                    if worker.hangs(self.time_limit):
                        yield self.lose(worker, "timed-out")

    def feed(self) -> None:
        """Keep every worker in work, waking another while there are jobs and room for one."""
        while not self.exhausted or self.again:
            idle = [worker for worker in self.workers if len(self.unsent[worker]) < BATCHES_AHEAD]
            if not idle and len(self.workers) >= self.count:
                return
            if not (batch := self.batch()):
                return
            worker = min(idle, key=lambda w: len(self.unsent[w])) if idle else None
            if worker is None or (self.unsent[worker] and len(self.workers) < self.count):
                worker = _Worker(self.workers, self.task)
                self.workers.append(worker)
                self.unsent[worker] = deque()
            self.unsent[worker].append(batch)
            worker.send(batch)

    def batch(self) -> list[Job]:
        batch: list[Job] = []
        size = 0
        while len(batch) < BATCH_FILES and size < BATCH_BYTES:
            job = self.again.popleft() if self.again else next(self.jobs, None)
            if job is None:
                self.exhausted = True
                break
            batch.append(job)
            size += len(job.source)
        return batch

    def receive(self, worker: _Worker) -> Iterator[Result]:
        try:
            data = worker.results.recv_bytes()
        except (EOFError, OSError):
            yield self.lose(worker, "crashed")
            return
        worker.answered()
        yield Result(self.answered(worker), data or None, "" if data else "crashed")

    def answered(self, worker: _Worker) -> Any:
        """The key of the job that the worker has just answered."""
        first = self.unsent[worker][0]
        first.pop(0)
        if not first:
            self.unsent[worker].popleft()
        return worker.pending.popleft()

    def lose(self, worker: _Worker, reason: str) -> Result:
        """The worker's present file is lost; what waited behind it goes to others."""
        key = self.answered(worker)
        for batch in self.unsent.pop(worker):
            self.again.extend(batch)
        self.workers.remove(worker)
        worker.stop(kill=True)
        return Result(key, None, reason)

    def close(self) -> None:
        for worker in self.workers:
            worker.stop(kill=bool(worker.pending))


def _processor_seconds(pid: int | None) -> float | None:
    """Processor time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def _work(jobs: Channel, results: Channel, inherited: list[Channel], task: Task) -> None:
    """A worker's life: answer every job with the encoded slice, or with nothing if extraction failed."""
    import gc
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    for end in inherited:
        end.close()
    _limit_memory()
    batches: queue.SimpleQueue[list[tuple[str, bytes, str]] | None] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(jobs, batches), daemon=True).start()
    gc.disable()  # slices hold no cycles, and the collector would look at each again and again
    while (batch := batches.get()) is not None:
        gc.freeze()  # modules, tables and caches stay: collecting after a batch looks at what the batch left alone
        for language, source, source_id in batch:
            try:
                data = task(language, source, source_id)
            except Exception:  # a fault of ours in one file's walk must cost that file only
                data = b""
            try:
                results.send_bytes(data)
            except OSError:
                os._exit(0)  # the parent is gone
        gc.collect()
    os._exit(0)


def _receive(jobs: Channel, batches: queue.SimpleQueue[list[tuple[str, bytes, str]] | None]) -> None:
    """Take batches off the pipe, so that the parent never waits for us to finish one."""
    while True:
        try:
            batches.put(marshal.loads(jobs.recv_bytes()))
        except (EOFError, OSError):
            batches.put(None)
            return


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not POSIX
        return
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = used * 2 + MEMORY_LIMIT
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
