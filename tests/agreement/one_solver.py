"""For tests that have judges of their own: over doubles, Z3 takes minutes for what Bitwuzla does in seconds."""

import pytest


@pytest.fixture(autouse=True)
def without_a_second_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)
