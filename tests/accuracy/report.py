"""How scores are told: one block an archive, and a table of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.accuracy.corpora import Corpus
from tests.accuracy.scoring import Row, Score, Tally

SITES = 6
"""Faulty sites that are shown of each of the worst definitions."""


def lines(score: Score, worst: int = 0, name: str = "") -> Iterator[str]:
    """One archive: the whole, each kind of definition, each resolution, each role, what was missed, the worst."""
    total = score.total
    yield f"\n{score.label} ({score.server}): {len(score.rows)} definitions, {total.right + total.missed} sites"
    possible = (total.right + score.possible) / (total.right + total.missed or 1)
    yield f"  {_scores(total)}  recall with what is possible {possible:.3f}"
    yield "  F1          " + _each(score.kinds, lambda t: t.f1, lambda t: t.right + t.missed)
    yield "  precision   " + _each(score.resolutions, lambda t: t.precision, lambda t: t.right + t.wrong)
    yield "  precision   " + _each(score.roles, lambda t: t.precision, lambda t: t.right + t.wrong)
    if score.unknown:
        yield f"  {score.unknown} definitions are no symbols here"
    if score.misses:
        yield "  missed      " + ", ".join(f"{how} {count}" for how, count in score.misses.most_common())
    for row in score.worst(worst):
        yield from _row(row, SITES)
    for row in score.rows:
        if name and row.asked.name == name and (row.wrong or row.missed):
            yield from _row(row, len(row.wrong) + len(row.missed))


def table(scores: Iterable[tuple[Corpus, Score]]) -> Iterator[str]:
    """All archives in a few columns, and each language together."""
    languages: dict[tuple[str, bool], tuple[Tally, Tally]] = {}
    yield f"\n{'archive':34} {'definitions':>11} {'sites':>6} {'precision':>9} {'recall':>7} {'F1':>6} {'exact':>6}"
    for corpus, score in scores:
        exact = score.resolutions.get("exact", Tally())
        yield _line(score.label + ("" if corpus.seen else " *"), len(score.rows), score.total, exact)
        total, sure = languages.setdefault((corpus.language, corpus.seen), (Tally(), Tally()))
        total.add(score.total)
        sure.add(exact)
    for (language, seen), (total, sure) in languages.items():
        yield _line(f"{language}, {'looked at' if seen else 'not looked at *'}", None, total, sure)


def _line(label: str, count: int | None, total: Tally, exact: Tally) -> str:
    return (
        f"{label:34} {'' if count is None else count:>11} {total.right + total.missed:>6} {total.precision:>9.3f} "
        f"{total.recall:>7.3f} {total.f1:>6.3f} {exact.precision:>6.3f}"
    )


def _scores(tally: Tally) -> str:
    return f"precision {tally.precision:.3f}  recall {tally.recall:.3f}  F1 {tally.f1:.3f}"


def _each(tallies: Mapping[str, Tally], value, size) -> str:  # type: ignore[no-untyped-def]
    ordered = sorted(tallies.items(), key=lambda item: -size(item[1]))
    return ", ".join(f"{name} {value(tally):.3f} of {size(tally)}" for name, tally in ordered)


def _row(row: Row, count: int) -> Iterator[str]:
    asked = row.asked
    yield f"  {row.tally.f1:.2f} {asked.path}:{asked.line} {asked.name} ({asked.kind})"
    for what, sites in (("wrong", row.wrong), ("missed", row.missed)):
        for (path, line), why in list(sites.items())[:count]:
            yield f"       {what:6} {path}:{line}  {why}"
        if len(sites) > count:
            yield f"       {what:6} and {len(sites) - count} more"
