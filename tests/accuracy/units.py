"""Translation units as libclang reads them: which compile, what they include, what their conditions leave out.

clangd keeps one unit's reading of a header, and nobody knows which: a line that one unit reads and another leaves out
is told of as left out. So are the lines of a call of a macro that uses none of its arguments (`DEBUG(f(x))` in a
build without debugging): what they name is not looked at.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.accuracy.servers import ignores

FATAL = 4
DETAILED_PREPROCESSING = 1


class Units:
    """The translation units of a repository. `commands` are compile commands by path; those that fail are left out."""

    def __init__(self, root: Path, commands: Mapping[str, Sequence[str]]) -> None:
        from clang import cindex  # recording only: see docs/accuracy.md

        if not cindex.Config.loaded:
            cindex.Config.set_library_file("libclang-14.so.1")
        self._cindex = cindex
        self._library = cindex.conf.lib
        self._library.clang_getSkippedRanges.restype = ctypes.POINTER(_Ranges)
        self._library.clang_Cursor_isMacroFunctionLike.argtypes = [cindex.Cursor]
        self._root = root.resolve()
        self._index = cindex.Index.create()
        self._skipped: dict[str, set[tuple[int, int]]] = {}
        self.compiled = [path for path in sorted(commands) if self._read(path, list(commands[path]))]

    def blind(self, sources: Sequence[str]) -> dict[str, list[list[int]]]:
        """The sources that no unit includes (no ranges), and lines that some unit which includes one leaves out."""
        found: dict[str, list[list[int]]] = {}
        for path in sources:
            lines = self._skipped.get(path)
            if lines is None:
                found[path] = []
            elif lines:
                found[path] = [list(pair) for pair in sorted(lines)]
        return found

    def _read(self, path: str, command: list[str]) -> bool:
        arguments = [*command[1:], f"-I{_resources()}/include"]
        for unwanted in ("-c", "-o"):
            while unwanted in arguments:
                at = arguments.index(unwanted)
                del arguments[at : at + 2]
        try:
            unit = self._index.parse(str(self._root / path), arguments, options=DETAILED_PREPROCESSING)
        except self._cindex.TranslationUnitLoadError:
            return False
        if (
            any(d.severity >= FATAL for d in unit.diagnostics)
            or sum(d.severity >= FATAL - 1 for d in unit.diagnostics) > 5
        ):
            return False
        included = Counter(str(inclusion.include.name) for inclusion in unit.get_includes())
        unused = self._unused(unit)
        for name in {path, *included}:
            file = (self._root / name).resolve()
            if not file.is_relative_to(self._root):
                continue
            own = file.relative_to(self._root).as_posix()
            lines = self._left_out(unit, str(self._root / name))
            if included[name] > 1:  # what is left out the second time was read the first time
                read = {c.location.line for c in unit.cursor.get_children() if self._path(c.location) == own}
                lines = {pair for pair in lines if read.isdisjoint(range(pair[0], pair[1] + 1))}
            self._skipped.setdefault(own, set()).update(lines | unused.get(own, set()))
        return True

    def _path(self, location: Any) -> str:
        """Where a place is, relative to the root; empty outside of it."""
        name = location.file.name if location.file is not None else ""
        file = (self._root / name).resolve() if name else self._root
        return file.relative_to(self._root).as_posix() if name and file.is_relative_to(self._root) else ""

    def _unused(self, unit: Any) -> dict[str, set[tuple[int, int]]]:
        """The lines of calls of macros that use none of their arguments."""
        found: dict[str, set[tuple[int, int]]] = {}
        for call in unit.cursor.get_children():
            if call.kind == self._cindex.CursorKind.MACRO_INSTANTIATION and (path := self._path(call.location)):
                macro, given = call.referenced, [token.kind.name for token in call.get_tokens()][1:]
                if macro is None or not self._library.clang_Cursor_isMacroFunctionLike(macro):
                    continue
                if "IDENTIFIER" in given and ignores([token.spelling for token in macro.get_tokens()]):
                    found.setdefault(path, set()).add((call.extent.start.line, call.extent.end.line))
        return found

    def _left_out(self, unit: Any, name: str) -> set[tuple[int, int]]:
        file = self._cindex.File.from_name(unit, name)
        listed = self._library.clang_getSkippedRanges(unit, file)
        ranges = listed.contents
        found = set()
        for i in range(ranges.count):
            first, last = ranges.ranges[i].start.line, ranges.ranges[i].end.line
            if last - first > 1:  # the directives themselves are read
                found.add((first + 1, last - 1))
        return found


def _resources() -> str:
    return next(str(p) for p in sorted(Path("/usr/lib").glob("llvm-14/lib/clang/*")))


def _declare() -> type[ctypes.Structure]:
    from clang import cindex

    class Ranges(ctypes.Structure):
        _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]

    return Ranges


_Ranges = _declare()
