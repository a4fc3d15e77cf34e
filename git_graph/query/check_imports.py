"""New imports between files: which of them close a circle, and which a rule forbids.

Only the imports of files that changed are compared; a circle is looked for from each new import on, and one that was
there before is not new. Knows nothing of how the rules are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from git_graph.languages import policy_of
from git_graph.query.check_rules import Forbidden
from git_graph.query.check_values import Finding
from git_graph.query.diff import Comparison
from git_graph.query.imports import imports_of
from git_graph.query.values import Dependency
from git_graph.resolve import Resolver

MAX_FILES = 5_000
"""A circle is looked for through so many files at most."""


class Imports:
    """The imports of one side, each file's looked at once."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._known: dict[str, dict[str, Dependency]] = {}

    def of(self, path: str) -> dict[str, Dependency]:
        """Target -> the import of it by a file."""
        if path not in self._known:
            self._known[path] = {edge.target: edge for edge in imports_of(self._resolver, path) if edge.target}
        return self._known[path]

    def loaded(self, path: str) -> list[str]:
        """What is loaded with a file."""
        return [target for target, edge in self.of(path).items() if not (edge.deferred or edge.type_only)]

    def way(self, start: str, end: str) -> tuple[list[str], bool]:
        """A shortest way of imports from one file to another (empty: there is none), and whether all was looked at."""
        came: dict[str, str] = {}
        frontier = [start]
        while frontier and end not in came and len(came) < MAX_FILES:
            reached = []
            for path in frontier:
                for target in self.loaded(path):
                    if target not in came and target != start:
                        came[target] = path
                        reached.append(target)
            frontier = reached
        if end not in came:
            return [], not frontier
        found = [end]
        while found[-1] != start:
            found.append(came[found[-1]])
        return found[::-1], True


def new_imports(comparison: Comparison, old: Imports, new: Imports) -> Iterator[Dependency]:
    """The imports that the files that changed have and had not; a file that moved imports what it did."""
    was = {there: path for path, there in comparison.matches.file_of.items()}
    moved = comparison.matches.file_of
    for path in comparison.new_files:
        before = {moved.get(target, target) for target in old.of(was[path])} if path in was else set()
        yield from (edge for target, edge in new.of(path).items() if target not in before)


def findings(comparison: Comparison, forbidden: tuple[Forbidden, ...]) -> tuple[list[Finding], bool]:
    """Circles and forbidden imports that are new; and whether every circle was looked for to its end."""
    old, new = Imports(comparison.old), Imports(comparison.new)
    found: list[Finding] = []
    told: set[frozenset[str]] = set()
    complete = True
    for edge in new_imports(comparison, old, new):
        found += [_forbidden(edge, rule) for rule in forbidden if rule.forbids(edge.path, edge.target)]
        if edge.deferred or edge.type_only or not _runs(comparison, edge.path):
            continue
        way, whole = new.way(edge.target, edge.path)
        complete = complete and whole
        if not way or frozenset(way) in told or _was_circle(comparison, old, edge):
            continue
        told.add(frozenset(way))
        found.append(_circle(edge, way))
    return found, complete


def _runs(comparison: Comparison, path: str) -> bool:
    """Whether what a file imports is run when it is loaded, so that a circle hurts."""
    return policy_of(comparison.new.view.language(path) or "").runs_imports


def _was_circle(comparison: Comparison, old: Imports, edge: Dependency) -> bool:
    """Whether the two files were in one circle already."""
    was = {there: path for path, there in comparison.matches.file_of.items()}
    one, other = was.get(edge.path, edge.path), was.get(edge.target, edge.target)
    view = comparison.old.view
    return view.has(one) and view.has(other) and bool(old.way(other, one)[0]) and bool(old.way(one, other)[0])


def _circle(edge: Dependency, way: list[str]) -> Finding:
    return Finding(
        edge.path, edge.line, 1, "import-cycle",
        f"this import closes a circle: {' -> '.join((edge.path, *way))}",
        "import it inside of the function that needs it, or move what both need into a third file",
        symbol=edge.target,
    )  # fmt: skip


def _forbidden(edge: Dependency, rule: Forbidden) -> Finding:
    why = f": {rule.reason}" if rule.reason else ""
    return Finding(
        edge.path, edge.line, 1, "forbidden-import",
        f"imports {edge.target}, which rule '{rule.name}' forbids{why}",
        "do without that import, or change the rule in .gitgraph/rules.toml",
        rule.name, edge.target,
    )  # fmt: skip
