"""Types as TypeScript writes them, taken apart, and what the language's own containers hold.

Understands enough to know what a value is: names with arguments, arrays, tuples, unions, functions' results and the
utility types that leave members as they are. The rest (conditional, mapped, template and object types) says nothing.
"""

from __future__ import annotations

import functools
import re

from git_graph.languages.policy import AWAIT, CALLED, INDEX, ITERATE, TypeText

_WORD = r"(?:[^\W\d]|\$)(?:[\w$#])*"
_TOKEN = re.compile(
    rf"\s*(?:(?P<name>{_WORD}(?:\s*\.\s*{_WORD})*)"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?P<number>-?\d[\w.]*)|(?P<mark>=>|\.\.\.|\S))"
)
_NOTHING = frozenset(("null", "undefined", "void", "never"))
_UNKNOWN = frozenset(("any", "unknown", "object", "infer", "unique", "symbol", "typeof", "keyof"))
_SAME = frozenset((
    "Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable", "Exclude", "Extract", "Awaited", "DeepPartial",
    "DeepReadonly", "Mutable", "Writable", "InstanceType", "NoInfer", "ThisType", "PropsWithChildren", "Prettify",
    "Simplify", "UnwrapRef", "Nullable", "Maybe", "Optional", "Immutable", "Draft", "WritableDraft", "MaybePromise",
))  # fmt: skip
"""Generic types whose members are those of their first argument, near enough."""
_UNTYPED = TypeText("?")
"""Keeps the place of a type argument that says nothing."""
MAX_DEPTH = 20


@functools.lru_cache(maxsize=65536)
def parse(text: str) -> TypeText | None:
    """A type as written, taken apart; None if it says nothing."""
    if text[:1].islower() and " is " in text:  # a type guard
        text = text.partition(" is ")[2]
    return _Parser(text).type()


class _Parser:
    """A recursive descent over the tokens of one type."""

    def __init__(self, text: str) -> None:
        self.tokens = [(m.lastgroup or "", m[m.lastgroup or 0]) for m in _TOKEN.finditer(text)]
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        """The next token's text, or nothing at the end."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, text: str) -> bool:
        """Step over a token if it is that one."""
        if self.peek() != text:
            return False
        self.at += 1
        return True

    def type(self) -> TypeText | None:
        """A union or intersection; each part is an alternative."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.at = len(self.tokens)
            return None
        parts: list[TypeText] = []
        unknown = False
        while True:
            self.take("|") or self.take("&")
            before = self.at
            part = self.postfix()
            if part is None:
                unknown = unknown or not self.is_nothing(before)
            else:
                parts.extend((TypeText(part.name, part.arguments, meta=part.meta), *part.alternatives))
            if self.peek() not in ("|", "&"):
                break
        self.depth -= 1
        if self.peek() in ("extends", "?"):  # a conditional type
            self.at = len(self.tokens)
            return None
        if not parts:
            return None
        first, *rest = dict.fromkeys(parts)
        return TypeText(first.name, first.arguments, tuple(rest), first.meta)

    def is_nothing(self, position: int) -> bool:
        """Whether the part that began there was `null` or the like, or a literal."""
        kind, text = self.tokens[position] if position < len(self.tokens) else ("", "")
        return text in _NOTHING or kind in ("string", "number")

    def postfix(self) -> TypeText | None:
        """A type with `[]`, `[key]` and the like after it."""
        part = self.primary()
        while self.peek() == "[":
            self.at += 1
            if self.take("]"):
                part = TypeText("Array", (part,) if part is not None else ())
            else:
                self.skip_to("]")
                part = None
        return part

    def primary(self) -> TypeText | None:
        """A name, a group, a tuple, a function."""
        if self.at >= len(self.tokens):
            return None
        kind, text = self.tokens[self.at]
        if kind == "name":
            return self.named()
        if kind == "string":
            self.at += 1
            return TypeText("string")
        if kind == "number":
            self.at += 1
            return TypeText("number")
        if text == "(":
            return self.group()
        if text == "<":
            self.at += 1
            self.skip_to(">")
            return self.primary()
        if text == "[":
            self.at += 1
            return TypeText("Tuple", self.arguments("]"))
        self.at += 1
        return self.object() if text == "{" else None

    def object(self) -> TypeText | None:
        """An object type: a record if it is an index signature alone, else nothing is known."""
        start = self.at
        self.skip_to("}")
        end = self.at
        words = [text for _, text in self.tokens[start : start + 6]]
        if len(words) < 6 or words[0] != "[" or words[2] not in (":", "in") or "]" not in words[3:5]:
            return None
        self.at = start + words.index("]") + 1
        self.take("?")
        value = self.type() if self.take(":") else None
        self.take(";")
        alone = self.peek() == "}"
        self.at = end
        return TypeText("Record", (_UNTYPED, value)) if alone and value is not None else None

    def named(self) -> TypeText | None:
        """A name with its arguments, or an operator and its operand."""
        name = "".join(self.tokens[self.at][1].split())
        self.at += 1
        if name in ("readonly", "asserts", "abstract"):
            return self.postfix()
        if name == "typeof":
            inner = self.primary()
            return None if inner is None else TypeText(inner.name, inner.arguments, meta=True)
        if name in ("keyof", "unique", "infer"):
            self.postfix()
            return None
        if name == "new":
            self.primary()
            return None
        arguments: tuple[TypeText, ...] = ()
        if self.take("<"):
            arguments = self.arguments(">")
        if name in _SAME and arguments:
            return arguments[0]
        if name in _NOTHING or name in _UNKNOWN:
            return None
        return TypeText(name, arguments)

    def arguments(self, close: str) -> tuple[TypeText, ...]:
        """Types between commas; what says nothing keeps its place."""
        found: list[TypeText] = []
        while self.at < len(self.tokens) and not self.take(close):
            before = self.at
            self.take("...")
            if self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][1] in (":", "?") and close == "]":
                self.at += 1  # the name of a tuple's member
                self.take("?")
                self.take(":")
            found.append(self.type() or _UNTYPED)
            if not self.take(",") and self.peek() != close:
                self.skip_to(close)
                break
            if self.at == before:
                break
        return tuple(found)

    def group(self) -> TypeText | None:
        """A type in parentheses, or a function type, which stands for what it gives when called."""
        start = self.at
        self.at += 1
        self.skip_to(")")
        if self.peek() == "=>":
            end = self.at
            self.at = start + 1
            parameters = self.parameters(end - 1)
            self.at = end + 1
            return TypeText("Function", (self.type() or _UNTYPED, *parameters))
        self.at = start + 1
        inner = self.type()
        self.take(")")
        return inner

    def parameters(self, end: int) -> list[TypeText]:
        """The types of parameters up to a token; those without a type keep their place."""
        found: list[TypeText] = []
        while self.at < end:
            depth, colon = 0, -1
            first = self.at
            while self.at < end and (depth or self.peek() != ","):
                text = self.peek()
                depth += (text in ("(", "[", "{", "<")) - (text in (")", "]", "}", ">"))
                if text == ":" and not depth and colon < 0:
                    colon = self.at
                self.at += 1
            after = self.at + 1
            type_ = _UNTYPED
            if colon >= 0:
                self.at = colon + 1
                type_ = self.type() or _UNTYPED
            if self.tokens[first][1] != "this":
                found.append(type_)
            self.at = after
        return found

    def skip_to(self, close: str) -> None:
        """Step behind the bracket that closes here."""
        depth = 1
        while self.at < len(self.tokens):
            text = self.tokens[self.at][1]
            self.at += 1
            if text in ("(", "[", "{", "<"):
                depth += 1
            elif text in (")", "]", "}", ">"):
                depth -= 1
                if depth == 0:
                    return


# what containers hold

_FIRST, _SECOND, _OWN = TypeText("#0"), TypeText("#1"), TypeText("#self")
_STRING, _NUMBER, _BOOLEAN = TypeText("string"), TypeText("number"), TypeText("boolean")
_ARRAYS = frozenset(("Array", "ReadonlyArray", "NodeListOf", "HTMLCollectionOf", "ArrayLike", "ConcatArray"))
_ITERABLES = _ARRAYS | frozenset((
    "Set", "ReadonlySet", "Iterable", "Iterator", "IterableIterator", "Generator", "AsyncIterable", "AsyncGenerator",
    "AsyncIterator", "AsyncIterableIterator", "ArrayIterator", "MapIterator", "SetIterator", "IteratorObject",
))  # fmt: skip
_MAPS = frozenset(("Map", "ReadonlyMap", "WeakMap"))
_PROMISES = frozenset(("Promise", "PromiseLike"))
_BOXES = frozenset(("RefObject", "MutableRefObject", "Ref", "Signal"))
_RECORDS = frozenset(("Record", "Dictionary"))
_SAME_ARRAY = frozenset((
    "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "toSpliced", "with", "fill",
    "copyWithin",
))  # fmt: skip
_ELEMENT = frozenset(("find", "findLast", "pop", "shift", "at"))
_STRINGS = frozenset((
    "trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "slice", "substring", "substr", "replace",
    "replaceAll", "concat", "padStart", "padEnd", "repeat", "charAt", "normalize", "at", "toString",
    "toLocaleLowerCase", "toLocaleUpperCase", "join", "toFixed", "toISOString", "toJSON", "stringify",
))  # fmt: skip


def element(container: str, count: int, operation: str, key: str) -> TypeText | None:
    """See Policy.element."""
    if operation == AWAIT:
        return _FIRST if container in _PROMISES else _OWN
    if container == "Function":
        if operation == INDEX and key.isdigit():  # a parameter
            return TypeText(f"#{int(key) + 1}") if int(key) + 1 < count else None
        return _FIRST if operation == CALLED and count else None
    if container == "Tuple":
        if operation == INDEX and key.isdigit():
            return TypeText(f"#{key}") if int(key) < count else None
        parts = [TypeText(f"#{position}") for position in range(count)]
        return TypeText(parts[0].name, alternatives=tuple(parts[1:])) if parts else None
    if container in _RECORDS and operation == INDEX and count > 1:
        return _SECOND
    if container == "string":
        return _STRING
    if operation == ITERATE and container in _MAPS and count > 1:
        return TypeText("Tuple", (_FIRST, _SECOND))
    if count and container in (_ITERABLES if operation == ITERATE else _ARRAYS):
        return _FIRST
    return None


def member(container: str, count: int, name: str) -> TypeText | None:
    """See Policy.member."""
    if container in _MAPS:
        return _of_map(count, name)
    if count and container.rpartition(".")[2] in _BOXES:
        return _FIRST if name in ("current", "value") else None
    if container in _PROMISES:
        return _OWN if name in ("catch", "finally") else TypeText("Promise")
    if container in _ITERABLES:
        return _of_iterable(container, count, name)
    if container in _RECORDS and count > 1:
        return _SECOND
    if container == "string":
        if name in ("split", "match"):
            return TypeText("Array", (_STRING,))
        return _NUMBER if name == "length" else _STRING if name in _STRINGS else None
    if container in ("number", "Date", "boolean", "RegExp", "JSON") and name in _STRINGS:
        return _STRING
    return None


def _of_map(count: int, name: str) -> TypeText | None:
    if name in ("set", "delete"):
        return _OWN if name == "set" else _BOOLEAN
    if count < 2:
        return None
    return {
        "get": _SECOND,
        "values": TypeText("IterableIterator", (_SECOND,)),
        "keys": TypeText("IterableIterator", (_FIRST,)),
        "entries": TypeText("IterableIterator", (TypeText("Tuple", (_FIRST, _SECOND)),)),
    }.get(name)


def _of_iterable(container: str, count: int, name: str) -> TypeText | None:
    if name in ("length", "size", "indexOf", "push", "findIndex", "unshift"):
        return _NUMBER
    if name == "join":
        return _STRING
    if name in ("map", "flatMap", "flat"):
        return TypeText("Array")
    if name in _SAME_ARRAY:
        return _OWN
    if name == "add" and container == "Set":
        return _OWN
    if not count:
        return None
    if name in _ELEMENT:
        return _FIRST
    if name in ("values", "keys") and (container not in _ARRAYS or name == "values"):
        return TypeText("IterableIterator", (_FIRST,))
    if name == "entries":
        return TypeText("IterableIterator", (TypeText("Tuple", (_NUMBER, _FIRST)),))
    if name == "next":
        return TypeText("IteratorResult", (_FIRST,))
    return None


# signatures

_COMPONENT = re.compile(r"\b(?:FC|VFC|SFC|FunctionComponent)<(.+?)>\s*=", re.DOTALL)
_MODIFIERS = re.compile(r"^(?:(?:public|private|protected|readonly|override)\s+)+")


@functools.lru_cache(maxsize=16384)
def parameter(signature: str, position: int) -> str:
    """The type, as written, of a parameter of a function with that signature; "" if it has none."""
    parameters = _parameters(signature)
    if position < len(parameters):
        text = _MODIFIERS.sub("", parameters[position])
        colon = _at_depth(text, ":")
        if colon >= 0 and not text.startswith("...") and "\u2026" not in text:
            rest = text[colon + 1 :]
            default = _at_depth(rest, "=")
            return (rest if default < 0 else rest[:default]).strip()
    match = _COMPONENT.search(signature) if position == 0 else None
    return match[1] if match else ""


def _parameters(signature: str) -> list[str]:
    """The parameters of a signature, each as written, `this` left out."""
    start = _at_depth(signature, "(")
    if start < 0:
        return []
    found, depth, first = [], 0, start + 1
    for at in range(start + 1, len(signature)):
        letter = signature[at]
        if letter in "([{<" or (letter == ">" and signature[at - 1] == "="):
            depth += letter != ">"
        elif letter in ")]}>":
            depth -= 1
        if depth < 0 or (letter == "," and depth == 0):
            found.append(signature[first:at].strip())
            first = at + 1
        if depth < 0:
            break
    else:
        found.append(signature[first:].strip())
    return [text for text in found if text and not re.match(r"this\s*:", text)]


def _at_depth(text: str, wanted: str) -> int:
    """Where a character stands outside of all brackets, an arrow's `=` and `>` left out; -1 if nowhere."""
    depth = 0
    for at, letter in enumerate(text):
        arrow = (letter == "=" and text[at + 1 : at + 2] == ">") or (letter == ">" and text[at - 1 : at] == "=")
        if arrow:
            continue
        if letter == wanted and depth == 0:
            return at
        if letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
    return -1
