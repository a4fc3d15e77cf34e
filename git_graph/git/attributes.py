"""What `.gitattributes` say about paths: which are left out of a graph, and which language one is in.

git itself is asked (`git check-attr`), and only when some source of attributes names one that matters: `mentions` says
so from a source's bytes. `Checkout` asks about the files as they lie in a worktree, with every source that git knows;
`Snapshot` about a commit, with that commit's own `.gitattributes` alone, the same on every machine. Knows nothing of
what languages there are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntFlag
from pathlib import Path
from typing import Protocol

from git_graph.git import process
from git_graph.records import NamedTuple

FILE = b".gitattributes"
VIEW = ("graph", "linguist-vendored", "linguist-generated", "linguist-language")
"""Attributes that decide what is in a view."""
CONVERSION = ("filter", "working-tree-encoding", "ident", "text", "crlf", "eol")
"""Attributes that make git's bytes differ from those on disk."""


class Mentions(IntFlag):
    """Which kinds of attributes a source names."""

    NONE = 0
    VIEW = 1
    LINE_ENDINGS = 2
    FILTERS = 4
    MACROS = 8
    """It defines macros: lines elsewhere may mean more than they say."""


_MENTIONS = {
    Mentions.VIEW: rb"(?m)(?:^|[\s!-])(?:graph|linguist-(?:vendored|generated|language))(?=[\s=]|$)",
    Mentions.LINE_ENDINGS: rb"(?m)(?:^|[\s!-])(?:text|crlf|eol)(?=[\s=]|$)",
    Mentions.FILTERS: rb"(?m)(?:^|[\s!-])(?:filter|working-tree-encoding|ident)(?=[\s=]|$)",
    Mentions.MACROS: rb"(?m)^\s*\[attr\]",
}
"""Patterns; `re` compiles them when a first source is looked at, and keeps them."""


class Ruling(NamedTuple):
    """What attributes decide for a path: whether it is left out, and the `linguist-language` said of it, if any."""

    left_out: bool
    language: str | None


SILENT = Ruling(False, None)


def mentions(source: bytes) -> Mentions:
    """The kinds of attributes that a source names anywhere, in comments and macros too."""
    found = Mentions.NONE
    for kind, pattern in _MENTIONS.items():
        if re.search(pattern, source):
            found |= kind
    return found


def outside_sources(common_dir: str, configured: str | None) -> list[Path]:
    """The sources of attributes outside the tree, whether they exist or not; `configured` is `core.attributesFile`."""
    if configured:
        user = Path(os.path.expanduser(configured))  # noqa: PTH111 (an unknown user is no error here)
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
        user = Path(base, "git", "attributes")
    system = [] if os.environ.get("GIT_ATTR_NOSYSTEM") else [Path("/etc/gitattributes")]
    return [*system, user, Path(common_dir, "info", "attributes")]


def ruling(values: Mapping[str, str]) -> Ruling:
    """The ruling that values of the VIEW attributes make."""
    if values["graph"] in ("unset", "false"):
        return Ruling(True, None)
    if any(values[name] in ("set", "true") for name in ("linguist-vendored", "linguist-generated")):
        return Ruling(True, None)
    language = values["linguist-language"]
    return Ruling(False, None if language in ("unspecified", "set", "unset", "") else language)


class Attributes(Protocol):
    """Whoever can be asked for attributes."""

    def values(self, paths: Sequence[bytes], names: Sequence[str]) -> dict[bytes, dict[str, str]]:
        """For each path, each attribute's value as git prints it: set, unset, unspecified, or what it is set to."""
        ...


class Checkout:
    """Attributes of the files in a worktree, from every source that git knows."""

    def __init__(self, top: process.Argument, env: process.Environment | None = None) -> None:
        self._top = top
        self._env = env

    def values(self, paths: Sequence[bytes], names: Sequence[str]) -> dict[bytes, dict[str, str]]:
        """See Attributes. Raises GitFailed."""
        return _check(["check-attr", "-z", "--stdin", *names], self._top, paths, names, self._env)


class Snapshot:
    """Attributes of a commit's files from the `.gitattributes` in it (path, blob id) and nothing else."""

    def __init__(self, objects: process.Argument, sources: Iterable[tuple[bytes, str]]) -> None:
        self._objects = os.fspath(objects)
        self._sources = tuple(sources)

    def values(self, paths: Sequence[bytes], names: Sequence[str]) -> dict[bytes, dict[str, str]]:
        """See Attributes. Raises GitFailed."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="git-graph-") as folder:
            env = self._alone(Path(folder))
            lines = b"".join(b"100644 %s 0\t%s\0" % (name.encode(), path) for path, name in self._sources)
            process.run(["update-index", "-z", "--index-info"], folder, stdin=lines, env=env)
            return _check(["check-attr", "-z", "--cached", "--stdin", *names], folder, paths, names, env)

    def _alone(self, folder: Path) -> process.Environment:
        """The environment of a repository in `folder` that borrows the objects and no settings of any kind."""
        git_dir = folder / "git"
        for name in ("objects", "refs"):
            (git_dir / name).mkdir(parents=True)
        (git_dir / "HEAD").write_text("ref: refs/heads/none\n")
        (git_dir / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
        return {
            **process.foreign_environment(),
            "GIT_DIR": str(git_dir),
            "GIT_WORK_TREE": str(folder),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fsdecode(self._objects),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }


def _check(
    args: Sequence[str],
    cwd: process.Argument,
    paths: Sequence[bytes],
    names: Sequence[str],
    env: process.Environment | None,
) -> dict[bytes, dict[str, str]]:
    if not paths:
        return {}
    output = process.run(args, cwd, stdin=b"".join(path + b"\0" for path in paths), env=env)
    said = output.decode("utf-8", "replace").split("\0")[2::3]
    step = len(names)
    return {path: dict(zip(names, said[at * step : at * step + step], strict=True)) for at, path in enumerate(paths)}
