"""The worker pool: every job is answered, and a file that hangs or crashes costs that file only."""

import os
import signal
import time

import pytest

from git_graph.extract import pool, processes
from git_graph.extract.pool import Job, extract_many


def task(language: str, source: bytes, source_id: str) -> bytes:
    if source == b"hang":
        while True:
            pass
    if source == b"crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if source == b"raise":
        raise ValueError(source)
    if source == b"eat":
        bytearray(1 << 40)
    return b"slice of " + source


def answers(sources: list[bytes], **options) -> dict[int, tuple[bytes | None, str]]:
    jobs = [Job(key, "python", source, "0" * 40) for key, source in enumerate(sources)]
    results = list(extract_many(jobs, task=task, **options))
    assert len(results) == len(jobs), "every job is answered once"
    return {result.key: (result.data, result.reason) for result in results}


@pytest.mark.parametrize("workers", [1, 3])
def test_every_job_is_answered_under_its_own_key(workers):
    sources = [b"x" * (n * 37 % 9000) + str(n).encode() for n in range(400)]
    assert answers(sources, workers=workers) == {n: (b"slice of " + s, "") for n, s in enumerate(sources)}


@pytest.mark.parametrize(
    ("bad", "reason"), [(b"crash", "crashed"), (b"raise", "crashed"), (b"eat", "crashed"), (b"hang", "timed-out")]
)
@pytest.mark.parametrize("position", [0, 70, 149])
def test_a_bad_file_costs_that_file_only(bad, reason, position):
    sources = [b"good"] * 150
    sources[position] = bad
    got = answers(sources, workers=2, time_limit=1.0)
    assert got.pop(position) == (None, reason)
    assert set(got.values()) == {(b"slice of good", "")}


@pytest.mark.parametrize("forks", [processes.FORKS, False])
def test_files_larger_than_a_pipe_come_back_whole_forked_or_started_anew(forks, monkeypatch):
    monkeypatch.setattr(processes, "FORKS", forks)
    monkeypatch.setattr(pool, "FORKS", forks)
    sources = [bytes([n]) * 3_000_000 for n in range(4)] + [b"crash", b""]
    got = answers(sources, workers=2)
    assert got.pop(4) == (None, "crashed")
    assert [got[n][0] for n in (0, 1, 2, 3, 5)] == [b"slice of " + sources[n] for n in (0, 1, 2, 3, 5)]


def test_many_bad_files_in_a_row_all_get_their_reason():
    assert set(answers([b"crash"] * 6, workers=2).values()) == {(None, "crashed")}


def test_a_slow_consumer_is_not_taken_for_a_slow_file():
    jobs = [Job(n, "python", b"x" * 30_000, "0" * 40) for n in range(60)]
    reasons = []
    for result in extract_many(jobs, workers=2, time_limit=1.0, task=task):
        reasons.append(result.reason)
        if len(reasons) in (1, 20):
            time.sleep(2)
    assert reasons == [""] * 60


def test_leaving_early_ends_the_workers():
    before = children()
    for result in extract_many((Job(n, "python", b"good", "0" * 40) for n in range(10_000)), workers=2, task=task):
        assert result.data == b"slice of good"
        break
    assert children() == before


def children() -> set[str]:
    """The children of this process that are alive."""
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
        return set(file.read().split())
