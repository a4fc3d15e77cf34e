"""The yardstick measures what it says: what is kept, what counts, and what counts for nobody."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.accuracy import truth
from tests.accuracy.corpora import CORPORA
from tests.accuracy.record import NAME, mentions
from tests.accuracy.report import lines, table
from tests.accuracy.scoring import score
from tests.accuracy.servers import SERVERS, ignores, macro_bodies
from tests.accuracy.truth import Asked, Truth

FILES = {
    "shop.py": "class Cart:\n    def add(self, item): ...\n\n\ndef open_cart():\n    return Cart()\n",
    "use.py": "from shop import open_cart\n\ncart = open_cart()\ncart.add(1)\nunknown().add(2)\nopen_cart()\n",
}
ADD = Asked("shop.py", 2, 9, "add", "method", {"use.py": [4, 5]})
OPEN = Asked("shop.py", 5, 5, "open_cart", "function", {"use.py": [1, 3]})
RECORDED = [corpus for corpus in CORPORA if truth.path_of(corpus.label).exists()]


@pytest.fixture
def root(repo):
    for path, text in FILES.items():
        (repo.path / path).write_text(text)
    return repo.path


def test_sites_are_right_wrong_or_missed(root) -> None:
    found = score(root, Truth("t", "none", 1, {}, (ADD, OPEN)))
    assert (found.total.right, found.total.wrong, found.total.missed) == (3, 1, 1)
    assert (found.possible, found.misses) == (1, Counter({"receiver-unknown": 1}))
    assert found.kinds["function"].precision == pytest.approx(2 / 3)
    assert {name: (tally.right, tally.wrong) for name, tally in found.resolutions.items()} == {
        "exact": (2, 1),
        "inferred": (1, 0),
    }


def test_what_the_server_did_not_read_counts_for_nobody(root) -> None:
    found = score(root, Truth("t", "none", 1, {"use.py": [[5, 6]]}, (ADD, OPEN)))
    assert (found.total.right, found.total.wrong, found.total.missed) == (3, 0, 0)
    found = score(root, Truth("t", "none", 1, {"use.py": []}, (ADD, OPEN)))
    assert (found.total.right, found.total.wrong, found.total.missed) == (0, 0, 0)


def test_what_a_macro_from_outside_may_refer_to_counts_for_nobody(root) -> None:
    asked = replace(OPEN, references={"use.py": [1]}, unseen={"use.py": [3]})
    found = score(root, Truth("t", "none", 1, {}, (asked,)))
    assert (found.total.right, found.total.wrong, found.total.missed) == (1, 1, 0)


def test_a_definition_that_is_no_symbol_here_misses_all_its_sites(root) -> None:
    found = score(root, Truth("t", "none", 1, {}, (Asked("use.py", 5, 1, "unknown", "function", {"use.py": [6]}),)))
    assert (found.unknown, found.total.missed, found.total.wrong) == (1, 1, 0)


def test_the_worst_definitions_are_shown_with_their_sites(root) -> None:
    found = score(root, Truth("t", "none", 1, {}, (ADD, OPEN)))
    told = "\n".join(lines(found, worst=1))
    assert "use.py:6  exact: " in told or "use.py:5  receiver-unknown" in told
    assert "F1 0.750" in "\n".join(lines(found))
    assert any("0.750" in row for row in table([(CORPORA[0], found)]))


def test_a_truth_is_kept_as_the_same_bytes(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(truth, "FOLDER", tmp_path)
    kept = Truth("python-t-1", "pyright 1", 7, {"a.py": [[1, 2]]}, (ADD, OPEN))
    first = truth.save(kept).read_bytes()
    assert truth.load("python-t-1") == kept
    assert truth.save(kept).read_bytes() == first


def test_bodies_of_macros_are_not_seen(tmp_path) -> None:
    (tmp_path / "a.h").write_text("int a;\n#define F(x) \\\n  g(x)\n#define G 1\nint b;\n")
    assert macro_bodies(tmp_path, {}, ["a.h"]) == {"a.h": [[2, 3], [4, 4]]}
    assert macro_bodies(tmp_path, {"a.h": []}, ["a.h"]) == {"a.h": []}


@pytest.mark.parametrize(
    ("macro", "lets_go"),
    [("D ( x )", True), ("D ( x ) do { } while ( 0 )", True), ("D ( x ) puts ( # x )", True), ("D ( ... ) 0", True),
     ("D ( x ) f ( x )", False), ("D ( a , b ) a", False), ("D ( ... ) f ( __VA_ARGS__ )", False), ("D ( ) f", False)],
)  # fmt: skip
def test_a_macro_that_uses_none_of_its_arguments_hides_what_they_name(macro, lets_go) -> None:
    assert ignores(macro.split()) is lets_go


@pytest.mark.parametrize(
    ("line", "mentioned"),
    [("  struct x *next;", True), ("struct x make(void);", True), ("template<> struct x<int> {", True),
     ("struct x {", False), ("struct x;", False), ("class API x : y {", False), ("class x final {", False),
     ("typedef struct y x;", False), ("struct x", False)],
)  # fmt: skip
def test_a_type_that_is_mentioned_is_not_defined_there(line, mentioned) -> None:
    name = next(m for m in NAME.finditer(line) if m[0] == "x")
    assert mentions(line, name) is mentioned


def test_every_language_has_archives_that_are_looked_at_and_two_that_are_not() -> None:
    seen, unseen = Counter(c.language for c in CORPORA if c.seen), Counter(c.language for c in CORPORA if not c.seen)
    assert seen.keys() == SERVERS.keys() == unseen.keys()
    assert set(unseen.values()) == {2}
    assert seen["python"] >= 3
    assert seen["typescript"] >= 3
    assert len({c.label for c in CORPORA}) == len(CORPORA)


@pytest.mark.parametrize("corpus", RECORDED, ids=lambda corpus: corpus.label)
def test_a_recorded_truth_holds_positions_and_its_servers_version(corpus) -> None:
    kept = truth.load(corpus.label)
    assert kept.corpus == corpus.label
    assert kept.server.split()[0] == SERVERS[corpus.language].name
    assert any(character.isdigit() for character in kept.server)
    places = [(asked.path, asked.line) for asked in kept.definitions]
    assert len(set(places)) == len(places) >= 50
    assert {asked.kind for asked in kept.definitions} >= {"function", "type"}
