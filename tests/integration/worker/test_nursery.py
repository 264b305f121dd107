"""A worker that the nursery of the tests has forked (tests/nursery.py) does what one does that was started."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

TEXT = """
static int calls;
int act(int x) { calls++; if (x == 3) return 1 / (x - 3); return 2 * x + calls; }
"""
INPUTS = (1, 2, 3, 7)


def _wait_for_end(process: int, seconds: float = 10.0) -> None:
    """A process that was killed may go on for a moment."""
    end, state = time.monotonic() + seconds, Path(f"/proc/{process}/stat")
    while time.monotonic() < end and state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)


def test_a_forked_worker_does_what_a_started_one_does(
    start_unit: Any, nursery: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start_unit(TEXT, "act")
    monkeypatch.setattr(nursery, "is_open", True)
    forked = start_unit(TEXT, "act")
    assert type(forked.runner.worker.process) is not type(started.runner.worker.process)
    assert [forked.run(each) for each in INPUTS] == [started.run(each) for each in INPUTS]

    before = forked.runner.worker.process.pid
    os.killpg(before, signal.SIGKILL)
    _wait_for_end(before)
    assert forked.run(2) == started.run(2)
    assert forked.runner.worker.process.pid != before
