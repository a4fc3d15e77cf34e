"""How tests look at what sync has come to; a conftest takes the fixtures in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.sync import status, sync
from git_graph.sync.answering import answering


class Graph:
    """The graph of a worktree, each question asked as a process of its own would ask it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def repository(self) -> Repository:
        """The repository, discovered anew."""
        return Repository.discover(self.path)

    def sync(self, **options: Any) -> Any:
        """Bring the view to the tree."""
        return sync(self.repository, **options)

    def status(self) -> Any:
        """How the view stands to the tree."""
        return status(self.repository)

    def ask(self, **options: Any) -> Any:
        """The view, to be asked."""
        return answering(self.repository, **options)

    def paths(self, **options: Any) -> list[str]:
        """The paths that have a slice, after a sync."""
        return list(self.ask(**options).view.paths())

    def defines(self, name: str, **options: Any) -> list[str]:
        """The paths that define a name, after a sync."""
        return list(self.ask(**options).view.defining(name))

    def stored(self, view: str | None = None) -> dict[str, str]:
        """Path -> slice id, as it is published."""
        repository = self.repository
        found = views.require(repository, view or repository.view)
        return {
            path.decode("utf-8", "surrogateescape"): id for path, id in manifest.walk(repository, found.snapshot.files)
        }

    def basis(self, view: str | None = None) -> Any:
        """The basis, as it is published."""
        repository = self.repository
        return views.require(repository, view or repository.view).basis


@pytest.fixture
def graph_of() -> Callable[[Any], Graph]:
    """The graph of a repository made by the fixtures, or of one of its worktrees."""
    return lambda repo: Graph(repo.path)


@pytest.fixture
def graph(repo: Any) -> Graph:
    """The graph of `repo`."""
    return Graph(repo.path)
