"""Keeping a fleet of worktrees in order: what can go, what is wrong, and who shares what. Prints nothing."""
