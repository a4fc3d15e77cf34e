"""The list of faults in the documentation names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
LIST = TESTS.parent / "docs" / "faults.md"


def test_every_fault_is_proved_by_tests_that_exist():
    rows = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    faults = [row for row in rows if not row.startswith(("| fault", "|---"))]
    assert len(faults) > 20
    for row in faults:
        named = re.findall(r"((?:tests/)?(?:\w+/)?test_\w+\.py)(?:::(test_\w+))?", row)
        assert named or "tests/fuzz" in row, row
        for file, test in named:
            source = (TESTS / file.removeprefix("tests/")).read_text(encoding="utf-8")
            assert not test or f"def {test.rstrip('_')}" in source, (file, test)
