"""Snapshots and what changed between them, as text."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from git_graph.cli import review
from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.terminal import Terminal

if TYPE_CHECKING:
    from git_graph.query.values import Answer
    from git_graph.sync.epochs import Listed, Rebaselined

SHOWN_DIGITS = 12


def listing(rows: Sequence[Listed]) -> Iterator[str]:
    """A view's snapshots, a line each."""
    width = max((len(safe(row.short)) for row in rows), default=0)
    for row in rows:
        number = f"number {row.sequence}" + (f" of {safe(row.epoch)}" if row.epoch else "")
        head = row.head[:SHOWN_DIGITS] if row.head else "no commit yet"
        where = head + (f" ({safe(row.branch)})" if row.branch else "")
        tree = f"{row.uncommitted:,} uncommitted" if row.uncommitted else "as committed"
        told = f"{_when(row.observed_at)}  {where}, {tree}, {count(row.files, 'file')}  {number}"
        yield f"{safe(row.short):<{width}}  {row.id[:SHOWN_DIGITS]}  {told}"


def began(result: Rebaselined) -> str:
    """A new epoch, in a line."""
    was = f", in place of {result.replaced[:SHOWN_DIGITS]}" if result.replaced else ""
    return f"epoch {safe(result.label)} pins snapshot {result.pinned[:SHOWN_DIGITS]} of {safe(result.view)}{was}"


def _when(seconds: int | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds is not None else "unknown time"


# delta


def changes(answer: Answer, terminal: Terminal) -> Iterator[str]:
    """The lines of a delta."""
    moved = answer.facts["moved"]
    yield from _moved("branch", moved["branch"], lambda value: safe(value) if value else "no branch")
    yield from _moved("head", moved["head"], lambda value: value[:SHOWN_DIGITS] if value else "no commit yet")
    yield from _moved("tree", moved["uncommitted"], lambda value: f"{value:,} uncommitted" if value else "as committed")
    for file in answer.facts["files"]:
        yield f"{terminal.paint('filename', safe_path(file['path']))}: {_file(file)}"
    yield from review.changes(answer, terminal)


def _moved(what: str, sides: dict[str, Any], told: Any) -> Iterator[str]:
    if sides["old"] != sides["new"]:
        yield f"{what}: {told(sides['old'])} -> {told(sides['new'])}"


def _file(file: dict[str, Any]) -> str:
    old, new = file["old"], file["new"]
    state = (new or old)["state"]
    if file["change"] == "renamed":
        return ", ".join(filter(None, (f"renamed from {safe_path(file['old_path'])}", state, _skipped(old, new))))
    if file["change"] == "deleted":
        return f"deleted, was {state}"
    if old is None:
        return ", ".join(filter(None, (file["change"], state, _skipped(old, new))))
    modes = f"mode {old['mode']} -> {new['mode']}" if old["mode"] != new["mode"] else ""
    states = f"{old['state']} -> {new['state']}" if old["state"] != new["state"] else state
    words = {"content": "content changed", "mode": modes, "state": ""}[file["change"]]
    more = modes if file["change"] == "content" else ""
    return ", ".join(filter(None, (words, more, states, _skipped(old, new))))


def _skipped(old: dict[str, Any] | None, new: dict[str, Any]) -> str:
    """Whether a file was skipped, where it is or that changed."""
    sides = [f"skipped ({safe(side['skipped'])})" if side["skipped"] else "not skipped" for side in (old, new) if side]
    if len(set(sides)) > 1:
        return " -> ".join(sides)
    return sides[0] if new["skipped"] else ""


def summary(answer: Answer) -> list[str]:
    """Sentences about a delta."""
    files, total = answer.facts["files"], answer.facts["files_total"]
    said = [f"{count(total, 'file')} differ{'s' if total == 1 else ''}" if total else "no file differs"]
    if len(files) < total:
        said[0] += f", {len(files):,} shown; --limit 0 shows all"
    return [*said, *review.summary(answer)]
