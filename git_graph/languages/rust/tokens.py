"""What stands in a Rust macro's arguments or in a macro's definition: tokens, not a tree.

Paths, calls, method chains and macro calls are read as the expressions that they look like. Names that a pattern, a
closure or a `let` inside the tokens brings are taken for locals. Where a macro stands among items (`lazy_static!`,
`bitflags!`), `fn name`, `struct Name` and the like define. The pattern of `matches!` calls nothing.
"""

from __future__ import annotations

from git_graph.languages.lexical import LexicalWalker
from git_graph.languages.walker import Node
from git_graph.model import CALL, INSTANTIATE, NONE, OPAQUE, READ, SELF, TYPE, X_CALL, X_INDEX, Flag

_KEYWORDS = frozenset("_ as async await box dyn else in move ref static union where yield try auto default raw".split())
_HEADS = frozenset(("identifier", "self", "super", "crate", "primitive_type"))
_TREES = frozenset(("token_tree", "token_repetition", "delim_token_tree"))
_DEFINING = {
    "fn": "function", "struct": "struct", "enum": "enum", "union": "union", "trait": "trait", "type": "type_alias",
    "const": "constant", "static": "variable", "mod": "module",
}  # fmt: skip
_PATTERNS = frozenset(("matches", "assert_matches", "debug_assert_matches"))
_CLOSURE_BEFORE = frozenset(("(", ",", "=", "=>", "{", ";", "[", "return", "&&", "||"))


class TokenScan(LexicalWalker):
    """The part of Rust's walk that reads tokens."""

    def path_root(self, word: str) -> int:
        """The expression of a path's first keyword; Rust's walk says more."""
        raise NotImplementedError

    def scan_invocation(self, tree: Node, macro: str, *, items: bool) -> None:
        """Scan the arguments of a macro call."""
        mark = self.block(tree)
        self.scan(tree.children, pattern_after_comma=macro in _PATTERNS, items=items)
        self.close(mark)

    def scan_definition(self, tree: Node) -> None:
        """Scan the right side of a macro's rule: only its paths and calls are certain to be what they look like."""
        mark = self.block(tree)
        self.scan(tree.children, definition=True)
        self.close(mark)

    def scan(
        self,
        tokens: list[Node],
        *,
        pattern_after_comma: bool = False,
        pattern: bool = False,
        definition: bool = False,
        items: bool = False,
    ) -> None:
        """Scan the tokens of one pair of brackets."""
        position, count = 0, len(tokens)
        while position < count:
            token = tokens[position]
            type_ = token.type
            before = tokens[position - 1].type if position else ""
            if type_ in _TREES:
                self.scan(token.children, pattern=pattern, definition=definition, items=items)
            elif type_ == "metavariable":
                position = self.chain(tokens, position, pattern, definition)
                continue
            elif items and type_ in _DEFINING and position + 1 < count:
                position = self.definition(tokens, position)
                continue
            elif type_ in ("let", "for") and not pattern:
                position = self.binders(tokens, position + 1)
                continue
            elif type_ == "|" and (
                before in _CLOSURE_BEFORE or not before or (before == "identifier" and self.is_move(tokens, position))
            ):
                position = self.closure(tokens, position + 1)
                continue
            elif type_ == "if":
                pattern = False
            elif type_ == "," and pattern_after_comma:
                pattern, pattern_after_comma = True, False
            elif type_ in _HEADS:
                position = self.chain(tokens, position, pattern, definition)
                continue
            position += 1

    def is_move(self, tokens: list[Node], position: int) -> bool:
        return self.text(tokens[position - 1]) == "move"

    def binders(self, tokens: list[Node], position: int) -> int:
        """`let PATTERN =` and `for PATTERN in`: small names are locals, what looks like a path is read."""
        while position < len(tokens):
            token = tokens[position]
            if token.type in ("=", ";", ":") or (token.type == "identifier" and self.text(token) == "in"):
                return position + 1
            self.bind_token(token)
            position += 1
        return position

    def closure(self, tokens: list[Node], position: int) -> int:
        """The parameters of a closure, up to the second bar."""
        start = position
        while position < len(tokens) and position < start + 40:
            if tokens[position].type == "|":
                return position + 1
            if tokens[position].type == ":" and position + 1 < len(tokens):
                position += 1
                while position < len(tokens) and tokens[position].type not in (",", "|"):
                    position += 1
                continue
            self.bind_token(tokens[position])
            position += 1
        return start

    def bind_token(self, token: Node) -> None:
        if token.type in _TREES:
            for child in token.children:
                self.bind_token(child)
        elif token.type == "identifier":
            name = self.text(token)
            if name not in _KEYWORDS and not name[:1].isupper():
                self.declare(name, OPAQUE, token.start_point[0] + 1)

    def definition(self, tokens: list[Node], position: int) -> int:
        """`fn name` and the like among the items that a macro makes."""
        kind, position = _DEFINING[tokens[position].type], position + 1
        while position < len(tokens) and (
            tokens[position].type == "mutable_specifier" or self.text(tokens[position]) == "ref"
        ):
            position += 1
        if position < len(tokens) and tokens[position].type == "identifier":
            name = self.text(tokens[position])
            if name not in _KEYWORDS and name != "_":
                self.define(tokens[position], kind, tokens[position], signature=name, flags=Flag.IMPLICIT)
            position += 1
        return position

    def chain(self, tokens: list[Node], position: int, pattern: bool, definition: bool) -> int:
        """A path with what follows it: `a::b(c).d[e]?.f()`. Returns the position after it."""
        head = tokens[position]
        before = tokens[position - 1].type if position else ""
        if head.type == "identifier" and self.text(head) in _KEYWORDS:
            return position + 1
        if before in (".", "'", "$"):  # a field of something unknown, a lifetime, a variable of the macro
            of = OPAQUE
            if before == ".":
                self.token_reference(head, tokens, position + 1, OPAQUE, pattern, definition)
        else:
            of = self.token_head(tokens, position, pattern, definition)
        position += 1
        while position < len(tokens):
            type_ = tokens[position].type
            if type_ in ("::", ".") and position + 1 < len(tokens):
                following = tokens[position + 1]
                if following.type in ("identifier", "self"):
                    of = self.token_reference(following, tokens, position + 2, of, pattern, definition)
                    position += 2
                elif type_ == "::" and following.type == "<":
                    position = self.turbofish(tokens, position + 1)
                elif following.type in ("integer_literal", "await"):
                    of, position = OPAQUE, position + 2
                else:
                    break
            elif type_ == "?":
                of = self.builder.expression(X_INDEX, of, "?") if of != OPAQUE else OPAQUE
                position += 1
            elif type_ == "!" and position + 1 < len(tokens) and tokens[position + 1].type == "token_tree":
                name = self.text(tokens[position - 1])
                self.scan(tokens[position + 1].children, pattern_after_comma=name in _PATTERNS, definition=definition)
                of, position = OPAQUE, position + 2
            elif type_ == "token_tree" and (opening := tokens[position].children[0].type) in ("(", "["):
                self.scan(tokens[position].children, pattern=pattern, definition=definition)
                if of != OPAQUE:
                    of = self.builder.expression(X_CALL if opening == "(" else X_INDEX, of)
                position += 1
            else:
                break
        return position

    def turbofish(self, tokens: list[Node], position: int) -> int:
        """`<A, B<C>>`: the names in it are types."""
        depth = 0
        while position < len(tokens):
            type_ = tokens[position].type
            depth += type_.count("<") - type_.count(">") if type_ not in ("->", "=>") else 0
            if (
                type_ == "identifier"
                and tokens[position - 1].type != "'"
                and self.known(self.text(tokens[position])) is None
            ):
                self.refer(tokens[position], TYPE)
            position += 1
            if depth <= 0:
                return position
        return position

    def token_head(self, tokens: list[Node], position: int, pattern: bool, definition: bool) -> int:
        """The first name of a path."""
        head = tokens[position]
        after = tokens[position + 1].type if position + 1 < len(tokens) else ""
        if head.type == "metavariable":
            return self.path_root("crate") if self.text(head) == "$crate" else OPAQUE
        if head.type == "self":
            return self.path_root("self") if after == "::" else SELF
        if head.type in ("super", "crate"):
            return self.path_root(head.type)
        name = self.text(head)
        if head.type == "primitive_type":
            return self.builder.literal(name)
        if name == "Self":
            return SELF
        if (known := self.known(name)) is not None and after != "!":
            return known
        single = after == ":" or (after == "=" and not definition)  # a field's name, a named argument
        if single or (pattern and after not in ("::", "token_tree") and name[:1].islower()):
            return OPAQUE
        return self.token_reference(head, tokens, position + 1, NONE, pattern, definition)

    def token_reference(
        self, node: Node, tokens: list[Node], following: int, of: int, pattern: bool, definition: bool
    ) -> int:
        """Record the name at `node` in the role that the token after it shows."""
        role = READ
        if following < len(tokens):
            after = tokens[following]
            if after.type == "!" and following + 1 < len(tokens) and tokens[following + 1].type == "token_tree":
                role = CALL
            elif after.type == "token_tree" and not pattern:
                opening = after.children[0].type
                name = self.text(node)
                if opening == "(":
                    role = CALL
                elif opening == "{" and name[:1].isupper() and of != OPAQUE:
                    role = INSTANTIATE
            elif after.type == "::" and following + 1 < len(tokens) and tokens[following + 1].type == "<":
                end = following + 1
                depth = 0
                while end < len(tokens):
                    depth += tokens[end].type.count("<") - tokens[end].type.count(">")
                    end += 1
                    if depth <= 0:
                        break
                role = CALL if end < len(tokens) and tokens[end].type == "token_tree" else READ
        name = self.text(node)
        if definition and role == READ and of == NONE and not self.is_path(tokens, following):
            return OPAQUE
        if node.type == "self":
            return OPAQUE
        self.refer(node, role, of, name)
        if of == OPAQUE:
            return OPAQUE
        return self.builder.attribute(of, name) if of else self.builder.name(name)

    @staticmethod
    def is_path(tokens: list[Node], following: int) -> bool:
        return following < len(tokens) and tokens[following].type == "::"
