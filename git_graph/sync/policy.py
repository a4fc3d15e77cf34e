"""What decides which paths are in a view: settings, and attributes where some source of them says anything about it.

The sources in a commit are found once and remembered; those that differ on disk are read from there. Most repositories
have none that matters, and then git is never asked about attributes at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from git_graph.git import attributes
from git_graph.git.attributes import SILENT, Attributes, Mentions, Ruling
from git_graph.git.contents import Conversion, blob_id, look, read
from git_graph.git.hashing import sha256
from git_graph.git.settings import Settings
from git_graph.git.worktree import EXECUTABLE, REGULAR, Entry
from git_graph.records import NamedTuple
from git_graph.sync.cache import Cache
from git_graph.sync.heads import Heads

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


class Source(NamedTuple):
    """A source of attributes: its path in the tree (or a name of ours), what identifies its content, what it names."""

    path: bytes
    id: str
    mentions: Mentions


class Policy(NamedTuple):
    """What decides which paths are in a view and which languages they are in."""

    digest: str
    max_file_size: int
    asked: Attributes | None
    """Whom to ask about attributes; None if no source says anything that matters."""

    def rulings(self, paths: Sequence[bytes]) -> Mapping[bytes, Ruling]:
        """What attributes rule about paths."""
        if self.asked is None:
            return dict.fromkeys(paths, SILENT)
        found = self.asked.values(paths, attributes.VIEW)
        return {path: attributes.ruling(values) for path, values in found.items()}


def in_commit(heads: Heads, repository: Repository, cache: Cache, commit: str | None, near: str | None) -> list[Source]:
    """The sources in a commit's tree; `near` is a commit whose sources are perhaps known already."""
    if commit is None:
        return []
    if (noted := cache.note("attributes", commit)) is not None:
        return [Source(path.encode("utf-8", "surrogateescape"), id, Mentions(kinds)) for path, id, kinds in noted]
    found: dict[bytes, str] = {}
    changes = None
    if near is not None and (noted := cache.note("attributes", near)) is not None:
        changes = heads.differences(near, commit)
    if changes is None:
        held = ((path, mode, id) for path, mode, id in heads.walk(commit) if path.endswith(attributes.FILE))
        found = {path: id for path, mode, id in held if _is_source(path, mode)}
    else:
        found = {path.encode("utf-8", "surrogateescape"): id for path, id, _ in noted}
        for path, _, new in changes:
            if path.endswith(attributes.FILE):
                found.pop(path, None)
                if new and _is_source(path, new[0]):
                    found[path] = new[1]
    sources = [Source(path, id, attributes.mentions(repository.objects.blob(id))) for path, id in sorted(found.items())]
    rows = [(source.path.decode("utf-8", "surrogateescape"), source.id, int(source.mentions)) for source in sources]
    cache.put_note("attributes", commit, rows)
    return sources


def on_disk(top: bytes, committed: Iterable[Source], entries: Mapping[bytes, Entry]) -> list[Source]:
    """The sources in a worktree: those of its commit, but for the paths that differ on disk."""
    sources = {source.path: source for source in committed}
    for path in entries:
        if path.rpartition(b"/")[2] == attributes.FILE:
            sources.pop(path, None)
            content = read(top, [path], Conversion(), {}).get(path) if look(top, path) else None
            if content is not None:
                sources[path] = Source(path, content.id, attributes.mentions(content.data))
    return [source for _, source in sorted(sources.items())]


def outside(repository: Repository, settings: Settings) -> list[Source]:
    """The sources outside the tree that exist."""
    sources = []
    for number, file in enumerate(attributes.outside_sources(str(repository.common_dir), settings.attributes_file)):
        try:
            data = file.read_bytes()
        except OSError:
            continue
        sources.append(Source(b"/%d" % number, blob_id(data), attributes.mentions(data)))
    return sources


def conversion(sources: Sequence[Source], settings: Settings) -> Conversion:
    """What may make git's bytes differ from those on disk."""
    endings, filters = Mentions.LINE_ENDINGS, Mentions.FILTERS
    named = _named(sources, endings | filters)
    applies = Conversion(
        settings.auto_crlf or any(endings in source.mentions for source in named),
        any(filters in source.mentions for source in named),
    )
    if not (applies.line_endings or applies.filters):
        return applies
    digest = _digest([settings.conversion, [(repr(source.path), source.id) for source in named]])
    return Conversion(applies.line_endings, applies.filters, digest)


def of(sources: Sequence[Source], settings: Settings, detection: str, asked: Attributes) -> Policy:
    """The policy that these sources and settings make; `detection` is the digest of how languages are told."""
    named = _named(sources, Mentions.VIEW)
    view = [(repr(source.path), source.id) for source in named]
    digest = _digest([settings.untracked, settings.max_file_size, detection, view])
    return Policy(digest, settings.max_file_size, asked if named else None)


def _named(sources: Sequence[Source], kinds: Mentions) -> list[Source]:
    """The sources that say anything of these kinds, macros considered."""
    if not any(source.mentions & kinds for source in sources):
        return []
    if any(Mentions.MACROS in source.mentions for source in sources):
        return list(sources)
    return [source for source in sources if source.mentions & kinds]


def _is_source(path: bytes, mode: int) -> bool:
    return path.rpartition(b"/")[2] == attributes.FILE and mode in (REGULAR, EXECUTABLE)


def _digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
