"""All that may take long looks at one deadline: counted with a clock of our own, which goes on with each run."""

from __future__ import annotations

import math

import pytest

from tightrope.commands.generate.pipeline import seconds_of_confirming, seconds_of_search
from tightrope.deadline import NEVER, Deadline, start_work_clock
from tightrope.expr import plain
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.inputs.scalars import Input
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.solving.backends import bitwuzla_session, bitwuzla_terms
from tightrope.solving.backends.bitwuzla import LEAST_SECONDS, BitwuzlaSolver
from tightrope.solving.query import SolverUnknown, WhyUnknown
from tightrope.suite.readability import LeafType
from tightrope.suite.reduce import Kept
from tightrope.suite.shrink import shrink

INT = LeafType("signed", 32, is_signed=True)


class Clock:
    """Shows seconds, which only `pass_` adds to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_deadline_is_a_moment_of_a_clock() -> None:
    clock = Clock()
    deadline = Deadline.after(5, clock)
    assert (deadline.left, deadline.is_over, deadline.later(2).left) == (5, False, 7)
    clock.now += 5
    assert deadline.is_over and not NEVER.is_over
    assert math.inf == NEVER.left


@pytest.mark.parametrize(("seconds_of_a_run", "most"), [(1.0, 3), (0.001, 2000), (100.0, 1)])
def test_shrinking_ends_at_the_deadline(seconds_of_a_run: float, most: int) -> None:
    clock, runs = Clock(), list[Input]()

    def run(values: Input) -> RunRecord:
        runs.append(values)
        clock.now += seconds_of_a_run
        return RunRecord(values, Ending(Outcome.RETURNED), int(sum(values) > 999))

    start = RunRecord((4000, 5000, 6000, 7000), Ending(Outcome.RETURNED), 1)
    found = shrink(Kept(start, (1,)), [INT] * 4, run, deadline=Deadline.after(3, clock))
    assert 0 < len(runs) <= most
    assert sum(found.input) > 999


@pytest.mark.parametrize(
    ("spent", "expected"),
    [(0.0, 54.0), (4.0, 49.0), (10.0, 37.0), (40.0, 12.0), (90.0, 12.0)],
    ids=["nothing", "little", "more than the tests need at least", "most of it", "more than all of it"],
)
def test_a_search_leaves_time_to_make_tests(spent: float, expected: float) -> None:
    clock = Clock()
    deadline = Deadline.after(60, clock)
    clock.now += spent
    assert seconds_of_search(60.0, deadline) == pytest.approx(expected)


@pytest.mark.parametrize(("spent", "expected"), [(0.0, 3.0), (4.0, 4.0), (40.0, 15.0)])
def test_confirming_gets_as_long_as_preparing_took(spent: float, expected: float) -> None:
    clock = Clock()
    deadline = Deadline.after(60, clock)
    clock.now += spent
    assert seconds_of_confirming(60.0, deadline) == pytest.approx(expected)


def large_formula(table: TermTable, size: int) -> Term:
    total = table.input(0, 32)
    for number in range(1, size):
        total = plain.apply(table, Op.XOR, total, plain.apply(table, Op.ADD, total, table.constant(number, 32)))
    return plain.compare(table, Op.EQ, total, table.constant(7, 32))


def test_a_formula_that_is_large_is_given_up_while_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock costs a second here: the translation must look, and stop."""
    clock = Clock()

    def tick() -> float:
        clock.now += 1
        return clock.now

    monkeypatch.setattr(bitwuzla_terms, "LOOKS", 10)
    monkeypatch.setattr(bitwuzla_session.time, "monotonic", tick)
    session = bitwuzla_session.BitwuzlaSession()
    session.assert_always(large_formula(TermTable(), 5000))
    answer = session.ask([], 20)
    assert answer == SolverUnknown(WhyUnknown.TIME_LIMIT, "the formula is too large")
    assert clock.now < 130


def test_a_query_of_the_search_lasts_half_of_the_time_that_is_left() -> None:
    clock = Clock()
    solver = BitwuzlaSolver(time_limit=5.0, deadline=Deadline.after(8, clock))
    limits = []
    for _ in range(5):
        clock.now += 2
        if solver._deadline.left < solver._time_limit:
            solver._hurry()
        limits.append(solver._time_limit)
    assert limits == [5.0, 2.0, 2.0, LEAST_SECONDS, LEAST_SECONDS]


def test_a_session_that_has_time_answers() -> None:
    session = bitwuzla_session.BitwuzlaSession()
    session.assert_always(large_formula(TermTable(), 50))
    assert not isinstance(session.ask([], 60), SolverUnknown)


def test_work_that_others_slow_down_is_not_over_earlier() -> None:
    now, worked = [0.0], [0.0]
    clock = start_work_clock(lambda: now[0], lambda: worked[0])
    now[0], worked[0] = 3.0, 1.0
    assert clock() == 1.0
    now[0] = 8.0  # but some time it is
    assert clock() == 2.0
