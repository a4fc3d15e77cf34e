"""What names of C mean in other configurations of the sources: fallbacks, macros in place of functions, `#undef`.

Which branches of `#if` a build takes is in no file, so that a name which depends on it is inferred, never exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.model import CALL, WRITE, Definition, Flag, Resolution
from git_graph.resolve.files import MACRO_KIND, File
from git_graph.resolve.values import Named

if TYPE_CHECKING:
    from git_graph.resolve.world import World

FALLBACK = "unless something else defines it"
ALTERNATIVE = "or what it is under other conditions"


class Configurations:
    """Conditions and the names that depend on them."""

    def __init__(self, world: World) -> None:
        self.world = world

    def depends(self, file: File, found: Definition, rule: str) -> Resolution | None:
        """What a name in scope is, if that depends on the configuration; None if it does not."""
        branches = self._is_macro(found) and self.world.groups.of(found).places  # alternatives in several headers
        if not branches and not self._flags(found) & Flag.CONDITIONAL:
            return None
        others = self._alternatives(file, found)
        if others:
            return Resolution("inferred", found, (found, *others), f"{rule}, {ALTERNATIVE}")
        if self.world.groups.fallback(found):
            return Resolution("inferred", found, rule=f"{rule}, {FALLBACK}")
        return None

    def at(self, file: File, named: Named, name: str, role: int, line: int) -> Named:
        """What a name stands for at a line, without macros that an `#undef` above takes away; itself names macros."""
        undone = file.undone.get(name)
        if undone is None:
            return named
        undoes = role == WRITE and line in undone
        last = max((at for at in undone if at < line + (not undoes)), default=0)
        lines, macros = file.slice.symbols.line, tuple(filter(self._is_macro, named.definitions))
        now = tuple(d for d in macros if d.path == file.path and last < lines[d.index] <= line)
        if undoes:
            around = self.world.scopes.around(file, name).definitions
            return named._replace(definitions=now or macros or tuple(filter(self._is_macro, around)))
        if not now and not last:
            return named
        left = now + tuple(d for d in named.definitions if d not in macros)
        return named._replace(definitions=left or named.definitions)

    def _alternatives(self, file: File, found: Definition) -> tuple[Definition, ...]:
        """What else a name is where a condition makes it no macro, or not this file's; the macro that it may be."""
        name, is_macro = self.world.at(found).name_of(found.index), self._is_macro(found)
        scopes, policy = self.world.scopes, file.policy
        named = scopes.bare(file, name, 0).definitions
        if is_macro and found.path == file.path:
            named += scopes.around(file, name).definitions or scopes.free(file.language, name)
        return tuple(
            d
            for d in self.world.groups.distinct(named)
            if (self._is_macro(d) != is_macro or d.path != found.path == file.path)
            and policy.sense(self.world.at(d).slice.symbols.kind[d.index], CALL)
            and (is_macro or self._flags(d) & Flag.CONDITIONAL)
        )

    def _flags(self, definition: Definition) -> int:
        return self.world.at(definition).slice.symbols.flags[definition.index]

    def _is_macro(self, definition: Definition) -> bool:
        return self.world.at(definition).slice.symbols.kind[definition.index] == MACRO_KIND
