"""SYMBOL as people write it -> definitions, and the names that are like one that is not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_graph.model import Definition
from git_graph.resolve.files import File

if TYPE_CHECKING:
    from git_graph.resolve.world import World

_PLACE = re.compile(r"(.+?):(\d+)(?::\d+)?$", re.DOTALL)
_SEPARATORS = re.compile(r"::|[.#]")


class Naming:
    """Looks symbols up by what people call them."""

    def __init__(self, world: World) -> None:
        self.world = world

    def lookup(self, text: str) -> list[Definition]:
        """See Resolver.lookup."""
        if (place := _PLACE.match(text)) and (file := self.world.file(_clean(place[1]))) is not None:
            return self._at(file, int(place[2]))
        if (file := self.world.file(_clean(text))) is not None:
            return [Definition(file.path, 0)]
        parts = tuple(part for part in _SEPARATORS.split(text) if part)
        return list(self.world.groups.distinct(d for name in _spellings(text, parts) for d in self._named(name, parts)))

    def _named(self, name: str, parts: tuple[str, ...]) -> list[Definition]:
        found = []
        for path in self.world.view.defining(name):
            file = self.world.file(path)
            if file is None:
                continue
            s, text = file.slice.symbols, file.texts[name]
            module = file.policy.module_parts(path)
            for index, own in enumerate(s.name):
                if own == text and index and _ends(module, file.slice.parts(index), parts):
                    found.append(Definition(path, index))
        return found

    def _at(self, file: File, line: int) -> list[Definition]:
        """The definitions whose name stands on a line, not what is inside of them; else the innermost around it."""
        s = file.slice.symbols
        on_line = [i for i, own in enumerate(s.line) if own == line and i]
        on_line = [i for i in on_line if s.parent[i] not in on_line]
        if on_line:
            return list(self.world.groups.distinct(file.definitions(on_line)))
        if brought := self._brought(file, line):
            return brought
        spanning = [i for i in range(1, len(s.name)) if s.start_line[i] <= line <= s.end_line[i]]
        if spanning:
            innermost = min(spanning, key=lambda i: (s.end_line[i] - s.start_line[i], -i))
            return [self.world.groups.target(Definition(file.path, innermost))]
        return [Definition(file.path, 0)] if 1 <= line <= s.end_line[0] else []

    def _brought(self, file: File, line: int) -> list[Definition]:
        """What the names are that an import or a re-export on a line brings."""
        i, modules = file.slice.imports, self.world.modules
        rows = [index for index, own in enumerate(i.line) if own == line and i.name[index]]
        found = [d for index in rows for d in modules.imported(file, index).definitions]
        return list(self.world.groups.distinct(found))

    def near(self, text: str, limit: int) -> list[str]:
        """See Resolver.near."""
        from difflib import get_close_matches  # slow to import, and only misspelt names need it

        if "/" in text or _PLACE.match(text):
            wanted = text.partition(":")[0]
            base = wanted.rpartition("/")[2]
            paths = [path for path in self.world.view.paths() if path.rpartition("/")[2] == base]
            return (paths or get_close_matches(wanted, self.world.view.paths(), limit))[:limit]
        parts = [part for part in _SEPARATORS.split(text) if part]
        if not parts:
            return []
        wanted, names = parts[-1], list(self.world.view.symbol_names())
        lower = {name.lower(): name for name in names}
        best = [lower[wanted.lower()]] if wanted.lower() in lower else []
        best += get_close_matches(wanted, [n for n in names if abs(len(n) - len(wanted)) <= 3], limit, 0.7)
        best += [name for name in names if len(wanted) > 3 and wanted.lower() in name.lower()][:limit]
        return list(dict.fromkeys(best))[:limit]


def _spellings(text: str, parts: tuple[str, ...]) -> list[str]:
    """The last name, as it may be stored: JavaScript's private names start with `#`."""
    if not parts:
        return []
    return [parts[-1], "#" + parts[-1]] if text.endswith("#" + parts[-1]) else [parts[-1]]


def _ends(module: tuple[str, ...], qualified: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether `parts` is a suffix of module path and qualified name together."""
    written = tuple(piece for part in qualified for piece in _SEPARATORS.split(part) if piece)
    whole = module + written
    return whole[-len(parts) :] == parts


def _clean(path: str) -> str:
    return path.removeprefix("./")
