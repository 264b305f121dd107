"""What all tests share: workers that start quickly (nursery.py), and suites that gcov need not count.

TIGHTROPE_FULL=1 starts each worker as users' workers start, and lets gcov count always.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tightrope.running.runner import Worker

_spec = importlib.util.spec_from_file_location("nursery", Path(__file__).parent / "nursery.py")
assert _spec and _spec.loader
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)


os.environ["TIGHTROPE_CACHE"] = "none"  # every test does its own work; tests of the store name its folder

settings.register_profile(
    "steady",
    derandomize=os.environ.get("TIGHTROPE_FULL") != "1",  # same commit, same tests
    deadline=None,  # nothing here depends on how fast the machine is
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def nursery() -> Iterator[Any]:
    """`with nursery.closed()` is for tests about the worker's own process."""
    usual, shared = Worker._start, _module.Nursery()
    Worker._start = lambda worker: shared.start(worker) if shared.is_open else usual(worker)
    yield shared
    Worker._start = usual
    shared.close()


@pytest.fixture
def not_counted_by_gcov(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without gcc: a fourth of the time of a small `generate`, where nobody asks what gcov says."""
    if os.environ.get("TIGHTROPE_FULL") != "1":
        monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
