"""Commits that touched a path, newest first, streamed; what a commit changed; where a text came or went.

Merges are compared with their first parent. Renames are not followed here: whoever does asks again with another path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.git.process import Running
    from git_graph.git.repository import Repository

_REGULAR = (b"100644", b"100755")
_FORMAT = "--format=%x01%H %P%x00%cI%x00%ct%x00%an%x00%s"
_HOW = ("--diff-merges=first-parent", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff")


class Touched(NamedTuple):
    """A path that a commit changed: blob ids before and after, None where there is no regular file."""

    path: str
    old: str | None
    new: str | None


class Commit(NamedTuple):
    """A commit and what it changed (of the paths asked about); the committer's date, ISO 8601 and in seconds."""

    id: str
    parents: tuple[str, ...]
    date: str
    time: int
    author: str
    subject: str
    touched: tuple[Touched, ...] = ()


def touching(repository: Repository, start: str, path: str, *, first_parent: bool = False) -> Iterator[Commit]:
    """The commits from `start` on that changed a path, newest first; side branches are simplified as git does."""
    way = ("--first-parent",) if first_parent else ()
    literal = f":(top,literal){path}".encode("utf-8", "surrogateescape")
    running = repository.start("log", _FORMAT, *_HOW, *way, "--end-of-options", start, "--", literal)
    done = False
    try:
        yield from _commits(running)
        done = True
    finally:
        if done:
            running.finish()
        else:
            running.stop()


def changed(repository: Repository, commit: Commit) -> tuple[Touched, ...]:
    """Everything that a commit changed against its first parent."""
    against = commit.parents[:1]
    tree = ("diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff")
    ask = (*tree, *against, commit.id) if against else (*tree, "--root", "--no-commit-id", commit.id)
    return _touched(repository.git(*ask))


def mentioning(repository: Repository, start: str, word: str, limit: int) -> Iterator[Commit]:
    """The newest commits in which a word occurs more or less often than before, with all that they changed."""
    escaped = "".join(f"[{c}]" if c in "\\^.[$()|*+?{" and c != "^" else c for c in word)
    pattern = f"(^|[^[:alnum:]_]){escaped}([^[:alnum:]_]|$)"
    pickaxe = ("--pickaxe-all", "--pickaxe-regex", f"-S{pattern}")
    running = repository.start("log", _FORMAT, *_HOW, f"-n{limit}", *pickaxe, "--end-of-options", start)
    try:
        yield from _commits(running)
    finally:
        running.stop()


def seconds(repository: Repository, option: str, date: str) -> int | None:
    """A date as git understands it (`2 weeks ago`), in seconds since 1970; `option` is `since` or `until`."""
    said = repository.git("rev-parse", f"--{option}={date}").decode("ascii", "replace").strip()
    digits = said.rpartition("=")[2]
    return int(digits) if digits.isdigit() else None


def _commits(running: Running) -> Iterator[Commit]:
    pending = b""
    while chunk := running.stdout.read1(1 << 16):  # type: ignore[attr-defined]
        pending += chunk
        *whole, pending = pending.split(b"\x01")
        for record in whole:
            if record:
                yield _commit(record)
    if pending:
        yield _commit(pending)


def _commit(record: bytes) -> Commit:
    head, date, time, author, rest = record.split(b"\0", 4)
    subject, _, raw = rest.partition(b"\0")
    id, *parents = head.decode("ascii").split()
    return Commit(id, tuple(parents), date.decode(), int(time), _text(author), _text(subject), _touched(raw))


def _touched(raw: bytes) -> tuple[Touched, ...]:
    fields = raw.lstrip(b"\n").split(b"\0")
    found = []
    for at in range(0, len(fields) - 1, 2):
        words = fields[at].lstrip(b"\n:").split(b" ")
        if len(words) < 5:
            break
        old = words[2].decode() if words[0] in _REGULAR else None
        new = words[3].decode() if words[1] in _REGULAR else None
        found.append(Touched(_text(fields[at + 1]), old, new))
    return tuple(found)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
