"""What tests against judges share."""

import pytest


@pytest.fixture(autouse=True)
def _without_a_second_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests have judges of their own, and over doubles Z3 takes minutes for what Bitwuzla does in seconds."""
    monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)
