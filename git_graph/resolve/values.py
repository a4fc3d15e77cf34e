"""What resolving gives: occurrences and groups, and the values that expressions are found to have.

Knows nothing of how they are found.
"""

from __future__ import annotations

from collections.abc import Iterable

from git_graph.model import Definition, Resolution
from git_graph.records import NamedTuple


class Occurrence(NamedTuple):
    """Reference `index` of the slice of `path`, and what it was found to be."""

    path: str
    index: int  # type: ignore[assignment]
    resolution: Resolution


class Group(NamedTuple):
    """All definitions that are one symbol: `target` stands for it, `places` are the others."""

    target: Definition
    places: tuple[Definition, ...] = ()


VALUE_KINDS = (
    "module", "type", "instance", "function", "outside-type", "outside", "outside-member", "variable",
)  # fmt: skip
"""What an expression can be found to be.

- module: `files` are the module (see languages.policy). Without files it is what an import from outside of the view
  brought, called `name`: a module, a type or anything else.
- type: the class (or namespace) `definition` itself, with type `arguments`.
- instance: a value of the class `definition`.
- function: the function or method `definition`, reached through `receiver` if it is a method.
- outside-type, outside: a type called `name` that is not in the view, and a value of it.
- outside-member: a member of such a value; `arguments[0]` is what calling it gives.
  These, and modules, say in which `language` they are.
- variable: the type variable `name` that the symbol `definition` declares.
"""
MODULE, TYPE_ITSELF, INSTANCE, FUNCTION, OUTSIDE_TYPE, OUTSIDE, OUTSIDE_MEMBER, VARIABLE_TYPE = range(len(VALUE_KINDS))


class Value(NamedTuple):
    """One thing that an expression may be; see VALUE_KINDS."""

    kind: int
    definition: Definition | None = None
    arguments: tuple[tuple[Value, ...], ...] = ()
    name: str = ""
    files: tuple[str, ...] = ()
    receiver: Value | None = None
    language: str = ""


Values = tuple[Value, ...]
"""All that an expression may be; empty: nothing is known of it."""

MAX_VALUES = 16
"""An expression that may be more things than this is not followed further."""


def union(values: Iterable[Value]) -> Values:
    """Values without repetition, in order; nothing if they are too many to mean anything."""
    distinct = tuple(values)
    if len(distinct) < 2:
        return distinct
    distinct = tuple(dict.fromkeys(distinct))
    return distinct if len(distinct) <= MAX_VALUES else ()


def is_open(values: Values) -> bool:
    """Whether any of the values may depend on a type variable."""
    return any(value.kind == VARIABLE_TYPE or value.arguments for value in values)


def outside(name: str, language: str, *arguments: Values) -> Value:
    """A value of a type that is not in the view."""
    return Value(OUTSIDE, None, arguments, name, language=language)


def module(files: tuple[str, ...], name: str, language: str) -> Value:
    """The module that `files` are; without files what is outside of the view and called `name`."""
    return Value(MODULE, name="" if files else name, files=files, language=language)


class Named(NamedTuple):
    """What a name stands for: definitions, and values that are no definitions (modules, what is outside)."""

    definitions: tuple[Definition, ...] = ()
    values: Values = ()

    def __add__(self, other: object) -> Named:
        """Both together, without repetition."""
        if not isinstance(other, Named):
            return NotImplemented
        return Named(
            tuple(dict.fromkeys(self.definitions + other.definitions)), tuple(dict.fromkeys(self.values + other.values))
        )

    @property
    def found(self) -> bool:
        """Whether the name stands for anything."""
        return bool(self.definitions or self.values)


UNNAMED = Named()
