"""How --total-time is spread: briefly over all, then where something is open and progress is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tightrope.commands.generate import generate
from tightrope.commands.generate.executors.executor import JobDone
from tightrope.commands.generate.executors.local_processes import LocalProcesses, _Helper
from tightrope.commands.generate.executors.waiting import Waiting
from tightrope.commands.generate.known_results import opened_results
from tightrope.commands.generate.old_results import OldResult
from tightrope.commands.generate.rounds import LEAST_SECONDS, LONGER, Round, Rounds
from tightrope.deadline import NEVER, Deadline
from tightrope.options.options import Options
from tightrope.report.model import ReportedObjective, UnitReport
from tightrope.search.budget import StopReason
from tightrope.units.select_functions import FunctionJob, Selection


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


def test_tests_of_a_function_whose_process_was_ended_are_put_back(tmp_path, monkeypatch) -> None:
    """Nobody catches a signal that ends a process: the supervising one knows what was there."""
    tests = tmp_path / "test_a_f.c"
    tests.write_text("/* Written by Tightrope: before */\n")

    class Ended:
        def run(self, work: object, jobs: object, groups: object = ()) -> Iterator[JobDone[UnitReport]]:
            tests.write_text("/* Written by Tightrope: half of it */\n")
            yield from ()

    options = Options((), output=tmp_path)
    monkeypatch.setattr(generate, "_local", lambda options, jobs: Ended())
    selection = Selection(options, (FunctionJob(tmp_path / "a.c", "f"), FunctionJob(tmp_path / "a.c", "g")))
    with opened_results(replace(options, no_cache=True)) as known:
        campaign = generate._Campaign(selection, known, lambda unit, total: None, NEVER, NEVER)
        campaign.rows[0] = generate._pack(replace(unit(3, 1), written=(str(tests),)))
        assert list(campaign._work(Round((0,), 1.0))) == []
    assert "before" in tests.read_text()


def test_functions_of_one_file_are_for_one_process() -> None:
    pool = LocalProcesses(2)
    pool._waiting = Waiting(5, ["a.c", "a.c", "b.c", "b.c", "b.c"])
    first, second = _Helper(None, None), _Helper(None, None)  # type: ignore[arg-type]
    pool._helpers = [first, second]
    taken = []
    for helper in (first, second, first, second, first, second):
        if pool._waiting:
            helper.number = pool._choose(helper)
            taken.append(helper.number)
    assert taken == [0, 2, 1, 3, 4]


def _fail(how: str) -> object:
    if how == "to return":
        return lambda: how  # which cannot be pickled
    raise KeyError(how)


def test_a_failure_of_ours_in_a_process_is_told_and_does_not_end_it() -> None:
    done = {each.number: each for each in LocalProcesses(1).run(_fail, [("to return",), ("to work",)])}
    assert "_fail" in done[0].lost and "process" not in done[0].lost
    assert done[1].lost == "KeyError: 'to work'"
