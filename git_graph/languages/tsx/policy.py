"""TypeScript's policy."""

from git_graph.languages.typescript.policy import POLICY

__all__ = ["POLICY"]
