"""A walk for languages whose locals hold from their declaration to the end of their block (Go, Rust, Java).

The walk knows at each name whether it is a local, so references to locals are never recorded, and each local's name in
expressions is its own: a declaration that hides another of the same function is called `x#2`, the next `x#3`, so
`let x = x.f()` and a block's own `x` need no columns to be told apart. A local about which nothing is known has no
binding: it is opaque wherever it is used.
"""

from __future__ import annotations

from typing import NamedTuple

from git_graph.languages.builder import Builder
from git_graph.languages.walker import Node, Walker, last_line
from git_graph.model import LOCAL, OPAQUE, SELF, SUPER

_UNBOUND = (OPAQUE, SELF, SUPER)


class Local(NamedTuple):
    """What a name in sight is: the expression of its uses (None: no local, a symbol hides it), its name in bindings,
    how many of its name it hides, and where in the undo list it was declared."""

    expression: int | None
    unique: str
    shadows: int
    position: int


class LexicalWalker(Walker):
    """A Walker that keeps the locals in sight."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.names: dict[str, Local] = {}
        self._undo: list[tuple[str, Local | None]] = []
        self._start = 0
        """Where in the undo list the present block begins."""
        self.end_line = builder.scope.end_line
        """Where the present block ends: bindings hold until there."""

    def guarded(self, child: Node) -> None:
        """As Walker.guarded; locals left over by a child that was given up are forgotten."""
        super().guarded(child)
        if self._undo:
            self.names, self._undo = {}, []

    def known(self, name: str) -> int | None:
        """The expression of the local `name`, or None if no local of that name is in sight."""
        found = self.names.get(name)
        return None if found is None else found.expression

    def declare(self, name: str, value: int, line: int, kind: int = LOCAL) -> None:
        """From here to the end of the block `name` is a local bound to the expression `value`."""
        old = self.names.get(name)
        undo = self._undo
        undo.append((name, old))
        shadows = 0 if old is None else old.shadows
        if value in _UNBOUND:
            self.names[name] = Local(value, "", shadows, len(undo))
            return
        unique = f"{name}#{shadows + 1}" if shadows else name
        self.builder.binding(unique, kind, value, line, self.end_line)
        self.names[name] = Local(self.builder.name(unique), unique, shadows + 1, len(undo))

    def rename(self, name: str, expression: int) -> None:
        """From here to the end of the block `name` is another name of what `expression` is."""
        old = self.names.get(name)
        self._undo.append((name, old))
        self.names[name] = Local(expression, "", 0 if old is None else old.shadows, len(self._undo))

    def free(self, name: str) -> None:
        """From here to the end of the block `name` is no local: a symbol of that name hides it."""
        old = self.names.get(name)
        if old is not None:
            self._undo.append((name, old))
            self.names[name] = Local(None, "", old.shadows, len(self._undo))

    def declared_here(self, name: str) -> bool:
        """Whether the present block itself has declared the local `name`."""
        local = self.names.get(name)
        return local is not None and local.position > self._start

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
        hidden, self.names = self.names, {}
        return hidden

    def show_locals(self, hidden: dict[str, Local]) -> None:
        """Bring hidden locals back."""
        self.names = hidden
