"""A walk for languages whose locals hold from their declaration to the end of their block (Go, Rust, Java).

The walk knows at each name whether it is a local, so references to locals are never recorded, and each local's name in
expressions is its own: a declaration that hides another of the same function is called `x#2`, the next `x#3`, so
`let x = x.f()` and a block's own `x` need no columns to be told apart. A local about which nothing is known has no
binding: it is opaque wherever it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from git_graph.languages.builder import Builder
from git_graph.languages.walker import Node, Walker, last_line
from git_graph.model import LOCAL, NONE, OPAQUE, READ, SELF, SUPER, X_ATTRIBUTE

_UNBOUND = (OPAQUE, SELF, SUPER)


Local = tuple[int | None, str, int, int]
"""What a name in sight is: the expression of its uses (None: no local, a symbol hides it), its name in bindings, how
many of its name it hides, and where in the undo list it was declared."""


class LexicalWalker(Walker):
    """A Walker that keeps the locals in sight.

    A method `void_<node type>` does what `on_<node type>` does where nobody asks for the expression (`through`): it
    records the same and spares making it.
    """

    GIVEN: ClassVar[dict[str, Local]] = {"_": (OPAQUE, "", 0, 0)}
    """Names that are in sight everywhere without being declared, and never recorded."""

    _voids: ClassVar[dict[int, str]] = {}

    @classmethod
    def use_grammar(cls, types: Iterable[tuple[int, str]], tokens: Iterable[tuple[int, str]] = ()) -> None:
        """As Walker.use_grammar."""
        super().use_grammar(types, tokens)
        names = ((kind, f"void_{name[3:]}") for kind, name in cls._kinds.items())
        cls._voids = {kind: name for kind, name in names if hasattr(cls, name)}

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.steps |= {kind: getattr(self, name) for kind, name in self._voids.items()}
        self._words: dict[bytes, str] = {}
        self._names = builder.name_cache
        self._outermost = builder.scope
        self.names: dict[str, Local] = dict(self.GIVEN)
        self._undo: list[tuple[str, Local | None]] = []
        self._start = 0
        """Where in the undo list the present block begins."""
        self.end_line = builder.scope.end_line
        """Where the present block ends: bindings hold until there."""

    def guarded(self, child: Node) -> None:
        """As Walker.guarded; locals left over by a child that was given up are forgotten."""
        super().guarded(child)
        if self._undo:
            self.names, self._undo = dict(self.GIVEN), []

    def known(self, name: str) -> int | None:
        """The expression of the local `name`, or None if no local of that name is in sight."""
        found = self.names.get(name)
        return None if found is None else found[0]

    def word(self, node: Node) -> str:
        """The text of a node that is one word, remembered."""
        word = self.source[node.start_byte : node.end_byte]
        found = self._words.get(word)
        if found is None:
            found = self._words[word] = word.decode("utf-8", "surrogateescape")
        return found

    def on_identifier(self, node: Node, role: int = READ) -> int:
        """The expression that a bare name is; it is recorded unless it is a local."""
        start, builder = node.start_byte, self.builder
        word = self.source[start : node.end_byte]
        found = self._names.get(word)
        if found is None:
            found = builder.bare_name(word)
        name, expression = found
        local = self.names.get(name)
        if local is not None and local[0] is not None:
            return local[0]
        builder.references.append((start, name, role, NONE, builder.scope.symbol, self._outermost))
        return expression

    def void_identifier(self, node: Node, role: int = READ) -> int:
        """As `on_identifier`, where nobody asks for the expression."""
        start = node.start_byte
        word = self.source[start : node.end_byte]
        name = self._words.get(word)
        if name is None:
            name = self._words[word] = word.decode("utf-8", "surrogateescape")
        local = self.names.get(name)
        if local is None or local[0] is None:
            builder = self.builder
            builder.references.append((start, name, role, NONE, builder.scope.symbol, self._outermost))
        return OPAQUE

    def member(self, node: Node, of: int, role: int) -> int:
        """Record the member of `of` whose name is at `node`, and give its expression."""
        name, builder = self.word(node), self.builder
        builder.references.append((node.start_byte, name, role, of, builder.scope.symbol, self._outermost))
        if of == OPAQUE:
            return OPAQUE
        return builder.expression(X_ATTRIBUTE, of, name) if of else builder.name(name)

    def member_void(self, node: Node, of: int, role: int) -> int:
        """As `member`, where nobody asks for the expression."""
        builder = self.builder
        builder.references.append((node.start_byte, self.word(node), role, of, builder.scope.symbol, self._outermost))
        return OPAQUE

    def declare(self, name: str, value: int, line: int, kind: int = LOCAL) -> None:
        """From here to the end of the block `name` is a local bound to the expression `value`."""
        old = self.names.get(name)
        undo = self._undo
        undo.append((name, old))
        shadows = 0 if old is None else old[2]
        if value in _UNBOUND:
            self.names[name] = (value, "", shadows, len(undo))
            return
        unique = f"{name}#{shadows + 1}" if shadows else name
        self.builder.binding(unique, kind, value, line, self.end_line)
        self.names[name] = (self.builder.name(unique), unique, shadows + 1, len(undo))

    def rename(self, name: str, expression: int) -> None:
        """From here to the end of the block `name` is another name of what `expression` is."""
        old = self.names.get(name)
        self._undo.append((name, old))
        self.names[name] = (expression, "", 0 if old is None else old[2], len(self._undo))

    def free(self, name: str) -> None:
        """From here to the end of the block `name` is no local: a symbol of that name hides it."""
        old = self.names.get(name)
        if old is not None:
            self._undo.append((name, old))
            self.names[name] = (None, "", old[2], len(self._undo))

    def declared_here(self, name: str) -> bool:
        """Whether the present block itself has declared the local `name`."""
        local = self.names.get(name)
        return local is not None and local[3] > self._start

    def block(self, node: Node) -> tuple[int, int]:
        """Open the block that `node` is; give the answer to `close`."""
        mark = self._start, self.end_line
        self._start, self.end_line = len(self._undo), last_line(node)
        return mark

    def close(self, mark: tuple[int, int]) -> None:
        """Close the present block: what it declared is forgotten."""
        undo, names, start = self._undo, self.names, self._start
        while len(undo) > start:
            name, old = undo.pop()
            if old is None:
                del names[name]
            else:
                names[name] = old
        self._start, self.end_line = mark

    def hide_locals(self) -> dict[str, Local]:
        """Put all locals out of sight (an item that does not see them); give the answer to `show_locals`."""
        hidden, self.names = self.names, dict(self.GIVEN)
        return hidden

    def show_locals(self, hidden: dict[str, Local]) -> None:
        """Bring hidden locals back."""
        self.names = hidden
