"""Findings as SARIF 2.1.0, as code-scanning services read them."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from git_graph.query.check_values import RULES, Finding
from git_graph.query.values import Answer

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def document(answer: Answer, version: str) -> dict[str, Any]:
    """The one object that is printed."""
    rules = [
        {
            "id": rule,
            "name": "".join(word.title() for word in rule.split("-")),
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": "error"},
        }
        for rule, text in RULES.items()
    ]
    driver = {"name": "git-graph", "semanticVersion": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the repository."}}},
        "results": [_result(finding) for finding in answer.results],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding) -> dict[str, Any]:
    uri = quote(finding.path.encode("utf-8", "surrogateescape"))
    place = {
        "artifactLocation": {"uri": uri, "uriBaseId": "ROOT"},
        "region": {"startLine": finding.line, "startColumn": finding.column},
    }
    message = f"{finding.message}. To do: {finding.advice}."
    identity = "\0".join((finding.rule, finding.name, finding.path, finding.symbol, finding.before))
    digest = hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
    return {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "level": "error",
        "message": {"text": message.encode("utf-8", "replace").decode()},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"gitGraph/v1": digest},
    }
