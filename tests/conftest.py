"""What all tests share: suites that gcov need not count. TIGHTROPE_FULL=1 lets it count always."""

from __future__ import annotations

import ctypes
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from tightrope.program.ir.gc_pause import Collector

os.environ["TIGHTROPE_CACHE"] = "none"  # every test does its own work; tests of the store name its folder

MUCH = 150 << 20  # bytes

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


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """What tests leave in cycles would slow down each fork of all later ones: gigabytes, after thousands of them."""
    if _COLLECTOR.collect_if_grown(MUCH):
        getattr(ctypes.CDLL(None), "malloc_trim", lambda kept: None)(0)


_COLLECTOR = Collector()


@pytest.fixture
def not_counted_by_gcov(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without gcc: a fourth of the time of a small `generate`, where nobody asks what gcov says."""
    if os.environ.get("TIGHTROPE_FULL") != "1":
        monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
