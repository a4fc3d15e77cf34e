"""The list formats: ctags' extended format, sorted, and JSON lines."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from git_graph.query.export import Unit

RUN = 200_000
"""So many tags are sorted in memory; more are sorted in runs and merged."""


def jsonl(units: Iterable[Unit], about: Mapping[str, Any]) -> Iterator[str]:
    """One JSON object a line: what it is of, then for each file its symbols and its uses."""
    yield _line({"type": "graph", **about})
    for unit in units:
        yield _line({"type": "file", "path": unit.path, "language": unit.language})
        for node in unit.nodes:
            yield _line({"type": "symbol", **node._asdict(), "path": unit.path, "language": unit.language})
        for use in unit.uses:
            yield _line({"type": "reference", **use._asdict(), "path": unit.path})


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def ctags(units: Iterable[Unit], version: str) -> Iterator[str]:
    """A tags file for editors: sorted by bytes, addressed by line."""
    yield (
        "!_TAG_FILE_FORMAT\t2\t/extended format/\n!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n"
        "!_TAG_FILE_ENCODING\tutf-8\t//\n!_TAG_OUTPUT_MODE\tu-ctags\t/u-ctags or e-ctags/\n"
        f"!_TAG_PROGRAM_NAME\tgit-graph\t//\n!_TAG_PROGRAM_VERSION\t{version}\t//\n"
    )
    tags = (tag for unit in units for tag in _tags(unit))
    for line in sorted_lines(tags):
        yield line.decode("utf-8", "surrogateescape")


def _tags(unit: Unit) -> Iterator[bytes]:
    scopes = {node.id: node for node in unit.nodes}
    for node in unit.nodes:
        if node.kind == "module" and node.row == 0:
            continue
        fields = [f"kind:{node.kind}", f"line:{node.line}", f"end:{node.end_line}", f"language:{unit.language}"]
        parent = scopes.get(node.parent)
        if parent is not None and parent.row:
            fields.append(f"scope:{parent.kind}:{_plain(parent.qualified)}")
        if "(" in node.signature:
            fields.append(f"signature:{_plain(node.signature[node.signature.index('(') :])}")
        tag = f'{_name(node.name)}\t{_name(unit.path)}\t{node.line};"\t' + "\t".join(fields)
        yield tag.encode("utf-8", "surrogateescape") + b"\n"


def sorted_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines sorted by their bytes, without holding more than RUN of them."""
    import tempfile

    runs: list[IO[bytes]] = []
    held: list[bytes] = []
    try:
        for line in lines:
            held.append(line)
            if len(held) >= RUN:
                file = tempfile.TemporaryFile()  # noqa: SIM115 (closed below, with the others)
                runs.append(file)
                file.writelines(sorted(held))
                file.seek(0)
                held = []
        yield from heapq.merge(*runs, sorted(held))
    finally:
        for file in runs:
            file.close()


def _name(text: str) -> str:
    """A name or path as the format escapes them: what would end the field, and a leading `!`, by number."""
    escaped = _plain(text)
    return "\\x21" + escaped[1:] if escaped.startswith("!") else escaped


def _plain(text: str) -> str:
    plain = text.replace("\\", "\\\\")
    return "".join(f"\\x{ord(sign):02x}" if sign < " " or sign == "\x7f" else sign for sign in plain)
