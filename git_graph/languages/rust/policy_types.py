"""Rust's types as written, taken apart, and what the standard library's types hold.

References, lifetimes, `mut`, `dyn` and `impl` are left out, and so are the pointers that dereference to what they hold
(`Box`, `Rc`, `Arc`, guards). `[T]` and arrays are named `[]`, tuples `()`, functions `fn` with what they return.
"""

from __future__ import annotations

import re

from git_graph.languages.policy import TypeText

_MAX_DEPTH = 30
_POINTERS = frozenset(
    "Box Rc Arc Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Pin ManuallyDrop Cow Lazy LazyLock"
    " LazyCell".split()
)
_LEADING = re.compile(
    r"(?:&|\*\s*(?:const|mut)\b|'\w+|mut\b|dyn\b|impl\b|for\s*<[^>]*>|\?|const\b|unsafe\b|extern\s*(?:\"[^\"]*\")?)\s*"
)
_PATH = re.compile(r"(?:::)?\s*[^\W\d]\w*(?:\s*::\s*[^\W\d]\w*)*")
_FUNCTIONS = ("Fn(", "FnMut(", "FnOnce(", "fn(", "fn (")
_SPELLED = {"self": "self", "crate": "crate"}


def parse_type(text: str, depth: int = 0) -> TypeText | None:
    """A type taken apart; None if it says nothing of what a value can do."""
    if depth > _MAX_DEPTH:
        return None
    bounds = [part for part in split(text, "+") if not part.startswith(("'", "?"))]
    if not bounds:
        return None
    if len(bounds) > 1:
        found = [part for bound in bounds if (part := parse_type(bound, depth + 1)) is not None]
        return TypeText(found[0].name, found[0].arguments, tuple(found[1:])) if found else None
    text = _stripped(bounds[0])
    if not text or text in ("_", "!"):
        return None
    if text.startswith("["):
        inner = text[1 : closing(text, 0)] if closing(text, 0) > 0 else text[1:]
        return _container("[]", [split(inner, ";")[0] if inner else ""], depth)
    if text.startswith("("):
        return _tuple(text, depth)
    if text.startswith("<"):
        return _projection(text)
    if text.startswith(_FUNCTIONS):
        end = closing(text, text.index("("))
        result = text[end + 1 :].strip().removeprefix("->").strip() if end > 0 else ""
        return _container("fn", [result] if result else [], depth)
    return _named(text, depth)


def _stripped(text: str) -> str:
    text = text.strip()
    while match := _LEADING.match(text):
        text = text[match.end() :]
    return text.strip()


def _tuple(text: str, depth: int) -> TypeText | None:
    end = closing(text, 0)
    if end < 0:
        return None
    parts = split(text[1:end], ",")
    if len(parts) == 1 and not text[1:end].rstrip().endswith(","):
        return parse_type(parts[0], depth + 1)
    return _container("()", parts, depth) if parts else None


def _projection(text: str) -> TypeText | None:
    """`<T as Trait>::Item`: a member of the trait."""
    end = closing(text, 0)
    inner = text[1:end] if end > 0 else ""
    trait = inner.rpartition(" as ")[2]
    match = _PATH.match(trait.strip())
    rest = text[end + 1 :].strip().removeprefix("::")
    return TypeText(f"{_dotted(match.group())}.{rest}") if match and rest.isidentifier() else None


def _named(text: str, depth: int) -> TypeText | None:
    match = _PATH.match(text)
    if match is None:
        return None
    name, rest = _dotted(match.group()), text[match.end() :].strip().removeprefix("::").strip()
    arguments: list[str] = []
    if rest.startswith("<"):
        end = closing(rest, 0)
        if end < 0:
            return None
        arguments = [a for a in split(rest[1:end], ",") if not a.startswith("'")]
        after = rest[end + 1 :].strip().removeprefix("::")
        if after:  # Holder<T>::Item
            return TypeText(f"{name}.{after}") if after.isidentifier() else None
    elif rest:
        return None
    last = name.rpartition(".")[2]
    if last in _POINTERS and arguments:
        return parse_type(arguments[-1 if last == "Cow" else 0], depth + 1)
    bound = [a.partition("=")[2] for a in arguments if re.match(r"\s*(Item|Output|Target)\s*=", a)]
    plain = [a for a in arguments if not re.match(r"\s*\w+\s*=", a)]
    return _container(name, [*plain, *bound], depth)


def _dotted(path: str) -> str:
    return ".".join(part.strip() for part in path.split("::") if part.strip())


def _container(name: str, arguments: list[str], depth: int) -> TypeText:
    return TypeText(name, tuple(parse_type(argument, depth + 1) or TypeText("_") for argument in arguments))


def closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed; -1 if it is not."""
    depth = 0
    for index in range(start, len(text)):
        character = text[index]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1] not in "-="):
            depth -= 1
            if depth == 0:
                return index
    return -1


def split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1] not in "-="):
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


SEQUENCES = frozenset(
    "[] Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList Option Iter IterMut IntoIter Iterator DoubleEndedIterator"
    " ExactSizeIterator IntoIterator Peekable SmallVec ArrayVec IndexSet Range Box Receiver Drain Skip Take Rev".split()
)
"""Types whose first argument is what a loop over them yields."""
MAPS = frozenset("HashMap BTreeMap IndexMap".split())
WRAPPERS = frozenset("Option Result Poll Mutex RwLock RefCell Cell OnceCell OnceLock".split())
_SAME = frozenset(
    "iter iter_mut into_iter by_ref as_ref as_mut as_deref as_deref_mut clone cloned copied rev skip take"
    " skip_while take_while filter inspect peekable step_by chain cycle fuse to_vec to_owned as_slice as_mut_slice"
    " drain or or_else split_off borrow borrow_mut into_boxed_slice values values_mut into_values keys into_keys"
    " retain ok_or ok_or_else map_err context with_context ok err".split()
)
_FIRST = frozenset(
    "unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked get_or_insert_with get_or_insert insert"
    " read write lock get_mut into_inner replace take_inner".split()
)
_OPTIONAL = frozenset(
    "next next_back last nth find first first_mut last_mut pop pop_front pop_back front back peek peek_mut max min"
    " max_by max_by_key min_by min_by_key get get_mut get_or find_map take swap_remove_opt recv try_recv".split()
)


def member(container: str, count: int, name: str) -> TypeText | None:
    """The type of what a method of a standard type gives, or of a tuple's field."""
    last = container.rpartition(".")[2]
    if last == "()" and name.isdigit():
        return TypeText(f"#{name}") if int(name) < count else None
    first = TypeText("#0")
    if last in MAPS:
        return _of_map(name, count)
    if not count:
        return TypeText("#self") if name in ("clone", "to_owned", "as_ref", "as_mut") else None
    if last in ("Result", "Option", "Poll", "LockResult", "Mutex", "RwLock", "RefCell", "Cell", "OnceCell", "OnceLock"):
        return _of_wrapper(last, name)
    if last in SEQUENCES:
        if name in ("iter", "iter_mut", "into_iter", "drain"):
            return TypeText("Iter", (first,))
        if name == "enumerate":
            return TypeText("Iter", (TypeText("()", (TypeText("usize"), first)),))
        if name in _OPTIONAL:
            return TypeText("Option", (first,))
        if name in ("remove", "swap_remove", "index"):
            return first
        if name in _SAME or name in ("sum", "min_by_key"):
            return TypeText("#self")
        if name in ("chunks", "windows", "collect"):
            return TypeText("Vec", (first,))
        if name in ("zip", "map", "flat_map", "filter_map"):
            return None
    return None


def _of_wrapper(wrapper: str, name: str) -> TypeText | None:
    first = TypeText("#0")
    if wrapper in ("Mutex", "RwLock") and name in ("lock", "read", "write", "get_mut", "into_inner"):
        return TypeText("Result", (first,))
    if wrapper == "OnceCell" or wrapper == "OnceLock":
        return TypeText("Option", (first,)) if name in ("get", "take") else first
    if wrapper in ("RefCell", "Cell"):
        return first
    if name in _FIRST:
        return first
    if name in ("ok", "take", "or", "or_else", "filter", "get_or_insert_with"):
        return TypeText("Option", (first,))
    if name == "err":
        return TypeText("Option", (TypeText("#1"),))
    if name in ("unwrap_err", "expect_err", "into_err"):
        return TypeText("#1")
    if name in ("ok_or", "ok_or_else"):
        return TypeText("Result", (first,))
    if name in ("iter", "iter_mut", "into_iter"):
        return TypeText("Iter", (first,))
    return TypeText("#self") if name in _SAME else None


def _of_map(name: str, count: int) -> TypeText | None:
    if count < 2:
        return None
    key, value = TypeText("#0"), TypeText("#1")
    if name in ("get", "get_mut", "remove", "insert"):
        return TypeText("Option", (value,))
    if name in ("values", "values_mut", "into_values"):
        return TypeText("Iter", (value,))
    if name in ("keys", "into_keys"):
        return TypeText("Iter", (key,))
    if name in ("iter", "iter_mut", "into_iter", "drain"):
        return TypeText("Iter", (TypeText("()", (key, value)),))
    if name == "entry":
        return TypeText("Entry", (value,))
    return TypeText("#self") if name == "clone" else None


def element(container: str, count: int, operation: str, key: str) -> TypeText | None:
    """What indexing, a loop, `?`, a call or `.await` gives of a standard type."""
    last = container.rpartition(".")[2]
    first = TypeText("#0") if count else None
    if operation == "index":
        if key == "?":
            return first if last in ("Option", "Result", "Poll") or last.endswith("Result") else None
        if key == "Err":
            return TypeText("#1") if count > 1 else None
        if last in MAPS:
            return TypeText("#1") if count > 1 else None
        return first if last in ("[]", "Vec", "VecDeque", "SmallVec", "ArrayVec") else None
    if operation == "iterate":
        if last in MAPS:
            return TypeText("()", (TypeText("#0"), TypeText("#1"))) if count > 1 else None
        return first if last in SEQUENCES or last in ("Result", "Poll") else None
    if operation == "call":
        return first if last == "fn" else None
    if operation == "await":
        return first if last in ("Future", "JoinHandle", "BoxFuture") else TypeText("#self")
    return None
