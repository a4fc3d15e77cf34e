"""After any sequence of edits and git commands the incremental manifest is that of a clean rebuild."""

from __future__ import annotations

import functools
import os
import stat
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from git_graph import codec, languages
from git_graph.extract.extractor import blob_id, extract
from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.sync import sync
from git_graph.sync.apply import Builder, Unpublished
from git_graph.sync.cache import Cache
from git_graph.sync.context import Context

PATHS = ("a.py", "b.py", "d/a.py", "d/e/c.py", "d", "tool", "notes.txt", "od d\n\u00fc.py", "d.py/x.py")
CONTENTS = (
    "",
    "def f():\n    return 1\n",
    "def g():\n    return f()\n",
    "class A:\n    def m(self):\n        return self\n",
    "#!/usr/bin/env python3\nprint(1)\n",
    "def broken(:\n",
    "x = '\0'\n",
)
BRANCHES = ("main", "side", "other")


@functools.cache
def slice_of(language: str, source: bytes) -> str:
    return blob_id(codec.encode(extract(language, source)))


def expected(root: Path) -> dict[bytes, str]:
    """What is in the tree, found without any code of sync."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    found = {}
    for path in set(listing.stdout.split(b"\0")) - {b""}:
        name = os.path.join(os.fsencode(root), path)
        if os.path.lexists(name) and stat.S_ISREG(os.lstat(name).st_mode) and not beyond_link(root, path):
            source = Path(os.fsdecode(name)).read_bytes()
            language = languages.detect(os.fsdecode(path), source)
            if language is not None:
                found[path] = slice_of(language, source)
    return found


def beyond_link(root: Path, path: bytes) -> bool:
    parts = path.split(b"/")
    return any(os.path.islink(os.path.join(os.fsencode(root), *parts[:at])) for at in range(1, len(parts)))


class Worktree(RuleBasedStateMachine):
    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.git("init", "-q", "-b", "main")
        self.stashes = 0

    def teardown(self):
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def git(self, *args, check=True):
        done = subprocess.run(["git", *args], cwd=self.root, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        assert not check or done.returncode == 0, done.stderr
        return done.returncode == 0

    @property
    def born(self):
        return self.git("rev-parse", "-q", "--verify", "HEAD", check=False)

    @rule(path=st.sampled_from(PATHS), content=st.sampled_from(CONTENTS), executable=st.booleans())
    def write(self, path, content, executable):
        file = self.root / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_symlink():
                file.unlink()
            file.write_text(content)
            file.chmod(0o755 if executable else 0o644)
        except OSError:
            pass  # a file where a folder has to be, or the other way round

    @rule(path=st.sampled_from(PATHS))
    def link(self, path):
        file = self.root / path
        if file.is_file() and not file.is_symlink():
            file.unlink()
            file.symlink_to("a.py")

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path):
        file = self.root / path
        if file.is_file() or file.is_symlink():
            file.unlink()

    @rule(old=st.sampled_from(PATHS), new=st.sampled_from(PATHS), by_git=st.booleans())
    def rename(self, old, new, by_git):
        if by_git:
            self.git("mv", "-f", old, new, check=False)
        elif (self.root / old).is_file() and (self.root / new).parent.is_dir() and not (self.root / new).exists():
            (self.root / old).rename(self.root / new)

    @rule(everything=st.booleans())
    def stage(self, everything):
        self.git("add", "-A" if everything else "-u")

    @rule(path=st.sampled_from(PATHS), flag=st.sampled_from(["--cached", "-f"]))
    def remove(self, path, flag):
        self.git("rm", "-q", flag, path, check=False)

    @rule(path=st.sampled_from(PATHS))
    def intend_to_add(self, path):
        self.git("add", "-N", path, check=False)

    @rule(path=st.sampled_from(PATHS), flag=st.sampled_from(["--assume-unchanged", "--no-assume-unchanged"]))
    def assume(self, path, flag):
        self.git("update-index", flag, path, check=False)

    @rule(everything=st.booleans())
    def commit(self, everything):
        self.git("commit", "-q", "--allow-empty", "-m", "x", *(["-a"] if everything else []), check=False)

    @precondition(lambda self: self.born)
    @rule(branch=st.sampled_from(BRANCHES))
    def switch(self, branch):
        self.git("checkout", "-q", branch, check=False) or self.git("checkout", "-q", "-b", branch, check=False)

    @precondition(lambda self: self.born)
    @rule()
    def detach(self):
        self.git("checkout", "-q", "--detach", check=False)

    @precondition(lambda self: self.born)
    @rule(untracked=st.booleans())
    def stash(self, untracked):
        self.git("stash", "-q", *(["-u"] if untracked else []), check=False)

    @rule()
    def unstash(self):
        self.git("stash", "pop", "-q", check=False)

    @precondition(lambda self: self.born)
    @rule(branch=st.sampled_from(BRANCHES))
    def merge(self, branch):
        self.git("merge", "-q", "--no-edit", branch, check=False)

    @precondition(lambda self: self.born)
    @rule(mode=st.sampled_from(["--hard", "--mixed", "--soft"]), to=st.sampled_from(["HEAD", "HEAD~1", "main", "side"]))
    def reset(self, mode, to):
        self.git("reset", "-q", mode, to, check=False)

    @rule()
    def clean(self):
        self.git("clean", "-qfd")

    @invariant()
    def manifest_is_that_of_a_clean_rebuild(self):
        repository = Repository.discover(self.root)
        result = sync(repository)
        view = views.read(repository, "main-worktree")
        assert view is not None and view.snapshot.id == result.snapshot
        assert dict(manifest.walk(repository, view.snapshot.files)) == expected(self.root)
        with closing(Context(repository)) as context:
            context.cache = Cache(None)
            tree = context.observe()
            rebuilt = Builder(context, Unpublished(repository)).compute(None, tree)
        assert rebuilt.files_tree == view.snapshot.files
        assert rebuilt.basis.normal() == view.basis.normal()
        assert not sync(Repository.discover(self.root)).published


def check(examples, steps):
    run_state_machine_as_test(
        Worktree,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=steps <= 20,
        ),
    )


def test_any_sequence_of_changes_gives_the_manifest_of_a_clean_rebuild():
    check(examples=6, steps=18)


@pytest.mark.slow
def test_any_long_sequence_of_changes_gives_the_manifest_of_a_clean_rebuild():
    check(examples=60, steps=40)
