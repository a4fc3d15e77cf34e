"""Types in doc comments: `@param {Type} name`, `@returns {Type}`, `@type {Type}`, `@typedef {Type} Name`.

In JavaScript they are what is known of parameters, results and variables. In TypeScript they say nothing new, but the
names in them are uses all the same. A `{@link Name}` is a mention: its role is that of a name in an import or export.
"""

from __future__ import annotations

import re

from git_graph.languages.builder import Builder
from git_graph.languages.javascript.locals import Locals
from git_graph.languages.walker import Node
from git_graph.model import ALIAS, IMPORT, NONE, OPAQUE, READ, TYPE
from git_graph.records import NamedTuple

_COMMENT = re.compile(rb"/\*\*(?!/).*?\*/", re.DOTALL)
_TAG = re.compile(
    rb"@(param|arg|argument|type|returns?|typedef|property|prop|throws|template|extends|augments|implements|this|yields|"
    rb"satisfies|enum)\s+\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}){0,400})\}(?:\s*\[?\s*([A-Za-z_$][\w$]*))?"
)
_LINK = re.compile(rb"\{@(?:link|linkcode|linkplain)\s+([A-Za-z_$][\w$]*)(?:[.#]([A-Za-z_$][\w$]*))?")
_NAME = re.compile(
    rb"import\(\s*['\"]([^'\"\n]*)['\"]\s*\)|'[^'\n]*'|\"[^\"\n]*\"|[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*"
)
_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_NO_NAMES = frozenset(
    b"""any boolean bigint false function infer is keyof never new null number object readonly string symbol this true
    typeof undefined unknown void asserts extends Object Array Function String Number Boolean Promise""".split()
)


class Tag(NamedTuple):
    """One tag with a type: what it is, where the type stands in the source, and the name that follows."""

    kind: str
    start: int
    end: int
    name: str
    name_start: int


class Documented(NamedTuple):
    """What the doc comment of a function or variable says of types."""

    parameters: dict[str, str]
    returns: str = ""
    type: str = ""


NOTHING = Documented({})


class DocComments(Locals):
    """Reads doc comments."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.has_types = b"/**" in source and _TAG.search(source) is not None
        self.has_links = b"{@link" in source
        self.doc_tags: dict[int, list[Tag]] = {}
        """Where a doc comment begins -> its tags that have types."""
        self.doc_parameters: dict[str, str] = {}
        """What the comment of the present function says of its parameters."""
        self.doc_functions: dict[int, dict[str, str]] = {}
        """Id of a function node -> what its comment says of its parameters, until it is walked."""

    def run(self, root: Node) -> None:
        """Read the comments, then walk the whole tree."""
        if self.has_types or self.has_links:
            self.read_comments()
        super().run(root)

    def documented(self, comment: Node | None) -> Documented:
        """What the comment before a definition says."""
        if comment is None or not self.has_types or self.TYPED:
            return NOTHING
        parameters: dict[str, str] = {}
        returns = type_ = ""
        for tag in self.doc_tags.get(comment.start_byte, ()):
            written = self.type_written(tag)
            if tag.kind in ("param", "arg", "argument") and tag.name:
                parameters.setdefault(tag.name, written)
            elif tag.kind in ("return", "returns"):
                returns = written
            elif tag.kind == "type":
                type_ = written
        return Documented(parameters, returns, type_)

    def type_written(self, tag: Tag) -> str:
        """The type of a tag, in TypeScript's spelling."""
        text = self.source[tag.start : tag.end].decode("utf-8", "replace")
        text = " ".join(line.strip().lstrip("*").strip() for line in text.splitlines()).strip()
        text = text.replace(".<", "<").lstrip("?!").removeprefix("...").rstrip("=").strip()
        match = _NAME.match(text.encode())
        if match is not None and match[1]:
            module = self.doc_module(match[1].decode("utf-8", "replace"), tag.start)
            return self.spelled(module) + text[len(match[0].decode()) :] if module != OPAQUE else text
        return text

    def doc_module(self, module: str, start: int) -> int:
        """The expression of a module that a comment imports."""
        raise NotImplementedError

    def read_comments(self) -> None:
        """Record the names in the types of all doc comments, and the types that they define."""
        for comment in _COMMENT.finditer(self.source):
            for link in _LINK.finditer(self.source, comment.start(), comment.end()) if self.has_links else ():
                self.link(link)
            tags = [_tag(match) for match in _TAG.finditer(self.source, comment.start(), comment.end())]
            if tags:
                self.doc_tags[comment.start()] = tags
            for tag in tags:
                self.doc_names(tag)
                if tag.kind == "typedef" and tag.name and not self.TYPED:
                    self.typedef(tag, comment)

    def link(self, match: re.Match[bytes]) -> None:
        """`{@link Name}` mentions a name: as a name in an import or export it is no use of it."""
        name = match[1].decode()
        self.builder.reference(name, IMPORT, match.start(1))
        if match[2] is not None:
            self.builder.reference(match[2].decode(), READ, match.start(2), self.builder.name(name))

    def typedef(self, tag: Tag, comment: re.Match[bytes]) -> None:
        """`@typedef {Type} Name`: a type alias."""
        line = self.source.count(b"\n", 0, tag.name_start) + 1
        column = tag.name_start - self.source.rfind(b"\n", 0, tag.name_start)
        last = self.source.count(b"\n", 0, comment.end()) + 1
        written = self.type_written(tag)
        self.builder.symbol(
            tag.name, "type_alias", line, last, line, column, parent=0, returns=written,
            signature=f"@typedef {{{written}}} {tag.name}",
        )  # fmt: skip
        self.builder.binding(tag.name, ALIAS, self.builder.annotation(written), line, None, 0)

    def doc_names(self, tag: Tag) -> None:
        """The names in a type are uses of what they name."""
        for match in _NAME.finditer(self.source, tag.start, tag.end):
            text = match[0]
            if match[1] is not None:
                self.imported_names(match, tag)
                continue
            if (
                text[:1] in b"'\""
                or text in _NO_NAMES
                or self.source[max(0, match.start() - 1) : match.start()] == b"."
            ):
                continue
            of = NONE
            for part in _WORD.finditer(text):
                name = part[0].decode()
                self.builder.reference(name, TYPE, match.start() + part.start(), of)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)

    def imported_names(self, match: re.Match[bytes], tag: Tag) -> None:
        """`import('x').Name`."""
        of, position = self.doc_module(match[1].decode("utf-8", "replace"), match.start()), match.end()
        while of != OPAQUE and self.source[position : position + 1] == b"." and position < tag.end:
            part = _WORD.match(self.source, position + 1)
            if part is None:
                return
            self.builder.reference(part[0].decode(), TYPE, part.start(), of)
            of, position = self.builder.attribute(of, part[0].decode()), part.end()


def _tag(match: re.Match[bytes]) -> Tag:
    name = match[3].decode() if match[3] else ""
    return Tag(match[1].decode(), match.start(2), match.end(2), name, match.start(3) if name else match.end())
