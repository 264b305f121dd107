"""Workers are forked by the nursery (running/nursery.py): each does what one does that was started on its own."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tightrope.running.nursery import Forked, Nursery

TEXT = """
#include <stdlib.h>
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
    start_unit: Any, nursery: Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked = start_unit(TEXT, "act")
    assert isinstance(forked.runner.worker.process, Forked)
    with monkeypatch.context() as patched:
        patched.setattr(nursery, "is_used", False)
        started = start_unit(TEXT, "act")
    assert not isinstance(started.runner.worker.process, Forked)
    assert [forked.run(each) for each in INPUTS] == [started.run(each) for each in INPUTS]

    before = forked.runner.worker.pid
    os.killpg(before, signal.SIGKILL)
    _wait_for_end(before)
    assert forked.run(2) == started.run(2)
    assert forked.runner.worker.pid != before


def test_nothing_of_one_unit_reaches_the_next(start_unit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not its variables, folder, environment, locale, masks of signals or exit: the next one starts from the beginning."""
    spoil = """
    #include <locale.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <unistd.h>
    int shared;
    int act(int x) {
        sigset_t all;
        shared = 7;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, 0);
        setenv("TIGHTROPE_LEFT", "1", 1);
        chdir("/");
        if (x == 2) abort();
        return shared;
    }
    """
    look = """
    #include <signal.h>
    #include <stdlib.h>
    #include <string.h>
    int shared;
    int act(int x) {
        sigset_t now;
        const char *word = getenv("TIGHTROPE_WORD");
        sigprocmask(SIG_BLOCK, 0, &now);
        return shared + 10 * sigismember(&now, SIGTERM) + 100 * (getenv("TIGHTROPE_LEFT") != 0)
               + 1000 * (word != 0 && strcmp(word, "second") == 0);
    }
    """
    monkeypatch.setenv("TIGHTROPE_WORD", "first")
    first = start_unit(spoil, "act")
    assert first.run(1).outputs[0] == 7
    assert first.run(2).ending.outcome.value != "returned"
    monkeypatch.setenv("TIGHTROPE_WORD", "second")  # the environment is that of the moment
    second = start_unit(look, "act")
    assert second.run(1).outputs[0] == 1000


@pytest.mark.parametrize("moment", ["before it is asked", "before the worker is there", "always"])
def test_a_dead_nursery_is_replaced(
    start_unit: Any, nursery: Nursery, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    reference = start_unit(TEXT, "act").run(2)
    process = nursery._process
    assert process is not None
    if moment == "always":
        monkeypatch.setattr("sys.executable", "/bin/false")
        nursery.close()
        worker_starts = []
        from tightrope.running import nursery as module

        usual = module.start_alone
        monkeypatch.setattr(
            module, "start_alone", lambda *ends: (monkeypatch.undo(), worker_starts.append(1), usual(*ends))[-1]
        )
        assert start_unit(TEXT, "act").run(2) == reference
        assert worker_starts == [1]
        nursery.failures = 0
        return
    if moment == "before it is asked":
        process.kill()
        process.wait()
    else:
        process.send_signal(signal.SIGSTOP)
        usual = nursery._ask
        monkeypatch.setattr(nursery, "_ask", lambda *words: (usual(*words), process.kill()))
    assert start_unit(TEXT, "act").run(2) == reference
