"""What C++'s standard library gives: its containers, pointers and pairs."""

from __future__ import annotations

from git_graph.languages.policy import AWAIT, CALLED, INDEX, ITERATE, TypeText

_POINTERS = frozenset(
    (
        "unique_ptr",
        "shared_ptr",
        "optional",
        "reference_wrapper",
        "auto_ptr",
        "iterator",
        "scoped_ptr",
        "atomic",
        "expected",
    )
)
_SEQUENCES = frozenset(
    (
        "vector", "list", "deque", "array", "set", "multiset", "unordered_set", "unordered_multiset", "forward_list",
        "initializer_list", "span", "queue", "stack", "priority_queue", "valarray",
    )
)  # fmt: skip
_MAPS = frozenset(("map", "unordered_map", "multimap", "unordered_multimap", "flat_map"))
_FIRST, _SECOND = TypeText("#0"), TypeText("#1")
_PAIR = TypeText("std.pair", (_FIRST, _SECOND))
_ELEMENTS = frozenset(("front", "back", "at", "top", "data", "emplace_back", "emplace", "value"))
_ITERATORS = frozenset(
    (
        "begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "lower_bound", "upper_bound", "insert", "erase",
        "emplace_hint",
    )
)  # fmt: skip
_NAMES = """
std string string_view vector list deque array map set multimap multiset unordered_map unordered_set pair tuple optional
variant function unique_ptr shared_ptr weak_ptr make_unique make_shared make_pair make_tuple move forward swap min max
sort find copy cout cerr cin endl ostream istream ofstream ifstream fstream stringstream ostringstream istringstream
mutex lock_guard unique_lock thread atomic chrono exception runtime_error logic_error invalid_argument out_of_range
initializer_list numeric_limits size_t ptrdiff_t nullptr_t enable_if is_same decay true_type false_type get tie
"""
_STANDARD = frozenset(_NAMES.split())


def is_standard(name: str) -> bool:
    """Whether a free name is one of the standard library's."""
    return name in _STANDARD


def element(container: str, operation: str, key: str) -> TypeText | None:
    """See Policy.element."""
    name = container.removeprefix("std.")
    if name.endswith("iterator"):
        map_ = name.partition(".")[0] in _MAPS
        return (_PAIR if map_ else _FIRST) if operation == AWAIT else None
    if name in _POINTERS or name == "[]":
        return None if operation == CALLED or (operation == ITERATE and name != "[]") else _FIRST
    if name in _SEQUENCES:
        return _FIRST if operation in (ITERATE, INDEX) else None
    if name in _MAPS:
        return {ITERATE: _PAIR, INDEX: _SECOND}.get(operation)
    if name in ("pair", "tuple") and operation == INDEX and key.isdigit():
        return TypeText(f"#{key}")
    if name in ("()", "function"):
        return _FIRST if operation == CALLED else None
    return None


def member(container: str, name: str) -> TypeText | None:
    """See Policy.member."""
    type_ = container.removeprefix("std.")
    if type_ in _POINTERS or type_ in ("future", "shared_future"):
        return _FIRST if name in ("get", "value", "release", "value_or", "load") else None
    if type_ == "weak_ptr":
        return TypeText("std.shared_ptr", (_FIRST,)) if name == "lock" else None
    if type_ in _SEQUENCES:
        if name in _ELEMENTS:
            return _FIRST
        return TypeText("std.iterator", (_FIRST,)) if name in _ITERATORS else None
    if type_ in _MAPS:
        if name in _ITERATORS:
            return TypeText("std.iterator", (_PAIR,))
        return _SECOND if name == "at" else None
    if type_ == "pair":
        return {"first": _FIRST, "second": _SECOND}.get(name)
    return None
