"""Which tools there are: the commands that only read, their options and operands as a JSON schema.

The schemas are made of the commands themselves, so that a tool takes what its command takes; when to use which is said
here. An argument never becomes an option by what it holds: values are joined to their options, operands stand behind
`--`. Knows nothing of the protocol and of how a command is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from git_graph.cli.app import cli
from git_graph.records import NamedTuple

BYTES = 24_000
"""How large an answer is at most, in bytes of UTF-8, if the caller says nothing: about 6,000 tokens."""
LEAST_BYTES = 1_000
WORKTREE, MAX_BYTES = "worktree", "max_bytes"
"""The arguments that every tool has beside those of its command."""
SIDES = frozenset({"view", "rev", "a", "b", "range", "since", "until"})
"""Arguments that may turn an answer to another view than that of the directory it is asked in."""

WHEN = {
    "overview": "Call this first in a repository you do not know: sizes, languages, layout, documents, entry points,"
    " and the symbols that most others depend on.",
    "cue": "Call this before reading files for a task: what is worth reading about a file, symbol, words or your own"
    " uncommitted changes, ranked by the graph, within max_tokens.",
    "find": "Use it instead of grep when you know a name, or a part of it, and not where it is defined.",
    "definitions": "Use it when you know the name and want the place and signature of its definition.",
    "references": "Use it before renaming or changing anything that is not only called (classes, constants, fields,"
    " types): every use, with its role.",
    "callers": "Use it before changing a function's parameters or behaviour: who calls it, line by line.",
    "callees": "Use it to see what a function relies on without reading it: what it calls, line by line.",
    "impact": "Use it to judge a change: everything that may break, transitively. For direct uses ask references.",
    "outline": "Use it instead of reading a file to see what it defines, with lines and signatures.",
    "path": "Use it to see how one function comes to call another: a shortest chain of calls.",
    "unused": "Use it to find dead code: what nothing refers to. Slow the first time on large repositories.",
    "top": "Use it to see which symbols matter most. Slow the first time on large repositories.",
    "deps": "Use it to see what a file or folder imports and who imports it.",
    "cycles": "Use it to find circular imports: files that import each other, each group by one shortest circle.",
    "diff": "Use it to review a change by symbols instead of lines; without a and b: what you have not committed.",
    "log": "Use it to see which commits changed one symbol, through renames and moves.",
    "check": "Use it before committing or pushing: what the change breaks elsewhere (removed or renamed symbols still"
    " used, missing arguments, import cycles). range HEAD checks uncommitted work.",
    "delta": "Use it to see what has changed since you last looked: pass the snapshot of an earlier answer as since.",
    "snapshots": "Use it to see which earlier states of a worktree can be asked with the argument view, or compared.",
    "status": "Use it to see how the graph stands to the files; other tools bring it up to date by themselves.",
    "views": "Use it to see which views (worktrees, epochs, published branches) can be asked with the argument view.",
}  # fmt: skip
"""Tool -> when to use it rather than another; in the order in which they are listed."""

_PRESET = {"overview": ("cue", ("--show=overview",))}
"""Tool -> the command it is, with these options, where it is not called like its command."""
_WITHOUT = {
    "overview": frozenset({"show", "focus", "task", "since", "limit"}),
    "cue": frozenset({"limit"}),
    "log": frozenset({"max_count"}),
}
"""Tool -> arguments that it has no use for, or has under another name."""
_TEXT = frozenset({"overview", "cue"})
"""Tools whose answer is text: their budget counts what is read, and JSON would be half of it."""
_HIDDEN = frozenset({
    "C", "json", "color", "metrics", "no_sync", "keep", "help", "sarif", "pre_push", "pre_commit", "delete",
})  # fmt: skip
"""Options that no tool has: they write, choose another format, or make an answer less fresh."""

_OPERANDS = {
    "symbol": "A name (slugify), a qualified name (Session.get), or a place (src/app.py:120).",
    "symbols": "Names, qualified names or places (src/app.py:120).",
    "start": "The symbol that the chain begins at: a name, a qualified name or a place.",
    "end": "The symbol that the chain leads to.",
    "pattern": "A part of a name, or a glob for all of it (get_*); with a dot, of the qualified name.",
    "path": "A file or folder.",
    "a": "The older side: a commit or a view. Default: HEAD.",
    "b": "The newer side: a commit or a view. Default: the files on disk.",
    "range": "A..B, or A against the files on disk. Default: what HEAD adds to its upstream.",
    "since": "The older side: a snapshot, an epoch, a view or a commit.",
    "until": "The newer side. Default: the files on disk.",
}
"""What operands are; options say it themselves."""
_SHORT = {
    "limit": "So many results, 0 for all. Default: 100.",
    "view": "Ask another of the views, or an earlier snapshot (@{1}).",
    "rev": "Ask about a commit.",
    "path": "Only what is in these files or folders, or matches these globs.",
    "kind": "Only these kinds.",
    "language": "Only these languages.",
}
"""What many tools take, in fewer words than their help."""


class Tool(NamedTuple):
    """A tool: the command behind it, and what it takes as a JSON schema (an object)."""

    name: str
    command: str
    preset: tuple[str, ...]
    description: str
    schema: dict[str, Any]
    parameters: Mapping[str, click.Parameter]
    text: bool

    def line(self, arguments: Mapping[str, Any]) -> list[str]:
        """The command line for arguments that fit the schema."""
        options, operands = list(self.preset), list[str]()
        for name, parameter in self.parameters.items():
            value = arguments.get(name)
            if value is None or value is False:
                continue
            values = value if isinstance(value, list) else [value]
            if isinstance(parameter, click.Argument):
                operands += map(str, values)
            elif isinstance(parameter, click.Option):
                option = max(parameter.opts, key=len)
                options += [option] if parameter.is_flag else [f"{option}={one}" for one in values]
        if not self.text:
            options.append("--json")
        return [self.command, *options, "--", *operands]


def tools() -> dict[str, Tool]:
    """All tools by name."""
    return {name: _tool(name) for name in WHEN}


def _tool(name: str) -> Tool:
    (command, preset), without = _PRESET.get(name, (name, ())), _WITHOUT.get(name, frozenset())
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    parameters = {called: parameter for called, parameter in _parameters(found) if called not in without}
    properties = {called: _property(called, parameter) for called, parameter in parameters.items()}
    properties |= {
        WORKTREE: {
            "type": "string",
            "minLength": 1,
            "description": "A worktree, or a folder in it. Default: the server's.",
        }
    }
    if name not in _TEXT:
        properties |= {
            MAX_BYTES: {
                "type": "integer", "minimum": LEAST_BYTES, "default": BYTES,
                "description": "How large the answer may be.",
            }
        }  # fmt: skip
    schema = {
        "type": "object",
        "properties": properties,
        "required": [called for called, parameter in parameters.items() if parameter.required],
        "additionalProperties": False,
    }
    return Tool(name, command, preset, WHEN[name], schema, parameters, name in _TEXT)


def _parameters(command: click.Command) -> Iterator[tuple[str, click.Parameter]]:
    """(argument's name, parameter), operands first."""
    ordered = sorted(command.params, key=lambda parameter: not isinstance(parameter, click.Argument))
    for parameter in ordered:
        if isinstance(parameter, click.Argument):
            yield (parameter.name or "").rstrip("_"), parameter
        elif (name := max(parameter.opts, key=len).lstrip("-").replace("-", "_")) not in _HIDDEN:
            yield name, parameter


def _property(name: str, parameter: click.Parameter) -> dict[str, Any]:
    """What an argument may be, as a JSON schema."""
    one: dict[str, Any] = {"type": "string"}
    kind = parameter.type
    if isinstance(kind, click.IntRange):
        one = {"type": "integer", **({} if kind.min is None else {"minimum": kind.min})}
    elif isinstance(kind, click.Choice):
        one = {"type": "string", "enum": list(kind.choices)}
    elif isinstance(parameter, click.Option) and parameter.is_flag:
        one = {"type": "boolean"}
    elif isinstance(parameter, click.Argument):
        one["minLength"] = 1
    many = parameter.multiple or parameter.nargs == -1
    found = {"type": "array", "items": one, **({"minItems": 1} if parameter.required else {})} if many else one
    return {**found, "description": _told(name, parameter)}


def _told(name: str, parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Argument):
        return _OPERANDS[name]
    if name in _SHORT:
        return _SHORT[name]
    text = " ".join((getattr(parameter, "help", "") or "").split())
    return text.replace("; may be repeated", "").partition(" There are ")[0]
