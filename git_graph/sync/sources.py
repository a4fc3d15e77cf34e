"""The bytes of what lies at paths of a tree, and the language that each path is in.

Bytes are only ever given out as those of the content id that was asked for: a file that has changed since it was
looked at is reported as changed, and whoever asked begins again with what it is now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from git_graph import languages, meter
from git_graph.git.worktree import EXECUTABLE, REGULAR
from git_graph.records import NamedTuple
from git_graph.sync.cache import Cache
from git_graph.sync.observe import Disk
from git_graph.sync.plan import Target
from git_graph.sync.policy import Policy

if TYPE_CHECKING:
    from git_graph.git.repository import Repository


class Wanted(NamedTuple):
    """A path that is to have a slice, the language it is in, and what lies there."""

    path: bytes
    language: str
    target: Target


class Sources:
    """Contents of one tree: those on disk from `disk`, all others from the repository."""

    def __init__(self, repository: Repository, disk: Disk | None) -> None:
        self._repository = repository
        self._disk = disk
        self.changed: dict[bytes, str | None] = {}
        """Files that are not what they were when looked at: their content now, None if they are gone."""

    def read(self, path: bytes, target: Target) -> bytes | None:
        """The bytes of the target's content; None if the file has changed."""
        assert target.content is not None
        if not target.on_disk or self._disk is None:
            data = self._repository.objects.blob(target.content)
            meter.count("files")
            meter.count("bytes", len(data))
            return data
        found = self._disk.load(path, target.content)
        if found is not None and found[0] == target.content:
            return found[1]
        self.changed[path] = None if found is None else found[0]
        return None

    def prefetch(self, targets: Iterable[Target]) -> None:
        """Many contents are to be read: have a partial clone fetch them at once."""
        self._repository.objects.prefetch({t.content for t in targets if t.content is not None and not t.on_disk})

    def why_unread(self, path: bytes) -> str:
        """Why a file on disk has no content id: `too-large` or `unreadable`."""
        return "too-large" if self._disk is not None and self._disk.is_too_large(path) else "unreadable"

    def sizes(self, wanted: Iterable[Wanted]) -> dict[str, int]:
        """The size of each content; files on disk that have changed are left out."""
        sizes: dict[str, int] = {}
        stored = set()
        for path, _, target in wanted:
            if target.content is None or target.content in sizes:
                continue
            if target.on_disk:
                data = self.read(path, target)
                if data is not None:
                    sizes[target.content] = len(data)
            else:
                stored.add(target.content)
        return sizes | self._stored_sizes(stored - sizes.keys())

    def _stored_sizes(self, ids: set[str]) -> dict[str, int]:
        if not ids:
            return {}
        self._repository.objects.prefetch(ids)
        asked = "".join(f"{id}\n" for id in sorted(ids)).encode()
        output = self._repository.git("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
        rows = (line.split() for line in output.decode("ascii", "replace").splitlines())
        return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


def wanted(
    targets: Mapping[bytes, Target | None], policy: Policy, sources: Sources, cache: Cache, detection: str
) -> list[Wanted]:
    """The paths that are to have a slice; `detection` is the digest of how languages are told."""
    files = {path: t for path, t in targets.items() if t is not None and t.mode in (REGULAR, EXECUTABLE)}
    rulings = policy.rulings(list(files))
    found: list[Wanted] = []
    undecided: dict[bytes, tuple[str | None, Target]] = {}
    for path, target in files.items():
        left_out, named = rulings[path]
        if left_out:
            continue
        if named is not None:
            language, open_ = languages.by_linguist(named), False
        else:
            language, open_ = languages.by_path(_text(path))
        if open_ and target.content is not None:
            undecided[path] = language, target
        elif language is not None:
            found.append(Wanted(path, language, target))
    return found + _detected(undecided, policy.max_file_size, sources, cache, detection)


def _detected(
    files: Mapping[bytes, tuple[str | None, Target]], limit: int, sources: Sources, cache: Cache, detection: str
) -> list[Wanted]:
    """The files whose language only their bytes tell, if they have one; of those above the limit it is not asked."""
    keys = {path: (target.content or "", _hint(path)) for path, (_, target) in files.items()}
    known = cache.languages(set(keys.values()), detection)
    unknown = [Wanted(path, "", files[path][1]) for path, key in keys.items() if key not in known]
    sources.prefetch(item.target for item in unknown)
    sizes = sources.sizes(unknown)
    found = []
    for path, (likely, target) in files.items():
        key = keys[path]
        if key not in known and sizes.get(key[0], 0) > limit:
            known[key] = likely
        elif key not in known:
            data = sources.read(path, target)
            if data is None:
                continue
            known[key] = languages.detect(_text(path), data)
            cache.put_language(*key, detection, known[key])
        language = known[key]
        if language is not None:
            found.append(Wanted(path, language, target))
    return found


def _hint(path: bytes) -> str:
    """What of a path matters to how its bytes are taken: the ending of its name."""
    base = _text(path).rpartition("/")[2]
    return base[base.rfind(".") :] if "." in base else ""


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
