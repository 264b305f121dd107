"""Units that run in a worker of their own, and what is left of the processes that they started."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from deeds import no_stubs
from left_behind import marked

from tightrope.command_line.arguments import read_options
from tightrope.running.nursery import NURSERY, Nursery
from tightrope.running.run_record import RunRecord
from tightrope.running.runner import Runner, Worker
from tightrope.source.toolchain import find_compiler
from tightrope.suite.guard_nursery import GUARDS
from tightrope.units.prepare import prepare_file, prepare_unit, start

MARK = "TIGHTROPE_TEST_MARK"  # in the environment of everything that a test starts


class Unit:
    """One function in a worker."""

    def __init__(self, runner: Runner, slots: int) -> None:
        self.runner, self.slots = runner, slots

    def run(self, *values: int) -> RunRecord:
        """The first inputs as given, the others zero."""
        return self.runner.record(values + (0,) * (self.slots - len(values)))


StartUnit = Callable[..., Unit]


@pytest.fixture(autouse=True)
def nursery() -> Iterator[Nursery]:
    """One for each test: it starts in the environment of the test, and nothing of it may be left."""
    NURSERY.close()
    yield NURSERY
    NURSERY.close()


@pytest.fixture
def start_unit(tmp_path: Path, mark: str) -> Iterator[StartUnit]:
    """start_unit(C text, function, options ...)"""
    with contextlib.ExitStack() as stack:

        def begin(text: str, function: str, *words: str) -> Unit:
            file = tmp_path / "unit.c"
            file.write_text(text)
            options = read_options(["generate", f"{file}:{function}", "-c", "branch", *no_stubs(text), *words])
            unit = prepare_unit(prepare_file(find_compiler(None), file, options, print), function, options)
            worker = stack.enter_context(contextlib.closing(Worker()))
            return Unit(stack.enter_context(start(unit, worker, options)), len(unit.driver.slots))

        yield begin


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, nursery: Nursery) -> Iterator[str]:
    """Fails a test that leaves a process behind."""
    word = f"{MARK}={uuid.uuid4()}"
    monkeypatch.setenv(*word.split("="))
    yield word
    nursery.close()
    GUARDS.close()
    deadline = time.monotonic() + 3
    while (left := marked(word)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == [], "processes are left behind"
