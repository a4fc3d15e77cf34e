"""task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from git_graph.cli.groups import Group
from git_graph.cli.options import question
from git_graph.cli.session import NOT_FOUND, Session
from git_graph.errors import GraphError, UsageError

if TYPE_CHECKING:
    from git_graph.query.task_pins import Found
    from git_graph.query.tasks import Entry, Task
    from git_graph.resolve import Resolver
    from git_graph.sync.changes import Contents
    from git_graph.sync.values import Answering


@click.group(cls=Group)
def task() -> None:
    """Say what has to be read for a task, so that `cue --task` gives exactly that.

    A task is a file in .gitgraph/tasks that names source ranges, pinned by content, and what is worth reading beside
    them. It is tracked like any other file and holds no text of others.
    """


@task.command("list")
@question
def list_(session: Session) -> None:
    """List the tasks and how their pins stand to the files.

    Exit status 1: a pin no longer holds.
    """
    with _Opened(session) as opened:
        rows = [(task, opened.states(task)) for task in opened.tasks()]
        stale = sum(found.state != "current" for _, states in rows for found in states)
        session.status = NOT_FOUND if stale else 0
        if session.options.json:
            session.print_json(_document(session, opened.answering, rows))
            return
        from git_graph.cli.escape import safe
        from git_graph.query.cue_task import pinned

        lines = []
        for one, states in rows:
            about = f": {one.description}" if one.description else ""
            lines.append(safe(f"{one.name}{about} ({len(one.required)} required, {len(one.optional)} optional)"))
            lines += [
                safe(f"  {pinned(found.entry)}: {found.state}: {found.said}")
                for found in states
                if found.state != "current"
            ]
        session.terminal.show(lines)
        if not rows:
            session.complain("no tasks; git graph task pin NAME WHAT begins one")


@task.command()
@click.argument("name")
@click.argument("what", nargs=-1, required=True)
@click.option("--optional", is_flag=True, help="It is worth reading, but not required.")
@click.option("--note", default="", metavar="TEXT", help="Why it is to be read.")
@click.option("--for", "paths", metavar="GLOB", multiple=True, help="The task is about these files; may be repeated.")
@click.option("--description", metavar="TEXT", help="What the task is.")
@question
def pin(
    session: Session,
    name: str,
    what: tuple[str, ...],
    optional: bool,
    note: str,
    paths: tuple[str, ...],
    description: str | None,
) -> None:
    """Pin WHAT to the task NAME, which is made if there is none.

    WHAT is a SYMBOL, a file, or lines of a file (src/app.py:120-140). What is pinned is what is there now; pinning
    again the same symbol, file or lines renews the pin.
    """
    with _Opened(session) as opened:
        entries = [entry._replace(note=note) for text in what for entry in opened.entries(text)]
        path = opened.write(name, entries, "optional" if optional else "required", paths, description)
    session.complain(f"pinned {len(entries)} in {path}; add it to git to share it")


@task.command()
@click.argument("name")
@question
def renew(session: Session, name: str) -> None:
    """Pin what the task NAME pins where it is now.

    Look at `task list` first: what has changed is taken as it is. What is gone stays as it was.
    """
    from git_graph.cli.tasks import load

    with _Opened(session) as opened:
        task = load(opened.contents, name)
        if task is None:
            session.complain(f"error: no task '{name}' in view {opened.answering.name}")
            session.status = NOT_FOUND
            return
        stale = [f for f in opened.states(task) if f.entry.content and f.path and f.state != "current"]
        path = opened.renew(name, stale)
    session.complain(f"renewed {len(stale)} in {path}")


class _Opened:
    """A view whose tasks are looked at."""

    def __init__(self, session: Session) -> None:
        from git_graph.resolve import Resolver
        from git_graph.sync.changes import Contents

        self.session = session
        self.answering: Answering = session.answering()
        self.resolver: Resolver = Resolver(self.answering.view)
        self.contents: Contents = Contents(session.repository, self.answering)

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.contents.close()

    def tasks(self) -> list[Task]:
        """Every task."""
        from git_graph.cli.tasks import every

        return every(self.contents)

    def states(self, task: Task) -> list[Found]:
        """What the entries of a task are now."""
        from git_graph.query.cue_task import states

        return states(self.resolver, task, self.contents)

    def entries(self, text: str) -> list[Entry]:
        """Pins of what a text names as it is now. Raises UsageError: it names nothing."""
        from git_graph.query.tasks import Entry, safe_path

        path, lines = _place(text)
        path = self.session.path(self.answering.view, path)
        content = self.contents.content(path) if safe_path(path) else None
        if content is not None:
            if lines is not None and lines[1] > (self.contents.load(path) or b"").count(b"\n") + 1:
                raise UsageError(f"{path} has no line {lines[1]}")
            return [Entry(path, lines, content, self._symbol(path, lines))]
        found = self.resolver.lookup(self.session.symbol(self.answering.view, text))
        if not found:
            near = self.resolver.near(text)
            raise UsageError(f"no file or symbol '{text}'", f"did you mean {' or '.join(near[:2])}?" if near else "")
        rows = []
        for definition in found:
            symbol, held = self.resolver.symbol(definition), self.contents.content(definition.path)
            if held is not None:
                span = (symbol.start_line, symbol.end_line) if definition.index else None
                name = self.resolver.qualified(definition) if definition.index else ""
                rows.append(Entry(definition.path, span, held, name))
        return rows

    def _symbol(self, path: str, lines: tuple[int, int] | None) -> str:
        """The symbol that lines are in, by which they are found again."""
        from git_graph.model import Definition
        from git_graph.query.task_pins import symbol_at

        slice_ = self.answering.view.slice(path)
        index = symbol_at(slice_, lines) if slice_ is not None and lines is not None else 0
        return self.resolver.qualified(Definition(path, index)) if index else ""

    def write(self, name: str, entries: list[Entry], key: str, paths: tuple[str, ...], description: str | None) -> str:
        """Put pins into a task's file, in place of those of the same; the path of the file."""
        from git_graph.query.tasks import file_of

        path = file_of(name)
        before = self._before(path)
        text = _edited(before, entries, key, paths, description)
        return self._put(name, path, text)

    def renew(self, name: str, stale: list[Found]) -> str:
        """Write where stale pins went in place of where they were; the path of the task's file."""
        from git_graph.query.tasks import file_of

        path = file_of(name)
        document = _parsed(self._before(path))
        for found in stale:
            for table in (*document.get("required", []), *document.get("optional", [])):
                if _holds(table, found.entry):
                    table["path"], table["content"] = found.path, self.contents.content(found.path)
                    if found.entry.lines:
                        table["lines"] = list(found.lines)
                    if found.symbol:
                        table["symbol"] = found.symbol
        return self._put(name, path, _dumped(document))

    def _before(self, path: str) -> bytes | None:
        """What is in a task's file; None if there is none."""
        if self.session.options.rev or self.session.options.view:
            raise UsageError("what is pinned is in the files on disk", "leave --rev and --view out")
        before, target = self.contents.load(path), self.session.repository.require_worktree() / path
        if before is None and (target.is_symlink() or target.exists()):
            raise GraphError(f"{path} is there, but no file of this view", "see git status --ignored")
        return before

    def _put(self, name: str, path: str, text: str) -> str:
        from git_graph.query.tasks import parse

        parse(name, text.encode())
        target = self.session.repository.require_worktree() / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.parent.resolve() != target.parent:
                raise GraphError(f"{path} lies behind a symbolic link", "make a folder of its own")
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            raise GraphError(f"{path}: {error.strerror}", "see to that file and run the command again") from error
        return path


def _place(text: str) -> tuple[str, tuple[int, int] | None]:
    """A path and the lines behind it."""
    path, colon, lines = text.rpartition(":")
    first, _, last = lines.partition("-")
    if colon and first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last):
        return path, (int(first), int(last))
    return text, None


def _edited(
    before: bytes | None, entries: list[Entry], key: str, paths: tuple[str, ...], description: str | None
) -> str:
    """A task's file with more pins in it; whatever else stands there stays as it is."""
    document = _parsed(before)
    import tomlkit

    if description is not None:
        document["description"] = description
    if paths:
        document["paths"] = sorted({*document.get("paths", []), *paths})
    for entry in entries:
        for old in ("required", "optional"):
            kept = [table for table in document.get(old, []) if not _same(table, entry)]
            if len(kept) != len(document.get(old, [])):
                tables = tomlkit.aot()
                for table in kept:
                    tables.append(table)
                document[old] = tables
        if not isinstance(document.get(key), list):
            document[key] = tomlkit.aot()
        table = tomlkit.table()
        table.update({name: value for name, value in _fields(entry).items() if value})
        document[key].append(table)
    return _dumped(document)


def _parsed(before: bytes | None) -> Any:
    """A task's file, editable."""
    try:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError
    except ImportError as error:
        raise GraphError("tomlkit is not installed", "pip install 'git-code-graph[tasks]'") from error
    try:
        return tomlkit.parse(before.decode("utf-8") if before else "")
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise GraphError(f"the task's file is not TOML: {error}", "mend it first") from error


def _dumped(document: Any) -> str:
    import tomlkit

    return tomlkit.dumps(document)


def _holds(table: Any, entry: Entry) -> bool:
    """Whether a table is the one that an entry was read from."""
    return all(
        (list(table.get(name) or ()) if name == "lines" else table.get(name, ""))
        == (value or ([] if name == "lines" else ""))
        for name, value in _fields(entry).items()
    )


def _fields(entry: Entry) -> dict[str, Any]:
    return {**entry._asdict(), "lines": list(entry.lines) if entry.lines else None}


def _same(table: Any, entry: Entry) -> bool:
    """Whether a table pins what an entry does: the same symbol, or the same lines of the same file."""
    if table.get("path", "") != entry.path:
        return False
    if entry.symbol and table.get("symbol") == entry.symbol:
        return True
    return list(table.get("lines") or ()) == list(entry.lines or ())


def _document(session: Session, answering: Answering, rows: list[tuple[Task, list[Any]]]) -> dict[str, Any]:
    from git_graph.query.cue_task import pinned
    from git_graph.query.envelope import SCHEMA

    tasks = [
        {
            "name": task.name,
            "description": task.description,
            "paths": list(task.paths),
            "required": len(task.required),
            "optional": len(task.optional),
            "pins": [
                {"pin": pinned(f.entry), "state": f.state, "path": f.path, "lines": list(f.lines), "said": f.said}
                for f in states
            ],
        }
        for task, states in rows
    ]
    return {"schema": SCHEMA, "command": "task list", **session.state(answering), "results": tasks, "total": len(tasks)}
