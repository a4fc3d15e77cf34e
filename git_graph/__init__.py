"""git-graph: a code graph of every worktree, kept inside the repository itself."""

__version__ = "0.1.0"
