"""What attributes say: the flags of the items below them, the traits that they derive, what their arguments refer to.

An argument's name is nobody's: `#[serde(rename = "x")]` refers to nothing. Its value is an expression, or, for the
arguments that libraries read paths from (`#[serde(with = "codec")]`), the path that a string spells.
"""

from __future__ import annotations

import re

from git_graph.languages.rust.types import Types
from git_graph.languages.walker import Node
from git_graph.model import DECORATE, IMPLEMENT, NONE, OPAQUE, READ, TYPE, Flag

_BUILTIN = frozenset(
    "allow automatically_derived cfg cfg_attr cold deny deprecated derive doc expect feature forbid ignore inline link"
    " link_name macro_export macro_use must_use no_main no_std non_exhaustive path recursion_limit repr rustfmt"
    " should_panic target_feature test track_caller type_length_limit warn windows_subsystem".split()
)
_TESTS = frozenset(("test", "rstest", "test_case", "bench"))
_PATH_ARGUMENTS = frozenset(
    "with default serialize_with deserialize_with skip_serializing_if getter remote from try_from into".split()
)
"""Arguments whose strings are paths, as serde reads them."""
_PATH = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")


class Attributes(Types):
    """Reads attributes."""

    def attribute(self, node: Node) -> Flag:
        """The flags that an attribute gives; what it refers to is recorded."""
        path = node.named_children[0] if node.named_child_count else None
        if path is None:
            return Flag(0)
        name, arguments = self.text(path), node.child_by_field_name("arguments")
        if name == "derive":
            self.derived(arguments)
        elif name == "cfg_attr":
            self.arguments(arguments)
        elif name == "cfg":
            return Flag.CONDITIONAL
        elif name not in _BUILTIN:
            self.visit(path, DECORATE)
            self.arguments(arguments)
        return Flag.TEST if name.rpartition(":")[2] in _TESTS else Flag(0)

    def derived(self, arguments: Node | None) -> None:
        """The traits in `#[derive(...)]` are implemented."""
        of = NONE
        for token in arguments.children if arguments is not None else ():
            if token.type == "identifier":
                name = self.text(token)
                self.refer(token, IMPLEMENT, of, name)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)
            elif token.type != "::":
                of = NONE

    def arguments(self, tree: Node | None) -> None:
        """What stands between an attribute's brackets, comma by comma."""
        part: list[Node] = []
        for token in (*tree.children[1:-1], None) if tree is not None else ():
            if token is None or token.type == ",":
                self.argument(part)
                part = []
            else:
                part.append(token)

    def argument(self, part: list[Node]) -> None:
        """One argument: `name(...)`, `name = value`, or a path."""
        types = [token.type for token in part]
        if types[:2] == ["identifier", "="]:
            value = part[2:]
            if types[2:] != ["string_literal"]:
                self.scan(value)
            elif self.text(part[0]) in _PATH_ARGUMENTS:
                self.spelled(value[0])
        elif types == ["identifier", "token_tree"]:
            if self.text(part[0]) == "derive":
                self.derived(part[1])
            else:
                self.arguments(part[1])
        elif "::" in types:
            self.scan(part)

    def spelled(self, literal: Node) -> None:
        """The path that a string spells."""
        text, start, of = self.text(literal)[1:-1], literal.start_byte + 1, NONE
        if not _PATH.fullmatch(text):
            return
        for position, name in enumerate(text.split("::")):
            if position == 0 and name in ("crate", "self", "super"):
                of = self.path_root(name)
            else:
                last = len(text) == start - literal.start_byte - 1 + len(name)
                role = TYPE if last and name[:1].isupper() else READ
                self.builder.reference(name, role, start, of)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)
            start += len(name) + 2

    def on_attribute_item(self, node: Node, role: int = READ) -> int:
        return OPAQUE
