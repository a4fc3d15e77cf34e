from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_samples import Forest

from git_graph.engines.memory import MemoryEngine
from git_graph.engines.protocol import Engine
from git_graph.engines.sqlite import SqliteEngine


@pytest.fixture(params=["memory", "sqlite"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """Each of the engines in turn."""
    made: Engine = MemoryEngine() if request.param == "memory" else SqliteEngine(tmp_path / "graph")
    yield made
    made.close()


@pytest.fixture
def forest() -> Forest:
    return Forest()
