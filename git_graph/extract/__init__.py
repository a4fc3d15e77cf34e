"""Bytes and rules -> Slice. The only room that imports tree_sitter, and only when something is extracted."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from git_graph.extract.extractor import blob_id, extract, omission

__all__ = ["blob_id", "extract", "omission"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("git_graph.extract.extractor"), name)
