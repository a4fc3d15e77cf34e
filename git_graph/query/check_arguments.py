"""How many arguments a function requires, by its signature, and how many a call gives, by its text.

Whatever cannot be told is None, and a call is never counted low: commas inside of generics or closures count as
arguments, so that what is found missing is missing. Knows nothing of resolution, and of a language only how it is
written.
"""

from __future__ import annotations

from collections.abc import Sequence

from git_graph.languages.written import Written
from git_graph.query.diff_tokens import CLOSERS, OPENERS, Tokens
from git_graph.records import NamedTuple

MAX_LOOK = 20_000
"""Tokens after which a bracket that does not close is given up."""


class Parameters(NamedTuple):
    """What a function takes: names by position, how many of them are required, and what has to be named."""

    names: tuple[str, ...]
    required: int
    keywords: frozenset[str] = frozenset()
    """Required parameters that can only be given by name."""

    def grown_since(self, old: Parameters) -> bool:
        """Whether more is required than before."""
        return self.required > old.required or bool(self.keywords - old.keywords)


class Arguments(NamedTuple):
    """What a call gives: how many by position, which by name, and whether more may come from an unpacked value."""

    positional: int
    names: frozenset[str] = frozenset()
    open: bool = False


def missing(parameters: Parameters, given: Arguments) -> tuple[str, ...]:
    """The required parameters that a call does not give."""
    if given.open:
        return ()
    by_position = parameters.names[: parameters.required][given.positional :]
    return tuple(n for n in (*by_position, *sorted(parameters.keywords)) if n not in given.names)


def parameters(signature: Sequence[str], name: str, written: Written) -> Parameters | None:
    """The parameters in the tokens of a signature; None if they cannot be told."""
    if name not in signature:
        return None
    opening = _opening(signature, signature.index(name) + 1, written, anywhere=True)
    group = _group(signature, opening) if opening is not None else None
    if group is None:
        return None
    names: list[str] = []
    required, keywords, named_only = 0, set(), False
    for piece in _pieces(group):
        if written.keywords:
            if piece == ["/"]:
                continue
            if piece[0] == "*":
                named_only = named_only or len(piece) == 1 or piece[1] != "*"
                continue
        elif _is_rest(piece):
            continue
        word = _name(piece, written)
        if not names and not named_only and word in written.receivers:
            continue
        if written.no_parameters and piece == [written.no_parameters]:
            continue
        needed = not _is_optional(piece, written)
        if named_only:
            keywords |= {word} if needed else set()
            continue
        names.append(word)
        if needed:
            required = len(names)
    return Parameters(tuple(names), required, frozenset(keywords))


def arguments(tokens: Tokens, line: int, column: int, written: Written) -> Arguments | None:
    """What the call of the name at a place gives; None if no call stands there."""
    texts = tokens.texts
    at = tokens.at(line, column)
    if at >= len(texts) or tokens.lines[at] != line:
        return None
    opening = _opening(texts, at + 1, written)
    group = _group(texts, opening) if opening is not None else None
    if group is None:
        return None
    count, names, open_ = 0, set(), False
    for piece in _pieces([text for text in group if not text.startswith("\x01")], lambdas=written.keywords):
        if _spreads(piece, written):
            open_ = True
        elif written.keywords and len(piece) > 2 and piece[1] == "=" and piece[2] != "=":
            names.add(piece[0])
        else:
            count += 1
    return Arguments(count, frozenset(names), open_)


def _opening(texts: Sequence[str], at: int, written: Written, *, anywhere: bool = False) -> int | None:
    """The index of the bracket that opens an argument list, type arguments skipped; `anywhere`: the first there is."""
    depth = 0
    for index in range(at, min(len(texts), at + 200)):
        text = texts[index]
        if text == "(" and not depth:
            return index
        if text in ("<", "["):
            depth += 1
        elif text in (">", "]"):
            depth -= 1
        elif not depth and not anywhere and text not in (":", "?", ".", "!"):
            return None
        if not anywhere and index == at and text == "[" and not written.type_brackets:
            return None
        if not anywhere and text in ("?", ".", "!") and not written.marks_optional:
            return None
    return None


def _group(texts: Sequence[str], opening: int) -> list[str] | None:
    """What stands between a bracket and the one that closes it."""
    depth = 0
    for index in range(opening, min(len(texts), opening + MAX_LOOK)):
        depth += (texts[index] in OPENERS) - (texts[index] in CLOSERS)
        if not depth:
            return list(texts[opening + 1 : index])
    return None


def _pieces(group: Sequence[str], *, lambdas: bool = False) -> list[list[str]]:
    """What stands between the commas of a list; those of a lambda's parameters without brackets are none of them."""
    pieces: list[list[str]] = [[]]
    depth, waiting = 0, 0
    for text in group:
        depth += (text in OPENERS) - (text in CLOSERS)
        if lambdas and text == "lambda" and not depth:
            waiting += 1
        elif waiting and text == ":" and not depth:
            waiting -= 1
        if text == "," and not depth and not waiting:
            pieces.append([])
        else:
            pieces[-1].append(text)
    return [piece for piece in pieces if piece]


def _name(piece: Sequence[str], written: Written) -> str:
    """The name of a parameter: before its type, or behind it as in C and Java."""
    head = list(piece)
    if "=" in head:
        head = head[: head.index("=")]
    if written.name_at == "last":
        words = [text for text in head if text[:1].isalpha() or text[:1] == "_"]
        return words[-1] if words else ""
    if ":" in head:
        head = head[: head.index(":")]
    words = [text for text in head if text[:1].isalpha() or text[:1] in "_$"]
    if not words:
        return ""
    return words[0] if written.name_at == "first" else words[-1]


def _is_rest(piece: Sequence[str]) -> bool:
    return any(piece[i : i + 3] == [".", ".", "."] for i in range(len(piece)))


def _is_optional(piece: Sequence[str], written: Written) -> bool:
    if written.defaults and "=" in piece:
        return True
    return written.marks_optional and "?" in piece[: piece.index(":") if ":" in piece else len(piece)]


def _spreads(piece: Sequence[str], written: Written) -> bool:
    mark = written.spread
    return tuple(piece[-len(mark) :] if written.spread_last else piece[: len(mark)]) == mark
