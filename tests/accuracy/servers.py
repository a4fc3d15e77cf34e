"""The language servers: how each is started, which files it is told of, and what it does not see of them.

Each is looked for on PATH. clangd gets a compile command for every translation unit that compiles, and what those leave
out (files, and the branches of conditions that no unit takes) is blind; what no package of Go's build holds is blind.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.accuracy.corpora import CACHE, Corpus
from tests.benchmarks.corpus import git

Blind = dict[str, list[list[int]]]


@dataclass(frozen=True)
class Server:
    """One language server. `extensions` are those of the files it reads, with the language each is opened as."""

    name: str
    command: tuple[str, ...]
    version: tuple[str, ...]
    extensions: dict[str, str]
    prepare: Callable[[Corpus, Sequence[str]], Prepared]
    options: dict[str, Any] = field(default_factory=dict)
    first: float = 3
    """How long its work may take to begin, in seconds."""
    opens: int = 5
    """Files that are opened before it is asked."""

    def says(self) -> str:
        """Name and version, as it tells them."""
        done = subprocess.run(self.version, capture_output=True, text=True, check=True)
        lines = [line.strip() for line in done.stdout.splitlines() if any(c.isdigit() for c in line)]
        return f"{self.name} {lines[0].split()[-1] if lines else 'unknown'}"


@dataclass(frozen=True)
class Prepared:
    """A repository made ready: what the server does not see, more arguments and variables, a file to open at first."""

    blind: Blind = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


def files(corpus: Corpus, extensions: Sequence[str]) -> list[str]:
    """The files of a repository that have one of these extensions."""
    listed = git(corpus.root, "ls-files", "-z").decode("utf-8", "surrogateescape").split("\0")
    return [path for path in listed if path.rpartition(".")[2] in extensions]


def _plain(corpus: Corpus, sources: Sequence[str]) -> Prepared:
    return Prepared()


def _go(corpus: Corpus, sources: Sequence[str]) -> Prepared:
    """The repository is in a GOPATH; Debian's packages of what it imports are in another one."""
    place = str(corpus.root)[: -len(f"/src/{corpus.import_path}")]
    environment = {"GO111MODULE": "off", "GOPATH": f"{place}{os.pathsep}/usr/share/gocode", "GOFLAGS": ""}
    done = subprocess.run(
        ["go", "list", "-e", "-json", "./..."], cwd=corpus.root, env={**os.environ, **environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    built: set[str] = set()
    decoder, text = json.JSONDecoder(), done.stdout.strip()
    while text:
        package, end = decoder.raw_decode(text)
        text = text[end:].strip()
        folder = Path(package["Dir"]).relative_to(corpus.root)
        for part in ("GoFiles", "CgoFiles", "TestGoFiles", "XTestGoFiles"):
            built |= {(folder / name).as_posix() for name in package.get(part, ())}
    return Prepared({path: [] for path in sources if path not in built}, (), environment)


def _clang(corpus: Corpus, sources: Sequence[str]) -> Prepared:
    from tests.accuracy.units import Units

    build = CACHE / corpus.label / "build"
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    commands = _configured(corpus, build)
    suffixes = (".c",) if corpus.language == "c" else (".cc", ".cpp", ".cxx")
    for path in sources:
        if path.endswith(suffixes) and path not in commands:
            compiler = "clang" if path.endswith(".c") else "clang++"
            flags = [f"-I{corpus.root / f[2:]}" if f.startswith("-I") else f for f in corpus.flags]
            commands[path] = [compiler, *flags, f"-I{build}", f"-I{build}/include", "-c", str(corpus.root / path)]
    units = Units(corpus.root, commands)
    (build / "compile_commands.json").write_text(
        json.dumps([
            {"directory": str(corpus.root), "file": str(corpus.root / path), "arguments": commands[path]}
            for path in units.compiled
        ])
    )  # fmt: skip
    family = files(
        corpus, ("c", "h", "cc", "cpp", "cxx", "hpp", "hh")
    )  # those of the other language are not asked about
    return Prepared(units.blind(family), (f"--compile-commands-dir={build}",))


def _configured(corpus: Corpus, build: Path) -> dict[str, list[str]]:
    """The compile commands of its own build, by path, if it has one that can be configured here."""
    if not (corpus.root / "CMakeLists.txt").exists():
        return {}
    subprocess.run(
        ["cmake", "-S", str(corpus.root), "-B", str(build), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
         "-DCMAKE_BUILD_TYPE=Debug", *corpus.cmake],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    written = build / "compile_commands.json"
    commands = {}
    for entry in json.loads(written.read_text()) if written.exists() else ():
        path = Path(entry["file"])
        if path.is_relative_to(corpus.root) and not path.is_relative_to(build):
            commands[path.relative_to(corpus.root).as_posix()] = entry["command"].split()
    return commands


_TYPESCRIPT = {"ts": "typescript", "tsx": "typescriptreact"}
_CLANGD = ("clangd", "--background-index", "--limit-references=0", "-j=1", "--pch-storage=memory")

SERVERS = {
    "python": Server("pyright", ("pyright-langserver", "--stdio"), ("pyright", "--version"), {"py": "python"}, _plain,
                     opens=100_000),
    "typescript": Server(
        "typescript-language-server", ("typescript-language-server", "--stdio"),
        ("typescript-language-server", "--version"), _TYPESCRIPT, _plain, {"tsserver": {"useSyntaxServer": "never"}},
    ),
    "go": Server("gopls", ("gopls", "serve"), ("dpkg-query", "-W", "gopls"), {"go": "go"}, _go),
    "c": Server("clangd", _CLANGD, ("clangd", "--version"), {"c": "c", "h": "c"}, _clang, first=30),
    "cpp": Server(
        "clangd", _CLANGD, ("clangd", "--version"),
        dict.fromkeys(("cc", "cpp", "cxx", "h", "hpp", "hh"), "cpp"), _clang, first=30,
    ),
}  # fmt: skip
"""By language."""


_DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)


def macro_bodies(root: Path, blind: Blind, sources: Sequence[str]) -> Blind:
    """What a server that expands macros does not see besides: no name in the body of one is a reference to it."""
    found = dict(blind)
    for path in sources:
        if path not in blind or blind[path]:
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            ends = [(m.start(), m.end()) for m in _DEFINE.finditer(text)]
            lines = [[text.count("\n", 0, first) + 1, text.count("\n", 0, last) + 1] for first, last in ends]
            if lines:
                found[path] = sorted([*blind.get(path, []), *lines])
    return found


def ignores(tokens: list[str]) -> bool:
    """Whether a macro with parameters, written as `tokens`, lets what is given for them go (`#x` is no use)."""
    end = tokens.index(")")
    parameters = {"__VA_ARGS__" if word == "..." else word for word in tokens[2:end]} - {","}
    body = tokens[end + 1 :]
    used = {word for before, word in zip(["", *body], body, strict=False) if before != "#"}
    return bool(parameters) and parameters.isdisjoint(used)


def missing(server: Server) -> str:
    """Why a server cannot be started here; empty if it can."""
    return "" if shutil.which(server.command[0]) else f"no {server.command[0]} on PATH; see docs/accuracy.md"


def complain(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)
