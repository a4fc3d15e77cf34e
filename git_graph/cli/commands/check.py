"""check."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import click

from git_graph.cli.commands.review import comparison
from git_graph.cli.options import comparing
from git_graph.cli.progress import Progress
from git_graph.cli.session import Session
from git_graph.errors import GraphError

if TYPE_CHECKING:
    from git_graph.query.check_rules import Rules
    from git_graph.query.values import Answer
    from git_graph.sync.values import Answering

FOUND = 1
"""Exit status when there are findings."""


@click.command()
@click.argument("range_", metavar="[RANGE]", required=False)
@click.option(
    "--allow", metavar="RULE", multiple=True, help="Do not hold to RULE (or forbidden-import:NAME); may be repeated."
)
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code-scanning services.")
@click.option(
    "--pre-push",
    "remote",
    metavar="REMOTE",
    help="Read the refs that git hands to a pre-push hook from standard input.",
)
@click.option("--pre-commit", "framework", is_flag=True, help="Check the range that the pre-commit framework gives.")
@comparing
def check(
    session: Session, range_: str | None, allow: tuple[str, ...], sarif: bool, remote: str | None, framework: bool
) -> None:
    """Tell what a range of commits breaks.

    RANGE is A..B: what B breaks that stood where both parted. A alone is compared with the files on disk. Without RANGE
    it is what HEAD adds to its upstream. Found are references to symbols that were removed, renamed or moved out of
    reach, calls that miss new required arguments, new circles of imports, and imports that a rule in
    .gitgraph/rules.toml forbids.
    A comment `git-graph: allow RULE` on the line, or above it, silences one. Exit status 1: there are findings.
    """
    for rule in allow:
        _known(rule)
    if remote is not None or framework:
        _push(session, remote, allow)
        return
    answer, answering = _checked(session, *_sides(session, range_), allow)
    if sarif:
        from git_graph import __version__
        from git_graph.cli.sarif import document

        session.print_json(document(answer, __version__))
        _status(session, answer)
        return
    _show(session, answer, answering)


def _known(rule: str) -> None:
    from git_graph.errors import UsageError
    from git_graph.query.check_values import RULES

    if rule.partition(":")[0] not in RULES and rule != "all":
        raise UsageError(f"there is no rule '{rule}'", f"there are {', '.join(RULES)}")


def _sides(session: Session, range_: str | None) -> tuple[str, str | None]:
    """The base side and the new one."""
    from git_graph.git.ranges import upstream

    if range_ is None:
        return upstream(session.repository), "HEAD"
    old, new = session.range(range_, None)
    if new is None:
        return old, None
    return session.repository.merge_base(old, new) or old, new


def _checked(session: Session, old: str, new: str | None, allow: Collection[str]) -> tuple[Answer, Answering]:
    from git_graph.query.check import check as ask
    from git_graph.query.check_rules import FILE

    with comparison(session, old, new) as (compared, sides), Progress("resolving") as progress:
        rules = _rules(compared.new.load(FILE))
        query = {"base": compared.old.answering.head, "new": compared.new.label, "allow": sorted(allow)}
        answer = ask(sides, query, rules, allow=allow, limit=session.limit, progress=progress)
        answer = answer._replace(facts={"base": session.state(compared.old.answering), **answer.facts})
        return answer, compared.new.answering


def _rules(data: bytes | None) -> Rules:
    from git_graph.query.check_rules import Rules, parse

    return Rules() if data is None else parse(data)


def _show(session: Session, answer: Answer, answering: Answering) -> None:
    from git_graph.cli import review

    session.show(answer, answering, review.findings, review.verdict(answer))
    _status(session, answer)


def _status(session: Session, answer: Answer) -> None:
    if answer.total:
        session.status = FOUND


# as a hook


def _push(session: Session, remote: str | None, allow: Collection[str]) -> None:
    """Check what is pushed, as `graph.check` says; a fault of ours stops nobody who has not asked for that."""
    try:
        wish = session.repository.settings.check
        stops = _broken(session, _pushed(session, remote) if remote is not None else _given(session), allow)
    except Exception as error:
        if _is_strict(session):
            raise
        told = error.message if isinstance(error, GraphError) else f"{type(error).__name__}: {error}"
        session.complain(f"git-graph: the push was not checked: {' '.join(told.split())}")
        session.status = 0
        return
    session.status = FOUND if stops and wish != "warn" else 0
    if stops:
        session.complain(
            "git-graph: these would break what the remote has"
            + ("; git push --no-verify pushes all the same" if session.status else "")
        )


def _is_strict(session: Session) -> bool:
    try:
        return session.repository.settings.check == "strict"
    except GraphError:
        return False


Pairs = Sequence[tuple[str, str] | None]
"""The two sides of each branch; None where there is nothing to check."""


def _pushed(session: Session, remote: str) -> Pairs:
    """What git hands to its hook."""
    from git_graph.git.ranges import pushed, updates

    return [pushed(session.repository, remote, update) for update in updates(sys.stdin)]


def _given(session: Session) -> Pairs:
    """What the pre-commit framework says is pushed, in its variables; nothing if all is (a first push)."""
    old, new = (os.environ.get(f"PRE_COMMIT_{side}_REF") for side in ("FROM", "TO"))
    if not old or not new:
        return []
    return [(session.repository.merge_base(old, new) or old, new)]


def _broken(session: Session, sides: Pairs, allow: Collection[str]) -> bool:
    """Check every branch and show what is found; whether anything is."""
    found = False
    for pair in dict.fromkeys(pair for pair in sides if pair is not None):
        if pair[0] == pair[1]:
            continue
        answer, answering = _checked(session, *pair, allow)
        if answer.total:
            found = True
            _show(session, answer, answering)
    return found
