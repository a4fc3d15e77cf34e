"""cue."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from git_graph.cli.choice import Choice
from git_graph.cli.options import question
from git_graph.cli.session import NOT_FOUND, Session

if TYPE_CHECKING:
    from git_graph.query.cue_focus import Focus
    from git_graph.query.cue_values import Chosen, Cue
    from git_graph.query.lines import Ranges
    from git_graph.resolve import Resolver
    from git_graph.sync.changes import Changes
    from git_graph.sync.values import Answering

SHOWN = ("ranked", "overview", "delta", "provenance")
TRIES = 3
"""A tree that goes on moving is met so often."""


@click.command()
@click.option(
    "--show", type=Choice(SHOWN), metavar="WHAT",
    help="ranked (what is near to the focus), overview (what this repository is), delta (what has changed since"
    " --since), provenance (what the ranked answer rests on).  [default: ranked; overview without any focus]",
)  # fmt: skip
@click.option("--focus", metavar="FOCUS", multiple=True, help="A file or folder, a SYMBOL, or words; may be repeated.")
@click.option("--task", metavar="NAME", help="What the task NAME (.gitgraph/tasks/NAME.toml) says has to be read.")
@click.option(
    "--since", metavar="REV", help="What has changed since REV (or a snapshot) is in the focus.  [default: HEAD]"
)
@click.option(
    "--max-tokens", type=click.IntRange(min=0), default=1000, show_default=True, metavar="N",
    help="Print at most N tokens (a quarter of the bytes), 0 for all.",
)  # fmt: skip
@question
def cue(
    session: Session, show: str | None, focus: tuple[str, ...], task: str | None, since: str | None, max_tokens: int
) -> None:
    """Print what is worth reading first, within a budget.

    Whole lines only, the best first: what the focus defines, what uses it, what it uses, and what is near, by the
    graph. What has changed since HEAD (or --since) is in the focus too. What is left out is counted, with the command
    that shows it. The same tree and question give the same bytes.
    """
    from git_graph.errors import UsageError

    if task is not None and (show or focus or since):
        raise UsageError("--task says what is shown", "leave --show, --focus and --since out")
    Request(session, show, focus, task, since, max_tokens).print()


class Request:
    """One cue: drawn up about a view, and again if the tree has moved meanwhile."""

    def __init__(
        self,
        session: Session,
        show: str | None,
        focus: tuple[str, ...],
        task: str | None,
        since: str | None,
        budget: int,
    ) -> None:
        self.session = session
        self.show, self.focus, self.task, self.since, self.budget = show, focus, task, since, budget

    def print(self) -> None:
        """Print it."""
        from git_graph.errors import RefMoved
        from git_graph.query.cue_fit import fit

        for _ in range(TRIES):
            answering = self.session.answering()
            cue = self.cue(answering)
            if cue is None:
                self.session.status = NOT_FOUND
                return
            output = fit(cue, self.draw(cue, answering), self.budget)
            if self._still(answering):
                self.session.terminal.show(output.removesuffix("\n").split("\n"))
                return
        raise RefMoved("the files went on changing while the cue was made", "run it again when they rest")

    def _still(self, answering: Answering) -> bool:
        """Whether the tree is what was looked at."""
        wish = self.session.options
        if wish.rev is not None or not wish.sync:
            return True
        return self.session.answering().snapshot == answering.snapshot

    def cue(self, answering: Answering) -> Cue | None:
        """The whole cue, whatever it costs; None if what it is about does not exist (that has been told)."""
        cue = self._drawn_up(answering)
        if cue is None:
            return None
        more = self._line()
        return cue._replace(sections=tuple(s._replace(more=s.more or more) for s in cue.sections))

    def _line(self) -> str:
        """The command line that asks the same without an end."""
        words: list[str] = []
        options = {"--show": self.show, "--task": self.task, "--since": self.since, "--view": self.session.options.view}
        options |= {"--rev": self.session.options.rev}
        for name, value in options.items():
            words += [name, value] if value else []
        for text in self.focus:
            words += ["--focus", text]
        return f"git graph cue {shlex.join([*words, '--max-tokens', '0'])}"

    def draw(self, cue: Cue, answering: Answering) -> Callable[[Chosen, int], str]:
        """What draws it, as text or JSON."""
        state = self.session.state(answering)
        if not self.session.options.json:
            from git_graph.cli.cue import text

            return lambda chosen, tokens: text(cue, chosen, state, tokens)
        return partial(_json, cue, state, answering.warnings)

    def _drawn_up(self, answering: Answering) -> Cue | None:
        from git_graph.query.cue_overview import overview
        from git_graph.resolve import Resolver
        from git_graph.resolve.world import World

        if self.show == "delta":
            return self._delta()
        if self.task is not None:
            return self._of_task(self.task, answering)
        repository, query = self.session.repository, {"focus": list(self.focus), "since": self.since}
        resolver = Resolver(answering.view, World(answering.view), candidates=False)
        if self.show != "overview":
            about, found = self._about(resolver, answering)
            if about.unknown:
                self._not_found(resolver, answering, about.unknown[0])
                return None
            if about.weights or self.show is not None:
                return self._near(resolver, about, found, query, answering)
        from git_graph.sync.changes import documents

        return overview(resolver, documents(repository, answering), query)

    def _near(
        self, resolver: Resolver, about: Focus, found: Changes, query: dict[str, Any], answering: Answering
    ) -> Cue:
        from git_graph.query.cue import provenance, ranked

        if self.show == "provenance":
            return provenance(resolver, about, query, lambda path, content: _size(found, path, content))
        cue = ranked(resolver, about, query, self.budget)
        return cue._replace(notes=(*cue.notes, *self._tasks(about, answering)))

    def _tasks(self, about: Focus, answering: Answering) -> list[str]:
        """Sentences on the tasks that are about files in the focus."""
        from git_graph.cli import tasks
        from git_graph.sync.changes import Contents

        contents = Contents(self.session.repository, answering)
        paths = sorted({definition.path for definition in about.weights})
        found = [task.name for task in tasks.every(contents) if any(map(task.covers, paths))]
        return [f"a task is about this: git graph cue --task {name}" for name in found]

    def _of_task(self, name: str, answering: Answering) -> Cue | None:
        from git_graph.cli import tasks
        from git_graph.query.cue_task import task_cue
        from git_graph.resolve import Resolver
        from git_graph.sync.changes import Contents

        contents = Contents(self.session.repository, answering)
        try:
            task = tasks.load(contents, name)
            if task is None:
                there = ", ".join(tasks.names(contents)) or "none; git graph task pin NAME WHAT begins one"
                self.session.complain(f"error: no task '{name}' in view {answering.name}; there are {there}")
                return None
            return task_cue(Resolver(answering.view), task, contents, {"task": name})
        finally:
            contents.close()

    def _delta(self) -> Cue:
        from git_graph.cli.commands.review import comparison
        from git_graph.query.cue_delta import delta

        wish = self.session.options
        old, new = self.since or "HEAD", wish.rev or wish.view
        more = f"git graph diff {shlex.join([old, *([new] if new else [])])}"
        with comparison(self.session, old, new) as (compared, sides):
            paths = [(path, _became(before, after)) for path, before, after in compared.changed]
            return delta(sides, paths, {"focus": list(self.focus), "since": self.since}, more)

    def _about(self, resolver: Resolver, answering: Answering) -> tuple[Focus, Changes]:
        from git_graph.query.cue_focus import focus
        from git_graph.sync.changes import changes

        found = changes(self.session.repository, answering, self.since, sync=self.session.options.sync)
        lines: dict[str, Ranges | None] = {}
        for path, old, new in found.changed:
            if new is not None and resolver.view.has(path):
                lines[path] = _lines(found, path, old, new)
        texts = [self.session.symbol(resolver.view, text) for text in self.focus]
        return focus(resolver, texts, lines), found

    def _not_found(self, resolver: Resolver, answering: Answering, text: str) -> None:
        from git_graph.query.values import Answer

        facts: Mapping[str, Any] = {"missing": text}
        near = tuple(resolver.near(text))
        self.session.show(Answer("cue", {"focus": list(self.focus)}, found=False, near=near, facts=facts), answering)


def _lines(changes: Changes, path: str, old: str | None, new: str) -> Ranges | None:
    """The lines of a file that changed; None: all of them, or it cannot be told."""
    from git_graph.query.lines import differing

    before = None if old is None else changes.old.read(old, path)
    after = changes.new.read(new, path)
    return None if before is None or after is None else differing(before, after)


def _size(found: Changes, path: str, content: str) -> int | None:
    data = found.new.read(content, path)
    return None if data is None else len(data)


def _became(before: str | None, after: str | None) -> str:
    return "added" if before is None else "removed" if after is None else "changed"


def _json(cue: Cue, state: Mapping[str, Any], warnings: tuple[str, ...], chosen: Chosen, tokens: int) -> str:
    import json

    from git_graph.query.cue_values import document
    from git_graph.query.envelope import SCHEMA

    fields = {"schema": SCHEMA, "command": "cue", **state, "tokens": tokens, **document(cue, chosen)}
    return json.dumps({**fields, "warnings": list(warnings)}, separators=(",", ":")) + "\n"
