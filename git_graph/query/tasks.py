"""Task contracts: what a team writes into `.gitgraph/tasks/NAME.toml`, read and checked.

A task names the files that it is about (`paths`, globs), and what has to be read for it (`required`) or is worth
reading (`optional`). An entry with `content` is a pin: lines of a file as they were in that content. Without it, it is
whatever the file, or the symbol, is now. A contract holds no text, only where text is. It may come from a stranger:
everything unknown, too large, or outside of the worktree is an error. Knows nothing of views.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from git_graph.errors import InvalidTask
from git_graph.query.filters import path_filter
from git_graph.records import NamedTuple

FOLDER = ".gitgraph/tasks"
SUFFIX = ".toml"
MAX_BYTES, MAX_ENTRIES, MAX_LINE = 256 * 1024, 256, 10_000_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ID = re.compile(r"[0-9a-f]{40}")


class Entry(NamedTuple):
    """One thing to read: `lines` (first, last) of `path`, all of it (None), or `symbol`.

    `content` is the blob id that the lines are of; empty: whatever is there now. A pin's `symbol` says what they were.
    """

    path: str = ""
    lines: tuple[int, int] | None = None
    content: str = ""
    symbol: str = ""
    note: str = ""


class Task(NamedTuple):
    """A contract."""

    name: str
    description: str = ""
    paths: tuple[str, ...] = ()
    required: tuple[Entry, ...] = ()
    optional: tuple[Entry, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether the task is about a file."""
        return bool(self.paths) and path_filter(self.paths)(path)


def file_of(name: str) -> str:
    """The path of a task's file. Raises InvalidTask: no task can be called that."""
    if not _NAME.fullmatch(name):
        hint = "letters, digits, '.', '_' and '-' make a name, at most 64"
        raise InvalidTask(f"'{name}' is no name of a task", hint)
    return f"{FOLDER}/{name}{SUFFIX}"


def name_of(path: str) -> str | None:
    """The task whose file a path is; None if it is none."""
    folder, _, base = path.rpartition("/")
    name = base.removesuffix(SUFFIX)
    return name if folder == FOLDER and name != base and _NAME.fullmatch(name) else None


def parse(name: str, data: bytes) -> Task:
    """The contract in the bytes of a task's file. Raises InvalidTask."""
    import tomllib

    if len(data) > MAX_BYTES:
        raise _wrong(name, f"it has {len(data)} bytes, more than {MAX_BYTES}")
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(name, f"it is not TOML: {error}") from error
    _only(name, document, ("description", "paths", "required", "optional"), "the file")
    paths = document.get("paths", [])
    if not isinstance(paths, list) or not all(isinstance(path, str) and path for path in paths):
        raise _wrong(name, "paths is a list of strings")
    return Task(
        name,
        _text(name, document, "description", "the file"),
        tuple(paths),
        _entries(name, document, "required"),
        _entries(name, document, "optional"),
    )


def safe_path(path: str) -> bool:
    """Whether a path leads to a file of the worktree and nowhere else, on any system."""
    parts = path.split("/")
    plain = all(part not in ("", ".", "..") and part.lower() != ".git" for part in parts)
    return plain and not any(c in path for c in "\\\0") and not re.match(r"[A-Za-z]:", path)


def _entries(name: str, document: Mapping[str, Any], key: str) -> tuple[Entry, ...]:
    tables = document.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise _wrong(name, f"{key} is a list of tables: write [[{key}]]")
    if len(tables) > MAX_ENTRIES:
        raise _wrong(name, f"there are more than {MAX_ENTRIES} [[{key}]]")
    return tuple(_entry(name, table, f"[[{key}]] number {number}") for number, table in enumerate(tables, 1))


def _entry(name: str, table: Mapping[str, Any], where: str) -> Entry:
    _only(name, table, Entry._fields, where)
    path, content, symbol, note = (_text(name, table, key, where) for key in ("path", "content", "symbol", "note"))
    if not path and not symbol:
        raise _wrong(name, f"{where} needs a path or a symbol")
    if path and not safe_path(path):
        raise _wrong(name, f"{where} names '{path}', which is no path inside of the worktree")
    if content and not (path and _ID.fullmatch(content)):
        raise _wrong(name, f"{where}: content is the blob id (40 digits) of a file that path names")
    lines = table.get("lines")
    if lines is None:
        return Entry(path, None, content, symbol, note)
    if not content:
        raise _wrong(name, f"{where}: lines are those of a content, which is not given")
    if not isinstance(lines, list) or len(lines) != 2 or not all(type(line) is int for line in lines):
        raise _wrong(name, f"{where}: lines are two numbers, the first and the last")
    first, last = lines
    if not 1 <= first <= last <= MAX_LINE:
        raise _wrong(name, f"{where}: there are no lines from {first} to {last}")
    return Entry(path, (first, last), content, symbol, note)


def _text(name: str, table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise _wrong(name, f"{key} in {where} is a string")
    return value


def _only(name: str, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise _wrong(name, f"{where} has '{key}', which is none of {', '.join(known)}")


def _wrong(name: str, what: str) -> InvalidTask:
    return InvalidTask(f"{FOLDER}/{name}{SUFFIX}: {what}", "see docs/tasks.md")
