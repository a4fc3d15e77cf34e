"""The members that override, or implement, a member: what a call through a base may run.

A type overrides what an ancestor of it holds under the same name; where types implement an interface by having its
methods (Go, TypeScript), a type that has them all implements each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.languages.arity import overlap
from git_graph.model import KIND, Definition, Flag
from git_graph.resolve.files import CLASS_KINDS, CONSTRUCTOR_KIND, FUNCTION_KINDS, MEMBER_KINDS, File

if TYPE_CHECKING:
    from git_graph.resolve.world import World

_INTERFACE = KIND["interface"]


def overriding(world: World, member: Definition) -> tuple[Definition, ...]:
    """The members that override `member`, each once, sorted; none for what is no member of a type."""
    home = world.at(member)
    s, name = home.slice.symbols, home.name_of(member.index)
    base = world.classes.owner(home, member.index)
    if base is None or s.kind[member.index] in CLASS_KINDS or s.kind[member.index] == CONSTRUCTOR_KIND:
        return ()
    base = world.groups.target(base)
    found = []
    for path in world.view.defining(name):
        file = world.file(path)
        if file is None or not world.related(file.language, home.language):
            continue
        for index in file.symbols_of(name):
            if _may_override(file, index) and _fits(home, member.index, file, index):
                owner = world.classes.owner(file, index)
                if owner is not None and world.groups.target(owner) != base and _below(world, owner, base):
                    found.append(Definition(path, index))
    return world.groups.distinct(found)


def _may_override(file: File, index: int) -> bool:
    s = file.slice.symbols
    kind = s.kind[index]
    held = s.kind[s.parent[index]] in CLASS_KINDS or bool(s.owner[index])
    overrides = kind in MEMBER_KINDS or kind in FUNCTION_KINDS or bool(s.flags[index] & Flag.OVERRIDE)
    return held and kind != CONSTRUCTOR_KIND and overrides


def _fits(home: File, member: int, file: File, index: int) -> bool:
    """Whether a member takes as many arguments as the one that it is to override, where that tells overloads apart."""
    if not home.policy.overloads:
        return True
    return overlap(home.policy.takes(home.slice, member), file.policy.takes(file.slice, index))


def _below(world: World, owner: Definition, base: Definition) -> bool:
    """Whether a type has another among its ancestors, or what the other asks of its implementations."""
    if any(world.groups.target(ancestor.definition) == base for ancestor in world.classes.ancestry(owner).line):
        return True
    file = world.at(base)
    s = file.slice.symbols
    if not file.policy.structural or s.kind[base.index] != _INTERFACE:
        return False
    asked = {file.name_of(index) for index in file.slice.children(base.index) if s.kind[index] in MEMBER_KINDS}
    return bool(asked) and all(world.classes.find_in(owner, name).named.found for name in asked)
