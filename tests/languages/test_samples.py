"""Every annotated sample of every language holds; see harness.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import check

ROOMS = Path(__file__).parent
SAMPLES = sorted(file for file in ROOMS.glob("*/samples/*") if file.suffix in (".txt", ".skip"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda file: f"{file.parent.parent.name}/{file.stem}")
def test_names_are_and_refer_to_what_the_sample_says(sample: Path) -> None:
    if sample.suffix == ".skip":
        pytest.skip(sample.read_text(encoding="utf-8").partition("\n")[0])
    check(sample)
