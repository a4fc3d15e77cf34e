"""What the tests export: a few files of several languages, and parts that hold anything at all."""

from __future__ import annotations

import textwrap

from hypothesis import strategies as st

from git_graph.engines.memory import view_of
from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.model import KINDS, RESOLUTIONS, ROLES
from git_graph.query.export import Export, Node, Unit, Use, identifier
from git_graph.resolve import Resolver

_SOURCES = {
    "shop/cart.py": """
        class Base:
            def add(self, item):
                return self.price(item)

            def price(self, item):
                return item


        class Cart(Base):
            LIMIT = 10

            def price(self, item):
                return super().price(item) + self.LIMIT


        def größe(cart: Cart):
            return "🛒", cart.add(1)


        try:
            import json
        except ImportError:
            json = None
        """,
    "shop/use.py": """
        from shop.cart import Cart
        from shop import cart as c

        mine = Cart()
        mine.add(1)
        c.größe(mine)
        unknown()
        def test_all():
            assert c.größe(Cart())
        """,
    "a b/`odd`/#1.py": """
        def f():
            pass

        def f(): return f
        """,
    "src/sum.h": """
        #define SIZE 3
        struct pair { int a; int b; };
        int sum(struct pair p);
        """,
    "src/sum.c": """
        #include "sum.h"
        int sum(struct pair p) { return p.a + p.b + SIZE; }
        int main(void) { return 0; }
        """,
    "src/box.cpp": """
        namespace shop {
        class Box {
        public:
          Box();
          int size(int a);
          int size(int a, int b);
          bool operator+(const Box& o);
        };
        Box::Box() {}
        int Box::size(int a) { return size(a, 1); }
        int Box::size(int a, int b) { return a + b; }
        bool Box::operator+(const Box& o) { return true; }
        }
        """,
    "web/app.ts": """
        export interface Shape { area(): number }
        export class Square implements Shape {
          constructor(private a = 1) {}
          area() { return this.a * this.a }
          'two words'() { return 1 }
        }
        export const make = () => new Square()
        """,
    "web/view.tsx": """
        import { make } from "./app"
        export function View() { return <b>{make().area()}</b> }
        """,
    "web/old.js": """
        const app = require("./other")
        exports.run = function run() { return 1 }
        """,
    "lib/lib.go": """
        package lib

        type Store interface{ Get() int }

        type Mem struct{ n int }

        func (m *Mem) Get() int { return m.n }

        func New() Store { return &Mem{} }
        """,
    "lib/lib.rs": """
        pub trait Area { fn area(&self) -> i32; }
        pub struct Sq(i32);
        impl Area for Sq { fn area(&self) -> i32 { self.0 } }
        macro_rules! twice { ($x:expr) => { $x + $x } }
        pub fn f() -> i32 { twice!(Sq(1).area()) }
        """,
    "lib/A.java": """
        package lib;

        class A extends B {
          A() {}
          A(int n) {}
          int f() { return g(); }
        }
        class B { int g() { return 1; } }""",
    "package.json": '{"name": "shop", "main": "web/app.ts"}',
}
SOURCES = {path: textwrap.dedent(source).lstrip("\n") for path, source in _SOURCES.items()}


def resolver_of(files: dict[str, str]) -> Resolver:
    """A resolver over files given as text."""
    slices = {}
    for path, source in files.items():
        data = source.encode()
        language = detect(path, data)
        assert language is not None, path
        slices[path] = extract(language, data)
    return Resolver(view_of(slices))


def units_of(files: dict[str, str]) -> list[Unit]:
    """All that is exported of files given as text."""
    return list(Export(resolver_of(files)).units())


# anything: names of bytes that are not UTF-8 included, and what any format has a meaning for

_bytes = st.one_of(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).map(str.encode),
    st.text("ab`\"'\\\n\t\r!# ;&<>{}[]|\x1b\x9b\x00\x7f\u2028$|-%", min_size=1, max_size=12).map(str.encode),
    st.binary(min_size=1, max_size=6),
)
words = _bytes.map(lambda data: data.decode("utf-8", "surrogateescape"))
"""Text as we have it: what was no UTF-8 is escaped."""
paths = words.map(lambda word: "/".join(part for part in word.split("/") if part not in ("", ".", "..")) or "x")


@st.composite
def some_units(draw: st.DrawFn) -> list[Unit]:
    """Files of one to three symbols of any names, and uses among them."""
    units, ids = [], []
    for path in draw(st.lists(paths, min_size=1, max_size=3, unique=True)):
        module = "".join(f"{identifier(part)}/" for part in path.split("/"))
        rows = [Node(module, True, 0, "", "m", path, "module", 1, 1, 1, 9, "", "", ())]
        for row, name in enumerate(draw(st.lists(words, max_size=3, unique=True)), 1):
            kind = draw(st.sampled_from(KINDS))
            rows.append(
                Node(
                    f"{module}{identifier(name)}.", True, row, module, name, name, kind, row, 1, row, row + 1,
                    draw(words), draw(words), (),
                )
            )  # fmt: skip
        ids += [node.id for node in rows]
        units.append((path, rows))
    found = []
    for path, rows in units:
        uses = [
            Use(
                draw(st.sampled_from([node.id for node in rows])), draw(words), draw(st.sampled_from(ROLES)), line, 1,
                draw(st.sampled_from(RESOLUTIONS)),
                tuple(draw(st.lists(st.sampled_from(ids), max_size=2, unique=True))), 0,
            )
            for line in range(1, draw(st.integers(1, 4)))
        ]  # fmt: skip
        found.append(Unit(path, "python", tuple(rows), tuple(uses)))
    return found
