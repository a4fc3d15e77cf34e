"""Which definitions a stub and its source share: they are one symbol, also where the source only imports the name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from git_graph.languages.policy import Context
from git_graph.model import Definition, Slice

_HOPS = 5
"""How many files in a row a name is followed through."""

ModuleFiles = Callable[[Context, str, str, int, int], Sequence[str]]


def counterparts(context: Context, definition: Definition, slice_: Slice, files: ModuleFiles) -> list[Definition]:
    """The definition that a stub's stands for, or the stubs' that stand for it; `files` finds a module's files."""
    wanted = _qualified(slice_, definition.index)
    path, top = definition.path, wanted[0]
    if path.endswith(".pyi"):
        source = _source(context, path, top, files)
        return [] if source is None else _named(context, source[0], (source[1], *wanted[1:]))
    found = []
    for stub in _stubs(context, top):
        if stub[:-1] == path or _source(context, stub, top, files) == (path, top):
            found += _named(context, stub, wanted)
    return found


def _stubs(context: Context, name: str) -> Sequence[str]:
    """The stubs that define a name."""
    key = ("python.stubs of", name)
    return context.remembered(key, lambda: [path for path in context.view.defining(name) if path.endswith(".pyi")])


def _source(context: Context, stub: str, name: str, files: ModuleFiles) -> tuple[str, str] | None:
    """The source that defines what a stub calls `name`, and its name there."""
    path = stub[:-1]
    for _ in range(_HOPS):
        slice_ = context.view.slice(path)
        if slice_ is None or slice_.language != "python":
            return None
        s, i, strings = slice_.symbols, slice_.imports, slice_.strings
        if any(parent == 0 and strings[text] == name for text, parent in zip(s.name, s.parent, strict=True)):
            return path, name
        row = next((r for r, text in enumerate(i.local) if strings[text] == name and not i.symbol[r]), None)
        if row is None or strings[i.name[row]] in ("", "*"):
            return None
        found = files(context, path, strings[i.module[row]], i.depth[row], i.flags[row])
        sources = [file for file in found if file.endswith(".py")]
        if not sources:
            return None
        path, name = sources[0], strings[i.name[row]]
    return None


def _named(context: Context, path: str, wanted: tuple[str, ...]) -> list[Definition]:
    """The definitions of a qualified name in a file."""
    slice_ = context.view.slice(path)
    if slice_ is None:
        return []
    strings = slice_.strings
    return [
        Definition(path, i)
        for i, name in enumerate(slice_.symbols.name)
        if i and strings[name] == wanted[-1] and _qualified(slice_, i) == wanted
    ]


def _qualified(slice_: Slice, index: int) -> tuple[str, ...]:
    found: list[str] = []
    while index > 0:
        found.append(slice_.strings[slice_.symbols.name[index]])
        index = slice_.symbols.parent[index]
    return tuple(reversed(found))
