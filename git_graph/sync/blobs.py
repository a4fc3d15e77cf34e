"""Slices of contents that no view holds: looked up where they are known, extracted otherwise, and stored nowhere.

For walks through history, which look at many contents of few files. Languages are told by path and bytes; attributes do
not count here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from git_graph import codec, languages
from git_graph.errors import CorruptObject, MissingObject
from git_graph.extract.pool import Job, extract_many
from git_graph.git import history
from git_graph.git.history import Commit, Touched
from git_graph.git.worktree import EXECUTABLE, REGULAR
from git_graph.model import Slice
from git_graph.store import slices
from git_graph.sync.context import Context

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

MENTIONS = 50
"""So many commits that mention a text are looked at."""
HELD = 512
"""So many contents are kept at a time."""

Key = tuple[str, str]
"""Path and content id."""
Source = tuple[Slice, bytes]


class Blobs:
    """Sources by path and content; see `want` for having many at once."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._context = Context(repository)
        self._held: dict[Key, Source | None] = {}

    def source(self, path: str, content: str | None) -> Source | None:
        """The slice and bytes of a content at a path; None if there is none, or it has no symbols to have."""
        if content is None:
            return None
        if (path, content) not in self._held:
            self.want([(path, content)])
        return self._held[path, content]

    def want(self, keys: Iterable[Key]) -> None:
        """Have several contents ready: what is not known is extracted together."""
        jobs: list[Job] = []
        data: dict[Key, bytes] = {}
        limit = self._repository.settings.max_file_size
        if len(self._held) > HELD:
            self._held.clear()
        for key in dict.fromkeys(keys):
            if key in self._held:
                continue
            self._held[key] = None
            language = self._language(*key, data)
            if language is None or len(data[key]) > limit:
                continue
            known = self._known(key[1], language)
            if known is not None:
                self._held[key] = known, data[key]
            else:
                jobs.append(Job(key, language, data[key], key[1]))
        settings = self._repository.settings
        for key, encoded, _ in extract_many(
            jobs, workers=settings.jobs or None, time_limit=settings.parse_timeout, files=len(jobs)
        ):
            if encoded is not None:
                self._held[key] = codec.decode_trusted(encoded), data[key]

    def close(self) -> None:
        """Release what is open."""
        self._context.close()

    def _language(self, path: str, content: str, data: dict[Key, bytes]) -> str | None:
        language, open_ = languages.by_path(path)
        if language is None and not open_:
            return None
        try:
            data[path, content] = self._repository.objects.blob(content, codec.MAX_BYTES)
        except (MissingObject, CorruptObject):
            return None
        return languages.detect(path, data[path, content]) if open_ else language

    def _known(self, content: str, language: str) -> Slice | None:
        rule = self._context.rules.of(language)
        key = (content, language, rule[1]) if rule else None
        found = self._context.cache.slices({key}) if key else {}
        try:
            return slices.get(self._repository, found[key].id) if key in found else None
        except (MissingObject, CorruptObject):
            return None


class Past(Blobs):
    """Commits and their contents, as a walk through history asks for them."""

    def __init__(self, repository: Repository, *, first_parent: bool = False) -> None:
        super().__init__(repository)
        self._first_parent = first_parent

    def touching(self, start: str, path: str) -> Iterator[Commit]:
        """The commits from `start` on that changed a path, newest first."""
        for commit in history.touching(self._repository, start, path, first_parent=self._first_parent):
            yield commit._replace(parents=commit.parents[:1]) if self._first_parent else commit

    def mentioning(self, start: str, text: str) -> Iterator[Commit]:
        """The newest commits in which a text occurs more or less often than before, with all that they changed."""
        return history.mentioning(self._repository, start, text, MENTIONS)

    def content(self, commit: str, path: str) -> str | None:
        """The content that a commit holds at a path."""
        found = self._context.heads.find(commit, path.encode("utf-8", "surrogateescape"))
        return found.id if found is not None and found.mode in (REGULAR, EXECUTABLE) else None

    def changed(self, commit: Commit) -> tuple[Touched, ...]:
        """Everything that a commit changed against its first parent."""
        return history.changed(self._repository, commit)
