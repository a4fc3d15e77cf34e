"""Python's types as written, taken apart, and what its own containers give.

Knows nothing of views: names are names here, whatever they turn out to be.
"""

from __future__ import annotations

import re

from git_graph.languages.policy import AWAIT, CALLED, ENTER, INDEX, ITERATE, TypeText

_TOKEN = re.compile(r"\s*(?:([^\W\d][\w.]*)|(\.\.\.)|(\[)|(\])|(,)|(\|)|(\()|(\))|(\"[^\"]*\"|'[^']*')|(.))", re.DOTALL)
_UNIONS = frozenset(("Optional", "Union"))
_TRANSPARENT = frozenset(
    ("Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar", "Unpack", "Awaited", "Mapped")
)
"""Special forms whose first argument is the type."""
_NOTHING = frozenset(("None", "NoReturn", "Never", "Any", "object", "Literal", "LiteralString", "TypeGuard", "TypeIs"))
MAX_NESTING = 30

_SEQUENCES = frozenset(
    (
        "list", "set", "frozenset", "deque", "sequence", "mutablesequence", "iterable", "iterator", "collection",
        "abstractset", "mutableset", "generator", "reversed", "asynciterable", "asynciterator", "asyncgenerator",
        "queue", "weakset", "map", "filter", "valuesview", "keysview", "container", "reversible", "userlist",
    )
)  # fmt: skip
_MAPPINGS = frozenset(
    (
        "dict", "mapping", "mutablemapping", "defaultdict", "ordereddict", "counter", "chainmap", "typeddict",
        "weakvaluedictionary", "weakkeydictionary", "mappingproxytype", "userdict",
    )
)  # fmt: skip
_AWAITABLES = frozenset(("awaitable", "future", "task"))
_MANAGERS = frozenset(
    ("contextmanager", "abstractcontextmanager", "asynccontextmanager", "abstractasynccontextmanager")
)
_FIRST, _SECOND, _THIRD, _SELF = TypeText("#0"), TypeText("#1"), TypeText("#2"), TypeText("#self")
_TAKES_ONE = frozenset(("pop", "popleft", "get", "get_nowait", "__next__", "__anext__", "__getitem__", "send", "asend"))


class _Reader:
    """A recursive-descent reader over the tokens of one annotation."""

    def __init__(self, text: str) -> None:
        self.tokens = [match.group().strip() for match in _TOKEN.finditer(text)]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def union(self, depth: int) -> list[TypeText]:
        """`A | B`, without what says nothing."""
        found = self.one(depth)
        while self.peek() == "|":
            self.next()
            found += self.one(depth)
        return found

    def one(self, depth: int) -> list[TypeText]:
        token = self.next()
        if depth > MAX_NESTING or not token:
            return []
        if token[0] in "\"'":
            return _Reader(token[1:-1]).union(depth + 1)
        if token == "(":
            found = self.union(depth + 1)
            self.skip_to(")")
            return found
        if token == "[":  # the parameters of a Callable
            self.skip_to("]")
            return []
        if not (token[0].isalpha() or token[0] == "_"):
            return []
        if self.peek() == "(":  # a call: what it makes is not written here
            self.next()
            self.skip_to(")")
            return []
        arguments: list[list[TypeText]] = []
        written = 0
        open_end = False
        if self.peek() == "[":
            self.next()
            while self.peek() not in ("]", ""):
                if self.peek() == "...":
                    self.next()
                    open_end = True
                elif self.peek() == ",":
                    self.next()
                else:
                    before = self.at
                    arguments.append(self.union(depth + 1))
                    written += 1
                    self.at = max(self.at, before + 1)
            self.next()
        return _made(token, arguments, open_end)

    def skip_to(self, closing: str) -> None:
        opening = {")": "(", "]": "["}[closing]
        level = 1
        while level and self.at < len(self.tokens):
            token = self.next()
            level += (token == opening) - (token == closing)


def _made(name: str, arguments: list[list[TypeText]], open_end: bool) -> list[TypeText]:
    last = name.rpartition(".")[2]
    if last in _NOTHING:
        return []
    if last in _UNIONS:
        return [part for argument in arguments for part in argument]
    if last in _TRANSPARENT:
        return arguments[0] if arguments else []
    if last in ("Type", "type") and arguments:
        return [TypeText(part.name, part.arguments, (), True) for part in arguments[0]]
    if last == "Callable":
        return [TypeText(name, (_joined(arguments[-1]),))] if arguments else [TypeText(name)]
    if last in ("Tuple", "tuple") and open_end:
        return [TypeText(name, tuple(map(_joined, arguments[:1])))]
    return [TypeText(name, tuple(map(_joined, arguments)))]


def _joined(parts: list[TypeText]) -> TypeText:
    if not parts:
        return TypeText("")
    first, *rest = parts
    return TypeText(first.name, first.arguments, tuple(rest), first.meta)


def parse(text: str) -> TypeText | None:
    """An annotation taken apart; None if it says nothing (`Any`, `None`, a call)."""
    parts = _Reader(text).union(0)
    return _joined(parts) if parts else None


def element(container: str, count: int, operation: str, key: str) -> TypeText | None:
    """See Policy.element."""
    name = container.rpartition(".")[2].lower()
    if operation == CALLED:
        return _FIRST if name == "callable" else None
    if operation == AWAIT:
        if name == "coroutine":
            return _THIRD if count == 3 else _FIRST
        return _FIRST if name in _AWAITABLES else _SELF
    if operation == ENTER or not count:
        return _FIRST if name in _MANAGERS else None
    if name == "tuple":
        if operation == INDEX and key.isdigit():
            return TypeText(f"#{key}") if int(key) < count else _FIRST if count == 1 else None
        return TypeText("#0", (), tuple(TypeText(f"#{i}") for i in range(1, count)))
    if name in ("enumerate", "zip"):
        return TypeText("tuple", (TypeText(""), _FIRST) if name == "enumerate" else (_FIRST,))
    if name in _SEQUENCES:
        return _FIRST
    if name in _MAPPINGS:
        return _FIRST if operation == ITERATE else _SECOND
    if name == "itemsview" and operation == ITERATE:
        return TypeText("tuple", (_FIRST, _SECOND))
    return None


def member(container: str, count: int, name: str) -> TypeText | None:
    """See Policy.member."""
    last = container.rpartition(".")[2].lower()
    if name in ("__enter__", "__aenter__"):
        return _FIRST if last in _MANAGERS or last in ("generator", "iterator", "asyncgenerator") else _SELF
    if not count:
        return None
    if last in _MAPPINGS:
        if name in ("get", "pop", "setdefault", "__getitem__"):
            return _SECOND
        if name == "values":
            return TypeText("Iterable", (_SECOND,))
        if name == "keys":
            return TypeText("Iterable", (_FIRST,))
        if name == "items":
            return TypeText("Iterable", (TypeText("tuple", (_FIRST, _SECOND)),))
        if name == "popitem":
            return TypeText("tuple", (_FIRST, _SECOND))
        return _SELF if name == "copy" else None
    if last in _SEQUENCES:
        if name in _TAKES_ONE:
            return _FIRST
        if name in ("copy", "union", "difference", "intersection", "__iter__", "__aiter__"):
            return _SELF
    if last == "contextvar" and name == "get":
        return _FIRST
    return None
