"""Makes TypeScript readable where its grammar falls short of the language.

The grammar does not know variance (`in T`, `out T`) nor a type called `type`, reads a type that ends a line together
with a `<` or `[` that begins the next (members of object types without semicolons), and knows `import('x').Type` and
escaped backticks in types only in some places. What stands in the way is replaced by something of the same length, so
that every place stays true; names are read from the source as it is. Looks at tokens alone; a function of the bytes
alone.
"""

from __future__ import annotations

import re

_VARIANCE = re.compile(
    rb"(?<=[<,])(\s*(?:(?://[^\n]*\n|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)\s*)*)((?:in\s+out|in|out)\s)(?=\s*[A-Za-z_$])"
)
_SIGNATURE = re.compile(rb"(?m)^[ \t]*[ \t](?=<\s*[A-Za-z_$]|\[\s*(?:readonly\s+)?[\w$]+\s*(?::|in\b))")
_IMPORT = re.compile(rb"(?<=[^\w$.])import\(\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)(?=\s*(?:\.\s*[A-Za-z_$]|[\])>;,|&=]))")
_NAMED_TYPE = re.compile(rb"(?<=[(<,\s])type(?=\s+extends\b)")
_END_OF_TYPE = re.compile(rb"[\w$)\]}>'\"`]")


def mend(source: bytes) -> bytes:
    """`source` with what the grammar trips over replaced, at the same length."""
    text = _VARIANCE.sub(lambda match: match[1] + b" " * len(match[2]), source)
    text = _IMPORT.sub(lambda match: b"_" * len(match[0]) if b"\n" not in match[0] else match[0], text)
    text = _NAMED_TYPE.sub(b"____", text).replace(b"\\`", b"__")
    pieces, last = [], 0
    for match in _SIGNATURE.finditer(text):
        if _ends_type(text, match.start()):
            pieces += [text[last : match.end() - 1], b";"]
            last = match.end()
    return b"".join((*pieces, text[last:]))


def _ends_type(text: bytes, position: int) -> bool:
    """Whether the code before a line could end a type: comments between are skipped."""
    while position > 0:
        first = text.rfind(b"\n", 0, position - 1) + 1
        line = text[first : position - 1].strip()
        position = first
        if not line or line.startswith((b"//", b"*", b"/*")):
            continue
        code = line.split(b"//", 1)[0].rstrip()
        return bool(_END_OF_TYPE.fullmatch(code[-1:])) and not code.endswith(b"=>")
    return False
