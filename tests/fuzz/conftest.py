"""Fuzzing within a budget: a few dozen examples each in `make test`, minutes of them in `make fuzz`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

MINUTES = float(os.environ.get("FUZZ_MINUTES", "0"))

settings.register_profile(
    "fuzz", settings.get_profile("steady"), max_examples=500 if MINUTES else 40, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@pytest.fixture(autouse=True)
def profile():
    settings.load_profile("fuzz")
    yield
    settings.load_profile("steady")


@pytest.fixture
def within_budget(request) -> Callable[[Callable[[], None]], None]:
    """Run a property once, or again and again for this test's share of the minutes."""

    def run(check: Callable[[], None]) -> None:
        until = time.monotonic() + MINUTES * 60 / max(1, len(request.session.items))
        check()
        while time.monotonic() < until:
            check()

    return run
