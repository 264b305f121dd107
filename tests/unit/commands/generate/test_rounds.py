"""How --total-time is spread: briefly over all, then where something is open and progress is made."""

from __future__ import annotations

from tightrope.commands.generate import generate
from tightrope.commands.generate.old_results import OldResult
from tightrope.commands.generate.rounds import LEAST_SECONDS, LONGER, Round, Rounds
from tightrope.deadline import Deadline
from tightrope.options.options import Options
from tightrope.report.model import ReportedObjective, UnitReport
from tightrope.search.budget import StopReason
from tightrope.units.select_functions import FunctionJob


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
    rows = (unit(4, 0), unit(1, 3), unit(3, 3), unit(2, 2, StopReason.EXHAUSTED))
    for number, row in enumerate(rows):
        rounds.record(number, 2.0, row)
    assert rounds.next() == Round((2, 1), 2.0 * LONGER)
    for further in (unit(4, 2), unit(5, 1)):  # 1 makes no progress, 2 does
        rounds.record(1, 8.0, None)
        rounds.record(2, 8.0, further)
    assert rounds.next() == Round((2,), 8.0 * LONGER)
    clock.now = 999.5
    assert rounds.next() is None


def test_the_time_that_is_left_limits_how_many_have_a_turn() -> None:
    rounds, clock = make(100.0)
    for number in range(10):
        rounds.record(number, 5.0, unit(number + 1, 5))
    clock.now = 50.0
    assert rounds.next() == Round((9, 8), 20.0)
    clock.now = 90.0
    assert rounds.next() == Round((9,), 10.0)


def test_a_round_that_fails_takes_nothing_from_the_one_before(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "a.c").write_text("int f(int a) { return a; }\n")
    tests = tmp_path / "test_a_f.c"
    tests.write_text("/* Written by Tightrope: before */\n")

    def fail(*_: object) -> UnitReport:
        tests.write_text("/* Written by Tightrope: half of it */\n")
        raise RuntimeError("of a later round")

    monkeypatch.setattr(generate, "walk_job", fail)
    old = OldResult(decided=3, written=(str(tests),))
    assert generate._do(FunctionJob(tmp_path / "a.c", "f"), Options(()), True, None, old) is None
    assert "before" in tests.read_text()
    assert "of a later round" in capsys.readouterr().err
