"""Project files, mended sources and hostile input of the JavaScript family."""

from __future__ import annotations

import pytest

from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.languages.javascript import policy_types
from git_graph.languages.policy import TypeText
from git_graph.languages.typescript.mend import mend
from git_graph.model import PROJECT, Slice


def facts(slice_: Slice) -> list[tuple[str, str]]:
    found = []
    for index, kind in enumerate(slice_.bindings.kind):
        assert kind == PROJECT
        binding = slice_.binding(index)
        found.append((binding.name, slice_.strings[slice_.expression(binding.value).text]))
    return found


def test_tsconfig_is_json_with_comments_and_trailing_commas() -> None:
    source = b"""{ // the base
      "extends": ["./base.json", "@acme/config"], /* two */
      "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*", "lib//*",], }, "rootDirs": ["a", "b"] },
      "references": [{ "path": "../core" }, 1], // "not": "this"
    }"""
    assert facts(extract("tsconfig", source)) == [
        ("extends", "./base.json"),
        ("extends", "@acme/config"),
        ("reference", "../core"),
        ("baseUrl", "."),
        ("rootDirs", "a"),
        ("rootDirs", "b"),
        ("paths", "@/* => src/*"),
        ("paths", "@/* => lib//*"),
    ]


def test_package_json_flattens_conditions_in_their_order() -> None:
    source = b"""{ "name": "@acme/core", "main": "./dist/index.js", "types": "./dist/index.d.ts",
      "exports": { ".": { "import": { "types": "./a.d.mts", "default": "./a.mjs" }, "require": "./a.cjs" },
                   "./tools/*": ["./tools/*.js"], "./private": null },
      "imports": { "#x": "./x.js" }, "workspaces": { "packages": ["packages/*"] } }"""
    assert facts(extract("package_json", source)) == [
        ("name", "@acme/core"),
        ("entry", "./dist/index.d.ts"),
        ("entry", "./dist/index.js"),
        ("exports", ". => ./a.d.mts"),
        ("exports", ". => ./a.mjs"),
        ("exports", ". => ./a.cjs"),
        ("exports", "./tools/* => ./tools/*.js"),
        ("imports", "#x => ./x.js"),
        ("workspace", "packages/*"),
    ]


@pytest.mark.parametrize("language", ["tsconfig", "package_json"])
@pytest.mark.parametrize("source", [b"", b"[1, 2]", b"{", b"\xff\xfe{}", b'{"a":' * 5000])
def test_project_file_that_is_no_object_is_unparsed(language: str, source: bytes) -> None:
    slice_ = extract(language, source)
    assert slice_.unparsed and not slice_.bindings.name


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/tsconfig.json", "tsconfig"),
        ("tsconfig.build.json", "tsconfig"),
        ("jsconfig.json", "tsconfig"),
        ("package.json", "package_json"),
        ("a.d.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.cjs", "javascript"),
        ("a.tsx", "tsx"),
        ("a.jsx", "javascript"),
    ],
)
def test_language_of_a_path(path: str, language: str) -> None:
    assert detect(path, b"") == language


def test_mending_keeps_length_and_lets_the_grammar_read() -> None:
    wrong = b"interface A<in T> {\n  f(): B\n  <C>(c: C): import('x').Y[]\n  [k: string]: D\n  <E>(): `\\`${F}`\n}"
    assert len(mend(wrong)) == len(wrong)
    slice_ = extract("typescript", wrong)
    assert not slice_.unparsed
    assert {"B", "Y", "D", "F"} <= slice_.reference_names()


def test_what_is_right_stays_right_when_mended() -> None:
    right = b"interface A<T> {\n  f(): T;\n  [k: string]: any;\n  <B>(x: B): void;\n}\nconst a = b < c, d = [x];\n"
    assert not extract("typescript", right).unparsed
    assert mend(right) == right


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
@pytest.mark.parametrize(
    "source",
    [
        b"[" * 50_000,
        b"x" + b".a()" * 20_000,
        b"x=" + b"||".join([b"a"] * 20_000),
        b"x=" + b"+".join([b"a"] * 20_000),
        b"function f(){" * 2000 + b"}" * 2000,
        b"x={a:" * 3000 + b"1" + b"}" * 3000,
        b"const " + b"{a:" * 2000 + b"b" + b"}" * 2000 + b"=c",
        b"/** @param {" + b"{" * 5000 + b"} x */ function f(x) {}",
        b"const \xff\xfe = '\xc3'; \xff.x();",
        b"export { as } from; import from; class { constructor( ; function (",
    ],
    ids=range(10),
)
def test_hostile_source_costs_bounded_time_and_never_fails(language: str, source: bytes) -> None:
    extract(language, source)


def test_long_chains_of_alternatives_are_read() -> None:
    slice_ = extract("javascript", b"x = " + b" || ".join([b"name"] * 20_000))
    assert len(slice_.references.name) == 20_001 and not slice_.unparsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Foo | null | undefined", TypeText("Foo")),
        ("readonly m.Foo[]", TypeText("Array", (TypeText("m.Foo"),))),
        ("Map<string, Foo>", TypeText("Map", (TypeText("string"), TypeText("Foo")))),
        ("Partial<Foo>", TypeText("Foo")),
        ("Foo & Bar", TypeText("Foo", alternatives=(TypeText("Bar"),))),
        ("typeof foo.bar", TypeText("foo.bar", meta=True)),
        ("[a: A, b?: B]", TypeText("Tuple", (TypeText("A"), TypeText("B")))),
        ("(x: A, y) => B", TypeText("Function", (TypeText("B"), TypeText("A"), TypeText("?")))),
        ("{ [key: string]: Foo }", TypeText("Record", (TypeText("?"), TypeText("Foo")))),
        ("x is Foo", TypeText("Foo")),
        ("any", None),
        ("{ a: Foo }", None),
        ("T extends A ? B : C", None),
        ("keyof Foo", None),
        ("Foo<", TypeText("Foo")),
        ("(" * 200, None),
    ],
)
def test_type_as_written_is_taken_apart(text: str, expected: TypeText | None) -> None:
    assert policy_types.parse(text) == expected


@pytest.mark.parametrize(
    ("signature", "position", "expected"),
    [
        ("function f<T extends (x: A) => B>(a: A, b: (c: C) => D = e, ...rest: E[]): F", 1, "(c: C) => D"),
        ("function f(this: X, a?: A)", 0, "A"),
        ("const f: React.FC<Props> = ({ a })", 0, "Props"),
        ("constructor(private readonly a: A, b)", 0, "A"),
        ("constructor(private readonly a: A, b)", 1, ""),
        ("function f(a: { b: C; d: E }, g: H", 1, "H"),
        ("get x(): A", 0, ""),
        ("class A", 0, ""),
    ],
)
def test_type_of_a_parameter_from_a_signature(signature: str, position: int, expected: str) -> None:
    assert policy_types.parameter(signature, position) == expected
