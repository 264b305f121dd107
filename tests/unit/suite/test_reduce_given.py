"""Tests that there were before: what a reduction adds to them, and which names are left for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.witnesses import is_covered
from tightrope.location import Location
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.suite.case import Case, credit, name_cases
from tightrope.suite.reduce import drop_redundant, reduce_runs

RETURNED, CRASHED = Ending(Outcome.RETURNED), Ending(Outcome.CRASHED)


def run(points: int, value: int, ending: Ending = RETURNED) -> RunRecord:
    return RunRecord((value,), ending, points)


def single(point: int) -> Objective:
    return Objective(
        f"f:branch:{point}", "branch", "true", Location("f.c", point + 1), f"x{point} is true", (point,), ""
    )


PAIR = Objective(
    "f:mcdc:1", "mcdc", "c1", Location("f.c", 9), "x", (0, 1, 2, 3), "", relation=Relation.PAIR, pairs=((0, 1), (2, 3))
)


def added(runs: list[RunRecord], given: list[RunRecord], objectives: list[Objective]) -> list[RunRecord]:
    kept = [each.run for each in reduce_runs(runs, objectives, given)]
    assert kept[: len(given)] == given
    return kept[len(given) :]


def test_all_that_are_given_stay_though_one_run_would_do():
    old = [run(0b01, 700), run(0b10, 900), run(0b01, 800)]
    assert added([run(0b11, 1)], old, [single(0), single(1)]) == []


def test_a_pair_is_completed_by_its_other_half():
    assert added([run(0b0100, 1), run(0b0010, 2)], [run(0b0001, 900)], [PAIR]) == [run(0b0010, 2)]


def test_what_crashed_before_does_not_stand_for_what_returns():
    crash = run(0b1, 900, CRASHED)
    assert added([run(0b1, 5)], [crash], [single(0)]) == [run(0b1, 5)]
    assert added([run(0b1, 5, CRASHED)], [crash], [single(0)]) == []


def test_dropping_leaves_what_is_given():
    given, more = run(0b01, 900), run(0b11, 1)
    objectives = [single(0), single(1)]
    assert drop_redundant([given, more], objectives, given=1) == (given, more)
    assert drop_redundant([given, more], objectives) == (more,)


points = st.integers(0, 31)


@given(st.lists(points, max_size=6), st.lists(points, max_size=6))
def test_all_that_runs_cover_stays_covered(old, new):
    given = [run(each, 100 + at) for at, each in enumerate(old)]
    runs = [run(each, at) for at, each in enumerate(new)]
    objectives = [*(single(point) for point in range(5)), PAIR]
    kept = [*given, *added(runs, given, objectives)]
    everything, left = 0, 0
    for each in (*given, *runs):
        everything |= each.points
    for each in kept:
        left |= each.points
    assert all(is_covered(each, left) for each in objectives if is_covered(each, everything))


def test_names_stay_and_new_ones_are_free():
    cases = [Case(name, (), RETURNED, (), points=mask) for name, mask in (("mine", 0b01), ("", 0b01), ("", 0b10))]
    named = name_cases("f", credit(cases, [single(0), single(1)]), taken=("f__x0_T",))
    assert [case.name for case in named] == ["mine", "f__x0_T_2", "f__x1_T"]


def test_a_new_case_does_not_take_the_name_of_a_later_one():
    cases = [Case("", (), RETURNED, (), points=1), Case("f__x0_T", (), RETURNED, (), points=1)]
    assert [case.name for case in name_cases("f", credit(cases, [single(0)]))] == ["f__x0_T_2", "f__x0_T"]
