"""Where text goes: colour and pager as git's configuration says, on a terminal only.

Colour follows `--color`, then `NO_COLOR` and `TERM`, then `color.graph` and `color.ui`; the colours themselves are
those of `git grep` (`color.grep.<slot>`). The pager is `GIT_PAGER`, `pager.graph`, `core.pager`, `PAGER`, `less`. A
pager that git has started already is used as it is. Settings are asked for only where there is a terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from git_graph import meter

Setting = Callable[[str], str | None]
"""Looks up one git setting; None if it is not set."""

_DEFAULTS = {"filename": "35", "lineNumber": "32", "separator": "36", "match": "1;31", "context": "2", "function": "1"}
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ATTRIBUTES = {"reset": 0, "bold": 1, "dim": 2, "italic": 3, "ul": 4, "blink": 5, "reverse": 7, "strike": 9}
_FALSE = ("never", "false", "no", "off", "0")


class Terminal:
    """Standard output as one command sees it."""

    def __init__(self, setting: Setting | None = None, color: str = "auto") -> None:
        self._setting: Setting = setting or (lambda key: None)
        self.in_pager = os.environ.get("GIT_PAGER_IN_USE", "") in ("1", "true")
        self.interactive = is_terminal(sys.stdout) or self.in_pager
        self.colour = color == "always" or (color == "auto" and self._wants_colour())
        self._codes: dict[str, str] = {}

    def _wants_colour(self) -> bool:
        if not self.interactive or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return False
        wish = self._setting("color.graph") or self._setting("color.ui") or "auto"
        return wish.lower() not in _FALSE

    def paint(self, slot: str, text: str) -> str:
        """`text` in the colour of a slot (`filename`, `lineNumber`, `separator`, `match`, `context`, `function`)."""
        if not self.colour or not text:
            return text
        code = self._codes.get(slot)
        if code is None:
            wish = self._setting(f"color.grep.{slot}")
            code = self._codes[slot] = sgr(wish) if wish else _DEFAULTS[slot]
        return f"\x1b[{code}m{text}\x1b[m" if code else text

    def show(self, lines: Sequence[str]) -> None:
        """Print lines, through the pager if they do not fit on the screen."""
        text = "".join(f"{line}\n" for line in lines)
        meter.count("output", len(text if text.isascii() else text.encode("utf-8", "backslashreplace")))
        if self.interactive and not self.in_pager and len(lines) >= _height():
            pager = self._pager()
            if pager and _page(pager, text):
                return
        sys.stdout.write(text)

    def _pager(self) -> str:
        """The pager's command line, empty for none."""
        own = self._setting("pager.graph")
        if own is not None and own.lower() in _FALSE:
            return ""
        named = own if own is not None and own.lower() not in ("true", "yes", "on", "1", "") else None
        environment = os.environ.get
        for pager in (environment("GIT_PAGER"), named, self._setting("core.pager"), environment("PAGER"), "less"):
            if pager is not None:
                return "" if pager.strip() in ("", "cat") else pager
        return ""


def is_terminal(stream: object) -> bool:
    """Whether a stream is a terminal (a closed or missing one is not)."""
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False


def _height() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().lines


def _page(pager: str, text: str) -> bool:
    """Show text in a pager; False if it could not be started."""
    import subprocess

    environment = {"LESS": "FRX", "LV": "-c"} | os.environ | {"GIT_PAGER_IN_USE": "true"}
    try:
        with subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=environment) as process:
            assert process.stdin is not None
            try:
                process.stdin.write(text.encode("utf-8", "backslashreplace"))
                process.stdin.close()
            except BrokenPipeError:
                pass
            process.wait()
    except OSError:
        return False
    return process.returncode not in (126, 127)


def sgr(wish: str) -> str:
    """The ANSI code of a colour as git's configuration writes it (`bold red`, `#ff0000`, `208`); empty if none."""
    codes: list[str] = []
    base = 30
    for word in wish.lower().split():
        attribute = word.removeprefix("no").removeprefix("-")
        if word in _COLOURS:
            codes.append(str(base + _COLOURS.index(word)))
        elif word.startswith("bright") and word[6:] in _COLOURS:
            codes.append(str(base + 60 + _COLOURS.index(word[6:])))
        elif word.isdecimal() and int(word) < 256:
            codes.append(f"{base + 8};5;{word}")
        elif len(word) == 7 and word[0] == "#" and not set(word[1:]) - set("0123456789abcdef"):
            codes.append(f"{base + 8};2;" + ";".join(str(int(word[i : i + 2], 16)) for i in (1, 3, 5)))
        elif word in _ATTRIBUTES:
            codes.append(str(_ATTRIBUTES[word]))
        elif attribute in _ATTRIBUTES and attribute != word:
            codes.append(str(22 if attribute in ("bold", "dim") else 20 + _ATTRIBUTES[attribute]))
        if word in _COLOURS or word in ("normal", "default") or word[:1] in "#0123456789" or word.startswith("bright"):
            base = 40  # the second colour is the background
    return ";".join(codes)
