"""What all tests share: workers that start quickly (nursery.py), and suites that gcov need not count.

TIGHTROPE_FULL=1 starts each worker as users' workers start, and lets gcov count always.
"""

from __future__ import annotations

import importlib.util
import os
import sys
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


settings.register_profile(
    "steady",
    derandomize=os.environ.get("TIGHTROPE_FULL") != "1",  # same commit, same tests
    deadline=None,  # nothing here depends on how fast the machine is
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    """Where Python must not write beside the sources (as in many containers), each process that a test starts would
    compile all modules again, which takes longer than most tests: the cache of pytest has a place for them."""
    if sys.dont_write_bytecode and hasattr(config, "cache"):
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(config.cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False


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
