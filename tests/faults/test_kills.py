"""Killed by SIGKILL at every seam, at every step that reaches the system, and at random times."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

import pytest

SEAMS = [
    "git_graph.sync.context:Context.observe",
    "git_graph.sync.decide:Decider.decide",
    "git_graph.sync.apply:Builder.compute",
    "git_graph.store.views:publish",
    "git_graph.store.transaction:Transaction.publish",
    "git_graph.store.transaction:Transaction._write",
    "git_graph.store.transaction:Transaction._pack",
    "git_graph.store.journal:Journal.note",
    "git_graph.store.journal:Journal.note_pack",
    "git_graph.git.loose:LooseStore.write",
    "git_graph.git.packs:PackStore.write",
    "git_graph.git.refs:Refs.update",
    "git_graph.store.transaction:Transaction._release",
    "git_graph.sync.apply:Builder.published",
    "git_graph.sync.context:Context.remember",
    "git_graph.sync.cache:Cache.save",
    "git_graph.engines.sqlite:SqliteEngine.bring",
    "git_graph.engines.sqlite_writer:take_in",
    "git_graph.engines.sqlite_writer:Bringing._place",
    "git_graph.engines.sqlite_writer:Bringing._settle",
]
"""The functions at which one phase of a sync hands over to the next."""

AT_SEAM = """
import importlib, os, signal, sys
where, when, many = sys.argv[1:]
module, _, path = where.partition(":")
owner = importlib.import_module(module)
*outer, name = path.split(".")
for part in outer:
    owner = getattr(owner, part)
real = getattr(owner, name)
def fatal(*args, **options):
    if when == "after":
        real(*args, **options)
    open("../reached", "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, fatal)
if many == "packed":
    from git_graph.store import transaction
    transaction.PACK_FROM = 1
from git_graph.git.repository import Repository
from git_graph.sync import sync
sync(Repository.discover())
"""


@pytest.mark.parametrize("seam", SEAMS[1::3])
def test_killed_at_any_seam_nothing_is_lost(hurt, seam):
    """A third of the seams, in a first index and in an incremental sync; below, all of them in every way."""
    reached = hurt.repo.path.parent / "reached"
    hits = 0
    for state, when, many in (("first", "before", "packed"), ("incremental", "after", "loose")):
        if state == "incremental":
            hurt.graph.sync()
            hurt.change()
        before = hurt.users()
        done = hurt.run(AT_SEAM, seam, when, many)
        hit = reached.exists()
        hits += hit
        assert done.returncode == (-signal.SIGKILL if hit else 0), done.stderr
        reached.unlink(missing_ok=True)
        hurt.check(before)
    assert hits, "the seam is not on the way of any sync"


@pytest.mark.slow
@pytest.mark.parametrize("seam", SEAMS)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("many", ["loose", "packed"])
@pytest.mark.parametrize("state", ["first", "incremental"])
def test_killed_at_any_seam_in_any_state_nothing_is_lost(hurt, seam, when, many, state):
    if state == "incremental":
        hurt.graph.sync()
        hurt.change()
    before = hurt.users()
    done = hurt.run(AT_SEAM, seam, when, many)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    hurt.check(before)


AT_STEP = """
import os, signal, sys
from git_graph.git.repository import Repository
import pygit2
from git_graph.sync import sync, apply, decide, opening
from git_graph.engines import sqlite, sqlite_writer
from git_graph.store import transaction
count, us = 0, os.getpid()
def stop(event, args):
    global count
    if event in ("open", "os.rename", "os.link", "subprocess.Popen", "os.mkdir", "os.remove", "sqlite3.connect"):
        count += 1
        if count == int(sys.argv[1]) and os.getpid() == us:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(stop)
sync(Repository.discover())
print(count)
"""


def sweep(hurt, every):
    before = hurt.users()
    step = every
    while (done := hurt.run(AT_STEP, str(step))).returncode != 0:
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert hurt.repo.fsck() == ""
        step += every
    assert step > every, "it was never killed"
    hurt.check(before)


def test_a_first_index_killed_again_and_again_comes_to_its_end(hurt):
    sweep(hurt, 60)


@pytest.mark.slow
def test_a_first_index_killed_at_every_step_comes_to_its_end(hurt):
    sweep(hurt, 1)


@pytest.mark.slow
def test_an_incremental_sync_killed_at_every_step_comes_to_its_end(hurt):
    hurt.graph.sync()
    hurt.change()
    sweep(hurt, 1)


def killed_at_random(hurt, times, seed):
    """Start a sync and kill it after a moment, so often; edits in between."""
    chance = random.Random(seed)
    command = [sys.executable, "-m", "git_graph", "sync"]
    started = time.monotonic()
    subprocess.run(command, cwd=hurt.repo.path, check=True, capture_output=True)
    whole = time.monotonic() - started
    for number in range(times):
        hurt.repo.write("a.py", f"def changed():\n    return {number}\n")
        for at in range(chance.choice([1, 3, 120])):
            hurt.repo.write(f"d/n{at}.py", f"def n{at}():\n    return {number}\n")
        running = subprocess.Popen(
            command, cwd=hurt.repo.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(chance.random() * whole * 1.2)
        running.kill()
        running.wait()
        assert hurt.repo.fsck() == ""
    hurt.check(hurt.users())


def test_killed_at_random_times_nothing_is_lost(hurt):
    killed_at_random(hurt, 4, 11)


@pytest.mark.slow
def test_killed_at_a_hundred_random_times_nothing_is_lost(hurt):
    killed_at_random(hurt, 100, 12)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_ended_by_another_signal_nothing_is_lost(hurt, number):
    before = hurt.users()
    running = subprocess.Popen(
        [sys.executable, "-m", "git_graph", "sync"],
        cwd=hurt.repo.path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    time.sleep(0.25)
    running.send_signal(number)
    assert b"Traceback" not in running.communicate()[1]
    hurt.check(before)
