"""The server: speaks the protocol over standard input and output, and runs a command for each call.

Ends when its input ends or a signal comes, and takes the commands that still run with it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, NoReturn

import anyio
import anyio.abc
import anyio.to_thread
import jsonschema
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from git_graph import __version__
from git_graph.cli.mcp.answers import Ended, Reply, failed, reply
from git_graph.cli.mcp.places import Place, Places
from git_graph.cli.mcp.tools import BYTES, MAX_BYTES, SIDES, WORKTREE, Tool, tools
from git_graph.errors import GraphError, UsageError
from git_graph.git import process

AT_ONCE = max(2, os.cpu_count() or 1)
"""So many commands run at the same time; further calls wait."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)
INSTRUCTIONS = (
    "Answers about who defines what, who refers to it and what breaks when it changes, for the files as they are now,"
    " uncommitted changes included. In a worktree, pass its path as `worktree`. `freshness` says what an answer is a"
    " picture of; `exact`, `inferred` and `unique` references are certain, what is counted under `declined` is not."
)


class Calls:
    """The tools, and the calls that are under way."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._tools = tools()
        self._limiter = anyio.CapacityLimiter(AT_ONCE)
        self._running: set[anyio.abc.Process] = set()

    async def list(self, context: Any, parameters: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """What there is."""
        return types.ListToolsResult(tools=[_described(tool) for tool in self._tools.values()])

    async def call(self, context: ServerRequestContext[Any], parameters: types.CallToolRequestParams) -> Any:
        """The answer to one call."""
        told = await self._answer(parameters.name, dict(parameters.arguments or {}))
        return types.CallToolResult(content=[types.TextContent(type="text", text=told.text)], is_error=told.is_error)

    async def _answer(self, name: str, arguments: dict[str, Any]) -> Reply:
        tool = self._tools.get(name)
        if tool is None:
            return failed(f"there is no tool '{name}'", f"there are {', '.join(self._tools)}")
        try:
            line = tool.line(checked(tool, arguments))
            async with self._limiter:
                place = await anyio.to_thread.run_sync(partial(self._places.find, arguments.get(WORKTREE)))
                ended = await self._run(place, line)
        except GraphError as error:
            return failed(error.message, error.hint)
        view = None if SIDES & arguments.keys() else place.view
        return reply(tool.command, ended, text=tool.text, most=arguments.get(MAX_BYTES, BYTES), view=view)

    async def _run(self, place: Place, line: Sequence[str]) -> Ended:
        """Run a command in a process that nothing of the repository can get into, or its Python."""
        command = [sys.executable, "-P", "-m", "git_graph", "-C", place.directory, *line]
        environment = process.environment(process.foreign_environment())
        try:
            child = await anyio.open_process(
                command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, cwd=os.sep, env=environment, start_new_session=True
            )
        except (OSError, ValueError) as error:  # arguments that no process can be given, or no room for one
            raise UsageError(f"the command cannot be started: {error}") from error
        self._running.add(child)
        try:
            output, errors = await _read(child)
            return Ended(await child.wait(), output, errors)
        finally:
            _end(child)
            with anyio.CancelScope(shield=True):
                await child.aclose()
            self._running.discard(child)

    def stop(self) -> None:
        """End the commands that still run."""
        for child in tuple(self._running):
            _end(child)


def _end(child: anyio.abc.Process) -> None:
    """End a command that still runs, and what it has started (which is all of its session)."""
    if child.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


def checked(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments that fit the tool's schema; one value stands for a list of it.

    Raises:
        UsageError: they do not fit.
    """
    properties = tool.schema["properties"]
    unknown = [name for name in arguments if name not in properties]
    if unknown:
        raise UsageError(f"{tool.name} takes no '{unknown[0]}'", f"it takes {', '.join(properties)}")
    given = {
        name: [value] if properties[name]["type"] == "array" and not isinstance(value, list) else value
        for name, value in arguments.items()
        if value is not None
    }
    for error in jsonschema.Draft202012Validator(tool.schema).iter_errors(given):
        where = str(error.absolute_path[0]) if error.absolute_path else ""
        raise UsageError(f"{tool.name}: {where}: {error.message}" if where else f"{tool.name}: {error.message}")
    # 5.0 is an integer in JSON
    return {name: int(value) if isinstance(value, float) else value for name, value in given.items()}


async def _read(child: anyio.abc.Process) -> tuple[str, str]:
    """All that a process prints."""
    parts: dict[str, list[bytes]] = {"output": [], "errors": []}

    async def drain(name: str, stream: anyio.abc.ByteReceiveStream) -> None:
        async for part in stream:
            parts[name].append(part)

    assert child.stdout is not None
    assert child.stderr is not None
    async with anyio.create_task_group() as group:
        group.start_soon(drain, "output", child.stdout)
        group.start_soon(drain, "errors", child.stderr)
    output, errors = (b"".join(parts[name]).decode("utf-8", "replace") for name in ("output", "errors"))
    return output, errors


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    return types.Tool(name=tool.name, description=tool.description, input_schema=tool.schema, annotations=hints)


def serve(allowed: Sequence[Path]) -> None:
    """Serve until the input ends. `allowed`: see Places."""
    anyio.run(_serve, Calls(Places(allowed)))


async def _serve(calls: Calls) -> None:
    server: Server[Any] = Server(
        "git-graph",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=calls.list,
        on_call_tool=calls.call,
    )
    async with anyio.create_task_group() as group:
        group.start_soon(_until_signal, calls)
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())
        calls.stop()
        group.cancel_scope.cancel()


async def _until_signal(calls: Calls) -> NoReturn:
    """End the process at once: the thread that reads standard input cannot be woken."""
    with anyio.open_signal_receiver(*SIGNALS) as signals:
        async for number in signals:
            calls.stop()
            os._exit(128 + number)
    raise AssertionError("signals do not end")
