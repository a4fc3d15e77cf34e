"""Installs the hook scripts, removes them, and tells how they stand."""
