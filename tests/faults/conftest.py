"""A repository to be hurt, and what has to be true of it afterwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from graphs import Graph, graph, graph_of

__all__ = ["graph", "graph_of"]

FILES = {
    "a.py": "from d.b import g\n\n\ndef f():\n    return g()\n",
    "d/b.py": "def g():\n    return 1\n",
    "d/e/c.js": "export function c() { return 1 }\n",
    "notes.txt": "no language\n",
}


class Hurt:
    """A repository with things of the user's in it: an index with staged changes, a stash, a branch, ignored files."""

    def __init__(self, repo: Any, graph: Graph) -> None:
        self.repo, self.graph = repo, graph
        for path, content in FILES.items():
            repo.write(path, content)
        repo.write(".gitignore", "ignored/\n")
        repo.commit()
        repo.git("branch", "other")
        repo.write("a.py", FILES["a.py"] + "\n\ndef stashed():\n    pass\n")
        repo.git("stash", "-q")
        repo.write("ignored/x.py", "def ignored():\n    pass\n")
        repo.write("staged.py", "def staged():\n    pass\n")
        repo.git("add", "staged.py")

    def users(self) -> dict[str, Any]:
        """Everything that is the user's: refs, HEAD, the index, and every file."""
        refs = [line for line in self.repo.git("for-each-ref").splitlines() if "refs/graph/" not in line]
        files = {
            str(file.relative_to(self.repo.path)): file.read_bytes()
            for file in sorted(self.repo.path.rglob("*"))
            if file.is_file() and ".git" not in file.relative_to(self.repo.path).parts
        }
        return {
            "refs": refs,
            "head": (self.repo.path / ".git" / "HEAD").read_text(),
            "index": self.repo.git("ls-files", "-s"),
            "files": files,
            "config": (self.repo.path / ".git" / "config").read_text(),
        }

    def change(self) -> None:
        """Edits that an incremental sync has to take in."""
        self.repo.write("a.py", "def changed():\n    return 1\n")
        self.repo.write("d/new.py", "def new():\n    return 1\n")
        self.repo.remove("d/e/c.js")

    def run(self, code: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Python code in a process of its own, in the repository."""
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, cwd=self.repo.path, capture_output=True, text=True, check=False, **options)

    def check(self, before: dict[str, Any]) -> None:
        """After any fault: fsck clean, nothing of the user's touched, the next sync equal to a clean rebuild."""
        assert self.repo.fsck() == ""
        assert self.users() == before, "something of the user's was touched"
        self.graph.sync()
        again = self.graph.sync()
        assert not again.published, "it must have come to rest"
        stored = self.graph.stored()
        names = {name: self.graph.defines(name) for name in ("f", "g", "changed", "new", "staged")}
        rebuilt = self.rebuilt()
        assert stored == rebuilt.stored()
        assert names == {name: rebuilt.defines(name) for name in names}
        assert self.repo.fsck() == ""
        assert self.repo.said("gc", "-q", "--prune=now") == ""

    def rebuilt(self) -> Graph:
        """The graph, made anew from nothing."""
        for ref in self.repo.git("for-each-ref", "--format=%(refname)", "refs/graph/").split():
            self.repo.git("update-ref", "-d", ref)
        shutil.rmtree(self.graph.repository.graph_dir)
        self.repo.git("prune", "--expire=now")
        self.graph.sync()
        return self.graph


@pytest.fixture
def hurt(repo: Any, graph: Graph) -> Hurt:
    """A repository to be hurt; not indexed yet."""
    return Hurt(repo, graph)


@pytest.fixture
def code() -> Path:
    """Where the code under test lies."""
    return Path(__file__).parents[2]
