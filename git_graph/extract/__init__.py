"""Bytes and rules -> Slice. The only room that imports tree_sitter."""
