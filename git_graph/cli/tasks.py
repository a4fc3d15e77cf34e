"""What the commands about task contracts share: the tasks of a view, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.query.tasks import FOLDER, MAX_BYTES, Task, file_of, name_of, parse

if TYPE_CHECKING:
    from git_graph.sync.changes import Contents


def names(contents: Contents) -> list[str]:
    """The names of the tasks there are."""
    return [name for path in contents.folder(FOLDER) if (name := name_of(path)) is not None]


def load(contents: Contents, name: str) -> Task | None:
    """The task of a name; None if there is none. Raises InvalidTask."""
    data = contents.load(file_of(name))
    return None if data is None else parse(name, data[: MAX_BYTES + 1])


def every(contents: Contents) -> list[Task]:
    """All tasks, by name. Raises InvalidTask at the first that is none."""
    return [task for name in names(contents) if (task := load(contents, name)) is not None]
