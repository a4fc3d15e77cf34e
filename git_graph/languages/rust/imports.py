"""How Rust's `use`, `extern crate` and `mod x;` read: what they import, and the names in them.

`mod x;` is an import of the module `self::x` (of `#path` and the path that an attribute gives). Paths that begin with
`self` or `super` inside an inline module are told from the file's module.
"""

from __future__ import annotations

import re

from git_graph.languages.rust.expressions import Expressions
from git_graph.languages.walker import Node
from git_graph.model import IMPORT, NONE, OPAQUE, READ, Flag, ImportFlag

_PATH = re.compile(r'#\[\s*path\s*=\s*"([^"]*)"')


class Imports(Expressions):
    """Handlers of what brings names into a module."""

    attributes: list[Node]
    """The attributes before the present item."""

    def take(self) -> tuple[Flag, str, Node | None]:
        """The flags that the attributes before an item give it, its doc comment, and where it begins."""
        raise NotImplementedError

    def visible(self, node: Node) -> Flag:
        """Flag.EXPORTED if an item says `pub`."""
        raise NotImplementedError

    def file_module(self, name_node: Node, name: str, exported: Flag) -> None:
        path = next((m[1] for item in self.attributes if (m := _PATH.match(self.text(item)))), None)
        self.take()
        module = f"#{path}" if path is not None else "::".join(("self", *self.mods, name))
        line, column = self.place(name_node)
        flags = ImportFlag.REEXPORT if exported else 0
        self.refer(name_node, IMPORT, NONE, name)
        self.builder.import_(name, module, "", line, column, flags=flags)

    def on_extern_crate_declaration(self, node: Node, role: int = READ) -> int:
        name_node, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        self.take()
        name = self.text(name_node)
        line, column = self.place(name_node)
        self.refer(name_node, IMPORT, NONE, name)
        self.builder.import_(self.text(alias) if alias is not None else name, name, "", line, column)
        return OPAQUE

    def on_use_declaration(self, node: Node, role: int = READ) -> int:
        flags = ImportFlag.REEXPORT if self.visible(node) else ImportFlag(0)
        self.take()
        if (argument := node.child_by_field_name("argument")) is not None:
            self.use_tree(argument, [], NONE, flags)
        return OPAQUE

    def use_tree(self, node: Node, prefix: list[str], of: int, flags: ImportFlag) -> None:
        """One branch of a `use` tree; `prefix` is the path so far, `of` its expression."""
        type_ = node.type
        if type_ == "use_list":
            for child in node.named_children:
                self.use_tree(child, prefix, of, flags)
        elif type_ == "scoped_use_list":
            path, of = self.use_path(node.child_by_field_name("path"), prefix, of, READ)
            self.use_tree(node.child_by_field_name("list"), path, of, flags)
        elif type_ == "use_wildcard":
            for child in node.named_children:
                prefix, of = self.use_path(child, prefix, of, READ)
            line, column = self.place(node)
            self.builder.import_("*", "::".join(prefix), "*", line, column, flags=flags)
        elif type_ == "use_as_clause":
            alias = self.text(node.child_by_field_name("alias"))
            self.use_name(node.child_by_field_name("path"), prefix, of, flags, alias)
        elif type_ in ("identifier", "scoped_identifier", "self", "super", "crate"):
            self.use_name(node, prefix, of, flags, None)

    def use_name(self, node: Node, prefix: list[str], of: int, flags: ImportFlag, alias: str | None) -> None:
        path, _ = self.use_path(node, prefix, of, IMPORT)
        if len(path) > 1 and path[-1] == "self":
            path = path[:-1]
        last = path[-1]
        local = last if alias is None else "" if alias == "_" else alias
        line, column = self.place(node.child_by_field_name("name") or node)
        module, name = ("::".join(path[:-1]), last) if len(path) > 1 else (last, "")
        self.builder.import_(local, module, name, line, column, flags=flags)

    def use_path(self, node: Node | None, prefix: list[str], of: int, role: int) -> tuple[list[str], int]:
        """The whole path of a node in a `use`, and its expression; the names in it are recorded, the last in `role`."""
        if node is None:
            return prefix, of
        if node.type == "scoped_identifier":
            prefix, of = self.use_path(node.child_by_field_name("path"), prefix, of, READ)
            node = node.child_by_field_name("name")
        word = self.text(node)
        if node.type == "self":
            return ([*prefix, word], of) if prefix else (["self", *self.mods], self.path_root("self"))
        if node.type == "super":
            return self.use_super(prefix, of)
        if node.type == "crate":
            return [word], self.builder.name(word)
        self.refer(node, role, of, word)
        return [*prefix, word], self.builder.attribute(of, word) if of else self.builder.name(word)

    def use_super(self, prefix: list[str], of: int) -> tuple[list[str], int]:
        if not prefix:
            path = ["self", *self.mods[:-1]] if self.mods else ["super"]
            return path, self.path_root("super")
        if prefix[-1] == "super" or prefix == ["self"]:
            path = ["super"] if prefix == ["self"] else [*prefix, "super"]
            return path, self.builder.name("super") if prefix == ["self"] else self.builder.attribute(of, "super")
        value = self.builder.name(prefix[0])
        for part in prefix[1:-1]:
            value = self.builder.attribute(value, part)
        return prefix[:-1], value
