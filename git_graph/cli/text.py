"""Answers as text: `path:line:` first, as `git grep` prints, one result a line.

What an answer says beside its results (how many, what was left out, what is not known) are notes, which go below the
results on a terminal and to standard error otherwise, so that pipes carry results alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from git_graph.cli.escape import safe, safe_path
from git_graph.cli.notes import count
from git_graph.cli.terminal import Terminal
from git_graph.query.values import (
    Answer,
    CallEdge,
    Cycle,
    Dependency,
    Impacted,
    Ranked,
    ReferenceInfo,
    Step,
    SymbolInfo,
    Unused,
)

VERBS = {
    "call": "calls",
    "instantiate": "makes",
    "read": "reads",
    "write": "writes",
    "type": "names as a type",
    "inherit": "inherits from",
    "implement": "implements",
    "decorate": "is decorated with",
    "import": "imports",
}
"""What a symbol does to another, by role."""


def lines(answer: Answer, terminal: Terminal) -> Iterator[str]:
    """The results, a line each."""
    several = answer.definitions_total > 1
    for result in answer.results:
        yield from _LINES[type(result)](terminal, answer, result, several)


def place(terminal: Terminal, path: str, line: int) -> str:
    """`path:line:` in colour, with the space that follows it."""
    colon = terminal.paint("separator", ":")
    return f"{terminal.paint('filename', safe_path(path))}{colon}{terminal.paint('lineNumber', str(line))}{colon} "


def title(symbol: SymbolInfo) -> str:
    """A symbol as sentences name it."""
    return "the module" if symbol.kind == "module" else safe(symbol.qualified)


def _symbol(terminal: Terminal, answer: Answer, symbol: SymbolInfo, several: bool, mark: str = "") -> Iterator[str]:
    name = safe_path(symbol.path) if symbol.kind == "module" else safe(symbol.qualified)
    head = f"{mark}{symbol.kind} {terminal.paint('function', name)}"
    yield f"{place(terminal, symbol.path, symbol.line)}{head}{_signature(terminal, symbol)}"
    for other in symbol.places:
        yield f"{place(terminal, other.path, other.line)}{mark}{symbol.kind} {name}  (another place of it)"


def _signature(terminal: Terminal, symbol: SymbolInfo) -> str:
    """The signature, where it says more than kind and name do."""
    words = {symbol.name, *symbol.kind.split("_")}
    if all(word in words for word in symbol.signature.split()):
        return ""
    return terminal.paint("context", f"  {safe(symbol.signature)}")


def _reference(terminal: Terminal, answer: Answer, reference: ReferenceInfo, several: bool) -> Iterator[str]:
    what = _what(terminal, reference, several)
    yield (
        f"{place(terminal, reference.path, reference.line)}{terminal.paint('function', title(reference.inside))} "
        f"{VERBS[reference.role]} {what}{_how(terminal, reference)}"
    )


def _what(terminal: Terminal, reference: ReferenceInfo, several: bool) -> str:
    """What is referred to: as it is written, or by name and place where several definitions were asked about."""
    if not several or reference.target is None:
        return safe(reference.name)
    return f"{safe(reference.target.qualified)}{_where(terminal, reference.target)}"


def _where(terminal: Terminal, symbol: SymbolInfo) -> str:
    return terminal.paint("context", f"  {safe_path(symbol.path)}:{symbol.line}")


def _how(terminal: Terminal, reference: ReferenceInfo) -> str:
    """How sure a reference is, and by which rule if that was asked."""
    words = reference.resolution
    if reference.candidates_total:
        words += f": {count(reference.candidates_total, 'candidate')}"
    if reference.rule:
        words += f"; {reference.rule}"
    return terminal.paint("context", f"  ({safe(words)})")


def _edge(terminal: Terminal, answer: Answer, edge: CallEdge, several: bool) -> Iterator[str]:
    callee = answer.command == "callees"
    for site in edge.sites:
        if callee:
            what = f"{terminal.paint('function', title(edge.symbol))}{_where(terminal, edge.symbol)}"
        else:
            what = _what(terminal, site, several)
        subject = title(site.inside) if callee else terminal.paint("function", title(edge.symbol))
        yield f"{place(terminal, site.path, site.line)}{subject} {VERBS[site.role]} {what}{_how(terminal, site)}"


def _impacted(terminal: Terminal, answer: Answer, impacted: Impacted, several: bool) -> Iterator[str]:
    symbol, via = impacted.symbol, impacted.via
    name = terminal.paint("function", title(symbol))
    why = f"{VERBS[via.role]} {title(via.symbol)} in line {via.site.line}"
    yield f"{place(terminal, symbol.path, symbol.line)}{impacted.depth} {symbol.kind} {name}  {why}"


def _step(terminal: Terminal, answer: Answer, step: Step, several: bool) -> Iterator[str]:
    symbol = step.symbol
    name = terminal.paint("function", title(symbol))
    on = f"  calls the next in line {step.site.line}" if step.site else ""
    how = terminal.paint("context", f" ({step.resolution})") if step.site else ""
    yield f"{place(terminal, symbol.path, symbol.line)}{symbol.kind} {name}{on}{how}"


def _ranked(terminal: Terminal, answer: Answer, ranked: Ranked, several: bool) -> Iterator[str]:
    score = f"{ranked.score:.6f}" if answer.query["by"] == "rank" else f"{ranked.score:,.0f}"
    yield from _symbol(terminal, answer, ranked.symbol._replace(places=()), several, f"{score} ")


def _unused(terminal: Terminal, answer: Answer, unused: Unused, several: bool) -> Iterator[str]:
    mark = f"({unused.reason}) " if unused.reason else ""
    yield from _symbol(terminal, answer, unused.symbol, several, mark)


def _dependency(terminal: Terminal, answer: Answer, edge: Dependency, several: bool) -> Iterator[str]:
    target = safe_path(edge.target) if edge.target else f"{safe(edge.module)} (not in the view)"
    when = "  (types only)" if edge.type_only else "  (when called)" if edge.deferred else ""
    yield f"{place(terminal, edge.path, edge.line)}imports {terminal.paint('function', target)}{when}"


def _cycle(terminal: Terminal, answer: Answer, cycle: Cycle, several: bool) -> Iterator[str]:
    for number, edge in enumerate(cycle.edges):
        of = f"  (one of {len(cycle.paths):,} files that import each other)" if not number else ""
        yield next(_dependency(terminal, answer, edge, several)) + of


_LINES: dict[type, Callable[..., Iterator[str]]] = {
    SymbolInfo: _symbol,
    ReferenceInfo: _reference,
    CallEdge: _edge,
    Impacted: _impacted,
    Step: _step,
    Ranked: _ranked,
    Unused: _unused,
    Dependency: _dependency,
    Cycle: _cycle,
}


def outline(answer: Answer, terminal: Terminal) -> Iterator[str]:
    """The symbols of a file, indented as they contain each other."""
    open_: list[SymbolInfo] = []
    for symbol in answer.results:
        while open_ and not _contains(open_[-1], symbol):
            open_.pop()
        name = terminal.paint("function", safe(symbol.name))
        yield (
            f"{place(terminal, symbol.path, symbol.line)}{'  ' * len(open_)}{symbol.kind} {name}"
            f"{_signature(terminal, symbol)}"
        )
        open_.append(symbol)


def _contains(outer: SymbolInfo, inner: SymbolInfo) -> bool:
    return inner.qualified.startswith(f"{outer.qualified}.")
