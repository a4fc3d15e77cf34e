"""C and C++ types as written, taken apart.

Pointers and references vanish, since a member is reached through any number of them. `[]` is an array of its argument,
`()` something that gives its argument when it is called.
"""

from __future__ import annotations

import re

from git_graph.languages.policy import TypeText

ANONYMOUS = "(anonymous "
"""What the names of types that have none begin with."""
_WORD = re.compile(r"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*(?:template\s+)?~?[A-Za-z_]\w*)*|[<>,]|\(\)|\[\]|[^\s\w]|\d\w*")
_QUALIFYING = """
const volatile struct union enum class typename register static extern inline restrict mutable constexpr virtual
friend explicit signed unsigned long short __restrict _Atomic __const constinit thread_local template
"""
_QUALIFIERS = frozenset(_QUALIFYING.split())
_CALLABLE = frozenset(("std.function", "function", "std.packaged_task", "std.move_only_function"))
_NOTHING = frozenset(("auto", "decltype", "..."))


def parse_type(text: str, *, arrays: bool = False) -> TypeText | None:
    """See Policy.parse_type; without `arrays` an array is what it holds, as where indexing gives no expression."""
    if text.startswith(ANONYMOUS):
        return TypeText(text[: text.find(")") + 1])
    words = _WORD.findall(text)
    if not arrays:
        words = [word for word in words if word != "[]"]
    found, _ = _type(words, 0)
    return found


def _type(words: list[str], position: int) -> tuple[TypeText | None, int]:
    """The type that begins at a word, and the position after it (at `,`, `>` or the end)."""
    base: TypeText | None = None
    number = tag = False
    while position < len(words):
        word = words[position]
        if word in (",", ">"):
            break
        position += 1
        if word == "<":
            arguments, position = _arguments(words, position)
            if base is not None:
                if base.name in _CALLABLE and arguments and arguments[0].name == "()":
                    arguments = arguments[0].arguments  # `std::function<T(int)>` gives what its argument gives
                base = _continued(TypeText(base.name, arguments), words, position)
                position += _further(words, position)
        elif word in ("[]", "()"):
            base = TypeText(word, (base,)) if base is not None else TypeText(word)
        elif word in _NOTHING:
            return None, _skip(words, position)
        elif word in _QUALIFIERS:
            tag = tag or word in ("struct", "union", "enum")
            number = number or word in ("signed", "unsigned", "long", "short")
        elif word[0].isalpha() or word[0] in "_:":
            name = ".".join(part for part in re.sub(r"\btemplate\b|\s", "", word).split("::") if part)
            base = base or TypeText(name, tag=tag)
        elif word == "(":
            position = _skip_group(words, position)
            base = TypeText("()", (base,)) if base is not None else base
    if base is None and number:
        base = TypeText("int")
    return base, position


def _arguments(words: list[str], position: int) -> tuple[tuple[TypeText, ...], int]:
    found = []
    while position < len(words) and words[position] != ">":
        argument, position = _type(words, position)
        found.append(argument or TypeText("void"))
        if position < len(words) and words[position] == ",":
            position += 1
    return tuple(found), position + 1


def _further(words: list[str], position: int) -> int:
    """How many words say a member of a type with arguments (`A<int>::type`)."""
    return 1 if position < len(words) and words[position].startswith("::") else 0


def _continued(base: TypeText, words: list[str], position: int) -> TypeText:
    if not _further(words, position):
        return base
    rest = ".".join(part for part in re.sub(r"\btemplate\b|\s", "", words[position]).split("::") if part)
    return TypeText(f"{base.name}.{rest}", base.arguments)


def _skip(words: list[str], position: int) -> int:
    depth = 0
    while position < len(words):
        word = words[position]
        if word == "<":
            depth += 1
        elif word == ">":
            if not depth:
                break
            depth -= 1
        elif word == "," and not depth:
            break
        position += 1
    return position


def _skip_group(words: list[str], position: int) -> int:
    depth = 1
    while position < len(words) and depth:
        depth += {"(": 1, ")": -1}.get(words[position], 0)
        position += 1
    return position
