"""Tags files as editors and strict readers see them, and JSON lines."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from export_samples import SOURCES, some_units, units_of
from hypothesis import given, settings

from git_graph.query import export_lists
from git_graph.query.export import Unit
from git_graph.query.export_lists import ctags, jsonl, sorted_lines

needs_vim = pytest.mark.skipif(shutil.which("vim") is None, reason="there is no vim here to search tags with")


class Tag(NamedTuple):
    name: bytes
    path: bytes
    line: int
    fields: dict[str, bytes]


def unescaped(field: bytes) -> bytes:
    assert re.search(rb"[\x00-\x1f\x7f]", field) is None
    return re.sub(
        rb"\\(\\|x([0-9a-f]{2}))", lambda found: bytes.fromhex(found[2].decode()) if found[2] else b"\\", field
    )


def read(data: bytes) -> tuple[dict[str, str], list[Tag]]:
    """The headers and tags of a file that is as tags(5) says; anything else fails."""
    assert data.endswith(b"\n")
    lines = data[:-1].split(b"\n")
    assert lines == sorted(lines)
    heads, tags = {}, []
    for line in lines:
        name, path, rest = line.split(b"\t", 2)
        if line.startswith(b"!_TAG_"):
            assert rest.startswith(b"/") or path
            heads[name.decode()] = path.decode()
            continue
        address, mark, fields = rest.partition(b';"\t')
        assert mark and address.isdigit() and name and not name.startswith((b"!", b" "))
        said = dict(field.split(b":", 1) for field in fields.split(b"\t"))
        tags.append(Tag(unescaped(name), unescaped(path), int(address), {k.decode(): v for k, v in said.items()}))
    return heads, tags


def written(units: Iterable[Unit]) -> bytes:
    return "".join(ctags(units, "1.0")).encode("utf-8", "surrogateescape")


def test_a_tags_file_is_sorted_and_says_how() -> None:
    heads, tags = read(written(units_of(SOURCES)))
    assert heads["!_TAG_FILE_FORMAT"] == "2"
    assert heads["!_TAG_FILE_SORTED"] == "1"
    assert heads["!_TAG_OUTPUT_EXCMD"] == "number"
    found = {(tag.name.decode(), tag.path.decode(), tag.line) for tag in tags}
    assert {
        ("Cart", "shop/cart.py", 9),
        ("größe", "shop/cart.py", 16),
        ("sum", "src/sum.c", 2),
        ("sum", "src/sum.h", 3),
        ("SIZE", "src/sum.h", 1),
        ("f", "a b/`odd`/#1.py", 1),
    } <= found
    (price,) = (tag for tag in tags if tag.name == b"price" and tag.line == 12)
    assert price.fields == {
        "kind": b"method", "line": b"12", "end": b"13", "language": b"Python", "scope": b"class:Cart",
        "signature": b"(self, item)",
    }  # fmt: skip


def test_files_themselves_have_no_tag() -> None:
    assert not [tag for tag in read(written(units_of(SOURCES)))[1] if tag.fields["kind"] == b"module"]


@given(some_units())
@settings(max_examples=40)
def test_names_of_any_bytes_come_back(units: list[Unit]) -> None:
    _, tags = read(written(units))
    expected = sorted(
        (node.name.encode("utf-8", "surrogateescape"), unit.path.encode("utf-8", "surrogateescape"), node.line)
        for unit in units
        for node in unit.nodes
        if node.row
    )
    assert sorted(tag[:3] for tag in tags) == expected


def test_more_tags_than_fit_are_sorted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_lists, "RUN", 7)
    lines = [b"%d\n" % (number * 7919 % 100) for number in range(100)]
    assert list(sorted_lines(lines)) == sorted(lines)


@needs_vim
@pytest.mark.parametrize("name", ["Cart", "größe", "SIZE", "Square", "Get", "f"])
def test_vim_jumps_to_a_tag(tmp_path: Path, name: str) -> None:
    for path, source in SOURCES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    (tmp_path / "tags").write_bytes(written(units_of(SOURCES)))
    out = "call writefile([expand('%'), line('.'), getline('.')], 'out')"
    command = [
        "vim",
        "-u",
        "NONE",
        "-N",
        "-es",
        "-i",
        "NONE",
        "--cmd",
        "set enc=utf-8",
        "-t",
        name,
        "-c",
        out,
        "-c",
        "qa!",
    ]
    subprocess.run(command, cwd=tmp_path, timeout=30, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    path, line, text = (tmp_path / "out").read_text().splitlines()
    assert name in text
    assert SOURCES[path].split("\n")[int(line) - 1] == text


@needs_vim
def test_vim_finds_every_tag_by_its_sorted_search(tmp_path: Path) -> None:
    (tmp_path / "tags").write_bytes(written(units_of(SOURCES)))
    names = sorted({node.name for unit in units_of(SOURCES) for node in unit.nodes if node.row})
    (tmp_path / "names").write_text("\n".join(names))
    script = "call writefile(map(readfile('names'), {_, n -> n . ' ' . len(taglist('^\\V' . n . '\\$'))}), 'out')"
    command = ["vim", "-u", "NONE", "-N", "-es", "-i", "NONE", "--cmd", "set enc=utf-8", "-c", script, "-c", "qa!"]
    subprocess.run(command, cwd=tmp_path, timeout=30, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    counts = dict(line.rsplit(" ", 1) for line in (tmp_path / "out").read_text().splitlines())
    assert counts.keys() == set(names)
    assert [name for name, count in counts.items() if count == "0"] == []


# JSON lines


def rows(units: Iterable[Unit]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in "".join(jsonl(units, {"view": "v"})).splitlines()]


def test_json_lines_name_every_symbol_and_use() -> None:
    found = rows(units_of(SOURCES))
    assert found[0] == {"type": "graph", "view": "v"}
    symbols = {row["id"]: row for row in found if row["type"] == "symbol"}
    cart = symbols["shop/`cart.py`/Cart#"]
    assert (cart["name"], cart["kind"], cart["path"], cart["line"]) == ("Cart", "class", "shop/cart.py", 9)
    assert symbols[cart["parent"]]["kind"] == "module"
    uses = [row for row in found if row["type"] == "reference" and row["path"] == "shop/use.py"]
    assert [row["targets"] for row in uses if row["line"] == 4] == [["shop/`cart.py`/Cart#"]]
    (unknown,) = (row for row in uses if row["name"] == "unknown")
    assert (unknown["resolution"], unknown["targets"]) == ("dangling", [])
    assert all(target in symbols for row in found if row["type"] == "reference" for target in row["targets"])


def test_a_prototype_is_a_place_of_its_symbol() -> None:
    found = rows(units_of(SOURCES))
    (place,) = (row for row in found if row["type"] == "place" and row["path"] == "src/sum.h")
    assert (place["id"], place["line"]) == ("src/`sum.c`/sum().", 3)


@given(some_units())
@settings(max_examples=40)
def test_json_lines_are_ascii_and_one_a_record(units: list[Unit]) -> None:
    text = "".join(jsonl(units, {}))
    assert text.isascii() and text.count("\n") == len(rows(units))
    assert [row["name"] for row in rows(units) if row["type"] == "symbol"] == [
        node.name for unit in units for node in unit.nodes
    ]
