"""What commands say of their cost, and what is kept of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from git_graph.cli import metering
from git_graph.upkeep.metrics import summary

NUMBERS = {"status", "ms", "processor_ms", "git", "files", "bytes", "parsed", "reused", "output", "tokens"}


def run(cwd: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own, as users run it."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "git_graph", *arguments],
        cwd=cwd, capture_output=True, text=True, env={**os.environ, **env},
    )  # fmt: skip


def cost(cwd: Path, *arguments: str, **env: str) -> dict[str, Any]:
    """What a command with --json says that it has cost."""
    done = run(cwd, *arguments, "--json", "--metrics", **env)
    found: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])["metrics"]
    assert found["output"] == len(done.stdout.encode())
    assert found["tokens"] == -(-found["output"] // 4)
    return found


def log(repo: Any) -> list[dict[str, Any]]:
    file = repo.path / ".git" / "graph" / metering.LOG
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


# one command


def test_a_cost_says_what_was_parsed_read_reused_and_printed(committed):
    first = cost(committed.path, "sync")
    assert (first["command"], first["status"], first["parsed"], first["reused"]) == ("sync", 0, 2, 0)
    committed.write("a.py", "def changed():\n    return 1\n")
    edited = cost(committed.path, "sync")
    assert (edited["parsed"], edited["files"], edited["bytes"]) == (1, 1, 28)
    again = cost(committed.path, "callers", "g")
    assert (again["parsed"], again["files"], again["bytes"]) == (0, 0, 0)
    committed.write("copy.py", "def changed():\n    return 1\n")
    copied = cost(committed.path, "sync")
    assert (copied["parsed"], copied["reused"]) == (0, 1)


def test_phases_add_up_to_the_whole(committed):
    found = cost(committed.path, "callers", "g")
    assert abs(sum(found["phases"].values()) - found["ms"]) < 5
    assert {"starting", "observing", "planning", "extracting", "storing", "bringing", "resolving", "rendering"} <= set(
        found["phases"]
    )
    assert all(ms >= 0 for ms in found["phases"].values())


def test_processes_of_git_are_counted_right(committed, tmp_path):
    git = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    calls = tmp_path / "calls"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho x >> "{calls}"\nexec "{git}" "$@"\n')
    wrapper.chmod(0o755)
    for arguments in (["sync"], ["callers", "g"], ["find", "f"], ["diff"]):
        calls.write_text("")
        found = cost(committed.path, *arguments, PATH=f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
        assert found["git"] == len(calls.read_text().split()), arguments


def test_a_cost_is_told_below_the_answer_and_the_answer_is_the_same(committed):
    plain, measured = run(committed.path, "callers", "g"), run(committed.path, "--metrics", "callers", "g")
    assert (measured.stdout, measured.returncode) == (plain.stdout, plain.returncode)
    told = measured.stderr.removeprefix(plain.stderr).splitlines()
    assert told[0].startswith("callers: ")
    assert "git processes, read 0 files (0 bytes), parsed 0" in told[1]
    assert "--metrics" not in run(committed.path, "callers", "g").stderr


# the log


def test_every_command_is_noted_with_numbers_and_nothing_of_what_was_asked(committed):
    run(committed.path, "callers", "secret_name")
    run(committed.path, "find", "g", "--path", "d")
    run(committed.path, "callers", "f", "--view", "private")
    lines = log(committed)
    assert [(line["command"], line["status"]) for line in lines] == [("callers", 1), ("find", 0), ("callers", 128)]
    for line in lines:
        assert line.keys() == NUMBERS | {"at", "command", "phases"}
        assert all(isinstance(line[key], (int, float)) for key in NUMBERS)
    text = (committed.path / ".git" / "graph" / metering.LOG).read_text()
    assert "secret" not in text
    assert "private" not in text


def test_one_setting_switches_it_off(committed):
    committed.git("config", "graph.metrics", "no")
    run(committed.path, "callers", "f")
    assert log(committed) == []
    assert run(committed.path, "metrics").stderr == "graph.metrics is off\n"
    assert cost(committed.path, "callers", "f")["command"] == "callers"


def test_many_commands_at_once_lose_and_tear_no_line(committed):
    run(committed.path, "sync")
    before = len(log(committed))
    running = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "git_graph", "callers", "f"], cwd=committed.path,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for _ in range(8)
    ]  # fmt: skip
    assert [child.wait() for child in running] == [0] * 8
    assert len(log(committed)) == before + 8


def test_the_log_is_bounded(committed, monkeypatch):
    monkeypatch.setattr(metering, "LOG_BYTES", 2_000)
    directory = committed.path / ".git" / "graph"
    directory.mkdir()
    for number in range(100):
        metering.note(directory, {**metering.metrics(0), "ms": number})
    sizes = [file.stat().st_size for file in directory.glob("metrics*")]
    assert len(sizes) <= 2
    assert sum(sizes) < 5_000
    last = summary([directory / f"{metering.LOG}.1", directory / metering.LOG])
    assert 2 < last.runs < 100
    assert last.unreadable == 0


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no permissions here")
def test_an_answer_comes_whatever_is_wrong_with_the_log(committed):
    right = run(committed.path, "callers", "f").stdout
    file = committed.path / ".git" / "graph" / metering.LOG
    file.unlink()
    file.mkdir()
    done = run(committed.path, "callers", "f")
    assert (done.returncode, done.stdout) == (0, right)
    assert "raceback" not in done.stderr
    assert run(committed.path, "metrics").returncode == 0
    file.rmdir()
    file.symlink_to("/dev/full")  # no room on the disk
    done = run(committed.path, "callers", "f")
    assert (done.returncode, done.stdout) == (0, right)


def test_outside_of_a_repository_nothing_is_noted(tmp_path):
    done = run(tmp_path, "callers", "f", "--metrics")
    assert done.returncode == 128
    assert list(tmp_path.iterdir()) == []


# summing up


def test_a_summary_has_a_row_for_each_command(committed):
    for arguments in (
        ["sync"],
        ["callers", "f"],
        ["callers", "g"],
        ["callers", "nothing"],
        ["callers", "f", "--view", "x"],
    ):
        run(committed.path, *arguments)
    document = json.loads(run(committed.path, "metrics", "--json").stdout)
    rows = {row["command"]: row for row in document["rows"]}
    assert (rows["callers"]["runs"], rows["callers"]["failed"], rows["sync"]["parsed"]) == (4, 1, 2)
    assert document["runs"] == 5
    assert rows["callers"]["slow_ms"] >= rows["callers"]["ms"] > 0
    lines = run(committed.path, "metrics").stdout.splitlines()
    assert lines[0].startswith("6 commands since ")  # the summary before is one
    assert lines[1].split()[:3] == ["command", "runs", "failed"]


def test_lines_that_nobody_understands_are_counted_and_left_out(committed):
    run(committed.path, "sync")
    file = committed.path / ".git" / "graph" / metering.LOG
    with file.open("ab") as handle:
        handle.write(b'\xff\xfe\n{"at": 1}\n[]\n{"command": 3}\nnot json\n' + b"[" * 100_000 + b"\n")
    done = run(committed.path, "metrics")
    assert done.returncode == 0
    assert done.stdout.startswith("1 commands since ")
    assert done.stderr == "6 lines of the log cannot be understood\n"


def test_what_was_noted_can_be_forgotten(committed):
    run(committed.path, "callers", "f")
    done = run(committed.path, "metrics", "--clear")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "nothing is noted\n")
    assert [line["command"] for line in log(committed)] == ["metrics"]
