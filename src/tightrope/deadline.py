"""When work must end. One deadline is handed down to all that may take long; each looks at it before its next step."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of a clock."""

    end: float
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float] = time.monotonic) -> Deadline:
        return cls(clock() + seconds, clock)

    @property
    def left(self) -> float:
        """Seconds, negative once it has passed."""
        return self.end - self.clock()

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def later(self, seconds: float) -> Deadline:
        return Deadline(self.end + seconds, self.clock)


NEVER = Deadline(math.inf)

LEAST_SHARE = 0.25  # of the machine, for work that others slow down


def start_work_clock(
    clock: Callable[[], float] = time.monotonic, worked: Callable[[], float] = time.process_time
) -> Callable[[], float]:
    """A clock of what this process has worked since now, for work whose size matters more than when it ends: on a busy
    machine it is not given up earlier. It counts at least a share of the real time, because time limits are real."""
    start, first = clock(), worked()
    return lambda: max(worked() - first, LEAST_SHARE * (clock() - start))
