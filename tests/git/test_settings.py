from __future__ import annotations

import pytest

from git_graph.errors import UsageError
from git_graph.git import settings
from git_graph.git.repository import Repository
from git_graph.git.settings import Settings


def read(repo) -> Settings:
    return Repository.discover(repo.path).settings


def test_nothing_set_gives_the_defaults(repo):
    assert read(repo) == Settings()


def test_values_are_read_as_git_writes_them(repo):
    for key, value in {"untracked": "no", "maxFileSize": "2m", "historyLimit": "0", "engine": "Memory"}.items():
        repo.git("config", f"graph.{key}", value)
    found = read(repo)
    assert (found.untracked, found.max_file_size, found.history_limit, found.engine) == (False, 2 << 20, 0, "memory")


def test_a_key_without_a_value_is_true(repo):
    with (repo.path / ".git" / "config").open("a") as file:
        file.write("[graph]\n\tuntracked\n")
    assert read(repo).untracked is True


def test_the_last_value_counts_and_the_command_line_is_honoured(repo, monkeypatch):
    repo.git("config", "--add", "graph.jobs", "1")
    repo.git("config", "--add", "graph.jobs", "3")
    assert read(repo).jobs == 3
    for name, value in {"COUNT": "1", "KEY_0": "graph.jobs", "VALUE_0": "7"}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert read(repo).jobs == 7


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("untracked", "perhaps", "yes or no"),
        ("maxFileSize", "-1", "whole number"),
        ("historyLimit", "many", "whole number"),
        ("parseTimeout", "0", "at least 1"),
        ("engine", "postgres", "sqlite, memory"),
    ],
)
def test_a_bad_value_is_named_with_what_the_setting_takes(repo, key, value, hint):
    repo.git("config", f"graph.{key}", value)
    with pytest.raises(UsageError, match=f"graph.{key} has the value '{value}'") as caught:
        read(repo)
    assert hint in caught.value.hint


def test_values_with_newlines_do_not_confuse_the_reader():
    assert settings.parse(b"graph.jobs\n4\0graph.other\na\nb\0").jobs == 4
