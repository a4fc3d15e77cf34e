"""Make the truth of an archive: ask its language server twice, and keep the definitions on which both runs agree.

Definitions are drawn by seed from the server's own outlines: functions, methods and types (and macros) in turn. A
method's sites are asked back: one whose definition is another member (the base's, the interface's) is a reference of
that one, and where a member's own name stands is none.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.accuracy.corpora import Corpus, fetch
from tests.accuracy.lsp import Client, Gone
from tests.accuracy.servers import SERVERS, Prepared, Server, complain, files, macro_bodies
from tests.accuracy.truth import Asked, Site, Truth, by_path, save

KINDS = {12: "function", 6: "method", 7: "method", 5: "type", 10: "type", 11: "type", 23: "type", 26: "type"}
"""LSP's symbol kinds that are sampled."""
PYTHON_PROPERTY = 7
NAME = re.compile(r"[A-Za-z_$][\w$]*")
TAGGED = re.compile(r"\b(?:struct|union|enum|class)\s+(?:[A-Z_][A-Z0-9_]*\s+)?\Z")
MENTION = re.compile(r"\s*(?:[*&<]|(?!final\b)[A-Za-z_])")
COMMENTED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
MOST_GUESSES = 300
"""Places that are asked for what they lead to, for one definition."""
UNNAMED = frozenset(("constructor", "operator"))
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
OUTLINES = 6
"""Definitions that are read from outlines for each one that is wanted."""


def record(corpus: Corpus, count: int, seed: int) -> Path:
    """Record `count` definitions that are referred to, and those met on the way that are not."""
    root = fetch(corpus)
    server = SERVERS[corpus.language]
    prepared = server.prepare(corpus, files(corpus, tuple(server.extensions)))
    sources = [path for path in files(corpus, tuple(server.extensions)) if prepared.blind.get(path, [0])]
    with _Run(server, prepared, root) as run:
        first = list(_first(run, sources, prepared, count, seed))
    with _Run(server, prepared, root) as run:
        run.warm(sources, seed)
        kept = [asked for asked in first if run.references(asked) == asked]
    blind = prepared.blind
    if server.name == "clangd":
        blind = macro_bodies(root, blind, sources)
    used = sum(bool(asked.references) for asked in kept)
    complain(f"{corpus.label}: {len(first)} asked, {len(kept)} the same twice, {used} of them referred to")
    return save(Truth(corpus.label, server.says(), seed, blind, tuple(kept)))


def _first(run: _Run, sources: Sequence[str], prepared: Prepared, count: int, seed: int) -> Iterator[Asked]:
    """The first run: definitions in the order they are drawn, until enough of them are referred to."""
    run.warm(sources, seed)
    truth = Truth("", "", seed, prepared.blind, ())
    pool = [a for a in run.sample(sources, count * OUTLINES, seed) if truth.sees((a.path, a.line))]
    used, seen = 0, set()
    for drawn in _in_turn(pool, seed):
        if used >= count:
            return
        if (drawn.path, drawn.line) in seen:
            continue
        seen.add((drawn.path, drawn.line))
        asked = run.references(drawn)
        if asked is None:
            continue
        used += bool(asked.references)
        if len(seen) % 25 == 0:
            complain(f"  {len(seen)} asked, {used} referred to")
        yield asked


def _in_turn(pool: Iterable[Asked], seed: int) -> Iterator[Asked]:
    kinds: dict[str, list[Asked]] = {}
    for asked in pool:
        kinds.setdefault(asked.kind, []).append(asked)
    for drawn in kinds.values():
        random.Random(seed).shuffle(drawn)
    turns = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    return (asked for asked in chain.from_iterable(turns) if asked is not None)


def mentions(text: str, name: re.Match[str]) -> bool:
    """Whether a line of C or C++ holds the name of a type without defining or declaring it: `struct x *p;` is a use
    of x, though the first one declares it, and `struct x<int> {` one of the template that it specializes."""
    return TAGGED.search(text[: name.start()]) is not None and MENTION.match(text, name.end()) is not None


class _Run:
    """One life of a server on a repository."""

    def __init__(self, server: Server, prepared: Prepared, root: Path) -> None:
        self._server, self._root = server, root.resolve()
        self._texts: dict[str, list[str]] = {}
        self._opened: set[str] = set()
        self._outlines: dict[str, set[tuple[int, int]]] = {}
        self._stubs: dict[tuple[str, int], list[tuple[str, int, int]]] = {}
        self._prepared = prepared
        self._read: Sequence[str] = ()
        """The files that are asked about."""
        self._start()

    def _start(self) -> None:
        command = (*self._server.command, *self._prepared.arguments)
        self._opened.clear()
        self._client = Client(command, self._root, self._server.options, self._prepared.environment)

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def warm(self, sources: Sequence[str], seed: int) -> None:
        """Open files (pyright looks for references only in those) and wait until the server has read the rest."""
        self._read = self._read or sources
        for path in (drawn := random.Random(seed).sample(sources, min(self._server.opens, len(sources)))):
            self._open(path)
        for path in drawn[:5]:
            self._ask("documentSymbol", path)
        self._client.settle(self._server.first, 15 if self._server.first > 5 else 5)
        for stub in sorted(self._root.rglob("*.pyi")) if self._server.name == "pyright" and not self._stubs else ():
            self._stubbed(stub.relative_to(self._root).as_posix())

    def _stubbed(self, path: str) -> None:
        """Note which definitions the declarations of a stub stand for: one symbol, asked for at both places."""
        pending = list(self._ask("documentSymbol", path) or ())
        while pending:
            item = pending.pop()
            pending.extend(item.get("children") or ())
            place = item["selectionRange"]["start"]["line"], item["selectionRange"]["start"]["character"]
            for source, line in self._places("definition", path, place):
                if source.endswith(".py") and item["name"] in self._lines(source)[line]:
                    self._stubs.setdefault((source, line), []).append((path, *place))

    def sample(self, sources: Sequence[str], enough: int, seed: int) -> Iterator[Asked]:
        """Definitions from the outlines of files drawn at random, until there are enough."""
        drawn = 0
        for path in random.Random(seed).sample(sources, len(sources)):
            if drawn >= enough:
                return
            for asked in self._outlined(path):
                drawn += 1
                yield asked

    def references(self, asked: Asked) -> Asked | None:
        """A definition with its references; None if the server does not answer, or not about this name."""
        start = (asked.line - 1, self._utf16(asked.path, asked.line - 1, asked.column - 1))
        try:
            answer = self._ask("references", asked.path, start, context={"includeDeclaration": False})
            if answer is None:
                return None
            stubs = self._stubs.get((asked.path, start[0]), ())
            for path, *place in stubs:
                answer += (
                    self._ask("references", path, (place[0], place[1]), context={"includeDeclaration": False}) or ()
                )
            if not self.defines(asked):
                return None
            own = {(asked.path, start[0]), *self._places("definition", asked.path, start)}
            own |= set(self._places("declaration", asked.path, start)) if self._server.name == "clangd" else set()
            own |= {(asked.path, line) for line in self._overloads(asked)} | {(path, line) for path, line, _ in stubs}
            sites = {(path, line + 1) for path, line in own if self._mentioned(asked, path, line)}
            unseen: set[Site] = set()
            for path, line, character in {place for item in answer if (place := self._place(item))}:
                if (path, line) in own:
                    continue
                if self._foreign(asked.name, path, (line, character)):
                    unseen.add((path, line + 1))
                    continue
                if self._elsewhere(asked, path, (line, character)):
                    continue
                if asked.kind == "method":
                    # in TypeScript a declared member leads to itself, a property of an expected type to that type's
                    if self._server.name != "typescript-language-server" and (line, character) in self._declared(path):
                        continue
                    leads = set(self._places("definition", path, (line, character)))
                    if leads and not leads & own:
                        continue
                sites.add((path, line + 1))
            unseen |= set(self._dependent(asked.name, own, {*sites, *unseen}))
        except Gone as gone:
            complain(f"  {asked.path}:{asked.line} {asked.name}: {gone}")
            if self._client.ended:
                self._start()
                self.warm([asked.path], 0)
            return None
        if self._server.name == "pyright":
            sites |= self._alias_uses(asked.name, sites)
        return replace(asked, references=by_path(sites - {(asked.path, asked.line)}), unseen=by_path(unseen - sites))

    def defines(self, asked: Asked) -> bool:
        """Whether a place of an outline defines: an object's member that a type expects is a use of that type's."""
        if asked.kind != "method" or self._server.name != "typescript-language-server":
            return True
        start = asked.line - 1, self._utf16(asked.path, asked.line - 1, asked.column - 1)
        return (asked.path, start[0]) in set(self._places("definition", asked.path, start))

    def _foreign(self, name: str, path: str, start: tuple[int, int]) -> bool:
        """Whether a name that is not written at a place is brought there by a macro of a header outside."""
        if self._server.name != "clangd" or name in self._lines(path)[start[0]]:
            return False
        homes = {home for home, _ in self._places("definition", path, start)}
        return homes == {""}

    def _dependent(self, name: str, own: set[tuple[str, int]], known: set[Site]) -> Iterator[Site]:
        """C++: other lines from which a name leads to a definition: clangd's index leaves out what depends on a
        template's parameters, and what it says at the place itself is a guess."""
        if self._server.extensions.get("h") != "cpp":
            return
        asked, wanted = 0, re.compile(rf"\b{name}\b")
        for path in self._read:
            code = COMMENTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), "\n".join(self._lines(path)))
            for match in wanted.finditer(code):
                line = code.count("\n", 0, match.start())
                if (path, line) in own or (path, line + 1) in known:
                    continue
                asked += 1
                if asked > MOST_GUESSES:
                    return
                character = match.start() - code.rfind("\n", 0, match.start()) - 1
                leads = set(self._places("definition", path, (line, character)))
                if any(home and (home, at) in own for home, at in leads):
                    yield path, line + 1

    def _mentioned(self, asked: Asked, path: str, line: int) -> bool:
        """Whether what the server takes for a type's declaration is a use of it that comes before its definition."""
        if self._server.name != "clangd" or asked.kind != "type" or not path:
            return False
        text = self._lines(path)[line]
        return any(mentions(text, name) for name in NAME.finditer(text) if name[0] == asked.name)

    def _elsewhere(self, asked: Asked, path: str, start: tuple[int, int]) -> bool:
        """C: whether a type at a place is another file's of that name: clangd takes the two for one, as in C++."""
        if self._server.name != "clangd" or asked.kind != "type" or path.rpartition(".")[2] != "c":
            return False
        body = re.compile(rf"^[^\n;()]*\b(?:struct|union|enum)\s+{asked.name}\s*\{{", re.MULTILINE)
        return path != asked.path and bool(body.search("\n".join(self._lines(path))))

    def _overloads(self, asked: Asked) -> set[int]:
        """The lines (0-based) of what has the name of a definition in the same container: its overloads."""
        pending = [list(self._ask("documentSymbol", asked.path) or ())]
        while pending:
            siblings = pending.pop()
            named = [i for i in siblings if asked.name in NAME.findall(i["name"])[-1:]]
            kinds = {i["kind"] for i in named if i["selectionRange"]["start"]["line"] == asked.line - 1}
            if kinds and self._server.name != "clangd":
                return {i["selectionRange"]["start"]["line"] for i in named if i["kind"] in kinds}
            pending.extend(item["children"] for item in siblings if item.get("children"))
        return set()

    def _declared(self, path: str) -> set[tuple[int, int]]:
        """Where the names stand that a file's outline holds."""
        if path not in self._outlines:
            found, pending = set(), list(self._ask("documentSymbol", path) or ())
            while pending:
                item = pending.pop()
                pending.extend(item.get("children") or ())
                found.add((item["selectionRange"]["start"]["line"], item["selectionRange"]["start"]["character"]))
            self._outlines[path] = found
        return self._outlines[path]

    def _outlined(self, path: str) -> Iterator[Asked]:
        pending = list(self._ask("documentSymbol", path) or ())
        while pending:
            item = pending.pop()
            pending.extend(item.get("children") or ())
            kind = KINDS.get(item["kind"])
            if item["kind"] == PYTHON_PROPERTY and self._server.name != "pyright":
                continue
            place = item["selectionRange"]["start"]
            if kind is not None and (asked := self._named(path, place["line"], place["character"], kind, item["name"])):
                yield asked
        if self._server.name == "clangd":
            for match in MACRO.finditer("\n".join(self._lines(path))):
                line = match.string.count("\n", 0, match.start(1))
                column = match.start(1) - match.string.rfind("\n", 0, match.start(1))
                if not match[1].startswith("__"):
                    yield Asked(path, line + 1, column, match[1], "macro", {})

    def _named(self, path: str, line: int, character: int, kind: str, name: str) -> Asked | None:
        """The definition whose plain name stands at a place; operators, constructors and dunders are not drawn."""
        text = self._lines(path)[line]
        column = len(text.encode("utf-16-le")[: character * 2].decode("utf-16-le", "replace"))
        match = NAME.match(text, column)
        if match is None or match[0].startswith("__") or match[0] in UNNAMED or "(anonymous" in name:
            return None
        if match[0] not in NAME.findall(name):
            return None
        if self._server.name == "clangd" and mentions(text, match):
            return None
        return Asked(path, line + 1, column + 1, match[0], kind, {})

    def _places(self, question: str, path: str, start: tuple[int, int]) -> Iterator[tuple[str, int]]:
        answer = self._ask(question, path, start) or []
        for item in answer if isinstance(answer, list) else [answer]:
            place = self._place(item)
            if place is not None:
                yield place[:2]
            elif "targetUri" not in item:
                yield "", 0  # outside of the repository

    def _place(self, item: dict[str, Any]) -> tuple[str, int, int] | None:
        uri, spot = item.get("uri") or item["targetUri"], item.get("range") or item["targetSelectionRange"]
        path = Path(unquote(urlsplit(uri).path))
        if not path.is_relative_to(self._root):
            return None
        return path.relative_to(self._root).as_posix(), spot["start"]["line"], spot["start"]["character"]

    def _ask(self, question: str, path: str, start: tuple[int, int] | None = None, **more: Any) -> Any:
        self._open(path)
        params: dict[str, Any] = {"textDocument": {"uri": (self._root / path).as_uri()}, **more}
        if start is not None:
            params["position"] = {"line": start[0], "character": start[1]}
        return self._client.call(f"textDocument/{question}", params)

    def _open(self, path: str) -> None:
        if path in self._opened:
            return
        self._opened.add(path)
        language = self._server.extensions.get(path.rpartition(".")[2], "plaintext")
        document = {"uri": (self._root / path).as_uri(), "languageId": language, "version": 1,
                    "text": "\n".join(self._lines(path))}  # fmt: skip
        self._client.note("textDocument/didOpen", {"textDocument": document})

    def _lines(self, path: str) -> list[str]:
        if path not in self._texts:
            with open(self._root / path, encoding="utf-8", errors="replace", newline="") as file:
                self._texts[path] = file.read().split("\n")
        return self._texts[path]

    def _utf16(self, path: str, line: int, column: int) -> int:
        return len(self._lines(path)[line][:column].encode("utf-16-le")) // 2

    def _alias_uses(self, name: str, sites: set[Site]) -> set[Site]:
        """Pyright names `import f as g` but not the uses of g: they are read from the file's own syntax tree."""
        more: set[Site] = set()
        for path, line in sites:
            try:
                tree = ast.parse("\n".join(self._lines(path)))
            except SyntaxError:
                continue
            aliases = {
                alias.asname
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.lineno <= line <= (node.end_lineno or 0)
                for alias in node.names
                if alias.name == name and alias.asname not in (None, name)
            }
            if aliases:
                more |= {(path, n.lineno) for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in aliases}
        return more
