"""The scripts that are shipped: what stands in hooks, and what they source.

They lie in `hooks/` beside the package in a source tree and inside the package where it is installed.
"""

from __future__ import annotations

import functools
import os
import shlex
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
PLACES = (PACKAGE / "hooks" / "scripts", PACKAGE.parent / "hooks")
SCRIPT = "hook.sh"
"""Name of the sourced script, here and in the `graph` directory of a repository."""

COMMAND = f"""sh -c 'f="$(git rev-parse --git-common-dir)/graph/{SCRIPT}"; [ ! -f "$f" ] || . "$f"'"""
"""The same for the configuration of a hook manager: it names nothing of this machine, and may be shared by a team."""
COMMAND_MARK = f"/graph/{SCRIPT}".encode()
"""By this a configuration is known to have it."""


def block() -> bytes:
    """The block that stands in each hook."""
    return _shipped("block.sh")


def script() -> bytes:
    """The script that the blocks source, with this installation recorded in it."""
    text = _shipped(SCRIPT)
    for name, path in (b"@PYTHON@", sys.executable), (b"@PACKAGE@", os.fspath(PACKAGE)):
        text = text.replace(name, os.fsencode(shlex.quote(path.replace(os.sep, "/"))), 1)
    return text


@functools.cache
def _shipped(name: str) -> bytes:
    for place in PLACES:
        if (file := place / name).is_file():
            return file.read_bytes()
    raise FileNotFoundError(f"{name} is missing from {PLACES[0]}: install git-graph again")
