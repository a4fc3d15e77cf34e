"""Derived stores that answer questions about a view by name and by path; see `protocol` for what they promise."""

from git_graph.engines.protocol import Corrupt

__all__ = ["Corrupt"]
