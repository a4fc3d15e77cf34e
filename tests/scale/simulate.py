"""Repositories as large as those that git-graph is for: many files by `git fast-import`, fleets of worktrees."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.corpus import git, many_files, module


def repository(work: Path, files: int) -> Path:
    """A repository of so many Python files, each unlike the others."""
    return many_files(work, files)


def fleet(root: Path, count: int) -> list[Path]:
    """So many linked worktrees of a repository, each on a branch of its own, their indexes fresh."""
    places = []
    for number in range(count):
        place = root.parent / "fleet" / f"agent{number}"
        git(root, "worktree", "add", "-q", "-b", f"agent{number}", str(place))
        git(place, "status", "--porcelain")
        places.append(place)
    return places


def edit(place: Path, number: int, files: int, name: str) -> Path:
    """An edit that only this worktree has, of so many files: a function of its own in one; the file."""
    chosen = number * 37 % files
    file = place / f"pkg{chosen // 10_000}/sub{chosen // 100 % 100}/mod{chosen}.py"
    file.write_bytes(file.read_bytes() + b"\ndef %s():\n    return 1\n" % name.encode())
    return file


def size(directory: Path) -> int:
    """Bytes of all files below a directory."""
    return sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())


__all__ = ["edit", "fleet", "module", "repository", "size"]
