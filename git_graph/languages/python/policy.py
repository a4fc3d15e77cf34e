"""What Python means by modules, packages, classes and names.

A module is a file, or a package's `__init__` file; a directory without one is a namespace package where nothing else
has the name. A stub beside its source is the same module. Source roots are the root, what project files name, `src`,
and the directories above the outermost packages; the nearest to the importing file is asked first.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from git_graph.languages.policy import (
    AWAIT,
    CALLED,
    ENTER,
    FILE,
    FILLED,
    INDEX,
    ITERATE,
    MEMBER,
    NEXT,
    Context,
    Policy,
    T,
    TypeText,
)
from git_graph.languages.python import policy_types, stubs
from git_graph.languages.written import DOUBLE, SINGLE, Written
from git_graph.model import EXPORT, FIRST_EXPRESSION, PROJECT, X_LITERAL, Definition, Import, Slice

if TYPE_CHECKING:
    from git_graph.engines.protocol import GraphView

_ENDINGS = (".py", ".pyi")
_INIT = ("__init__.py", "__init__.pyi")
_MODULE_NAMES = frozenset(
    (
        "__file__", "__name__", "__doc__", "__path__", "__package__", "__spec__", "__builtins__", "__dict__",
        "__class__", "__module__", "__qualname__", "__annotations__", "__loader__", "reveal_type", "WindowsError",
        "unicode", "basestring", "long", "xrange", "raw_input", "unichr", "reduce", "cmp", "execfile", "file", "apply",
        "intern", "buffer", "coerce",
    )
)  # fmt: skip
_BUILTINS = frozenset(dir(builtins)) | _MODULE_NAMES
_STANDARD = sys.stdlib_module_names
_BOUND = re.compile(r"bound\s*=\s*([^,)]+(?:\[[^\]]*\])?)")
_ALIAS = re.compile(r"[^=]*?=\s*([\w.]+\[.*|[\w.\[\]\"' ]+\|.*)$")
_TYPE_VARIABLES = frozenset(("TypeVar", "ParamSpec", "TypeVarTuple"))


class PythonPolicy(Policy):
    """Python's own answers."""

    faithful_decorators = frozenset((
        "staticmethod", "classmethod", "abstractmethod", "override", "overload", "final", "cache", "lru_cache",
    ))  # fmt: skip
    runs_imports = True
    written = Written(
        string=r"(?i:[rbfut]{0,3})(?:\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)|'''(?:\\.|[^\\])*?(?:'''|\Z)|"
        + f"{DOUBLE}|{SINGLE})",
        indents=True,
        quotes_alike=True,
        receivers=frozenset(("self", "cls", "mcs")),
        defaults=True,
        keywords=True,
        spread=("*",),
    )

    constructors = ("__init__", "__new__", "__post_init__")
    class_scope = False
    inert_decorators = frozenset((
        "property", "cached_property", "setter", "getter", "deleter", "staticmethod", "classmethod", "abstractmethod",
        "override", "final", "overload", "cache", "lru_cache", "wraps", "contextmanager", "asynccontextmanager",
        "dataclass", "total_ordering", "unique", "runtime_checkable", "deprecated", "no_type_check",
    ))  # fmt: skip
    declared_first = True
    stars_name_all = True
    nothing = frozenset(("None",))
    named_tuples = frozenset(("NamedTuple",))
    block_scoped = False
    self_types = frozenset(("Self", "typing.Self", "typing_extensions.Self", "t.Self"))
    self_names = frozenset(("self", "cls"))
    generic_bases = frozenset(("Generic", "Protocol", "object"))
    operators: Mapping[str, tuple[str, ...]] = MappingProxyType(
        {
            INDEX: ("__getitem__", "__class_getitem__"),
            ITERATE: ("__iter__", "__aiter__"),
            MEMBER: ("__getattr__",),
            NEXT: ("__next__", "__anext__"),
            AWAIT: ("__await__",),
            ENTER: ("__enter__", "__aenter__"),
            CALLED: ("__call__",),
        }
    )

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """See Policy."""
        parts = module.split(".") if module else []
        directory = path.rpartition("/")[0]
        if depth:
            for _ in range(depth - 1):
                if not directory:
                    return ()
                directory = directory.rpartition("/")[0]
            return self._in(context, directory, parts) if parts else self._package(context, directory)
        if not parts:
            return ()
        roots = self._roots_for(context, directory, parts[0] in _STANDARD)
        return context.remembered(("python-module", roots, module), lambda: self._below(context, roots, parts))

    def _below(self, context: Context, roots: Sequence[str], parts: Sequence[str]) -> Sequence[str]:
        """The module with these components below the first root that has it; a namespace package only if none has."""
        namespace: Sequence[str] = ()
        for root in roots:
            found = self._in(context, root, parts)
            if found and not found[0].endswith("/"):
                return found
            namespace = namespace or found
        return namespace

    def submodule(self, context: Context, module: Sequence[str], name: str) -> Sequence[str]:
        """See Policy."""
        for path in module:
            directory, _, base = path.rpartition("/")
            if not base or base in _INIT:
                found = self._in(context, directory, [name])
                if found:
                    return found
        return ()

    def _in(self, context: Context, root: str, parts: Sequence[str]) -> Sequence[str]:
        """The module with these components below a directory."""
        first = f"{root}/{parts[0]}" if root else parts[0]
        if len(parts) > 1 and not _filled(context, first):
            return self._stubs(context, root, parts)
        base = "/".join((root, *parts)) if root else "/".join(parts)
        directory, _, name = base.rpartition("/")
        found = [base + ending for ending in _ENDINGS if _has(context, directory, name + ending)]
        package = [f"{base}/{init}" for init in _INIT if _has(context, base, init)]
        if found and package:
            return package if package[0].endswith(".py") or not found[0].endswith(".py") else found
        if found or package:
            return found or package
        if stubs := self._stubs(context, root, parts):
            return stubs
        return (base + "/",) if _filled(context, base) else ()

    def _stubs(self, context: Context, root: str, parts: Sequence[str]) -> Sequence[str]:
        """The module in a package of stubs alone (`name-stubs`)."""
        if not context.remembered("python-stubs", lambda: any("-stubs" in p for p in self._packages(context))):
            return ()
        base = "/".join(filter(None, (root, parts[0] + "-stubs", *parts[1:])))
        return [path for path in (f"{base}.pyi", f"{base}/__init__.pyi") if context.view.has(path)][:1]

    def _package(self, context: Context, directory: str) -> Sequence[str]:
        prefix = directory + "/" if directory else ""
        return [prefix + init for init in _INIT if _has(context, directory, init)] or (prefix or "/",)

    def _roots_for(self, context: Context, directory: str, standard: bool) -> tuple[str, ...]:
        """Source roots in the order in which a directory asks them, for a name of the standard library or another."""
        key = ("python-roots-for", directory, standard)
        return context.remembered(key, lambda: tuple(self._ordered_roots(context, directory, standard)))

    def _ordered_roots(self, context: Context, directory: str, standard: bool) -> list[str]:
        roots = self._roots(context)
        above = [root for root in roots if not root or directory == root or directory.startswith(root + "/")]
        above.sort(key=len, reverse=True)
        ordered = [*above, *(root for root in roots if root not in above)]
        if not standard:
            own = [] if self._is_package(context, directory) else [directory]
            return [*own, *ordered]
        return [root for root in ordered if root in self._declared(context)]

    def _is_package(self, context: Context, directory: str) -> bool:
        return any(_has(context, directory, init) for init in _INIT)

    def _roots(self, context: Context) -> Sequence[str]:

        def find() -> Sequence[str]:
            packages = self._packages(context)
            outermost = {package.rpartition("/")[0] for package in packages if package}
            roots = [*self._declared(context), *sorted(root for root in outermost if root not in packages)]
            return tuple(dict.fromkeys(roots))

        return context.remembered("python-roots", find)

    def _declared(self, context: Context) -> Sequence[str]:
        """The root, `src`, and what project files say."""

        def find() -> Sequence[str]:
            roots = ["", "src"]
            for name in ("pyproject.toml", "setup.cfg"):
                for path in context.view.paths_named(name):
                    slice_ = context.view.slice(path)
                    if slice_ is not None:
                        roots.extend(_project_roots(path.rpartition("/")[0], slice_))
            return tuple(dict.fromkeys(roots))

        return context.remembered("python-declared-roots", find)

    def _packages(self, context: Context) -> frozenset[str]:
        """Every directory with an `__init__` file."""

        def find() -> frozenset[str]:
            paths = (path for init in _INIT for path in context.view.paths_named(init))
            return frozenset(path.rpartition("/")[0] for path in paths)

        return context.remembered("python-packages", find)

    def imports_bind(self, context: Context, path: str) -> bool:
        """See Policy."""
        return True

    def star_visible(self, context: Context, slice_: Slice, name: str) -> bool:
        """See Policy: what `__all__` lists, else what has no leading underscore."""
        b, strings = slice_.bindings, slice_.strings
        listed = [strings[b.name[i]] for i, kind in enumerate(b.kind) if kind == EXPORT]
        return name in listed if listed else not name.startswith("_")

    def import_binds_module_root(self, item: Import) -> bool:
        """See Policy."""
        return not item.name and item.local == item.module

    def module_parts(self, path: str) -> tuple[str, ...]:
        """See Policy."""
        parts = path.rpartition(".")[0].split("/")
        return tuple(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)

    def declares(self, path: str) -> bool:
        """See Policy."""
        return path.endswith(".pyi")

    def counterparts(self, context: Context, definition: Definition, slice_: Slice) -> Sequence[Definition]:
        """See Policy: the stub of a source, the source of a stub."""
        return stubs.counterparts(context, definition, slice_, self.module_files)

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """See Policy."""
        return policy_types.parse(text)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """See Policy."""
        return policy_types.element(container, count, operation, key)

    def element_slot(self, container: str) -> int:
        """See Policy."""
        return 1 if container in ("dict", "defaultdict") else 0

    def member(self, container: str, count: int, name: str) -> TypeText | None:
        """See Policy."""
        return policy_types.member(container, count, name)

    def external_type(self, name: str) -> bool:
        """See Policy: by the habit that classes start with a capital, and the built-in ones that do not."""
        last = name.rpartition(".")[2]
        return last[:1].isupper() or (name == last and isinstance(getattr(builtins, last, None), type))

    def type_variable(self, external: str, signature: str) -> str | None:
        """See Policy."""
        if external.rpartition(".")[2] not in _TYPE_VARIABLES:
            return None
        match = _BOUND.search(signature)
        return match[1].strip() if match else ""

    def alias_of(self, signature: str) -> str:
        """See Policy."""
        match = _ALIAS.match(signature)
        return match[1] if match else ""

    def is_builtin(self, name: str) -> bool:
        """See Policy."""
        return name in _BUILTINS

    def linearize(self, bases: Sequence[Sequence[T]]) -> list[T]:
        """See Policy: C3; where it contradicts itself, depth first."""
        lines = [list(base) for base in bases if base]
        lines.append([base[0] for base in bases if base])
        order: list[T] = []
        while lines := [line for line in lines if line]:
            for line in lines:
                head = line[0]
                if not any(head in other[1:] for other in lines):
                    break
            else:
                return super().linearize(bases)
            order.append(head)
            lines = [[d for d in line if d != head] for line in lines]
        return order


def _names(context: Context, directory: str) -> frozenset[str]:
    """The names of the files directly in a directory; whoever looks says at what."""
    return context.table(
        ("python-names", directory),
        lambda view: frozenset(path.rpartition("/")[2] for path in view.paths_in(directory)),
    )


def _has(context: Context, directory: str, name: str) -> bool:
    """Whether a directory holds a file."""
    context.looked(FILE, f"{directory}/{name}" if directory else name)
    return name in _names(context, directory)


def _filled(context: Context, directory: str) -> bool:
    """Whether a directory holds a file, or Python files at any depth."""
    context.looked(FILLED, directory)
    return bool(_names(context, directory)) or directory in context.table("python-directories", _directories)


def _directories(view: GraphView) -> frozenset[str]:
    """Every directory that holds a Python file at any depth; asked only about names that no file answers to."""
    found: set[str] = set()
    for path in view.paths_of_language("python"):
        directory = path.rpartition("/")[0]
        while directory and directory not in found:
            found.add(directory)
            directory = directory.rpartition("/")[0]
    return frozenset(found)


def _project_roots(directory: str, slice_: Slice) -> list[str]:
    """The source roots that a project file names (bindings `source-root`), as directories of the view."""
    b, e, roots = slice_.bindings, slice_.expressions, []
    for i, kind in enumerate(b.kind):
        if kind != PROJECT or slice_.strings[b.name[i]] != "source-root" or b.value[i] < FIRST_EXPRESSION:
            continue
        row = b.value[i] - FIRST_EXPRESSION
        if e.kind[row] == X_LITERAL:
            parts = [p for p in (directory, slice_.strings[e.text[row]]) if p]
            roots.append("/".join(parts))
    return [directory, f"{directory}/src" if directory else "src", *roots]


POLICY = PythonPolicy()
