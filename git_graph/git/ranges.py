"""What a push is measured against: the upstream, what a remote has, and the lines that git hands to a pre-push hook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from git_graph.errors import UsageError
from git_graph.records import NamedTuple

if TYPE_CHECKING:
    from git_graph.git.repository import Repository

NOTHING = "0" * 40
BRANCHES = "refs/heads/"
MOST_BRANCHES = 500
"""Of a remote with more branches, so many are looked at, the newest first."""


class Update(NamedTuple):
    """One ref that is pushed: its name here and there, and the commits; None where there is none."""

    local: str
    new: str | None
    remote: str
    old: str | None


def updates(lines: Iterable[str]) -> list[Update]:
    """The lines of a pre-push hook's standard input; lines of another form are passed over."""
    found = []
    for line in lines:
        parts = line.split(" ")
        if len(parts) == 4:
            local, new, remote, old = (part.strip() for part in parts)
            found.append(Update(local, _id(new), remote, _id(old)))
    return found


def pushed(repository: Repository, remote: str, update: Update) -> tuple[str, str] | None:
    """The two sides of a pushed branch: what the remote has already, and what is pushed.

    None: it is no branch, it is deleted, or nothing of it is known of the remote, which then has nothing to lose.
    A forced push is measured from what both have in common, like any other; commits that came in from other branches of
    the remote are not the pusher's.
    """
    if update.new is None or not update.remote.startswith(BRANCHES):
        return None
    known = list(_tracking(repository, remote))
    if update.old is not None and _is_here(repository, update.old):
        known.append(update.old)
    base = repository.merge_base(update.new, *known) if known else None
    return (base, update.new) if base is not None else None


def upstream(repository: Repository) -> str:
    """What HEAD is measured against: where it parted from its upstream, else from the remote's main branch.

    Raises:
        UsageError: there is neither.
    """
    names = ["@{upstream}", *(f"refs/remotes/{remote}/HEAD" for remote in _remotes(repository))]
    names += [f"refs/remotes/{remote}/{name}" for remote in _remotes(repository) for name in ("main", "master")]
    for name in names:
        if _is_here(repository, name) and (base := repository.merge_base("HEAD", name)) is not None:
            return base
    raise UsageError(
        "this branch has no upstream and no remote has a main branch, so there is nothing to compare with",
        "name a range: git graph check BASE..HEAD",
    )


def _remotes(repository: Repository) -> list[str]:
    names = repository.git("remote").decode("utf-8", "surrogateescape").split()
    return sorted(names, key=lambda name: (name != "origin", name))


def _tracking(repository: Repository, remote: str) -> list[str]:
    """The commits of the remote's branches, as they were last seen."""
    newest = ("--sort=-committerdate", f"--count={MOST_BRANCHES}")
    listed = repository.git("for-each-ref", *newest, "--format=%(objectname) %(objecttype)", f"refs/remotes/{remote}/")
    rows = (line.split() for line in listed.decode("ascii", "replace").splitlines())
    return list(dict.fromkeys(row[0] for row in rows if len(row) == 2 and row[1] == "commit"))


def _is_here(repository: Repository, name: str) -> bool:
    return repository.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").status == 0


def _id(text: str) -> str | None:
    return None if not text.strip("0") else text
