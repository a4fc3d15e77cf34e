"""Translation units as libclang reads them: which compile, what they include, what their conditions leave out."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

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
        self._root = root.resolve()
        self._index = cindex.Index.create()
        self._skipped: dict[str, set[tuple[int, int]]] = {}
        self.compiled = [path for path in sorted(commands) if self._read(path, list(commands[path]))]

    def blind(self, sources: Sequence[str]) -> dict[str, list[list[int]]]:
        """The sources that no unit includes (no ranges), and lines that every unit which includes one leaves out."""
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
        for name in {path, *(str(inclusion.include.name) for inclusion in unit.get_includes())}:
            file = (self._root / name).resolve()
            if file.is_relative_to(self._root):
                self._note(file.relative_to(self._root).as_posix(), self._left_out(unit, str(self._root / name)))
        return True

    def _note(self, path: str, lines: set[tuple[int, int]]) -> None:
        """Only what every unit leaves out is left out; conditions nest, so ranges are compared as they are."""
        known = self._skipped.get(path)
        self._skipped[path] = lines if known is None else {r for r in known | lines if _in(r, known) and _in(r, lines)}

    def _left_out(self, unit: object, name: str) -> set[tuple[int, int]]:
        file = self._cindex.File.from_name(unit, name)
        listed = self._library.clang_getSkippedRanges(unit, file)
        ranges = listed.contents
        found = set()
        for i in range(ranges.count):
            first, last = ranges.ranges[i].start.line, ranges.ranges[i].end.line
            if last - first > 1:  # the directives themselves are read
                found.add((first + 1, last - 1))
        return found


def _in(wanted: tuple[int, int], ranges: set[tuple[int, int]]) -> bool:
    return any(first <= wanted[0] and wanted[1] <= last for first, last in ranges)


def _resources() -> str:
    return next(str(p) for p in sorted(Path("/usr/lib").glob("llvm-14/lib/clang/*")))


def _declare() -> type[ctypes.Structure]:
    from clang import cindex

    class Ranges(ctypes.Structure):
        _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]

    return Ranges


_Ranges = _declare()
