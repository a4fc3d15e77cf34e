"""Attributes: what they say of paths in a worktree and in a commit, and when they need not be asked."""

import pytest

from git_graph.git.attributes import VIEW, Checkout, Mentions, Ruling, Snapshot, mentions, ruling


def rulings(source, *paths):
    return {path: ruling(values) for path, values in source.values(paths, VIEW).items()}


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        (b"*.py text eol=lf\n", Mentions.LINE_ENDINGS),
        (b"a -graph\n", Mentions.VIEW),
        (b"a !graph", Mentions.VIEW),
        (b"a\tlinguist-vendored\r\n", Mentions.VIEW),
        (b"a linguist-language=Python\n", Mentions.VIEW),
        (b"[attr]ours -graph\n", Mentions.VIEW | Mentions.MACROS),
        (b"*.bin filter=lfs diff=lfs merge=lfs -text\n", Mentions.FILTERS | Mentions.LINE_ENDINGS),
        (b"graphs/* diff\nsubtext.txt merge\n", Mentions.NONE),
        (b"a linguist-documentation graphical\n", Mentions.NONE),
        (b"*.svg diff=text\n", Mentions.NONE),
    ],
)
def test_a_source_tells_which_kinds_of_attributes_it_names(line, kinds):
    assert mentions(line) == kinds


RULES = b"""
vendor/** linguist-vendored
gen/* linguist-generated=true
kept/* linguist-generated=false
out.py -graph
*.inc linguist-language=C++
[attr]ours -graph
mine.py ours
"""
PATHS = (b"vendor/x.py", b"gen/x.py", b"kept/x.py", b"out.py", b"a.inc", b"mine.py", b"plain\n\xff.py")
EXPECTED = dict(
    zip(
        PATHS,
        [
            Ruling(True, None), Ruling(True, None), Ruling(False, None), Ruling(True, None), Ruling(False, "C++"),
            Ruling(True, None), Ruling(False, None),
        ],
        strict=True,
    )
)  # fmt: skip


def test_rulings_of_a_worktree(repo):
    repo.write(".gitattributes", RULES)
    assert rulings(Checkout(repo.path), *PATHS) == EXPECTED


def test_rulings_of_a_commit_come_from_its_own_files_alone(repo, sealed):
    repo.write(".gitattributes", RULES)
    repo.write("sub/.gitattributes", "*.py -graph\n")
    repo.commit()
    blobs = [
        (name, repo.git("rev-parse", f"HEAD:{name.decode()}")) for name in (b".gitattributes", b"sub/.gitattributes")
    ]
    repo.remove(".gitattributes")
    repo.write(".git/info/attributes", "*.py -graph\n")
    (sealed / "config" / "git").mkdir(parents=True)
    (sealed / "config" / "git" / "attributes").write_text("*.py -graph\n")
    source = Snapshot(repo.path / ".git" / "objects", blobs)
    assert rulings(source, *PATHS) == EXPECTED
    assert rulings(source, b"sub/x.py") == {b"sub/x.py": Ruling(True, None)}
    assert rulings(Checkout(repo.path), b"plain.py") == {b"plain.py": Ruling(True, None)}


def test_nothing_is_asked_about_no_paths(tmp_path):
    assert Checkout(tmp_path / "nowhere").values([], VIEW) == {}
