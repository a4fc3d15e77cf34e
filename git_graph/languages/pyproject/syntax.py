"""What a `pyproject.toml` or `setup.cfg` says of modules, as bindings of kind project.

`distribution` is the project's name, `source-root` a directory (relative to the file's own) below which its modules
lie, `entry-point` a callable that something outside runs, as `module:name`. Both files are read by what they hold, TOML
first. What is neither is said to be unparsed; nothing here raises on bad input.
"""

from __future__ import annotations

import configparser
import posixpath
import tomllib
from collections.abc import Iterator
from typing import Any

from git_graph.languages.builder import Builder
from git_graph.model import PROJECT

MAX_BYTES = 1024 * 1024
"""Project files above this are not read."""
Fact = tuple[str, str]


def read(source: bytes, builder: Builder) -> None:
    """Record the facts of one file."""
    text = source.decode("utf-8", "surrogateescape")
    facts = _facts(text) if len(source) <= MAX_BYTES else None
    if facts is None:
        builder.slice.unparsed.append((1, builder.scope.end_line))
        return
    lines = text.split("\n")
    for key, value in dict.fromkeys(facts):
        line = next((number for number, line in enumerate(lines, 1) if value and value in line), 1)
        builder.binding(key, PROJECT, builder.literal(value), line)


def _facts(text: str) -> list[Fact] | None:
    try:
        return list(_of_toml(tomllib.loads(text)))
    except (ValueError, RecursionError):
        pass
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, interpolation=None)
    try:
        parser.read_string(text)
    except (configparser.Error, ValueError, AttributeError, RecursionError):  # it raises all of these
        return None
    return list(_of_ini(parser))


def _of_toml(data: dict[str, Any]) -> Iterator[Fact]:
    project, tool = _table(data, "project"), _table(data, "tool")
    for table in (project, _table(tool, "poetry")):
        if isinstance(name := table.get("name"), str):
            yield "distribution", name
        for key in ("scripts", "gui-scripts"):
            yield from _entry_points(_table(table, key))
        for group in _table(table, "entry-points").values():
            yield from _entry_points(group if isinstance(group, dict) else {})
    for root in _toml_roots(tool):
        yield from _root(root)


def _toml_roots(tool: dict[str, Any]) -> Iterator[Any]:
    """Directories that build backends, type checkers and test runners put on the path."""
    setuptools = _table(tool, "setuptools")
    yield from _table(setuptools, "package-dir").values()
    yield from _strings(_table(_table(setuptools, "packages"), "find").get("where"))
    for package in _list(_table(tool, "poetry").get("packages")):
        if isinstance(package, dict):
            yield package.get("from")
    build = _table(_table(tool, "hatch"), "build")
    targets = _table(build, "targets")
    for target in (build, _table(targets, "wheel"), _table(targets, "sdist")):
        yield from (_parent(path) for path in _strings(target.get("packages")))
        yield from _strings(target.get("sources"))
    yield _table(_table(tool, "pdm"), "build").get("package-dir")
    yield _table(tool, "maturin").get("python-source")
    yield _table(_table(tool, "uv"), "build-backend").get("module-root")
    yield from _strings(_table(_table(tool, "pytest"), "ini_options").get("pythonpath"))
    yield from _paths(_table(tool, "mypy").get("mypy_path"))
    pyright = _table(tool, "pyright")
    yield from _strings(pyright.get("extraPaths"))
    for environment in _list(pyright.get("executionEnvironments")):
        if isinstance(environment, dict):
            yield environment.get("root")
            yield from _strings(environment.get("extraPaths"))


def _of_ini(parser: configparser.RawConfigParser) -> Iterator[Fact]:
    def value(section: str, key: str) -> str:
        return parser.get(section, key, fallback="") or ""

    if name := value("metadata", "name"):
        yield "distribution", name
    for line in value("options", "package_dir").split("\n"):
        yield from _root(line.partition("=")[2].strip() or None)
    for section, key in (("options.packages.find", "where"), ("tool:pytest", "pythonpath"), ("mypy", "mypy_path")):
        for root in _paths(value(section, key)):
            yield from _root(root)
    if parser.has_section("options.entry_points"):
        for group in parser.options("options.entry_points"):
            lines = (line.partition("=") for line in value("options.entry_points", group).split("\n"))
            yield from _entry_points({name.strip(): target.strip() for name, _, target in lines if target.strip()})


def _root(written: Any) -> Iterator[Fact]:
    """A source root inside the repository, normalised; `.` is the file's own directory and needs no saying."""
    if not isinstance(written, str) or not written or "$" in written or "\0" in written:
        return
    root = posixpath.normpath(written.replace("\\", "/"))
    if root not in (".", "..") and not root.startswith(("/", "../")):
        yield "source-root", root


def _entry_points(table: dict[str, Any]) -> Iterator[Fact]:
    for target in table.values():
        if isinstance(target, str) and ":" in target:
            yield "entry-point", target.partition("[")[0].strip()


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _strings(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def _paths(value: Any) -> list[str]:
    """Paths in a list, or in a string with commas, colons or white space between them."""
    written = " ".join(_strings(value))
    return written.replace(",", " ").replace(":", " ").split()


def _parent(path: str) -> str:
    return posixpath.dirname(path.replace("\\", "/"))
