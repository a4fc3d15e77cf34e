"""What a manifest is a picture of, as canonical JSON: same values, same bytes, on every machine.

Keys sorted, no blanks, ASCII only; paths are str with surrogate escapes (a byte 0xE9 that is not UTF-8 is "\\udce9" in
the JSON), lists of paths are sorted by their bytes. Knows nothing of git objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

FORMAT = 1


class OverlayEntry(NamedTuple):
    """A path that differs from `head`.

    status: `A`, `M` or `D` against head; `mode` (git's, 0 for a delete) and `content` (blob id, None for a delete) are
    those of the file as it is in the view.
    """

    status: str
    mode: int
    path: str
    content: str | None


class Skipped(NamedTuple):
    """A path left without a slice, and why; `attempts` counts how often it was tried (for backoff)."""

    path: str
    reason: str
    content: str | None = None
    attempts: int = 1
    tried_at: int = 0


@dataclass(frozen=True, slots=True)
class Basis:
    """See DESIGN section 2. A published manifest leaves overlay, worktree, sequence, epoch and observed_at out."""

    tool: str
    rules: Mapping[str, tuple[int, str]]
    """language -> (rules version, fingerprint), for the languages present."""
    head: str | None = None
    branch: str | None = None
    overlay: tuple[OverlayEntry, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    policy: str = ""
    sparse: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    """`files`, and one count for each language."""
    sequence: int | None = None
    epoch: str | None = None
    worktree: str | None = None
    observed_at: int | None = None
    """Seconds since 1970."""
    format: int = FORMAT

    def encode(self) -> bytes:
        """The canonical bytes."""
        raise NotImplementedError

    @classmethod
    def decode(cls, data: bytes) -> Basis:
        """The basis that `data` encodes. Raises NewerFormat, CorruptObject."""
        raise NotImplementedError

    def same_picture(self, other: Basis) -> bool:
        """Whether both are equal, `observed_at`, `sequence` and `epoch` aside."""
        raise NotImplementedError
