"""Slice <-> canonical msgpack, the bytes that are stored as a git blob.

    [format, source, language, fingerprint, strings, expressions, symbols, references, imports, bindings, unparsed,
     omitted]

No maps, no floats, no timestamps. The strings are one, joined by NUL; ids are bytes. Each record type is an array of
columns of small integers; what tends to grow from record to record is stored as the difference to the record before, an
end as that to what it ends in, and an expression that a reference spells as the number of that reference (chosen by
measuring what git's packs make of it). `decode(encode(s)) == s`, and `encode(decode(b)) == b` for bytes that `encode`
made; whatever is malformed, out of range or too large is refused with `CorruptObject`, a format above ours with
`NewerFormat`. Knows nothing of where the bytes come from.
"""

from __future__ import annotations

from itertools import accumulate, chain, count, repeat
from operator import add, and_, rshift, sub
from typing import Any

import msgpack

from git_graph.errors import CorruptObject, NewerFormat
from git_graph.model import (
    BINDING_KINDS,
    EXPRESSION_KINDS,
    FIRST_EXPRESSION,
    KINDS,
    ROLES,
    X_ATTRIBUTE,
    X_NAME,
    BindingColumns,
    ExpressionColumns,
    ImportColumns,
    ReferenceColumns,
    Slice,
    SymbolColumns,
)

FORMAT = 3
MAX_BYTES = 32 * 1024 * 1024
"""No slice of a file within the extractor's limits comes near this; anything above is refused unread."""
MAX_LINE = 1 << 31
SEPARATOR = "\0"
ROLE_BITS = 4
"""A reference's role and its arguments are one number: the role takes the lowest bits."""
AS_REFERENCE = 0
"""Stands for the kind of an expression that is what a reference spells: its receiver's member, or a bare name."""
OMITTED = ("", "binary", "lfs-pointer", "too-large")


def encode(slice_: Slice) -> bytes:
    """The canonical bytes of a slice."""
    s, r, i, b, e = slice_.symbols, slice_.references, slice_.imports, slice_.bindings, slice_.expressions
    document = [
        FORMAT,
        bytes.fromhex(slice_.source),
        slice_.language,
        bytes.fromhex(slice_.fingerprint),
        SEPARATOR.join(slice_.strings),
        _folded(e, r),
        [
            _differences(s.name),
            s.kind,
            _differences(s.start_line),
            list(map(sub, s.end_line, s.start_line)),
            list(map(sub, s.line, s.start_line)),
            s.column,
            s.parent,
            _differences(s.signature),
            _differences(s.doc),
            s.flags,
            s.bases,
            s.returns,
            s.owner,
        ],
        [
            r.name,
            [role | given << ROLE_BITS for role, given in zip(r.role, r.arguments, strict=True)],
            _differences(r.line),
            r.column,
            _differences(r.symbol),
            r.receiver,
        ],
        [i.local, i.module, i.name, i.depth, _differences(i.line), i.column, i.symbol, i.flags],
        [
            b.name,
            b.kind,
            _differences(b.symbol),
            _differences(b.line),
            list(map(sub, map(s.end_line.__getitem__, b.symbol), b.end_line)),
            b.value,
        ],
        [line for pair in slice_.unparsed for line in pair],
        slice_.omitted,
    ]
    packed: bytes = msgpack.packb(document, use_bin_type=True, unicode_errors="surrogateescape")
    return packed


def decode(data: bytes) -> Slice:
    """The slice that `data` encodes.

    Raises:
        NewerFormat: the format is above ours.
        CorruptObject: anything else that a slice cannot be.
    """
    if len(data) > MAX_BYTES:
        raise CorruptObject(f"slice of {len(data)} bytes is above the limit of {MAX_BYTES}")
    try:
        document = msgpack.unpackb(data, raw=False, unicode_errors="surrogateescape", strict_map_key=True)
        _check_shape(document)
        slice_ = _build(document)
        _check_ranges(slice_)
    except (NewerFormat, CorruptObject):
        raise
    except Exception as error:  # msgpack raises many kinds, and so does comparing what is not a number
        raise CorruptObject(f"slice cannot be read: {type(error).__name__}") from error
    return slice_


def decode_trusted(data: bytes) -> Slice:
    """The slice that `data` encodes, several times faster than `decode`: nothing is checked.

    Only for bytes that `decode` or `encode` has seen and a checksum has followed since.
    """
    return _build(msgpack.unpackb(data, raw=False, unicode_errors="surrogateescape"))


def _build(document: Any) -> Slice:
    """The slice that a document of the right shape is; takes the document's lists over."""
    _, source, language, fingerprint, strings, e, s, r, i, b, unparsed, omitted = document
    symbols = SymbolColumns(*s)
    symbols.name = list(accumulate(symbols.name))
    symbols.signature = list(accumulate(symbols.signature))
    symbols.doc = list(accumulate(symbols.doc))
    symbols.start_line = list(accumulate(symbols.start_line))
    symbols.end_line = list(map(add, symbols.end_line, symbols.start_line))
    symbols.line = list(map(add, symbols.line, symbols.start_line))
    name, role, line, column, symbol, receiver = r
    references = ReferenceColumns(
        name,
        list(map(and_, role, repeat((1 << ROLE_BITS) - 1))),
        list(accumulate(line)),
        column,
        list(accumulate(symbol)),
        receiver,
        list(map(rshift, role, repeat(ROLE_BITS))),
    )
    imports = ImportColumns(*i)
    imports.line = list(accumulate(imports.line))
    bindings = BindingColumns(*b)
    bindings.line = list(accumulate(bindings.line))
    bindings.symbol = list(accumulate(bindings.symbol))
    bindings.end_line = list(map(sub, map(symbols.end_line.__getitem__, bindings.symbol), bindings.end_line))
    ranges = list(zip(unparsed[::2], unparsed[1::2], strict=True))
    return Slice(
        source.hex(),
        language,
        fingerprint.hex(),
        strings.split(SEPARATOR),
        _unfolded(e, references),
        symbols,
        references,
        imports,
        bindings,
        ranges,
        omitted,
    )


def _folded(expressions: ExpressionColumns, references: ReferenceColumns) -> list[list[int]]:
    """The columns of expressions without what the references say already: kind, of, and the texts of the others.

    `of` is how far back another expression stands, minus the index of one that is in no table, or, for what a reference
    spells, that reference's number as the difference to the one before.
    """
    spelled: dict[tuple[int, int], int] = {}
    for row, key in enumerate(zip(references.receiver, references.name, strict=True)):
        spelled.setdefault(key, row)
    kinds: list[int] = []
    distances: list[int] = []
    texts: list[int] = []
    before = 0
    rows = zip(expressions.kind, expressions.of, expressions.text, strict=True)
    for index, (kind, of, text) in enumerate(rows, FIRST_EXPRESSION):
        number = spelled.get((of, text)) if _is_spelled(kind, of) else None
        if number is None:
            kinds.append(kind)
            distances.append(index - of if of >= FIRST_EXPRESSION else -of)
            texts.append(text)
        else:
            kinds.append(AS_REFERENCE)
            distances.append(number - before)
            before = number
    return [kinds, distances, texts]


def _is_spelled(kind: int, of: int) -> bool:
    """Whether a reference can spell such an expression."""
    return kind == X_ATTRIBUTE if of else kind == X_NAME


def _unfolded(folded: list[list[int]], references: ReferenceColumns) -> ExpressionColumns:
    """What `_folded` made columns of."""
    kinds, distances, others = folded
    numbers = list(accumulate([distance for kind, distance in zip(kinds, distances, strict=True) if not kind]))
    receivers = map(references.receiver.__getitem__, numbers).__next__
    names = map(references.name.__getitem__, numbers).__next__
    texts = iter(others).__next__
    ofs = [
        (index - distance if distance > 0 else -distance) if kind else receivers()
        for index, kind, distance in zip(count(FIRST_EXPRESSION), kinds, distances, strict=False)
    ]
    return ExpressionColumns(
        [kind or (X_ATTRIBUTE if of else X_NAME) for kind, of in zip(kinds, ofs, strict=True)],
        ofs,
        [texts() if kind else names() for kind in kinds],
    )


def _check_shape(document: Any) -> None:
    """Refuse what does not have the types and lengths of a slice."""
    if type(document) is not list or not document or type(document[0]) is not int:
        raise CorruptObject("not a slice")
    if document[0] > FORMAT:
        raise NewerFormat(f"slice has format {document[0]}, this git-graph reads up to {FORMAT}", "upgrade git-graph")
    if document[0] != FORMAT or len(document) != 12:
        raise CorruptObject("not a slice of a known format")
    _, source, language, fingerprint, strings, e, s, r, i, b, unparsed, omitted = document
    if not (type(source) is type(fingerprint) is bytes and type(language) is str) or omitted not in OMITTED:
        raise CorruptObject("slice with a malformed head")
    if type(strings) is not str or (strings and strings[0] != SEPARATOR):
        raise CorruptObject("slice with a malformed string table")
    if type(e) is not list or len(e) != 3:
        raise CorruptObject("slice with malformed expressions")
    _check_columns(e[:2], 2)
    _check_columns(e[2:], 1)
    spelled = accumulate(distance for kind, distance in zip(e[0], e[1], strict=True) if kind == AS_REFERENCE)
    if len(e[2]) != len(e[0]) - e[0].count(AS_REFERENCE) or min(spelled, default=0) < 0:
        raise CorruptObject("slice with malformed expressions")
    if type(s) is not list or len(s) != 13:
        raise CorruptObject("slice with malformed symbols")
    _check_columns(s[:10] + s[11:], 12)
    bases = s[10]
    if type(bases) is not list or len(bases) != len(s[0]) or (bases and set(map(type, bases)) != {list}):
        raise CorruptObject("slice with malformed bases")
    if set(map(type, chain.from_iterable(bases))) - {int}:
        raise CorruptObject("slice with malformed bases")
    _check_columns(r, 6)
    _check_columns(i, 8)
    _check_columns(b, 6)
    if type(unparsed) is not list or len(unparsed) % 2 or set(map(type, unparsed)) - {int}:
        raise CorruptObject("slice with malformed unparsed ranges")


def _check_ranges(slice_: Slice) -> None:
    """Refuse a slice in which an index leads nowhere or a number is out of range."""
    s, e = slice_.symbols, slice_.expressions
    references, imports, bindings = slice_.references, slice_.imports, slice_.bindings
    names, count, values = len(slice_.strings), len(s.name), FIRST_EXPRESSION + len(e.kind)
    _within(e.kind, FIRST_EXPRESSION, len(EXPRESSION_KINDS))
    _within(e.text, 0, names)
    _within(e.of, 0, values)
    if any(map(int.__ge__, e.of, range(FIRST_EXPRESSION, values))):
        raise CorruptObject("slice with an expression that contains itself")
    for column in (s.name, s.signature, s.doc, s.returns, s.owner, list(chain.from_iterable(s.bases))):
        _within(column, 0, names)
    _within(s.kind, 0, len(KINDS))
    for column in (s.start_line, s.end_line, s.line, s.column):
        _within(column, 1, MAX_LINE)
    _within(s.flags, 0, 1 << 16)
    if count and (s.parent[0] != -1 or s.name[0] != 0):
        raise CorruptObject("slice without its module symbol")
    _within(s.parent[1:], 0, count)
    if any(map(int.__ge__, s.parent, range(count))):
        raise CorruptObject("slice with a symbol before its container")
    _within(references.name, 0, names)
    _within(references.role, 0, len(ROLES))
    _within(references.line, 1, MAX_LINE)
    _within(references.column, 1, MAX_LINE)
    _within(references.symbol, 0, count)
    _within(references.receiver, 0, values)
    _within(references.arguments, 0, MAX_LINE)
    for column in (imports.local, imports.module, imports.name):
        _within(column, 0, names)
    _within(imports.depth, 0, 1 << 16)
    _within(imports.line, 1, MAX_LINE)
    _within(imports.column, 1, MAX_LINE)
    _within(imports.symbol, 0, count)
    _within(imports.flags, 0, 1 << 16)
    _within(bindings.name, 0, names)
    _within(bindings.kind, 0, len(BINDING_KINDS))
    _within(bindings.symbol, 0, count)
    _within(bindings.line, 1, MAX_LINE)
    _within(bindings.end_line, 1, MAX_LINE)
    _within(bindings.value, 0, values)
    for pair in slice_.unparsed:
        _within(list(pair), 1, MAX_LINE)


def _check_columns(raw: Any, count: int) -> None:
    """Refuse what is not `count` lists of integers of one length."""
    if type(raw) is not list or len(raw) != count or set(map(type, raw)) != {list}:
        raise CorruptObject("slice with malformed columns")
    length = len(raw[0])
    for column in raw:
        if len(column) != length or (length and set(map(type, column)) != {int}):
            raise CorruptObject("slice with malformed columns")


def _within(column: list[int], low: int, high: int) -> None:
    if column and (min(column) < low or max(column) >= high):
        raise CorruptObject("slice with a value out of range")


def _differences(column: list[int]) -> list[int]:
    return list(map(sub, column, [0, *column[:-1]])) if column else []
