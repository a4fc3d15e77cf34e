"""Sizes as people read them."""

from __future__ import annotations


def size(number: int) -> str:
    """A number of bytes, to three digits or so."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6)):
        if number >= scale / 10:
            return f"{number / scale:,.1f} {unit}"
    return f"{number / 1e3:,.1f} KB"
