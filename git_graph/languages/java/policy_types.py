"""Java's types as written, taken apart, and what the library's collections and streams hold.

Arrays are named `[]`; wildcards are their bounds; the alternatives of a multi-catch and the further bounds of a type
parameter are alternatives.
"""

from __future__ import annotations

import re

from git_graph.languages.policy import TypeText

_MAX_DEPTH = 30
_NAME = re.compile(r"[^\W\d][\w$]*(?:\s*\.\s*[^\W\d][\w$]*)*")
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*")
_WILDCARD = re.compile(r"\?\s*(?:(?:extends|super)\b)?\s*")


def parse_type(text: str, depth: int = 0) -> TypeText | None:
    """A type taken apart; None if it says nothing of what a value can do."""
    text = _ANNOTATION.sub("", text).strip().removeprefix("final ").strip()
    if not text or depth > _MAX_DEPTH:
        return None
    parts = [part for separator in "|&" for part in [_split(text, separator)] if len(part) > 1]
    if parts:
        found = [type_ for part in parts[0] if (type_ := parse_type(part, depth + 1)) is not None]
        return TypeText(found[0].name, found[0].arguments, tuple(found[1:])) if found else None
    text = _WILDCARD.sub("", text, count=1) if text.startswith("?") else text
    text = text.replace("...", "[]").strip()
    if text.endswith("]"):
        inner = parse_type(text[: text.rindex("[")], depth + 1)
        return TypeText("[]", (inner,)) if inner is not None else None
    match = _NAME.match(text)
    if match is None:
        return None
    name, rest = "".join(match.group().split()), text[match.end() :].strip()
    if not rest:
        return None if name == "var" else TypeText(name)
    if not rest.startswith("<"):
        return None
    end = _closing(rest)
    arguments = tuple(parse_type(a, depth + 1) or TypeText("Object") for a in _split(rest[1:end], ","))
    after = rest[end + 1 :].strip()
    if after.startswith("."):  # Outer<T>.Inner
        return parse_type(name + after, depth + 1)
    if name in ("Class", "java.lang.Class") and arguments and arguments[0].name != "Object":
        return TypeText(arguments[0].name, meta=True)
    return TypeText(name, arguments)


def _closing(text: str) -> int:
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "<") - (character == ">")
        if depth == 0:
            return index
    return len(text)


def _split(text: str, separator: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "<(":
            depth += 1
        elif character in ">)":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


_MAPS = frozenset(
    "Map HashMap TreeMap LinkedHashMap ConcurrentHashMap ConcurrentMap SortedMap NavigableMap EnumMap WeakHashMap"
    " ImmutableMap IdentityHashMap Hashtable".split()
)
_ENTRIES = frozenset(("Entry", "Map.Entry"))
_SEQUENCES = frozenset(
    "Iterable Collection List ArrayList LinkedList Set HashSet TreeSet LinkedHashSet SortedSet NavigableSet EnumSet"
    " Queue Deque ArrayDeque PriorityQueue Vector Stack Iterator ListIterator Enumeration Stream Optional Supplier"
    " Callable Future CompletableFuture"
    " ThreadLocal AtomicReference WeakReference SoftReference Reference Provider Spliterator"
    " BlockingQueue ConcurrentLinkedQueue CopyOnWriteArrayList ImmutableList ImmutableSet Class []".split()
)
_ELEMENT = frozenset(
    "get getFirst getLast first last next previous remove removeFirst removeLast poll pollFirst pollLast peek peekFirst"
    " peekLast pop element nextElement orElse orElseGet orElseThrow orElseThrow call join take getAndSet getNow"
    " firstElement lastElement elementAt floor ceiling higher lower set".split()
)
_SAME = frozenset(
    "filter sorted distinct limit skip peek stream parallelStream iterator listIterator descendingIterator subList"
    " headSet tailSet subSet reversed sequential parallel onClose takeWhile dropWhile or clone toList".split()
)
_OPTIONAL = frozenset(("findFirst", "findAny", "max", "min", "reduce"))

LIBRARY = _MAPS | _SEQUENCES | frozenset(("Map.Entry", "StringBuilder"))
"""Library types that something is known of."""


def _last(container: str) -> str:
    return "Map.Entry" if container.endswith("Map.Entry") else container.rpartition(".")[2]


def member(container: str, count: int, name: str) -> TypeText | None:
    """What a method of a library type gives."""
    last = _last(container)
    if last in ("String", "StringBuilder", "StringBuffer"):
        return TypeText(last) if name in ("append", "trim", "substring", "concat", "insert", "reverse") else None
    if not count:
        return None
    first, second = TypeText("#0"), TypeText("#1")
    if last in _MAPS:
        if count < 2:
            return None
        entry = TypeText("Map.Entry", (first, second))
        return {
            "get": second, "put": second, "remove": second, "getOrDefault": second, "computeIfAbsent": second,
            "compute": second, "putIfAbsent": second, "merge": second, "values": TypeText("Collection", (second,)),
            "keySet": TypeText("Set", (first,)), "entrySet": TypeText("Set", (entry,)), "firstKey": first,
            "firstEntry": entry, "lastEntry": entry,
        }.get(name)  # fmt: skip
    if last in _ENTRIES:
        return {"getKey": first, "getValue": second}.get(name) if count > 1 else None
    if last in _SEQUENCES:
        if name in _ELEMENT:
            return first
        if name in _OPTIONAL:
            return TypeText("Optional", (first,))
        return TypeText("#self") if name in _SAME else None
    return None


def element(container: str, count: int, operation: str) -> TypeText | None:
    """What indexing an array or a loop gives."""
    last = _last(container)
    if not count:
        return None
    if operation == "index":
        return TypeText("#0") if last == "[]" else None
    return TypeText("#0") if operation == "iterate" and last in _SEQUENCES else None
