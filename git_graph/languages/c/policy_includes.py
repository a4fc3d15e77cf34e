"""Which files `#include` brings in: by path from the including file, else by the end of a path in the view."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from git_graph.languages.policy import Context
from git_graph.model import ImportFlag

MAX_VISIBLE = 4000
"""No more files than this are followed from one."""
LANGUAGES = ("c", "cpp")
_HEADERS = """
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h
threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h pthread.h dirent.h dlfcn.h netdb.h poll.h sched.h
semaphore.h strings.h syslog.h termios.h
"""
_STANDARD = frozenset(_HEADERS.split())
"""Headers that `<...>` always takes from outside."""


def included(context: Context, path: str, module: str, flags: int) -> str | None:
    """The file of the view that `module` in an `#include` of `path` is, or None."""
    key = ("c.included", posixpath.dirname(path), module, flags)
    return context.remembered(key, lambda: _included(context, path, module, flags))


def _included(context: Context, path: str, module: str, flags: int) -> str | None:
    system = bool(flags & ImportFlag.SYSTEM)
    if system and module in _STANDARD:
        return None
    here = posixpath.dirname(path)
    if not system:
        beside = posixpath.normpath(posixpath.join(here, module))
        if context.view.has(beside):
            return beside
    wanted = posixpath.normpath(module)
    while wanted.startswith("../"):
        wanted = wanted[3:]
    base = wanted.rpartition("/")[2]
    found = [p for p in context.view.paths_named(base) if (p == wanted or p.endswith("/" + wanted)) and p != path]
    if not found:
        return None
    return min(found, key=lambda p: (-_common(here, p), p.count("/"), p))


def _common(here: str, path: str) -> int:
    """How many leading directories two paths share."""
    count = 0
    for one, other in zip(here.split("/"), path.split("/")[:-1], strict=False):
        if one != other or not one:
            break
        count += 1
    return count


def includes(context: Context, path: str) -> Sequence[str]:
    """The files of the view that `path` itself includes, in order."""
    return context.remembered(("c.includes", path), lambda: _includes(context, path))


def _includes(context: Context, path: str) -> Sequence[str]:
    if context.view.language(path) not in LANGUAGES or (slice_ := context.view.slice(path)) is None:
        return ()
    i, strings = slice_.imports, slice_.strings
    found: dict[str, None] = {}
    for module, local, flags in zip(i.module, i.local, i.flags, strict=True):
        if not strings[local] and (file := included(context, path, strings[module], flags)) is not None:
            found[file] = None
    return tuple(found)


def visible(context: Context, path: str) -> frozenset[str]:
    """The files that `path` includes, directly or not."""

    def find() -> frozenset[str]:
        seen: dict[str, None] = {}
        queue = list(includes(context, path))
        while queue and len(seen) < MAX_VISIBLE:
            file = queue.pop()
            if file not in seen:
                seen[file] = None
                queue.extend(includes(context, file))
        return frozenset(seen)

    return context.remembered(("c.visible", path), find)


def includers(context: Context, path: str) -> frozenset[str]:
    """The files that include `path` themselves."""

    def find() -> frozenset[str]:
        base = path.rpartition("/")[2]
        return frozenset(p for p in context.view.importing(base) if path in includes(context, p))

    return context.remembered(("c.includers", path), find)
