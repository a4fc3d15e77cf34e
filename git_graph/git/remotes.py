"""Other repositories, spoken to by git itself: which refs they have, sending one, taking objects in.

What is taken in lies in a quarantine, an object directory of its own beside the repository's, until whoever asked for
it is content; leaving the quarantine removes it. Nothing here touches a ref of this repository, its FETCH_HEAD, its
tags or its hooks. Knows nothing of what the objects mean.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import GitFailed, RefMoved, Refused, UnknownRemote
from git_graph.git import process
from git_graph.git.objects import process_variable
from git_graph.git.repository import Repository, write_error

if TYPE_CHECKING:
    from git_graph.git.process import Completed

INCOMING = "incoming-"
"""What the names of quarantines in `<common dir>/graph/` begin with."""
ALLOCATION = "512m"
"""No git that takes objects in asks for more memory at once; a delta that grows beyond it ends there."""

_REF = re.compile(r"([0-9a-f]{40})\t(refs/[^\0\n]+)")
_ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"


def chosen(repository: Repository, name: str | None, branch: str | None, *, push: bool) -> str:
    """The remote of that name (a URL will do for pushing), or the one that git would take for the branch.

    Raises:
        UnknownRemote: there is no such remote, or none at all.
    """
    known = os.fsdecode(repository.git("remote")).split("\n")[:-1]
    if name is None:
        name = next(_preferred(repository, branch, push), None) or (known[0] if len(known) == 1 else "origin")
    if name in known or (push and _is_place(name)):
        return name
    raise UnknownRemote(
        f"there is no remote '{name}'", f"there are: {', '.join(known)}" if known else "git remote add makes one"
    )


def refs_at(repository: Repository, remote: str, pattern: str) -> dict[str, str]:
    """Name -> id of the refs that a remote has under a pattern. Raises GitFailed, with what git said."""
    said = repository.git("ls-remote", "--refs", "--", remote, pattern)
    rows = map(_REF.fullmatch, said.decode("utf-8", "surrogateescape").split("\n"))
    return {row[2]: row[1] for row in rows if row is not None}


def send(repository: Repository, remote: str, ref: str, new: str | None, old: str | None) -> None:
    """Set a ref of a remote to `new` (None: delete it) if it is at `old` (None: does not exist).

    Raises:
        RefMoved: it is at something else by now.
        GitFailed: the remote cannot be reached or refuses it; the message carries what was said.
    """
    mirror = () if "=" in remote else ("-c", f"remote.{remote}.mirror=false")
    options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
    lease = f"--force-with-lease={ref}:{old or ''}"
    command = ("push", *options, lease, "--", remote, f"{new or ''}:{ref}")
    done = repository.attempt(*mirror, *command)
    if done.status:
        raise _not_sent(ref, command, done)


def receive(apart: Repository, remote: str, ids: Sequence[str], limit: int) -> None:
    """Take what these ids lead to into a quarantine; no file in it grows beyond `limit` bytes.

    Raises:
        Refused: it is larger, or what arrives is not sound.
        GitFailed: the remote cannot be reached, or does not give it.
    """
    settings = {
        "fetch.fsckObjects": "true", "fetch.negotiationAlgorithm": "noop", "fetch.unpackLimit": "1",
        "fetch.writeCommitGraph": "false", "core.bigFileThreshold": "32m", "gc.auto": "0", "maintenance.auto": "false",
    }  # fmt: skip
    given = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
    options = (
        "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--no-filter", "--no-prune",
        "--refmap=",
    )  # fmt: skip
    command = ("fetch", *options, "--", remote, *ids)
    done = apart.start(*given, *command, file_limit=limit).complete()
    if not done.status:
        return
    said = done.stderr.decode("utf-8", "replace")
    if any(file.stat().st_size >= limit for file in (apart.objects.directory / "pack").iterdir()):
        raise Refused(
            f"what '{remote}' sends is larger than {limit:,} bytes", "git config graph.maxFetchSize raises it"
        )
    if any(sign in said for sign in ("fsck error", "index-pack", "did not send all")):
        raise Refused(f"what '{remote}' sends is not sound: {_last(said)}")
    raise process.failure(command, done)


@contextmanager
def quarantine(repository: Repository) -> Iterator[Repository]:
    """The repository as it is, but whatever is written goes into a directory that is removed at the end."""
    import tempfile

    home = repository.make_graph_dir()
    _sweep(home)
    try:
        folder = Path(tempfile.mkdtemp(prefix=INCOMING, dir=home))
        (folder / "pack").mkdir()
    except OSError as error:
        raise write_error(error, str(home)) from error
    borrowed = process_variable(repository, _ALTERNATES)
    places = os.pathsep.join(filter(None, (_quoted(os.fspath(repository.objects.directory)), borrowed)))
    env = {
        **repository.env,
        "GIT_OBJECT_DIRECTORY": os.fspath(folder),
        _ALTERNATES: places,
        "GIT_ALLOC_LIMIT": ALLOCATION,
    }
    apart = Repository(repository.git_dir, repository.common_dir, repository.worktree, repository.bare, env)
    try:
        yield apart
    finally:
        apart.objects.close()
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(home: Path) -> None:
    """Remove quarantines that a killed process has left (a day is longer than any fetch takes)."""
    import time

    for folder in home.glob(f"{INCOMING}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > 24 * 3600:
                shutil.rmtree(folder, ignore_errors=True)


def _quoted(path: str) -> str:
    """A path as one of the alternates, which stand in a list."""
    if os.pathsep not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _preferred(repository: Repository, branch: str | None, push: bool) -> Iterator[str]:
    """The remotes that are configured for a branch, by rank."""
    keys = [f"branch.{branch}.pushRemote", "remote.pushDefault"] if push else []
    for key in [*keys, f"branch.{branch}.remote"]:
        said = os.fsdecode(repository.attempt("config", "--get", key).stdout).removesuffix("\n")
        if said and said != ".":
            yield said


def _is_place(name: str) -> bool:
    return not name.startswith("-") and (":" in name or "/" in name or Path(name).is_dir())


def _not_sent(ref: str, command: Sequence[str], done: Completed) -> GitFailed | RefMoved:
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        mark, _, rest = line.partition("\t")
        if mark == "!":
            _, _, why = rest.partition("\t")
            if "stale info" in why:
                return RefMoved(f"the remote's {ref} was moved by another machine", "run the command again")
            said = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.startswith("remote: ")]
            told = f": {said[0].removeprefix('remote: ').strip()}" if said else ""
            return GitFailed(f"the remote does not take {ref}: {why}{told}", "ask who runs it to allow refs/graph/*")
    return process.failure(command, done)


def _last(said: str) -> str:
    """The line that says most: git's own `error:`, else the last one."""
    lines = [line for line in said.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("error:")), lines[-1]).removeprefix("error: ")
