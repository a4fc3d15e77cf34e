"""package.json."""
