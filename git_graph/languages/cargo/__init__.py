"""Cargo.toml."""
