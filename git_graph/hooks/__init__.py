"""Hooks that have the graph brought up to date in the background: installing, removing and looking at them.

They are best effort: a query reconciles anyway. See `hooks/` for what they do.
"""

from git_graph.hooks.installation import NAMES, Hook, Report, install, status, uninstall

__all__ = ["NAMES", "Hook", "Report", "install", "status", "uninstall"]
