"""Use Bitwuzla alone, for tests that check results by other means: on doubles, Z3 takes minutes instead of seconds."""

import pytest


@pytest.fixture(autouse=True)
def without_a_second_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)
