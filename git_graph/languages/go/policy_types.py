"""Go's types as written, taken apart.

Pointers and parentheses are left out. `[]T` and arrays are named `[]`, several results `()`, functions `func` with
what they return as their argument; maps and channels have their own names.
"""

from __future__ import annotations

import re

from git_graph.languages.policy import TypeText

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_NOTHING = frozenset(("any", "interface{}", "interface {}"))
_MAX_DEPTH = 30


def parse_type(text: str, depth: int = 0) -> TypeText | None:
    """A type taken apart; None if it says nothing of what a value can do."""
    text = text.strip().lstrip("*").strip()
    if not text or text in _NOTHING or depth > _MAX_DEPTH:
        return None
    if text.startswith("("):
        return _parenthesized(text, depth)
    if text.startswith("["):
        end = _closing(text, 0)
        return _container("[]", [text[end + 1 :]], depth) if end > 0 else None
    if text.startswith("map["):
        end = _closing(text, 3)
        return _container("map", [text[4:end], text[end + 1 :]], depth) if end > 0 else None
    if text.startswith(("chan ", "chan<-", "<-chan")):
        return _container("chan", [text.replace("<-", "", 1).strip().removeprefix("chan")], depth)
    if text.startswith("func(") or text.startswith("func ("):
        end = _closing(text, text.index("("))
        result = text[end + 1 :].strip() if end > 0 else ""
        return _container("func", [result] if result else [], depth)
    if text.startswith(("struct{", "struct {", "interface{", "interface {")):
        return TypeText(text.split("{")[0].strip())
    return _named(text, depth)


def _named(text: str, depth: int) -> TypeText | None:
    match = _NAME.match(text)
    if match is None:
        return None
    rest = text[match.end() :].strip()
    if not rest:
        return TypeText(match.group())
    if rest.startswith("[") and _closing(rest, 0) == len(rest) - 1:
        return _container(match.group(), _split(rest[1:-1]), depth)
    return None


def _parenthesized(text: str, depth: int) -> TypeText | None:
    end = _closing(text, 0)
    if end != len(text) - 1:
        return None
    parts = _split(text[1:-1])
    if len(parts) == 1:
        return parse_type(parts[0], depth + 1)
    return _container("()", parts, depth)


def _container(name: str, arguments: list[str], depth: int) -> TypeText:
    return TypeText(name, tuple(parse_type(argument, depth + 1) or TypeText("any") for argument in arguments))


def _closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed; -1 if it is not."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in "([{":
            depth += 1
        elif text[index] in ")]}":
            depth -= 1
            if depth == 0:
                return index
    return -1


def _split(text: str) -> list[str]:
    """`A, B[C, D]` -> `A`, `B[C, D]`."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]
