"""The `graph.*` settings of git's configuration, and those of git's own that decide what a file is, by one git call.

Knows every setting there is, its default and what values it takes; knows nothing of what a setting brings about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from git_graph.errors import UsageError
from git_graph.records import NamedTuple

_KEYS = r"^(graph\..*|core\.(sharedrepository|autocrlf|eol|attributesfile|filemode)|filter\..*|remote\..*\.promisor)$"
ARGUMENTS = ("config", "-z", "--get-regexp", _KEYS)
"""The git command whose output `parse` reads; its exit status is 1 when nothing is set."""

_SIZE = re.compile(r"(\d+)([kmg]?)", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_CONVERSION = ("core.autocrlf", "core.eol", "filter.")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0", "")


class Settings(NamedTuple):
    """Every setting, with its default.

    untracked: `graph.untracked`: untracked files that are not ignored are part of the view.
    max_file_size: `graph.maxFileSize`: files above have no symbols; bytes, `k`, `m`, `g` understood.
    history_limit: `graph.historyLimit`: how many earlier snapshots a view keeps.
    jobs: `graph.jobs`: worker processes for extraction; 0: as many as there are processors.
    parse_timeout: `graph.parseTimeout`: seconds for one file.
    lock_timeout: `graph.lockTimeout`: seconds to wait for another process that holds a lock of ours.
    max_fetch_size: `graph.maxFetchSize`: so many bytes at most are fetched from a remote at once, units as above.
    resolve_ahead: `graph.resolveAhead`: in a repository of at most so many files, what references are is found out in
        the background, before anybody asks; 0: never.
    metrics: `graph.metrics`: what commands cost is noted in the git directory.
    engine: `graph.engine`: `sqlite` or `memory`.
    check: `graph.check`: what the pre-push hook does: `no`, `warn`, `yes` (stops a push on findings) or `strict` (also
        where the check itself fails).
    shared: `core.sharedRepository` as it is written, None if unset.
    promisor: the remote that a partial clone fetches from what it left out, None if it is no partial clone.
    attributes_file: `core.attributesFile` as it is written, None if unset.
    file_mode: `core.fileMode`: the executable bit on disk means something.
    auto_crlf: `core.autocrlf` makes git change line endings of files that no attribute speaks of.
    conversion: every key that bears on how git turns files into blobs, and its value.
    """

    untracked: bool = True
    max_file_size: int = 1 << 20
    history_limit: int = 20
    jobs: int = 0
    parse_timeout: int = 10
    lock_timeout: int = 30
    max_fetch_size: int = 512 << 20
    resolve_ahead: int = 20_000
    metrics: bool = True
    engine: str = "sqlite"
    check: str = "no"
    shared: str | None = None
    promisor: str | None = None
    attributes_file: str | None = None
    file_mode: bool = True
    auto_crlf: bool = False
    conversion: tuple[tuple[str, str | None], ...] = ()


def parse(output: bytes) -> Settings:
    """The settings in the output of `git config` with ARGUMENTS; the last value of a key counts.

    Raises:
        UsageError: a value is not what its setting takes.
    """
    values: dict[str, str | None] = {}
    for item in output.split(b"\0")[:-1]:
        key, newline, value = item.decode("utf-8", "surrogateescape").partition("\n")
        values[key] = value if newline else None
    default = Settings()
    return Settings(
        untracked=_boolean(values, "graph.untracked", default.untracked),
        max_file_size=_number(values, "graph.maxFileSize", default.max_file_size),
        history_limit=_number(values, "graph.historyLimit", default.history_limit),
        jobs=_number(values, "graph.jobs", default.jobs),
        parse_timeout=_number(values, "graph.parseTimeout", default.parse_timeout, least=1),
        lock_timeout=_number(values, "graph.lockTimeout", default.lock_timeout),
        max_fetch_size=_number(values, "graph.maxFetchSize", default.max_fetch_size, least=1),
        resolve_ahead=_number(values, "graph.resolveAhead", default.resolve_ahead),
        metrics=_boolean(values, "graph.metrics", default.metrics),
        engine=_choice(values, "graph.engine", ("sqlite", "memory"), default.engine),
        check=_check(values, default.check),
        shared=values.get("core.sharedrepository", default.shared),
        promisor=next((key[7:-9] for key in values if key.startswith("remote.") and _boolean(values, key, True)), None),
        attributes_file=values.get("core.attributesfile"),
        file_mode=_boolean(values, "core.fileMode", default.file_mode),
        auto_crlf=(values.get("core.autocrlf", "false") or "true").lower() not in _FALSE,
        conversion=tuple(sorted(item for item in values.items() if item[0].startswith(_CONVERSION))),
    )


def _boolean(values: dict[str, str | None], key: str, default: bool) -> bool:
    found = key if key in values else key.lower()
    if found not in values:
        return default
    value = values[found]
    if value is None or value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise _bad(key, value, "yes or no")


def _number(values: dict[str, str | None], key: str, default: int, least: int = 0) -> int:
    if key.lower() not in values:
        return default
    value = values[key.lower()] or ""
    match = _SIZE.fullmatch(value)
    number = int(match[1]) * _UNITS[match[2].lower()] if match else -1
    if number < least:
        raise _bad(key, value, f"a whole number of at least {least}, `k`, `m` or `g` allowed behind it")
    return number


def _choice(values: dict[str, str | None], key: str, choices: Sequence[str], default: str) -> str:
    if key.lower() not in values:
        return default
    value = (values[key.lower()] or "").lower()
    if value not in choices:
        raise _bad(key, value, f"one of {', '.join(choices)}")
    return value


def _check(values: dict[str, str | None], default: str) -> str:
    value = values.get("graph.check", default)
    word = "yes" if value is None or value.lower() in _TRUE else "no" if value.lower() in _FALSE else value.lower()
    if word not in (choices := ("no", "warn", "yes", "strict")):
        raise _bad("graph.check", value, f"one of {', '.join(choices)}")
    return word


def _bad(key: str, value: str | None, expected: str) -> UsageError:
    return UsageError(f"setting {key} has the value '{value}'", f"it takes {expected}: git config {key} VALUE")
