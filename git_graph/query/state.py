"""What sync and status tell, as plain objects of the schema `git-graph/1`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from git_graph.query.envelope import SCHEMA
from git_graph.store.basis import Skipped
from git_graph.sync.values import Status, SyncResult


def sync_document(result: SyncResult, command: str = "sync") -> dict[str, Any]:
    """A sync's result."""
    return {
        "schema": SCHEMA,
        "command": command,
        "view": result.view,
        "snapshot": result.snapshot,
        "head": result.head,
        "branch": result.branch,
        "freshness": result.freshness,
        "published": result.published,
        "sequence": result.sequence,
        "files": result.files,
        "changed": result.changed,
        "added": result.added,
        "modified": result.modified,
        "removed": result.removed,
        "parsed": result.parsed,
        "reused": result.reused,
        "skipped": skipped_documents(result.skipped),
        "warnings": list(result.warnings),
    }


def status_document(status: Status) -> dict[str, Any]:
    """How a view stands to the tree."""
    return {
        "schema": SCHEMA,
        "command": "status",
        "view": status.view,
        "snapshot": status.snapshot,
        "head": status.head,
        "branch": status.branch,
        "freshness": status.freshness,
        "initialized": status.initialized,
        "sequence": status.sequence,
        "epoch": status.epoch,
        "observed_at": status.observed_at,
        "tool": status.tool,
        "files": status.files,
        "languages": dict(status.languages),
        "changed_paths": [{"status": letter, "path": path} for letter, path in changed(status)],
        "overlay": [{"status": entry.status, "path": entry.path} for entry in status.overlay],
        "skipped": skipped_documents(status.skipped),
        "warnings": list(status.warnings),
    }


def changed(status: Status) -> list[tuple[str, str]]:
    """(letter, path) of what a sync would change."""
    return [(letter, path) for path, letter in status.changed_paths]


def skipped_documents(skipped: Iterable[Skipped]) -> list[dict[str, Any]]:
    """The paths left without a slice, and why."""
    return [{"path": item.path, "reason": item.reason} for item in skipped]
