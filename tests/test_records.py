"""Records are to whoever uses them what the standard ones are."""

from __future__ import annotations

import pickle
import typing
from dataclasses import dataclass
from dataclasses import field as standard_field
from typing import Any

import pytest

from git_graph.records import NamedTuple, Record, field


class Ours(NamedTuple):
    """A pair."""

    new: int
    old: str = "x"

    @property
    def both(self) -> str:
        return f"{self.new}{self.old}"


class Theirs(typing.NamedTuple):
    """A pair."""

    new: int
    old: str = "x"

    @property
    def both(self) -> str:
        return f"{self.new}{self.old}"


class Mutable(Record):
    """A list."""

    name: str
    held: list[int] = field(factory=list)
    size: int = 0


@dataclass(slots=True)
class Standard:
    """A list."""

    name: str
    held: list[int] = standard_field(default_factory=list)
    size: int = 0


def outcome(ask: Any) -> object:
    try:
        return ask()
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("args, named", [((), {}), ((1,), {}), ((1, "a"), {}), ((1,), {"old": "b"}), ((), {"new": 2}),
                                         ((1, 2, 3), {}), ((1,), {"new": 1}), ((1,), {"other": 1})])  # fmt: skip
def test_a_named_tuple_is_made_as_the_standard_one(args: Any, named: Any) -> None:
    ours, theirs = outcome(lambda: Ours(*args, **named)), outcome(lambda: Theirs(*args, **named))
    assert ours == theirs
    assert hash(ours) == hash(theirs) or isinstance(ours, type)


@pytest.mark.parametrize("ask", [
    lambda kind: tuple(kind(1)), lambda kind: kind(1).both, lambda kind: kind(1)._replace(old="z"),
    lambda kind: kind(1)._replace(none=1), lambda kind: kind(1)._asdict(), lambda kind: kind._make([3, "c"]),
    lambda kind: kind._fields, lambda kind: kind._field_defaults, lambda kind: kind.__match_args__,
    lambda kind: kind.__doc__,
    lambda kind: setattr(kind(1), "new", 2), lambda kind: setattr(kind(1), "none", 2), lambda kind: kind(1) < kind(2),
    lambda kind: pickle.loads(pickle.dumps(kind(1))), lambda kind: repr(kind(1, "q")).partition("(")[2],
    lambda kind: type(kind(1)._replace(new=3)) is kind,
])  # fmt: skip
def test_a_named_tuple_does_what_the_standard_one_does(ask: Any) -> None:
    assert outcome(lambda: ask(Ours)) == outcome(lambda: ask(Theirs))


def state(record: Any) -> object:
    return (record.name, record.held, record.size) if not isinstance(record, type) else record


@pytest.mark.parametrize("args, named", [(("a",), {}), (("a", [1]), {}), (("a",), {"size": 3}), ((), {}),
                                         (("a", [], 1, 2), {}), ((), {"name": "b"})])  # fmt: skip
def test_a_record_is_made_as_a_dataclass(args: Any, named: Any) -> None:
    assert state(outcome(lambda: Mutable(*args, **named))) == state(outcome(lambda: Standard(*args, **named)))


@pytest.mark.parametrize("ask", [
    lambda kind: kind("a") == kind("a"), lambda kind: kind("a") == kind("b"), lambda kind: kind("a") == ("a", [], 0),
    lambda kind: hash(kind("a")), lambda kind: setattr(kind("a"), "none", 1), lambda kind: kind.__match_args__,
    lambda kind: repr(kind("a")).partition("(")[2], lambda kind: pickle.loads(pickle.dumps(kind("a", [1]))).held,
])  # fmt: skip
def test_a_record_does_what_a_dataclass_does(ask: Any) -> None:
    assert outcome(lambda: ask(Mutable)) == outcome(lambda: ask(Standard))


def test_a_default_is_made_anew_for_each_record() -> None:
    first, second = Mutable("a"), Mutable("a")
    first.held.append(1)
    assert (first.held, second.held) == ([1], [])


def test_a_field_without_a_default_may_not_follow_one_with() -> None:
    with pytest.raises(TypeError, match="without a default"):
        type(NamedTuple)("Wrong", (NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})


def test_a_record_does_not_add_fields_to_another() -> None:
    with pytest.raises(TypeError, match="does not add fields"):
        type(Record)("Wrong", (Mutable,), {"__annotations__": {"more": "int"}})
