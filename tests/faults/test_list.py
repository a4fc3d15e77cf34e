"""The lists of faults and of promises in the documentation name tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LISTS = {name: TESTS.parent / "docs" / name for name in ("faults.md", "proofs.md")}


@pytest.mark.parametrize(("name", "least"), [("faults.md", 20), ("proofs.md", 15)])
def test_what_is_listed_is_proved_by_tests_that_exist(name, least):
    rows = [line for line in LISTS[name].read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    faults = [row for row in rows if not row.startswith(("| fault", "| promise", "|---"))]
    assert len(faults) >= least
    for row in faults:
        named = re.findall(r"((?:tests/)?(?:\w+/)?test_\w+\.py)(?:::(test_\w+))?", row)
        assert named or "tests/fuzz" in row, row
        for file, test in named:
            source = (TESTS / file.removeprefix("tests/")).read_text(encoding="utf-8")
            assert not test or f"def {test.rstrip('_')}" in source, (file, test)
