"""What the tests of the store share: publishing a picture of some files, and strategies for paths."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from git_graph.git.repository import Repository
from git_graph.store import manifest, views
from git_graph.store.basis import Basis
from git_graph.store.transaction import Transaction
from git_graph.store.views import View

BASIS = Basis("0.1", {"python": (1, "0123456789abcdef")})

names = st.one_of(
    st.sampled_from([b"a", b"b", b"a.b", b"a-", b"=", b"==", b".git", b".gitmodules", b"git~1", b".", b"..", b"\xff"]),
    st.binary(min_size=1, max_size=4).filter(lambda name: b"/" not in name and b"\0" not in name),
)
paths = st.lists(names, min_size=1, max_size=4).map(b"/".join)


def no_path_in_another(files: Mapping[bytes, object]) -> bool:
    """Whether no path is a directory of another, as in any tree of files."""
    return not any(b"/".join(path.split(b"/")[:n]) in files for path in files for n in range(1, path.count(b"/") + 1))


def file_sets(max_size: int = 8) -> st.SearchStrategy[dict[bytes, bytes]]:
    """Path -> content of a possible tree of files."""
    contents = st.integers(0, 5).map(lambda n: b"slice %d" % n)
    return st.dictionaries(paths, contents, max_size=max_size).filter(no_path_in_another)


def publish(
    repository: Repository, files: Mapping[bytes, bytes], name: str = "main-worktree", basis: Basis = BASIS
) -> View:
    """Publish exactly these files (path -> slice bytes) as the view's next snapshot."""
    with Transaction(repository) as transaction:
        tree = manifest.build(transaction, {path: transaction.blob(data) for path, data in files.items()})
        return views.publish(transaction, name, tree, basis, views.read(repository, name))[0]


def content_of(repository: Repository, files_tree: str) -> dict[bytes, bytes]:
    """Path -> slice bytes of a files tree."""
    return {path: repository.objects.blob(id) for path, id in manifest.walk(repository, files_tree)}
