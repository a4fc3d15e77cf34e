"""What is measured: Django's source archive in a new repository, and a synthetic one of many small files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

DJANGO = "5.2.8"
CACHE = Path(os.environ.get("BENCH_CACHE", Path(__file__).parents[2] / ".bench"))

ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTHON"))},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_NAME": "Bench" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "bench@example.org" for who in ("AUTHOR", "COMMITTER")},
}


def git(where: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    """Run git, sealed from the user's configuration."""
    done = subprocess.run(
        ["git", *arguments], cwd=where, env=ENVIRONMENT, input=stdin, stdout=subprocess.PIPE, check=True
    )
    return done.stdout


def django(work: Path) -> Path:
    """A new repository with Django's source archive as its one commit."""
    archive = CACHE / f"django-{DJANGO}.tar.gz"
    if not archive.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
             f"Django=={DJANGO}", "--dest", str(CACHE)],
            check=True,
        )  # fmt: skip
    with tarfile.open(archive) as tar:
        tar.extractall(work, filter="data")
    return commit_all((work / f"django-{DJANGO}").rename(work / "django"))


def commit_all(root: Path) -> Path:
    """Make a repository of a folder, packed, its index fresh."""
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "gc.auto", "0")  # nothing in the background while we measure
    git(root, "config", "graph.resolveAhead", "0")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    git(root, "gc", "-q")
    git(root, "status", "--porcelain")
    return root


def many_files(work: Path, count: int) -> Path:
    """A repository of `count` Python files of about 1 KB in folders of 100, written by `git fast-import`."""
    root = work / "many"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "gc.auto", "0")
    lines = [b"commit refs/heads/main\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 3\nall\n"]
    for number in range(count):
        source = module(number)
        path = f"pkg{number // 10_000}/sub{number // 100 % 100}/mod{number}.py".encode()
        lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path, len(source), source))
    git(root, "fast-import", "--quiet", stdin=b"".join(lines))
    git(root, "reset", "-q", "--hard")
    git(root, "status", "--porcelain")
    return root


def module(number: int) -> bytes:
    """A small module that defines and calls a few things."""
    body = "\n".join(
        f"    def method_{number}_{n}(self, value):\n        return helper_{number}(value) + self.field_{n}\n"
        for n in range(6)
    )
    fields = "\n".join(f"        self.field_{n} = {n}" for n in range(6))
    return (
        f"import os\nfrom pkg0 import mod{number // 2}\n\n\n"
        f"def helper_{number}(value):\n    return os.path.join(str(value))\n\n\n"
        f"class Class_{number}:\n    def __init__(self):\n{fields}\n\n{body}\n"
    ).encode()


def fresh(parent: Path, name: str) -> Path:
    """An empty folder."""
    folder = parent / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
