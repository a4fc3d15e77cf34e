"""How Rust's items become symbols, imports and bindings.

What stands in an `impl` block belongs to the block's type (without its arguments); `impl Trait for Type` is a binding of
kind base as well. `mod x;` is an import of the module `self::x` (of `#path` and the path that an attribute gives). Paths
that begin with `self` or `super` inside an inline module are told from the file's module.
"""

from __future__ import annotations

import re

from git_graph.languages.builder import Builder
from git_graph.languages.rust.expressions import Expressions
from git_graph.languages.walker import Node
from git_graph.model import (
    ALIAS,
    BASE,
    DECORATE,
    FIELD,
    IMPLEMENT,
    IMPORT,
    INHERIT,
    NONE,
    OPAQUE,
    READ,
    TYPE,
    TYPE_PARAMETER,
    VARIABLE,
    Flag,
    ImportFlag,
)

_BUILTIN_ATTRIBUTES = frozenset(
    "allow automatically_derived cfg cfg_attr cold deny deprecated derive doc expect export_name feature forbid global_allocator"
    " ignore inline link link_name link_section macro_export macro_use must_use no_mangle no_main no_std non_exhaustive"
    " panic_handler path proc_macro proc_macro_attribute proc_macro_derive recursion_limit repr rustfmt should_panic"
    " target_feature test track_caller type_length_limit used warn windows_subsystem".split()
)
_PATH = re.compile(r'#\[\s*path\s*=\s*"([^"]*)"')
_MEMBERS = ("declaration_list", "field_declaration_list", "enum_variant_list", "block")
_SPAN = re.compile(r"#\s*!?\[")


class Syntax(Expressions):
    """Rust's walk."""

    def __init__(self, source: bytes, builder: Builder) -> None:
        super().__init__(source, builder)
        self.mods: list[str] = []
        self.bound: set[int | None] = set()
        self.in_function = False
        self.in_trait = False
        self.self_type = ""
        """The type of the present `impl` block as written, without its arguments."""
        self.trait_impl = False
        self.attributes: list[Node] = []
        self.first: Node | None = None
        self.doc = ""

    # items with what stands before them

    def run(self, root: Node) -> None:
        """Walk the file."""
        self.items(root, top=True)

    def items(self, node: Node, *, top: bool = False) -> int:
        """Visit the children of a list of items or statements; the value of the last if it is an expression."""
        attributes: list[Node] = []
        doc, first, value = "", None, OPAQUE
        for child in node.children:
            type_ = child.type
            if type_ == "attribute_item":
                attributes.append(child)
                first = first or child
                continue
            if type_ in ("line_comment", "block_comment"):
                if not doc and child.child_by_field_name("outer") is not None:
                    text = child.child_by_field_name("doc")
                    doc = self.text(text).strip().split("\n", 1)[0] if text is not None else ""
                    first = first or child
                continue
            if not child.is_named:
                continue
            self.attributes, self.doc, self.first = attributes, doc, first
            if attributes or doc:
                attributes, doc, first = [], "", None
            if top:
                self.guarded(child)
            else:
                value = self.visit(child)
            if self.attributes:
                self.take()
        return value

    def take(self) -> tuple[Flag, str, Node | None]:
        """The flags that the attributes before an item give it, its doc comment, and where it begins."""
        attributes, doc, first = self.attributes, self.doc, self.first
        self.attributes, self.doc, self.first = [], "", None
        flags = Flag(0)
        for item in attributes:
            for attribute in item.named_children:
                flags |= self.attribute(attribute)
        return flags, doc, first

    def attribute(self, node: Node) -> Flag:
        path = node.named_children[0] if node.named_child_count else None
        if path is None:
            return Flag(0)
        name = self.text(path)
        if name == "derive":
            self.derived(node)
        elif name == "cfg":
            return Flag.CONDITIONAL
        elif name not in _BUILTIN_ATTRIBUTES:
            self.visit(path, DECORATE)
        return Flag.TEST if name.rpartition(":")[2] in ("test", "rstest", "test_case", "bench") else Flag(0)

    def derived(self, node: Node) -> None:
        of = NONE
        arguments = node.child_by_field_name("arguments")
        for token in arguments.children if arguments is not None else ():
            if token.type == "identifier":
                name = self.text(token)
                self.refer(token, IMPLEMENT, of, name)
                of = self.builder.attribute(of, name) if of else self.builder.name(name)
            elif token.type != "::":
                of = NONE

    def on_attribute_item(self, node: Node, role: int = READ) -> int:
        return OPAQUE

    def on_block(self, node: Node, role: int = READ) -> int:
        mark = self.block(node)
        value = self.items(node)
        self.close(mark)
        return self.outliving(value)

    def visible(self, node: Node) -> Flag:
        for child in node.children:
            if child.type == "visibility_modifier":
                return Flag.EXPORTED
            if child.is_named and child.type not in ("function_modifiers", "extern_modifier"):
                break
        return Flag(0)

    # modules and imports

    def on_mod_item(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = self.text(name_node)
        exported = self.visible(node)
        if body is None:
            self.file_module(name_node, name, exported)
            return OPAQUE
        flags, doc, first = self.take()
        symbol = self.define(
            name_node, "module", node, start=first, signature=f"mod {name}", doc=doc, flags=flags | exported
        )
        scope, hidden = self.builder.enter(symbol, node.end_point[0] + 1), self.hide_locals()
        mark, outer, self.mods = self.block(node), self.mods, [*self.mods, name]
        self.items(body)
        self.mods = outer
        self.close(mark)
        self.show_locals(hidden)
        self.builder.leave(scope)
        return OPAQUE

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

    # functions

    def on_function_item(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        parameters, returns = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
        flags, doc, first = self.take()
        member = bool(self.self_type) or self.in_trait
        flags |= self.visible(node) | self.function_flags(node, parameters, body, member)
        name = self.text(name_node)
        if self.in_function:
            self.free(name)
        symbol = self.define(
            name_node,
            "method" if member else "function",
            node,
            start=first,
            signature=self.between(node, body.start_byte if body is not None else node.end_byte).rstrip("; \n"),
            doc=doc,
            flags=flags,
            returns=self.type_text(returns),
            owner="" if self.in_trait else self.self_type,
        )
        scope = self.builder.enter(symbol, node.end_point[0] + 1)
        hidden = self.hide_locals() if self.in_function else None
        mark, outer = self.block(node), (self.in_function, self.in_trait, self.self_type, self.closure_of)
        self.in_function, self.closure_of = True, NONE
        self.generics(node)
        for parameter in parameters.named_children:
            if parameter.type == "parameter":
                self.parameter(parameter)
        if returns is not None:
            self.visit(returns, TYPE)
        if body is not None:
            self.visit(body)
        self.in_function, self.in_trait, self.self_type, self.closure_of = outer
        self.close(mark)
        if hidden is not None:
            self.show_locals(hidden)
        self.builder.leave(scope)
        return OPAQUE

    def on_function_signature_item(self, node: Node, role: int = READ) -> int:
        return self.on_function_item(node)

    def function_flags(self, node: Node, parameters: Node, body: Node | None, member: bool) -> Flag:
        flags = Flag(0)
        for child in node.children:
            if child.type == "function_modifiers" and "async" in self.text(child):
                flags |= Flag.ASYNC
        if member:
            receives = any(
                p.type == "self_parameter" or self.text(p.child_by_field_name("pattern") or p) == "self"
                for p in parameters.named_children[:2]
            )
            flags |= Flag(0) if receives else Flag.STATIC
        if self.in_trait:
            flags |= Flag.EXPORTED | (Flag.ABSTRACT if body is None else 0)
        elif self.trait_impl and member:
            flags |= Flag.EXPORTED | Flag.OVERRIDE
        elif body is None:
            flags |= Flag.DECLARATION
        return flags

    def generics(self, node: Node, *, implementation: bool = False) -> None:
        """Declare the type parameters of an item, with their bounds.

        Those of an `impl` stand for its type's own: they are recorded only where they add bounds.
        """
        parameters = node.child_by_field_name("type_parameters")
        bounds: dict[str, list[Node]] = {}
        declared = [] if parameters is None else parameters.named_children
        for parameter in declared:
            if (name := parameter.child_by_field_name("name")) is not None and parameter.type != "lifetime_parameter":
                own = parameter.child_by_field_name("bounds")
                bounds[self.text(name)] = [] if own is None else [own]
                self.rename(self.text(name), self.builder.name(self.text(name)))
        for parameter in declared:
            for field in ("bounds", "default_type", "type"):
                if (part := parameter.child_by_field_name(field)) is not None:
                    self.visit(part, TYPE)
        for child in node.children:
            if child.type == "where_clause":
                self.where(child, bounds)
        for text, found in bounds.items():
            if found or not implementation:
                written = " + ".join(self.type_text(bound).lstrip(": ") for bound in found)
                value = self.builder.annotation(written) if written else OPAQUE
                self.builder.binding(text, TYPE_PARAMETER, value, node.start_point[0] + 1, self.end_line)

    def where(self, node: Node, found: dict[str, list[Node]]) -> None:
        for predicate in node.named_children:
            left, bounds = predicate.child_by_field_name("left"), predicate.child_by_field_name("bounds")
            self.through(predicate, TYPE)
            if left is not None and bounds is not None and (name := self.text(left)) in found:
                found[name].append(bounds)

    # types

    def on_struct_item(self, node: Node, role: int = READ) -> int:
        kind = {"struct_item": "struct", "union_item": "union", "enum_item": "enum"}[node.type]
        body = node.child_by_field_name("body")
        symbol = self.type_symbol(node, kind, "", body)
        scope, mark = self.builder.enter(symbol, node.end_point[0] + 1), self.block(node)
        self.generics(node)
        if body is not None:
            self.fields(body)
        self.close(mark)
        self.builder.leave(scope)
        return OPAQUE

    def on_union_item(self, node: Node, role: int = READ) -> int:
        return self.on_struct_item(node)

    def on_enum_item(self, node: Node, role: int = READ) -> int:
        return self.on_struct_item(node)

    def type_symbol(self, node: Node, kind: str, returns: str, body: Node | None, bases: tuple[str, ...] = ()) -> int:
        flags, doc, first = self.take()
        name_node = node.child_by_field_name("name")
        name = self.text(name_node)
        self.free(name)
        end = body.start_byte if body is not None else node.end_byte
        member = bool(self.self_type) and not self.in_trait
        return self.define(
            name_node,
            kind,
            node,
            start=first,
            signature=self.between(node, end).rstrip("; \n"),
            doc=doc,
            flags=flags | self.visible(node) | (Flag.EXPORTED if self.in_trait or (member and self.trait_impl) else 0),
            returns=returns,
            bases=bases,
            owner=self.self_type if member else "",
        )

    def fields(self, body: Node) -> None:
        """The fields of a struct or variant, or the variants of an enum."""
        if body.type == "ordered_field_declaration_list":
            types = [child for child in body.children_by_field_name("type")]
            for position, type_ in enumerate(types):
                self.visit(type_, TYPE)
                value = self.builder.annotation(self.type_text(type_))
                self.builder.binding(str(position), FIELD, value, type_.start_point[0] + 1, self.end_line)
        else:
            self.items(body)

    def on_field_declaration(self, node: Node, role: int = READ) -> int:
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        flags, doc, first = self.take()
        self.define(
            name_node,
            "field",
            node,
            start=first,
            signature=self.text(node),
            doc=doc,
            flags=flags | self.visible(node),
            returns=self.type_text(type_),
        )
        self.visit(type_, TYPE)
        return OPAQUE

    def on_enum_variant(self, node: Node, role: int = READ) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        flags, doc, first = self.take()
        enum = self.builder.scope.symbol
        strings, symbols = self.builder.slice.strings, self.builder.slice.symbols
        name = strings[symbols.name[enum]]
        symbol = self.define(
            name_node,
            "enum_member",
            node,
            start=first,
            signature=self.text(node),
            doc=doc,
            flags=flags | Flag(symbols.flags[enum] & Flag.EXPORTED),
            returns=name,
            bases=() if body is None else (name,),
        )
        if body is not None:
            scope = self.builder.enter(symbol, node.end_point[0] + 1)
            self.fields(body)
            self.builder.leave(scope)
        if (value := node.child_by_field_name("value")) is not None:
            self.visit(value)
        return OPAQUE

    def on_type_item(self, node: Node, role: int = READ) -> int:
        type_ = node.child_by_field_name("type")
        text = self.type_text(type_)
        symbol = self.type_symbol(node, "type_alias", text, None)
        name = self.text(node.child_by_field_name("name"))
        scope, mark = self.builder.enter(symbol, node.end_point[0] + 1), self.block(node)
        self.generics(node)
        if type_ is not None:
            self.visit(type_, TYPE)
        self.close(mark)
        self.builder.leave(scope)
        if text and not self.self_type and not self.in_trait:
            self.builder.binding(name, ALIAS, self.builder.annotation(text), node.start_point[0] + 1)
        return OPAQUE

    def on_associated_type(self, node: Node, role: int = READ) -> int:
        self.type_symbol(node, "type_alias", "", None)
        if (bounds := node.child_by_field_name("bounds")) is not None:
            self.visit(bounds, TYPE)
        return OPAQUE

    def on_const_item(self, node: Node, role: int = READ) -> int:
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        name, value = self.text(name_node), node.child_by_field_name("value")
        member = bool(self.self_type) or self.in_trait
        if type_ is not None:
            self.visit(type_, TYPE)
        if name != "_" and (member or not self.in_function):
            kind = "constant" if node.type == "const_item" else "variable"
            self.type_symbol_constant(node, kind, self.type_text(type_))
        if name != "_" and not member:
            bound = self.builder.annotation(self.type_text(type_)) if type_ is not None else OPAQUE
            if self.in_function:
                self.declare(name, bound, name_node.start_point[0] + 1)
            elif bound != OPAQUE:
                self.builder.binding(name, VARIABLE, bound, name_node.start_point[0] + 1)
        if value is not None:
            self.visit(value)
        return OPAQUE

    def on_static_item(self, node: Node, role: int = READ) -> int:
        return self.on_const_item(node)

    def type_symbol_constant(self, node: Node, kind: str, returns: str) -> None:
        flags, doc, first = self.take()
        name_node = node.child_by_field_name("name")
        member = bool(self.self_type) and not self.in_trait
        implied = self.in_trait or (member and self.trait_impl)
        self.define(
            name_node,
            kind,
            node,
            start=first,
            signature=self.text(node).split("\n", 1)[0].rstrip(";"),
            doc=doc,
            flags=flags
            | self.visible(node)
            | (Flag.EXPORTED if implied else 0)
            | (Flag.READONLY if kind == "constant" else 0),
            returns=returns,
            owner=self.self_type if member else "",
        )

    # traits and implementations

    def on_trait_item(self, node: Node, role: int = READ) -> int:
        bounds, body = node.child_by_field_name("bounds"), node.child_by_field_name("body")
        bases = tuple(
            self.text(child)
            for child in (bounds.named_children if bounds is not None else ())
            if child.type in ("type_identifier", "scoped_type_identifier", "generic_type")
        )
        outer = self.in_trait, self.self_type, self.trait_impl, self.in_function
        self.in_trait, self.self_type = False, ""
        symbol = self.type_symbol(node, "trait", "", bounds or body, bases)
        scope, hidden = self.builder.enter(symbol, node.end_point[0] + 1), self.hide_locals()
        mark = self.block(node)
        self.in_trait, self.trait_impl, self.in_function = True, False, False
        self.generics(node)
        for child in bounds.named_children if bounds is not None else ():
            self.visit(child, INHERIT)
        if body is not None:
            self.items(body)
        self.in_trait, self.self_type, self.trait_impl, self.in_function = outer
        self.close(mark)
        self.show_locals(hidden)
        self.builder.leave(scope)
        return OPAQUE

    def on_impl_item(self, node: Node, role: int = READ) -> int:
        self.take()
        type_, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
        body = node.child_by_field_name("body")
        outer = self.in_trait, self.self_type, self.trait_impl, self.in_function
        hidden = self.hide_locals()
        mark = self.block(node)
        self.in_trait, self.self_type, self.in_function = False, "", False
        self.generics(node, implementation=True)
        name = self.bare(type_)
        generic = self.known(name) is not None
        self.visit(type_, TYPE)
        if trait is not None:
            self.visit(trait, IMPLEMENT)
            if name and not generic:
                line = type_.start_point[0] + 1
                self.builder.binding(name, BASE, self.builder.annotation(self.text(trait)), line, self.builder.scope.end_line)
        self.self_type = self.bare(trait) if generic and trait is not None else name or "_"
        self.trait_impl = trait is not None
        if body is not None:
            self.items(body)
        self.in_trait, self.self_type, self.trait_impl, self.in_function = outer
        self.close(mark)
        self.show_locals(hidden)
        return OPAQUE

    def bare(self, node: Node | None) -> str:
        """The name of a type without its arguments, references and `dyn`."""
        while node is not None and node.type in ("reference_type", "generic_type", "dynamic_type", "pointer_type"):
            node = node.child_by_field_name("trait" if node.type == "dynamic_type" else "type")
        if node is None or node.type not in ("type_identifier", "scoped_type_identifier", "primitive_type"):
            return ""
        return self.text(node).replace(" ", "")

    # macros

    def on_macro_definition(self, node: Node, role: int = READ) -> int:
        exported = any("macro_export" in self.text(item) for item in self.attributes)
        flags, doc, first = self.take()
        name_node = node.child_by_field_name("name")
        symbol = self.define(
            name_node,
            "macro",
            node,
            start=first,
            signature=f"macro_rules! {self.text(name_node)}",
            doc=doc,
            flags=flags | (Flag.EXPORTED if exported else 0),
        )
        scope = self.builder.enter(symbol, node.end_point[0] + 1)
        for rule in node.named_children:
            if rule.type == "macro_rule" and (right := rule.child_by_field_name("right")) is not None:
                self.scan_definition(right)
        self.builder.leave(scope)
        return OPAQUE

    def on_macro_invocation(self, node: Node, role: int = READ) -> int:
        if self.in_function:
            return super().on_macro_invocation(node, role)
        self.take()
        macro = node.child_by_field_name("macro")
        self.visit(macro, 0)
        for child in node.named_children:
            if child.type == "token_tree":
                self.scan_invocation(child, self.text(macro), items=True)
        return OPAQUE
