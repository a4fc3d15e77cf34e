"""The one reading of a worktree: `git status`, taken apart into what each path is in HEAD and on disk.

`start` only launches git, so that a caller can import and read while git looks; `Reading.state` waits and parses.
Promises one entry a path, whatever number of records git gives, and that what lies on disk wins over the index. Refuses
to know what a path's content means: content ids are named only where git has already told them.
"""

from __future__ import annotations

from collections.abc import Mapping

from git_graph.errors import GitFailed
from git_graph.git import process
from git_graph.records import NamedTuple

REGULAR, EXECUTABLE, SYMLINK, GITLINK = 0o100644, 0o100755, 0o120000, 0o160000

STATUS = (
    "-c", "status.relativePaths=false", "status", "--porcelain=v2", "-z", "--branch",
    "--untracked-files=all", "--no-renames", "--no-ahead-behind", "--ignore-submodules=dirty",
)  # fmt: skip
"""`git status` as we ask it. Submodules are their own repositories: what is dirty inside them is none of this view."""

TRACKED, UNTRACKED, CONFLICTED = "tracked", "untracked", "conflicted"


class Stored(NamedTuple):
    """What a tree or the index holds under a path."""

    mode: int
    id: str


class Entry(NamedTuple):
    """A path that differs, or may differ, from HEAD.

    `head` is what HEAD holds there (None: nothing; always None for a conflict, where git does not say). `mode` is that
    of the file on disk: 0 if there is none, -1 if git did not say and the file has to be looked at. `id` is the id of
    the content on disk if git told it, else None.
    """

    path: bytes
    kind: str
    head: Stored | None
    mode: int
    id: str | None


class WorktreeState(NamedTuple):
    """What `git status` says: HEAD's commit (None before the first one), its branch (None if detached), the entries."""

    head: str | None
    branch: str | None
    entries: Mapping[bytes, Entry]


class Hidden(NamedTuple):
    """A path of the index that git does not compare with the disk. `skip`: skip-worktree, else assume-unchanged."""

    path: bytes
    skip: bool
    staged: Stored


class Reading(NamedTuple):
    """A `git status` on its way."""

    running: process.Running

    def state(self) -> WorktreeState:
        """Wait for git and take apart what it says. Raises GitFailed, with git's own words."""
        return parse(self.running.finish())


def start(directory: process.Argument | None = None, environment: process.Environment | None = None) -> Reading:
    """Launch `git status` in (any folder of) a worktree; returns at once."""
    return Reading(process.start(STATUS, directory, env=environment))


def parse(output: bytes) -> WorktreeState:
    """The state that one output of `git status` (see STATUS) describes. Raises GitFailed if it is no such output."""
    try:
        return _parse(output)
    except (ValueError, IndexError) as error:
        raise _not_understood("git status") from error


def _not_understood(command: str) -> GitFailed:
    return GitFailed(f"{command}: a record that is not understood", f"report this, with the output of {command}")


def _parse(output: bytes) -> WorktreeState:
    head = branch = None
    entries: dict[bytes, Entry] = {}
    for record in output.split(b"\0"):
        kind = record[:2]
        if kind == b"? ":
            path = record[2:]
            if not path.endswith(b"/"):  # else it is another repository's worktree
                _combine(entries, Entry(path, UNTRACKED, None, -1, None))
        elif kind == b"1 ":
            _combine(entries, _changed(record))
        elif kind == b"u ":
            _combine(entries, _unmerged(record))
        elif record.startswith(b"# branch.oid "):
            head = _unless(record[13:], b"(initial)")
        elif record.startswith(b"# branch.head "):
            branch = _unless(record[14:], b"(detached)")
        elif record and kind not in (b"# ", b"! "):
            raise _not_understood("git status")
    return WorktreeState(head, branch, entries)


def _unless(value: bytes, none: bytes) -> str | None:
    return None if value == none else value.decode("utf-8", "surrogateescape")


def _changed(record: bytes) -> Entry:
    """`1 XY sub mH mI mW hH hI path`."""
    _, xy, _, head_mode, index_mode, disk_mode, head_id, index_id, path = record.split(b" ", 8)
    mode, in_head = int(disk_mode, 8), int(head_mode, 8)
    known = xy[1:] == b"." and index_mode == disk_mode and mode != 0
    return Entry(
        path,
        TRACKED,
        Stored(in_head, head_id.decode()) if in_head else None,
        mode,
        index_id.decode() if known else None,
    )


def _unmerged(record: bytes) -> Entry:
    """`u XY sub m1 m2 m3 mW h1 h2 h3 path`."""
    fields = record.split(b" ", 10)
    return Entry(fields[10], CONFLICTED, None, int(fields[6], 8), None)


def _combine(entries: dict[bytes, Entry], new: Entry) -> None:
    """Take in a record of a path that may have one: the disk's word wins, HEAD's is kept."""
    old = entries.get(new.path)
    if old is None:
        entries[new.path] = new
        return
    tracked, untracked = (new, old) if old.kind == UNTRACKED else (old, new)
    entries[new.path] = tracked._replace(mode=untracked.mode, id=untracked.id)


LS_FILES = ("-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-v", "-s", "-z")
"""The setting keeps git from hiding skip-worktree where the file is on disk: it may not be there the next time."""
_HIDDEN = frozenset(b"abcdefghijklmnopqrstuvwxyzS")
"""What git puts before such a path; before all others it puts another capital letter."""


def start_hidden(top: process.Argument, environment: process.Environment | None = None) -> process.Running:
    """Launch the listing of the index that `hidden` takes apart; `top` is the top of the worktree."""
    return process.start(LS_FILES, top, env=environment)


def hidden(output: bytes) -> list[Hidden]:
    """The paths of the index that carry assume-unchanged or skip-worktree, in git's order. Raises GitFailed."""
    found = []
    for record in [record for record in output.split(b"\0") if record[:1] and record[0] in _HIDDEN]:
        facts, _, path = record.partition(b"\t")
        try:
            tag, mode, content, stage = facts.split(b" ")
            if stage == b"0":
                found.append(Hidden(path, tag in b"Ss", Stored(int(mode, 8), content.decode())))
        except ValueError as error:
            raise _not_understood("git ls-files") from error
    return found
