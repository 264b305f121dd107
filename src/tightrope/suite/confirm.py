"""Confirmation: the written tests, built without instrumentation, must behave as they did with it.

Tests that returned run as the user would run them: all in one program. Each of the others runs alone. One that exits or
aborts must end in the same way. One that ends by undefined behaviour may end in any way: the written test expects what
it does here.
"""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from tightrope.deadline import NEVER, Deadline
from tightrope.errors import CompileError
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.folder import anchor_includes
from tightrope.suite.guard import DEFAULT_LIMITS, Limits
from tightrope.suite.native import Ended, run_program

Build = Callable[[Path, Path, Sequence[str]], None]  # C file, program to make, further flags; raises CompileError

ENDLESS = 2.0  # seconds; two million steps, the limit of an instrumented run, take 0.01 s natively
LEAST_SECONDS = 0.5  # for a program


class Agreement(Enum):
    SAME = "same"
    DIFFERENT = "different"
    NOT_RUN = "not run"


RETURNED = Ending(Outcome.RETURNED)


@dataclass(frozen=True, slots=True)
class Expected:
    """A test of the written file: its name there, and how its run ended with instrumentation."""

    name: str
    ending: Ending = RETURNED


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The result of one test."""

    name: str
    agreement: Agreement
    detail: str = ""  # what differs, in the words of the test program
    status: int | None = None  # of a test that did not return: its exit status, or minus the signal


@dataclass(frozen=True, slots=True)
class Confirmations:
    tests: tuple[Confirmed, ...]
    problem: str = ""  # why nothing could be run

    def names(self, agreement: Agreement) -> tuple[str, ...]:
        return tuple(each.name for each in self.tests if each.agreement is agreement)

    @property
    def all_same(self) -> bool:
        return not self.problem and not self.names(Agreement.DIFFERENT)


def confirm(
    text: str,
    tests: Sequence[Expected],
    build: Build,
    folder: Path,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Confirmations:
    """Build and run the text of a plain C test file. `folder` is where it will be written: its paths start there.
    After the deadline, each program has little time."""
    with tempfile.TemporaryDirectory(prefix="tightrope-confirm-") as name:
        bench = _Bench(Path(name), build, folder, limits, deadline)
        try:
            return Confirmations(_confirm_all(bench, text, tests))
        except CompileError as problem:
            not_run = tuple(Confirmed(each.name, Agreement.NOT_RUN) for each in tests)
            return Confirmations(not_run, f"the written tests do not compile: {problem.message}")


@dataclass(frozen=True, slots=True)
class _Bench:
    """A temporary folder in which test programs are made and run."""

    place: Path
    build: Build
    folder: Path
    limits: Limits
    deadline: Deadline

    def make(self, text: str, name: str, flags: Sequence[str] = ()) -> Path:
        source, program = self.place / f"{name}.c", self.place / name
        source.write_text(anchor_includes(text, self.folder), encoding="utf-8")
        self.build(source, program, flags)
        return program

    def run(self, program: Path, *words: str, seconds: float = math.inf) -> Ended:
        """In an empty folder, which it may change."""
        with tempfile.TemporaryDirectory(prefix="working-", dir=self.place) as name:
            writable = (Path(name), *self.limits.writable)
            most = min(seconds, self.limits.seconds, max(LEAST_SECONDS, self.deadline.left))
            limits = replace(self.limits, seconds=most, writable=writable)
            return run_program((program, *words), Path(name), limits)


def _confirm_all(bench: _Bench, text: str, tests: Sequence[Expected]) -> tuple[Confirmed, ...]:
    program = bench.make(text, "tests")
    returning = {number: each for number, each in enumerate(tests, 1) if each.ending.outcome is Outcome.RETURNED}
    found = _confirm_returning(bench, program, returning) if returning else {}
    for number, each in enumerate(tests, 1):
        if number not in returning:
            seconds = ENDLESS if each.ending.outcome is Outcome.TIMED_OUT else bench.limits.seconds
            found[number] = _confirm_ending(each, bench.run(program, str(number), seconds=seconds))
    return tuple(found[number] for number in sorted(found))


def _confirm_returning(bench: _Bench, program: Path, tests: Mapping[int, Expected]) -> dict[int, Confirmed]:
    """Run all of them in one program; if it dies, run each missing one alone."""
    results = read_tap(bench.run(program).output)
    found = {}
    for number, each in tests.items():
        result = results.get(each.name)
        if result is None:
            ended = bench.run(program, str(number), seconds=ENDLESS)
            result = read_tap(ended.output).get(each.name, TapResult(False, _how(ended)))
        agreement = Agreement.SAME if result.is_ok and not result.was_skipped else Agreement.DIFFERENT
        found[number] = Confirmed(each.name, agreement, result.detail)
    return found


def _confirm_ending(test: Expected, ended: Ended) -> Confirmed:
    """Confirm a run that did not return."""
    ending = test.ending
    has_returned = test.name in read_tap(ended.output) and not ended.was_stopped and ended.status in (0, 1)
    if ending.is_error:
        is_signal = not has_returned and not ended.was_stopped and ended.status < 0
        return Confirmed(test.name, Agreement.SAME, _how(ended), ended.status if is_signal else None)
    if has_returned:
        return Confirmed(test.name, Agreement.NOT_RUN, f"{ending.outcome.value} with instrumentation only")
    is_same = ended.was_stopped if ending.outcome is Outcome.TIMED_OUT else ending.status in (None, ended.status)
    return Confirmed(test.name, Agreement.SAME if is_same else Agreement.DIFFERENT, _how(ended), ending.status)


def _how(ended: Ended) -> str:
    if ended.was_stopped:
        return "did not end in time"
    return f"ended by signal {-ended.status}" if ended.status < 0 else f"ended with status {ended.status}"


@dataclass(frozen=True, slots=True)
class TapResult:
    is_ok: bool
    detail: str = ""
    was_skipped: bool = False


_RESULT = re.compile(r"(not )?ok \d+ - (\S+)(?: # SKIP ?(.*))?")


def read_tap(output: str) -> dict[str, TapResult]:
    """Test name -> result. `# ...` lines before a result belong to it; everything else is the unit's own output."""
    results: dict[str, TapResult] = {}
    remarks: list[str] = []
    for line in output.split("\n"):
        found = _RESULT.search(line)  # not at the start: the unit may print without a newline
        if found and found.end() == len(line):
            is_skipped = found[3] is not None
            results[found[2]] = TapResult(not found[1], found[3] or "; ".join(remarks), is_skipped)
            remarks = []
        elif line.startswith("# "):
            remarks.append(line[2:])
    return results
