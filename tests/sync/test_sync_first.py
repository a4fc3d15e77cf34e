from git_graph.git.repository import Repository
from git_graph.sync import status, sync
from git_graph.sync.answering import answering


def test_smoke(repo):
    repo.write("a.py", "def f():\n    return 1\n")
    repo.write("sub/b.py", "def g():\n    return f()\n")
    repo.write("x.txt", "hello\n")
    repo.commit()
    r = sync(Repository.discover(repo.path))
    print(r)
    assert (r.files, r.parsed, r.added, r.freshness) == (2, 2, 2, "current")
    r = sync(Repository.discover(repo.path))
    assert (r.files, r.parsed, r.changed, r.published) == (2, 0, 0, False)
    repo.write("a.py", "def h():\n    return 1\n")
    print(status(Repository.discover(repo.path)))
    a = answering(Repository.discover(repo.path))
    print(a)
    assert list(a.view.defining("h")) == ["a.py"] and a.view.defining("f") == ()
    a = answering(Repository.discover(repo.path), rev="HEAD")
    assert list(a.view.defining("f")) == ["a.py"]
    print(repo.fsck())
