"""What C means by includes, linkage, tags and types.

What a file includes, directly or not, is in scope in it. Functions and variables have one namespace in the whole view
unless they are `static`; a prototype and a definition are one symbol if the definition's file sees the prototype, or if
there is no other definition. Names after `struct`, `union` and `enum` are apart from all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from git_graph.languages.arity import overlap
from git_graph.languages.c.policy_includes import LANGUAGES, included, includers, visible
from git_graph.languages.c.policy_names import STANDARD
from git_graph.languages.c.policy_types import parse_type
from git_graph.languages.policy import CALLED, TAG, Context, Policy, TypeText
from git_graph.languages.written import DOUBLE, SINGLE, SLASHES, Written
from git_graph.model import IMPLEMENT, INHERIT, KIND, TYPE, WRITE, Definition, Flag, Slice
from git_graph.records import NamedTuple

TAG_KINDS = frozenset(KIND[kind] for kind in ("struct", "union", "enum", "class"))
_MACRO, _ALIAS, _MEMBER, _FIELD = KIND["macro"], KIND["type_alias"], KIND["enum_member"], KIND["field"]
_RENAMING = re.compile(r"#\s*define\s+\w+\s+[A-Za-z_]\w*\s*\Z")
_UNNAMED = re.compile(r"(?:typedef\s+)?(?:struct|union|enum)\s*\Z")
LINKED = frozenset(KIND[kind] for kind in ("function", "variable", "method", "constructor"))
_BY_TYPE = frozenset((KIND["variable"], KIND["function"]))
_MAX_INCLUDERS = 8
_OVERLOADS = "cpp"
"""The language of the family that has overloads."""
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".inc", ".ipp", ".tcc", ".def")


class Place(NamedTuple):
    """A definition of a name, and what decides whether it is another one's counterpart."""

    definition: Definition
    kind: int
    flags: int
    parts: tuple[str, ...]
    """The name with all that contains it."""
    others: tuple[tuple[str, ...], ...] = ()
    """What else that may be, by the namespaces that the file uses."""
    takes: tuple[int, int] | None = None
    """How many arguments it takes, in the language that has overloads."""

    @property
    def declares(self) -> bool:
        """Whether it is no more than a declaration."""
        return bool(self.flags & Flag.DECLARATION)

    @property
    def external(self) -> bool:
        """Whether other files may mean it by name."""
        return not self.flags & Flag.INTERNAL


class CPolicy(Policy):
    """C's answers."""

    written = Written(
        comment=SLASHES,
        string=rf"R\"(?P<fence>[^(\s]*)\(.*?(?:\)(?P=fence)\"|\Z)|{DOUBLE}|{SINGLE}",
        name_at="last",
        no_parameters="void",
    )

    family = frozenset(LANGUAGES)
    class_scope = False
    includes = True
    has_senses = True
    opens_types = True
    tags = frozenset(("struct", "union", "enum"))
    has_macros = True
    anywhere = frozenset((_MACRO,))

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """The file that is included."""
        found = included(context, path, module, flags)
        return () if found is None else (found,)

    def siblings(self, context: Context, path: str) -> frozenset[str]:  # type: ignore[override]
        """What is included; a header that includes nothing itself sees what those that include it see."""
        found = visible(context, path)
        if found or not path.endswith(HEADERS):
            return found
        around = sorted(includers(context, path))[:_MAX_INCLUDERS]
        return frozenset().union(*(visible(context, file) for file in around)) - {path}

    def reaches(self, path: str, kind: int) -> bool:
        """What has no linkage is seen from other files only if it stands in a header."""
        return kind in LINKED or path.endswith(HEADERS)

    # names

    def sense(self, kind: int, role: int) -> int:
        """Tags after `struct` and the like; macros before what they hide."""
        if role == TAG:
            return int(kind in TAG_KINDS)
        if role in (TYPE, INHERIT, IMPLEMENT):
            return {_ALIAS: 1, _MACRO: 1}.get(kind, 2 if kind in TAG_KINDS else 0)
        if kind in TAG_KINDS or kind == _FIELD:
            return 0
        return {_MACRO: 1, _ALIAS: 3}.get(kind, 2)

    def meant_as(self, slice_: Slice, symbol: int) -> int:
        """A struct that only its typedef names is meant as a typedef is, never after `struct`."""
        s, strings = slice_.symbols, slice_.strings
        kind = s.kind[symbol]
        if kind in TAG_KINDS and slice_.language != _OVERLOADS and _UNNAMED.match(strings[s.signature[symbol]]):
            return _ALIAS
        return kind

    def gives_way(self, slice_: Slice, symbol: int) -> bool:
        """A macro that another name stands for under a condition: most builds have the other name."""
        s = slice_.symbols
        if s.kind[symbol] != _MACRO or not s.flags[symbol] & Flag.CONDITIONAL:
            return False
        return _RENAMING.match(slice_.strings[s.signature[symbol]]) is not None

    def space(self, kind: int) -> int:
        """Tags, macros and typedefs are apart from functions and variables of the same name."""
        return 1 if kind in TAG_KINDS else {_MACRO: 2, _ALIAS: 3}.get(kind, 0)

    def together(self, slice_: Slice, symbol: int, other: int) -> bool:
        """See Policy; a macro that is defined again after an `#undef` is another one."""
        if not super().together(slice_, symbol, other):
            return False
        s, r = slice_.symbols, slice_.references
        if s.kind[symbol] != _MACRO or (s.flags[symbol] | s.flags[other]) & Flag.CONDITIONAL:
            return True
        first, last = sorted((s.line[symbol], s.line[other]))
        rows = zip(r.name, r.role, r.symbol, r.line, strict=True)
        undone = (line for name, role, around, line in rows if name == s.name[symbol] and role == WRITE and not around)
        return not any(first < line < last for line in undone)

    def opens(self, slice_: Slice, symbol: int) -> bool:
        """Enumerators are names of the scope around their enumeration."""
        return True

    def is_builtin(self, name: str) -> bool:
        """The standard library's own functions, and what compilers predefine."""
        return name in STANDARD or name.startswith(("__", "()", "[]"))

    # one symbol in several files

    def counterparts(self, context: Context, definition: Definition, slice_: Slice) -> Sequence[Definition]:
        """Prototypes and definitions of one function, and what several headers define instead of each other."""
        name = slice_.strings[slice_.symbols.name[definition.index]]
        places = self.places(context, name)
        own = next((place for place in places if place.definition == definition), None)
        if own is None or not self.counts(own):
            return ()
        same = [p for p in places if _same_name(own, p) and self.space(p.kind) == self.space(own.kind)]
        same = [p for p in same if p.takes is None or own.takes is None or overlap(p.takes, own.takes)]
        if own.kind == KIND["namespace"]:  # all are one: each leads to the first, and that to all
            return [p.definition for p in (same if own is same[0] else same[:1]) if p is not own]
        full = [p for p in same if not p.declares and p.external]
        if own.kind in TAG_KINDS and len(full) > 1:  # what a header declares is what a header defines
            full = [p for p in full if p.definition.path.endswith(HEADERS)]
            same = [p for p in same if p.declares or p in full or p.definition == definition]
            if own not in full and not own.declares:
                return []
        sole = len(full) == 1
        return [p.definition for p in same if p.definition != definition and _one(context, own, p, sole)]

    def counts(self, place: Place) -> bool:
        """Whether a definition can have counterparts: members of types are those of their type."""
        return len(place.parts) == 1

    def places(self, context: Context, name: str) -> Sequence[Place]:
        """Every definition of a name in files of C and C++."""
        return context.remembered(("c.places", name), lambda: tuple(self._places(context, name)))

    def _places(self, context: Context, name: str) -> list[Place]:
        found = []
        for path in context.view.defining(name):
            if context.view.language(path) not in LANGUAGES or (slice_ := context.view.slice(path)) is None:
                continue
            s, text, used = slice_.symbols, slice_.strings.index(name), _used(slice_)
            for index, own in enumerate(s.name):
                if own == text and index:
                    parts = parts_of(slice_, index)
                    others = tuple((*space, *parts) for space in used) if s.owner[index] else ()
                    takes = self.takes(slice_, index) if slice_.language == _OVERLOADS else None
                    found.append(Place(Definition(path, index), s.kind[index], s.flags[index], parts, others, takes))
        return found

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """See policy_types."""
        return parse_type(text)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """What a pointer to a function gives."""
        if container == "()" and operation == CALLED and count:
            return TypeText("#0")
        return None


def _one(context: Context, own: Place, other: Place, sole: bool) -> bool:
    """Whether two definitions in different files are one symbol."""
    same_file = own.definition.path == other.definition.path
    if own.kind in TAG_KINDS and (own.declares or other.declares):
        one, two = own.definition.path, other.definition.path
        return (sole and own.declares != other.declares) or one == two or _together(context, one, two)
    if own.declares != other.declares and not own.external and not other.external and not same_file:
        declared, defined = (own, other) if own.declares else (other, own)
        return declared.definition.path in visible(context, defined.definition.path)  # `static` in a header
    if own.declares != other.declares and (same_file or (own.external and other.external)):
        declaration, definition = (own, other) if own.declares else (other, own)
        here, there = definition.definition.path, declaration.definition.path
        if sole or here == there or there in visible(context, here):
            return True
        return declaration.kind in TAG_KINDS and here in visible(context, there)
    if own.kind == other.kind == _MACRO and (own.flags | other.flags) & Flag.CONDITIONAL:
        one, two = own.definition.path, other.definition.path
        if (
            one.endswith(HEADERS)
            and two.endswith(HEADERS)
            and (one in visible(context, two) or two in visible(context, one))
        ):
            return True  # `#ifndef X`, `#define X`: what is defined if nothing else did it
    if own.declares or other.declares:
        return False
    if {own.kind, other.kind} == _BY_TYPE and own.external and other.external:  # `handler_fn f;`, and f as a function
        variable, function = (own, other) if own.kind == KIND["variable"] else (other, own)
        return same_file or variable.definition.path in visible(context, function.definition.path)
    if own.definition.path == other.definition.path:  # overloads in several blocks of one namespace
        return own.kind in LINKED and None not in (own.takes, other.takes)
    if own.kind in LINKED and own.external:  # overloads that one file sees
        return None not in (own.takes, other.takes) and _together(context, own.definition.path, other.definition.path)
    return _alternatives(context, own.definition.path, other.definition.path)


def _same_name(own: Place, other: Place) -> bool:
    return own.parts == other.parts or other.parts in own.others or own.parts in other.others


def _used(slice_: Slice) -> list[list[str]]:
    """The namespaces whose names a file uses without saying so each time."""
    i, strings = slice_.imports, slice_.strings
    return [
        strings[module].split("::") for module, local in zip(i.module, i.local, strict=True) if strings[local] == "*"
    ]


def _alternatives(context: Context, one: str, other: str) -> bool:
    """Whether two headers stand for each other: one file includes both, under conditions as it must be."""
    return one.endswith(HEADERS) and other.endswith(HEADERS) and _together(context, one, other)


def _together(context: Context, one: str, other: str) -> bool:
    """Whether one of two files includes the other, or a third one both."""
    if one in visible(context, other) or other in visible(context, one):
        return True
    return not includers(context, one).isdisjoint(includers(context, other))


def parts_of(slice_: Slice, index: int) -> tuple[str, ...]:
    """The names around symbol `index`, those of its owner among them, and its own."""
    s, strings = slice_.symbols, slice_.strings
    found: list[str] = []
    while index > 0:
        found.append(strings[s.name[index]])
        if s.owner[index]:
            found.extend(reversed(owner_parts(strings[s.owner[index]])))
        index = s.parent[index]
        if index > 0 and s.kind[index] == KIND["enum"] and len(found) == 1:
            index = s.parent[index]
    return tuple(reversed(found))


def owner_parts(text: str) -> list[str]:
    """`ns::A<T>` as its names, template arguments left out."""
    names, depth, word = [], 0, ""
    for character in text:
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif not depth:
            word += character
    names = [part.strip() for part in word.split("::")]
    return [name for name in names if name]


POLICY = CPolicy()
