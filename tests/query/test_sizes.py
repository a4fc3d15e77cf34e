"""Hostile sizes: every answer is bounded, and says how much there is."""

from __future__ import annotations

import json

from query_samples import Look

from git_graph.query.callers import callers
from git_graph.query.envelope import envelope
from git_graph.query.impact import impact
from git_graph.query.references import references
from git_graph.query.unused import unused
from git_graph.query.values import MAX_CANDIDATES


def test_a_symbol_with_many_callers(look: Look) -> None:
    files = {"hub.py": "def hub(): ...\n"}
    body = "".join(f"def user_{number}():\n    hub()\n" for number in range(100))
    files |= {f"users_{number}.py": f"from hub import hub\n{body}" for number in range(100)}
    resolver = look(files)
    answer = callers(resolver, "hub")
    assert (answer.total, answer.truncated) == (10_000, True)
    assert sum(len(edge.sites) for edge in answer.results) == 100
    assert len(json.dumps(envelope(answer, {}))) < 200_000
    assert impact(resolver, ["hub"]).total == 10_000


def test_many_files_that_import_one_external_name(look: Look) -> None:
    resolver = look({f"file_{number}.py": "from outside import thing\nthing()\n" for number in range(500)})
    assert unused(resolver).results == ()


def test_a_site_that_could_be_any_of_many_names_a_few_and_those_asked_about_first(look: Look) -> None:
    classes = "".join(f"class C{number:03}:\n    def run(self): ...\n" for number in range(200))
    answer = references(look({"a.py": classes, "b.py": "def go(x):\n    x.run()\n"}), "C150.run")
    [site] = answer.results
    assert (len(site.candidates), site.candidates_total) == (MAX_CANDIDATES, 200)
    assert site.candidates[0].qualified == "C150.run"


def test_candidates_are_bounded_over_the_whole_answer(look: Look) -> None:
    classes = "".join(f"class C{number:03}:\n    def run(self): ...\n" for number in range(40))
    calls = "def go(x):\n" + "    x.run()\n" * 1000
    answer = references(look({"a.py": classes, "b.py": calls}), "C030.run", limit=0)
    assert answer.total == 1000
    assert sum(len(site.candidates) for site in answer.results) < 5000
    assert all(site.candidates[0].qualified == "C030.run" for site in answer.results)
