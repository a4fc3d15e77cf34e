"""Which languages there are, and which one a file is in.

A language is a folder here with a `spec.toml`; nothing else lists it. Language is a function of path, bytes and the
`linguist-language` attribute alone, never of neighbouring files. Knows nothing of git and of grammars' internals.

`spec.toml`:

    grammar = "python"              # name in tree-sitter-language-pack; "" for a project file, read without a grammar
    version = 1                     # of the rules in this room: raise it whenever a slice would come out differently
    extensions = [".py"]            # claimed whatever the bytes are
    filenames = ["SConstruct"]      # whole base names, or globs (`tsconfig*.json`)
    shebangs = ["python"]           # interpreters, version digits stripped
    linguist = ["Python"]           # values of the linguist-language attribute
    shares = ["javascript/syntax.py"]   # modules of other rooms that this room's syntax is made of
    scip = "CPP"                    # its name in SCIP's list of languages, if not its first linguist name
    [claims]                        # an extension claimed only if the bytes match the regular expression
    ".h" = '(?m)^\\s*namespace\\b'
"""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from git_graph.errors import BrokenRules
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    import re

    from git_graph.languages.policy import Policy

HEAD_BYTES = 8 * 1024
"""How much of a file a shebang or NUL is looked for in."""

_FIELDS = {"grammar", "version", "extensions", "filenames", "shebangs", "linguist", "claims", "shares", "scip"}


Names = dict[str, str]


class Spec(NamedTuple):
    """A language as its `spec.toml` declares it."""

    name: str
    grammar: str
    version: int
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]
    shebangs: tuple[str, ...]
    linguist: tuple[str, ...]
    claims: tuple[tuple[str, bytes], ...]
    """Extension and regular expression."""
    shares: tuple[str, ...]
    scip: str

    def syntax(self) -> Any:
        """The room's `syntax` module: class `Syntax` (a Walker), or `read(source, builder)` for a project file."""
        return importlib.import_module(f"git_graph.languages.{self.name}.syntax")


def policy_of(language: str) -> Policy:
    """The resolution policy of a language: its room's, or the default one where there is no such room or policy."""
    from git_graph.languages.policy import Policy

    module = f"git_graph.languages.{language}.policy"
    if not language.isidentifier():
        return Policy()
    try:
        found: Policy = importlib.import_module(module).POLICY
    except ModuleNotFoundError as error:
        if error.name not in (module, module.removesuffix(".policy")):
            raise
        return Policy()
    return found


@functools.cache
def specs() -> dict[str, Spec]:
    """Every language by name, sorted by name."""
    import tomllib

    found = {}
    for room in sorted(Path(__file__).parent.iterdir(), key=lambda item: item.name):
        file = room / "spec.toml"
        if file.is_file():
            found[room.name] = _spec(room.name, tomllib.loads(file.read_text(encoding="utf-8")))
    return found


def _spec(name: str, data: dict[str, Any]) -> Spec:
    if unknown := set(data) - _FIELDS:
        raise BrokenRules(f"languages/{name}/spec.toml has {sorted(unknown)}; known are {sorted(_FIELDS)}")
    return Spec(
        name,
        data["grammar"],
        data["version"],
        tuple(data.get("extensions", ())),
        tuple(data.get("filenames", ())),
        tuple(data.get("shebangs", ())),
        tuple(data.get("linguist", ())),
        tuple((ending, pattern.encode()) for ending, pattern in data.get("claims", {}).items()),
        tuple(data.get("shares", ())),
        data.get("scip", ""),
    )


@functools.cache
def _tables() -> tuple[Names, Names, list[tuple[re.Pattern[str], str]], Names, Names]:
    """Look-up tables over all specs: by file name, by extension, by glob, by shebang, by linguist name."""
    import fnmatch
    import re

    names: dict[str, str] = {}
    endings: dict[str, str] = {}
    globs: list[tuple[re.Pattern[str], str]] = []
    shebangs: dict[str, str] = {}
    linguist: dict[str, str] = {}
    for spec in specs().values():
        for pattern in spec.filenames:
            if any(c in pattern for c in "*?["):
                globs.append((re.compile(fnmatch.translate(pattern)), spec.name))
            else:
                names[pattern] = spec.name
        endings |= dict.fromkeys(spec.extensions, spec.name)
        shebangs |= dict.fromkeys(spec.shebangs, spec.name)
        linguist |= {value.lower(): spec.name for value in (*spec.linguist, spec.name)}
    return names, endings, globs, shebangs, linguist


@functools.cache
def _claims() -> dict[str, list[tuple[re.Pattern[bytes], str]]]:
    import re

    claims: dict[str, list[tuple[re.Pattern[bytes], str]]] = {}
    for spec in specs().values():
        for ending, pattern in spec.claims:
            claims.setdefault(ending, []).append((re.compile(pattern), spec.name))
    return claims


def title(language: str) -> str:
    """How a language is called, by its name."""
    spec = specs().get(language)
    return spec.linguist[0] if spec and spec.linguist else language


def scip_name(language: str) -> str:
    """How SCIP calls a language, by its name."""
    spec = specs().get(language)
    return spec.scip if spec and spec.scip else title(language)


def by_linguist(value: str) -> str | None:
    """The language that a `linguist-language` attribute names, or None if it is none of ours."""
    return _tables()[4].get(value.lower())


def by_path(path: str) -> tuple[str | None, bool]:
    """The language that a path alone gives, and whether the bytes could still change that.

    (None, False): no language, whatever the bytes. (None, True): a shebang may decide. ("c", True): C unless the bytes
    claim another language.
    """
    names, endings, globs, _, _ = _tables()
    base = path.rsplit("/", 1)[-1]
    if (name := names.get(base)) is not None:
        return name, False
    for pattern, name in globs:
        if pattern.match(base):
            return name, False
    dot = base.rfind(".")
    if dot <= 0:
        return None, dot < 0
    ending = base[dot:]
    found = endings.get(ending) or endings.get(ending.lower())
    return found, ending in _claims()


def detect(path: str, source: bytes) -> str | None:
    """The language of a file by path and bytes, or None."""
    language, open_ = by_path(path)
    if not open_:
        return language
    base = path.rsplit("/", 1)[-1]
    dot = base.rfind(".")
    if dot < 0:
        return _by_shebang(source)
    for pattern, name in _claims()[base[dot:]]:
        if pattern.search(source):
            return name
    return language


def _by_shebang(source: bytes) -> str | None:
    if not source.startswith(b"#!"):
        return None
    words = source[2 : source.find(b"\n")].decode("utf-8", "replace").split()
    if words and words[0].rsplit("/", 1)[-1] == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if not words:
        return None
    interpreter = words[0].rsplit("/", 1)[-1]
    return _tables()[3].get(interpreter) or _tables()[3].get(interpreter.rstrip("0123456789."))
