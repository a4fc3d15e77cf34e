"""What a language server answered, as it is kept: positions only, no sources.

A file is gzipped JSON; the same answers give the same bytes.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "truth"
FORMAT = 1

Site = tuple[str, int]
"""A path and a line, 1-based."""


@dataclass(frozen=True)
class Asked:
    """A definition, and every line that refers to it. `line` and `column` are 1-based, columns count code points."""

    path: str
    line: int
    column: int
    name: str
    kind: str
    references: dict[str, list[int]]
    unseen: dict[str, list[int]] = field(default_factory=dict)
    """Lines that count for nobody: a macro from outside of the archive may refer to the definition there."""

    @property
    def sites(self) -> set[Site]:
        """Where it is referred to, its own line aside."""
        return {(path, line) for path, lines in self.references.items() for line in lines} - {(self.path, self.line)}


@dataclass(frozen=True)
class Truth:
    """One archive's answers. `blind` are the files that the server was not told of (no ranges) or did not read all of
    (the ranges of lines that its build leaves out): nothing there counts for or against anyone."""

    corpus: str
    server: str
    seed: int
    blind: dict[str, list[list[int]]]
    definitions: tuple[Asked, ...]

    def sees(self, site: Site) -> bool:
        """Whether the server read a line."""
        ranges = self.blind.get(site[0])
        return ranges is None or (bool(ranges) and not any(first <= site[1] <= last for first, last in ranges))


def path_of(label: str) -> Path:
    """Where the truth of a corpus is kept."""
    return FOLDER / f"{label}.json.gz"


def load(label: str) -> Truth:
    """The truth of a corpus. Raises FileNotFoundError if none was recorded, ValueError if it is of another format."""
    document = json.loads(gzip.decompress(path_of(label).read_bytes()))
    if document.pop("format") != FORMAT:
        raise ValueError(f"{path_of(label)}: another format")
    definitions = tuple(Asked(**fields) for fields in document.pop("definitions"))
    return Truth(**document, definitions=definitions)


def save(truth: Truth) -> Path:
    """Keep a truth."""
    FOLDER.mkdir(exist_ok=True)
    document = {"format": FORMAT, **asdict(truth)}
    for asked in document["definitions"]:
        if not asked["unseen"]:
            del asked["unseen"]
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    path = path_of(truth.corpus)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return path


def by_path(sites: Iterable[Site]) -> dict[str, list[int]]:
    """Sites as they are kept."""
    found: dict[str, list[int]] = {}
    for path, line in sorted(set(sites)):
        found.setdefault(path, []).append(line)
    return found
