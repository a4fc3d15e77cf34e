"""Annotated source as tests: carets in comments say what the names above them are and refer to.

A sample is one text file under `tests/languages/<language>/samples/`. It holds one or more source files, each after a
line `=== path`; what stands before the first is a remark. `*.skip` files are samples that do not hold yet: they are
shown as skipped, their first line is the reason.

In a source file, a comment line whose first character after the comment marker is `^` is an annotation of the name
that stands above the caret, in the closest line before that is not an annotation. `<-` in its place means column 1.

    from lib import load
    #               ^ import -> lib.py:1 exact

    class Page(Base):
    #     ^ def class qualified=Page bases=Base flags=exported
        def show(self):
            self.load()
    #            ^ call -> base.py:4 inferred in=Page.show
    #        ^ nothing

    def KIND [qualified=Q] [bases=A,B] [returns=T] [owner=T] [signature=S] [flags=a,b]   (`!a`: flag a is not set)
    ROLE [-> path:line | -> line | -> path | -> ambiguous | -> receiver-unknown | -> dangling] [exact|inferred|unique]
         [in=Q] [of=RECEIVER]
    nothing

Values with spaces stand in double quotes. Annotations stay in the source that is read: they are comments. ROLE may be
`instantiate` where the slice says `call` and the target is a class. `-> ambiguous` may be followed by the candidates:
`-> ambiguous 3 other.py:7`. Several places before the outcome are a reference of several symbols at once.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from git_graph.engines.memory import view_of
from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.model import FLAG_NAMES, KINDS, RESOLUTIONS, ROLES, Definition, Slice
from git_graph.resolve import Resolver

_FILE = re.compile(r"^=== (\S.*)$")
_ANNOTATION = re.compile(r"^\s*(?:#|//|--|/\*|\*|;)\s*(\^|<-)\s*(.*?)\s*(?:\*/)?\s*$")
_OUTCOMES = ("ambiguous", "receiver-unknown", "dangling")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a sample says of the name at a place."""

    path: str
    line: int
    column: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {' '.join(self.words)}"


def files_of(text: str) -> dict[str, str]:
    """The source files of a sample by path."""
    files: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in text.split("\n"):
        if match := _FILE.match(line):
            lines = files.setdefault(match[1], [])
        elif lines is not None:
            lines.append(line)
    return {path: "\n".join(content).rstrip("\n") + "\n" for path, content in files.items()}


def annotations_of(path: str, source: str) -> list[Annotation]:
    """The annotations of one source file; lines and columns are 1-based, columns in code points."""
    found, target = [], 0
    for number, line in enumerate(source.split("\n"), 1):
        match = _ANNOTATION.match(line)
        if match is None:
            target = number
            continue
        column = 1 if match[1] == "<-" else match.start(1) + 1
        found.append(Annotation(path, target, column, tuple(shlex.split(match[2]))))
    return found


class Sample:
    """The files of one sample, extracted and ready to be asked."""

    def __init__(self, text: str) -> None:
        self.files = files_of(text)
        self.slices: dict[str, Slice] = {}
        for path, source in self.files.items():
            content = source.encode("utf-8", "surrogateescape")
            language = detect(path, content)
            assert language is not None, f"{path} has no language"
            self.slices[path] = extract(language, content)
        self.resolver = Resolver(view_of(self.slices))

    def faults(self) -> list[str]:
        """One line for each annotation that does not hold."""
        wanted = [a for path, source in self.files.items() for a in annotations_of(path, source)]
        assert wanted, "the sample says nothing"
        return [f"{a}\n    found: {fault}" for a in wanted if (fault := self.fault(a))]

    def fault(self, annotation: Annotation) -> str:
        """What was found instead, or nothing if the annotation holds."""
        words = annotation.words
        if not words:
            return "an annotation without words"
        if words[0] == "def":
            return self._definition(annotation)
        if words[0] == "nothing":
            found = [*self._symbols_at(annotation), *self._references_at(annotation)]
            return f"{len(found)} records: {self._shown(annotation)}" if found else ""
        if words[0] in ROLES:
            return self._reference(annotation)
        return f"unknown word {words[0]!r}; known are def, nothing and {', '.join(ROLES)}"

    def _symbols_at(self, at: Annotation) -> list[int]:
        s = self.slices[at.path].symbols
        names = self.slices[at.path].strings
        return [
            i
            for i in range(1, len(s.name))
            if s.line[i] == at.line and s.column[i] <= at.column < s.column[i] + max(len(names[s.name[i]]), 1)
        ]

    def _references_at(self, at: Annotation) -> list[int]:
        r = self.slices[at.path].references
        names = self.slices[at.path].strings
        return [
            i
            for i in range(len(r.name))
            if r.line[i] == at.line and r.column[i] <= at.column < r.column[i] + max(len(names[r.name[i]]), 1)
        ]

    def _shown(self, at: Annotation) -> str:
        slice_ = self.slices[at.path]
        symbols = [f"def {slice_.symbol(i).kind} {slice_.symbol(i).name}" for i in self._symbols_at(at)]
        return ", ".join([*symbols, *(self._describe(at.path, i) for i in self._references_at(at))]) or "nothing there"

    def _definition(self, at: Annotation) -> str:
        symbols = self._symbols_at(at)
        if not symbols:
            return self._shown(at)
        faults = []
        for index in symbols:
            if not (fault := self._definition_fault(at, index)):
                return ""
            faults.append(fault)
        return "; ".join(faults)

    def _definition_fault(self, at: Annotation, index: int) -> str:
        symbol = self.slices[at.path].symbol(index)
        kind, *facts = at.words[1:]
        if kind not in KINDS:
            return f"unknown kind {kind!r}; known are {', '.join(KINDS)}"
        if symbol.kind != kind:
            return f"def {symbol.kind} {symbol.name}"
        flags = {name for flag, name in FLAG_NAMES if flag & symbol.flags}
        for fact in facts:
            key, _, value = fact.partition("=")
            if key == "flags":
                for flag in value.split(","):
                    if (flag.lstrip("!") in flags) == flag.startswith("!"):
                        return f"flags={','.join(sorted(flags))}"
                continue
            has = {
                "qualified": lambda: self.resolver.qualified(Definition(at.path, index)),
                "bases": lambda: ",".join(symbol.bases),
                "returns": lambda: symbol.returns,
                "owner": lambda: symbol.owner,
                "signature": lambda: symbol.signature,
                "doc": lambda: symbol.doc,
            }.get(key)
            if has is None:
                return f"unknown fact {key!r}"
            if has().replace(" ", "") != value.replace(" ", ""):
                return f"{key}={has()}"
        return ""

    def _reference(self, at: Annotation) -> str:
        references = self._references_at(at)
        if not references:
            return self._shown(at)
        faults = []
        for index in references:
            if self._holds(at, index):
                return ""
            faults.append(self._describe(at.path, index))
        return "; ".join(faults)

    def _holds(self, at: Annotation, index: int) -> bool:
        slice_ = self.slices[at.path]
        reference = slice_.reference(index)
        role, *words = at.words
        facts = [word for word in words if word.startswith(("in=", "of="))]
        words = [word for word in words if word not in facts]
        for fact in facts:
            key, _, value = fact.partition("=")
            enclosing = self.resolver.enclosing(at.path, index)
            has = self.resolver.qualified(enclosing) if key == "in" else slice_.render(reference.receiver)
            if has != value:
                return False
        if not words:
            return ROLES[reference.role] == role or self._role(at.path, index) == role
        if self._role(at.path, index) != role:
            return False
        resolution = self.resolver.resolve(at.path, index)
        if words[0] != "->":
            return resolution.outcome == words[0]
        target, *rest = words[1:]
        if target in _OUTCOMES:
            places = [self._place(at.path, word) for word in rest]
            candidates = [(c.path, self.slices[c.path].symbols.line[c.index]) for c in resolution.candidates]
            return resolution.outcome == target and (not places or sorted(places) == sorted(candidates))
        targets = [target, *(word for word in rest if word not in RESOLUTIONS)]
        if resolution.target is None or any(word != resolution.outcome for word in rest if word in RESOLUTIONS):
            return False
        found = resolution.target
        if found.index == 0:
            return target == found.path
        if len(targets) == 1:
            return self._place(at.path, target) == (found.path, self.slices[found.path].symbols.line[found.index])
        places = [(d.path, self.slices[d.path].symbols.line[d.index]) for d in resolution.targets]
        return sorted(places) == sorted(self._place(at.path, word) for word in targets)

    @staticmethod
    def _place(path: str, text: str) -> tuple[str, int]:
        if text.isdigit():
            return path, int(text)
        file, _, line = text.rpartition(":")
        return (file, int(line)) if line.isdigit() else (text, 0)

    def _role(self, path: str, index: int) -> str:
        from git_graph.resolve import Occurrence

        return ROLES[self.resolver.role(Occurrence(path, index, self.resolver.resolve(path, index)))]

    def _describe(self, path: str, index: int) -> str:
        slice_ = self.slices[path]
        reference = slice_.reference(index)
        receiver = f" of={slice_.render(reference.receiver)}" if reference.receiver else ""
        text = f"{ROLES[reference.role]} {reference.name}{receiver}"
        try:
            resolution = self.resolver.resolve(path, index)
        except NotImplementedError:
            return text
        places = resolution.targets or resolution.candidates
        shown = " ".join(f"{d.path}:{self.slices[d.path].symbols.line[d.index]}" for d in places)
        inside = self.resolver.qualified(self.resolver.enclosing(path, index))
        return f"{text} -> {shown} {resolution.outcome} in={inside} ({resolution.rule})"


def check(file: Path) -> None:
    """Fail with every annotation of a sample that does not hold."""
    faults = Sample(file.read_text(encoding="utf-8")).faults()
    assert not faults, f"{file.name}: {len(faults)} annotations do not hold\n" + "\n".join(faults)
