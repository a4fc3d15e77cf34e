"""What a manifest is a picture of, as canonical JSON: same values, same bytes, on every machine.

Keys sorted, no blanks, ASCII only; paths are str with surrogate escapes (a byte 0xE9 that is not UTF-8 reads
`\\udce9` in the JSON), lists of paths are sorted by their bytes. Fields that are None or empty lists are left out,
`head` and `branch` aside (null before the first commit, and when detached), so a published manifest has no trace of the
worktree that it was made in. Knows nothing of git objects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from git_graph.errors import CorruptObject, NewerFormat
from git_graph.records import NamedTuple

FORMAT = 1
MAX_BYTES = 256 * 1024 * 1024
"""No basis comes near this (an overlay of a million paths); anything above is refused unread."""

_ALWAYS = ("head", "branch")
_ID = re.compile(r"[0-9a-f]{40}")


class OverlayEntry(NamedTuple):
    """A path that differs from `head`.

    `status` is `A`, `M` or `D` against head; `mode` (git's, 0 for a delete) and `content` (blob id, None for a delete)
    are those of the file as it is in the view.
    """

    status: str
    mode: int
    path: str
    content: str | None


class Skipped(NamedTuple):
    """A path left without a slice, and why.

    `content` is what was tried (blob id), `attempts` how often, `tried_at` when last (seconds since 1970): later syncs
    try again with backoff.
    """

    path: str
    reason: str
    content: str | None = None
    attempts: int = 1
    tried_at: int = 0


class Basis(NamedTuple):
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
    counts: Mapping[str, int] = MappingProxyType({})
    """`files`, and one count for each language."""
    sequence: int | None = None
    epoch: str | None = None
    worktree: str | None = None
    observed_at: int | None = None
    """Seconds since 1970."""
    format: int = FORMAT

    def encode(self) -> bytes:
        """The canonical bytes."""
        document: dict[str, Any] = {
            "format": self.format,
            "tool": self.tool,
            "rules": {language: list(rule) for language, rule in self.rules.items()},
            "head": self.head,
            "branch": self.branch,
            "overlay": [list(entry) for entry in sorted(self.overlay, key=_by_path)],
            "skipped": [list(entry) for entry in sorted(self.skipped, key=_by_path)],
            "policy": self.policy,
            "sparse": self.sparse,
            "counts": dict(self.counts),
            "sequence": self.sequence,
            "epoch": self.epoch,
            "worktree": self.worktree,
            "observed_at": self.observed_at,
        }
        present = {key: value for key, value in document.items() if key in _ALWAYS or value not in (None, [])}
        return json.dumps(present, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    @classmethod
    def decode(cls, data: bytes) -> Basis:
        """The basis that `data` encodes.

        Raises:
            NewerFormat: the format is above ours.
            CorruptObject: anything else that a basis cannot be.
        """
        try:
            document = json.loads(data)
            newest = document["format"]
            if type(newest) is int and newest > FORMAT:
                raise NewerFormat(f"manifest has format {newest}, this git-graph reads {FORMAT}", "upgrade git-graph")
            document["rules"] = {language: (rule[0], rule[1]) for language, rule in document["rules"].items()}
            document["overlay"] = tuple([OverlayEntry(*entry) for entry in document.get("overlay", ())])
            document["skipped"] = tuple([Skipped(*entry) for entry in document.get("skipped", ())])
            basis = cls(**document)
            basis._check()
        except (NewerFormat, CorruptObject):
            raise
        except Exception as error:  # JSON of any shape ends in any of the kinds that Python raises for wrong types
            raise CorruptObject(f"basis of a manifest cannot be read: {type(error).__name__}") from error
        return basis

    def same_picture(self, other: Basis) -> bool:
        """Whether both are equal, `observed_at` and `sequence` aside."""
        return self.normal() == other.normal()

    def normal(self) -> bytes:
        """The canonical bytes without `observed_at` and `sequence`."""
        return self._replace(observed_at=None, sequence=None).encode()

    def published(self) -> Basis:
        """This basis as a published manifest has it: nothing of the worktree it was made in."""
        return self._replace(branch=None, overlay=(), worktree=None, sequence=None, epoch=None, observed_at=None)

    def _check(self) -> None:
        """Refuse what the types above do not say; JSON knows more."""
        texts = (self.tool, self.policy, self.sparse)
        maybe_texts = (self.head, self.branch, self.epoch, self.worktree)
        numbers = (self.format, *(n for n in (self.sequence, self.observed_at) if n is not None), *self.counts.values())
        sound = (
            all(type(text) is str for text in texts)
            and all(text is None or type(text) is str for text in maybe_texts)
            and all(type(number) is int and number >= 0 for number in numbers)
            and (self.head is None or bool(_ID.fullmatch(self.head)))
            and all(type(version) is int and type(print_) is str for version, print_ in self.rules.values())
            and all(map(_sound_entry, self.overlay))
            and all(map(_sound_skip, self.skipped))
        )
        if not sound:
            raise CorruptObject("basis of a manifest has a value of the wrong type")


def _by_path(entry: OverlayEntry | Skipped) -> bytes:
    return entry.path.encode("utf-8", "surrogateescape")


def _sound_id(id: Any) -> bool:
    return id is None or (type(id) is str and bool(_ID.fullmatch(id)))


def _sound_entry(entry: OverlayEntry) -> bool:
    kinds = type(entry.status), type(entry.mode), type(entry.path)
    return kinds == (str, int, str) and _sound_id(entry.content) and (entry.content is None) == (entry.status == "D")


def _sound_skip(entry: Skipped) -> bool:
    kinds = type(entry.path), type(entry.reason), type(entry.attempts), type(entry.tried_at)
    return kinds == (str, str, int, int) and _sound_id(entry.content)
