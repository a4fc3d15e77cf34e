"""What a repository is: its languages, its layout, its documents, where it is entered, and what most of it depends on.

Costs one pass over the index of names, whatever is stored of the view: symbols are ranked by the number of files that
refer to their names, of which a few references are resolved to see that they are meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from git_graph.languages.policy import CALLED_KINDS, ENTRY_FACTS
from git_graph.model import IMPORT, PROJECT, Definition
from git_graph.query.cue import OVERVIEW, symbol_unit
from git_graph.query.cue_values import Cue, Section, Unit
from git_graph.query.describe import Describer
from git_graph.resolve import Resolver

NAMES, HOMONYMS = 24, 3
"""So many names are looked into, each defined by so many files at most."""
SAMPLES = 2
"""References to a name that are resolved."""
DEPTH = 2
"""Folders are told to this depth."""
SMALL = 0.02
"""A folder below the first level with a smaller share of the files is not told."""
ENTRIES = 20
"""Entry points that are looked for."""


def overview(resolver: Resolver, documents: Iterable[tuple[str, str]], query: dict[str, Any]) -> Cue:
    """The overview of a view; `documents` are (path, content id) of files that people read."""
    paths = resolver.view.paths()
    languages = sorted(resolver.view.languages().items(), key=lambda row: (-row[1], row[0]))
    sections = (
        Section("languages", f"languages of {len(paths)} files", tuple(_counted(languages, "language")), least=1),
        Section("layout", "layout, in files", tuple(_counted(_folders(paths), "folder")), share=2.0),
        Section("documents", "documents", tuple(_documents(documents))),
        Section("entry-points", "entry points", tuple(_entries(resolver))),
        Section("symbols", "most depended-on, by files that use them", tuple(_symbols(resolver)), share=3.0),
    )
    return Cue(OVERVIEW, query, sections, facts={"files": len(paths)})


def _counted(rows: Iterable[tuple[str, int]], what: str) -> Iterator[Unit]:
    return (Unit("", 0, {what: name, "files": count}, f"{count} {name}") for name, count in rows)


def _folders(paths: Iterable[str]) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    total = 0
    for path in paths:
        total += 1
        parts = path.split("/")[:-1]
        counts.update("/".join(parts[:depth]) + "/" for depth in range(1, min(DEPTH, len(parts)) + 1))
    kept = [row for row in counts.items() if row[0].count("/") == 1 or row[1] >= total * SMALL]
    return sorted(kept, key=lambda row: (-row[1], row[0]))


def _documents(documents: Iterable[tuple[str, str]]) -> Iterator[Unit]:
    def key(row: tuple[str, str]) -> tuple[bool, int, str]:
        path = row[0]
        return not path.rpartition("/")[2].lower().startswith("readme"), path.count("/"), path

    for path, content in sorted(documents, key=key):
        yield Unit("", 0, {"path": path, "content": content}, path)


def _entries(resolver: Resolver) -> Iterator[Unit]:
    """What project files name as run or imported first, and functions called `main`."""
    view, describer = resolver.view, Describer(resolver)
    found: list[tuple[int, str, int, Unit]] = []
    for language in sorted(ENTRY_FACTS):
        for path in view.paths_of_language(language):
            slice_ = view.slice(path)
            if slice_ is None:
                continue
            for index in range(len(slice_.bindings.name)):
                fact = slice_.binding(index)
                if fact.kind == PROJECT and fact.name in ENTRY_FACTS[language]:
                    text = slice_.render(fact.value).strip("<>")
                    fields = {"line": fact.line, "kind": fact.name, "name": text}
                    found.append(
                        (
                            path.count("/"),
                            path,
                            fact.line,
                            Unit(path, fact.line, fields, f"{fact.line} {fact.name} {text}"),
                        )
                    )
    for path in view.defining("main"):
        slice_ = view.slice(path)
        for index, number in enumerate(slice_.symbols.name if slice_ else ()):
            if slice_ is not None and slice_.strings[number] == "main" and slice_.symbols.kind[index] in CALLED_KINDS:
                found.append(
                    (path.count("/"), path, slice_.symbols.line[index], _symbol(describer, Definition(path, index)))
                )
    return (unit for *_, unit in sorted(found, key=lambda row: row[:3])[:ENTRIES])


def _symbols(resolver: Resolver) -> Iterator[Unit]:
    """The symbols whose names most files refer to, where a sample of the references means them."""
    view, describer = resolver.view, Describer(resolver)
    rows: list[tuple[float, Definition, int]] = []
    for name, files in view.most_referred(HOMONYMS, NAMES):
        means = _meant(resolver, name)
        rows.extend((files * share, definition, files) for definition, share in means.items())
    for score, definition, _ in sorted(rows, key=lambda row: (-row[0], row[1])):
        yield _symbol(describer, definition, round(score))


def _meant(resolver: Resolver, name: str) -> dict[Definition, float]:
    """Definitions of a name -> the share of the samples that means them."""
    paths = resolver.view.referring(name)
    chosen = [paths[len(paths) * place // SAMPLES] for place in range(min(SAMPLES, len(paths)))]
    found: dict[Definition, float] = {}
    for path in chosen:
        slice_ = resolver.view.slice(path)
        if slice_ is None:
            continue
        r = slice_.references
        index = min(
            (i for i, number in enumerate(r.name) if slice_.strings[number] == name),
            key=lambda i: (r.role[i] == IMPORT, i),
        )
        target = resolver.resolve(path, index).target
        if target is not None and target.index:
            found[target] = found.get(target, 0.0) + 1 / len(chosen)
    return found


def _symbol(describer: Describer, definition: Definition, files: int = 0) -> Unit:
    unit = symbol_unit(describer.symbol(definition), behind=f"  ({files})" if files else "")
    return unit._replace(fields={**unit.fields, "files": files}) if files else unit
