"""Slices may come from anyone: whatever they say, resolving ends and answers with definitions of the view."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_graph import codec
from git_graph.engines.memory import view_of
from git_graph.model import (
    BINDING_KINDS,
    EXPRESSION_KINDS,
    FIRST_EXPRESSION,
    KINDS,
    RESOLUTIONS,
    ROLES,
    BindingColumns,
    ExpressionColumns,
    ImportColumns,
    ReferenceColumns,
    Slice,
    SymbolColumns,
)
from git_graph.resolve import Resolver

WORDS = (
    "", "a", "b", "A", "B", "self", "*", "default", "a.b", "A[B]", "list[A]", "Self", "int", "./b", "crate", "A::b",
)  # fmt: skip
ENDINGS = {"python": "py", "typescript": "ts", "go": "go", "rust": "rs", "java": "java", "c": "c", "cpp": "cpp"}


def small(high: int) -> st.SearchStrategy[int]:
    return st.integers(0, high - 1)


@st.composite
def slices(draw: st.DrawFn, language: str) -> Slice:
    word, line = small(len(WORDS)), st.integers(1, 9)
    expressions = ExpressionColumns()
    for row in range(draw(st.integers(0, 8))):
        expressions.kind.append(draw(st.integers(FIRST_EXPRESSION, len(EXPRESSION_KINDS) - 1)))
        expressions.of.append(draw(small(FIRST_EXPRESSION + row)))
        expressions.text.append(draw(word))
    value = small(FIRST_EXPRESSION + len(expressions.kind))
    symbols = SymbolColumns([0], [0], [1], [9], [1], [1], [-1], [0], [0], [0], [[]], [0], [0])
    for row in range(1, draw(st.integers(1, 7))):
        start = symbols.start_line[-1] + draw(small(2))
        place = (start, start + draw(small(4)), start, draw(line))
        facts = (draw(word), draw(small(len(KINDS))), *place, draw(small(row)), 0, 0, draw(small(1 << 13)))
        bases = draw(st.lists(word, max_size=2))
        columns = (facts[:10], bases, draw(word), draw(st.sampled_from((0, 0, 0, 3, 4))))
        flat = (*columns[0], columns[1], columns[2], columns[3])
        for name, entry in zip(SymbolColumns.__slots__, flat, strict=True):
            getattr(symbols, name).append(entry)
    symbol = small(len(symbols.name))
    count = draw(st.integers(0, 6))
    references = ReferenceColumns(
        *([draw(s) for _ in range(count)] for s in (st.integers(1, len(WORDS) - 1), small(len(ROLES)))),
        sorted(draw(line) for _ in range(count)),
        *([draw(s) for _ in range(count)] for s in (line, symbol, value, small(4))),
    )
    count = draw(st.integers(0, 4))
    imports = ImportColumns(
        *([draw(s) for _ in range(count)] for s in (word, word, word, small(3))),
        sorted(draw(line) for _ in range(count)),
        *([draw(s) for _ in range(count)] for s in (line, symbol, small(16))),
    )
    count = draw(st.integers(0, 8))
    lines = sorted(draw(line) for _ in range(count))
    bindings = BindingColumns(
        *([draw(s) for _ in range(count)] for s in (word, small(len(BINDING_KINDS)), symbol)),
        lines,
        [first + draw(small(6)) for first in lines],
        [draw(value) for _ in range(count)],
    )
    return Slice("0" * 40, language, "", list(WORDS), expressions, symbols, references, imports, bindings)


@st.composite
def views(draw: st.DrawFn) -> dict[str, Slice]:
    language = draw(st.sampled_from(sorted(ENDINGS)))
    paths = [f"{stem}.{ENDINGS[language]}" for stem in ("a", "b", "d/a", "d/mod")]
    return {path: draw(slices(language)) for path in paths[: draw(st.integers(1, 4))]}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(views())
def test_any_valid_slices_are_resolved_to_the_end(files: dict[str, Slice]) -> None:
    for path, slice_ in files.items():
        files[path] = codec.decode(codec.encode(slice_))
    resolver = Resolver(view_of(files))
    for path in files:
        for occurrence in resolver.resolve_file(path):
            outcome, target, candidates, rule = occurrence.resolution
            assert outcome in RESOLUTIONS and rule
            assert (target is None) == (outcome not in ("exact", "inferred", "unique"))
            for definition in (*candidates, *((target,) if target else ())):
                assert resolver.group(definition).target == definition
            assert resolver.explain(path, occurrence.index)
            resolver.role(occurrence), resolver.enclosing(path, occurrence.index)
        for index in range(len(files[path].imports.local)):
            resolver.module_targets(path, index)
    for word in WORDS:
        found = resolver.lookup(word)
        assert list(resolver.references(found)) == list(resolver.references(found))
