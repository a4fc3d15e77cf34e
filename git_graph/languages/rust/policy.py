"""What Rust means by crates, modules, paths and types.

A crate's root is `src/lib.rs`, `src/main.rs` or a target that `Cargo.toml` or Cargo's layout names; `mod x;` in a root
or in a `mod.rs` is `x.rs` or `x/mod.rs` beside it, elsewhere in the directory named as the file. The crate of a file is
the one whose root is above it; other crates are found by their packages' names, `-` read as `_`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from git_graph.languages.policy import Context, Policy, TypeText
from git_graph.languages.rust import policy_types
from git_graph.languages.written import DOUBLE, SLASHES, Written
from git_graph.model import IMPLEMENT, INHERIT, KIND, PROJECT, TYPE, Definition, Flag, Slice

_BUILTINS = frozenset(
    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Result Box Some"
    " None Ok Err Self drop panic println print eprintln eprint format vec assert assert_eq assert_ne debug_assert"
    " debug_assert_eq debug_assert_ne write writeln todo unimplemented unreachable matches dbg include_str"
    " include_bytes include concat stringify env option_env line column file module_path cfg compile_error"
    " thread_local Clone Copy Send Sync Sized Drop Fn FnMut FnOnce Iterator IntoIterator Extend"
    " DoubleEndedIterator ExactSizeIterator Default PartialEq Eq PartialOrd Ord AsRef AsMut Into From ToOwned"
    " ToString TryFrom TryInto FromIterator Debug Hash std core alloc VecDeque [] () fn HashMap BTreeMap HashSet"
    " BTreeSet Iter Rc Arc Cell RefCell Mutex RwLock Cow".split()
)
_ROOTS = ("lib.rs", "main.rs", "mod.rs")

_TYPES = frozenset(KIND[kind] for kind in ("struct", "enum", "union", "trait", "type_alias"))
_MODULE, _MACRO = KIND["module"], KIND["macro"]
_MEMBERS = frozenset((KIND["field"], KIND["method"]))


class RustPolicy(Policy):
    """Rust's answers."""

    written = Written(
        comment=SLASHES,
        string=rf"b?r(?P<fence>\#*)\".*?(?:\"(?P=fence)|\Z)|{DOUBLE}|'(?:\\[^']*|[^\\'\n])'|'\w+",
        receivers=frozenset(("self",)),
    )

    class_scope = False
    has_owners = True
    marks_overrides = True
    free_names = False
    path_receivers = True
    separate_members = True
    entry_decorators = frozenset((
        "global_allocator", "no_mangle", "export_name", "panic_handler", "used", "link_section", "proc_macro",
        "proc_macro_attribute", "proc_macro_derive", "alloc_error_handler",
    ))  # fmt: skip
    module_separator = "::"
    reaches_modules = True
    imports_paths = True
    self_types = frozenset(("Self",))
    has_senses = True
    global_scope = True

    def sense(self, kind: int, role: int) -> int:
        """A field or method has no bare name, and only a type (or the module before it) stands where one is meant."""
        if role in (TYPE, INHERIT, IMPLEMENT):
            return 1 if kind in _TYPES else 2 if kind == _MODULE else 0
        return int(kind not in _MEMBERS)

    # modules

    def module_files(self, context: Context, path: str, module: str, depth: int, flags: int) -> Sequence[str]:
        """The file of the module at a path, as `use` and `mod` write it."""
        if module.startswith("#"):
            found = posixpath.normpath(posixpath.join(posixpath.dirname(path), module[1:]))
            return (found,) if context.view.has(found) else ()
        key = ("rust.path", path, module)
        return context.remembered(key, lambda: self._walk(context, path, module.split("::")))

    def _walk(self, context: Context, path: str, parts: list[str]) -> Sequence[str]:
        current = self.module_named(context, path, parts[0])
        for part in parts[1:]:
            if not current:
                return ()
            if part == "super":
                current = self._above(context, current[0])
            elif part != "self":
                current = self.submodule(context, current, part)
        return current

    def module_named(self, context: Context, path: str, name: str) -> Sequence[str]:
        """`crate`, `self`, `super`, a module of the file, or another crate of the view."""
        if name == "self":
            return (path,)
        if name == "crate":
            return _one(_crate_root(context, path))
        if name == "super":
            return self._above(context, path)
        return self.submodule(context, (path,), name) or _one(_crate_named(context, path, name))

    def _above(self, context: Context, path: str) -> Sequence[str]:
        """The file of the module that holds the module of a file."""
        directory, _, base = path.rpartition("/")
        if base == "mod.rs":
            directory = posixpath.dirname(directory)
        holders = [posixpath.join(directory, root) for root in _ROOTS]
        if directory:
            holders.append(f"{directory}.rs")
        return next(((found,) for found in holders if found != path and context.view.has(found)), ())

    def submodule(self, context: Context, module: Sequence[str], name: str) -> Sequence[str]:
        """The file of `mod name;` in the file that a module is."""
        if name == "super":
            return self._above(context, module[0]) if module else ()
        for path in module:
            if (declared := self._declared(context, path, name)) is not None:
                return _one(declared)
            directory, _, base = path.rpartition("/")
            if base not in _ROOTS and path not in _roots(context):
                directory = path.removesuffix(".rs")
            for found in (posixpath.join(directory, f"{name}.rs"), posixpath.join(directory, name, "mod.rs")):
                if context.view.has(found):
                    return (found,)
        return ()

    def _declared(self, context: Context, path: str, name: str) -> str | None:
        """The file that `#[path]` gives a module; "" if that is not in the view, None if there is none."""
        slice_ = context.view.slice(path)
        if slice_ is None:
            return None
        i, strings = slice_.imports, slice_.strings
        for local, module in zip(i.local, i.module, strict=True):
            if strings[local] == name and strings[module].startswith("#"):
                found = posixpath.normpath(posixpath.join(posixpath.dirname(path), strings[module][1:]))
                return found if context.view.has(found) else ""
        return None

    def imports_bind(self, context: Context, path: str) -> bool:
        """Whoever may see an import may import it again; the compiler has seen to the rest."""
        return True

    def visible_freely(self, context: Context, slice_: Slice, symbol: int) -> bool:
        """A macro is in scope in what follows it, in other files of the crate too."""
        return slice_.symbols.kind[symbol] == _MACRO

    def reaches(self, path: str, kind: int) -> bool:
        """As `visible_freely`."""
        return kind == _MACRO

    def offered_elsewhere(self, context: Context, module: Sequence[str], name: str) -> Sequence[Definition]:
        """The exported macros of a crate are at its root."""
        if module[0] not in _roots(context):
            return ()
        found = []
        for path in context.view.defining(name):
            slice_ = context.view.slice(path)
            if slice_ is None or slice_.language != "rust" or _crate_root(context, path) != module[0]:
                continue
            s, strings = slice_.symbols, slice_.strings
            for index, kind in enumerate(s.kind):
                if kind == _MACRO and strings[s.name[index]] == name and s.flags[index] & Flag.EXPORTED:
                    found.append(Definition(path, index))
        return found

    def module_parts(self, path: str) -> tuple[str, ...]:
        """`src/a/b.rs` and `src/a/b/mod.rs` are src, a, b."""
        parts = path.removesuffix(".rs").split("/")
        return tuple(parts[:-1] if parts[-1] in ("mod", "lib", "main") and len(parts) > 1 else parts)

    # types

    def parse_type(self, text: str) -> TypeText | None:
        """A Rust type taken apart; see languages.rust.policy_types."""
        return policy_types.parse_type(text)

    def element(self, container: str, count: int, operation: str, key: str) -> TypeText | None:
        """What the standard library's types hold."""
        return policy_types.element(container, count, operation, key)

    def member(self, container: str, count: int, name: str) -> TypeText | None:
        """What the methods of the standard library's types give."""
        return policy_types.member(container, count, name)

    def is_builtin(self, name: str) -> bool:
        """The prelude, primitive types and the macros of `std`."""
        return name in _BUILTINS


def _one(path: str) -> Sequence[str]:
    return (path,) if path else ()


def _roots(context: Context) -> dict[str, str]:
    """Root file -> the name of its crate."""

    def find() -> dict[str, str]:
        found: dict[str, str] = {}
        for manifest in context.view.paths_named("Cargo.toml"):
            found |= _targets(context, manifest)
        for base in ("lib.rs", "main.rs"):
            for path in context.view.paths_named(base):
                directory = posixpath.dirname(path)
                found.setdefault(
                    path, posixpath.basename(posixpath.dirname(directory) if directory.endswith("src") else directory)
                )
        return found

    return context.remembered("rust.roots", find)


def _targets(context: Context, manifest: str) -> dict[str, str]:
    """The crate roots of one package."""
    directory, view = posixpath.dirname(manifest), context.view
    facts = _facts(context, manifest)
    package = next((value for key, value in facts if key == "package"), "").replace("-", "_")
    found: dict[str, str] = {}
    for base in ("src/lib.rs", "src/main.rs", "build.rs"):
        if view.has(path := posixpath.join(directory, base)):
            found[path] = package if base != "build.rs" else "build_script"
    for folder in ("src/bin", "examples", "tests", "benches"):
        for path in view.paths_in(posixpath.join(directory, folder)):
            if path.endswith(".rs"):
                found[path] = posixpath.basename(path).removesuffix(".rs").replace("-", "_")
    for key, value in facts:
        if key in ("lib", "bin", "example", "test", "bench"):
            name, _, given = value.partition(" => ")
            path = posixpath.normpath(posixpath.join(directory, given or "src/lib.rs"))
            if (given or key == "lib") and view.has(path):
                found[path] = name.replace("-", "_") or package
    return found


def _facts(context: Context, path: str) -> list[tuple[str, str]]:
    slice_: Slice | None = context.view.slice(path)
    if slice_ is None:
        return []
    b, strings = slice_.bindings, slice_.strings
    return [
        (strings[b.name[i]], strings[slice_.expression(b.value[i]).text])
        for i, kind in enumerate(b.kind)
        if kind == PROJECT
    ]


def _crate_root(context: Context, path: str) -> str:
    """The root file of the crate that a file belongs to."""
    return context.remembered(("rust.crate", path), lambda: _find_root(context, path))


def _find_root(context: Context, path: str) -> str:
    roots = _roots(context)
    if path in roots:
        return path
    directory = posixpath.dirname(path)
    while True:
        for base in ("lib.rs", "main.rs"):
            if (root := posixpath.join(directory, base)) in roots:
                return root
        others = [root for root in roots if posixpath.dirname(root) == directory]
        if others:
            return min(others)
        if not directory:
            return ""
        directory = posixpath.dirname(directory)


def _crate_named(context: Context, path: str, name: str) -> str:
    """The root of the crate that files of `path`'s package call `name`."""
    renamed = _dependencies(context, path).get(name, name)
    found = [root for root, crate in _roots(context).items() if crate == renamed and not root.endswith("main.rs")]
    return min(found, key=lambda root: (not root.endswith("lib.rs"), root), default="")


def _dependencies(context: Context, path: str) -> dict[str, str]:
    """Name in the code -> name of the package, for the dependencies that are renamed."""
    directory = posixpath.dirname(path)
    while True:
        manifest = posixpath.join(directory, "Cargo.toml")
        if context.view.has(manifest):
            break
        if not directory:
            return {}
        directory = posixpath.dirname(directory)

    def find() -> dict[str, str]:
        found = {}
        for kind, value in _facts(context, manifest):
            if kind == "dependency" and " => " in value:
                name, _, package = value.partition(" @ ")[0].partition(" => ")
                found[name.replace("-", "_")] = package.replace("-", "_")
        return found

    return context.remembered(("rust.dependencies", manifest), find)


POLICY = RustPolicy()
