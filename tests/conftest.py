"""What all tests share: suites that gcov need not count. TIGHTROPE_FULL=1 lets it count always."""

from __future__ import annotations

import ctypes
import gc
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

os.environ["TIGHTROPE_CACHE"] = "none"  # every test does its own work; tests of the store name its folder

MUCH = 400 << 20  # bytes

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


def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_RESIDENT] = _resident()


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """A few tests have formulas of gigabytes. What stays of them would slow down each fork of all later tests."""
    if _resident() - item.stash.get(_RESIDENT, 0) > MUCH:
        gc.collect()
        getattr(ctypes.CDLL(None), "malloc_trim", lambda kept: None)(0)


_RESIDENT = pytest.StashKey[int]()


def _resident() -> int:
    """Bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def not_counted_by_gcov(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without gcc: a fourth of the time of a small `generate`, where nobody asks what gcov says."""
    if os.environ.get("TIGHTROPE_FULL") != "1":
        monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
