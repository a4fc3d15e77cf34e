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
SCRIPT, PUSH_SCRIPT = "hook.sh", "pre-push.sh"
"""Names of the sourced scripts, here and in the `graph` directory of a repository."""
SCRIPTS = (SCRIPT, PUSH_SCRIPT)
PUSH = "pre-push"
"""The hook that checks what is pushed; all others have the graph brought up to date."""

COMMAND = f"""sh -c 'f="$(git rev-parse --git-common-dir)/graph/{SCRIPT}"; [ ! -f "$f" ] || . "$f"'"""
"""The same for the configuration of a hook manager: it names nothing of this machine, and may be shared by a team."""
PUSH_COMMAND = COMMAND.replace(SCRIPT, PUSH_SCRIPT) + f" {PUSH}"
"""The same for the hook that checks what is pushed; the name of the remote follows, and the refs are read."""


def mark(hook: str) -> bytes:
    """By this a configuration is known to have the command of a hook."""
    return f"/graph/{PUSH_SCRIPT if hook == PUSH else SCRIPT}".encode()


def block(hook: str) -> bytes:
    """The block that stands in a hook."""
    return _shipped("push-block.sh" if hook == PUSH else "block.sh")


def script(name: str = SCRIPT) -> bytes:
    """A script that the blocks source, with this installation recorded in it."""
    text = _shipped(name)
    for word, path in (b"@PYTHON@", sys.executable), (b"@PACKAGE@", os.fspath(PACKAGE)):
        text = text.replace(word, os.fsencode(shlex.quote(path.replace(os.sep, "/"))), 1)
    return text


@functools.cache
def _shipped(name: str) -> bytes:
    for place in PLACES:
        if (file := place / name).is_file():
            return file.read_bytes()
    raise FileNotFoundError(f"{name} is missing from {PLACES[0]}: install git-graph again")
