"""Where a JavaScript or TypeScript import leads: relative paths, `tsconfig` paths, packages of the view.

Pure look-ups over the view's paths and project files; knows nothing of symbols.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from git_graph.languages.policy import Context
from git_graph.model import PROJECT
from git_graph.records import Record, field

SOURCES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".d.mts", ".mjs", ".cts", ".d.cts", ".cjs")
"""Endings in the order in which a module without one is looked for."""
_WRITTEN = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".jsx": (".tsx", ".d.ts", ".jsx"),
    ".mjs": (".mts", ".d.mts", ".mjs"),
    ".cjs": (".cts", ".d.cts", ".cjs"),
}
"""What may stand for a file that an import names by what it is compiled to."""
_CONFIGS = ("tsconfig.json", "jsconfig.json")
_BUILT = ("dist", "lib", "build", "out", "esm", "cjs", "es", "types", "umd", "_esm", "_cjs", "_types")
"""Folders of built files, whose sources are looked for in `src` or beside them."""
MAX_EXTENDS = 16


class Config(Record):
    """What a `tsconfig.json` says after `extends`; folders are paths of the view."""

    base: str | None = None
    paths: list[tuple[str, str]] = field(factory=list)
    """Pattern and target, the target from the root of the view."""
    roots: list[str] = field(factory=list)


class Package(Record):
    """A `package.json`: its folder and what it offers."""

    folder: str
    name: str = ""
    entries: list[str] = field(factory=list)
    exports: list[tuple[str, str]] = field(factory=list)
    imports: list[tuple[str, str]] = field(factory=list)


class Packages(Record):
    """The packages of a view."""

    by_folder: dict[str, Package] = field(factory=dict)
    by_name: dict[str, list[Package]] = field(factory=dict)


class Finder:
    """Finds modules in one view."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.view = context.view

    def find(self, path: str, module: str) -> str | None:
        """The file that `module` means in an import of the file `path`; None if it is outside of the view."""
        module = module.partition("?")[0]
        folder = posixpath.dirname(path)
        if module.startswith("./") or module.startswith("../") or module in (".", ".."):
            return self.relative(folder, module)
        if module.startswith("#"):
            return self.own_import(folder, module)
        if module.startswith("/") or not module or ":" in module:
            return None
        config = self.config(folder)
        if config is not None:
            found = self.mapped(config, module)
            if found is not None:
                return found
        return self.package(module, folder)

    def relative(self, folder: str, module: str) -> str | None:
        """A relative module, in the folder or in what `rootDirs` lays over it."""
        target = join(folder, module)
        if target is None:
            return None
        found = self.file(target)
        if found is not None:
            return found
        config = self.config(folder)
        roots = config.roots if config is not None else []
        for root in roots:
            if target == root or target.startswith(root + "/"):
                for other in roots:
                    found = self.file((other + target[len(root) :]).lstrip("/"))
                    if found is not None:
                        return found
        return None

    # files

    def file(self, base: str) -> str | None:
        """The file that a path without or with its ending means, or the index of a folder."""
        return self.exact(base) or self.index(base)

    def exact(self, base: str) -> str | None:
        """The file that a path without or with its ending means."""
        has = self.view.has
        stem, ending = posixpath.splitext(base)
        for written in _WRITTEN.get(ending, ()):
            if has(stem + written):
                return stem + written
        if base and ending and has(base) and self.view.language(base) not in (None, "package_json", "tsconfig"):
            return base
        if base.endswith("/") or not base:
            return None
        return next((base + written for written in SOURCES if has(base + written)), None)

    def index(self, folder: str) -> str | None:
        """What a folder is when it is imported."""
        folder = folder.rstrip("/")
        package = self.packages().by_folder.get(folder)
        if package is not None and folder and (found := self.entry(package, "")) is not None:
            return found
        prefix = folder + "/index" if folder else "index"
        return next((prefix + written for written in SOURCES if self.view.has(prefix + written)), None)

    # packages

    def packages(self) -> Packages:
        """The packages of the view, what is installed left out."""
        return self.context.remembered("javascript.packages", self._find_packages)

    def _find_packages(self) -> Packages:
        packages = Packages()
        for path in self.view.paths_named("package.json"):
            if "/node_modules/" in f"/{path}":
                continue
            package = Package(posixpath.dirname(path))
            for key, value in facts(self.context, path):
                if key == "name":
                    package.name = value
                elif key == "entry":
                    package.entries.append(value)
                elif key in ("exports", "imports"):
                    subpath, _, target = value.partition(" => ")
                    (package.exports if key == "exports" else package.imports).append((subpath, target))
            packages.by_folder[package.folder] = package
            if package.name:
                packages.by_name.setdefault(package.name, []).append(package)
        return packages

    def package(self, module: str, folder: str) -> str | None:
        """A module of a package of the view, called by the package's name."""
        parts = module.split("/")
        length = 2 if module.startswith("@") else 1
        name, subpath = "/".join(parts[:length]), "/".join(parts[length:])
        for package in self.packages().by_name.get(name, ()):
            found = self.entry(package, subpath)
            if found is not None:
                return found
        return None

    def own_import(self, folder: str, module: str) -> str | None:
        """A module that the nearest package gives a private name (`#internal`)."""
        packages = self.packages().by_folder
        for above in ancestors(folder):
            package = packages.get(above)
            if package is not None and package.imports:
                return self.first(package, matches(package.imports, module))
        config = self.config(folder)
        return self.mapped(config, module) if config is not None else None

    def entry(self, package: Package, subpath: str) -> str | None:
        """The file that a package offers under a subpath."""
        if package.exports:
            wanted = f"./{subpath}" if subpath else "."
            found = self.first(package, matches(package.exports, wanted))
            if found is not None:
                return found
        if subpath:
            base = join(package.folder, subpath)
            found = self.file(base) if base is not None else None
            return found or self.first(package, [f"src/{subpath}"])
        found = self.first(package, package.entries)
        if found is not None:
            return found
        for base in ("src/index", "index", "src/main", "lib/index"):
            if (found := self.exact(join(package.folder, base) or "")) is not None:
                return found
        return None

    def first(self, package: Package, targets: Sequence[str]) -> str | None:
        """The first of a package's targets that is in the view, or whose source is."""
        for target in targets:
            base = join(package.folder, target)
            if base is None:
                continue
            found = self.exact(base) or (self.index(base) if base != package.folder else None)
            if found is not None:
                return found
        for target in targets:
            for source in sources_of(target):
                base = join(package.folder, source)
                found = self.exact(base) if base is not None else None
                if found is not None:
                    return found
        return None

    # tsconfig

    def config(self, folder: str) -> Config | None:
        """What the nearest configuration says for files of a folder."""
        return self.context.remembered(("javascript.config", folder), lambda: self._nearest(folder))

    def _nearest(self, folder: str) -> Config | None:
        for above in ancestors(folder):
            names = [join(above, name) or name for name in _CONFIGS]
            path = next((name for name in names if self.view.has(name)), None)
            if path is not None:
                return self.read(path) or self.beside(above, path) or Config()
        return None

    def beside(self, folder: str, path: str) -> Config | None:
        """What configurations beside one that only refers to others say (`tsconfig.app.json`)."""
        for other in self.view.paths_in(folder):
            name = posixpath.basename(other)
            if other != path and name.startswith(("tsconfig.", "jsconfig.")) and (config := self.read(other)):
                return config
        return None

    def read(self, path: str) -> Config | None:
        """A configuration with what it extends; None if it says nothing of modules."""
        return self.context.remembered(("javascript.read", path), lambda: self._read(path, ()))

    def _read(self, path: str, below: tuple[str, ...]) -> Config | None:
        """The same of one that those `below` extend."""
        if path in below or len(below) > MAX_EXTENDS:
            return None
        folder, config = posixpath.dirname(path), Config()
        own = list(facts(self.context, path))
        for key, value in own:
            if key == "extends" and (other := self.extended(folder, value)) is not None:
                base = self._read(other, (*below, path))
                if base is not None:
                    config = Config(base.base, list(base.paths), list(base.roots))
        for key, value in own:
            if key == "baseUrl":
                config.base = join(folder, value)
        paths = [value.partition(" => ") for key, value in own if key == "paths"]
        if paths:
            start = config.base if config.base is not None else folder
            config.paths = [(pattern, target_) for pattern, _, target in paths if (target_ := join(start, target))]
        roots = [root for key, value in own if key == "rootDirs" and (root := join(folder, value)) is not None]
        config.roots = roots or config.roots
        return config if config.base is not None or config.paths or config.roots else None

    def extended(self, folder: str, value: str) -> str | None:
        """The configuration that `extends` names."""
        if value.startswith((".", "/")):
            base = join(folder, value)
        else:
            parts = value.split("/")
            length = 2 if value.startswith("@") else 1
            packages = self.packages().by_name.get("/".join(parts[:length]), [])
            rest = "/".join(parts[length:]) or "tsconfig.json"
            base = join(packages[0].folder, rest) if packages else None
        if base is None:
            return None
        return next((p for p in (base, f"{base}.json", f"{base}/tsconfig.json") if self.view.has(p)), None)

    def mapped(self, config: Config, module: str) -> str | None:
        """A module by `paths`, else by `baseUrl`."""
        for target in matches(config.paths, module):
            found = self.file(target)
            if found is not None:
                return found
        if config.base is not None:
            base = join(config.base, module)
            return self.file(base) if base is not None else None
        return None


def facts(context: Context, path: str) -> Iterator[tuple[str, str]]:
    """Keys and values that a project file says."""
    slice_ = context.view.slice(path)
    if slice_ is None:
        return
    for index, kind in enumerate(slice_.bindings.kind):
        if kind == PROJECT:
            binding = slice_.binding(index)
            yield binding.name, slice_.strings[slice_.expression(binding.value).text]


def join(folder: str, relative: str) -> str | None:
    """A path of the view from a folder of it; None if it leads out of it."""
    joined = posixpath.normpath(posixpath.join(folder, relative.lstrip("/") if folder else relative))
    if joined == ".." or joined.startswith("../") or joined.startswith("/"):
        return None
    return "" if joined == "." else joined


def ancestors(folder: str) -> Iterator[str]:
    """A folder and those around it, the root last."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def matches(table: Sequence[tuple[str, str]], name: str) -> list[str]:
    """The targets of the pattern that fits a name best: the exact one, else the longest before its `*`."""
    best, length = "", -1
    for pattern, _ in table:
        before, star, after = pattern.partition("*")
        if pattern == name:
            best, length = pattern, 1 << 30
        elif star and len(before) > length and name.startswith(before) and name.endswith(after) and name != before:
            best, length = pattern, len(before)
        elif pattern.endswith("/") and len(pattern) > length and name.startswith(pattern):
            best, length = pattern, len(pattern)
    if length < 0:
        return []
    before, star, after = best.partition("*")
    middle = name[len(before) : len(name) - len(after)] if star else name[len(best) :] if best.endswith("/") else ""
    return [target.replace("*", middle) if star else target + middle for pattern, target in table if pattern == best]


def sources_of(target: str) -> Iterator[str]:
    """Where the source of a built file may lie."""
    parts = [part for part in target.split("/") if part not in (".", "")]
    if not parts:
        return
    parts[-1] = parts[-1].removesuffix(".map")
    for ending in (".d.ts", ".d.mts", ".d.cts", ".min.js"):
        if parts[-1].endswith(ending):
            parts[-1] = parts[-1][: -len(ending)]
            break
    else:
        parts[-1] = posixpath.splitext(parts[-1])[0]
    rest = list(parts)
    while rest and rest[0] in _BUILT:
        rest = rest[1:]
        if rest:
            yield "/".join(["src", *rest])
            yield "/".join(rest)
    if len(rest) == len(parts):
        yield "/".join(["src", *rest])
