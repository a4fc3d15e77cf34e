"""The values that everything else speaks of: slices and what they hold, and resolutions.

A `Slice` is columnar, as it is stored: names and expressions stand once in a table, each record type is a set of
parallel lists. `Slice.symbol(i)` and its siblings make one record readable; code that looks at many records reads
the columns. Knows nothing of git, of grammars and of storage.

The tuples below are part of the slice format: entries are only ever appended.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntFlag

from git_graph.records import NamedTuple, Record, field

KINDS = (
    "module", "namespace", "package", "class", "interface", "struct", "enum", "trait", "union", "type_alias",
    "function", "method", "constructor", "constant", "variable", "field", "property", "enum_member", "macro",
)  # fmt: skip
"""Symbol kinds: LSP's vocabulary in lower case. A symbol's stored kind is an index into this tuple."""
KIND = {name: index for index, name in enumerate(KINDS)}

ROLES = ("call", "instantiate", "read", "write", "type", "inherit", "implement", "decorate", "import")
"""Reference roles; the stored role is an index into this tuple."""
CALL, INSTANTIATE, READ, WRITE, TYPE, INHERIT, IMPLEMENT, DECORATE, IMPORT = range(len(ROLES))

BINDING_KINDS = (
    "parameter", "local", "field", "variable", "return", "base", "narrow", "export", "alias", "project",
    "type_parameter", "extent",
)  # fmt: skip
"""What a binding binds; the stored kind is an index into this tuple.

- parameter, local: a name that a function scope holds. `symbol` is the function (or class, module) around it.
- field: an attribute of the instances of the class `symbol` (`self.x = value` in any method of it).
- variable: a module-level or class-level name that is a symbol too; `value` is what it is assigned.
- return: what the function `symbol` returns (`name` is empty), one binding for each return expression.
- base: the type `name` (as written) has the base or trait `value`, said outside its definition (Rust `impl T for X`).
- narrow: from `line` to `end_line`, `name` is known to be `value` (isinstance, type guards, match arms).
- export: the module offers `name` under that name, it is `value` (`export { a as b }`, `__all__`, `module.exports`).
- alias: `name` stands for the type or namespace `value` (type alias, `using`, `typedef`).
- project: a fact from a project file: `name` is the key, `value` a literal.
- type_parameter: a generic parameter, `value` its bound or opaque.
- extent: the symbol `symbol`, called `name`, is only seen from `line` to `end_line` (a function without a name).
"""
(
    PARAMETER, LOCAL, FIELD, VARIABLE, RETURN, BASE, NARROW, EXPORT, ALIAS, PROJECT, TYPE_PARAMETER, EXTENT,
) = range(len(BINDING_KINDS))  # fmt: skip

EXPRESSION_KINDS = (
    "none", "opaque", "self", "super",
    "name", "attribute", "call", "index", "iterate", "await", "new", "annotation", "literal", "display",
)  # fmt: skip
"""Expression kinds. The first four have no operands and are the expressions 0 to 3 of every slice."""
(
    NONE, OPAQUE, SELF, SUPER,
    X_NAME, X_ATTRIBUTE, X_CALL, X_INDEX, X_ITERATE, X_AWAIT, X_NEW, X_ANNOTATION, X_LITERAL,
    X_DISPLAY,
) = range(len(EXPRESSION_KINDS))  # fmt: skip
FIRST_EXPRESSION = 4
"""Index of the first expression that has a row; below it stand none, opaque, self and super."""


class Flag(IntFlag):
    """What is said of a symbol beside its kind."""

    EXPORTED = 1
    STATIC = 2
    ASYNC = 4
    ABSTRACT = 8
    TEST = 16
    DECLARATION = 32
    """A prototype, overload signature, stub or forward declaration: not the implementation."""
    DEFAULT = 64
    """The default export of its module."""
    INTERNAL = 128
    """Visible in its own file only (C `static`)."""
    GENERATOR = 256
    OVERRIDE = 512
    CONDITIONAL = 1024
    """Defined under a condition beside another definition of the same name (`if`/`else`, `#ifdef`, `try`/`except`)."""
    READONLY = 2048
    IMPLICIT = 4096
    """Comes from an assignment inside a body (`self.x = ...`), not from a declaration."""


FLAG_NAMES = tuple((flag, flag.name.lower()) for flag in Flag if flag.name)


class ImportFlag(IntFlag):
    """What is said of an import."""

    REEXPORT = 1
    TYPE_ONLY = 2
    STATIC = 4
    """Java `import static`: the module names a class, the name one of its members."""
    SYSTEM = 8
    """C `#include <...>`."""
    OPTIONAL = 16
    """It may fail: what catches that stands around it (Python's `except ImportError`)."""


class Expression(NamedTuple):
    """One row of the expression table. What `of` and `text` mean depends on the kind.

    kind        of                  text
    name                            the name
    attribute   the object          the attribute's name (also a member reached by `::` or `->`)
    call        what is called          its type arguments as written, if the call has any
    index       the container       the key if it is a literal, else empty
    iterate     the container       what one turn of a loop over it yields
    await       what is awaited
    new         the type
    annotation                      the type as written
    literal                         the type's name in the language (`str`, `list`, `number`)
    display     one element         the type's name: a container literal whose elements are known (dict: its values)
    """

    kind: int
    of: int = 0
    text: int = 0


class Symbol(NamedTuple):
    """A definition. Lines and columns are 1-based, columns count code points.

    `parent` is the index of the containing symbol (-1 for symbol 0, the module itself, whose name is empty: a slice
    knows no path). `owner` is the type it belongs to, as written, where that is not its container in the file (Go
    receivers, Rust `impl` blocks, C++ `A::f`). `bases` and `returns` are types as written.
    """

    name: str
    kind: str
    start_line: int
    end_line: int
    line: int
    column: int
    parent: int
    signature: str
    doc: str
    flags: Flag
    bases: tuple[str, ...]
    returns: str
    owner: str


class Reference(NamedTuple):
    """A use of a name. `symbol` is the index of the enclosing symbol, `receiver` an expression index (0: none).

    `arguments` is one more than the number of arguments that the call, construction or base is given; 0: it is none of
    those, or the number cannot be read (`f(*xs)`).
    """

    name: str
    role: int
    line: int
    column: int
    symbol: int
    receiver: int
    arguments: int = 0


class Import(NamedTuple):
    """A name brought into the file.

    `local` is the name it has here: `*` for all names, the dotted path itself for Python's `import a.b.c` without an
    alias, empty where nothing is bound (`#include`, `import './x'`). `module` is as written without the dots that
    `depth` counts. `name` is the name imported from it: empty when it is the module itself, `*` for all.
    `symbol` is the scope it stands in (0: the file). Line and column are those of the imported name.
    """

    local: str
    module: str
    name: str
    depth: int
    line: int
    column: int
    symbol: int
    flags: ImportFlag


class Binding(NamedTuple):
    """What a name is bound to; see BINDING_KINDS. It holds from `line` to `end_line` inside the scope `symbol`."""

    name: str
    kind: int
    symbol: int
    line: int
    end_line: int
    value: int


class SymbolColumns(Record):
    """Parallel lists; strings are indices into `Slice.strings`."""

    name: list[int] = field(factory=list)
    kind: list[int] = field(factory=list)
    start_line: list[int] = field(factory=list)
    end_line: list[int] = field(factory=list)
    line: list[int] = field(factory=list)
    column: list[int] = field(factory=list)
    parent: list[int] = field(factory=list)
    signature: list[int] = field(factory=list)
    doc: list[int] = field(factory=list)
    flags: list[int] = field(factory=list)
    bases: list[list[int]] = field(factory=list)
    returns: list[int] = field(factory=list)
    owner: list[int] = field(factory=list)


class ReferenceColumns(Record):
    """Parallel lists, in the order of their places in the file."""

    name: list[int] = field(factory=list)
    role: list[int] = field(factory=list)
    line: list[int] = field(factory=list)
    column: list[int] = field(factory=list)
    symbol: list[int] = field(factory=list)
    receiver: list[int] = field(factory=list)
    arguments: list[int] = field(factory=list)


class ImportColumns(Record):
    """Parallel lists."""

    local: list[int] = field(factory=list)
    module: list[int] = field(factory=list)
    name: list[int] = field(factory=list)
    depth: list[int] = field(factory=list)
    line: list[int] = field(factory=list)
    column: list[int] = field(factory=list)
    symbol: list[int] = field(factory=list)
    flags: list[int] = field(factory=list)


class BindingColumns(Record):
    """Parallel lists."""

    name: list[int] = field(factory=list)
    kind: list[int] = field(factory=list)
    symbol: list[int] = field(factory=list)
    line: list[int] = field(factory=list)
    end_line: list[int] = field(factory=list)
    value: list[int] = field(factory=list)


class ExpressionColumns(Record):
    """Parallel lists; row i is expression FIRST_EXPRESSION + i and refers to lower expressions only."""

    kind: list[int] = field(factory=list)
    of: list[int] = field(factory=list)
    text: list[int] = field(factory=list)


class Slice(Record):
    """What one file's bytes say in one language. `strings[0]` is always the empty string."""

    source: str
    """Git blob id (hex) of the content."""
    language: str
    fingerprint: str
    strings: list[str] = field(factory=lambda: [""])
    expressions: ExpressionColumns = field(factory=ExpressionColumns)
    symbols: SymbolColumns = field(factory=SymbolColumns)
    references: ReferenceColumns = field(factory=ReferenceColumns)
    imports: ImportColumns = field(factory=ImportColumns)
    bindings: BindingColumns = field(factory=BindingColumns)
    unparsed: list[tuple[int, int]] = field(factory=list)
    """Line ranges (first, last) that the grammar could not read."""
    omitted: str = ""
    """Why the file was passed over for what it is: `binary`, `lfs-pointer`, `too-large`; empty if it was read."""

    def symbol(self, index: int) -> Symbol:
        """Symbol `index`, readable."""
        s, t = self.symbols, self.strings
        return Symbol(
            t[s.name[index]],
            KINDS[s.kind[index]],
            s.start_line[index],
            s.end_line[index],
            s.line[index],
            s.column[index],
            s.parent[index],
            t[s.signature[index]],
            t[s.doc[index]],
            Flag(s.flags[index]),
            tuple(t[i] for i in s.bases[index]),
            t[s.returns[index]],
            t[s.owner[index]],
        )

    def parts(self, index: int) -> tuple[str, ...]:
        """The names of the symbols around symbol `index`, owners included, and its own; none for the module."""
        s, strings = self.symbols, self.strings
        found: list[str] = []
        while index > 0:
            found.append(strings[s.name[index]])
            if s.owner[index]:
                found.append(strings[s.owner[index]])
            index = s.parent[index]
        return tuple(reversed(found))

    def reference(self, index: int) -> Reference:
        """Reference `index`, readable."""
        r = self.references
        return Reference(
            self.strings[r.name[index]],
            r.role[index],
            r.line[index],
            r.column[index],
            r.symbol[index],
            r.receiver[index],
            r.arguments[index],
        )

    def import_(self, index: int) -> Import:
        """Import `index`, readable."""
        i, t = self.imports, self.strings
        return Import(
            t[i.local[index]],
            t[i.module[index]],
            t[i.name[index]],
            i.depth[index],
            i.line[index],
            i.column[index],
            i.symbol[index],
            ImportFlag(i.flags[index]),
        )

    def binding(self, index: int) -> Binding:
        """Binding `index`, readable."""
        b = self.bindings
        return Binding(
            self.strings[b.name[index]],
            b.kind[index],
            b.symbol[index],
            b.line[index],
            b.end_line[index],
            b.value[index],
        )

    def expression(self, index: int) -> Expression:
        """The row of expression `index`; for none, opaque, self and super a row without operands."""
        if index < FIRST_EXPRESSION:
            return Expression(index)
        e, row = self.expressions, index - FIRST_EXPRESSION
        return Expression(e.kind[row], e.of[row], e.text[row])

    def render(self, index: int) -> str:
        """An expression as text, for explanations and tests: `call(name Foo).bar` reads `Foo().bar`."""
        kind, of, text = self.expression(index)
        words = self.strings[text]
        match kind:
            case 0:
                return ""
            case _ if kind in (OPAQUE, SELF, SUPER):
                return f"<{EXPRESSION_KINDS[kind]}>"
            case _ if kind == X_NAME:
                return words
            case _ if kind == X_ATTRIBUTE:
                return f"{self.render(of)}.{words}"
            case _ if kind == X_CALL:
                return f"{self.render(of)}()"
            case _ if kind == X_INDEX:
                return f"{self.render(of)}[{words}]"
            case _ if kind in (X_ITERATE, X_AWAIT, X_NEW):
                return f"{EXPRESSION_KINDS[kind]} {self.render(of)}"
            case _ if kind == X_ANNOTATION:
                return f": {words}"
            case _:
                return f"<{words}>"

    def symbol_names(self) -> set[str]:
        """The names that this file defines (the module itself, which has none here, left out)."""
        return {self.strings[i] for i in set(self.symbols.name)} - {""}

    def reference_names(self) -> set[str]:
        """The names that this file refers to."""
        return {self.strings[i] for i in set(self.references.name)}

    def children(self, parent: int) -> Iterator[int]:
        """Indices of the symbols that stand directly in symbol `parent`."""
        return (i for i, p in enumerate(self.symbols.parent) if p == parent)


RESOLUTIONS = ("exact", "inferred", "unique", "ambiguous", "receiver-unknown", "dangling")
ATTRIBUTED = frozenset(("exact", "inferred", "unique"))


class Definition(NamedTuple):
    """Where a definition stands in a view: a path and the index of the symbol in its slice. Hashable, ordered."""

    path: str
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody wants of a place


class Resolution(NamedTuple):
    """What a reference was found to be.

    `outcome` is one of RESOLUTIONS. `target` is the definition claimed (exact, inferred, unique), else None. Where a
    reference is one of several at once (the receiver's type is a union, an import brings a value and a type), `target`
    is the first of them and `candidates` are all. Without a target `candidates` are the definitions that remain
    (ambiguous) or share the name (receiver-unknown). `rule` says in one line which rule decided.
    """

    outcome: str
    target: Definition | None = None
    candidates: tuple[Definition, ...] = ()
    rule: str = ""

    @property
    def targets(self) -> tuple[Definition, ...]:
        """Every definition that the reference is attributed to."""
        if self.target is None:
            return ()
        return self.candidates or (self.target,)
