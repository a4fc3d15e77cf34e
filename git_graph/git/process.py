"""Running git, and nothing but git.

Every git we run speaks English (so that we can read why it failed) without losing the caller's character set (filters
may depend on it), takes no optional locks, ignores replacement objects (libgit2 does too) and has no terminal on its
standard input. What git exported to us (`git --git-dir ... graph`, `git -c graph.x=y graph`, hooks) is honoured;
whoever enters another repository passes `foreign_environment()`. Knows nothing of what the output means.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from git_graph import meter
from git_graph.errors import GitFailed
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    import subprocess

Argument = str | bytes | os.PathLike[str]
Environment = Mapping[str, str | None]
"""Variables to set on top of the inherited ones; None removes one."""


class Completed(NamedTuple):
    """What a git command came to."""

    status: int
    stdout: bytes
    stderr: bytes


def run(
    args: Sequence[Argument], cwd: Argument | None = None, *, stdin: bytes | None = None, env: Environment | None = None
) -> bytes:
    """What `git ARGS` printed.

    Raises:
        GitFailed: it failed; the message carries what git said.
    """
    return start(args, cwd, stdin=stdin is not None, env=env).finish(stdin)


def attempt(
    args: Sequence[Argument], cwd: Argument | None = None, *, stdin: bytes | None = None, env: Environment | None = None
) -> Completed:
    """The status and outputs of `git ARGS`, whatever they are."""
    return start(args, cwd, stdin=stdin is not None, env=env).complete(stdin)


def start(
    args: Sequence[Argument],
    cwd: Argument | None = None,
    *,
    stdin: bool = False,
    env: Environment | None = None,
    file_limit: int | None = None,
) -> Running:
    """Start `git ARGS` and return at once; with `stdin` it has a pipe to write to.

    `file_limit`: neither it nor what it starts writes a file of more bytes (where the system can limit it).

    Raises:
        GitFailed: there is no git, or no such directory.
    """
    import subprocess

    meter.count("git")
    try:
        with _limited(file_limit):
            process = subprocess.Popen(
                ["git", *args],
                cwd=cwd,
                env=environment(env),
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
    except FileNotFoundError as error:
        if cwd is not None and not Path(os.fsdecode(cwd)).is_dir():
            raise GitFailed(f"no such directory: {os.fsdecode(cwd)}") from error
        raise GitFailed("git was not found", "install git and put it on PATH") from error
    except NotADirectoryError as error:
        raise GitFailed(f"not a directory: {os.fsdecode(cwd or '')}") from error
    return Running(args, process)


@contextmanager
def _limited(file_limit: int | None) -> Iterator[None]:
    """What is started meanwhile writes no file of more bytes; a limit that is there already stays if it is lower."""
    if file_limit is None or os.name != "posix":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    limits = [limit for limit in (soft, file_limit) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class Running:
    """A git command under way: finish it, or talk to it by `stdin` and `stdout` and then `stop` it."""

    def __init__(self, args: Sequence[Argument], process: subprocess.Popen[bytes]) -> None:
        self._args = args
        self._process = process

    @property
    def stdin(self) -> IO[bytes]:
        """The pipe to its standard input."""
        assert self._process.stdin is not None, "started without a standard input"
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """The pipe from its standard output."""
        assert self._process.stdout is not None
        return self._process.stdout

    def complete(self, stdin: bytes | None = None) -> Completed:
        """Give it `stdin`, wait, and return what it came to."""
        stdout, stderr = self._process.communicate(stdin)
        return Completed(self._process.returncode, stdout, stderr)

    def finish(self, stdin: bytes | None = None) -> bytes:
        """Give it `stdin`, wait, and return what it printed.

        Raises:
            GitFailed: it failed.
        """
        done = self.complete(stdin)
        if done.status:
            raise failure(self._args, done)
        return done.stdout

    def stop(self) -> None:
        """End it now, whatever it was doing."""
        self._process.kill()
        self._process.communicate()


def failure(args: Sequence[Argument], done: Completed) -> GitFailed:
    """The error for a git command that failed."""
    words = [os.fsdecode(arg) for arg in args]
    while len(words) > 2 and words[0] == "-c":
        del words[:2]
    said = done.stderr.decode("utf-8", "replace").strip() or f"exit status {done.status}"
    return GitFailed(f"git {words[0]} failed: {said.removeprefix('fatal: ')}")


def environment(extra: Environment | None = None) -> dict[str, str]:
    """The environment for a git that we run, `extra` applied to it."""
    result = dict(os.environ)
    if (everything := result.pop("LC_ALL", None)) is not None:
        result["LC_CTYPE"] = everything
    result.pop("LANGUAGE", None)
    result |= {"LC_MESSAGES": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
    for name, value in (extra or {}).items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


@functools.cache
def local_variables() -> tuple[str, ...]:
    """The variables by which git binds a process to one repository (`git rev-parse --local-env-vars`)."""
    return tuple(os.fsdecode(run(["rev-parse", "--local-env-vars"])).split())


def foreign_environment() -> dict[str, str | None]:
    """What to pass as `env` when a git enters another repository than the one we were called in."""
    return dict.fromkeys(local_variables())
