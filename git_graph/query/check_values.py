"""What a check finds, and the rules that it finds it by."""

from __future__ import annotations

from git_graph.records import NamedTuple

RULES = {
    "removed-symbol": "A symbol that was removed is still used.",
    "renamed-symbol": "A symbol that was renamed is still used by its old name.",
    "dangling-reference": "A reference that found its symbol finds nothing any more, though the symbol is still there.",
    "missing-arguments": "A function requires more arguments than before, and a call does not give them.",
    "import-cycle": "Files import each other in a circle that was not there before.",
    "forbidden-import": "An import that a rule in .gitgraph/rules.toml forbids.",
}
"""Rule -> what it is about."""


class Finding(NamedTuple):
    """Something that a range of commits breaks: where, by which rule, what is wrong and what to do about it.

    `rule` is one of RULES; one of forbidden-import carries the name of the rule in the file as `name`. `symbol` is what
    it is about, `before` its place on the base side (`path:line`), empty if there is none.
    """

    path: str
    line: int
    column: int
    rule: str
    message: str
    advice: str
    name: str = ""
    symbol: str = ""
    before: str = ""

    @property
    def names(self) -> frozenset[str]:
        """What allows it: the rule, the rule with its name, or everything."""
        return frozenset((self.rule, f"{self.rule}:{self.name}" if self.name else self.rule, "all"))
