"""Small repositories and the right answers about them: the runner.

`written({...})` commits files; `ask` puts questions to the command, in this process, and checks what every answer must
have. A place is `path:line`; sites are places of references that are attributed, not merely possible.
"""

from __future__ import annotations

import contextlib
import io
import json
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from git_graph.cli.main import run
from git_graph.model import ATTRIBUTED
from git_graph.query.envelope import SCHEMA

Written = Callable[[dict[str, str]], Any]


class Ask:
    """Asks from one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def at(self, directory: Path) -> Ask:
        """The same from another directory."""
        return Ask(directory)

    def answer(self, *arguments: str, status: int | None = 0) -> dict[str, Any]:
        """The whole answer."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.directory), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            found = run([*arguments, "--json"])
        assert status is None or found == status, f"{arguments} exited {found}: {err.getvalue()}"
        answer: dict[str, Any] = json.loads(out.getvalue())
        assert answer["schema"] == SCHEMA
        return answer

    def error(self, *arguments: str) -> str:
        """The code of the error that a question ends in."""
        code: str = self.answer(*arguments, status=None)["error"]["code"]
        return code

    def sites(self, *arguments: str) -> list[str]:
        """The attributed sites, sorted."""
        results = self.answer(*arguments)["results"]
        sites = [site for result in results for site in result.get("sites", [result])]
        return sorted(f"{site['path']}:{site['line']}" for site in sites if site["resolution"] in ATTRIBUTED)

    def names(self, *arguments: str, status: int = 0) -> list[str]:
        """The names of the symbols in the answer, sorted."""
        results = self.answer(*arguments, status=status)["results"]
        return sorted(result.get("symbol", result)["name"] for result in results)

    def found(self, name: str) -> bool:
        """Whether a name is defined."""
        answer = self.answer("definitions", name, status=None)
        return bool(answer["total"])

    def freshness(self) -> str:
        """What `status` says of the view."""
        freshness: str = self.answer("status")["freshness"]
        return freshness


@pytest.fixture
def written(repo: Any) -> Written:
    """Commits files, their common indentation and the line end at their beginning taken away."""

    def write(files: dict[str, str]) -> Any:
        for path, text in files.items():
            repo.write(path, textwrap.dedent(text).lstrip("\n"))
        repo.commit("files")
        return repo

    return write


@pytest.fixture
def ask(repo: Any) -> Iterator[Ask]:
    """Questions from the root of the repository."""
    yield Ask(repo.path)
