"""What a bare name stands for at a place: enclosing symbols, imports, siblings, members of the own class.

Parameters and locals are not looked for here: references to them are in no slice, and expressions ask
`Types.local` first.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from git_graph.languages.policy import TAG
from git_graph.model import CALL, IMPLEMENT, INHERIT, TYPE, Definition, Flag
from git_graph.resolve.files import ALIAS_KIND, CLASS_KINDS, FUNCTION_KINDS, MEMBER_KINDS, SPACE_KINDS, File
from git_graph.resolve.modules import FEW
from git_graph.resolve.values import UNNAMED, Named, module

if TYPE_CHECKING:
    from git_graph.languages.policy import Policy
    from git_graph.resolve.world import World


class Scopes:
    """Bare names."""

    def __init__(self, world: World) -> None:
        self.world = world

    def bare(self, file: File, name: str, symbol: int, role: int = -1, line: int = 0) -> Named:
        """What `name` stands for in `symbol` of `file`, seen from a line (0: any); nothing if no scope binds it."""
        if role not in (TYPE, INHERIT, IMPLEMENT, TAG) and not (role == CALL and file.policy.calls_apart):
            role = -1
        if symbol and file.only_at_top(name):
            symbol = 0
        if line and not file.confined(name):
            line = 0
        key = ("bare", file.path, name, symbol, role, line)
        found: Named | None = self.world.memo.get(key)
        if found is not None:
            return found
        return self.world.guarded(key, lambda: self._bare(file, name, symbol, role, line), UNNAMED)

    def _bare(self, file: File, name: str, symbol: int, role: int, line: int) -> Named:
        s, policy = file.slice.symbols, file.policy
        hidden, inner, level = UNNAMED, -1, symbol
        if role in (INHERIT, IMPLEMENT) and s.kind[symbol] in CLASS_KINDS:
            inner, level = symbol, s.parent[symbol]  # a base stands before the body
        while level > 0:
            found = self._inside(file, name, level, role, line)
            if found.found:
                direct = inner < 0 or (role == TYPE and inner == symbol)
                if policy.class_scope or direct or s.kind[level] not in CLASS_KINDS:
                    return found
                if inner == symbol and not policy.is_builtin(name):  # it may stand in a default of a parameter
                    hidden = found
            if policy.implicit_self and (found := self._implicit(file, name, level, role)).found:
                return found
            inner, level = level, s.parent[level]
        found = self.top(file, name, role, line)
        if role == TYPE and policy.tags and policy.includes and found.definitions:
            found = self._with_typedefs(file, name, found)
        if not found.found:
            found = self.around(file, name, role)
        return found if found.found else hidden

    def _with_typedefs(self, file: File, name: str, found: Named) -> Named:
        """The typedef that an included file has for a struct of the file itself, which a bare name never means."""
        kinds = {file.policy.meant_as(self.world.at(d).slice, d.index) for d in found.definitions}
        return found if kinds - CLASS_KINDS else found + self.around(file, name, TYPE)

    def _inside(self, file: File, name: str, level: int, role: int, line: int) -> Named:
        """What symbol `level` itself holds under `name`: definitions and imports in it."""
        symbols = self._meant(file, file.named(level, name, line), role)
        if level in file.holders:  # what it holds is named through it
            symbols = [i for i in symbols if file.slice.symbols.kind[i] not in MEMBER_KINDS]
        if level and symbols and file.slice.symbols.kind[level] in CLASS_KINDS:  # `self.x = ...` makes no name
            symbols = [i for i in symbols if not file.slice.symbols.flags[i] & Flag.IMPLICIT]
        found = Named(file.definitions(symbols)) if symbols else UNNAMED
        if not symbols or self._conditional(file, symbols):
            for index in file.imports(level, name):
                found += self.world.modules.bound(file, index, name)
        if not found.found:
            found = self.world.modules.starred(file, level, name, offered=False)
        if not found.found and file.policy.merges_namespaces and file.slice.symbols.kind[level] in SPACE_KINDS:
            space = Named(self.world.classes.in_namespace(Definition(file.path, level), name))
            found = self._of_role(file, space, role)
        return found

    @staticmethod
    def _meant(file: File, symbols: list[int], role: int) -> list[int]:
        """Those of several symbols that a bare name in a role can mean."""
        if not symbols or not file.policy.has_senses:
            return symbols
        meant_as, sense = file.policy.meant_as, file.policy.sense
        return [i for i in symbols if sense(meant_as(file.slice, i), role)]

    def _implicit(self, file: File, name: str, level: int, role: int) -> Named:
        """A member of the class that `level` is, or belongs to, or of a base of it."""
        s = file.slice.symbols
        merges = file.policy.merges_namespaces  # there variables have owners too
        if s.kind[level] not in CLASS_KINDS and not (s.owner[level] and (merges or s.kind[level] in FUNCTION_KINDS)):
            return UNNAMED
        owner = self.world.classes.owner(file, level)
        if owner is None:
            return UNNAMED
        named = self._of_role(file, self.world.classes.find_in(owner, name).named, role)
        if not named.found and merges and s.owner[level]:
            named = self._around_owner(file, owner, name, role)
        return named

    def _around_owner(self, file: File, owner: Definition, name: str, role: int) -> Named:
        """What the classes and namespaces hold that are around the owner of a member which stands outside of them."""
        home = self.world.at(owner)
        s, level = home.slice.symbols, home.slice.symbols.parent[owner.index]
        while level > 0:
            around = Definition(owner.path, level)
            if s.kind[level] in SPACE_KINDS:
                named = Named(self.world.classes.in_namespace(around, name))
            else:
                named = self.world.classes.find_in(around, name).named
            if (named := self._of_role(file, named, role)).found:
                return named
            level = s.parent[level]
        return UNNAMED

    def _of_role(self, file: File, named: Named, role: int) -> Named:
        """What of `named` a bare name in a role can mean."""
        if not named.definitions or not file.policy.has_senses:
            return named
        kinds = {d: file.policy.meant_as(self.world.at(d).slice, d.index) for d in named.definitions}
        return named._replace(definitions=tuple(d for d, kind in kinds.items() if file.policy.sense(kind, role)))

    def best(self, policy: Policy, named: Named, role: int = -1) -> Named:
        """What of `named` is meant in a role, where types and values of one name are apart; the second best too."""
        if len(named.definitions) < 2 or not policy.has_senses:
            return named
        senses = {d: policy.sense(policy.meant_as(self.world.at(d).slice, d.index), role) for d in named.definitions}
        lowest = min((sense for sense in senses.values() if sense), default=0)
        return named._replace(definitions=tuple(d for d, sense in senses.items() if lowest <= sense <= lowest + 1))

    def in_sight(self, file: File, definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
        """Those of several definitions that a file has or includes, where files see what they include alone."""
        if len(definitions) < 2 or not file.policy.includes:
            return definitions
        around = self._siblings(file)
        seen = tuple(
            d
            for d in definitions
            if any(p.path == file.path or p.path in around for p in (d, *self.world.groups.of(d).places))
        )
        return seen or definitions

    def top(self, file: File, name: str, role: int = -1, line: int = 0) -> Named:
        """What the top level of `file` holds under `name` for the file itself."""
        role = role if file.policy.has_senses else -1
        key = ("top", file.path, name, role, line)
        return self.world.guarded(key, lambda: self._inside(file, name, 0, role, line), UNNAMED)

    @staticmethod
    def _conditional(file: File, symbols: list[int]) -> bool:
        return any(file.slice.symbols.flags[i] & Flag.CONDITIONAL for i in symbols)

    def around(self, file: File, name: str, role: int = -1) -> Named:
        """What is in scope from outside of the file without being imported by name."""
        world, policy = self.world, file.policy
        found = UNNAMED
        siblings = self._siblings(file)
        if policy.includes or len(siblings) > FEW:
            siblings = tuple(path for path in world.view.defining(name) if path in siblings)
        for path in siblings:
            sibling = world.file(path)
            if sibling is not None and sibling is not file:
                found += Named(sibling.definitions(self._meant(sibling, self._visible(sibling, name), role)))
        if not found.found and policy.global_scope:
            found = Named(self.free(file.language, name))
        if not found.found and (files := tuple(policy.module_named(world.context, file.path, name))):
            found = Named((), (module(files, name, file.language),))
        return found

    def _siblings(self, file: File) -> Collection[str]:
        context = self.world.context
        nothing: Collection[str] = ()
        return self.world.guarded(("siblings", file.path), lambda: file.policy.siblings(context, file.path), nothing)

    def _visible(self, sibling: File, name: str) -> list[int]:
        """Top-level symbols of a sibling that its neighbours see."""
        flags = sibling.slice.symbols.flags
        return [i for i in sibling.named(0, name) if not flags[i] & Flag.INTERNAL or sibling.policy.includes]

    def free(self, language: str, name: str, role: int = -1) -> tuple[Definition, ...]:
        """The top-level definitions of `name` in the view that files of `language` might mean."""
        role = role if self.world.policy(language).has_senses else -1
        return self.world.guarded(("free", language, name, role), lambda: self._free(language, name, role), ())

    def _free(self, language: str, name: str, role: int) -> tuple[Definition, ...]:
        found: list[Definition] = []
        for path in self.world.view.defining(name):
            if not self.world.related(language, self.world.view.language(path) or ""):
                continue
            file = self.world.file(path)
            if file is not None:
                flags = file.slice.symbols.flags
                visible, context = file.policy.visible_freely, self.world.context
                indices = [i for i in self._meant(file, file.named(0, name), role) if not flags[i] & Flag.INTERNAL]
                indices = [i for i in indices if file.policy.reaches(path, file.slice.symbols.kind[i])]
                found.extend(file.definitions([i for i in indices if visible(context, file.slice, i)]))
                for space in file.named(0, file.policy.global_namespace) if file.policy.global_namespace else ():
                    found.extend(file.definitions(self._meant(file, file.named(space, name), role)))
        return self.world.groups.distinct(found)

    def candidates(self, language: str, name: str) -> tuple[Definition, ...]:
        """Every definition of `name` that a member access in a file of `language` could mean."""
        return self.world.guarded(("candidates", language, name), lambda: self._candidates(language, name), ())

    def _candidates(self, language: str, name: str) -> tuple[Definition, ...]:
        found: list[Definition] = []
        for path in self.world.view.defining(name):
            if not self.world.related(language, self.world.view.language(path) or ""):
                continue
            file = self.world.file(path)
            if file is None:
                continue
            s, text = file.slice.symbols, file.texts[name]
            found.extend(
                Definition(path, i)
                for i, n in enumerate(s.name)
                if n == text and i and (s.kind[s.parent[i]] not in FUNCTION_KINDS or s.owner[i])
                and s.kind[i] not in SPACE_KINDS and s.kind[i] != ALIAS_KIND
            )  # fmt: skip
        return self.world.groups.distinct(found)
