"""How --total-time is spread: briefly over all, then where something is open and progress is made."""

from __future__ import annotations

from tightrope.commands.generate.rounds import LEAST_SECONDS, LONGER, Round, Rounds
from tightrope.deadline import Deadline
from tightrope.report.model import ReportedObjective, UnitReport
from tightrope.search.budget import StopReason


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def unit(decided: int, unknown: int, stop: StopReason = StopReason.TIME_LIMIT) -> UnitReport:
    verdicts = ["covered"] * decided + ["unknown"] * unknown
    objectives = [ReportedObjective(str(at), "branch", "true", 1, 1, "", each) for at, each in enumerate(verdicts)]
    return UnitReport("a.c", "f", ("branch",), "dfs", 0, stop.value, tuple(objectives), ())


def make(total: float, jobs: int = 1, longest: float = 60.0) -> tuple[Rounds, Clock]:
    clock = Clock()
    return Rounds(Deadline.after(total, clock), jobs, longest), clock


def test_the_first_round_is_brief() -> None:
    rounds, _ = make(100.0, jobs=2)
    assert rounds.first(range(10)) == Round(tuple(range(10)), 10.0)
    assert rounds.first(range(1000)).limit == LEAST_SECONDS
    assert rounds.first([0]).limit == 60.0


def test_later_rounds_are_for_open_functions_with_progress() -> None:
    rounds, clock = make(1000.0)
    rows = {0: unit(4, 0), 1: unit(1, 3), 2: unit(3, 3), 3: unit(2, 2, StopReason.EXHAUSTED)}
    for number, row in rows.items():
        rounds.record(number, 2.0, None, row)
    assert rounds.next(rows) == Round((2, 1), 2.0 * LONGER)
    for turn in range(2):  # 1 makes no progress, 2 does
        rounds.record(1, 8.0, rows[1], rows[1])
        rounds.record(2, 8.0, rows[2], rows[2] if turn else unit(4, 2))
        rows[2] = unit(4, 2)
    assert rounds.next(rows) == Round((2,), 8.0 * LONGER)
    clock.now = 999.5
    assert rounds.next(rows) is None


def test_the_time_that_is_left_limits_how_many_have_a_turn() -> None:
    rounds, clock = make(100.0)
    rows = {number: unit(number, 5) for number in range(10)}
    for number, row in rows.items():
        rounds.record(number, 5.0, None, row)
    clock.now = 50.0
    assert rounds.next(rows) == Round((9, 8), 20.0)
    clock.now = 90.0
    assert rounds.next(rows) == Round((9,), 10.0)
