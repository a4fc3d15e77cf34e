"""Go's project files: comments as in Go; there is nothing to resolve in them."""

from __future__ import annotations

from git_graph.languages.policy import Policy
from git_graph.languages.written import DOUBLE, SINGLE, SLASHES, Written


class GoModPolicy(Policy):
    """How they are written."""

    written = Written(comment=SLASHES, string=f"{DOUBLE}|{SINGLE}|`[^`]*`?")


POLICY = GoModPolicy()
