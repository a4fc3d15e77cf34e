"""Every error that a user can meet: what, where, and what to do next.

    GraphError                  128   error
      UsageError                  2   usage
      NotARepository                  not-a-repository
      BareRepository                  bare-repository
      UnsupportedRepository           unsupported-repository
      UnknownView                     unknown-view
      UnknownRevision                 unknown-revision
      UnknownRemote                   unknown-remote
      Refused                         refused
      NewerFormat                     newer-format
      OlderTool                       older-tool
      CorruptObject                   corrupt-object
      MissingObject                   missing-object
      Locked                          locked
      RefMoved                        ref-moved
      GitFailed                       git-failed
      NotWritable                     not-writable
      DiskFull                        disk-full
      BrokenRules                     broken-rules
      InvalidRules                    invalid-rules
      InvalidTask                     invalid-task

The codes are stable: scripts and agents read them. Knows nothing of how an error is shown.
"""

from __future__ import annotations


class GraphError(Exception):
    """An error with a message for people, a stable code for programs, and a hint."""

    code = "error"
    exit_status = 128

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(GraphError):
    """The command line asks for something that no repository could answer."""

    code = "usage"
    exit_status = 2


class NotARepository(GraphError):
    """There is no git repository at or above the directory."""

    code = "not-a-repository"


class BareRepository(GraphError):
    """The question needs a worktree and the repository has none."""

    code = "bare-repository"


class UnsupportedRepository(GraphError):
    """A repository format (SHA-256, reftable) that libgit2 cannot open."""

    code = "unsupported-repository"


class UnknownView(GraphError):
    """A view that does not exist; the hint lists those that do."""

    code = "unknown-view"


class UnknownRevision(GraphError):
    """A revision that git cannot find."""

    code = "unknown-revision"


class UnknownRemote(GraphError):
    """A remote that is not configured; the hint lists those that are."""

    code = "unknown-remote"


class Refused(GraphError):
    """What a remote offers is not what a published manifest can be: nothing of it is kept."""

    code = "refused"


class NewerFormat(GraphError):
    """A slice or manifest was written by a newer git-graph than this one."""

    code = "newer-format"


class OlderTool(GraphError):
    """A view was written by a newer git-graph: this one does not publish over it."""

    code = "older-tool"


class CorruptObject(GraphError):
    """A stored object is not what its format says."""

    code = "corrupt-object"


class MissingObject(GraphError):
    """A stored object that a manifest names is not in the repository."""

    code = "missing-object"


class Locked(GraphError):
    """Another process holds a lock for longer than we wait."""

    code = "locked"


class RefMoved(GraphError):
    """A ref kept moving under us however often we tried again."""

    code = "ref-moved"


class GitFailed(GraphError):
    """A git command failed; the message carries what git said."""

    code = "git-failed"


class NotWritable(GraphError):
    """The git directory cannot be written."""

    code = "not-writable"


class DiskFull(GraphError):
    """There is no room for an object."""

    code = "disk-full"


class BrokenRules(GraphError):
    """A language's room is not as the rules of rooms demand (a fault of ours or of a plug-in)."""

    code = "broken-rules"


class InvalidRules(GraphError):
    """What a team wrote into `.gitgraph/rules.toml` is no rule."""

    code = "invalid-rules"


class InvalidTask(GraphError):
    """What a team wrote into `.gitgraph/tasks/` is no contract, or no task can have that name."""

    code = "invalid-task"
