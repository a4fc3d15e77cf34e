"""What a language means by its modules, types, receivers and scopes: the defaults that each room overrides.

The resolver asks; a policy answers from the view's slices and project files alone. A policy holds no state: whatever
is worth remembering for one view goes into `context.memo`. Knows nothing of engines but `GraphView`, nothing of git.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from git_graph.model import Import, Slice

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView


@dataclass(slots=True)
class Context:
    """A view, and what a policy remembers of it while it is asked about."""

    view: GraphView
    memo: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written, taken apart: `Optional[list[m.Foo]]` is name `m.Foo` inside `list`.

    `name` is a dotted path (`m.Foo`, whatever the language's separator), `arguments` its type arguments.
    `alternatives` are further types that it may be (unions); what can be only nothing (`None`, `null`) is left out.
    """

    name: str
    arguments: tuple[TypeText, ...] = ()
    alternatives: tuple[TypeText, ...] = ()


class Policy:
    """The defaults; see each room's `policy.py` for what its language changes."""

    constructors: tuple[str, ...] = ()
    """Names of the methods that a construction calls (`__init__`, `constructor`); empty: named as the class."""
    implicit_self: bool = False
    """Whether a bare name in a method may be a member of its class (Java, C++)."""
    separators: tuple[str, ...] = (".",)

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """The files that `module` as written in an import of the file `path` stands for, best first.

        Several files together may be one module (a Go or Java package): all of them are given. Empty: external.
        """
        return ()

    def submodule(self, context: Context, module: Sequence[str], name: str) -> Sequence[str]:
        """The files of module `name` inside the module that the files `module` are (a package's `name.py`)."""
        return ()

    def siblings(self, context: Context, path: str) -> Sequence[str]:
        """Other files whose top-level symbols are in scope in `path` without an import (package, includes)."""
        return ()

    def imports_bind(self, context: Context, path: str) -> bool:
        """Whether what a module imports can be imported from it again without an export (Python: yes)."""
        return False

    def exported(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """Whether a top-level symbol can be imported from its module."""
        return True

    def import_binds_module_root(self, item: Import) -> bool:
        """Whether the import binds the first component of its dotted module (`import a.b.c` binds `a`)."""
        return False

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """A type as written, taken apart; None if it says nothing (`Any`, `auto`, `unknown`)."""
        return None

    def element(self, type_: TypeText, key: str, *, iterate: bool) -> TypeText | None:
        """What indexing (with a literal `key`, or "") or iterating a value of a container type gives, if known."""
        return None

    def awaited(self, type_: TypeText) -> TypeText:
        """What awaiting a value of the type gives."""
        return type_

    def is_builtin(self, name: str) -> bool:
        """Whether a free name is the language's own unless the view defines it in scope: never `unique`."""
        return False
