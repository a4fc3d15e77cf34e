"""One view opened for resolving: its files with look-up tables, their policies, and what was found so far.

Everything that is found is a function of the view alone, whatever was asked first: what a cut cycle made incomplete
is not remembered, and what was found of a cycle is not told to those who ask from inside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from git_graph import languages
from git_graph.languages.policy import Context, Policy
from git_graph.model import Definition
from git_graph.resolve.files import File

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView
    from git_graph.resolve.groups import Groups

R = TypeVar("R")

MAX_DEPTH = 40
"""Questions nested deeper than this (a type that needs a type that needs ...) are not answered."""
MAX_STEPS = 20_000
"""Questions that one question may lead to."""
MAX_FILES = 8192
"""Files whose tables are kept."""
MAX_MEMO = 2_000_000
"""Answers that are remembered, about 200 bytes each; past that all are forgotten."""
_MISSING: Any = object()
_NEVER = 1 << 30


class World:
    """A view, and the parts that resolve over it find each other here."""

    def __init__(self, view: GraphView) -> None:
        from git_graph.resolve.annotations import Annotations
        from git_graph.resolve.classes import Classes
        from git_graph.resolve.modules import Modules
        from git_graph.resolve.operations import Operations
        from git_graph.resolve.scopes import Scopes
        from git_graph.resolve.types import Types

        self.view = view
        self.context = Context(view)
        self.memo: dict[Hashable, Any] = {}
        self._files: dict[str, File | None] = {}
        self._policies: dict[str, Policy] = {}
        self._active: dict[Hashable, int] = {}
        self._cut = _NEVER
        self._steps = 0
        self._entered: list[Hashable] = []
        """The questions that the outermost one has led to."""
        self._circles: dict[Hashable, tuple[Any, frozenset[Hashable]]] = {}
        """Answers to questions that lead back to themselves, and what lies on the way: not for who comes from there."""
        self.modules = Modules(self)
        self.scopes = Scopes(self)
        self.classes = Classes(self)
        self.types = Types(self)
        self.operations = Operations(self)
        self.annotations = Annotations(self)
        self.groups: Groups = self._groups()

    def _groups(self) -> Groups:
        from git_graph.resolve.groups import Groups

        return Groups(self)

    def file(self, path: str) -> File | None:
        """The file at a path, or None if it has no slice."""
        found: File | None = self._files.get(path, _MISSING)
        if found is _MISSING:
            if len(self._files) >= MAX_FILES:
                for old in list(self._files)[: MAX_FILES // 2]:
                    del self._files[old]
            slice_ = None if path.endswith("/") else self.view.slice(path)
            found = None if slice_ is None else File(path, slice_, self.policy(slice_.language))
            self._files[path] = found
        return found

    def at(self, definition: Definition) -> File:
        """The file of a definition. Raises KeyError if the view has no such path."""
        file = self.file(definition.path)
        if file is None:
            raise KeyError(definition.path)
        return file

    def policy(self, language: str) -> Policy:
        """The policy of a language; the default one for a language that is not known here."""
        found = self._policies.get(language)
        if found is None:
            found = self._policies[language] = languages.policy_of(language)
        return found

    def related(self, language: str, other: str) -> bool:
        """Whether files of `language` may name what files of `other` define."""
        return language == other or other in self.policy(language).family

    def remembered(self, key: Hashable, find: Callable[[], R]) -> R:
        """`find()`, remembered under `key`; only for what cannot lead back to itself."""
        found = self.memo.get(key, _MISSING)
        if found is _MISSING:
            found = self.memo[key] = find()
        return found  # type: ignore[no-any-return]

    def guarded(self, key: Hashable, find: Callable[[], R], otherwise: R) -> R:
        """`find()`, remembered under `key`; `otherwise` where that goes in a circle, too deep or on for too long."""
        found = self.memo.get(key, _MISSING)
        if found is not _MISSING:
            return found  # type: ignore[no-any-return]
        active, entered = self._active, self._entered
        here = len(active)
        if (circle := self._circles.get(key)) is not None and active.keys().isdisjoint(circle[1]):
            if here:
                entered.extend(circle[1])
            return circle[0]  # type: ignore[no-any-return]
        depth = active.get(key)
        if here == 0:
            self._steps = 0
            entered.clear()
        self._steps += 1
        if depth is not None or here >= MAX_DEPTH or self._steps > MAX_STEPS:
            self._cut = min(self._cut, -1 if depth is None else depth)
            return otherwise
        active[key] = here
        since = len(entered)
        entered.append(key)
        try:
            result = find()
        finally:
            del active[key]
        if self._cut == here:
            self._circles[key] = result, frozenset(entered[since:])
            self._cut = _NEVER
        elif self._cut > here or here == 0:
            self._cut = _NEVER
            if here == 0 and len(self.memo) > MAX_MEMO:
                self.memo.clear()
                self._circles.clear()
            self.memo[key] = result
        return result
