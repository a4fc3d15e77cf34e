"""What does nothing refer to?

A definition is unused if no reference of the view is attributed to it, imports and reads included; what it does itself
does not count. Left out by default, each with its reason, are definitions that may well be used without a reference
that can be seen:

- `possible`: a call on an unknown receiver, an ambiguous reference, or an attribute read that leads nowhere could be
  one of it
- `override`: a method of a class with a base outside of the view, or one whose base's method is used
- `decorated`: a decorator takes it and may register it
- `entry-point`: the language, a tool or a test runner calls it by name or mark
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from git_graph import languages
from git_graph.languages.policy import Policy
from git_graph.model import DECORATE, IMPLEMENT, INHERIT, KIND, NONE, READ, Definition, Flag, Slice
from git_graph.query.describe import Describer
from git_graph.query.filters import EVERYTHING, Filter
from git_graph.query.imports import Progress, quiet
from git_graph.query.values import Answer, Unused
from git_graph.resolve import Occurrence, Resolver

POSSIBLE, OVERRIDE, DECORATED, ENTRY_POINT = REASONS = ("possible", "override", "decorated", "entry-point")

KINDS = (
    "class", "interface", "struct", "enum", "trait", "union", "type_alias", "function", "method", "property",
    "constant", "variable", "macro",
)  # fmt: skip
"""What is looked at unless kinds are named: fields and enum members are used in too many unseen ways."""

_INTERFACE = KIND["interface"]
_METHODS = frozenset(KIND[kind] for kind in ("method", "property", "constructor"))


def unused(
    resolver: Resolver,
    *,
    narrow: Filter = EVERYTHING,
    include: Sequence[str] = (),
    limit: int = 100,
    progress: Progress = quiet,
) -> Answer:
    """The definitions that nothing refers to, by place. `include` names the reasons that do not leave one out."""
    query = {**narrow.query(), "include": list(include)}
    search = _Search(resolver, narrow, frozenset(include))
    search.run(progress)
    found = []
    excluded: Counter[str] = Counter()
    for definition in sorted(search.unseen):
        reason = search.reason(definition)
        if reason and reason not in include:
            excluded[reason] += 1
        else:
            found.append((definition, reason))
    shown = found[:limit] if limit else found
    describer = Describer(resolver)
    return Answer(
        "unused",
        query,
        tuple(Unused(describer.symbol(definition), reason) for definition, reason in shown),
        len(found),
        truncated=len(shown) < len(found),
        facts={"excluded": {reason: excluded[reason] for reason in REASONS if reason not in include}},
    )


class _Search:
    """Starts with every definition and strikes out those that a reference is met of.

    A name is not looked at any more once all its definitions are struck, so common names cost little.
    """

    def __init__(self, resolver: Resolver, narrow: Filter, include: frozenset[str]) -> None:
        self.resolver = resolver
        self.view = resolver.view
        self.unseen: set[Definition] = set()
        self.open: dict[str, set[Definition]] = {}
        self.possible: set[Definition] = set()
        self.keep_possible = POSSIBLE in include
        self._policies: dict[str, Policy] = {}
        self._collect(narrow)

    def _collect(self, narrow: Filter) -> None:
        kinds, accepts = Filter(narrow.kinds or KINDS).kind_indices(), narrow.accepts_path()
        for path in self.view.paths():
            if not accepts(path) or (narrow.languages and self.view.language(path) not in narrow.languages):
                continue
            slice_ = self._slice(path)
            for index, kind in enumerate(slice_.symbols.kind):
                definition = Definition(path, index)
                if index and kind in kinds and self.resolver.group(definition).target == definition:
                    self.unseen.add(definition)
                    self.open.setdefault(slice_.strings[slice_.symbols.name[index]], set()).add(definition)

    def run(self, progress: Progress) -> None:
        """Go through the references of all files, then ask for what is known under other names."""
        paths = self.view.paths()
        for done, path in enumerate(paths):
            progress(done, len(paths))
            slice_ = self._slice(path)
            open_ = {index for index, text in enumerate(slice_.strings) if text in self.open}
            for index, name in enumerate(slice_.references.name):
                if name in open_ and slice_.strings[name] in self.open:
                    self._strike(Occurrence(path, index, self.resolver.resolve(path, index)), slice_.strings[name])
        for definition in sorted(self.unseen):
            for occurrence in self.resolver.references([definition]):
                self._strike(occurrence, self.resolver.symbol(definition).name)

    def _strike(self, occurrence: Occurrence, name: str) -> None:
        resolution = occurrence.resolution
        if self.resolver.redefines(occurrence.path, occurrence.index):
            return
        for target in resolution.targets:
            self._drop(occurrence, target, name)
        if resolution.target is not None:
            return
        candidates: Iterable[Definition] = resolution.candidates
        if resolution.outcome == "dangling" and self._reads_attribute(occurrence):
            candidates = tuple(self.open.get(name, ()))
        for candidate in candidates:
            if candidate in self.unseen and not self._inside(occurrence, candidate):
                self.possible.add(candidate)
                if not self.keep_possible:
                    self._drop(occurrence, candidate, name)

    def _reads_attribute(self, occurrence: Occurrence) -> bool:
        """Whether it is `something.name` without a call, where nothing is known to be found: it may be made up late."""
        references, index = self._slice(occurrence.path).references, occurrence.index
        return references.role[index] == READ and references.receiver[index] != NONE

    def _drop(self, occurrence: Occurrence, definition: Definition, name: str) -> None:
        if definition not in self.unseen or self._inside(occurrence, definition):
            return
        self.unseen.discard(definition)
        left = self.open.get(name)
        if left is not None:
            left.discard(definition)
            if not left:
                del self.open[name]

    def _inside(self, occurrence: Occurrence, definition: Definition) -> bool:
        """Whether a reference stands in the definition itself."""
        if occurrence.path != definition.path:
            return False
        slice_ = self._slice(occurrence.path)
        symbol = slice_.references.symbol[occurrence.index]
        while symbol > definition.index:
            symbol = slice_.symbols.parent[symbol]
        return symbol == definition.index

    def reason(self, definition: Definition) -> str:
        """Why a definition without references may be used all the same; empty if nothing says so."""
        slice_ = self._slice(definition.path)
        name = slice_.strings[slice_.symbols.name[definition.index]]
        if self._entry_point(slice_, definition.index, name):
            return ENTRY_POINT
        if self._decorated(slice_, definition.index):
            return DECORATED
        if slice_.symbols.flags[definition.index] & Flag.OVERRIDE:
            return OVERRIDE
        if slice_.symbols.kind[definition.index] in _METHODS and self._override(slice_, definition, name):
            return OVERRIDE
        return POSSIBLE if definition in self.possible else ""

    def _entry_point(self, slice_: Slice, index: int, name: str) -> bool:
        symbols, policy = slice_.symbols, self._policy(slice_.language)
        if symbols.kind[index] == KIND["constructor"] or policy.called_implicitly(name):
            return True
        if self._holds_entry_point(slice_, index):
            return True
        if policy.entry_decorators and not policy.entry_decorators.isdisjoint(self._decorators(slice_, index)):
            return True
        while index > 0:
            if symbols.flags[index] & Flag.TEST:
                return True
            index = symbols.parent[index]
        return False

    def _holds_entry_point(self, slice_: Slice, index: int) -> bool:
        """Whether a class holds tests or the program's `main`."""
        symbols, strings = slice_.symbols, slice_.strings
        return any(
            symbols.flags[member] & Flag.TEST
            or (strings[symbols.name[member]] == "main" and symbols.flags[member] & Flag.STATIC)
            for member in slice_.children(index)
        )

    def _decorated(self, slice_: Slice, index: int) -> bool:
        if slice_.symbols.start_line[index] == slice_.symbols.line[index]:
            return False
        inert = self._policy(slice_.language).inert_decorators
        return any(name not in inert for name in self._decorators(slice_, index))

    @staticmethod
    def _decorators(slice_: Slice, index: int) -> Iterator[str]:
        """The names of what decorates a definition, which it begins with."""
        symbols, references = slice_.symbols, slice_.references
        first, last = symbols.start_line[index], symbols.line[index]
        for role, line, name in zip(references.role, references.line, references.name, strict=True):
            if role == DECORATE and first <= line <= last:
                yield slice_.strings[name]

    def _override(self, slice_: Slice, definition: Definition, name: str) -> bool:
        """Whether the method may be called as one of a base: one that is not in the view, or one that is used."""
        policy = self._policy(slice_.language)
        if policy.structural and self._in_an_interface(name, slice_.language):
            return True
        seen: set[Definition] = set()
        stack = [Definition(definition.path, slice_.symbols.parent[definition.index])]
        while stack:
            for base in self._bases(stack.pop()):
                if base is None:
                    if not policy.marks_overrides:
                        return True
                    continue
                if base in seen:
                    continue
                seen.add(base)
                stack.append(base)
                if any(member not in self.unseen for member in self._members(base, name)):
                    return True
        return False

    def _in_an_interface(self, name: str, language: str) -> bool:
        """Whether an interface of the view asks for a method of that name."""
        for path in self.view.defining(name):
            if self.view.language(path) == language:
                slice_ = self._slice(path)
                kinds, names = slice_.symbols.kind, slice_.symbols.name
                for index, parent in enumerate(slice_.symbols.parent):
                    if parent > 0 and kinds[parent] == _INTERFACE and slice_.strings[names[index]] == name:
                        return True
        return False

    def _bases(self, class_: Definition) -> Iterator[Definition | None]:
        """What a class inherits and implements; None for a base that is not in the view."""
        if class_.index <= 0:  # a method outside of its type stands in the module, which inherits nothing
            return
        slice_ = self._slice(class_.path)
        symbols, references = slice_.symbols, slice_.references
        first, last = symbols.start_line[class_.index], symbols.end_line[class_.index]
        around = (class_.index, symbols.parent[class_.index])
        for index, role in enumerate(references.role):
            if role not in (INHERIT, IMPLEMENT) or not first <= references.line[index] <= last:
                continue
            if references.symbol[index] in around:
                resolution = self.resolver.resolve(class_.path, index)
                if resolution.target is not None:
                    yield resolution.target
                elif resolution.outcome != "ambiguous":
                    yield None

    def _members(self, class_: Definition, name: str) -> Iterator[Definition]:
        slice_ = self._slice(class_.path)
        for index in slice_.children(class_.index):
            if slice_.strings[slice_.symbols.name[index]] == name:
                yield Definition(class_.path, index)

    def _slice(self, path: str) -> Slice:
        slice_ = self.view.slice(path)
        assert slice_ is not None, path
        return slice_

    def _policy(self, language: str) -> Policy:
        if language not in self._policies:
            self._policies[language] = languages.policy_of(language)
        return self._policies[language]
