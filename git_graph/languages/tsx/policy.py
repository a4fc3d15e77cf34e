"""The policy of the JavaScript family."""

from git_graph.languages.javascript.policy import POLICY

__all__ = ["POLICY"]
