"""Decoded slices, kept while they are in use, within bounds. Knows nothing of views."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from git_graph.model import Slice

MAX_BYTES = 16 * 1024 * 1024
"""How many encoded bytes the slices kept decoded may have been (decoded they take some ten times as much)."""


class SliceCache:
    """The slices decoded last, by id."""

    def __init__(self, decode: Callable[[bytes], Slice], max_bytes: int = MAX_BYTES) -> None:
        self._decode = decode
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, tuple[Slice, int]] = OrderedDict()

    def get(self, slice_id: str) -> Slice | None:
        """The slice if it is kept."""
        found = self._kept.get(slice_id)
        if found is None:
            return None
        self._kept.move_to_end(slice_id)
        return found[0]

    def decode(self, slice_id: str, data: bytes) -> Slice:
        """Decode a slice and keep it; those used least lately make room. Errors are the decoder's."""
        slice_ = self._decode(data)
        if (before := self._kept.pop(slice_id, None)) is not None:
            self._bytes -= before[1]
        self._kept[slice_id] = slice_, len(data)
        self._bytes += len(data)
        while self._bytes > self._max_bytes and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return slice_
