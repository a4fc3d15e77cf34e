"""What Java means by packages, imports and types.

A package is all files with one package clause, in whatever source roots; a class is looked for in the files of its
package, first in the one named as it. `java.lang` needs no import.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from git_graph.languages.java import policy_types
from git_graph.languages.policy import Context, Policy, TypeText
from git_graph.languages.written import DOUBLE, SINGLE, SLASHES, Written
from git_graph.model import CALL, IMPLEMENT, INHERIT, KIND, PROJECT, TYPE, ImportFlag, Slice

_LANG = frozenset(
    "Object String Integer Long Double Float Short Byte Boolean Character Number Math System Thread Runnable Exception"
    " RuntimeException Error Throwable Iterable Comparable CharSequence StringBuilder StringBuffer Class ClassLoader"
    " Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs Enum Record Void Process ProcessBuilder"
    " Runtime ThreadLocal AutoCloseable Cloneable Appendable Readable IllegalArgumentException IllegalStateException"
    " NullPointerException IndexOutOfBoundsException ArrayIndexOutOfBoundsException ClassCastException"
    " NumberFormatException UnsupportedOperationException ArithmeticException InterruptedException"
    " CloneNotSupportedException ClassNotFoundException NoSuchMethodException NoSuchFieldException SecurityException"
    " AssertionError OutOfMemoryError StackOverflowError StackTraceElement Package Module InheritableThreadLocal"
    " StrictMath ArrayStoreException NegativeArraySizeException StringIndexOutOfBoundsException LinkageError"
    " ExceptionInInitializerError NoClassDefFoundError InstantiationException IllegalAccessException"
    " ReflectiveOperationException VirtualMachineError [] int long double float short byte boolean char void".split()
)

_CONSTRUCTOR, _METHOD = KIND["constructor"], KIND["method"]
_TYPES = frozenset(KIND[kind] for kind in ("class", "interface", "enum"))


class JavaPolicy(Policy):
    """Java's answers."""

    written = Written(
        comment=SLASHES,
        string=rf'"""(?:\\.|[^\\])*?(?:"""|\Z)|{DOUBLE}|{SINGLE}',
        name_at="last",
    )

    implicit_self = True
    marks_overrides = True
    inert_decorators = frozenset(("Override", "Deprecated", "SuppressWarnings", "FunctionalInterface", "SafeVarargs"))
    faithful_decorators = inert_decorators
    free_names = False
    overloads = True
    inherits_overloads = True
    separate_members = True
    has_senses = True
    calls_apart = True
    reaches_modules = True
    imports_paths = True

    def sense(self, kind: int, role: int) -> int:
        """A constructor has no bare name, what is called is a method, and a type stands where a type is meant."""
        if kind == _CONSTRUCTOR:
            return 0
        if role == CALL:
            return int(kind == _METHOD)
        if role in (TYPE, INHERIT, IMPLEMENT):
            return int(kind in _TYPES)
        return 2 if kind in _TYPES or kind == _METHOD else 1

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """The files of a package; of the class's own package and file for a static import."""
        files = _package_files(context, module)
        if files or not flags & ImportFlag.STATIC:
            return files
        return ()

    def submodule(self, context: Context, module: Sequence[str], name: str) -> Sequence[str]:
        """The package `name` below the package that a module is."""
        package = module[0].rstrip("/").replace("/", ".") if module and module[0].endswith("/") else ""
        if not package and module:
            package = _package(context, module[0])
        return _package_files(context, f"{package}.{name}") or _directory(context, f"{package}.{name}")

    def module_named(self, context: Context, path: str, name: str) -> Sequence[str]:
        """The first component of a fully qualified name."""
        return _package_files(context, name) or _directory(context, name)

    def siblings(self, context: Context, path: str) -> Sequence[str]:
        """The other files of the package."""
        return tuple(file for file in _package_files(context, _package(context, path)) if file != path)

    def exported(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """Whether other packages may see a class: the compiler has seen to that."""
        return True

    def module_parts(self, path: str) -> tuple[str, ...]:
        """`src/main/java/a/b/C.java` is a, b (with the root before it); the class comes with its own name."""
        return tuple(path.split("/")[:-1])

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """A Java type taken apart; see languages.java.policy_types."""
        return policy_types.parse_type(text)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """Arrays and the library's collections."""
        return policy_types.element(container, count, operation)

    def member(self, container: str, count: int, name: str) -> TypeText | None:
        """What methods of the library's collections and streams give."""
        return policy_types.member(container, count, name)

    def called_implicitly(self, name: str) -> bool:
        """`main`, and what every object has."""
        return name in ("main", "toString", "equals", "hashCode", "compareTo", "clone", "finalize")

    def is_builtin(self, name: str) -> bool:
        """What `java.lang` brings, primitive types, the library's collections (imported by wildcards), its packages."""
        return name in _LANG or name in policy_types.LIBRARY or name in ("java", "javax", "jdk", "sun")


def _package(context: Context, path: str) -> str:
    """The package that a file says it is in."""

    def find() -> str:
        slice_ = context.view.slice(path)
        return "" if slice_ is None else _clause(slice_)

    return context.remembered(("java.package", path), find)


def _clause(slice_: Slice) -> str:
    b, strings = slice_.bindings, slice_.strings
    for index, kind in enumerate(b.kind):
        if kind == PROJECT:
            return strings[slice_.expression(b.value[index]).text]
    return ""


def _directories(context: Context) -> dict[str, list[str]]:
    """The last component of a directory of Java files -> such directories."""

    def find() -> dict[str, list[str]]:
        found: dict[str, dict[str, None]] = {}
        for path in context.view.paths_of_language("java"):
            directory = posixpath.dirname(path)
            found.setdefault(posixpath.basename(directory), {})[directory] = None
        return {name: list(directories) for name, directories in found.items()}

    return context.remembered("java.directories", find)


def _package_files(context: Context, package: str) -> Sequence[str]:
    """The files of a package, in the order of their paths.

    The directories whose path ends as the package is named are asked first; only if there are none, the
    directories of files that say so all the same.
    """

    def find() -> Sequence[str]:
        path = package.replace(".", "/")
        named = _directories(context).get(path.rpartition("/")[2], []) if package else []
        places = [d for d in named if d == path or d.endswith(f"/{path}")]
        files = [f for d in places for f in context.view.paths_in(d) if f.endswith(".java")]
        found = tuple(f for f in files if _package(context, f) == package)
        return found or _unusual(context).get(package, ())

    return context.remembered(("java.files", package), find)


def _unusual(context: Context) -> dict[str, tuple[str, ...]]:
    """Package -> its files, of directories that are not named as their package."""

    def find() -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        seen: set[str] = set()
        for path in context.view.paths_of_language("java"):
            directory = posixpath.dirname(path)
            if directory in seen:
                continue
            package = _package(context, path).replace(".", "/")
            if package and (directory == package or directory.endswith(f"/{package}")):
                seen.add(directory)
                continue
            found.setdefault(_package(context, path), []).append(path)
        return {package: tuple(files) for package, files in found.items()}

    return context.remembered("java.unusual", find)


def _directory(context: Context, package: str) -> Sequence[str]:
    """A package without files of its own on the way to others, as a directory."""

    def find() -> set[str]:
        prefixes: set[str] = set()
        for directories in _directories(context).values():
            for directory in directories:
                files = [f for f in context.view.paths_in(directory) if f.endswith(".java")]
                parts = _package(context, files[0]).split(".")
                prefixes.update(".".join(parts[:end]) for end in range(1, len(parts)))
        return prefixes

    known = context.remembered("java.prefixes", find)
    return (package.replace(".", "/") + "/",) if package in known else ()


POLICY = JavaPolicy()
