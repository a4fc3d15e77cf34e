"""The list formats: ctags' extended format, sorted, and JSON lines.

A tag is addressed by its line: a search pattern would be a command of the editor's that a file had written.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from git_graph.languages import title
from git_graph.query.export import Unit

RUN = 200_000
"""So many tags are sorted in memory; more are sorted in runs and merged."""


def jsonl(units: Iterable[Unit], about: Mapping[str, Any]) -> Iterator[str]:
    """One JSON object a line: what it is of, then for each file its symbols and its uses."""
    yield _line({"type": "graph", **about})
    for unit in units:
        where = {"path": unit.path}
        yield _line({"type": "file", **where, "language": unit.language})
        for node in unit.nodes:
            said = node._asdict()
            del said["row"], said["primary"]
            yield _line({"type": "symbol" if node.primary else "place", **where, **said})
        for use in unit.uses:
            yield _line({"type": "reference", **where, **use._asdict()})


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def ctags(units: Iterable[Unit], version: str) -> Iterator[str]:
    """A tags file for editors: sorted by bytes, addressed by line."""
    yield (
        "!_TAG_FILE_ENCODING\tutf-8\t//\n!_TAG_FILE_FORMAT\t2\t/extended format/\n"
        "!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n"
        "!_TAG_OUTPUT_EXCMD\tnumber\t/number, pattern, mixed, or combineV2/\n"
        "!_TAG_OUTPUT_MODE\tu-ctags\t/u-ctags or e-ctags/\n"
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
        fields = [f"kind:{node.kind}", f"line:{node.line}", f"end:{node.end_line}", f"language:{title(unit.language)}"]
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
                file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed below, with the others)
                runs.append(file)
                file.writelines(sorted(held))
                file.seek(0)
                held = []
        yield from heapq.merge(*runs, sorted(held))
    finally:
        for file in runs:
            file.close()


def _name(name: str) -> str:
    """A name or path as the format escapes them: at the beginning also what would sort it among the headers."""
    escaped = _plain(name)
    return f"\\x{ord(escaped[0]):02x}{escaped[1:]}" if escaped[:1] in ("!", " ") else escaped


def _plain(name: str) -> str:
    """A field: whatever could end it, or drive a terminal, is written by its bytes' numbers."""
    if name.isprintable() and "\\" not in name:
        return name
    return "".join(map(_escaped, name))


def _escaped(sign: str) -> str:
    if sign == "\\":
        return "\\\\"
    if sign.isprintable() or "\udc80" <= sign <= "\udcff":
        return sign
    return "".join(f"\\x{byte:02x}" for byte in sign.encode())
