"""What C++ means by namespaces, members, pointers and the containers of its standard library.

Everything C means by includes and linkage holds. A member's declaration in its class and its definition elsewhere are
one symbol, as are overloads. A name in a method may be a member of its class or of a base; one in a member that stands
outside of its class sees the namespaces around the class.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from git_graph.languages.c.policy import LINKED, TAG_KINDS, CPolicy, Place
from git_graph.languages.c.policy_types import parse_type
from git_graph.languages.cpp.policy_library import element, is_standard, member
from git_graph.languages.cpp.policy_spaces import files_in_space
from git_graph.languages.policy import AWAIT, CALLED, INDEX, ITERATE, TAG, Context, TypeText
from git_graph.model import IMPLEMENT, INHERIT, KIND, TYPE, Slice

_TYPES = TAG_KINDS | {KIND["type_alias"], KIND["trait"], KIND["macro"]}
_SEVERAL = LINKED | TAG_KINDS | {KIND["field"], KIND["namespace"]}
"""Kinds of what is inside something else and may stand in several places all the same."""
_CALLED = frozenset(
    ("begin", "end", "await_ready", "await_suspend", "await_resume", "initial_suspend", "final_suspend", "return_void",
     "return_value", "unhandled_exception", "get_return_object", "yield_value")
)  # fmt: skip
_SPACE, _CONSTRUCTOR, _MACRO = KIND["namespace"], KIND["constructor"], KIND["macro"]


class CppPolicy(CPolicy):
    """C++'s answers."""

    written = CPolicy.written._replace(defaults=True)

    class_scope = True
    implicit_self = True
    has_owners = True
    overloads = True
    merges_namespaces = True
    module_separator = "::"
    tags = frozenset()
    idle = frozenset((AWAIT, INDEX))
    idle_outside = frozenset((AWAIT,))
    operators = {
        INDEX: ("operator[]",),
        AWAIT: ("operator->", "operator*"),
        CALLED: ("operator()",),
        ITERATE: ("begin",),
    }

    # names

    def sense(self, kind: int, role: int) -> int:
        """Types where types stand; a constructor is never meant by its bare name, its class is."""
        if kind == _CONSTRUCTOR:
            return 0
        if role == TAG:
            return int(kind in TAG_KINDS)
        if role in (TYPE, INHERIT, IMPLEMENT):
            return 1 if kind in _TYPES else 2 if kind == _SPACE else 0
        if kind == _MACRO:
            return 1
        return 3 if kind in _TYPES else 4 if kind == _SPACE else 2

    def space(self, kind: int) -> int:
        """Constructors and namespaces are apart from all others."""
        return {_CONSTRUCTOR: 4, _SPACE: 5}.get(kind, super().space(kind))

    def opens(self, slice_: Slice, symbol: int) -> bool:
        """All enumerations but `enum class`."""
        signature = slice_.strings[slice_.symbols.signature[symbol]]
        return not signature.startswith(("enum class", "enum struct"))

    def is_builtin(self, name: str) -> bool:
        """The standard library's names too."""
        return is_standard(name) or super().is_builtin(name)

    def called_implicitly(self, name: str) -> bool:
        """Operators and destructors are, and what loops over ranges and coroutines call."""
        return name.startswith(("operator", "~")) or name in _CALLED or super().called_implicitly(name)

    def counts(self, place: Place) -> bool:
        """Members have counterparts outside of their class."""
        return len(place.parts) == 1 or place.kind in _SEVERAL

    def files_in_space(self, context: Context, parts: tuple[str, ...]) -> Collection[str]:
        """See policy_spaces."""
        return files_in_space(context, parts)

    def module_named(self, context: Context, path: str, name: str) -> Sequence[str]:
        """A namespace that only macros open: the files in which they do."""
        return sorted(files_in_space(context, (name,)))

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """See policy_types."""
        return parse_type(text, arrays=True)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """See policy_library."""
        return element(container, operation, key)

    def member(self, container: str, count: int, name: str) -> TypeText | None:
        """See policy_library."""
        return member(container, name)


POLICY = CppPolicy()
