"""Slices as blobs: stored once, by what they say. Knows nothing of paths and views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from git_graph import codec
from git_graph.errors import CorruptObject, MissingObject, NewerFormat
from git_graph.model import Slice
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.git.repository import Repository
    from git_graph.store.transaction import Transaction


HEAD_BYTES = 512
"""The head of a slice (an id, a language's name, a fingerprint) is far shorter than this."""

_MEND = "git graph verify finds what is missing, git graph sync --full makes it again"


class SliceHead(NamedTuple):
    """What a slice says about itself, read without decoding the rest."""

    format: int
    source: str
    language: str
    fingerprint: str


def put(transaction: Transaction, slice_: Slice) -> str:
    """Add a slice; its id. (Bytes that a worker has encoded already: `transaction.blob(data)`.)"""
    return transaction.blob(codec.encode(slice_))


def read(repository: Repository, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The bytes of slices, in the order asked, not validated.

    Raises:
        MissingObject, CorruptObject (also for one too large to be a slice, which is not read)
    """
    try:
        yield from repository.objects.blobs(ids, codec.MAX_BYTES)
    except MissingObject as error:
        raise MissingObject(f"slice: {error.message}", _MEND) from error


def get(repository: Repository, id: str) -> Slice:
    """One slice, decoded and validated. Raises MissingObject, CorruptObject, NewerFormat."""
    for _, data in read(repository, [id]):
        return codec.decode(data)
    raise AssertionError("unreachable")


def head(data: bytes) -> SliceHead:
    """The head of a slice, without looking at the rest. Raises CorruptObject, NewerFormat."""
    import msgpack

    unpacker = msgpack.Unpacker(raw=False, max_buffer_size=len(data) + 1)
    unpacker.feed(data[:HEAD_BYTES])
    try:
        size = unpacker.read_array_header()
        format_ = unpacker.unpack()
        if type(format_) is int and format_ > codec.FORMAT:
            raise NewerFormat(f"slice has format {format_}, this git-graph reads {codec.FORMAT}", "upgrade git-graph")
        source, language, fingerprint = unpacker.unpack(), unpacker.unpack(), unpacker.unpack()
    except (msgpack.UnpackException, ValueError) as error:
        raise CorruptObject("not a slice: its head cannot be read") from error
    if (
        size < 5
        or format_ != codec.FORMAT
        or not (type(source) is type(fingerprint) is bytes and type(language) is str)
    ):
        raise CorruptObject("not a slice: its head is malformed")
    return SliceHead(format_, source.hex(), language, fingerprint.hex())
