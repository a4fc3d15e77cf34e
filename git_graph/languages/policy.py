"""What a language means by its modules, types, receivers and scopes: the defaults that each room overrides.

The resolver asks; a policy answers from the view's slices and project files alone. A policy holds no state: whatever
is worth remembering for one view goes through `context.remembered`. Knows nothing of engines but `GraphView`, nothing
of git.

A *module* here is a tuple of strings, best first: paths of the view that together are the module (one file in Python
or TypeScript, every file of a package in Go or Java). A string that ends in `/` is a directory that is a module
without a file of its own (a namespace package, a Java package on the way to another): it has no slice, and only
`submodule` of the policy that made it looks into it. An empty tuple is a module outside of the view.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from git_graph.languages.arity import ANY, arity, overlap
from git_graph.languages.written import Written
from git_graph.model import KIND, Definition, Import, Slice
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView

T = TypeVar("T", bound=Hashable)
ENTRY_FACTS = {
    "pyproject": frozenset(("entry-point",)),
    "package_json": frozenset(("entry",)),
    "cargo": frozenset(("bin",)),
}
"""Languages of project files -> the facts in them that name what is run, or imported, first."""
R = TypeVar("R")
FILE, FILLED = "file", "filled"
CALLED_KINDS = frozenset(KIND[kind] for kind in ("function", "method", "constructor"))


class Context:
    """A view, and what policies remember of it while it is asked about.

    Whoever notes what an answer depends on has a context of its own: what is asked of `view` inside of `find` is what
    the answer of `remembered` depends on; that of `table` depends on nothing, and who looks into it says at what.
    """

    def __init__(self, view: GraphView) -> None:
        self.view = view
        self.memo: dict[Any, Any] = {}

    def remembered(self, key: Hashable, find: Callable[[], R]) -> R:
        """`find()`, found once."""
        memo = self.memo
        if key not in memo:
            memo[key] = find()
        found: R = memo[key]
        return found

    def table(self, key: Hashable, find: Callable[[GraphView], R]) -> R:
        """`find` of the view, found once: something of which each answer looks at a small part (see `looked`)."""
        return self.remembered(key, lambda: find(self.view))

    def looked(self, at: str, text: str) -> None:
        """Say what was looked for in a table: whether there is the file `text` (FILE), or any file below the directory
        `text`, at whatever depth (FILLED)."""


class TypeText(NamedTuple):
    """A type as written, taken apart: `Optional[list[m.Foo]]` is `list` of `m.Foo`.

    `name` is a dotted path (`m.Foo`, whatever the language's separator), `arguments` its type arguments.
    `alternatives` are further types that it may be (unions); what can be only nothing (`None`, `null`) is left out,
    and so are pointers, references and qualifiers (`*Foo`, `const Foo &` and `Foo` are one type here).
    `meta`: the type itself, not a value of it (`type[Foo]`, `Class<Foo>`, `typeof Foo`).
    In the answers of `element` and `member` the name `#0` stands for the first type argument of the container, `#1`
    for the second, `#self` for the container's own type.
    """

    name: str
    arguments: tuple[TypeText, ...] = ()
    alternatives: tuple[TypeText, ...] = ()
    meta: bool = False
    tag: bool = False
    """Whether the name stands after `struct` or the like, where such names are apart from others (see Policy.tags)."""


TAG = -2
"""The role of a name after `struct` and the like, in languages where such names are apart from all others."""
INDEX, ITERATE, AWAIT, ENTER, CALLED, NEXT = "index", "iterate", "await", "enter", "call", "next"
MEMBER = "member"
"""Operations that `element` is asked about: `c[key]`, `for x in c`, `await c`, `with c as x`, `c()`; and the step of
an iterator and a member that a type does not have, which types of the view may define (see `Policy.operators`)."""


class Policy:
    """The defaults; see each room's `policy.py` for what its language changes."""

    family: frozenset[str] = frozenset()
    """Languages whose files may name each other's symbols; empty: the file's own language alone."""
    constructors: tuple[str, ...] = ()
    """Names of the methods that a construction calls (`__init__`, `constructor`); empty: those named as the class."""
    implicit_self: bool = False
    """Whether a bare name in a method may be a member of its class or of a base (Java, C++)."""
    class_scope: bool = True
    """Whether what a class holds is seen by bare name from the functions in it, bases aside (Python: no)."""
    block_scoped: bool = True
    """Whether a local is gone after its binding's `end_line`. If not, what was bound in a branch may still hold."""
    has_owners: bool = False
    """Whether members of a type may stand outside it (`Symbol.owner`, bindings of kind base)."""
    merges_namespaces: bool = False
    """Whether namespaces of one name in several files are one (C++, TypeScript's globals)."""
    path_receivers: bool = False
    """Whether a receiver that nothing binds is a path (`some_module::helper()`), which only narrows by name."""
    free_names: bool = True
    """Whether a bare name that nothing leads to may be the only top-level definition of that name in the view."""
    module_separator: str = "."
    """What stands between the components of a module as imports write it."""
    reaches_modules: bool = False
    """Whether a path reaches a module that no import names (Rust, Java); else such a path only infers it."""
    imports_paths: bool = False
    """Whether an import may begin with what is in scope, a type or an inline module (Rust `use Enum::Variant`)."""
    self_types: frozenset[str] = frozenset()
    """Type names that mean the type that the method is called on (`Self`)."""
    self_names: frozenset[str] = frozenset()
    """Names of the parameter that is the receiver, where it is written out and may have a type variable as its type."""
    generic_bases: frozenset[str] = frozenset()
    """Bases that give no members and may list a class's type parameters (`Generic`, `Protocol`)."""
    operators: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Operation -> the methods by which a type of the view defines it (iterate: `__iter__`)."""
    generator: str = "Generator"
    """The type of what calling a generator function gives; what it yields is the type's first argument."""
    overloads: bool = False
    """Whether functions of one name in one scope that take different numbers of arguments are different symbols."""
    inherits_overloads: bool = False
    """Whether a class's own functions of a name leave those of its bases that take other numbers of arguments."""
    separate_members: bool = False
    """Whether a field and a method (a type and a function) of one name in one scope are two symbols."""
    declared_first: bool = False
    """Whether a class variable without a type gives way to a member that an ancestor declares with one."""
    holders: bool = False
    """Whether functions, variables and type aliases may hold members as a class does (JavaScript)."""
    global_scope: bool = False
    """Whether every file sees the top-level symbols that are `visible_freely` (JavaScript's scripts)."""
    global_namespace: str = ""
    """The name of the namespace that holds what a module declares for every file (`declare global`)."""
    whole_export: str = ""
    """The name of the EXPORT binding that says what an import of the module itself gives (`module.exports = x`)."""
    tuple_type: str = "tuple"
    """The type of several values that a function returns as one."""
    nothing: frozenset[str] = frozenset()
    """Types of literals that stand for no value: what is bound to one may be something else at another time."""
    named_tuples: frozenset[str] = frozenset()
    """Bases outside of the view (last component) that make a class a tuple of its fields."""
    stars_name_all: bool = False
    """Whether a name that nothing in the view leads to comes from an import of all names of a module outside of it."""
    includes: bool = False
    """Whether importing a module brings its own imports with it, unnamed (C's `#include`)."""
    has_senses: bool = False
    """Whether `sense` says anything: what kinds of symbol a bare name can mean depends on where it stands."""
    calls_apart: bool = False
    """Whether a bare name that is called is a method whatever locals and fields are called (Java); needs senses."""
    tags: frozenset[str] = frozenset()
    """Literal receivers that only say which kind of type a bare name is (C's `struct`); such a name has role TAG."""
    has_macros: bool = False
    """Whether what the body of a macro names is used wherever the macro is."""
    anywhere: frozenset[int] = frozenset()
    """Kinds of symbols that any name may mean, also one behind a receiver that has no such member (C's macros)."""
    opens_types: bool = False
    """Whether `opens` says anything."""
    idle: frozenset[str] = frozenset((AWAIT,))
    """Operations on a value of a type of the view which does not define them that give the value itself."""
    idle_outside: frozenset[str] = frozenset()
    """Operations on a value of a type outside of the view, of which `element` says nothing, that give the value."""

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """The module that `module`, as written in an import of the file `path`, stands for; empty: external."""
        return ()

    def submodule(self, context: Context, module: Sequence[str], name: str) -> Sequence[str]:
        """The module `name` inside `module` (a package's `name.py`, a Rust module's `mod name;`); empty: none."""
        return ()

    def module_named(self, context: Context, path: str, name: str) -> Sequence[str]:
        """The module that a bare name means which nothing in scope binds (Rust `crate`, Java packages)."""
        return ()

    def siblings(self, context: Context, path: str) -> Sequence[str]:
        """Other files whose top-level symbols are in scope in `path` without an import (package, includes)."""
        return ()

    def files_in_space(self, context: Context, parts: tuple[str, ...]) -> Collection[str]:
        """Files whose top level belongs to the namespace `parts` though they do not say so (a macro opens it)."""
        return ()

    def imports_bind(self, context: Context, path: str) -> bool:
        """Whether what a module imports can be imported from it again without an export (Python: yes)."""
        return False

    def exported(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """Whether a top-level symbol can be imported from its module."""
        return True

    def offered_elsewhere(self, context: Context, module: Sequence[str], name: str) -> Sequence[Definition]:
        """Definitions that a module offers though they stand in other files (Rust: exported macros, at the root)."""
        return ()

    def star_visible(self, context: Context, slice_: Slice, name: str) -> bool:
        """Whether an import of all names of the module brings `name`."""
        return True

    def visible_freely(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """Whether a bare name in another file that nothing else leads to may mean this top-level symbol."""
        return True

    def reaches(self, path: str, kind: int) -> bool:
        """Whether a bare name in another file may mean a top-level symbol of a kind in the file at `path` at all."""
        return True

    def sense(self, kind: int, role: int) -> int:
        """Whether a bare name in a role (TAG, TYPE, INHERIT, IMPLEMENT, CALL, else -1) can mean a symbol of a kind.

        0: it cannot. Of several that it can mean those with the lowest number are meant.
        """
        return 1

    def meant_as(self, slice_: Slice, symbol: int) -> int:
        """The kind that a symbol has where it is asked whether a role can mean it (see `sense`)."""
        return slice_.symbols.kind[symbol]

    def gives_way(self, slice_: Slice, symbol: int) -> bool:
        """Whether a symbol is meant only where no other of its name is (see `sense`)."""
        return False

    def space(self, kind: int) -> int:
        """Symbols of one name in one scope are one symbol only if this is equal for their kinds."""
        return 0

    def together(self, slice_: Slice, symbol: int, other: int) -> bool:
        """Whether two symbols of one name in one scope are one symbol.

        By default if `space` is equal for them, and some number of arguments suits both (see `overloads`).
        """
        kinds = slice_.symbols.kind
        if self.space(kinds[symbol]) != self.space(kinds[other]):
            return False
        return not self.overloads or overlap(self.takes(slice_, symbol), self.takes(slice_, other))

    def takes(self, slice_: Slice, symbol: int) -> tuple[int, int]:
        """The fewest and the most arguments that a function takes, as far as its signature tells."""
        s, strings = slice_.symbols, slice_.strings
        if s.kind[symbol] not in CALLED_KINDS:
            return ANY
        return arity(strings[s.signature[symbol]], strings[s.name[symbol]])

    def opens(self, slice_: Slice, symbol: int) -> bool:
        """Whether what an enumeration holds is seen in the scope around it too."""
        return False

    def import_binds_module_root(self, item: Import) -> bool:
        """Whether the import binds the first component of its dotted module (`import a.b.c` binds `a`)."""
        return False

    def module_parts(self, path: str) -> tuple[str, ...]:
        """The module path by which people name what the file holds: `src/a/b.py` is src, a, b."""
        return tuple(path.rsplit(".", 1)[0].split("/"))

    def counterparts(self, context: Context, definition: Definition, slice_: Slice) -> Sequence[Definition]:
        """Definitions in other files that are this same symbol (a C prototype, a stub beside its source)."""
        return ()

    def declares(self, path: str) -> bool:
        """Whether the file only declares what others implement (a stub): it is never the target of a symbol of both."""
        return False

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """A type as written, taken apart; None if it says nothing (`Any`, `auto`, `unknown`)."""
        return None

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """What an operation on a value of a type that is not in the view gives; None: nothing is known.

        `container` is the type's name, dotted and with its module where an import named it (`typing.List`, `list`,
        `Map`), `count` how many type arguments it has, `key` a literal key ("" if there is none).
        """
        return None

    def element_slot(self, container: str) -> int:
        """Which type argument of a container type says what a literal of it holds."""
        return 0

    def member(self, container: str, count: int, name: str) -> TypeText | None:
        """The type of member `name` of a type that is not in the view; of what a call gives, if it is a method."""
        return None

    def guarded_type(self, returns: str) -> str:
        """The type, as written, that a function with that result says its argument has; "" if it is no guard."""
        return ""

    def parameter_type(self, signature: str, position: int) -> str:
        """The type, as written, of a parameter of a function with that signature; "" if it has none."""
        return ""

    def external_type(self, name: str) -> bool:
        """Whether a call of an external name (dotted, as imported) makes a value of that external type."""
        return False

    def type_variable(self, external: str, signature: str) -> str | None:
        """The bound (as written, "" if there is none) if a variable made by calling `external` is a type variable."""
        return None

    def alias_of(self, signature: str) -> str:
        """The type that a variable stands for when it is used as one, from its signature (`X = Union[A, B]`)."""
        return ""

    def is_builtin(self, name: str) -> bool:
        """Whether a free name is the language's own unless the view defines it in scope: never `unique`."""
        return False

    # use without a reference

    marks_overrides: bool = False
    """Whether a method that overrides or implements another one says so (Flag.OVERRIDE)."""
    structural: bool = False
    """Whether a type implements an interface by having its methods, without naming it (Go, TypeScript)."""
    inert_decorators: frozenset[str] = frozenset()
    entry_decorators: frozenset[str] = frozenset()
    """Names of decorators by which the language, or a tool, calls what they stand before."""
    """Decorators that change what they decorate but never hand it on (`property`): no hidden use."""
    faithful_decorators: frozenset[str] = frozenset()
    """Decorators that leave what a call has to give as it is."""
    runs_imports: bool = False
    """Whether a file that is imported is run there and then, so that a circle of imports may find it half done."""
    written: Written = Written()
    """How the language is written."""

    def called_implicitly(self, name: str) -> bool:
        """Whether the language, or the system, calls a function for its name alone (`main`, Python's `__enter__`)."""
        return name == "main" or (name.startswith("__") and name.endswith("__"))

    def linearize(self, bases: Sequence[Sequence[T]]) -> list[T]:
        """The order of ancestors, given each base's own (a base comes first in its own). Default: depth first."""
        return list(dict.fromkeys(ancestor for base in bases for ancestor in base))
