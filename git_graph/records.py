"""Records that cost next to nothing until one is made: a command imports a hundred of them and makes ten.

`NamedTuple` is `typing.NamedTuple` to type checkers and to whoever uses one. `Record` is what a dataclass with slots
is: fields by annotation, equal by value, changed at will. The standard ones compile a constructor and every annotation
when a class is defined, 0.3 and 0.9 ms each; these compile the constructor when the first instance is made.
Knows nothing of what is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, dataclass_transform

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple

try:
    from _collections import _tuplegetter as _getter  # type: ignore[import-not-found]  # that of collections.namedtuple
except ImportError:
    from operator import itemgetter

    def _getter(index: int, doc: str) -> property:
        return property(itemgetter(index), doc=doc)


def field(*, factory: Callable[[], Any]) -> Any:
    """The default of a Record's field that is made anew for each record."""
    return _Fresh(factory)


class _Fresh:
    def __init__(self, factory: Callable[[], Any]) -> None:
        self.make = factory


def _fields(name: str, space: dict[str, Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of a record's fields, and the defaults of those that have one, taken out of the class."""
    fields = tuple(space.get("__annotations__", ()))
    defaults = {field: space.pop(field) for field in fields if field in space}
    if tuple(defaults) != fields[len(fields) - len(defaults) :]:
        raise TypeError(f"{name}: a field without a default follows one that has one")
    return fields, defaults


def _compiled(name: str, fields: tuple[str, ...], defaults: Mapping[str, Any], body: list[str]) -> Any:
    """A function of `_it` and the fields that does `body`, where a default is called `_default_<field>`."""
    space = {"_new": tuple.__new__, **{f"_default_{field}": value for field, value in defaults.items()}}
    arguments = ["_it", *(f"{field}=_default_{field}" if field in defaults else field for field in fields)]
    exec("\n ".join((f"def {name}({', '.join(arguments)}):", *body)), space)
    return space[name]


class _Tuple(tuple[Any, ...]):
    """What all named tuples can do."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    @classmethod
    def _make(cls, values: Any) -> Any:
        return cls(*values)

    def _replace(self, **changes: Any) -> Any:
        if unknown := changes.keys() - set(self._fields):
            raise ValueError(f"{type(self).__name__} has no field {sorted(unknown)}")
        return self._make(map(changes.pop, self._fields, self))

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _DefinesTuples(type):
    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        fields, defaults = _fields(name, space)

        def first(it: type, *args: Any, **named: Any) -> Any:
            body = [f"return _new(_it, ({''.join(f'{field}, ' for field in fields)}))"]
            new = _compiled("__new__", fields, defaults, body)
            setattr(made, "__new__", staticmethod(new))  # noqa: B010 (mypy knows better what __new__ is)
            return new(it, *args, **named)

        space |= {field: _getter(index, "") for index, field in enumerate(fields)}
        space |= {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
        space["__new__"] = first
        made = type(name, (_Tuple, *bases[1:]), space)
        return made


if not TYPE_CHECKING:
    NamedTuple = type.__new__(_DefinesTuples, "NamedTuple", (), {})


class _Comparable:
    """What all records can do."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({', '.join(fields)})"


@dataclass_transform(field_specifiers=(field,))
class _DefinesRecords(type):
    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _DefinesRecords:
        fields, defaults = _fields(name, space)
        if not fields:
            return super().__new__(cls, name, bases, space | {"__slots__": ()})
        if any(getattr(base, "__match_args__", ()) for base in bases):
            raise TypeError(f"{name}: a record does not add fields to another")

        def first(it: Any, *args: Any, **named: Any) -> None:
            body = [f"_it.{field} = {field}" for field in fields]
            for field, default in defaults.items():
                if isinstance(default, _Fresh):
                    body.insert(0, f"if {field} is _default_{field}: {field} = _default_{field}.make()")
            init = _compiled("__init__", fields, defaults, body)
            setattr(made, "__init__", init)  # noqa: B010
            init(it, *args, **named)

        space |= {"__slots__": fields, "__match_args__": fields, "__init__": first}
        made = super().__new__(cls, name, bases, space)
        return made


class Record(_Comparable, metaclass=_DefinesRecords):
    """A record: its fields are its annotations. Equal to one of the same class with equal fields; not hashable."""
