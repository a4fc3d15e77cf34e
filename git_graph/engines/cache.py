"""Decoded slices, kept while they are in use, within bounds. Knows nothing of views and of where slices come from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from git_graph.model import Slice

MAX_BYTES = 16 * 1024 * 1024
"""How many encoded bytes the slices kept decoded may have been (decoded they take some ten times as much)."""


class SliceCache:
    """The slices used last, by id."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[Slice, int]] = OrderedDict()

    def get(self, slice_id: Hashable) -> Slice | None:
        """The slice if it is kept."""
        found = self._kept.get(slice_id)
        if found is None:
            return None
        self._kept.move_to_end(slice_id)
        return found[0]

    def put(self, slice_id: Hashable, slice_: Slice, size: int) -> Slice:
        """Keep a slice whose encoded form has `size` bytes, and return it; those used least lately make room."""
        if (before := self._kept.pop(slice_id, None)) is not None:
            self._bytes -= before[1]
        self._kept[slice_id] = slice_, size
        self._bytes += size
        while self._bytes > self._max_bytes and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return slice_
