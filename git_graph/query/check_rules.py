"""The rules that a team tracks: `.gitgraph/rules.toml`, read and checked, and which imports they forbid.

Everything unknown in the file is an error: a rule with a slip in it would forbid nothing, and nobody would notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from git_graph.errors import InvalidRules
from git_graph.query.check_values import RULES
from git_graph.query.filters import path_filter
from git_graph.records import NamedTuple

FILE = ".gitgraph/rules.toml"


class Forbidden(NamedTuple):
    """Files that match `sources` may not import files that match `targets`, but for those that match `excepted`."""

    name: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    excepted: tuple[str, ...] = ()
    reason: str = ""

    def forbids(self, path: str, target: str) -> bool:
        """Whether one file may not import another."""
        if self.excepted and (path_filter(self.excepted)(path) or path_filter(self.excepted)(target)):
            return False
        return path_filter(self.sources)(path) and path_filter(self.targets)(target)


class Rules(NamedTuple):
    """What the file says: forbidden imports, and rules that are not to be held to."""

    forbidden: tuple[Forbidden, ...] = ()
    allowed: tuple[str, ...] = ()


def parse(data: bytes) -> Rules:
    """The rules in the bytes of the file. Raises InvalidRules."""
    import tomllib

    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(f"it is not TOML: {error}") from error
    _only(document, ("forbid", "check"), "the file")
    check = document.get("check", {})
    if not isinstance(check, Mapping):
        raise _wrong("[check] is a table")
    _only(check, ("allow",), "[check]")
    allowed = _texts(check, "allow", "[check]")
    for rule in allowed:
        known_rule(rule)
    tables = document.get("forbid", [])
    if not isinstance(tables, list):
        raise _wrong("forbid is a list of tables: write [[forbid]]")
    return Rules(tuple(_forbidden(table, number) for number, table in enumerate(tables, 1)), allowed)


def known_rule(rule: str) -> None:
    """Make sure that there is a rule of that name (`forbidden-import:NAME` included). Raises InvalidRules."""
    if rule.partition(":")[0] not in RULES and rule != "all":
        raise _wrong(f"there is no rule '{rule}'")


def _forbidden(table: Any, number: int) -> Forbidden:
    where = f"[[forbid]] number {number}"
    if not isinstance(table, Mapping):
        raise _wrong(f"{where} is a table")
    _only(table, ("name", "from", "import", "except", "reason"), where)
    for key in ("name", "reason"):
        if not isinstance(table.get(key, ""), str):
            raise _wrong(f"{key} in {where} is a string")
    sources, targets = _texts(table, "from", where), _texts(table, "import", where)
    if not sources or not targets:
        raise _wrong(f"{where} needs both from and import")
    name = table.get("name") or f"{sources[0]} -> {targets[0]}"
    return Forbidden(name, sources, targets, _texts(table, "except", where), table.get("reason", ""))


def _texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) and item for item in values):
        raise _wrong(f"{key} in {where} is a string or a list of strings")
    return tuple(values)


def _only(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise _wrong(f"{where} has '{key}', which is none of {', '.join(known)}")


def _wrong(what: str) -> InvalidRules:
    return InvalidRules(f"{FILE}: {what}", "see docs/rules.md")
