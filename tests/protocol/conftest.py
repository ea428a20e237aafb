"""What the tests of this floor share. A busy machine is no failure, so the generated ones have no deadlines."""

from __future__ import annotations

import pytest
from hypothesis import settings

from .table import Table

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture
def table() -> Table:
    """Three seats that have exchanged their keys."""
    return Table().opened()
