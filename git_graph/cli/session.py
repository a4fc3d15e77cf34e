"""One run of one command: its common options, the repository it is about, and how its answer leaves.

Opens the repository when it is first asked for, so that wrong usage is told before anything is read.
"""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from git_graph import meter
from git_graph.cli import early
from git_graph.cli.escape import safe
from git_graph.cli.progress import Progress
from git_graph.cli.terminal import Terminal
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView
    from git_graph.git.repository import Repository
    from git_graph.query.filters import Filter
    from git_graph.query.values import Answer
    from git_graph.resolve import Resolver
    from git_graph.sync.answering import Answering

Draw = Callable[["Answer", Terminal], Iterable[str]]
"""Draws an answer as lines."""
opened: Repository | None = None
"""The repository that this process's command is about, once it was asked for."""
NOT_FOUND = 1
"""Exit status when a named symbol or path does not exist."""


class Options(NamedTuple):
    """The options that every command has; None: not given."""

    json: bool = False
    limit: int | None = None
    view: str | None = None
    rev: str | None = None
    sync: bool = True
    color: str | None = None
    keep: bool = False

    def over(self, outer: Options) -> Options:
        """These options, and those of `outer` where these are silent."""
        return Options(
            self.json or outer.json,
            outer.limit if self.limit is None else self.limit,
            self.view or outer.view,
            self.rev or outer.rev,
            self.sync and outer.sync,
            self.color or outer.color,
            self.keep or outer.keep,
        )


class Session:
    """What a command works with."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.status = 0
        """The exit status that the command ends with."""
        self._lacking = False

    @property
    def limit(self) -> int:
        """How many results to show, 0 for all."""
        return 100 if self.options.limit is None else self.options.limit

    @cached_property
    def repository(self) -> Repository:
        """The repository at the current directory."""
        from git_graph.git.repository import Repository

        global opened
        opened = Repository.discover(asked=early.asked())
        return opened

    @cached_property
    def terminal(self) -> Terminal:
        """Standard output; git's configuration is read only if that is a terminal."""
        return Terminal(self._setting, self.options.color or "auto")

    @cached_property
    def _settings(self) -> dict[str, str]:
        asked = self.repository.attempt(
            "config", "-z", "--get-regexp", r"^(color\.(ui|graph|grep\..*)|.*\.?pager(\..*)?)$"
        )
        items = asked.stdout.decode("utf-8", "surrogateescape").split("\0")
        return dict(item.partition("\n")[::2] for item in items if item)

    def _setting(self, key: str) -> str | None:
        from git_graph.errors import GraphError

        try:
            return self._settings.get(key.lower())
        except GraphError:
            return None

    @cached_property
    def prefix(self) -> str:
        """The current directory relative to the worktree root, with a `/` at its end; empty at the root."""
        root = self.repository.worktree
        if root is None:
            return ""
        here = os.path.relpath(os.path.realpath(os.curdir), os.path.realpath(root)).replace(os.sep, "/")
        return "" if here == "." or here.startswith("../") or here == ".." else f"{here}/"

    def path(self, view: GraphView, text: str) -> str:
        """A path given on the command line, relative to the worktree root.

        As in git it is taken from the current directory; what the view does not have there is taken from the root.
        """
        here, plain = self.here(text), _normal(text.replace(os.sep, "/"))
        return plain if not _holds(view, here) and _holds(view, plain) else here

    def here(self, text: str) -> str:
        """A path given on the command line, absolute or from the current directory, relative to the worktree root."""
        from pathlib import Path

        place, given, root = Path(text), text.replace(os.sep, "/"), self._root()
        if place.is_absolute() and not f"{given}/".startswith(root):  # it may lead there through links
            given = (place.resolve() if place.is_dir() else place.parent.resolve() / place.name).as_posix()
        return _normal(given[len(root) :] if f"{given}/".startswith(root) else self.prefix + given)

    def pattern(self, text: str) -> str:
        """A path as `here` takes it; a glob is taken from the root."""
        from pathlib import Path

        from git_graph.query.filters import is_glob

        return text if is_glob(text) and not Path(text).is_absolute() else self.here(text)

    def paths(self, view: GraphView, given: Sequence[str]) -> tuple[str, ...]:
        """Paths that something is narrowed to, relative to the worktree root.

        Raises:
            UsageError: the view has nothing there; globs may match nothing.
        """
        from git_graph.errors import UsageError
        from git_graph.query.filters import is_glob

        found = []
        for text in given:
            path = self.path(view, text)
            if not _holds(view, path):
                if not is_glob(text):
                    raise UsageError(f"nothing at '{text}' is indexed", "name a file or folder of sources")
                path = self.pattern(text)
            found.append(path)
        return tuple(found)

    def symbol(self, view: GraphView, text: str) -> str:
        """A SYMBOL given on the command line, a path or place in it relative to the worktree root."""
        head, colon, line = text.rpartition(":")
        path, suffix = (head, colon + line) if colon and line.isdecimal() else (text, "")
        found = self.path(view, path)
        return found + suffix if view.has(found) else text

    def filter(self, view: GraphView, kinds: Sequence[str], paths: Sequence[str], languages: Sequence[str]) -> Filter:
        """What a list is narrowed to.

        Raises:
            UsageError: a language that there is none of, or a path where the view has nothing.
        """
        from git_graph.errors import UsageError
        from git_graph.languages import by_linguist, specs
        from git_graph.query.filters import Filter

        chosen = []
        for language in languages:
            known = by_linguist(language)
            if known is None:
                raise UsageError(f"no language '{language}'", f"there are {', '.join(specs())}")
            chosen.append(known)
        return Filter(tuple(kinds), self.paths(view, paths), tuple(chosen))

    def _root(self) -> str:
        return f"{self.repository.worktree}/".replace(os.sep, "/")

    def answer(self, ask: Callable[[Resolver, Progress], Answer]) -> None:
        """Ask a question of the view and show what comes of it."""
        from git_graph.engines.protocol import Corrupt

        answering = self.answering()
        try:
            result = self._ask(ask, answering)
        except Corrupt:  # what was damaged is thrown away by now: bring the view again, once
            answering = self.answering()
            result = self._ask(ask, answering)
        self.show(result, answering)
        if self._lacking and answering.result is not None and answering.view.reopener() is not None:
            self.ahead(answering.result.files)

    def ahead(self, files: int) -> None:
        """Have what the references of so many files are found out in the background, for who asks next."""
        from git_graph.sync.background import launch_ahead

        sys.stdout.flush()
        launch_ahead(self.repository, files)

    def answering(self) -> Answering:
        """The view that is asked about, brought to the tree unless that is not wanted."""
        repository = self.repository
        from git_graph.sync.answering import answering

        wish = self.options
        if wish.keep:
            self._keep()
        with Progress("indexing") as progress:
            return answering(
                repository, view=wish.view, rev=wish.rev, sync=wish.sync, progress=progress, reading=early.take()
            )

    def _keep(self) -> None:
        """Keep the graph of the commit that is asked about."""
        from git_graph.errors import UsageError

        if self.options.rev is None:
            raise UsageError("--keep keeps the graph of a commit", "name the commit with --rev REV")
        from git_graph.sync.sharing import keep

        with Progress("indexing") as progress:
            name = keep(self.repository, self.options.rev, progress=progress)
        self.complain(f"kept as {name}, which --view asks again")

    def _ask(self, ask: Callable[[Resolver, Progress], Answer], answering: Answering) -> Answer:
        from git_graph.resolve import Resolver

        resolver = Resolver(answering.view)
        with Progress("resolving") as progress, meter.phase("resolving"):
            answer = ask(resolver, progress)
        self._lacking = resolver.lacking
        return answer

    @meter.phase("rendering")
    def show(
        self, answer: Answer, answering: Answering, draw: Draw | None = None, said: Sequence[str] | None = None
    ) -> None:
        """Print an answer, and set the exit status that goes with it; `draw` and `said` stand in for the usual text."""
        if not answer.found:
            self.status = NOT_FOUND
        if self.options.json:
            from git_graph.query.envelope import envelope

            self.print_json(envelope(answer, self.state(answering), answering.warnings))
            return
        from git_graph.cli import notes, text

        for warning in (*answering.warnings, *answer.warnings):
            self.complain(f"warning: {warning}")
        if not answer.found:
            self.complain(notes.not_found(answer, answering.name))
            return
        said = notes.notes(answer, answering.freshness) if said is None else said
        draw = draw or (text.outline if answer.command == "outline" else text.lines)
        lines = list(draw(answer, self.terminal))
        if self.terminal.interactive:
            self.terminal.show([*lines, *(self.terminal.paint("context", note) for note in said)])
        else:
            self.terminal.show(lines)
            for note in said:
                self.complain(note)

    @staticmethod
    def state(answering: Answering) -> dict[str, Any]:
        """What a view is a picture of, as answers tell it."""
        return {"view": answering.name, **{key: getattr(answering, key) for key in ("snapshot", "head", "freshness")}}

    def range(self, a: str, b: str | None) -> tuple[str, str | None]:
        """The two sides that A and B name, or a range as git writes it (`A..B`, `A...B`: from where both parted)."""
        from git_graph.errors import UsageError

        for dots in ("...", ".."):
            if dots not in a:
                continue
            if b is not None:
                raise UsageError(f"'{a}' names two sides already", "leave the second out")
            old, _, new = a.partition(dots)
            old, new = old or "HEAD", new or "HEAD"
            return (self.repository.merge_base(old, new) or old if dots == "..." else old), new
        return a, b

    def print_json(self, document: dict[str, Any]) -> None:
        """Print one JSON object: indented on a terminal, on one line otherwise, ASCII always."""
        import json

        self.terminal.show([json.dumps(document, indent=2 if self.terminal.interactive else None)])

    def complain(self, line: str) -> None:
        """Print a line to standard error."""
        sys.stderr.write(f"{safe(line)}\n")


def _normal(path: str) -> str:
    """A path without `.` and `..`; empty for the root."""
    normal = posixpath.normpath(path)
    return "" if normal == "." else normal


def _holds(view: GraphView, path: str) -> bool:
    return view.has(path) or not path or any(other.startswith(f"{path}/") for other in view.paths())
