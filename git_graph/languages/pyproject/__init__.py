"""pyproject.toml and setup.cfg."""
