"""What a command has cost: told where that is asked, and noted in the local log (see upkeep.metrics)."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from git_graph import meter
from git_graph.errors import GraphError

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

LOG = "metrics.jsonl"
"""The log's name in the graph's directory; what came before is in the same name with `.1`."""
LOG_BYTES = 512 * 1024
"""A log that is larger takes the place of the one before it."""
_COUNTS = ("files", "bytes", "git", "parsed", "reused", "output")


def metrics(status: int) -> dict[str, Any]:
    """What the command has cost so far; times in milliseconds."""
    phases = {name: round(seconds * 1000, 1) for name, seconds in meter.phases().items()}
    counts = {name: meter.counts.get(name, 0) for name in _COUNTS}
    return {
        "command": meter.command,
        "status": status,
        "ms": round(meter.seconds() * 1000, 1),
        "processor_ms": round(meter.processor() * 1000, 1),
        "phases": phases,
        **counts,
        "tokens": -(-counts["output"] // 4),
    }


def is_wanted(repository: Repository) -> bool:
    """Whether what commands cost is noted in a repository."""
    try:
        return repository.settings.metrics
    except GraphError:
        return False


def note(directory: Path, found: dict[str, Any]) -> None:
    """Add a line to the log, unless it cannot be written: then it is lost, and nothing else."""
    line = str({"at": int(time.time()), **found}).replace("'", '"')  # words of ours and numbers: that is JSON
    file = directory / LOG
    try:
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(handle, f"{line}\n".encode("ascii"))  # in one piece, whoever else writes
            full = os.fstat(handle).st_size > LOG_BYTES
        finally:
            os.close(handle)
        if full:
            file.replace(file.with_name(f"{LOG}.1"))
    except (OSError, ValueError):
        pass


def told(found: dict[str, Any]) -> str:
    """What a command has cost, in two lines."""
    spent = sorted(found["phases"].items(), key=lambda item: -item[1])
    where = ", ".join(f"{name} {ms:.0f}" for name, ms in spent if ms >= 0.5)
    read = f"{found['files']:,} file{'' if found['files'] == 1 else 's'} ({found['bytes']:,} bytes)"
    return (
        f"{found['command']}: {found['ms']:.0f} ms ({where}), {found['processor_ms']:.0f} ms of processor\n"
        f"{found['git']} git processes, read {read}, parsed {found['parsed']:,}, reused {found['reused']:,};"
        f" printed {found['output']:,} bytes, about {found['tokens']:,} tokens\n"
    )
