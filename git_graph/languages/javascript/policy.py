"""What JavaScript and TypeScript mean by modules, types and receivers: one policy for the whole family.

A module is a file. What it offers is what it exports; a CommonJS module offers what it gives to `exports`. A file that
imports and exports nothing is a script, whose top-level names every file sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from git_graph.languages.javascript import policy_types
from git_graph.languages.javascript.policy_builtins import NAMES
from git_graph.languages.javascript.policy_modules import Finder
from git_graph.languages.policy import ITERATE, TAG, Context, Policy, TypeText
from git_graph.languages.written import DOUBLE, SINGLE, SLASHES, Written
from git_graph.model import EXPORT, IMPLEMENT, KIND, TYPE, Definition, Flag, Slice

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_SOURCES = {".d.ts": (".js", ".jsx"), ".d.mts": (".mjs",), ".d.cts": (".cjs",)}
_DECLARED = {".js": ".d.ts", ".jsx": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"}


_TYPES_ALONE = frozenset(KIND[kind] for kind in ("interface", "type_alias"))
_TYPES = _TYPES_ALONE | frozenset(KIND[kind] for kind in ("class", "enum"))
_NAMESPACE = KIND["namespace"]


class JavaScriptPolicy(Policy):
    """The answers of the family."""

    runs_imports = True
    written = Written(
        comment=SLASHES,
        string=rf"{DOUBLE}|{SINGLE}|`(?:\\.|[^`\\])*`?",
        quotes_alike=True,
        regex_literals=True,
        receivers=frozenset(("this",)),
        requires=False,
        defaults=True,
        marks_optional=True,
    )

    structural = True
    family = frozenset(("javascript", "typescript", "tsx"))
    constructors = ("constructor",)
    class_scope = False
    holders = True
    global_scope = True
    global_namespace = "global"
    whole_export = "export="
    self_types = frozenset(("this",))
    operators: Mapping[str, tuple[str, ...]] = MappingProxyType(
        {ITERATE: ("[Symbol.iterator]", "[Symbol.asyncIterator]")}
    )

    has_senses = True
    tags = frozenset(("namespace",))

    def sense(self, kind: int, role: int) -> int:
        """Only a type stands where a type is meant; elsewhere an interface is meant if nothing else has its name."""
        if role == TAG:  # what stands before a dot in a type
            return int(kind == _NAMESPACE or (kind in _TYPES and kind not in _TYPES_ALONE))
        if role in (TYPE, IMPLEMENT):
            return 1 if kind in _TYPES else 3 * (kind == _NAMESPACE)
        return 3 if kind in _TYPES_ALONE else 2 if kind == _NAMESPACE else 1

    def together(self, slice_: Slice, symbol: int, other: int) -> bool:
        """A value and a type of one name are two symbols; interfaces add to a class, a namespace to any value."""
        kinds = slice_.symbols.kind
        one, two = kinds[symbol], kinds[other]
        if _NAMESPACE in (one, two):
            if one == two:
                return True
            space, beside = (symbol, two) if one == _NAMESPACE else (other, one)
            return beside not in _TYPES_ALONE and _holds_values(slice_, space)
        return (one in _TYPES) == (two in _TYPES)

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """See Policy."""
        found = Finder(context).find(path, module)
        return () if found is None else (found,)

    def exported(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """See Policy."""
        return bool(slice_.symbols.flags[symbol] & (Flag.EXPORTED | Flag.DECLARATION))

    def star_visible(self, context: Context, slice_: Slice, name: str) -> bool:
        """See Policy."""
        return name != "default"

    def visible_freely(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """See Policy."""
        symbols = slice_.symbols
        if slice_.imports.local or EXPORT in slice_.bindings.kind:
            return False
        top = (flags for flags, parent in zip(symbols.flags, symbols.parent, strict=True) if parent == 0)
        return not any(flags & Flag.EXPORTED for flags in top)

    def module_parts(self, path: str) -> tuple[str, ...]:
        """See Policy."""
        base = _without_ending(path)
        parts = tuple(base.split("/"))
        return parts[:-1] if parts[-1] == "index" and len(parts) > 1 else parts

    def counterparts(self, context: Context, definition: Definition, slice_: Slice) -> Sequence[Definition]:
        """See Policy."""
        if slice_.symbols.parent[definition.index]:
            return ()
        name = slice_.strings[slice_.symbols.name[definition.index]]
        found: list[Definition] = []
        for path in _beside(definition.path):
            other = context.view.slice(path) if context.view.has(path) else None
            if other is not None:
                symbols = other.symbols
                found.extend(
                    Definition(path, index)
                    for index, parent in enumerate(symbols.parent)
                    if parent == 0 and other.strings[symbols.name[index]] == name
                )
        return found

    def declares(self, path: str) -> bool:
        """See Policy."""
        return path.endswith(_DECLARATIONS)

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """See Policy."""
        return policy_types.parse(text)

    def guarded_type(self, returns: str) -> str:
        """See Policy."""
        subject, is_, type_ = returns.partition(" is ")
        return type_ if is_ and subject.removeprefix("asserts ").strip().isidentifier() else ""

    def parameter_type(self, signature: str, position: int) -> str:
        """See Policy."""
        return policy_types.parameter(signature, position)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """See Policy."""
        return policy_types.element(container, count, operation, key)

    def member(self, container: str, count: int, name: str) -> TypeText | None:
        """See Policy."""
        return policy_types.member(container, count, name)

    def is_builtin(self, name: str) -> bool:
        """See Policy."""
        return name in NAMES

    def called_implicitly(self, name: str) -> bool:
        """See Policy."""
        return name in ("constructor", "toString", "toJSON", "valueOf", "render") or name.startswith("[Symbol.")


def _holds_values(slice_: Slice, namespace: int) -> bool:
    """Whether a namespace is there when the program runs."""
    symbols = slice_.symbols
    children = (index for index, parent in enumerate(symbols.parent) if parent == namespace)
    return any(
        _holds_values(slice_, child) if symbols.kind[child] == _NAMESPACE else symbols.kind[child] not in _TYPES_ALONE
        for child in children
    )


def _without_ending(path: str) -> str:
    for ending in _DECLARATIONS:
        if path.endswith(ending):
            return path[: -len(ending)]
    return path.rpartition(".")[0]


def _beside(path: str) -> list[str]:
    """The declarations of a source, or the sources of declarations."""
    for ending, sources in _SOURCES.items():
        if path.endswith(ending):
            return [path[: -len(ending)] + source for source in sources]
    stem, dot, ending = path.rpartition(".")
    return [stem + declared] if (declared := _DECLARED.get(dot + ending)) else []


POLICY = JavaScriptPolicy()
