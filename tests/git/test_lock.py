from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from git_graph.errors import Locked, NotWritable
from git_graph.git.lock import FileLock

HOLD = """
import sys; from pathlib import Path; from git_graph.git.lock import FileLock
with FileLock(Path(sys.argv[1]), 5):
    print('held', flush=True)
    sys.stdin.read()
"""


def holder(path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )  # fmt: skip
    assert process.stdout.readline() == b"held\n"
    return process


def test_one_holder_at_a_time_and_the_error_names_it(tmp_path):
    path = tmp_path / "lock"
    process = holder(path)
    assert not FileLock(path, 0).acquire()
    with pytest.raises(Locked, match=rf"process {process.pid}.* to do things"), FileLock(path, 0.05, "do things"):
        pass
    process.communicate()
    with FileLock(path, 0):
        assert not FileLock(path, 0).acquire()
    assert FileLock(path, 0).acquire()


def test_the_dead_hold_no_lock(tmp_path):
    process = holder(tmp_path / "lock")
    process.kill()
    process.wait()
    with FileLock(tmp_path / "lock", 1):
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_does_not_keep_the_lock(tmp_path):
    lock = FileLock(tmp_path / "lock", 0)
    assert lock.acquire()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    os.close(reader)
    lock.release()
    with FileLock(tmp_path / "lock", 0):
        pass
    os.close(writer)
    os.waitpid(child, 0)


def test_a_lock_that_cannot_be_made_is_an_error(tmp_path):
    with pytest.raises(NotWritable):
        FileLock(tmp_path / "nowhere" / "lock", 0).acquire()


def test_a_lock_that_goes_from_hand_to_hand_is_waited_for(tmp_path):
    """The time to wait is for one holder that keeps it, not for a queue that moves."""
    code = (
        "import sys, time; from pathlib import Path; from git_graph.git.lock import FileLock\n"
        "for _ in range(5):\n"
        "    with FileLock(Path(sys.argv[1]), 60): time.sleep(0.3)\n"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "lock")]) for _ in range(3)]
    until = time.monotonic() + 30
    while not (tmp_path / "lock").exists() and time.monotonic() < until:
        time.sleep(0.01)
    with FileLock(tmp_path / "lock", 1.5):
        pass
    assert [other.wait() for other in others] == [0, 0, 0]
