"""What imports bring and what modules hold, by each language's rules for finding and exporting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_graph.model import EXPORT, X_ATTRIBUTE, X_NAME, Flag
from git_graph.resolve.files import File
from git_graph.resolve.values import FUNCTION, TYPE_ITSELF, UNNAMED, Named
from git_graph.resolve.values import module as module_

if TYPE_CHECKING:
    from git_graph.resolve.world import World


FEW = 8
"""Modules of more files than this are asked by the view's tables, not file by file."""

IMPLIED = "implied"
"""Name of the value of a submodule that was reached as an attribute: something must have imported it before."""


class Modules:
    """Imports and the top level of files."""

    def __init__(self, world: World) -> None:
        self.world = world

    def named(self, file: File, module: str, depth: int, flags: int) -> tuple[str, ...]:
        """The module that `module` as written in an import of `file` stands for."""
        policy, context = file.policy, self.world.context
        return self.world.guarded(
            ("module", file.path, module, depth, flags),
            lambda: tuple(policy.module_files(context, file.path, module, depth, flags)),
            (),
        )

    def of_import(self, file: File, index: int) -> tuple[str, ...]:
        """The module that import `index` imports, or imports from."""
        i = file.slice.imports
        return self.named(file, file.slice.strings[i.module[index]], i.depth[index], i.flags[index])

    def imported(self, file: File, index: int) -> Named:
        """What import `index` names (not what it binds: see `bound`)."""
        return self.world.guarded(("imported", file.path, index), lambda: self._imported(file, index), UNNAMED)

    def _imported(self, file: File, index: int) -> Named:
        item = file.slice.import_(index)
        files = self.of_import(file, index)
        if item.name in ("", "*", file.policy.whole_export):
            whole = self.whole(files) if item.name != "*" else UNNAMED
            return whole if whole.found else Named((), (module_(files, item.module, file.language),))
        if files:
            named = self.member(files, item.name, file.language)
            return Named(named.definitions, tuple(v._replace(name="") if v.files else v for v in named.values))
        if file.policy.merges_namespaces and (inside := self._in_namespace(file, index, item.name)).found:
            return inside
        if item.depth == 0 and (nested := self._in_type(file, item.module, item.name, item.flags)).found:
            return nested
        if file.policy.imports_paths and (nested := self._in_scope(file, item.module, item.name, item.symbol)).found:
            return nested
        return Named((), (module_((), f"{item.module}.{item.name}" if item.module else item.name, file.language),))

    def _in_namespace(self, file: File, index: int, name: str) -> Named:
        """`name` of the namespace (or type) that import `index` says, also of one inside those around it."""
        i = file.slice.imports
        written = tuple(p for p in file.slice.strings[i.module[index]].split(file.policy.module_separator) if p)
        around = file.slice.parts(i.symbol[index])
        for cut in range(len(around), -1, -1):
            if found := self.world.classes.in_space(file.language, (*around[:cut], *written), name):
                return Named(found)
        return UNNAMED

    def _in_type(self, file: File, module: str, name: str, flags: int) -> Named:
        """`name` of a type (`module` is no module itself, but a type of one: `a.b.Outer` and `Inner`)."""
        separator = file.policy.module_separator
        parts = module.split(separator)
        for cut in range(len(parts) - 1, 0, -1):
            files = self.named(file, separator.join(parts[:cut]), 0, flags)
            if not files:
                continue
            found = self.member(files, parts[cut], file.language)
            for part in (*parts[cut + 1 :], name):
                found = self._member_of_type(found, part)
            return found
        return UNNAMED

    def _in_scope(self, file: File, module: str, name: str, symbol: int) -> Named:
        """`name` of what a path means whose first component is in scope (Rust `use Enum::Variant`)."""
        first, *rest = module.split(file.policy.module_separator)
        found = self.world.scopes.bare(file, first, symbol)
        for part in (*rest, name):
            found = self._member_of_type(found, part)
        return found

    def _member_of_type(self, named: Named, name: str) -> Named:
        types = [v for d in named.definitions for v in self.world.annotations.of_definition(d) if v.kind == TYPE_ITSELF]
        found = UNNAMED
        for value in (*types, *named.values):
            found += self.world.classes.find(value, name).named
        return found

    def bound(self, file: File, index: int, name: str) -> Named:
        """What the local `name` is that import `index` binds: the first component's module for `import a.b.c`."""
        i, strings = file.slice.imports, file.slice.strings
        if strings[i.local[index]] != name:
            module = strings[i.module[index]]
            root = module.partition(".")[0]
            files = self.named(file, root, i.depth[index], i.flags[index])
            return Named((), (module_(files, root, file.language),))
        return self.imported(file, index)

    def member(self, files: tuple[str, ...], name: str, language: str) -> Named:
        """What `name` is in the module that `files` are, seen from another file; `language` is that of the asker."""
        return self.world.guarded(("member", files, name), lambda: self._member(files, name, language), UNNAMED)

    def _member(self, files: tuple[str, ...], name: str, language: str) -> Named:
        own = [f for path in self._likely(files, name) if (f := self.world.file(path)) is not None]
        found = self._of_files([f for f in own if not f.policy.declares(f.path)], name)
        if not found.found:  # a stub says only what its source does not
            found = self._of_files([f for f in own if f.policy.declares(f.path)], name)
        if not found.found and (inner := self.submodule(files, name, language)):
            named = "" if self.world.policy(language).reaches_modules else IMPLIED
            found = Named((), (module_(inner, name, language)._replace(name=named),))
        if not found.found and files:
            found = Named(tuple(self.world.policy(language).offered_elsewhere(self.world.context, files, name)))
        if not found.found and own and own[0].policy.whole_export:
            whole = self.whole(files)
            if name == "default":  # a CommonJS module has no other default
                return whole if whole.found else Named((), (module_(files, name, language),))
            found = self._in_whole(whole, name)
        return found

    def _of_files(self, files: list[File], name: str) -> Named:
        """What `name` is at the top of several files: what they offer, else what they offer from others."""
        found = UNNAMED
        for file in files:
            found += self.offered(file, name)
        if not found.found:
            for file in files:
                found += self.starred(file, 0, name, offered=True)
        return found

    def whole(self, files: tuple[str, ...]) -> Named:
        """What an import of the module itself gives, where the module says that it is something else."""
        file = self.world.file(files[0]) if files else None
        if file is None or not file.policy.whole_export or not file.bindings(file.policy.whole_export):
            return UNNAMED
        found = self.offered(file, file.policy.whole_export)
        values = self.world.types.of_named(file, found, file.policy.whole_export)
        return Named(found.definitions, tuple(value._replace(files=files) for value in values if not value.files))

    def _in_whole(self, whole: Named, name: str) -> Named:
        """Member `name` of what a module is; the module itself has been asked before."""
        found = UNNAMED
        for value in whole.values:
            found += self.world.classes.find(value._replace(files=()), name).named
        return found

    def _likely(self, files: tuple[str, ...], name: str) -> tuple[str, ...]:
        """Of a module of many files those that can offer a name: they define, import or export it."""
        if len(files) <= FEW:
            return files
        view = self.world.view
        likely = {*view.defining(name), *view.importing(name), *view.exporting(name)}
        return tuple(path for path in files if path in likely)

    def submodule(self, files: tuple[str, ...], name: str, language: str) -> tuple[str, ...]:
        """The module `name` inside a module."""
        return tuple(self.world.policy(language).submodule(self.world.context, files, name))

    def offered(self, file: File, name: str) -> Named:
        """What `name` is that the top level of `file` offers by definition, export or import, stars aside."""
        return self.world.guarded(("offered", file.path, name), lambda: self._offered(file, name), UNNAMED)

    def _offered(self, file: File, name: str) -> Named:
        world, policy = self.world, file.policy
        symbols = [i for i in file.named(0, name) if policy.exported(world.context, file.slice, i)]
        found = Named(file.definitions(symbols))
        for index in file.bindings(name):
            b = file.slice.bindings
            if b.kind[index] == EXPORT and not found.found:
                found += self._export(file, index, name)
        if name == "default" and not found.found:
            flags = file.slice.symbols.flags
            found += Named(file.definitions([i for i, flag in enumerate(flags) if flag & Flag.DEFAULT]))
        if not found.found or self._conditional(file, symbols):
            binds = policy.imports_bind(world.context, file.path)
            for index in file.imports(0, name):
                if binds or file.reexports(index):
                    found += self.bound(file, index, name)
        return found

    @staticmethod
    def _conditional(file: File, symbols: list[int]) -> bool:
        return any(file.slice.symbols.flags[i] & Flag.CONDITIONAL for i in symbols)

    def _export(self, file: File, row: int, name: str) -> Named:
        """What a binding exports: a name stands for what it names."""
        value, line = file.slice.bindings.value[row], file.slice.bindings.line[row]
        kind, _, text = file.slice.expression(value)
        if kind == X_NAME:
            local = file.slice.strings[text]
            if local == name and not file.named(0, name, line):
                found = UNNAMED
                for index in file.imports(0, name):
                    found += self.bound(file, index, name)
                return found
            return self.world.scopes.top(file, local, line=line if file.confined(local) else 0)
        values = self.world.types.evaluate(file, value, 0, 1 << 30)
        if kind != X_ATTRIBUTE:
            return Named((), values)
        named = [v.definition for v in values if v.definition is not None and v.kind in (FUNCTION, TYPE_ITSELF)]
        return Named(tuple(named), tuple(v for v in values if v.definition not in named))

    def starred(self, file: File, scope: int, name: str, *, offered: bool) -> Named:
        """What `name` is by the imports of all names in `scope`; `offered`: those that hold for importers too."""
        stars = file.stars.get(scope)
        if not stars:
            return UNNAMED
        world = self.world
        return world.guarded(
            ("starred", file.path, scope, name, offered), lambda: self._starred(file, stars, name, offered), UNNAMED
        )

    def _starred(self, file: File, stars: list[int], name: str, offered: bool) -> Named:
        context, found = self.world.context, UNNAMED
        binds = not offered or file.policy.imports_bind(context, file.path) or file.policy.includes
        for index in stars:
            if not binds and not file.reexports(index):
                continue
            files = self.of_import(file, index)
            if not files:
                inside = self._in_namespace if file.policy.merges_namespaces else self._star_of_type
                found += inside(file, index, name)
                continue
            first = self.world.file(files[0])
            if first is None or first.policy.star_visible(context, first.slice, name):
                found += self.member(files, name, file.language)
        return found

    def _star_of_type(self, file: File, index: int, name: str) -> Named:
        """What an import of all names of a type, or of an inline module, brings (Java, Rust `use Enum::*`)."""
        item = file.slice.import_(index)
        found = self._in_type(file, item.module, name, item.flags) if item.depth == 0 else UNNAMED
        if not found.found and file.policy.imports_paths:
            return self._in_scope(file, item.module, name, item.symbol)
        return found

    def outside_star(self, file: File) -> bool:
        """Whether `file` imports all names of a module that is not in the view."""
        return any(not self.of_import(file, i) for i in file.stars.get(0, ()))
