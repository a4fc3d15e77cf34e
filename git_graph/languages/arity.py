"""How many arguments a function takes, from its signature, for languages that tell overloads apart by it."""

from __future__ import annotations

import re
from functools import lru_cache

MANY = 1 << 16
"""More arguments than any call gives."""
ANY = (0, MANY)
"""What is known of a function whose parameters cannot be read."""

_OPEN, _CLOSE = "(<[{", ")>]}"


@lru_cache(maxsize=1 << 16)
def arity(signature: str, name: str) -> tuple[int, int]:
    """The fewest and the most arguments that the function `name` takes: `f(int a, int b = 1)` is (1, 2)."""
    start = re.search(rf"(?<!\w){re.escape(name)}\s*(?:<[^()]*>\s*)?\(", signature)
    if start is None:
        return ANY
    parameters, whole = _split(signature, start.end())
    if not whole:  # a signature is cut when it is long
        return sum(not _optional(parameter) for parameter in parameters[:-1]), MANY
    if parameters == ["void"]:
        return 0, 0
    needed = sum(not _optional(parameter) for parameter in parameters)
    return needed, MANY if any(_several(parameter) for parameter in parameters) else len(parameters)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether some number of arguments suits both."""
    return one[0] <= other[1] and other[0] <= one[1]


def _split(text: str, position: int) -> tuple[list[str], bool]:
    """What stands between commas up to the parenthesis that closes, and whether there is one."""
    found, depth, first, last = [], 0, position, ""
    for index in range(position, len(text)):
        character = text[index]
        if character in _CLOSE and not (character == ">" and last in "-="):
            if not depth:
                found.append(text[first:index].strip())
                return [parameter for parameter in found if parameter], True
            depth -= 1
        elif character in _OPEN:
            depth += 1
        elif character == "," and not depth:
            found.append(text[first:index].strip())
            first = index + 1
        last = character
    return [*found, text[first:]], False


def _optional(parameter: str) -> bool:
    return "=" in _outside(parameter) or _several(parameter)


def _several(parameter: str) -> bool:
    return "..." in _outside(parameter)


def _outside(parameter: str) -> str:
    """A parameter without what stands in parentheses of any kind."""
    depth, kept = 0, []
    for character in parameter:
        depth += (character in _OPEN) - (character in _CLOSE)
        if not depth:
            kept.append(character)
    return "".join(kept)
