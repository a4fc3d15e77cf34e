"""Bytes and rules -> Slice. The only room that imports tree_sitter."""

from git_graph.extract.extractor import blob_id, extract, omission
from git_graph.extract.fingerprint import fingerprint

__all__ = ["blob_id", "extract", "fingerprint", "omission"]
