"""Our block in a hook script: finding it, putting it in, taking it out again byte for byte. Pure.

Knows nothing of files, of git and of what the block does.
"""

from __future__ import annotations

BEGIN, END = b"# >>> git-graph >>>", b"# <<< git-graph <<<"
_JOINED = BEGIN + b" (the line before it had no end)"
"""How a block begins that stands after a last line without an end: that line gets its own state back."""

NEW_FILE = b"#!/bin/sh\n# Made by git graph hooks install. Other commands may be added below.\n"
"""What a hook of ours holds beside the block; a file that holds nothing else is removed with the block."""

SHELLS = frozenset((b"sh", b"bash", b"dash", b"ash", b"ksh", b"mksh", b"zsh", b"busybox"))


def is_shell(content: bytes) -> bool:
    """Whether git runs this content as a script of a POSIX shell (without a `#!` line git asks `sh`)."""
    if not content.startswith(b"#!"):
        return b"\0" not in content and not content.startswith(b"\x7fELF")
    words = content[2:].split(b"\n", 1)[0].replace(b"\\", b"/").split()
    if words and words[0].rpartition(b"/")[2] == b"env":
        words = [word for word in words[1:] if not word.startswith(b"-") and b"=" not in word]
    return bool(words) and words[0].rpartition(b"/")[2].removesuffix(b".exe") in SHELLS


def find(content: bytes) -> bytes | None:
    """The block in a hook as it stands there, None if there is none (or no end to it)."""
    span = _span(content)
    return None if span is None else content[span[0] : span[1]].lstrip(b"\n").replace(_JOINED, BEGIN, 1)


def is_broken(content: bytes) -> bool:
    """Whether there is a begin of a block without an end, so that nobody can say what is ours."""
    return _span(content) is None and _line(content, BEGIN, 0) is not None


def insert(content: bytes, block: bytes) -> bytes:
    """The hook with `block` (whole lines) after its `#!` line, in place of one that it has already."""
    content = remove(content)
    if not content.startswith(b"#!"):
        return block + content
    end = content.find(b"\n") + 1
    if not end:
        return content + b"\n" + block.replace(BEGIN, _JOINED, 1)
    return content[:end] + block + content[end:]


def remove(content: bytes) -> bytes:
    """The hook without any block of ours."""
    while (span := _span(content)) is not None:
        content = content[: span[0]] + content[span[1] :]
    return content


def _span(content: bytes) -> tuple[int, int] | None:
    start = _line(content, BEGIN, 0)
    if start is None:
        return None
    end = _line(content, END, start)
    if end is None:
        return None
    after = content.find(b"\n", end) + 1 or len(content)
    return start - content.startswith(_JOINED, start), after


def _line(content: bytes, beginning: bytes, start: int) -> int | None:
    """Where the first line from `start` on begins that begins so."""
    if start == 0 and content.startswith(beginning):
        return 0
    found = content.find(b"\n" + beginning, max(start - 1, 0))
    return None if found < 0 else found + 1
