"""Who uses it, in any way?"""

from __future__ import annotations

from collections.abc import Sequence

from git_graph.model import RESOLUTIONS, ROLES
from git_graph.query.describe import Describer, attributed, declined
from git_graph.query.subject import Subject, answer, missing, subject
from git_graph.query.values import Answer
from git_graph.resolve import Resolver


def references(
    resolver: Resolver,
    symbol: str,
    *,
    roles: Sequence[str] = (),
    resolutions: Sequence[str] = (),
    explain: bool = False,
    overrides: bool = False,
    limit: int = 100,
) -> Answer:
    """Every reference to a SYMBOL: those attributed to it first, then those that have it among their candidates.

    With `overrides`, every reference to the members that override it as well.
    """
    describer, query = Describer(resolver), {"symbol": symbol, "roles": list(roles), "resolutions": list(resolutions)}
    wanted = subject(describer, symbol)
    if not wanted.definitions:
        return missing("references", query, wanted)
    if overrides:
        wanted = _with_overriding(resolver, wanted)
    wanted_roles = {ROLES.index(role) for role in roles}
    found = [o for o in resolver.references(wanted.definitions) if not roles or resolver.role(o) in wanted_roles]
    kept = [o for o in found if not resolutions or o.resolution.outcome in resolutions]
    kept.sort(key=lambda o: 0 if attributed(o) else RESOLUTIONS.index(o.resolution.outcome))
    shown = kept[:limit] if limit else kept
    results = [describer.reference(o, explain=explain) for o in shown]
    return answer("references", query, describer, wanted, results, len(kept), limit, declined(found))


def _with_overriding(resolver: Resolver, wanted: Subject) -> Subject:
    more = (o for d in wanted.definitions for o in resolver.overriding(d))
    return wanted._replace(definitions=tuple(dict.fromkeys((*wanted.definitions, *more))))
