"""Commands are called for what they print and write; whether gcov agrees is looked at in programs/ and agreement/."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _quick(not_counted_by_gcov: None) -> None:
    """TIGHTROPE_FULL=1: gcov counts here too."""
