from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from git_graph.cli.progress import Progress
from git_graph.cli.terminal import Terminal, sgr


class Screen(io.StringIO):
    """A terminal that remembers what was printed."""

    def isatty(self) -> bool:
        return True


def shown_on(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules under test see `stream` (pytest takes the real one back before each test)."""
    for module in ("terminal", "progress"):
        monkeypatch.setattr(f"git_graph.cli.{module}.sys", SimpleNamespace(stdout=stream, stderr=stream))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    made = Screen()
    shown_on(made, monkeypatch)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "5")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "PAGER", "LESS", "LV"):
        monkeypatch.delenv(name, raising=False)
    return made


def settings(**values: str) -> Callable[[str], str | None]:
    return {name.replace("_", "."): value for name, value in values.items()}.get


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ("red", "31"),
        ("bold red", "1;31"),
        ("black yellow", "30;43"),
        ("brightblue", "94"),
        ("208", "38;5;208"),
        ("#ff8000", "38;2;255;128;0"),
        ("normal green", "42"),
        ("nobold ul", "22;4"),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_colours_are_read_as_git_reads_them(wish: str, code: str) -> None:
    assert sgr(wish) == code


def test_a_pipe_gets_no_colour() -> None:
    assert Terminal(settings(color_ui="auto")).paint("filename", "x") == "x"


def test_a_terminal_gets_the_colours_of_git_grep(screen: Screen) -> None:
    terminal = Terminal(settings(color_grep_filename="bold blue"))
    assert terminal.paint("filename", "x") == "\x1b[1;34mx\x1b[m"
    assert terminal.paint("lineNumber", "1") == "\x1b[32m1\x1b[m"


@pytest.mark.parametrize("key", ["color_ui", "color_graph"])
def test_git_can_switch_colour_off(screen: Screen, key: str) -> None:
    assert not Terminal(settings(**{key: "false"})).colour


def test_the_own_setting_decides_over_the_general_one(screen: Screen) -> None:
    assert Terminal(settings(color_ui="false", color_graph="always")).colour


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_the_environment_can_switch_colour_off(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert not Terminal().colour


def test_the_option_decides_over_everything(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert Terminal(color="always").colour
    monkeypatch.delenv("NO_COLOR")
    assert not Terminal(color="never").colour


def paging(target: Path) -> str:
    return f"cat > '{target}'"


def test_what_does_not_fit_goes_through_the_pager(screen: Screen, tmp_path: Path) -> None:
    target = tmp_path / "paged"
    Terminal(settings(core_pager=paging(target))).show(["line"] * 5)
    assert target.read_text() == "line\n" * 5
    assert screen.getvalue() == ""


def test_what_fits_is_printed(screen: Screen, tmp_path: Path) -> None:
    Terminal(settings(core_pager=paging(tmp_path / "paged"))).show(["line"] * 4)
    assert screen.getvalue() == "line\n" * 4


def test_the_environment_names_the_pager_first(screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_PAGER", paging(tmp_path / "mine"))
    Terminal(settings(core_pager=paging(tmp_path / "other"))).show(["line"] * 9)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("value", ["false", "cat"])
def test_a_pager_can_be_switched_off(screen: Screen, value: str) -> None:
    Terminal(settings(pager_graph=value, core_pager="exit 1")).show(["line"] * 9)
    assert screen.getvalue() == "line\n" * 9


def test_a_pager_that_is_not_there_does_not_lose_the_answer(screen: Screen) -> None:
    Terminal(settings(core_pager="no-such-pager-anywhere")).show(["line"] * 9)
    assert screen.getvalue() == "line\n" * 9


def test_a_pager_that_git_has_started_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    shown_on(out, monkeypatch)
    monkeypatch.setenv("GIT_PAGER_IN_USE", "true")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal(settings(core_pager="exit 1"))
    terminal.show([terminal.paint("filename", "x")] * 999)
    assert out.getvalue() == "\x1b[35mx\x1b[m\n" * 999


def test_progress_shows_on_a_terminal_and_goes_away(screen: Screen) -> None:
    with Progress("indexing") as progress:
        progress.next = 0
        progress(500, 1000)
        shown = screen.getvalue()
    assert "indexing [###############               ] 500/1,000" in shown
    assert screen.getvalue().endswith("\r\x1b[K")


def test_progress_says_nothing_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("indexing") as progress:
        progress.next = 0
        progress(1, 2)
    assert capsys.readouterr().err == ""


def test_progress_of_quick_work_says_nothing(screen: Screen) -> None:
    with Progress("indexing") as progress:
        progress(1, 2)
    assert screen.getvalue() == ""


def test_the_pager_learns_what_git_would_tell_it(screen: Screen, tmp_path: Path) -> None:
    target = tmp_path / "environment"
    Terminal(settings(core_pager=f"env > '{target}'; cat > {os.devnull}")).show(["line"] * 9)
    assert {"LESS=FRX", "LV=-c"} <= set(target.read_text().splitlines())
