"""What the rules were that made a slice: a short hash over all that could make it come out differently.

The grammar's ABI is a function of its package's version, so the version stands for both, and a fingerprint can be told
without loading a grammar: a warm query compares it at each asking.
"""

from __future__ import annotations

import functools
from importlib.util import find_spec
from pathlib import Path

from git_graph import codec, languages
from git_graph.git.hashing import sha256

EXTRACTOR = 1
"""Version of the extractor and its limits: raise it when either changes what a slice says."""

PACK = "tree_sitter_language_pack"
"""The package that the grammars come in."""
_SHARED = ("builder.py", "lexical.py", "walker.py")
_NOT_EXTRACTION = ("__init__", "policy")
"""What the modules of a room that slices do not depend on begin with."""


@functools.cache
def fingerprint(language: str) -> str:
    """The fingerprint (16 hex digits) of a language's rules as they are in this installation."""
    spec = languages.specs()[language]
    digest = sha256()
    for part in (codec.FORMAT, EXTRACTOR, language, spec.version, spec.grammar, _pack() if spec.grammar else ""):
        digest.update(f"{part}\0".encode())
    rooms = Path(languages.__file__).parent
    modules = sorted(file.name for file in (rooms / language).glob("*.py") if not file.name.startswith(_NOT_EXTRACTION))
    for name in (*_SHARED, *spec.shares, f"{language}/spec.toml", *(f"{language}/{module}" for module in modules)):
        digest.update(sha256((rooms / name).read_bytes().replace(b"\r\n", b"\n")).digest())
    return digest.hexdigest()[:16]


@functools.cache
def _pack() -> str:
    """The version of the package that the grammars come in, read off the name of its folder of metadata.

    `importlib.metadata` says the same, at 8 ms a process.
    """
    spec = find_spec(PACK)
    if spec is not None and spec.origin is not None:
        found = list(Path(spec.origin).parent.parent.glob(f"{PACK}-*.dist-info"))
        if len(found) == 1:
            return found[0].name.removeprefix(f"{PACK}-").removesuffix(".dist-info")
    from importlib import metadata

    return metadata.version(PACK)
