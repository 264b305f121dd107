"""--total-time: how a time for all functions is spread over them.

    round 1   every function, briefly: most need little
    round 2   those that the time limit ended, four times as long, most progress first
    ...       until nothing is open, nothing makes progress, or the time is over

A function leaves when it had two rounds without progress. Each round goes on from the inputs that the last one found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.deadline import Deadline
from tightrope.report.model import UnitReport
from tightrope.search.budget import StopReason

SHARE_OF_FIRST = 0.5  # of the total time, if every function needed all of its first round
LEAST_SECONDS = 1.0  # for a function, with making its tests
LONGER = 4.0  # times as long in the next round
MOST_IN_VAIN = 2  # rounds in a row without progress


@dataclass(frozen=True, slots=True)
class Round:
    """Functions by the number of their job, and the time limit of each."""

    numbers: tuple[int, ...]
    limit: float


@dataclass(slots=True)
class Rounds:
    """`longest`: the time limit of one function, in one round. `jobs` are done at the same time."""

    deadline: Deadline
    jobs: int
    longest: float
    _decided: dict[int, int] = field(default_factory=dict)  # objectives of a function
    _open: dict[int, bool] = field(default_factory=dict)  # more time may decide others
    _limit: dict[int, float] = field(default_factory=dict)  # of its last round
    _gain: dict[int, int] = field(default_factory=dict)  # objectives that it decided in this round
    _in_vain: dict[int, int] = field(default_factory=dict)

    def first(self, numbers: Sequence[int]) -> Round:
        fair = SHARE_OF_FIRST * self.deadline.left * self.jobs / max(1, len(numbers))
        limit = min(self.longest, max(LEAST_SECONDS, fair))
        return Round(tuple(numbers), limit)

    def record(self, number: int, limit: float, unit: UnitReport | None) -> bool:
        """The result of a round; None if the one before it was better. True if it is the first, or decides more."""
        is_first = number not in self._decided
        decided = count_decided(unit) if unit else self._decided[number]
        gain = decided - self._decided.get(number, 0)
        self._open[number] = _may_go_on(unit) if unit else True
        self._decided[number], self._limit[number], self._gain[number] = decided, limit, gain
        self._in_vain[number] = 0 if gain else self._in_vain.get(number, 0) + 1
        return is_first or gain > 0

    def next(self) -> Round | None:
        """None if the time is over, or more time helps nowhere."""
        open_ones = [number for number, is_open in self._open.items() if is_open and self._is_promising(number)]
        if not open_ones or self.deadline.left < LEAST_SECONDS:
            return None
        ranked = sorted(open_ones, key=lambda number: (-self._gain.get(number, 0) / self._last(number), number))
        limit = min(self.longest, self.deadline.left, LONGER * min(map(self._last, ranked)))
        affordable = max(1, int(self.deadline.left * self.jobs / limit))
        return Round(tuple(ranked[:affordable]), limit)

    def _last(self, number: int) -> float:
        return self._limit.get(number, LEAST_SECONDS)

    def _is_promising(self, number: int) -> bool:
        return self._in_vain.get(number, 0) < MOST_IN_VAIN


def count_decided(unit: UnitReport) -> int:
    return sum(each.verdict != "unknown" for each in unit.objectives)


def _may_go_on(unit: UnitReport) -> bool:
    is_open = any(each.verdict == "unknown" for each in unit.objectives)
    return is_open and unit.stop_reason == StopReason.TIME_LIMIT.value
