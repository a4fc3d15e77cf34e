"""The server as its clients meet it: the official client over standard streams, real worktrees, real signals."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from git_graph.cli.app import SECTIONS
from git_graph.cli.mcp import answers
from git_graph.cli.mcp.answers import Ended, fit, reply
from git_graph.cli.mcp.places import Places
from git_graph.cli.mcp.tools import tools
from git_graph.errors import NotARepository, UsageError

Session = Any
"""A ClientSession, or one At a worktree."""
Everywhere = Callable[..., Any]
"""See the fixture."""
Repo = Any
"""The repositories of tests/conftest.py."""
SERVER = ["-P", "-m", "git_graph"]


def environment(**env: str) -> dict[str, str]:
    """The environment of a server."""
    inherited = dict(os.environ)
    inherited.pop("PYTHONDONTWRITEBYTECODE", None)  # each call is a process, and would compile everything anew
    return inherited | env


@asynccontextmanager
async def client(directory: Path, *arguments: str, env: dict[str, str] | None = None) -> AsyncIterator[ClientSession]:
    """A client of a server that was started in a directory."""
    server = StdioServerParameters(
        command=sys.executable, args=[*SERVER, "mcp", *arguments], cwd=directory, env=env or environment()
    )
    async with stdio_client(server) as (received, sent), ClientSession(received, sent) as session:
        await session.initialize()
        yield session


def talk(directory: Path, about: Callable[[ClientSession], Awaitable[Any]], *arguments: str, **env: str) -> Any:
    """What comes of talking to a server."""

    async def talked() -> Any:
        async with client(directory, *arguments, env=environment(**env)) as session:
            return await about(session)

    return asyncio.run(talked())


class At:
    """A client's session in which every call that names no worktree names this one."""

    def __init__(self, session: ClientSession, worktree: Path) -> None:
        self._session, self._worktree = session, worktree
        self.list_tools = session.list_tools

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        result = await self._session.call_tool(name, {"worktree": str(self._worktree), **arguments})
        assert isinstance(result, types.CallToolResult)
        return result


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everywhere]:
    """`everywhere(worktree, about)`: what comes of talking to the one server that may answer about all repositories."""
    base, home = tmp_path_factory.getbasetemp(), tmp_path_factory.mktemp("home")
    sealed = environment(
        HOME=str(home), XDG_CONFIG_HOME=str(home), GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1"
    )
    with start_blocking_portal() as portal:
        started = client(tmp_path_factory.mktemp("outside"), "--allow", str(base), env=sealed)
        with portal.wrap_async_context_manager(started) as session:
            yield lambda worktree, about: portal.call(about, At(session, worktree))


def text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


async def ask(session: Session, tool: str, **arguments: Any) -> dict[str, Any]:
    """The JSON answer of a tool."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    document: dict[str, Any] = json.loads(text(result))
    return document


async def refused(session: Session, tool: str, **arguments: Any) -> str:
    """What a tool says instead of an answer."""
    result = await session.call_tool(tool, arguments)
    assert result.is_error, text(result)
    return text(result)


# which tools there are

NARROW = ["kind", "path", "language"]
VIEW = ["limit", "view", "rev"]
TAKEN = {
    "overview": ["max_tokens", "view", "rev"],
    "cue": ["show", "focus", "task", "since", "max_tokens", "view", "rev"],
    "find": ["pattern", "ignore_case", *NARROW, *VIEW],
    "definitions": ["symbol", *VIEW],
    "references": ["symbol", "role", "resolution", "explain", "overrides", *VIEW],
    "callers": ["symbol", "possible", "explain", *VIEW],
    "callees": ["symbol", "possible", "explain", *VIEW],
    "impact": ["symbols", "depth", *NARROW, *VIEW],
    "outline": ["path", "kind", *VIEW],
    "path": ["start", "end", *VIEW],
    "unused": [*NARROW, "include", *VIEW],
    "top": ["by", *NARROW, *VIEW],
    "deps": ["path", "direction", "external", *VIEW],
    "cycles": ["path", "runtime", *VIEW],
    "diff": ["a", "b", "stat", "comments", "path", "limit"],
    "log": ["symbol", "since", "until", "rev", "first_parent", "comments", "limit"],
    "check": ["range", "allow", "limit"],
    "delta": ["since", "until", "limit"],
    "snapshots": ["view"],
    "status": [],
    "views": ["quick"],
}
"""Tool -> what it takes; nothing of it writes, or names a file to write to."""


NO_TOOLS = {
    "task", "rebaseline", "init", "sync", "hooks", "watch", "gc", "verify", "metrics", "push", "fetch", "export",
    "agents", "mcp", "help", "completion",
}  # fmt: skip


def test_every_question_is_a_tool_that_takes_what_its_command_takes() -> None:
    for name, tool in tools().items():
        own = ["worktree"] if name in ("overview", "cue") else ["worktree", "max_bytes"]
        assert list(tool.schema["properties"]) == [*TAKEN[name], *own], name
        jsonschema.Draft202012Validator.check_schema(tool.schema)
        assert all(told["description"] for told in tool.schema["properties"].values())
    assert list(tools()) == list(TAKEN)


def test_an_argument_never_becomes_an_option() -> None:
    line = tools()["references"].line({"symbol": "--output=x", "role": ["call"], "explain": True, "limit": 0})
    assert line == ["references", "--role=call", "--explain", "--limit=0", "--json", "--", "--output=x"]


def test_every_command_is_a_tool_or_acts_on_the_repository() -> None:
    commands = {name for names in SECTIONS.values() for name in names}
    assert commands == NO_TOOLS | {tool.command for tool in tools().values()}
    assert not NO_TOOLS & set(tools())


def test_tools_say_that_they_only_read_and_when_to_use_them(everywhere: Everywhere, committed: Repo) -> None:
    listed = everywhere(committed.path, lambda session: session.list_tools()).tools
    assert [tool.name for tool in listed] == list(TAKEN)
    for tool in listed:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert len(tool.description or "") > 60
    told = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in listed]
    assert sum(map(len, told)) < 25_000  # an agent reads all of it before it asks anything


# whose answers


@pytest.fixture
def fleet(repo: Repo, tmp_path: Path) -> list[Repo]:
    """Twenty worktrees of a repository, each with a function of its own, uncommitted, and others' names nowhere."""
    repo.write("lib.py", "def shared():\n    return 1\n")
    repo.commit()
    places = [repo.worktree(tmp_path / f"w{number}", "-b", f"w{number}") for number in range(20)]
    for number, place in enumerate(places):
        place.write("own.py", f"from lib import shared\n\ndef own_{number}():\n    return shared()\n")
    return places


def test_a_client_never_gets_an_answer_about_another_worktree(fleet: list[Repo]) -> None:
    async def asked(number: int) -> None:
        """A client whose server stands in one worktree, asking about all of them, several at a time."""
        home = fleet[number * 5]

        async def one(session: ClientSession, other: int) -> None:
            if other == number * 5:  # the server's own directory
                document = await ask(session, "callers", symbol="shared")
            else:
                document = await ask(session, "callers", symbol="shared", worktree=str(fleet[other].path))
            assert [result["symbol"]["qualified"] for result in document["results"]] == [f"own_{other}"]
            assert document["view"] == f"worktrees/w{other}"
            assert (document["freshness"], document["total"]) == ("dirty-but-indexed", 1)

        async with client(home.path) as session:
            order = [(number * 7 + step) % len(fleet) for step in range(len(fleet))]
            await asyncio.gather(*(one(session, other) for other in order))

    async def all_of_them() -> None:
        await asyncio.gather(*map(asked, range(4)))

    asyncio.run(all_of_them())


def test_an_answer_is_about_the_files_as_they_are_at_each_call(everywhere: Everywhere, committed: Repo) -> None:
    async def about(session: At) -> None:
        assert (await ask(session, "find", pattern="fresh"))["results"] == []
        committed.write("a.py", "def fresh():\n    return 1\n")
        assert [found["line"] for found in (await ask(session, "find", pattern="fresh"))["results"]] == [1]
        committed.write("a.py", "\ndef fresh():\n    return 1\n")
        assert [found["line"] for found in (await ask(session, "find", pattern="fresh"))["results"]] == [2]

    everywhere(committed.path, about)


def test_a_folder_of_a_worktree_stands_for_it_and_paths_begin_there(everywhere: Everywhere, committed: Repo) -> None:
    async def about(session: At) -> None:
        document = await ask(session, "outline", path="b.py", worktree=str(committed.path / "d"))
        assert [found["name"] for found in document["results"]] == ["g"]

    everywhere(committed.path, about)


def test_another_repository_is_answered_about_only_where_that_is_allowed(
    committed: Repo, make_repo: Callable[..., Repo], tmp_path: Path
) -> None:
    other = make_repo("other")
    other.write("o.py", "def theirs():\n    return 1\n")
    other.commit()
    linked = other.worktree(tmp_path / "linked", "-b", "linked")
    link = tmp_path / "link"
    link.symlink_to(other.path)

    async def closed(session: ClientSession) -> None:
        for place in (other.path, link, linked.path):
            told = await refused(session, "find", pattern="theirs", worktree=str(place))
            assert "is no worktree of the repository that this server is for" in told
            assert f"there are {committed.path}" in told

    async def opened(session: ClientSession) -> None:
        for place in (other.path, link, linked.path):
            document = await ask(session, "find", pattern="theirs", worktree=str(place))
            assert [found["path"] for found in document["results"]] == ["o.py"]
        assert "no directory" in await refused(session, "status", worktree=str(tmp_path / "nowhere"))
        assert "is in no repository" in await refused(session, "status", worktree=str(tmp_path))

    talk(committed.path, closed)
    talk(committed.path, opened, "--allow", str(other.path))


def test_what_git_exports_to_a_hook_does_not_lead_to_another_repository(
    committed: Repo, make_repo: Callable[..., Repo]
) -> None:
    other = make_repo("other")
    other.write("o.py", "def theirs():\n    return 1\n")
    other.commit()

    async def about(session: ClientSession) -> None:
        assert (await ask(session, "find", pattern="theirs"))["results"] == []
        assert (await ask(session, "find", pattern="f"))["results"] != []

    talk(committed.path, about, GIT_DIR=str(other.path / ".git"), GIT_WORK_TREE=str(other.path))


def test_a_directory_that_is_gone_is_told_and_others_are_answered_about(committed: Repo, tmp_path: Path) -> None:
    linked = committed.worktree(tmp_path / "linked", "-b", "linked")

    async def about(session: ClientSession) -> None:
        await ask(session, "status")
        shutil.rmtree(linked.path)
        assert "directory" in await refused(session, "status")
        assert (await ask(session, "status", worktree=str(committed.path)))["view"] == "main-worktree"

    talk(linked.path, about)


def test_a_worktree_inside_of_another_that_lost_its_git_is_no_folder_of_that(
    committed: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = committed.worktree(committed.path / "agents" / "one", "-b", "one")
    monkeypatch.chdir(committed.path)
    places = Places()
    assert places.find("agents/one/d").view == "worktrees/one"
    inner.remove(".git")
    for asked in ("agents/one", "agents/one/d"):
        with pytest.raises(UsageError, match="has lost its"):
            places.find(asked)
    assert places.find("agents").view == "main-worktree"
    committed.git("worktree", "prune")
    assert places.find("agents/one/d").view == "main-worktree"


def test_a_repository_that_is_made_after_the_start_is_the_servers_own(
    make_repo: Callable[..., Repo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "later").mkdir()
    monkeypatch.chdir(tmp_path / "later")
    places = Places()
    with pytest.raises(NotARepository):
        places.find(None)
    make_repo("later")
    assert places.find(None).view == "main-worktree"
    make_repo("other")
    with pytest.raises(UsageError, match="is no worktree of the repository"):
        places.find("../other")


def test_an_answer_about_a_directory_that_became_another_worktree_meanwhile_is_none() -> None:
    told = Ended(0, json.dumps({"view": "worktrees/two", "results": []}), "")
    assert not reply("find", told, text=False, most=1_000, view="worktrees/two").is_error
    assert not reply("find", told, text=False, most=1_000).is_error
    strayed = reply("find", told, text=False, most=1_000, view="worktrees/one")
    assert strayed == ("the directory was in view worktrees/one and is in view worktrees/two now; ask again", True)
    cue = Ended(0, "overview worktrees/two 0123456789 of 0123456789, current, 9 tokens\n", "")
    assert not reply("cue", cue, text=True, most=1_000, view="worktrees/two").is_error
    assert reply("cue", cue, text=True, most=1_000, view="worktrees/one") == strayed


def test_nothing_of_the_repository_is_run(committed: Repo) -> None:
    for name in ("json.py", "git_graph/__init__.py", "git_graph/__main__.py", "click.py", "sitecustomize.py"):
        committed.write(name, "raise SystemExit('taken over')\n")

    async def about(session: ClientSession) -> None:
        assert (await ask(session, "find", pattern="f"))["total"] == 1

    talk(committed.path, about)


# what is told


def test_every_answer_says_what_it_is_a_picture_of_and_how_much_there_is(everywhere: Everywhere, repo: Repo) -> None:
    repo.write("a.py", "from b import g\n\ndef f():\n    return g()\n")
    repo.write("b.py", "def g():\n    return 1\n")
    repo.commit()
    operands: dict[str, dict[str, Any]] = {
        "find": {"pattern": "f"}, "outline": {"path": "a.py"}, "path": {"start": "f", "end": "g"},
        "impact": {"symbols": ["g"]}, "check": {"range": "HEAD"}, "delta": {"since": "HEAD"},
        **{name: {"symbol": "f"} for name in ("definitions", "references", "callers", "callees", "log")},
    }  # fmt: skip

    async def told(session: At, name: str) -> tuple[str, dict[str, Any]]:
        return name, await ask(session, name, **operands.get(name, {}))

    async def about(session: At) -> None:
        names = [name for name, tool in tools().items() if not tool.text]
        for name, document in await asyncio.gather(*map(partial(told, session), names)):
            if name not in ("views", "snapshots"):  # they say it of each of theirs
                assert document["freshness"] == "current", name
                assert len(document["snapshot"]) == 40
                viewed = f"revisions/{repo.head()}" if name == "log" else "main-worktree"
                assert document["view"] == viewed, name
            if name != "status":
                assert isinstance(document["total"], int), name

    everywhere(repo.path, about)


def test_an_unknown_symbol_view_revision_or_path_is_an_error_that_says_what_there_is(
    everywhere: Everywhere, committed: Repo
) -> None:
    committed.write("a.py", "def handle_request():\n    return 1\n")

    async def about(session: At) -> None:
        assert "handle_request" in await refused(session, "callers", symbol="handle_requst")
        assert "there are: main-worktree" in await refused(session, "callers", symbol="g", view="worktrees/none")
        assert "nowhere" in await refused(session, "callers", symbol="g", rev="nowhere")
        assert "'no.py'" in await refused(session, "outline", path="no.py")
        assert "'no/where'" in await refused(session, "unused", path=["no/where"])
        assert "there are overview, cue" in await refused(session, "grep", pattern="x")

    everywhere(committed.path, about)


def test_arguments_that_do_not_fit_are_refused_by_name(everywhere: Everywhere, committed: Repo) -> None:
    async def about(session: At) -> None:
        assert "takes no 'colour'; it takes symbol" in await refused(session, "callers", symbol="f", colour="red")
        assert "'symbol' is a required property" in await refused(session, "callers")
        assert "limit" in await refused(session, "callers", symbol="f", limit=-1)
        assert "kind" in await refused(session, "outline", path="a.py", kind="verb")
        assert "'--help'" in await refused(session, "callers", symbol="--help")
        assert "worktree" in await refused(session, "status", worktree="")
        assert "cannot be started" in await refused(session, "find", pattern="nul\0")
        assert "cannot be started" in await refused(session, "find", pattern="x" * 3_000_000)
        assert len(await refused(session, "find", pattern="f", language=["x" * 100_000])) < 5_000
        document = await ask(
            session, "outline", path="a.py", kind="function", limit=5.0, view=None
        )  # one value for a list of it
        assert document["total"] == 1

    everywhere(committed.path, about)


def test_findings_and_an_empty_search_are_answers(everywhere: Everywhere, committed: Repo) -> None:
    committed.write("c.py", "from a import f\n\nf()\n")
    committed.commit()
    committed.write("a.py", "def other():\n    return 1\n")

    async def about(session: At) -> None:
        findings = await ask(session, "check", range="HEAD")
        assert [finding["rule"] for finding in findings["results"]] == ["removed-symbol"]
        assert (await ask(session, "find", pattern="nothing_has_this"))["total"] == 0

    everywhere(committed.path, about)


def test_a_cue_is_text_within_its_budget_and_says_what_it_is_of(everywhere: Everywhere, committed: Repo) -> None:
    async def about(session: At) -> None:
        result = await session.call_tool("overview", {"max_tokens": 120})
        assert text(result).startswith("overview main-worktree ")
        assert "current" in text(result).splitlines()[0]
        assert len(text(result).encode()) <= 480
        assert "--max-tokens" in await refused(session, "cue", max_tokens=3)
        assert "no symbol" in await refused(session, "cue", focus="nothing_has_this")

    everywhere(committed.path, about)


def test_an_answer_stays_within_the_size_that_the_caller_sets_and_counts_what_is_left_out(
    everywhere: Everywhere, repo: Repo
) -> None:
    repo.write("many.py", "\n".join(f"def function_{n}():\n    return {n}\n" for n in range(300)))
    repo.commit()

    async def about(session: ClientSession) -> None:
        for most in (1_000, 2_500, 10_000):
            result = await session.call_tool("find", {"pattern": "function_", "limit": 0, "max_bytes": most})
            document = json.loads(text(result))
            assert len(text(result).encode()) <= most
            assert document["total"] == 300
            assert document["truncated"]
            assert len(document["results"]) + document["left_out"]["results"] == 300
            assert document["results"], most
        whole = await ask(session, "find", pattern="function_", limit=0, max_bytes=1_000_000)
        assert len(whole["results"]) == 300
        assert "left_out" not in whole

    everywhere(repo.path, about)


def test_what_cannot_be_told_in_so_few_bytes_says_how_many_it_needs() -> None:
    document = {"command": "status", "long": "x" * 2_000, "results": [1, 2, 3]}
    with pytest.raises(UsageError) as raised:
        fit(document, 1_000)
    needed = int((raised.value.hint or "").split()[4])
    assert len(fit(document, needed)) <= needed


def test_the_largest_list_gives_way_first() -> None:
    document = {"results": [{"path": "a" * 50}] * 40, "skipped": ["b" * 50] * 4, "total": 40}
    cut = json.loads(fit(document, 1_200))
    assert len(cut["skipped"]) == 4
    assert cut["left_out"]["results"] == 40 - len(cut["results"])
    assert 0 < len(cut["results"]) < 40


def test_what_is_left_out_does_not_hide_what_an_answer_says_itself() -> None:
    document = {"omitted": "too-large", "results": ["a" * 100] * 20, "total": 20}
    cut = json.loads(fit(document, 1_000))
    assert cut["omitted"] == "too-large"
    assert cut["left_out"]["results"] == 20 - len(cut["results"])


def test_a_command_that_dies_is_an_error() -> None:
    for ended in (Ended(-9, "", ""), Ended(128, "", "fatal: it broke; mend it\n"), Ended(0, "no json", "")):
        told = reply("callers", ended, text=False, most=1_000)
        assert told.is_error
        assert told.text
    assert (
        reply("callers", Ended(128, "", "fatal: it broke; mend it\n"), text=False, most=1_000).text
        == "it broke; mend it"
    )
    assert answers.failed("it broke", None).text == "it broke"


# its end


@contextmanager
def started(directory: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server that a client has greeted."""
    server = subprocess.Popen(
        [sys.executable, *SERVER, "mcp"],
        cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
    )  # fmt: skip
    with server:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        send(server, id=1, method="initialize", params=about)
        assert heard(server)["result"]["serverInfo"]["name"] == "git-graph"
        send(server, method="notifications/initialized")
        try:
            yield server
        finally:
            server.kill()


def send(server: subprocess.Popen[bytes], **message: Any) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def heard(server: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert server.stdout is not None
    message: dict[str, Any] = json.loads(server.stdout.readline())
    return message


def call(server: subprocess.Popen[bytes], number: int, tool: str, **arguments: Any) -> None:
    send(server, id=number, method="tools/call", params={"name": tool, "arguments": arguments})


def below(pid: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    try:
        own = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*own, *(other for child in own for other in below(child))]


def seen(what: Callable[[], Any], seconds: float = 20) -> Any:
    """What is there at last."""
    until = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def slow(committed: Repo) -> Repo:
    """A repository whose first question takes a while, and processes of its own."""
    for n in range(400):
        committed.write(f"many/m{n}.py", "\n".join(f"def f_{n}_{k}():\n    return {k}\n" for k in range(60)))
    return committed


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")


def test_it_ends_when_its_input_ends(committed: Repo) -> None:
    with started(committed.path) as server:
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(timeout=20) == 0


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_the_commands_that_still_run(slow: Repo, number: signal.Signals) -> None:
    with started(slow.path) as server:
        call(server, 2, "find", pattern="f_1")
        running = seen(lambda: below(server.pid))
        assert running
        server.send_signal(number)
        assert server.wait(timeout=20) == 128 + number
        assert seen(lambda: not any(map(alive, running)))


@needs_proc
def test_a_call_that_is_cancelled_ends_with_all_that_it_has_started(slow: Repo) -> None:
    with started(slow.path) as server:
        call(server, 2, "find", pattern="f_1")
        running = seen(lambda: found if len(found := below(server.pid)) > 1 else None)
        assert running
        send(server, method="notifications/cancelled", params={"requestId": 2})
        assert seen(lambda: not any(map(alive, running)), 5)
        call(server, 3, "views", quick=True)
        answers_to = iter(lambda: heard(server), None)
        assert "result" in next(message for message in answers_to if message["id"] == 3)


def test_without_the_extra_it_says_how_to_get_it(committed: Repo) -> None:
    hide = "import sys; sys.modules['mcp'] = None; from git_graph.cli.main import main; sys.argv[1:] = ['mcp']; main()"
    done = subprocess.run([sys.executable, "-P", "-c", hide], cwd=committed.path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "fatal: git graph mcp needs the package mcp; pip install 'git-code-graph[mcp]'\n"
