from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from git_graph.cli import app, reference
from git_graph.cli.app import SECTIONS
from git_graph.cli.mcp.tools import tools
from git_graph.git.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"


def test_the_command_reference_is_what_the_code_says() -> None:
    assert (DOCS / "commands.md").read_text(encoding="utf-8") == reference.markdown(), "run: make docs"


def test_the_man_page_is_what_the_code_says() -> None:
    assert (DOCS / "git-graph.1").read_text(encoding="utf-8") == reference.manpage(), "run: make docs"


def test_every_command_is_documented_with_its_options() -> None:
    text = reference.markdown()
    for names in SECTIONS.values():
        for name in names:
            assert re.search(rf"^### {name}\b", text, re.MULTILINE), name
    assert "`--possible`" in text


def test_every_setting_is_documented() -> None:
    documented = {name.removeprefix("graph.").lower() for name, _ in reference.SETTINGS if name.startswith("graph.")}
    known = {name.replace("_", "") for name in Settings._fields}
    assert {name for name in known if name in documented} == documented


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_the_man_page_has_nothing_that_troff_complains_of() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", str(DOCS / "git-graph.1")], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "git graph callers" in re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)


INSTRUCTIONS = [Path(app.__file__).with_name("agents.md"), DOCS / "agents.md"]


@pytest.mark.parametrize("file", INSTRUCTIONS, ids=["agents.md", "docs/agents.md"])
def test_agents_are_told_only_of_commands_and_options_that_there_are(file: Path) -> None:
    told = file.read_text(encoding="utf-8")
    lines = re.findall(r"git[ -]graph ((?:-C \S+ )?[a-z]+\b[^`\n]*)", told)
    assert len(lines) > 8
    root = click.Context(app.cli)
    for line in lines:
        words = line.removeprefix("git-graph ").split()  # where it is called git-graph as a server
        command = app.cli.get_command(root, words[2] if words[0] == "-C" else words[0])
        assert command is not None, f"'{line}' is no command"
        known = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", line)) <= known, line


@pytest.mark.parametrize("file", INSTRUCTIONS, ids=["agents.md", "docs/agents.md"])
def test_options_that_agents_are_told_of_by_themselves_are_those_of_a_command(file: Path) -> None:
    told = set(re.findall(r"`(--[a-z][\w-]*)", file.read_text(encoding="utf-8")))
    assert told
    commands = [app.cli.get_command(click.Context(app.cli), name) for names in SECTIONS.values() for name in names]
    assert told <= {option for command in commands if command for p in command.params for option in p.opts}


def test_agents_are_told_of_every_tool() -> None:
    section = (DOCS / "agents.md").read_text(encoding="utf-8").partition("One tool for each question")[2]
    told = re.findall(r"`([a-z]+)`", section.partition("- **Worktrees.**")[0])
    assert sorted(told) == sorted(tools())
