"""Whether what is stored of references is what is found of them now."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.resolve.recording import Recorder
from git_graph.resolve.records import encode
from git_graph.resolve.stored import stored

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView


def differing(view: GraphView, sample: int = 0) -> Iterator[str]:
    """The paths of which something else is stored than is found now, of at most `sample` (0: all) that are stored."""
    known = stored(view)
    held = [path for path in view.paths() if known.holds(path)]
    chosen = sorted(random.sample(held, sample)) if sample and len(held) > sample else held
    recorder = Recorder(view)
    for path in chosen:
        kept = known.held(path)
        if kept is not None and kept.data != encode(recorder.file(path)):
            yield path
