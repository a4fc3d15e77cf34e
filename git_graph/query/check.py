"""What does a range of commits break?

Only what it introduced is found: references that stood on the base side and dangle on the new one, calls that gave
enough before and do not now, circles and forbidden imports that were not there. A line is left alone that says
`git-graph: allow RULE`, or stands below one that does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from git_graph.languages import policy_of
from git_graph.model import ATTRIBUTED, CALL, IMPORT, INSTANTIATE, ROLES, Definition, ImportFlag
from git_graph.query.check_arguments import arguments, missing, parameters
from git_graph.query.check_imports import findings as of_imports
from git_graph.query.check_rules import Rules
from git_graph.query.check_values import Finding
from git_graph.query.diff import Comparison, SymbolChange, symbol_changes
from git_graph.query.diff_sites import Progress, Site
from git_graph.query.diff_symbols import CALLABLE, CUT
from git_graph.query.diff_tokens import Tokens, tokenize, words
from git_graph.query.imports import quiet
from git_graph.query.values import Answer
from git_graph.resolve import Occurrence

_ALLOW = re.compile(r"git-graph:\s*allow[ \t]+([\w:. ,>-]+)")


def check(
    comparison: Comparison,
    query: dict[str, Any],
    rules: Rules,
    *,
    allow: Collection[str] = (),
    limit: int = 100,
    progress: Progress = quiet,
) -> Answer:
    """The findings of a range, by path and line; `allow` are rules that are not held to, beside those of the file."""
    imports, complete = of_imports(comparison, rules.forbidden)
    changes = symbol_changes(comparison)
    every = [*_dangling(comparison, progress), *_short(comparison, changes), *imports]
    allowed = frozenset((*allow, *rules.allowed))
    source = _Source(comparison.load)
    found, silenced = [], 0
    for finding in sorted(set(every)):
        if allowed & finding.names or source.allows(finding):
            silenced += 1
        else:
            found.append(finding)
    shown = found[:limit] if limit else found
    warnings = []
    if comparison.sites.bounded:
        warnings.append("bounded: there are more references to names that changed than were looked at")
    if not complete:
        warnings.append("bounded: circles of imports were not looked for through every file")
    return Answer(
        "check", query, tuple(shown), len(found), len(shown) < len(found), warnings=tuple(warnings),
        facts={"silenced": silenced, "files": len(comparison.new_files)},
    )  # fmt: skip


# references that dangle


def _dangling(comparison: Comparison, progress: Progress) -> Iterator[Finding]:
    sites = [
        site
        for site in comparison.sites.changed(progress)
        if site.effect == "dangling" and not _is_doubtful(comparison, site) and not _may_fail(comparison, site)
    ]
    imported: dict[tuple[str, Definition], Finding] = {}
    uses: dict[tuple[str, Definition], list[Finding]] = {}
    for site in sites:
        finding, key = _of_site(comparison, site), (site.new.path, site.target)
        if comparison.new.role(site.new) == IMPORT and key not in imported:
            imported[key] = finding
        elif comparison.new.role(site.new) != IMPORT:
            uses.setdefault(key, []).append(finding)
    for key, finding in imported.items():
        number = len(uses.pop(key, ()))
        again = f", and used {number} more time{'s' if number > 1 else ''} in this file" if number else ""
        yield finding._replace(message=finding.message + again)
    for rows in uses.values():
        yield from rows


def _is_doubtful(comparison: Comparison, site: Site) -> bool:
    """Whether it may still be there: its file cannot be read where its name stands, or a type is not known any more."""
    if site.target.path in comparison.blind:
        return True
    now = comparison.sites.expected(site.target)
    same = now is not None and comparison.new.symbol(now).name == comparison.old.symbol(site.target).name
    if same and site.old.resolution.outcome == "inferred":
        return True  # what was lost is how the receiver's type was known
    there = comparison.matches.file_of.get(site.target.path)
    file = comparison.new_files.get(there or "")
    if file is None or not file.slice.unparsed:
        return False
    name = comparison.old.symbol(site.target).name
    lines = [line for line, text in zip(file.tokens.lines, file.tokens.texts, strict=True) if text == name]
    return any(first <= line <= last for line in lines for first, last in file.slice.unparsed)


def _of_site(comparison: Comparison, site: Site) -> Finding:
    symbol = comparison.old.symbol(site.target)
    title = comparison.old.qualified(site.target)
    before = f"{site.target.path}:{symbol.line}"
    slice_ = comparison.new.view.slice(site.new.path)
    assert slice_ is not None
    columns, index = slice_.references, site.new.index
    name = slice_.strings[columns.name[index]]
    role = _VERBS.get(ROLES[columns.role[index]], "uses")
    now = comparison.sites.expected(site.target)
    rule, what, advice = _why(comparison, site.target, now, title)
    return Finding(
        site.new.path, columns.line[index], columns.column[index], rule,
        f"{role} {name}, but {what}", advice, symbol=title, before=before,
    )  # fmt: skip


_VERBS = {"call": "calls", "instantiate": "makes", "import": "imports", "inherit": "inherits from"}


def _why(comparison: Comparison, target: Definition, now: Definition | None, title: str) -> tuple[str, str, str]:
    """(rule, what happened to the symbol, what to do)."""
    kind = comparison.old.symbol(target).kind
    what = f"{'file' if kind == 'module' else kind} {title} ({target.path}:{comparison.old.symbol(target).line})"
    if now is None:
        return "removed-symbol", f"{what} was removed", "take the use out as well, or bring the symbol back"
    place = f"{now.path}:{comparison.new.symbol(now).line}"
    called = comparison.new.qualified(now)
    if comparison.new.symbol(now).name != comparison.old.symbol(target).name:
        return "renamed-symbol", f"{what} is {called} now", f"use the new name ({place}), or keep the old one as well"
    if now.path != target.path:
        return (
            "dangling-reference",
            f"{what} has moved to {place}",
            f"reach it in {now.path}, or export it from where it was",
        )
    return (
        "dangling-reference", f"{what} is not reached from here any more",
        f"it stands in {place}: import it from where it is, or offer it again where it was",
    )  # fmt: skip


# calls that give too little


def _short(comparison: Comparison, changes: Iterable[SymbolChange]) -> Iterator[Finding]:
    """Calls of functions that require more than they did, and give less than that."""
    tokens: dict[str, Tokens | None] = {}
    for change in changes:
        if change.old is None or change.new is None or "signature" not in change.what:
            continue
        yield from _calls(comparison, change.old, change.new, tokens)


def _calls(
    comparison: Comparison, one: Definition, other: Definition, tokens: dict[str, Tokens | None]
) -> Iterator[Finding]:
    old, new = comparison.old_files[one.path], comparison.new_files[other.path]
    if new.slice.symbols.kind[other.index] not in CALLABLE or _is_wrapped(comparison, other):
        return
    written, name = policy_of(new.slice.language).written, new.name(other.index)
    if not written.requires:
        return
    before = parameters(old.signature(one.index), old.name(one.index), written)
    after = parameters(new.signature(other.index), name, written)
    if before is None or after is None or not after.grown_since(before):
        return
    target = comparison.new.group(other).target
    others = [parameters(way, name, written) for way in _alternatives(comparison, other)]
    for site in comparison.new.references([target]):
        if site.resolution.outcome not in ATTRIBUTED or site.resolution.target != target:
            continue
        if comparison.new.role(site) not in (CALL, INSTANTIATE):
            continue
        given = _given(comparison, site, tokens)
        if given is None or not (short := missing(after, given)):
            continue
        if any(way is None or not missing(way, given) for way in others):
            continue
        yield _too_short(comparison, site, target, f"{one.path}:{old.slice.symbols.line[one.index]}", short)


def _is_wrapped(comparison: Comparison, definition: Definition) -> bool:
    """Whether a decorator may change what a call has to give."""
    file = comparison.new_files[definition.path]
    s, r = file.slice.symbols, file.slice.references
    first, last = s.start_line[definition.index], s.line[definition.index]
    faithful = policy_of(file.slice.language).faithful_decorators
    return any(
        role == ROLES.index("decorate") and first <= line <= last and file.slice.strings[name] not in faithful
        for role, line, name in zip(r.role, r.line, r.name, strict=True)
    )


def _alternatives(comparison: Comparison, definition: Definition) -> Iterator[list[str]]:
    """The signatures of a symbol's other places (overloads); one that is not known whole is empty."""
    group = comparison.new.group(definition)
    for place in (group.target, *group.places):
        if place == definition:
            continue
        file, signature = comparison.new_files.get(place.path), comparison.new.symbol(place).signature
        if file is not None:
            yield file.signature(place.index)
        else:
            written = policy_of(comparison.new.view.language(place.path) or "").written
            yield [] if signature.endswith(CUT) else words(signature, written)


def _given(comparison: Comparison, site: Occurrence, tokens: dict[str, Tokens | None]) -> Any:
    path = site.path
    slice_ = comparison.new.view.slice(path)
    if slice_ is None:
        return None
    written = policy_of(slice_.language).written
    if path not in tokens:
        known = comparison.new_files.get(path)
        data = comparison.load(path) if known is None else None
        tokens[path] = known.tokens if known else tokenize(data, written) if data is not None else None
    read = tokens[path]
    columns = slice_.references
    if read is None:
        return None
    return arguments(read, columns.line[site.index], columns.column[site.index], written)


def _too_short(
    comparison: Comparison, site: Occurrence, target: Definition, before: str, short: tuple[str, ...]
) -> Finding:
    slice_ = comparison.new.view.slice(site.path)
    assert slice_ is not None
    title, place = comparison.new.qualified(target), f"{target.path}:{comparison.new.symbol(target).line}"
    names = ", ".join(name or "one more" for name in short)
    return Finding(
        site.path, slice_.references.line[site.index], slice_.references.column[site.index], "missing-arguments",
        f"calls {title} without {names}, which it requires now ({place})",
        "give it here, or give the parameter a default", symbol=title, before=before,
    )  # fmt: skip


# what silences


class _Source:
    """Lines of files of the new side."""

    def __init__(self, load: Callable[[str], bytes | None]) -> None:
        self._load = load
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none if it cannot be read."""
        if path not in self._lines:
            self._lines[path] = (self._load(path) or b"").decode("utf-8", "replace").split("\n")
        return self._lines[path]

    def allows(self, finding: Finding) -> bool:
        """Whether the line, or the one above it, says that the rule is not held to here."""
        lines = self.lines(finding.path)
        for line in lines[max(0, finding.line - 2) : finding.line]:
            for said in _ALLOW.findall(line):
                if finding.names & set(re.split(r"[\s,]+", said.strip())):
                    return True
        return False


def _may_fail(comparison: Comparison, site: Site) -> bool:
    """Whether a reference is an import that is allowed to fail."""
    slice_ = comparison.new.view.slice(site.new.path)
    if slice_ is None or slice_.references.role[site.new.index] != IMPORT:
        return False
    place = slice_.references.line[site.new.index], slice_.references.column[site.new.index]
    columns = slice_.imports
    rows = zip(columns.line, columns.column, columns.flags, strict=True)
    return any((line, column) == place and flags & ImportFlag.OPTIONAL for line, column, flags in rows)
