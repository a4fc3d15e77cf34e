"""Which lines of a text are not those of another. Knows nothing of what is written in them."""

from __future__ import annotations

Ranges = tuple[tuple[int, int], ...]
"""First and last line (1-based) of each range, in order."""
MANY = 4000
"""Texts that differ in more lines than this in a row are not aligned: all of that stretch differs."""


def differing(old: bytes, new: bytes) -> Ranges:
    """The lines of `new` that are not in `old`; where lines were only taken out, the line that follows."""
    one, other = old.split(b"\n"), new.split(b"\n")
    first = _equal(one, other)
    last = _equal(one[first:][::-1], other[first:][::-1])
    before, after = one[first : len(one) - last], other[first : len(other) - last]
    if not before and not after:
        return ()
    if len(before) + len(after) > MANY or not before or not after:
        return ((first + 1, max(first + 1, first + len(after))),)
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        (first + start + 1, max(first + start + 1, first + end))
        for word, _, _, start, end in matcher.get_opcodes()
        if word != "equal"
    )


def _equal(one: list[bytes], other: list[bytes]) -> int:
    """How many lines are equal at the beginning."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
