"""What every runner in Python has in common: its arguments, its exit status, how it calls a program and stops it.
Seconds are processor time, so that other work on the machine does not matter."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.mcdc.subjects import FunctionUnderTest, from_json
from bench.mcdc.tests_file import write_tests

NOT_INSTALLED = 77  # exit status; the sentence is on standard error
IDLE = 5.0  # baselines end after so many seconds, and twice the time that was useful, without anything new
_PERIOD, _PATIENCE = 0.02, 20  # how often it is looked at; seconds of the clock for one of the processor, at most
Tests = list[dict[str, Any]]


class NotInstalledError(Exception):
    """What is missing, as a sentence."""


@dataclass(frozen=True, slots=True)
class FoundTests:
    tool: str  # name and version
    tests: Tests
    is_anytime: bool = False  # each test has its `seconds`, whatever the limit was


def run_as_command(find: Callable[[FunctionUnderTest, float, Path], FoundTests]) -> None:
    """`find` gets the subject, its seconds and an empty folder. Ends the process."""
    try:
        description, seconds, tests = sys.argv[1:]
    except ValueError:
        sys.exit("usage: DESCRIPTION.json SECONDS TESTS.json")
    subject = from_json(Path(description).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = find(subject, float(seconds), Path(folder))
        except NotInstalledError as problem:
            print(problem, file=sys.stderr)
            sys.exit(NOT_INSTALLED)
    write_tests(Path(tests), found.tool, found.tests, anytime=found.is_anytime)
    sys.exit(0)


def call(words: Sequence[str], folder: Path, limit: float, may_fail: bool = False) -> str:
    """Its standard output. It is stopped, with all that it has started, when its processor time is used up."""
    return watch(words, folder, limit, may_fail).output


@dataclass(frozen=True, slots=True)
class WatchedRun:
    output: str
    moments: tuple[tuple[float, float], ...]  # the clock and the processor time at that moment, every now and then
    was_stopped: bool = False  # it did not end by itself

    def processor_at(self, clock: float) -> float:
        """The processor time at a moment of the clock (as in `time.time`), between those that are known."""
        before = (self.moments[0][0], 0.0)
        for now in self.moments:
            if now[0] >= clock:
                share = (clock - before[0]) / (now[0] - before[0] or 1.0)
                return before[1] + max(0.0, share) * (now[1] - before[1])
            before = now
        return before[1]


def watch(
    words: Sequence[str], folder: Path, limit: float, may_fail: bool = False, news: Path | None = None
) -> WatchedRun:
    """`news`: a folder; if nothing new is written there for long (`IDLE`), it is stopped, too."""
    out, problems = folder / "standard-output", folder / "standard-error"
    moments = [(time.time(), 0.0)]
    was_stopped, last_news, last_useful = False, 0.0, 0.0
    last_resort = int(limit) + 10  # for what outlives this runner, if somebody stops it
    with (
        out.open("wb") as text,
        problems.open("wb") as said,
        subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=text,
            stderr=said,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (last_resort, last_resort)),
        ) as process,
    ):
        while process.poll() is None:
            time.sleep(_PERIOD)
            moments.append((time.time(), max(moments[-1][1], processor_time(process.pid))))
            clock, used = moments[-1]
            if news and news.stat().st_mtime > last_news:
                last_news, last_useful = news.stat().st_mtime, used
            is_idle = news is not None and used - last_useful > IDLE + 2 * last_useful
            if used >= limit or is_idle or clock - moments[0][0] > _PATIENCE * limit + 60:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                may_fail = was_stopped = True
    if process.returncode and not may_fail:
        sys.exit(f"`{' '.join(words)}` failed:\n{problems.read_text(errors='replace')[-1500:]}")
    return WatchedRun(out.read_text(encoding="utf-8", errors="replace"), tuple(moments), was_stopped)


def processor_time(process: int) -> float:
    """Of it and of its children that have ended, in seconds; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def own_processor_time() -> float:
    """Of this runner and of all that it has called."""
    return sum(os.times()[:4])


def slowness() -> float:
    """How many seconds of the clock one second of the processor takes now: 1 on an idle machine."""
    clock, processor = time.monotonic(), time.process_time()
    while time.process_time() - processor < 0.05:
        pass
    return max(1.0, (time.monotonic() - clock) / (time.process_time() - processor))
