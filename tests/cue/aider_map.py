"""Run by a Python that has aider: print its repository map of the current directory for the files in the arguments.

python aider_map.py TOKENS FILE ... ; the names of all tracked files are read from standard input, a line each.
Tokens are counted as `git graph cue` does (a quarter of the UTF-8 bytes), so that both have the same room.
"""

from __future__ import annotations

import sys
from pathlib import Path


class Model:
    """What the map asks of a language model: how long a text is."""

    def token_count(self, text: str) -> int:
        return -(-len(text.encode("utf-8", "replace")) // 4)


class Quiet:
    """What the map asks of a terminal."""

    def read_text(self, name: str) -> str:
        return Path(name).read_text(encoding="utf-8", errors="replace")

    def tool_output(self, *_: object) -> None:
        pass

    tool_warning = tool_error = tool_output


def main() -> None:
    from aider.repomap import RepoMap

    tokens, focus = int(sys.argv[1]), sys.argv[2:]
    root = Path.cwd()
    others = [str(root / line) for line in sys.stdin.read().splitlines() if line not in focus]
    repo_map = RepoMap(map_tokens=tokens, root=str(root), main_model=Model(), io=Quiet(), refresh="always")
    text = repo_map.get_repo_map([str(root / path) for path in focus], [o for o in others if Path(o).is_file()])
    sys.stdout.write(text or "")


if __name__ == "__main__":
    main()
