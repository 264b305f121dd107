"""Progress of the search: a live line on a terminal, plain lines otherwise.

Shows snapshots on standard error.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Protocol

PAUSE = 10.0  # seconds between two lines about the same thing


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The progress of one function."""

    function: str
    stage: str  # 'compiling', 'searching', 'shrinking', 'confirming'
    covered: int = 0
    infeasible: int = 0
    total: int = 0
    runs: int = 0
    candidates: int = 0
    queries: int = 0
    seconds: float = 0.0
    left: float = math.inf  # seconds of its time limit


def show_snapshot(snapshot: Snapshot) -> str:
    """One line."""
    parts = [f"{snapshot.function}: {snapshot.stage}"]
    if snapshot.total:
        settled = f"{snapshot.covered}/{snapshot.total} covered"
        parts.append(settled + (f", {snapshot.infeasible} infeasible" if snapshot.infeasible else ""))
    if snapshot.runs:
        parts.append(f"{snapshot.runs} runs")
    if snapshot.candidates:
        parts.append(f"{snapshot.candidates} candidates")
    left = f", {max(snapshot.left, 0):.0f} s left" if math.isfinite(snapshot.left) else ""
    parts.append(f"{snapshot.seconds:.1f} s{left}")
    return "   ".join(parts)


class ProgressLine(Protocol):
    def show(self, snapshot: Snapshot) -> None: ...

    def close(self) -> None:
        """Leave the terminal as it was."""
        ...


class NoProgress:
    """For --quiet and for tests."""

    def show(self, snapshot: Snapshot) -> None:
        pass

    def close(self) -> None:
        pass


class LiveLine:
    """One line that is rewritten in place, at most ten times a second."""

    def __init__(self, to: IO[str], width: int = 100, clock: Callable[[], float] = time.monotonic) -> None:
        self._to, self._width, self._clock = to, width, clock
        self._next = 0.0
        self._stage = ""

    def show(self, snapshot: Snapshot) -> None:
        now = self._clock()
        if now < self._next and snapshot.stage == self._stage:
            return
        self._next, self._stage = now + 0.1, snapshot.stage
        self._to.write(f"\r\x1b[2K{show_snapshot(snapshot)[: self._width - 1]}")
        self._to.flush()

    def close(self) -> None:
        if self._stage:
            self._to.write("\r\x1b[2K")
            self._to.flush()


class PlainLines:
    """A line per stage, and one every ten seconds within it: for logs. With `is_terse`, only the latter."""

    def __init__(self, to: IO[str], clock: Callable[[], float] = time.monotonic, *, is_terse: bool = False) -> None:
        self._to, self._clock, self._is_terse = to, clock, is_terse
        self._next = clock() + PAUSE if is_terse else 0.0
        self._stage = ("", "")

    def show(self, snapshot: Snapshot) -> None:
        stage = (snapshot.function, snapshot.stage)
        if (stage == self._stage or self._is_terse) and self._clock() < self._next:
            return
        self._next, self._stage = self._clock() + PAUSE, stage
        self._to.write(show_snapshot(snapshot) + "\n")
        self._to.flush()

    def close(self) -> None:
        pass


def choose_progress(
    *, is_quiet: bool, to: IO[str] | None = None, is_terse: bool = False, is_parallel: bool = False
) -> ProgressLine:
    """A live line on a terminal, unless several processes write to it; plain lines elsewhere; nothing when quiet."""
    stream = to or sys.stderr
    if is_quiet:
        return NoProgress()
    if stream.isatty() and not is_parallel:
        import shutil

        return LiveLine(stream, shutil.get_terminal_size().columns)
    return PlainLines(stream, is_terse=is_terse)
