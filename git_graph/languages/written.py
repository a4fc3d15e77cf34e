"""How a language is written, as far as its text alone shows: what comparing sources and counting arguments ask.

Each room says it on its policy. Patterns are regular expressions without named groups but `fence`; the same text gives
the same tokens, and text that is misread is misread on both sides of a comparison alike.
"""

from __future__ import annotations

from git_graph.records import NamedTuple

DOUBLE = r'"(?:\\.|[^"\\\n])*"?'
SINGLE = r"'(?:\\.|[^'\\\n])*'?"
HASHES = r"\#[^\n]*"
SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"


class Written(NamedTuple):
    """What a language's text looks like; the defaults are those of a language about which nothing is said."""

    comment: str = HASHES
    string: str = f"{DOUBLE}|{SINGLE}"
    indents: bool = False
    """Whether indentation means something, and a string that is a whole statement is documentation."""
    quotes_alike: bool = False
    """Whether strings in single and in double quotes mean the same."""
    regex_literals: bool = False
    """Whether `/` may begin a regular expression."""

    # parameters and arguments

    receivers: frozenset[str] = frozenset()
    """Names of a first parameter that no call gives."""
    name_at: str = "type"
    """Where a parameter's name stands: `type` (the last word before a `:` and its type), `first` or `last`."""
    requires: bool = True
    """Whether a call has to give each parameter that has no default."""
    defaults: bool = False
    """Whether `=` in a parameter gives it a default."""
    marks_optional: bool = False
    """Whether `?` behind a name makes it optional, and `?.` or `!` may stand between a name and its arguments."""
    no_parameters: str = ""
    """The word that stands for an empty list of parameters."""
    keywords: bool = False
    """Whether arguments may be given by name, `*` and `/` among parameters say which, and lambdas have no brackets."""
    type_brackets: bool = False
    """Whether `[` behind a name may hold type arguments."""
    spread: tuple[str, ...] = (".", ".", ".")
    """What unpacks a value into arguments."""
    spread_last: bool = False
    """Whether that stands behind the value."""
