"""The command reference and the man page, written from the command tree so that they cannot differ from it.

python -m git_graph.cli.reference docs/commands.md docs/git-graph.1
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from git_graph.cli.app import SECTIONS, cli
from git_graph.records import NamedTuple

NAME = "who defines what, who refers to it, and what breaks when it changes"

SYMBOLS = """\
A SYMBOL is a name (`slugify`), a qualified name (`Session.get`), or a place (`src/app.py:120`: the definition whose
name stands on that line, else the innermost one around it). A qualified name may begin with any part of the module's
path; `::`, `#` and `.` are equal in it. A file is named by its path. A name that several definitions have is answered
for all of them, and the answer says how many there are. Paths are taken from the current directory, as in git."""

ANSWERS = """\
Every question first brings the graph to the files as they are, uncommitted and untracked ones included; `--no-sync`
answers from what is indexed. Each reference says how it was attributed: `exact` (scope, import or qualifier lead to
one definition), `inferred` (the receiver's type follows from the code), `unique` (the view has one definition of that
name). What could be several things is `ambiguous`, a call on a receiver of unknown type is `receiver-unknown`: both are
counted and neither is followed. Results are printed one a line, `path:line:` first; what is said beside them goes to
standard error unless it is read on a terminal."""

STATUSES = (
    ("0", "answered; an empty list about something that exists is an answer"),
    ("1", "a named symbol or path does not exist, or find or definitions found nothing"),
    ("2", "wrong usage"),
    ("128", "an error; one line on standard error says what, where, and what to do next"),
    ("130", "interrupted"),
)

SETTINGS = (
    ("graph.untracked", "whether untracked files that are not ignored are part of the view; default yes"),
    ("graph.maxFileSize", "files above have no symbols; default 1m"),
    ("graph.historyLimit", "how many earlier snapshots a view keeps; default 20"),
    ("graph.jobs", "worker processes for extraction; default 0, as many as there are processors"),
    ("graph.parseTimeout", "seconds for one file; default 10"),
    (
        "graph.resolveAhead",
        "in a repository of at most so many files, what references are is worked out in the background; default 20000, "
        "0 is never",
    ),
    ("graph.metrics", "whether commands note what they cost in the git directory; default yes"),
    ("graph.lockTimeout", "seconds to wait for another process that writes the same view; default 30"),
    ("graph.engine", "sqlite (default) or memory"),
    ("graph.check", "what the pre-push hook does: no (default), warn, yes (stops a push), strict (also on faults)"),
    ("color.graph, color.ui", "whether there is colour; the colours are those of color.grep.<slot>"),
    ("pager.graph, core.pager", "the pager for answers that do not fit on the screen"),
)

VARIABLES = (
    ("GIT_PAGER, PAGER, NO_COLOR, TERM", "as in git"),
    ("GIT_GRAPH_DEBUG", "set to 1, an unexpected error shows where it comes from"),
)


class Entry(NamedTuple):
    """A command as it is documented."""

    name: str
    usage: str
    paragraphs: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    """Those that are its own."""


def entries() -> Iterator[tuple[str, list[Entry]]]:
    """The commands, by section."""
    context = click.Context(cli, info_name="git graph", **cli.context_settings)
    shared = {option for option, _ in common()}
    for section, names in SECTIONS.items():
        found: list[Entry] = []
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            found.extend(_entry(command, click.Context(command, info_name=name, parent=context), shared))
        yield section, found


def _entry(command: click.Command, context: click.Context, shared: set[str]) -> Iterator[Entry]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _entry(inner, click.Context(inner, info_name=name, parent=context), shared)
        return
    usage = " ".join(command.collect_usage_pieces(context)).replace("[OPTIONS]", "[<options>]")
    options = tuple(option for option in _options(command, context) if option[0] not in shared)
    text = (command.help or "").strip()
    yield Entry(
        context.command_path.removeprefix("git graph "),
        f"{context.command_path} {usage}".strip(),
        tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n")),
        options,
    )


def common() -> tuple[tuple[str, str], ...]:
    """The options that commands share."""
    options = list(_options(cli, click.Context(cli, info_name="git graph", **cli.context_settings)))
    return (*options[1:], options[0])  # `--version` last


def _options(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None and "--help" not in record[0]:
            yield record[0], " ".join(record[1].replace("[x>=0]", "").replace("[x>=1]", "").split())


def markdown() -> str:
    """`docs/commands.md`."""
    lines = [
        "# Commands",
        "",
        "Generated from the code by `make docs`; a test fails when it is stale.",
        "",
        SYMBOLS,
        "",
        ANSWERS,
        "",
        "## Options of every command",
        "",
        "They may stand in front of the command as well. `init`, `sync`, `status`, `views` and `hooks` take the first",
        "four only, `help` and `completion` none; `--version` stands alone.",
        "",
        *_table("option", common()),
    ]
    for section, commands in entries():
        lines += ["", f"## {section}"]
        for entry in commands:
            lines += ["", f"### {entry.name}", "", f"    {entry.usage}", ""]
            lines += "\n\n".join(textwrap.fill(text, 118) for text in entry.paragraphs).split("\n")
            if entry.options:
                lines += ["", *_table("option", entry.options)]
    lines += ["", "## Exit status", "", *_table("status", STATUSES)]
    lines += ["", "## Settings", "", *_table("git config", SETTINGS)]
    lines += ["", "## Environment", "", *_table("variable", VARIABLES)]
    return "\n".join(lines) + "\n"


def _table(head: str, rows: tuple[tuple[str, str], ...]) -> list[str]:
    cells = [f"| `{left.replace('|', chr(92) + '|')}` | {right.replace('|', chr(92) + '|')} |" for left, right in rows]
    return [f"| {head} | |", "|---|---|", *cells]


def manpage() -> str:
    """`git-graph.1`, in man's own language."""
    lines = [
        '.TH "GIT\\-GRAPH" "1" "" "git\\-graph" "Git Manual"',
        *_section("NAME", f"git\\-graph \\- {NAME}"),
        *_section("SYNOPSIS"),
        "\\fBgit graph\\fR [\\-C \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]",
        *_section("DESCRIPTION", _troff(" ".join((cli.help or "").split()))),
        *_paragraphs((" ".join(SYMBOLS.split()), " ".join(ANSWERS.split()))),
        *_section("COMMANDS"),
    ]
    for section, commands in entries():
        lines.append(f".SS {section}")
        for entry in commands:
            lines += [".PP", f"\\fB{_troff(entry.usage)}\\fR", ".RS 4"]
            lines += _paragraphs(entry.paragraphs)[1:]
            lines += [*_terms(entry.options), ".RE"]
    lines += [*_section("OPTIONS"), *_terms(common())]
    lines += [*_section("EXIT STATUS"), *_terms(STATUSES)]
    lines += [*_section("CONFIGURATION"), *_terms(SETTINGS)]
    lines += [*_section("ENVIRONMENT"), *_terms(VARIABLES)]
    lines += [*_section("SEE ALSO", "\\fBgit\\-grep\\fR(1), \\fBgit\\-status\\fR(1), \\fBgit\\-worktree\\fR(1)")]
    return "\n".join(lines) + "\n"


def _section(title: str, *body: str) -> list[str]:
    return [f".SH {title}", *body]


def _paragraphs(paragraphs: tuple[str, ...]) -> list[str]:
    return [line for paragraph in paragraphs for line in (".PP", _troff(paragraph))]


def _terms(rows: tuple[tuple[str, str], ...]) -> list[str]:
    return [line for left, right in rows for line in (".TP", f"\\fB{_troff(left)}\\fR", _troff(right))]


def _troff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "").replace("'", "\\(aq")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped


def main(arguments: list[str]) -> None:
    """Write the reference and the man page to the two paths given."""
    reference, manual = arguments
    Path(reference).write_text(markdown(), encoding="utf-8")
    Path(manual).write_text(manpage(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
