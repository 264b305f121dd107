"""What a search may spend, and why it stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class StopReason(Enum):
    """The one sentence that says why the search stopped."""

    DONE = "every objective has a verdict"
    EXHAUSTED = "every path that could matter was explored"
    TIME_LIMIT = "the time limit was reached"
    RUN_LIMIT = "the limit on runs was reached"
    INTERRUPTED = "interrupted"
    ASKED = "everything that the formula can decide was asked"
    STUCK = "nothing new was found for a while"  # a larger shape of the inputs comes next


@dataclass(frozen=True, slots=True)
class Turn:
    """How long one engine works before the other has its turn. Measured in steps of about a millisecond, so that the
    same options give the same tests on any machine. The clock ends a turn only if steps take much longer."""

    patience: float  # steps without anything new
    steps: float
    seconds: float
    trials: float = math.inf  # in one turn of fuzzing, which has an end of its own


@dataclass(frozen=True, slots=True)
class Budget:
    """0 runs means no limit on runs."""

    seconds: float = 10.0
    runs: int = 0

    def stop_reason(self, seconds: float, runs: int) -> StopReason | None:
        if self.runs and runs >= self.runs:
            return StopReason.RUN_LIMIT
        return StopReason.TIME_LIMIT if seconds >= self.seconds else None

    def share_spent(self, seconds: float, runs: int) -> float:
        """How much of it is spent: 1 at the limit that comes first."""
        return max(seconds / self.seconds, runs / self.runs if self.runs else 0.0)
