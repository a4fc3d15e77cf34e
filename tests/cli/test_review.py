"""diff, log and check as they are run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

LIBRARY = """def total(items):
    result = 0
    for item in items:
        result += item.price * item.count
    return result


def helper(a):
    return a
"""
USER = """from lib import helper, total


def run(items):
    return helper(total(items))
"""


@pytest.fixture
def shop(repo: Any) -> Any:
    repo.write("lib.py", LIBRARY)
    repo.write("app.py", USER)
    repo.commit("begin")
    return repo


def test_diff_compares_head_with_the_files_on_disk(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY.replace("def helper(a)", "def helper(a, b)"))
    done = graph("diff")
    assert done.status == 0
    assert done.lines == [
        "lib.py:8: changed function helper: signature",
        "    - def helper(a)",
        "    + def helper(a, b)",
    ]
    assert done.err == "1 symbol: 1 changed\n"


def test_diff_tells_what_dangles(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY.replace("def total", "def sum_up"))
    shop.commit()
    done = graph("diff", "HEAD~1", "HEAD")
    assert done.lines == [
        "lib.py:1: renamed function total to sum_up",
        "    app.py:1: the module imports total  (nothing that it could mean is left)",
        "    app.py:5: run calls total  (nothing that it could mean is left)",
    ]
    assert graph("diff", "HEAD~1..HEAD").lines == done.lines
    assert graph("diff", "HEAD~1...").lines == done.lines


def test_diff_as_json_has_both_sides(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY.replace("def total", "def sum_up"))
    shop.commit()
    document = graph("diff", "HEAD~1", "HEAD", "--json").json
    assert document["schema"] == "git-graph/1"
    assert document["head"] == shop.head()
    assert document["base"]["head"] == shop.git("rev-parse", "HEAD~1")
    (change,) = document["results"]
    assert (change["old"]["name"], change["new"]["name"]) == ("total", "sum_up")
    assert change["references_total"] == 2
    effect = change["references"][1]
    assert (effect["effect"], effect["old"]["target"]["name"], effect["new"]["target"]) == ("dangling", "total", None)
    assert document["references"] == {"dangling": 2, "elsewhere": 0, "unclear": 0}


def test_diff_of_two_worktrees_by_their_views(shop: Any, graph: Any, tmp_path: Path) -> None:
    other = shop.worktree(tmp_path / "other", "-b", "other")
    other.write("lib.py", LIBRARY + "\n\ndef more():\n    return 1\n")
    graph("sync", cwd=other.path)
    done = graph("diff", "main-worktree", "worktrees/other")
    assert done.lines == ["lib.py:12: added function more"]


def test_diff_counts_by_file(shop: Any, graph: Any) -> None:
    shop.write("new.py", "class A:\n    x = 1\n")
    shop.git("mv", "lib.py", "library.py")
    done = graph("diff", "--stat")
    assert done.lines == ["library.py (was lib.py): 4 references to it dangle", "new.py: 2 added"]


def test_diff_leaves_no_ref_behind(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY + "X = 1\n")
    shop.commit()
    graph("diff", "HEAD~1", "HEAD")
    assert shop.git("for-each-ref", "refs/graph") == ""


def test_diff_of_what_is_no_revision_says_so(shop: Any, graph: Any) -> None:
    done = graph("diff", "nothing-such")
    assert done.status == 128
    assert done.err.startswith("fatal: 'nothing-such' is neither a revision nor a view or snapshot; ")
    assert graph("diff", "HEAD..HEAD", "HEAD").status == 2


def test_diff_narrows_to_paths(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY + "X = 1\n")
    shop.write("app.py", USER + "Y = 1\n")
    assert graph("diff", "--path", "app.py").lines == ["app.py:6: added constant Y"]


def broken(shop: Any) -> None:
    shop.git("branch", "base")
    shop.write("lib.py", LIBRARY.replace("def total", "def sum_up"))
    shop.commit("rename")


def test_check_finds_what_a_range_breaks_and_says_what_to_do(shop: Any, graph: Any) -> None:
    broken(shop)
    done = graph("check", "base..HEAD")
    assert done.status == 1
    assert done.lines == [
        "app.py:1: renamed-symbol: imports total, but function total (lib.py:1) is sum_up now, "
        "and used 1 more time in this file",
        "    use the new name (lib.py:1), or keep the old one as well",
    ]
    assert done.err == "1 finding in 1 file that changed\n"


def test_check_is_silent_about_what_was_broken_before(shop: Any, graph: Any) -> None:
    broken(shop)
    shop.write("lib.py", LIBRARY.replace("def total", "def sum_up") + "X = 1\n")
    shop.commit("more")
    done = graph("check", "HEAD~1..HEAD")
    assert (done.status, done.out, done.err) == (0, "", "nothing is broken in 1 file that changed\n")


def test_check_without_a_range_looks_at_what_is_not_upstream_yet(shop: Any, graph: Any) -> None:
    broken(shop)
    assert graph("check").status == 2
    shop.git("branch", "--set-upstream-to", "base")
    assert graph("check").status == 1


def test_check_of_one_side_looks_at_the_files_on_disk(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY.replace("def helper(a)", "def helper(a, b)"))
    done = graph("check", "HEAD", "--json")
    assert done.status == 1
    (finding,) = done.json["results"]
    assert (finding["path"], finding["line"], finding["rule"]) == ("app.py", 5, "missing-arguments")
    assert graph("check", "HEAD", "--allow", "missing-arguments").status == 0
    assert graph("check", "HEAD", "--allow", "nothing").status == 2


def test_what_the_base_has_that_the_branch_has_not_is_not_its_fault(shop: Any, graph: Any) -> None:
    shop.git("switch", "-q", "-c", "topic")
    shop.write("topic.py", "X = 1\n")
    shop.commit()
    shop.git("switch", "-q", "main")
    shop.write("lib.py", LIBRARY + "def more():\n    return 1\n")
    shop.write("app.py", USER + "from lib import more\nmore()\n")
    shop.commit()
    assert graph("check", "main..topic").status == 0


def test_check_reads_the_rules_of_the_side_it_looks_at(shop: Any, graph: Any) -> None:
    shop.write(".gitgraph/rules.toml", '[[forbid]]\nname = "own"\nfrom = "app.py"\nimport = "new.py"\nreason = "so"\n')
    shop.write("new.py", "Y = 1\n")
    shop.write("app.py", "import new\n" + USER)
    done = graph("check", "HEAD")
    assert done.lines[0] == "app.py:1: forbidden-import:own: imports new.py, which rule 'own' forbids: so"
    shop.write(".gitgraph/rules.toml", "[[forbid]]\n")
    done = graph("check", "HEAD")
    assert done.status == 128
    assert done.err.startswith("fatal: .gitgraph/rules.toml: [[forbid]] number 1 needs both from and import; ")


def test_check_as_sarif(shop: Any, graph: Any) -> None:
    broken(shop)
    done = graph("check", "base..HEAD", "--sarif")
    assert done.status == 1
    document = done.json
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    (result,) = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "renamed-symbol"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "app.py", "uriBaseId": "ROOT"}
    assert place["region"] == {"startLine": 1, "startColumn": 25}
    assert len(result["partialFingerprints"]["gitGraph/v1"]) == 64
    clean = graph("check", "base..base", "--sarif")
    assert (clean.status, clean.json["runs"][0]["results"]) == (0, [])


SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "message": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": False,
            "properties": {"text": {"type": "string", "minLength": 1}},
        },
        "run": {
            "type": "object",
            "required": ["tool", "results", "columnKind", "originalUriBaseIds"],
            "additionalProperties": False,
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "additionalProperties": False,
                    "properties": {"driver": {"$ref": "#/$defs/driver"}},
                },
                "columnKind": {"const": "unicodeCodePoints"},
                "originalUriBaseIds": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {"description": {"$ref": "#/$defs/message"}},
                    },
                },
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "driver": {
            "type": "object",
            "required": ["name", "semanticVersion", "rules"],
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string"},
                "semanticVersion": {"type": "string"},
                "rules": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/rule"}},
            },
        },
        "rule": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": False,
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string", "pattern": "^[A-Za-z]+$"},
                "shortDescription": {"$ref": "#/$defs/message"},
                "defaultConfiguration": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"level": {"enum": ["none", "note", "warning", "error"]}},
                },
            },
        },
        "result": {
            "type": "object",
            "required": ["message", "ruleId", "locations"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": {"$ref": "#/$defs/message"},
                "locations": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/location"}},
                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
            },
        },
        "location": {
            "type": "object",
            "required": ["physicalLocation"],
            "additionalProperties": False,
            "properties": {
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation", "region"],
                    "additionalProperties": False,
                    "properties": {
                        "artifactLocation": {
                            "type": "object",
                            "required": ["uri"],
                            "additionalProperties": False,
                            "properties": {
                                "uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%-]+$"},
                                "uriBaseId": {"type": "string"},
                            },
                        },
                        "region": {
                            "type": "object",
                            "required": ["startLine"],
                            "additionalProperties": False,
                            "properties": {
                                "startLine": {"type": "integer", "minimum": 1},
                                "startColumn": {"type": "integer", "minimum": 1},
                            },
                        },
                    },
                }
            },
        },
    },
}
"""What SARIF 2.1.0 asks of the objects that we write, by its sections 3.13 to 3.50; nothing else is written."""


def test_sarif_is_as_the_standard_asks(shop: Any, graph: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(SARIF)
    shop.write(b"a b\xff/\xc3\xa9#?%.py", USER)
    shop.commit()
    broken(shop)
    for done in (graph("check", "base..HEAD", "--sarif"), graph("check", "base..base", "--sarif")):
        jsonschema.validate(done.json, SARIF, cls=jsonschema.Draft202012Validator)
        (run,) = done.json["runs"]
        ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    found = graph("check", "base..HEAD", "--sarif").json["runs"][0]["results"]
    uris = [place["physicalLocation"]["artifactLocation"]["uri"] for one in found for place in one["locations"]]
    assert uris == ["a%20b%FF/%C3%A9%23%3F%25.py", "app.py"]


def test_log_tells_what_each_commit_did(shop: Any, graph: Any) -> None:
    shop.write("lib.py", LIBRARY.replace("def helper(a)", "def helper(a, b)"))
    shop.commit("wider")
    shop.git("mv", "lib.py", "library.py")
    shop.commit("elsewhere")
    done = graph("log", "helper")
    assert done.status == 0
    ids = [shop.git("rev-parse", "--short=10", rev) for rev in ("HEAD~1", "HEAD~2")]
    moved = shop.git("rev-parse", "--short=10", "HEAD")
    assert done.lines == [
        f"{moved} 2023-11-14 A. Author: elsewhere",
        "    library.py:8: moved function helper from lib.py:8",
        f"{ids[0]} 2023-11-14 A. Author: wider",
        "    lib.py:8: changed function helper: signature",
        "        - def helper(a)",
        "        + def helper(a, b)",
        f"{ids[1]} 2023-11-14 A. Author: begin",
        "    lib.py:8: added function helper",
    ]
    assert done.err == "3 commits looked at, 3 of them changed helper\n"
    assert len(graph("log", "helper", "-n", "1", "--json").json["results"]) == 1
    assert [e["change"]["change"] for e in graph("log", "helper", "--rev", "HEAD~1", "--json").json["results"]] == [
        "changed",
        "added",
    ]


def test_log_of_what_never_was_says_so(shop: Any, graph: Any) -> None:
    done = graph("log", "nothing_such")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error: no symbol 'nothing_such'")


def test_a_question_about_a_commit_leaves_no_ref_unless_it_is_to_be_kept(shop: Any, graph: Any) -> None:
    name = f"epochs/revisions/{shop.head()}"
    asked = graph("find", "total", "--rev", "HEAD")
    assert shop.git("for-each-ref", "refs/graph") == ""
    kept = graph("find", "total", "--rev", "HEAD", "--keep")
    assert (kept.lines, kept.err.splitlines()[0]) == (asked.lines, f"kept as {name}, which --view asks again")
    assert shop.git("for-each-ref", "--format=%(refname)", "refs/graph") == f"refs/graph/{name}"
    assert graph("find", "total", "--view", name).lines == asked.lines
    assert shop.fsck() == ""
    assert graph("find", "total", "--keep").status == 2


# as a hook of the pre-commit framework


@pytest.fixture
def two_more(shop: Any) -> Any:
    """Two more commits: one that breaks `app.py`, and one that does nothing."""
    shop.write("lib.py", LIBRARY.replace("def total", "def sum_up"))
    shop.commit("break")
    shop.commit("nothing")
    return shop


def test_the_framework_gives_the_range(two_more: Any, graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "HEAD~2")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = graph("check", "--pre-commit")
    assert done.status == 1
    assert done.lines[0].startswith("app.py:1: renamed-symbol: imports total")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "HEAD~1")
    assert (graph("check", "--pre-commit").status, graph("check", "--pre-commit").out) == (0, "")
    monkeypatch.delenv("PRE_COMMIT_FROM_REF")  # a first push
    assert graph("check", "--pre-commit").status == 0


def test_a_fault_under_the_framework_stops_only_those_who_asked(
    two_more: Any, graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "nothing-of-this-name")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = graph("check", "--pre-commit")
    assert done.status == 0
    assert done.err.startswith("git-graph: the push was not checked: ")
    two_more.git("config", "graph.check", "strict")
    assert graph("check", "--pre-commit").status == 128


def test_a_warning_under_the_framework_stops_nothing(
    two_more: Any, graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_more.git("config", "graph.check", "warn")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "HEAD~2")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = graph("check", "--pre-commit")
    assert (done.status, done.lines[0].split(":")[0]) == (0, "app.py")


def test_the_manifest_of_the_framework_names_commands_that_there_are(graph: Any, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    entries = [line.split(": ", 1)[1].split() for line in text.splitlines() if line.startswith("  entry: ")]
    assert [entry[1] for entry in entries] == ["sync", "check"]
    for program, command, *options in entries:
        assert program == "git-graph"
        listed = graph(command, "--help", cwd=tmp_path).out
        assert all(option in listed for option in options)
