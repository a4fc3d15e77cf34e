"""A view is resolved once; after a change only what may have changed is, and what comes of it is as if all had been."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_graph import codec
from git_graph.engines.memory import MemoryEngine, view_of
from git_graph.engines.protocol import Engine, GraphView
from git_graph.engines.sqlite import SqliteEngine
from git_graph.extract import extract
from git_graph.languages import detect
from git_graph.model import Slice
from git_graph.resolve import Resolver, stored
from git_graph.resolve.recording import Recorder
from git_graph.resolve.records import encode
from git_graph.resolve.stored import completed
from tests.resolve.test_any_slices import ENDINGS, slices, views

PATHS = {
    f"{stem}.{ending}": language
    for language, ending in ENDINGS.items()
    for stem in ("a", "b", "A", "d/a", "d/mod", "a/b", "b/a", "a/__init__", "d/__init__", "a/index", "lib", "a_test")
} | {"go.mod": "go_mod", "package.json": "package_json", "a/package.json": "package_json", "tsconfig.json": "tsconfig"}
PATHS |= {"pyproject.toml": "pyproject", "Cargo.toml": "cargo"}

SAMPLE = {
    "shop/models.py": "class Item:\n    def save(self):\n        return self.key()\n    def key(self): return 1\n",
    "shop/views.py": "from shop.models import Item\ndef show():\n    item = Item()\n    return item.save()\n",
    "shop/text.py": "def slug(value):\n    return value.strip()\n",
    "shop/urls.py": "from shop.text import slug\nfrom shop.views import show\nshow()\nslug('a')\nother.run()\n",
}


def quiet(done: int, total: int) -> None:
    pass


def sliced(files: Mapping[str, str]) -> dict[str, Slice]:
    found = {}
    for path, text in files.items():
        language = detect(path, text.encode())
        assert language is not None
        found[path] = extract(language, text.encode())
    return found


def brought(engine: Engine, files: Mapping[str, Slice]) -> GraphView:
    encoded = {path: codec.encode(slice_) for path, slice_ in files.items()}
    ids = {path: hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() for path, data in encoded.items()}
    data = {ids[path]: content for path, content in encoded.items()}
    tree = hashlib.sha1(repr(sorted(ids.items())).encode()).hexdigest()
    engine.bring("view", tree, tree, None, lambda: ids.items(), lambda wanted: ((i, data[i]) for i in wanted))
    return engine.open("view")


def kept(view: GraphView) -> dict[str, bytes]:
    found = view.kept(stored._made_by())
    assert found is not None
    assert not found.changes
    return {path: found.files[path].data for path in view.paths()}


def from_scratch(files: Mapping[str, Slice]) -> dict[str, bytes]:
    view = view_of(files)
    recorder = Recorder(view)
    return {path: encode(recorder.file(path)) for path in reversed(view.paths())}


@pytest.fixture(params=["memory", "sqlite"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    return MemoryEngine() if request.param == "memory" else SqliteEngine(tmp_path)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were resolved, as they are."""
    paths: list[str] = []
    resolve = Recorder.file

    def file(self: Recorder, path: str) -> object:
        paths.append(path)
        return resolve(self, path)

    monkeypatch.setattr(Recorder, "file", file)
    return paths


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(views(), st.data())
def test_after_any_change_what_is_found_is_what_would_be_found_anew(
    files: dict[str, Slice], data: st.DataObject
) -> None:
    engine = MemoryEngine()
    completed(brought(engine, files), quiet)
    for _ in range(2):
        files = changed(files, data)
        view = brought(engine, files)
        completed(view, quiet)
        assert kept(engine.open("view")) == from_scratch(files)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(views(), st.data())
def test_what_a_question_takes_from_before_a_change_is_what_would_be_found_anew(
    files: dict[str, Slice], data: st.DataObject
) -> None:
    engine = MemoryEngine()
    completed(brought(engine, files), quiet)
    files = changed(changed(files, data), data)
    known, anew = stored.stored(brought(engine, files)), from_scratch(files)
    for path in files:
        held = known.held(path)
        assert held is None or held.data == anew[path]


def changed(files: dict[str, Slice], data: st.DataObject) -> dict[str, Slice]:
    """The files after one of them is written, comes, or goes."""
    path = data.draw(st.sampled_from([*sorted(files), *sorted(PATHS.keys() - files.keys())]))
    if path in files and len(files) > 1 and data.draw(st.booleans()):
        return {other: slice_ for other, slice_ in files.items() if other != path}
    return {**files, path: data.draw(slices(files[path].language if path in files else PATHS[path]))}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(views())
def test_what_is_found_does_not_depend_on_what_was_asked_first(files: dict[str, Slice]) -> None:
    view = view_of(files)
    recorder = Recorder(view)
    assert {path: encode(recorder.file(path)) for path in view.paths()} == from_scratch(files)


def test_an_edit_inside_a_function_resolves_that_file_alone(engine: Engine, found: list[str]) -> None:
    files = sliced(SAMPLE)
    completed(brought(engine, files), quiet)
    assert sorted(found) == sorted(SAMPLE)
    found.clear()
    body = "# moved down\n" + SAMPLE["shop/models.py"].replace(
        "        return self", "        slug()\n        return self"
    )
    files |= sliced({"shop/models.py": body})
    view = brought(engine, files)
    completed(view, quiet)
    assert found == ["shop/models.py"]
    assert kept(engine.open("view")) == from_scratch(files)


def test_what_others_see_of_a_file_resolves_those_who_looked(engine: Engine, found: list[str]) -> None:
    files = sliced(SAMPLE)
    completed(brought(engine, files), quiet)
    found.clear()
    files |= sliced({"shop/models.py": "class Item:\n    def key(self):\n        return 1\n"})
    view = brought(engine, files)
    completed(view, quiet)
    assert set(found) == {"shop/models.py", "shop/views.py"}
    assert kept(engine.open("view")) == from_scratch(files)


def test_a_new_definition_of_a_name_resolves_those_who_asked_for_it(engine: Engine, found: list[str]) -> None:
    files = sliced(SAMPLE)
    completed(brought(engine, files), quiet)
    found.clear()
    files |= sliced({"shop/text.py": SAMPLE["shop/text.py"] + "class Job:\n    def run(self):\n        pass\n"})
    view = brought(engine, files)
    completed(view, quiet)
    assert "shop/urls.py" in found, "other.run() may be Job.run now"
    assert "shop/views.py" not in found
    assert kept(engine.open("view")) == from_scratch(files)


def test_a_file_that_goes_resolves_those_who_looked(engine: Engine, found: list[str]) -> None:
    files = sliced(SAMPLE)
    completed(brought(engine, files), quiet)
    found.clear()
    del files["shop/text.py"]
    view = brought(engine, files)
    completed(view, quiet)
    assert found == ["shop/urls.py"]
    assert kept(engine.open("view")) == from_scratch(files)


def test_a_file_that_comes_resolves_those_who_looked_for_it(engine: Engine, found: list[str]) -> None:
    files = sliced({**SAMPLE, "shop/late.py": "from shop.cart import total\ntotal()\n", "shop/__init__.py": ""})
    completed(brought(engine, files), quiet)
    found.clear()
    files |= sliced({"shop/cart.py": "def total():\n    return 0\n"})
    view = brought(engine, files)
    completed(view, quiet)
    assert sorted(found) == ["shop/cart.py", "shop/late.py"]
    assert kept(engine.open("view")) == from_scratch(files)


def test_what_is_kept_is_found_again_by_a_view_that_comes_back(engine: Engine, found: list[str]) -> None:
    files = sliced(SAMPLE)
    completed(brought(engine, files), quiet)
    completed(brought(engine, files), quiet)
    assert sorted(found) == sorted(SAMPLE), "once"


def test_questions_are_answered_alike_with_and_without_what_is_stored(engine: Engine) -> None:
    view = brought(engine, sliced(SAMPLE))
    names = ("Item.save", "Item", "slug", "show", "key", "shop/text.py")

    def answers(resolver: Resolver) -> list[object]:
        sites = [o for name in names for o in resolver.references(resolver.lookup(name))]
        return [(o, resolver.role(o), resolver.enclosing(o.path, o.index)) for o in sites]

    before = answers(Resolver(view))
    assert before
    completed(view, quiet)
    assert answers(Resolver(engine.open("view"))) == before


def test_what_other_code_found_is_found_again(
    engine: Engine, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sliced(SAMPLE)
    completed(brought(engine, files), quiet)
    found.clear()
    monkeypatch.setattr(stored, "_made_by", lambda: "another version")
    completed(brought(engine, files), quiet)
    assert sorted(found) == sorted(SAMPLE)


def test_damaged_records_are_found_again(engine: Engine, found: list[str]) -> None:
    files = sliced(SAMPLE)
    view = brought(engine, files)
    completed(view, quiet)
    whole = view.kept(stored._made_by())
    assert whole is not None
    spoilt = {path: file._replace(data=file.data[:-1] + b"\xff\xff") for path, file in whole.files.items()}
    view.keep(stored._made_by(), spoilt)
    found.clear()
    view = engine.open("view")
    assert completed(view, quiet).file("shop/text.py") is not None
    assert sorted(found) == sorted(SAMPLE)


def test_a_damaged_footprint_holds_for_nothing_that_changed(engine: Engine) -> None:
    files = sliced(SAMPLE)
    view = brought(engine, files)
    found = dict(completed(view, quiet)._found)
    view.keep(stored._made_by(), {path: file._replace(footprint=b"?") for path, file in found.items()})
    files |= sliced({"shop/text.py": "def slug(value, more):\n    return value\n"})
    known = stored.stored(brought(engine, files))
    assert not any(known.holds(path) for path in files)


def test_workers_find_what_one_process_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "FEW", 2)
    monkeypatch.setattr(stored, "CHUNK", 1)
    files = sliced(SAMPLE)
    engine = SqliteEngine(tmp_path)
    completed(brought(engine, files), quiet)
    assert kept(engine.open("view")) == from_scratch(files)


def test_views_that_differ_a_little_share_what_is_kept(tmp_path: Path) -> None:
    many = sliced({f"m{n}.py": f"def f{n}(): return f{n}()\n" for n in range(12)})
    engine = SqliteEngine(tmp_path)
    completed(brought(engine, many), quiet)
    many |= sliced({"m3.py": "def f3(): return f3() + f3()\n"})
    completed(brought(engine, many), quiet)
    assert kept(engine.open("view")) == from_scratch(many)
    with engine._writing() as db:
        rows = db.rows("SELECT k.parent IS NULL, count(*) FROM kept k JOIN kept_file f ON f.kept = k.n GROUP BY k.n")
        assert db.rows("SELECT count(*) FROM kept_change") == [(1,)]
    assert rows == [(1, 12), (0, 1)]
