"""Real repositories, sealed from whoever runs the tests.

Every test gets an empty HOME, no system or global git configuration, none of the GIT_* variables of the caller (a
hook may be running us), and fixed identities and dates; subprocesses inherit all of it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

SEARCHING = float(os.environ.get("FUZZ_MINUTES", "0"))
"""Minutes that `make fuzz` gives; whatever else runs tests tries the same examples each time."""

settings.register_profile("steady", derandomize=not SEARCHING, deadline=None)
settings.load_profile("steady")

DATE = "1700000000 +0000"


class Repo:
    """A repository to play with: `git` runs git in it, `write` and `commit` change it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def git(self, *args: str | bytes | Path, input: bytes | None = None, check: bool = True) -> str:
        """What git printed, without the last line end (bytes that are not UTF-8 surrogate-escaped)."""
        return os.fsdecode(self.raw(*args, input=input, check=check)).removesuffix("\n")

    def raw(self, *args: str | bytes | Path, input: bytes | None = None, check: bool = True) -> bytes:
        """What git printed, as it is."""
        done = subprocess.run(["git", *args], cwd=self.path, input=input, capture_output=True, check=False)
        if check and done.returncode:
            raise AssertionError(f"git {args} failed: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def said(self, *args: str | bytes | Path) -> str:
        """Everything that git printed, standard error included, whether it failed or not."""
        done = subprocess.run(
            ["git", *args], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )  # fmt: skip
        return os.fsdecode(done.stdout)

    def write(self, path: str | bytes, content: str | bytes) -> Path:
        """Write a file, its directories made; `path` may be bytes."""
        target = self.path / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
        return target

    def remove(self, path: str | bytes) -> None:
        """Delete a file."""
        (self.path / os.fsdecode(path)).unlink()

    def commit(self, message: str = "change", *, add: bool = True) -> str:
        """Commit everything there is (or what is staged, with `add=False`); the id of the commit."""
        if add:
            self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head()

    def head(self) -> str:
        """The id of HEAD's commit."""
        return self.git("rev-parse", "HEAD")

    def worktree(self, path: Path, *args: str) -> Repo:
        """A linked worktree at `path`: `git worktree add ARGS path`."""
        self.git("worktree", "add", "-q", *args, path)
        return Repo(path)

    def fsck(self) -> str:
        """Everything that a strict check says, standard error included; empty if nothing is wrong or dangling."""
        unborn = ("notice: HEAD points to an unborn branch", "notice: No default references")
        lines = self.said("fsck", "--strict", "--full", "--no-dangling", "--no-progress").splitlines()
        return "\n".join(line for line in lines if not line.startswith(unborn))


@pytest.fixture(autouse=True)
def sealed(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seal this process and its children from the user's git; the empty HOME."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    settings = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A. Author",
        "GIT_AUTHOR_EMAIL": "author@example.org",
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_NAME": "C. Committer",
        "GIT_COMMITTER_EMAIL": "committer@example.org",
        "GIT_COMMITTER_DATE": DATE,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CEILING_DIRECTORIES": str(tmp_path_factory.getbasetemp()),
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture
def make_repo(tmp_path: Path, sealed: Path) -> Callable[..., Repo]:
    """A function that makes one more repository: `make_repo("name", "--bare")`."""

    def make(name: str = "repo", *args: str) -> Repo:
        path = tmp_path / name
        subprocess.run(["git", "init", "-q", "-b", "main", *args, path], check=True)
        return Repo(path)

    return make


@pytest.fixture
def repo(make_repo: Callable[..., Repo]) -> Repo:
    """An empty repository on branch `main`."""
    return make_repo()


@pytest.fixture
def committed(repo: Repo) -> Repo:
    """A repository with one commit: function `f` in a.py and `g` in d/b.py."""
    repo.write("a.py", "def f():\n    return 1\n")
    repo.write("d/b.py", "def g():\n    return 1\n")
    repo.commit()
    return repo
