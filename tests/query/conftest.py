from __future__ import annotations

import pytest
from query_samples import Look, resolver_of


@pytest.fixture
def look() -> Look:
    """Make a resolver of files."""
    return resolver_of
