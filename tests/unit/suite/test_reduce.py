"""Fewest tests that keep the coverage."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tightrope.execution.trace import Ending, Outcome, RunRecord
from tightrope.suite.reduce import drop_redundant, reduce_runs, share_needs


def run(points: int, *values: int, outcome: Outcome = Outcome.RETURNED) -> RunRecord:
    return RunRecord(values, Ending(outcome), points)


def singles(count: int) -> list[int]:
    return [1 << point for point in range(count)]


def test_one_run_that_does_everything() -> None:
    runs = [run(0b001, 1), run(0b011, 2), run(0b111, 900)]
    assert [kept.run for kept in reduce_runs(runs, singles(3))] == [runs[2]]


def test_greedy_choice_is_dropped_when_others_cover_its_share() -> None:
    # greedy takes the four in the middle first, then needs both halves anyway
    middle, left, right = run(0b0011_1100, 1), run(0b0000_1111, 2), run(0b1111_0000, 3)
    assert {kept.run for kept in reduce_runs([middle, left, right], singles(8))} == {left, right}


def test_simplest_input_wins_a_tie() -> None:
    runs = [run(0b1, 7), run(0b1, 8), run(0b1, 4), run(0b1, 5)]
    assert [kept.run.input for kept in reduce_runs(runs, singles(1))] == [(4,)]


def test_returning_runs_come_first() -> None:
    crash = run(0b111, 0, outcome=Outcome.CRASHED)
    returned = run(0b011, 9)
    kept = reduce_runs([crash, returned], singles(3))
    assert [each.run for each in kept] == [returned, crash]
    assert [each.needs for each in kept] == [(0b001, 0b010), (0b100,)]
    assert [each.run for each in reduce_runs([crash, returned], singles(2))] == [returned]


def test_rejected_runs_are_never_kept() -> None:
    assert reduce_runs([run(0b1, 0, outcome=Outcome.REJECTED)], singles(1)) == ()


def test_points_that_no_objective_asks_for_do_not_matter() -> None:
    runs = [run(0b1001, 1), run(0b0001, 0)]
    assert [kept.run for kept in reduce_runs(runs, [0b1])] == [runs[1]]


def test_any_point_of_an_objective_is_enough() -> None:
    runs = [run(0b010, 1), run(0b100, 2)]
    assert [kept.run.input for kept in reduce_runs(runs, [0b110])] == [(1,)]


def test_each_objective_has_one_owner() -> None:
    first, second = run(0b011, 1), run(0b110, 2)
    assert [kept.needs for kept in share_needs([first, second], singles(3))] == [(0b001, 0b010), (0b100,)]


masks = st.integers(0, 2**8 - 1)
outcomes = st.sampled_from([Outcome.RETURNED, Outcome.CRASHED, Outcome.REJECTED])


drawn_runs = st.lists(st.tuples(masks, st.integers(0, 99), outcomes), unique_by=lambda each: each[1])


@given(drawn_runs, st.lists(st.integers(1, 2**8 - 1), max_size=6))
def test_coverage_is_kept_and_nothing_is_redundant(drawn: list[tuple[int, int, Outcome]], needs: list[int]) -> None:
    runs = [run(points, value, outcome=outcome) for points, value, outcome in drawn]
    kept = reduce_runs(runs, needs)
    usable = [each for each in runs if each.ending.outcome is not Outcome.REJECTED]

    def covered(some: list[RunRecord]) -> set[int]:
        return {need for need in needs if any(need & each.points for each in some)}

    chosen = [each.run for each in kept]
    assert covered(chosen) == covered(usable)
    returned = [each for each in chosen if each.ending.outcome is Outcome.RETURNED]
    for each in chosen:
        group = returned if each in returned else chosen
        assert covered([other for other in group if other is not each]) != covered(group)
    assert covered(returned) == covered([each for each in runs if each.ending.outcome is Outcome.RETURNED])
    assert reduce_runs(reversed(runs), needs) == kept
    assert sorted(need for each in kept for need in each.needs) == sorted(n for n in needs if n in covered(usable))


def test_dropping_prefers_to_lose_crashes() -> None:
    crash, returned = run(0b1, 0, outcome=Outcome.CRASHED), run(0b1, 500)
    assert drop_redundant([crash, returned], [1]) == (returned,)
