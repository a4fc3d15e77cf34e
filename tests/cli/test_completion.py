from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from git_graph.cli.completion import SHELLS, script

COMMAND = Path(sys.executable).with_name("git-graph")
pytestmark = pytest.mark.skipif(not COMMAND.exists(), reason="git-graph is not installed here")


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}")


def bash(program: str) -> list[str]:
    done = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def completed(words: str, function: str) -> list[str]:
    """What bash offers for the last of `words`."""
    return bash(
        f'compopt() {{ echo "compopt $1 $2"; }}; {script("bash")}\nCOMP_WORDS=({words}); '
        f'COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); {function} git-graph; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )


def test_the_command_is_completed() -> None:
    assert completed("git-graph call", "_git_graph_completion") == ["callers", "callees"]


def test_git_asks_us_about_its_subcommand() -> None:
    assert completed("git graph call", "__git_cmd_idx=1 _git_graph") == ["callers", "callees"]
    assert completed("git -C x graph find --ki", "__git_cmd_idx=3 _git_graph") == ["--kind"]


def test_values_of_options_are_completed() -> None:
    assert completed("git-graph top --by fan", "_git_graph_completion") == ["fan-in", "fan-out"]


def test_names_of_symbols_are_completed_from_what_is_indexed(repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("a.py", "def alpha(): ...\ndef alphabet(): ...\nclass Beta: ...\n")
    repo.commit()
    monkeypatch.chdir(repo.path)
    assert completed("git-graph callers alp", "_git_graph_completion") == [""], "nothing is indexed yet"
    subprocess.run([COMMAND, "sync"], check=True, capture_output=True)
    assert completed("git-graph callers alp", "_git_graph_completion") == ["alpha", "alphabet"]
    assert completed("git-graph outline a", "_git_graph_completion") == ["compopt -o default", ""]


def test_completion_never_complains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert completed("git-graph callers alp", "_git_graph_completion") == [""]


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
@pytest.mark.parametrize("line", ["git-graph top --by fan", "git graph top --by fan"])
def test_fish_completes_both_ways_of_calling_it(line: str) -> None:
    program = f"{script('fish')}\ncomplete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert [row.split("\t")[0] for row in done.stdout.splitlines()] == ["fan-in", "fan-out"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_is_well_formed(shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    done = subprocess.run(
        [program, "-n", "/dev/stdin"], input=script(shell), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
