"""Two sides given as text, compared in this process."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import partial

from query_samples import resolver_of

from git_graph.query.diff import ChangedFile, Comparison, diff
from git_graph.query.diff_values import Change
from git_graph.query.values import Answer


def clean(text: str) -> bytes:
    return textwrap.dedent(text).lstrip("\n").encode()


def bytes_of(text: str) -> bytes:
    return clean(text)


def compared(old: Mapping[str, str], new: Mapping[str, str]) -> Comparison:
    """A comparison of two sides; only files whose text differs count as changed."""
    paths = [path for path in sorted(old.keys() | new.keys()) if old.get(path) != new.get(path)]
    changed = [
        ChangedFile(
            path,
            partial(bytes_of, old[path]) if path in old else None,
            partial(bytes_of, new[path]) if path in new else None,
        )
        for path in paths
    ]
    return Comparison(resolver_of(old), resolver_of(new), changed)


def difference(old: Mapping[str, str], new: Mapping[str, str], **options: bool) -> Answer:
    return diff(compared(old, new), {}, limit=0, **options)


def line(change: Change) -> str:
    """One change on one line: `changed A.m: signature, body`; both names where they differ, and the affected sites."""
    one, other = change.old, change.new
    if one is None or other is None:
        symbol = other or one
        assert symbol is not None
        text = f"{change.change} {symbol.qualified}"
        if change.members:
            text += f" with {len(change.members)}"
    else:
        name = one.qualified if one.qualified == other.qualified else f"{one.qualified} -> {other.qualified}"
        places = "" if one.path == other.path or one.qualified == one.path else f" ({one.path} -> {other.path})"
        details = [word for word in change.what if word != change.change]
        text = f"{change.change} {name}{places}" + (f": {', '.join(details)}" if details else "")
    effects = [f"{a.effect} {a.new.path}:{a.new.line}" for a in change.references]
    return text + (f" [{', '.join(effects)}]" if effects else "")


def lines(old: Mapping[str, str], new: Mapping[str, str], **options: bool) -> list[str]:
    return [line(change) for change in difference(old, new, **options).results]
