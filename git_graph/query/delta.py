"""What changed between two snapshots: where they are, then their files, then their symbols as `diff` has them."""

from __future__ import annotations

from typing import Any

from git_graph.query.values import Answer
from git_graph.sync.delta import Delta, FileChange, FileState


def delta(symbols: Answer, found: Delta, query: dict[str, Any], limit: int = 100) -> Answer:
    """The answer to a delta; `symbols` is that of `diff` about the same two sides."""
    files = found.files[:limit] if limit else found.files
    moved = found.moved
    facts = {
        "moved": {
            "branch": _sides(moved.branches),
            "head": _sides(moved.heads),
            "uncommitted": _sides(moved.uncommitted),
        },
        "files": tuple(map(_file, files)),
        "files_total": len(found.files),
    }
    truncated = symbols.truncated or len(files) < len(found.files)
    return symbols._replace(command="delta", query=query, truncated=truncated, facts=facts | dict(symbols.facts))


def _sides(pair: tuple[Any, Any]) -> dict[str, Any]:
    return {"old": pair[0], "new": pair[1]}


def _file(file: FileChange) -> dict[str, Any]:
    fields = {"change": file.change, "path": file.path}
    if file.old_path is not None:
        fields["old_path"] = file.old_path
    return {**fields, "old": _state(file.old), "new": _state(file.new)}


def _state(state: FileState | None) -> dict[str, Any] | None:
    return None if state is None else {**state._asdict(), "mode": f"{state.mode:06o}"}
