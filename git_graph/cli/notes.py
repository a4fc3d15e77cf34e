"""What is said beside the results: how many there are, what was left out and why, and how fresh the answer is."""

from __future__ import annotations

from collections.abc import Callable

from git_graph.cli.escape import safe, safe_path
from git_graph.query.values import Answer, SymbolInfo

_NAMED = 5
"""So many of several definitions are named in a note."""


def notes(answer: Answer, freshness: str) -> list[str]:
    """Sentences about an answer, most important first."""
    said = [_summary(answer)]
    if answer.definitions_total > 1 and answer.command not in ("definitions", "path"):
        said.append(_several(answer))
    if answer.truncated:
        shown = sum(len(r.sites) for r in answer.results) if _counts_sites(answer) else len(answer.results)
        said.append(f"showing {shown:,} of {answer.total:,}; --limit 0 shows all")
    if declined := _declined(answer):
        said.append(declined)
    if excluded := answer.facts.get("excluded"):
        parts = [f"{number:,} {reason}" for reason, number in excluded.items() if number]
        if parts:
            said.append(f"left out, as they may be used unseen: {', '.join(parts)}; --include REASON lists them")
    if freshness == "refresh-needed":
        said.append("this is about an earlier state: the files have changed since")
    return [note for note in said if note]


def not_found(answer: Answer, view: str) -> str:
    """One line on what does not exist, with what may have been meant."""
    what = "file" if answer.command in ("outline", "deps") else "symbol"
    narrowed = [f"--{key[:-1]}" for key in ("kinds", "paths", "languages") if answer.query.get(key)]
    if answer.command == "find" and narrowed:
        return (
            f"error: no symbol '{safe(answer.facts['missing'])}' in view {safe(view)} that {' and '.join(narrowed)} "
            f"{'lets' if len(narrowed) == 1 else 'let'} through"
        )
    if what == "file" and (answer.facts["missing"].startswith("/") or answer.facts["missing"].split("/")[0] == ".."):
        return f"error: '{safe(answer.facts['missing'])}' is outside of the worktree"
    near = f"; did you mean {_either([safe(name) for name in answer.near])}?" if answer.near else ""
    return f"error: no {what} '{safe(answer.facts['missing'])}' in view {safe(view)}{near}"


def count(number: int, one: str, many: str = "") -> str:
    """A number and its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _counts_sites(answer: Answer) -> bool:
    return answer.command in ("callers", "callees")


def _subject(answer: Answer) -> str:
    if answer.definitions_total != 1 or not answer.definitions:
        return ", ".join(answer.query.get("symbols", ())) or str(answer.query.get("symbol", ""))
    return _named(answer.definitions[0])


def _named(symbol: SymbolInfo) -> str:
    name = "" if symbol.kind == "module" else f" {safe(symbol.qualified)}"
    return f"{symbol.kind}{name} ({safe_path(symbol.path)}:{symbol.line})"


def _several(answer: Answer) -> str:
    named = [f"{safe_path(symbol.path)}:{symbol.line}" for symbol in answer.definitions[:_NAMED]]
    more = answer.definitions_total - len(named)
    rest = f" and {more:,} more" if more else ""
    return (
        f"{answer.definitions_total:,} definitions have that name: {', '.join(named)}{rest}; PATH:LINE asks about one"
    )


def _declined(answer: Answer) -> str:
    parts = [
        f"{answer.declined[key]:,} {words}"
        for key, words in (("ambiguous", "ambiguous"), ("receiver-unknown", "on an unknown receiver"))
        if answer.declined.get(key)
    ]
    if not parts:
        return ""
    if answer.command == "references":
        return f"not certain: {' and '.join(parts)}"
    more = "; --possible lists them" if _counts_sites(answer) and not answer.query.get("possible") else ""
    verb = "listed though not certain" if answer.query.get("possible") else "not followed"
    return f"{verb}: {' and '.join(parts)}{more}"


def _summary(answer: Answer) -> str:
    return _SUMMARIES[answer.command](answer)


def _of_callers(answer: Answer) -> str:
    if not answer.total:
        return f"no calls of {_subject(answer)}"
    return f"{count(answer.total, 'call')} of {_subject(answer)}"


def _of_callees(answer: Answer) -> str:
    outside = answer.facts.get("dangling", 0)
    leaving = f", and {count(outside, 'call')} of what is not in the view" if outside else ""
    return f"{count(answer.total, 'call') if answer.total else 'no calls'} in {_subject(answer)}{leaving}"


def _of_references(answer: Answer) -> str:
    return f"{count(answer.total, 'reference') if answer.total else 'no references'} to {_subject(answer)}"


def _of_impact(answer: Answer) -> str:
    modules = answer.facts["modules"] if "module" not in answer.query["kinds"] else 0
    more = f", and {count(modules, 'module')} when loaded (--kind module)" if modules else ""
    if not answer.total:
        return f"nothing depends on {_subject(answer)}{more}"
    far = count(answer.facts["depth"], "step")
    return f"{count(answer.total, 'symbol')} may break with {_subject(answer)}, up to {far} away{more}"


def _of_path(answer: Answer) -> str:
    if not answer.total:
        return f"no chain of calls from {safe(answer.query['from'])} to {safe(answer.query['to'])}"
    return count(answer.total - 1, "call")


def _of_deps(answer: Answer) -> str:
    outside = answer.facts.get("external", 0)
    more = (
        f", and {outside:,} of what is not in the view (--external)" if outside and not answer.query["external"] else ""
    )
    return f"{count(answer.total, 'import') if answer.total else 'no imports'}{more}"


def _plain(one: str, many: str = "", none: str = "") -> Callable[[Answer], str]:
    return lambda answer: count(answer.total, one, many) if answer.total else none or f"no {many or one + 's'}"


_SUMMARIES: dict[str, Callable[[Answer], str]] = {
    "find": _plain("symbol"),
    "definitions": _plain("definition"),
    "references": _of_references,
    "callers": _of_callers,
    "callees": _of_callees,
    "impact": _of_impact,
    "path": _of_path,
    "outline": _plain("symbol"),
    "unused": _plain("definition that nothing refers to", "definitions that nothing refers to"),
    "top": _plain("symbol"),
    "deps": _of_deps,
    "cycles": _plain("import cycle"),
}
