"""Extracting again what slices were made of: to compare with them, and to make anew those that are lost.

Contents come from the repository, or from a worktree's file while that still has those very bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_graph.errors import GraphError
from git_graph.extract.pool import Job, extract_many
from git_graph.git.loose import object_id
from git_graph.git.repository import LINKED_PREFIX, MAIN_VIEW
from git_graph.store.keymap import Key
from git_graph.upkeep.survey import Held

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

Progress = Callable[[int, int], None]


class Contents:
    """The bytes of contents that snapshots speak of."""

    def __init__(self, repository: Repository, held: Iterable[Held]) -> None:
        self._repository = repository
        self._roots = {w.view: w.path for w in repository.worktrees() if w.path is not None and not w.gone}
        self._files: dict[str, list[Path]] = {}
        for item in held:
            root = self._roots.get(item.view) if _is_of_a_worktree(item.view) else None
            for entry in item.snapshot.basis.overlay if root is not None else ():
                if entry.content is not None and root is not None:
                    self._files.setdefault(entry.content, []).append(root / entry.path)

    def read(self, id: str) -> bytes | None:
        """The bytes of a content, None if they are nowhere."""
        for file in self._files.get(id, ()):
            try:
                data = file.read_bytes()
            except OSError:
                continue
            if object_id("blob", data) == id:
                return data
        try:
            return self._repository.objects.blob(id)
        except GraphError:
            return None


def extracted(
    repository: Repository, contents: Contents, wanted: Mapping[str, Key], progress: Progress | None = None
) -> Iterator[tuple[str, bytes | None]]:
    """(slice id, the slice made anew from the key's content) for each of `wanted`; None: it cannot be made."""
    unread: list[str] = []

    def jobs() -> Iterator[Job]:
        for slice_id, (source, language, _) in wanted.items():
            data = contents.read(source)
            if data is None:
                unread.append(slice_id)
            else:
                yield Job(slice_id, language, data, source)

    settings = repository.settings
    results = extract_many(
        jobs(), workers=settings.jobs or None, time_limit=settings.parse_timeout, files=len(wanted)
    )  # fmt: skip
    for number, result in enumerate(results):
        if progress is not None:
            progress(number, len(wanted))
        yield result.key, result.data
    yield from ((slice_id, None) for slice_id in unread)


def _is_of_a_worktree(view: str) -> bool:
    return view == MAIN_VIEW or view.startswith(LINKED_PREFIX)
