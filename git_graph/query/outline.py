"""What does this file define?"""

from __future__ import annotations

from collections.abc import Sequence

from git_graph.model import Definition
from git_graph.query.describe import Describer
from git_graph.query.filters import Filter
from git_graph.query.subject import near_paths
from git_graph.query.values import Answer
from git_graph.resolve import Resolver


def outline(resolver: Resolver, path: str, *, kinds: Sequence[str] = (), limit: int = 100) -> Answer:
    """The symbols of a file in the order of their places; `found` is False if the view has no such file.

    Line ranges that the grammar could not read are told in `unparsed`, a file passed over for what it is in `omitted`.
    """
    describer, query = Describer(resolver), {"path": path, "kinds": list(kinds)}
    slice_ = resolver.view.slice(path)
    if slice_ is None:
        return Answer("outline", query, found=False, near=near_paths(resolver, path), facts={"missing": path})
    wanted, symbols = Filter(tuple(kinds)).kind_indices(), slice_.symbols
    indices = [index for index, kind in enumerate(symbols.kind) if kind in wanted]
    indices.sort(key=lambda index: (symbols.line[index], symbols.column[index]))
    shown = indices[:limit] if limit else indices
    warnings = []
    if slice_.omitted:
        warnings.append(f"{path} is passed over: {slice_.omitted}")
    if slice_.unparsed:
        ranges = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in slice_.unparsed[:10])
        more = f" and {len(slice_.unparsed) - 10} more ranges" if len(slice_.unparsed) > 10 else ""
        warnings.append(f"{path} could not be parsed in lines {ranges}{more}")
    return Answer(
        "outline",
        query,
        tuple(describer.symbol(Definition(path, index)) for index in shown),
        len(indices),
        truncated=len(shown) < len(indices),
        warnings=tuple(warnings),
        facts={"language": slice_.language, "omitted": slice_.omitted, "unparsed": slice_.unparsed},
    )
