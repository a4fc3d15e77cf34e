"""The command's way in and every way out: exit statuses, and one line on what went wrong.

0 answered; 1 a named symbol or path does not exist; 2 wrong usage; 128 an error; 130 interrupted; 141 nobody reads
what we print. A traceback is shown only to those who ask for it with GIT_GRAPH_DEBUG=1.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import click

    from git_graph.errors import GraphError

INTERRUPTED, BROKEN_PIPE = 130, 141
PROGRAM = "git graph"
COLLECT_AFTER = 100_000
"""Allocations between two garbage collections: a command lives for a moment, and what it decodes holds no cycles."""
COMPLETE = "_GIT_GRAPH_COMPLETE"
"""The variable by which a shell's completion asks us instead of running a command."""


def main() -> NoReturn:
    """Run the command that the process was started with."""
    gc.set_threshold(COLLECT_AFTER)
    status = run(sys.argv[1:])
    _end(status)
    sys.exit(status)


def _end(status: int) -> None:
    """End the process, unless something is still under way: taking every module apart costs a tenth of an answer."""
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # Python's own way out says so
    os._exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit status."""
    from git_graph.cli import early

    try:
        early.start(arguments)
        _unbreakable_output()
        status = _guarded(arguments)
        sys.stdout.flush()
        _account(arguments, status)
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that nothing is said at exit
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        early.stop()


def _account(arguments: Sequence[str], status: int) -> None:
    """Tell what the command has cost where that is asked, and note it; whatever is wrong with that is no matter."""
    from git_graph import meter
    from git_graph.cli import metering, session

    repository = session.opened
    wanted = "--metrics" in arguments
    if not meter.command or (repository is None and not wanted):
        return
    found = metering.metrics(status)
    if wanted and "--json" in arguments:
        import json

        sys.stderr.write(json.dumps({"metrics": found}) + "\n")
    elif wanted:
        sys.stderr.write(metering.told(found))
    if repository is not None and metering.is_wanted(repository):
        metering.note(repository.graph_dir, found)


def _guarded(arguments: Sequence[str]) -> int:
    """Run one command and tell what goes wrong in it."""
    from git_graph.errors import GraphError

    as_json = "--json" in arguments
    try:
        return _command(arguments)
    except GraphError as error:
        return _fail(error, as_json)
    except BrokenPipeError:
        raise
    except Exception as error:
        if os.environ.get("GIT_GRAPH_DEBUG"):
            raise
        return _fail(_unexpected(error), as_json)


def _command(arguments: Sequence[str]) -> int:
    from git_graph.cli import plain

    line = None if COMPLETE in os.environ else plain.read(arguments)
    return _by_click(arguments) if line is None else line.run()


def _by_click(arguments: Sequence[str]) -> int:
    """Let click read the command line. Raises UsageError."""
    import click

    from git_graph.cli.app import cli

    if wish := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "git-graph", COMPLETE, wish)
    try:
        with cli.make_context(PROGRAM, list(arguments)) as context:
            status = cli.invoke(context)
    except click.exceptions.Exit as way_out:
        return way_out.exit_code
    except click.ClickException as error:
        raise _usage(error) from error
    return status if isinstance(status, int) else 0


def _usage(error: click.ClickException) -> GraphError:
    from git_graph.errors import UsageError

    context = getattr(error, "ctx", None)
    name = context.info_name if context is not None and context.parent is not None else ""
    message, _, hint = error.format_message().rstrip(".").partition("; ")
    return UsageError(message, hint or f"see git graph help {name}".rstrip())


def _unexpected(error: Exception) -> GraphError:
    from git_graph import __version__
    from git_graph.errors import GraphError

    if isinstance(error, OSError) and error.filename:
        return GraphError(f"{error.filename}: {error.strerror}", "see to that file and run the command again")
    return GraphError(
        f"{type(error).__name__}: {error}",
        f"this is a bug in git-graph {__version__}: please report what GIT_GRAPH_DEBUG=1 prints for this command",
    )


def _fail(error: GraphError, as_json: bool) -> int:
    """Say what went wrong; the exit status."""
    from git_graph.cli.escape import safe

    if as_json:
        import json

        from git_graph import meter
        from git_graph.query.envelope import failure

        told = json.dumps(failure(error)) + "\n"
        meter.count("output", len(told))
        sys.stdout.write(told)
        sys.stdout.flush()
    message = " ".join(error.message.split())
    hint = f"; {error.hint}" if error.hint else ""
    sys.stderr.write(f"fatal: {safe(message + hint)}\n")
    return error.exit_status


def _unbreakable_output() -> None:
    """Make sure that no character can keep an answer from being printed, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
