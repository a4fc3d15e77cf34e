"""What a warm question costs: what it imports, and which programs it starts."""

import subprocess
import sys

import pytest

CODE = """
import subprocess, sys
started = []
real = subprocess.Popen.__init__
def init(self, args, *rest, **options):
    started.append(next(word for word in args[1:] if not word.startswith("-") and "=" not in word))
    real(self, args, *rest, **options)
subprocess.Popen.__init__ = init
from git_graph.git import worktree
reading = worktree.start()
heavy = [name for name in ("sqlite3", "msgpack", "json") if name in sys.modules]
assert not heavy, f"before git status was started: {heavy}"
from git_graph.git.repository import Repository
from git_graph.sync.answering import answering
answer = answering(Repository.discover(), reading=reading)
print(answer.freshness, *answer.view.defining("f"))
print(*started)
print(*sorted({"pygit2", "tree_sitter", "tree_sitter_language_pack", "git_graph.languages", "git_graph.sync.apply",
      "multiprocessing", "tempfile", "importlib.metadata"} & sys.modules.keys()))
"""


@pytest.fixture
def warm(repo, graph):
    repo.write("a.py", "def f():\n    return 1\n")
    repo.commit()
    repo.write("dirty.py", "def g():\n    return 1\n")
    graph.sync()
    graph.ask()
    return repo


def ask(repo):
    done = subprocess.run([sys.executable, "-c", CODE], cwd=repo.path, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_warm_question_imports_nothing_heavy_and_starts_three_gits(warm):
    answer, started, heavy = ask(warm)
    assert answer == "dirty-but-indexed a.py"
    assert heavy == ""
    assert sorted(started.split()) == ["config", "rev-parse", "status"]


def test_it_stays_warm_when_objects_are_packed(warm):
    warm.git("gc", "-q")
    answer, started, heavy = ask(warm)
    assert (answer, heavy, len(started.split())) == ("dirty-but-indexed a.py", "", 3)


def test_an_edit_costs_no_libgit2(warm, graph):
    warm.write("a.py", "def f():\n    return 2\n")
    answer, _, heavy = ask(warm)
    assert answer == "dirty-but-indexed a.py"
    assert "pygit2" not in heavy and "tree_sitter" not in heavy
