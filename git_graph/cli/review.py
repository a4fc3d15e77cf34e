"""Comparisons as text, as a review would sum them up: what became of which symbol, and of what refers to it."""

from __future__ import annotations

from collections.abc import Iterator

from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.terminal import Terminal
from git_graph.cli.text import VERBS, place, title
from git_graph.query.diff_values import Affected, Change, FileStat
from git_graph.query.values import Answer, SymbolInfo

MEMBERS_NAMED = 8
"""So many members that came or went with a symbol are named."""
_EFFECTS = {
    "dangling": "nothing that it could mean is left",
    "unclear": "what it means cannot be told any more",
}


def changes(answer: Answer, terminal: Terminal) -> Iterator[str]:
    """The lines of a diff."""
    for result in answer.results:
        yield from _stat(terminal, result) if isinstance(result, FileStat) else _change(terminal, result)


def summary(answer: Answer) -> list[str]:
    """Sentences about a diff."""
    facts = answer.facts
    parts = [f"{number:,} {word}" for word, number in facts["changes"].items() if number]
    said = [f"{count(sum(facts['changes'].values()), 'symbol')}: {', '.join(parts)}" if parts else "no symbol differs"]
    words = {"dangling": "dangle", "elsewhere": "mean another symbol", "unclear": "are not certain any more"}
    told = [f"{number:,} {words[effect]}" for effect, number in facts["references"].items() if number]
    if told:
        said.append(f"references that stood before: {', '.join(told)}")
    if facts["comments_only"] and not answer.query.get("comments"):
        said.append(f"{count(facts['comments_only'], 'symbol')} of which only comments differ; --comments lists them")
    if answer.truncated:
        said.append(f"showing {len(answer.results):,} of {answer.total:,}; --limit 0 shows all")
    return said


def _change(terminal: Terminal, change: Change) -> Iterator[str]:
    symbol = change.new or change.old
    assert symbol is not None
    yield f"{place(terminal, symbol.path, symbol.line)}{_headline(terminal, change, symbol)}"
    old, new = change.old, change.new
    if old is not None and new is not None and "signature" in change.what:
        yield f"    - {terminal.paint('context', safe(old.signature))}"
        yield f"    + {terminal.paint('context', safe(new.signature))}"
    for affected in change.references:
        yield f"    {_affected(terminal, affected)}"
    left = change.references_total - len(change.references)
    if left:
        yield f"    and {count(left, 'more reference')}"


def _headline(terminal: Terminal, change: Change, symbol: SymbolInfo) -> str:
    old, new = change.old, change.new
    name = terminal.paint("function", _title(symbol))
    kind = "file" if symbol.kind == "module" else symbol.kind
    if old is None or new is None:
        return f"{change.change} {kind} {name}{_members(change)}"
    details = [word for word in change.what if word not in ("moved", "renamed")]
    if details == ["reach"]:
        return f"same {kind} {name}, but what refers to it does not reach it"
    if kind == "file" and change.change == "changed":
        details = ["what stands outside of its symbols" if word == "body" else word for word in details]
    if "places" in details:
        details[details.index("places")] = "one of its definitions came or went"
    if "kind" in details:
        details[details.index("kind")] = f"was a {old.kind}"
    also = f"{', and ' if change.change != 'changed' else ': '}{', '.join(details)}" if details else ""
    if change.change == "changed":
        return f"changed {kind} {name}{also}"
    changed = f"{also} changed" if also else ""
    was = f"{safe_path(old.path)}:{old.line}" if old.path != new.path else f"line {old.line}"
    if change.change == "renamed":
        moved = f", moved from {was}" if "moved" in change.what else ""
        return f"renamed {kind} {_title(old)} to {name}{moved}{changed}"
    if kind == "file":
        return f"moved file from {safe_path(old.path)}{changed}"
    as_ = f" ({_title(old)})" if old.qualified != new.qualified else ""
    return f"moved {kind} {name} from {was}{as_}{changed}"


def _title(symbol: SymbolInfo) -> str:
    return safe_path(symbol.path) if symbol.kind == "module" else safe(symbol.qualified)


def _members(change: Change) -> str:
    if not change.members:
        return ""
    if change.members[0].kind == "module" or len(change.members) > MEMBERS_NAMED:
        return f", with {count(len(change.members), 'symbol')} in it"
    return f", with {', '.join(safe(member.name) for member in change.members)}"


def _affected(terminal: Terminal, affected: Affected) -> str:
    site, was = affected.new, affected.old.target
    head = f"{place(terminal, site.path, site.line)}{title(site.inside)} {VERBS[site.role]} {safe(site.name)}"
    if affected.effect == "elsewhere" and site.target is not None:
        now = site.target
        told = f"now {safe(now.qualified)} in {safe_path(now.path)}:{now.line}"
        if was is not None:
            told += f", was that in {safe_path(was.path)}:{was.line}"
    elif affected.effect == "elsewhere":
        told = "means something outside of the view now"
    else:
        told = _EFFECTS[affected.effect]
    return f"{head}{terminal.paint('context', f'  ({told})')}"


def _stat(terminal: Terminal, row: FileStat) -> Iterator[str]:
    parts = [
        f"{getattr(row, word):,} {word}" for word in ("added", "removed", "moved", "changed") if getattr(row, word)
    ]
    if row.dangling:
        parts.append(f"{count(row.dangling, 'reference')} to it dangle")
    name = terminal.paint("filename", safe_path(row.path))
    was = f" (was {safe_path(row.old_path)})" if row.old_path else ""
    yield f"{name}{was}: {', '.join(parts) or 'moved'}"


def history(answer: Answer, terminal: Terminal) -> Iterator[str]:
    """The lines of a log: a commit, what it did, and both signatures where they differ."""
    for entry in answer.results:
        change = entry.change
        symbol = change.new or change.old
        day = entry.date.partition("T")[0]
        commit = terminal.paint("lineNumber", entry.commit[:10])
        yield f"{commit} {day} {safe(entry.author)}: {safe(entry.subject)}"
        for line in _change(terminal, change._replace(members=())):
            yield f"    {line}" if symbol is not None else line


def told(answer: Answer) -> list[str]:
    """Sentences about a log."""
    looked = f"{count(answer.facts['commits'], 'commit')} looked at"
    symbol = safe(str(answer.query["symbol"]))
    said = [f"{looked}, {len({entry.commit for entry in answer.results}) or 'none'} of them changed {symbol}"]
    if answer.truncated:
        said.append("there are more; -n 0 shows all")
    if answer.definitions_total > 1:
        said.append(
            f"{answer.definitions_total:,} definitions have that name, all are followed; PATH:LINE asks about one"
        )
    return said


def findings(answer: Answer, terminal: Terminal) -> Iterator[str]:
    """The lines of a check."""
    for finding in answer.results:
        rule = f"{finding.rule}:{finding.name}" if finding.name else finding.rule
        head = f"{place(terminal, finding.path, finding.line)}{terminal.paint('function', safe(rule))}: "
        yield f"{head}{safe(finding.message)}"
        yield terminal.paint("context", f"    {safe(finding.advice)}")


def verdict(answer: Answer) -> list[str]:
    """Sentences about a check."""
    silenced = answer.facts["silenced"]
    also = f", {count(silenced, 'finding')} allowed" if silenced else ""
    where = f"in {count(answer.facts['files'], 'file')} that changed"
    said = [f"{count(answer.total, 'finding') if answer.total else 'nothing is broken'} {where}{also}"]
    if answer.truncated:
        said.append(f"showing {len(answer.results):,} of {answer.total:,}; --limit 0 shows all")
    return said
