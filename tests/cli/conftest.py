"""Running the command in this process, as a user would from a directory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from git_graph.cli.main import run


class Done(NamedTuple):
    """What a run came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Graph = Callable[..., Done]


@pytest.fixture
def graph(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, request: pytest.FixtureRequest
) -> Graph:
    """`graph("callers", "f", cwd=...)`; by default from the root of the test's repository, if it has one."""
    home = request.getfixturevalue("repo").path if "repo" in request.fixturenames else tmp_path

    def call(*arguments: str, cwd: Path | None = None) -> Done:
        monkeypatch.chdir(cwd or home)
        capsys.readouterr()
        status = run(arguments)
        return Done(status, *capsys.readouterr())

    return call
