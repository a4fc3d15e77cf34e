"""What the resolver and the queries may ask of a view, and what an engine must offer.

A `GraphView` is a view at one root: a fixed set of (path, slice id), read-only. Every engine gives the same answers
(one contract suite holds them to it). Engines hold only what can be deleted at any time and built again from
manifests. Paths are `str` with surrogate escapes, relative to the worktree root, `/` between components.

Any call of an engine or of a view may raise `Corrupt`: what the engine held was damaged. By then it has been thrown
away: `root` answers None for every view. Whoever was answering starts again from `root` and brings `everything()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from git_graph.errors import GraphError
from git_graph.model import Slice
from git_graph.records import NamedTuple


class Corrupt(GraphError):
    """The engine's own file was damaged. It is gone now: bring the view again from its manifest, then ask again."""

    code = "corrupt-engine"


class FileChange(NamedTuple):
    """One path of a view that changes; `slice_id` None: the path goes."""

    path: str
    slice_id: str | None


class KeptFile(NamedTuple):
    """What was found of one path of a view, and on what else that depends. The bytes mean nothing to an engine."""

    footprint: bytes
    data: bytes


class Kept(NamedTuple):
    """What was found of a view's files when they were as `changes` has them on the left.

    `changes`: path -> the ids of its slices then and now (None: it is not there), where these differ.
    `files`: what was found, read as it is asked for; perhaps not of all files. `own`: those of them that views which
    share a base do not share. `whole`: that is all there is to find.
    """

    changes: Mapping[str, tuple[str | None, str | None]]
    files: Mapping[str, KeptFile]
    own: Mapping[str, KeptFile]
    whole: bool


class GraphView(Protocol):
    """A view at one root, as the resolver sees it. Lists of paths are sorted."""

    name: str
    snapshot: str
    """Id of the `snapshot/` tree."""
    files_tree: str
    """Id of the files tree; views with the same one hold the same paths and slices."""

    def paths(self) -> Sequence[str]:
        """Every path that has a slice."""
        ...

    def has(self, path: str) -> bool:
        """Whether the path has a slice."""
        ...

    def slice_id(self, path: str) -> str | None:
        """The id of the path's slice."""
        ...

    def slice(self, path: str) -> Slice | None:
        """The path's slice, decoded; decoded once while the view is in use, within bounded memory."""
        ...

    def language(self, path: str) -> str | None:
        """The language of the path's slice, without decoding it."""
        ...

    def paths_named(self, base: str) -> Sequence[str]:
        """The paths whose last component is `base`."""
        ...

    def paths_in(self, directory: str) -> Sequence[str]:
        """The paths directly in `directory` (empty string: the root)."""
        ...

    def paths_of_language(self, language: str) -> Sequence[str]:
        """The paths whose slice is of `language`."""
        ...

    def languages(self) -> Mapping[str, int]:
        """How many files there are of each language."""
        ...

    def defining(self, name: str) -> Sequence[str]:
        """The paths that define a symbol of that name."""
        ...

    def referring(self, name: str) -> Sequence[str]:
        """The paths with a reference of that name."""
        ...

    def importing(self, name: str) -> Sequence[str]:
        """The paths with an import whose `name` (the imported one) or `local` is that name."""
        ...

    def exporting(self, name: str) -> Sequence[str]:
        """The paths with a binding of kind export, base or alias of that name."""
        ...

    def symbol_names(self, glob: str = "*") -> Sequence[str]:
        """The names defined in the view that match, each once, sorted.

        In `glob`, `*` stands for any characters and `?` for one; everything else, and case, stands for itself.
        """
        ...

    def most_referred(self, most_definitions: int, limit: int) -> Sequence[tuple[str, int]]:
        """The names that most files refer to, with how many do; only names that from 1 to so many files define.

        By falling number, then by name.
        """
        ...

    def shared(self) -> GraphView | None:
        """The view that this one, and others, are told by the difference to; None if it is told as a whole."""
        ...

    def kept(self, mark: str, most: int | None = None) -> Kept | None:
        """What was kept under a mark for the files tree that the view is at, else for one near it.

        With `most`, only if that differs in no more files, and at a cost that does not grow with the view; without,
        what was kept last for any tree if none is near.
        """
        ...

    def keep(self, mark: str, files: Mapping[str, KeptFile], *, whole: bool = False) -> bool:
        """Keep what was found of some more of the view's files, for this and any other view of the same files tree.

        `whole`: with that, all is kept that there is to find. Of a view that is told by the difference to another, only
        what is not kept for that. False if nothing could be kept.
        """
        ...

    def any_slice(self, slice_id: str) -> Slice | None:
        """A slice that the engine still has, whether or not the view holds it."""
        ...

    def reopener(self) -> Callable[[], GraphView] | None:
        """What opens this view, at the same root, in another process: picklable. None if it lives in this one alone.

        Called there it raises KeyError or Corrupt if the view has moved or is gone.
        """
        ...

    def close(self) -> None:
        """Release what the view holds; it answers nothing any more."""
        ...


class Engine(Protocol):
    """Brings views to roots and opens them. Not thread-safe; safe among processes."""

    def root(self, view: str) -> str | None:
        """The root (snapshot id) that the view is at here, or None if the engine does not know it."""
        ...

    def bring(
        self,
        view: str,
        snapshot: str,
        files_tree: str,
        changes: Iterable[FileChange] | None,
        everything: Callable[[], Iterable[tuple[str, str]]],
        read: Callable[[Sequence[str]], Iterator[tuple[str, bytes]]],
        since: str | None = None,
    ) -> None:
        """Bring a view to a root.

        `changes` are the paths that differ from the root `since`, at which this view or any other one is (by default
        the root that this view is at). If they are None, or no view is at `since` any more, the engine takes in
        `everything()` (pairs of path and slice id). `files_tree` is the id of the files tree, by which views share a
        base. `read` gives the bytes of the slices whose ids the engine does not have yet. Atomic: a killed process
        leaves the old root or the new one.
        """
        ...

    def take_in(self, slices: Iterable[tuple[str, bytes]]) -> None:
        """Take slices in ahead of the `bring` that will need them, so that it finds them there.

        Pairs of id and bytes that this process has just encoded: they are not checked again. What no view comes to hold
        is let go of in time.
        """
        ...

    def open(self, view: str) -> GraphView:
        """The view at the root it was last brought to. Raises KeyError if there is none."""
        ...

    def drop(self, view: str) -> None:
        """Forget a view; what no other view holds goes too, at the engine's leisure."""
        ...

    def views(self) -> Sequence[str]:
        """The views known here."""
        ...

    def close(self) -> None:
        """Release what is open."""
        ...
