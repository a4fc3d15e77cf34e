"""What Go means by packages, module paths and types.

A package is the files of one directory with one package clause. Import paths are led to directories by `go.mod`,
`go.work`, `replace`, `vendor/` and, where a repository has no `go.mod` at all, by the path below its first three
components. `internal` directories are open to the tree above them alone.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from git_graph.languages.go.policy_types import parse_type
from git_graph.languages.policy import CALLED, INDEX, ITERATE, Context, Policy, TypeText
from git_graph.languages.written import DOUBLE, SINGLE, SLASHES, Written
from git_graph.model import IMPLEMENT, INHERIT, KIND, PROJECT, TYPE, Definition, Slice

_BUILTINS = frozenset(
    "any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32"
    " float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune"
    " string true uint uint16 uint32 uint64 uint8 uintptr [] () map chan func struct interface".split()
)
"""Predeclared names, and those that `parse_type` gives to what is built in."""
_ELEMENTS = {
    ("[]", ITERATE, ""): "#0",
    ("[]", INDEX, "range"): "int",
    ("[]", INDEX, ""): "#0",
    ("map", ITERATE, ""): "#1",
    ("map", INDEX, "range"): "#0",
    ("map", INDEX, ""): "#1",
    ("chan", ITERATE, ""): "#0",
    ("chan", INDEX, "range"): "#0",
    ("func", CALLED, ""): "#0",
}


_CALLED = frozenset(
    "main init String GoString Error Unwrap Is As Format Scan Read Write Close Seek ReadAt WriteAt ReadFrom WriteTo"
    " ReadByte WriteByte Len Less Swap Push Pop ServeHTTP RoundTrip MarshalJSON UnmarshalJSON MarshalText UnmarshalText"
    " MarshalBinary UnmarshalBinary MarshalYAML UnmarshalYAML Value Set Open Stat LogValue".split()
)
_TYPES = frozenset(KIND[kind] for kind in ("struct", "interface", "class", "type_alias"))
_MEMBERS = frozenset((KIND["field"], KIND["method"]))


class GoPolicy(Policy):
    """Go's answers."""

    written = Written(
        comment=SLASHES,
        string=f"{DOUBLE}|{SINGLE}|`[^`]*`?",
        name_at="first",
        type_brackets=True,
        spread_last=True,
    )

    class_scope = False
    has_owners = True
    structural = True
    free_names = False
    has_senses = True

    def sense(self, kind: int, role: int) -> int:
        """A field or method has no bare name, and only a type stands where a type is meant."""
        if role in (TYPE, INHERIT, IMPLEMENT):
            return int(kind in _TYPES)
        return int(kind not in _MEMBERS)

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """The files of the package that is imported."""
        here = posixpath.dirname(path)
        key = ("go.import", here, path.endswith("_test.go"), module)
        return context.remembered(key, lambda: self._import(context, path, here, module))

    def _import(self, context: Context, path: str, here: str, module: str) -> Sequence[str]:
        if module.startswith(("./", "../")):
            directories = [posixpath.normpath(posixpath.join(here, module))]
        else:
            directories = list(_directories(context, here, module))
        for directory in directories:
            if _visible(here, directory) and (found := self._package_in(context, path, here, directory)):
                return found
        return ()

    def _package_in(self, context: Context, path: str, here: str, directory: str) -> Sequence[str]:
        own_tests = path.endswith("_test.go") and directory == here
        files = [f for f in _go_files(context, directory) if own_tests or not f.endswith("_test.go")]
        files.sort(key=lambda file: file.endswith("_test.go"))
        clauses = {file: _package(context, file) for file in files}
        names = {name for name in clauses.values() if name not in ("main", "") and not name.endswith("_test")}
        if not names:
            return ()
        base = posixpath.basename(directory)
        name = base if base in names else max(sorted(names), key=list(clauses.values()).count)
        return tuple(file for file in files if clauses[file] == name)

    def module_named(self, context: Context, path: str, name: str) -> Sequence[str]:
        """A package whose name is not what its import path suggests."""
        slice_ = context.view.slice(path)
        if slice_ is None:
            return ()
        for index in range(len(slice_.imports.local)):
            item = slice_.import_(index)
            if item.name or item.local in ("", name):
                continue
            files = self.module_files(context, path, item.module, 0, 0)
            if files and _package(context, files[0]) == name:
                return files
        return ()

    def siblings(self, context: Context, path: str) -> Sequence[str]:
        """The other files of the package; those of tests only from tests."""
        return context.remembered(("go.siblings", path), lambda: _siblings(context, path))

    def exported(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """Whether other packages see the symbol."""
        return slice_.strings[slice_.symbols.name[symbol]][:1].isupper()

    def star_visible(self, context: Context, slice_: Slice, name: str) -> bool:
        """Whether a dot import brings the name."""
        return name[:1].isupper()

    def module_parts(self, path: str) -> tuple[str, ...]:
        """A package is named by its directory."""
        directory, _, base = path.rpartition("/")
        return tuple(directory.split("/")) if directory else (base.removesuffix(".go"),)

    def counterparts(self, context: Context, definition: Definition, slice_: Slice) -> Sequence[Definition]:
        """The same name in the package's other files: one for each platform or build tag."""
        symbols, strings = slice_.symbols, slice_.strings
        index = definition.index
        name, owner = strings[symbols.name[index]], strings[symbols.owner[index]]
        if index == 0 or symbols.parent[index] != 0 or name in ("init", "_"):
            return ()
        defining, found = set(context.view.defining(name)), []
        for file in self.siblings(context, definition.path) if len(defining) > 1 else ():
            if file in defining and (other := context.view.slice(file)) is not None:
                found += [Definition(file, i) for i in _top_level(other, name, owner)]
        return found

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """A Go type taken apart; see languages.go.policy_types."""
        return parse_type(text)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """Slices, arrays, maps, channels, functions and the values of several results."""
        if container == "()":
            return TypeText(f"#{key}") if operation == INDEX and key.isdigit() and int(key) < count else None
        found = _ELEMENTS.get((container, operation, key if key == "range" else ""))
        if found is None or (found.startswith("#") and int(found[1:]) >= count):
            return None
        return TypeText(found)

    def is_builtin(self, name: str) -> bool:
        """Predeclared names, and the language's own types."""
        return name in _BUILTINS

    def called_implicitly(self, name: str) -> bool:
        """`main`, `init`, and the methods that the standard library's most common interfaces ask for."""
        return name in _CALLED


def _top_level(slice_: Slice, name: str, owner: str) -> list[int]:
    symbols, strings = slice_.symbols, slice_.strings
    return [
        i
        for i, parent in enumerate(symbols.parent)
        if parent == 0 and strings[symbols.name[i]] == name and strings[symbols.owner[i]] == owner
    ]


def _go_files(context: Context, directory: str) -> list[str]:
    return [path for path in context.view.paths_in(directory) if path.endswith(".go")]


def _siblings(context: Context, path: str) -> Sequence[str]:
    package, test = _package(context, path), path.endswith("_test.go")
    return tuple(
        file
        for file in _go_files(context, posixpath.dirname(path))
        if file != path and (test or not file.endswith("_test.go")) and _package(context, file) == package
    )


def _package(context: Context, path: str) -> str:
    """The name in a file's package clause."""
    key = ("go.package", path)
    return context.remembered(key, lambda: next((value for _, value in _facts(context, path, ("package",))), ""))


def _facts(context: Context, path: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """The project facts (key, value) of a file."""
    slice_ = context.view.slice(path)
    if slice_ is None:
        return []
    bindings, strings, found = slice_.bindings, slice_.strings, []
    for index, kind in enumerate(bindings.kind):
        if kind == PROJECT and (name := strings[bindings.name[index]]) in names:
            found.append((name, strings[slice_.expression(bindings.value[index]).text]))
    return found


def _visible(here: str, directory: str) -> bool:
    """Whether `internal` lets a file of directory `here` import `directory`."""
    parts = directory.split("/")
    if "internal" not in parts:
        return True
    last = len(parts) - 1 - parts[::-1].index("internal")
    above = "/".join(parts[:last])
    return not above or here == above or here.startswith(f"{above}/")


def _modules(context: Context) -> list[tuple[str, str]]:
    """(module path, directory) of every `go.mod`, longest path first."""

    def find() -> list[tuple[str, str]]:
        found = [
            (value, posixpath.dirname(path))
            for path in context.view.paths_named("go.mod")
            for _, value in _facts(context, path, ("module",))
        ]
        return sorted(found, key=lambda item: (-len(item[0]), item[1]))

    return context.remembered("go.modules", find)


def _replacements(context: Context, here: str) -> list[tuple[str, str, str]]:
    """(old path, new path, directory of the file that says so) that hold for a directory, the closest first."""

    def find() -> list[tuple[str, str, str]]:
        found = []
        for directory in _upwards(here):
            for name in ("go.mod", "go.work"):
                file = posixpath.join(directory, name)
                if context.view.has(file):
                    for _, value in _facts(context, file, ("replace",)):
                        old, _, new = value.partition(" => ")
                        found.append((old, new, directory))
        return found

    return context.remembered(("go.replace", here), find)


def _upwards(directory: str) -> list[str]:
    """The directory and those above it, the root last."""
    found = []
    while directory:
        found.append(directory)
        directory = posixpath.dirname(directory)
    return [*found, ""]


def _below(module: str, prefix: str) -> str | None:
    """What follows `prefix` in an import path, or None if the path is not in it."""
    if module == prefix:
        return ""
    return module[len(prefix) + 1 :] if module.startswith(f"{prefix}/") else None


def _directories(context: Context, here: str, module: str) -> list[str]:
    """The directories that an import path may stand for, best first."""
    found = [posixpath.join(directory, "vendor", module) for directory in _upwards(here)]
    paths = [module]
    for old, new, directory in _replacements(context, here):
        if (rest := _below(module, old)) is not None:
            if new.startswith(("./", "../")):
                found.append(_inside(posixpath.join(directory, new, rest)))
            else:
                paths.insert(0, f"{new}/{rest}".rstrip("/"))
    modules = _modules(context)
    for path in paths:
        for prefix, directory in modules:
            if (rest := _below(path, prefix)) is not None:
                found.append(_inside(posixpath.join(directory, rest)))
    if not modules and "." in module.split("/", 1)[0]:
        parts = module.split("/")
        found += ["/".join(parts[start:]) for start in range(min(3, len(parts)), len(parts) + 1)]
    return found


def _inside(path: str) -> str:
    """A path of the view without `.` and `..`; the root is empty."""
    normal = posixpath.normpath(path)
    return "" if normal == "." else normal


POLICY = GoPolicy()
