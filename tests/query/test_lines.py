"""Which lines of a text are not those of another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from git_graph.query.lines import differing

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"c", b""]), max_size=12).map(b"\n".join)


@given(TEXTS, TEXTS)
def test_lines_outside_of_the_ranges_are_those_of_the_other_in_order(old: bytes, new: bytes) -> None:
    ranges = differing(old, new)
    assert bool(ranges) == (old != new)
    inside = {line for first, last in ranges for line in range(first, last + 1)}
    kept = iter(old.split(b"\n"))
    for number, line in enumerate(new.split(b"\n"), 1):
        if number not in inside:
            assert line in kept  # consumes: in order
    assert all(first <= last for first, last in ranges)


def test_lines_taken_out_are_told_by_the_line_that_follows() -> None:
    assert differing(b"a\nb\nc\nd", b"a\nd") == ((2, 2),)
    assert differing(b"a\nb", b"a\nx\nb") == ((2, 2),)
