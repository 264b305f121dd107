"""Fewest tests that keep the coverage."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.witnesses import bits, is_covered
from tightrope.location import Location
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.suite.reduce import drop_redundant, reduce_runs, share_obligations
from tightrope.suite.telling import count_computed_values

Pairs = tuple[tuple[int, int], ...]


def run(points: int, *values: int, outcome: Outcome = Outcome.RETURNED) -> RunRecord:
    return RunRecord(values, Ending(outcome), points)


def objective(number: int, relation: Relation, points: tuple[int, ...], pairs: Pairs = ()) -> Objective:
    return Objective(f"f:x:{number}", "x", "", Location("f.c", 1), "", points, "", relation=relation, pairs=pairs)


def any_of(*masks: int) -> list[Objective]:
    return [objective(number, Relation.ANY, tuple(bits(mask))) for number, mask in enumerate(masks)]


def all_of(*points: int) -> Objective:
    return objective(100, Relation.ALL, points)


def pair_of(*pairs: tuple[int, int], number: int = 200) -> Objective:
    return objective(number, Relation.PAIR, tuple({point: None for pair in pairs for point in pair}), pairs)


def singles(count: int) -> list[Objective]:
    return any_of(*(1 << point for point in range(count)))


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
    assert [each.obligations for each in kept] == [(0b001, 0b010), (0b100,)]
    assert [each.run for each in reduce_runs([crash, returned], singles(2))] == [returned]


def test_runs_without_signed_overflow_come_first() -> None:
    wraps, plain, crash = replace(run(0b0111, 0), wraps=True), run(0b0011, 9), run(0b1111, 0, outcome=Outcome.CRASHED)
    assert [each.run for each in reduce_runs([crash, wraps, plain], singles(4))] == [plain, wraps, crash]
    assert [each.run for each in reduce_runs([crash, wraps, plain], singles(3))] == [plain, wraps]
    assert [each.run for each in reduce_runs([crash, wraps, plain], singles(2))] == [plain]
    same = replace(run(0b11, 0), wraps=True)
    assert [each.run for each in reduce_runs([same, plain], singles(2))] == [plain]


def test_rejected_runs_are_never_kept() -> None:
    assert reduce_runs([run(0b1, 0, outcome=Outcome.REJECTED)], singles(1)) == ()


def test_points_that_no_objective_asks_for_do_not_matter() -> None:
    runs = [run(0b1001, 1), run(0b0001, 0)]
    assert [kept.run for kept in reduce_runs(runs, any_of(0b1))] == [runs[1]]


def test_any_point_of_an_objective_is_enough() -> None:
    runs = [run(0b010, 1), run(0b100, 2)]
    assert [kept.run.input for kept in reduce_runs(runs, any_of(0b110))] == [(1,)]


def test_each_objective_has_one_owner() -> None:
    first, second = run(0b011, 1), run(0b110, 2)
    assert [kept.obligations for kept in share_obligations([first, second], singles(3))] == [(0b001, 0b010), (0b100,)]


def test_both_runs_of_a_pair_are_kept_each_for_its_own_point() -> None:
    runs = [run(0b0001, 1), run(0b0100, 2), run(0b1000, 4)]
    kept = reduce_runs(runs, [pair_of((0, 1), (2, 3))])
    assert [(each.run.input, each.obligations) for each in kept] == [((2,), (0b0100,)), ((4,), (0b1000,))]


def test_one_run_that_makes_a_pair_alone_is_enough() -> None:
    runs = [run(0b01, 1), run(0b10, 2), run(0b11, 7)]
    kept = reduce_runs(runs, [pair_of((0, 1))])
    assert [(each.run.input, each.obligations) for each in kept] == [((7,), (0b01, 0b10))]


def test_pairs_that_share_a_point_share_a_run() -> None:
    """`a && b && c` by unique cause: TTT and one of FXX, TFX, TTF for each condition; other pairs cost a run more."""
    runs = [run(1 << point, point) for point in range(6)]
    pairs = [pair_of((4, 5), (0, at), number=at) for at in (1, 2, 3)]
    assert {kept.run.input for kept in reduce_runs(runs, pairs)} == {(4,), (5,)}
    apart = [pair_of((0, at), (4 + at, 8 + at), number=at) for at in (1, 2, 3)]
    runs = [run(1 << point, point) for point in range(12)]
    assert {kept.run.input for kept in reduce_runs(runs, apart)} == {(0,), (1,), (2,), (3,)}


def test_every_point_of_all_is_kept() -> None:
    runs = [run(0b001, 1), run(0b100, 2), run(0b010, 3)]
    kept = reduce_runs(runs, [all_of(0, 2)])
    assert [(each.run.input, each.obligations) for each in kept] == [((1,), (0b001,)), ((2,), (0b100,))]


def test_a_pair_of_runs_that_returned_is_preferred() -> None:
    crash = run(0b0011, 0, outcome=Outcome.CRASHED)
    runs = [crash, run(0b0100, 5), run(0b1000, 6)]
    assert [kept.run.input for kept in reduce_runs(runs, [pair_of((0, 1), (2, 3))])] == [(5,), (6,)]
    mixed = [run(0b01, 0, outcome=Outcome.CRASHED), run(0b10, 5)]
    assert {kept.run.input for kept in reduce_runs(mixed, [pair_of((0, 1))])} == {(0,), (5,)}


def test_a_pair_is_served_by_points_that_are_kept_anyway() -> None:
    first, second = run(0b0101, 1), run(0b1010, 2)
    kept = share_obligations([first, second], [*any_of(0b0100, 0b1000), pair_of((0, 1), (2, 3))])
    assert [each.obligations for each in kept] == [(0b0100,), (0b1000,)]


masks = st.integers(0, 2**8 - 1)
outcomes = st.sampled_from([Outcome.RETURNED, Outcome.CRASHED, Outcome.REJECTED])


drawn_runs = st.lists(st.tuples(masks, st.integers(0, 99), outcomes), unique_by=lambda each: each[1])


points = st.integers(0, 7)
drawn_objectives = st.lists(
    st.one_of(
        st.integers(1, 2**8 - 1).map(lambda mask: any_of(mask)[0]),
        st.lists(points, min_size=1, max_size=3, unique=True).map(lambda drawn: all_of(*drawn)),
        st.lists(st.tuples(points, points), min_size=1, max_size=4).map(lambda drawn: pair_of(*drawn)),
    ),
    max_size=6,
).map(lambda drawn: [replace(each, id=f"f:x:{number}") for number, each in enumerate(drawn)])


@given(drawn_runs, drawn_objectives)
def test_coverage_is_kept_and_nothing_is_redundant(drawn: list[tuple[int, int, Outcome]], asked) -> None:
    runs = [run(points, value, outcome=outcome) for points, value, outcome in drawn]
    usable = [each for each in runs if each.ending.outcome is not Outcome.REJECTED]
    asked = [each for each in asked if each.id in covered(usable, asked)]  # as the ledger has it
    kept = reduce_runs(runs, asked)
    chosen = [each.run for each in kept]
    assert covered(chosen, asked) == covered(usable, asked)
    returned = [each for each in chosen if each.ending.outcome is Outcome.RETURNED]
    parts = [part for each in asked for part in parts_of(each)]
    for each in chosen:
        others = [other for other in chosen if other is not each]
        still = covered([other for other in others if other in returned], parts) == covered(returned, parts)
        assert covered(others, parts) != covered(chosen, parts) or not still
    assert covered(returned, asked) >= covered(
        [each for each in runs if each.ending.outcome is Outcome.RETURNED], asked
    )
    assert reduce_runs(reversed(runs), asked) == kept
    for each in kept:
        assert all(mask & each.run.points for mask in each.obligations)
    assert_obligations_cover(kept, asked)


def parts_of(one: Objective) -> list[Objective]:
    """Every point of an `all` is somebody's duty of its own."""
    if one.relation is not Relation.ALL:
        return [one]
    return [objective(f"{one.id}:{point}", Relation.ANY, (point,)) for point in one.points]


def covered(runs: list[RunRecord], asked: list[Objective]) -> set[str]:
    union = 0
    for each in runs:
        union |= each.points
    return {one.id for one in asked if is_covered(one, union)}


def assert_obligations_cover(kept, asked: list[Objective]) -> None:
    """Runs that do no more than what they are kept for, by whichever point, still cover everything."""
    for pick in (min, max):
        union = 0
        for each in kept:
            for mask in each.obligations:
                union |= 1 << pick(bits(mask))
        assert {one.id for one in asked if is_covered(one, union)} == {one.id for one in asked}


def test_dropping_prefers_to_lose_crashes() -> None:
    crash, returned = run(0b1, 0, outcome=Outcome.CRASHED), run(0b1, 500)
    assert drop_redundant([crash, returned], any_of(1)) == (returned,)


def test_of_equal_runs_the_one_that_tells_more_is_kept() -> None:
    one, other = replace(run(1, 0), outputs=(0, 1)), replace(run(1, 6), outputs=(77, 78))
    assert reduce_runs([one, other], any_of(1))[0].run == one
    assert reduce_runs([one, other], any_of(1), worth=count_computed_values)[0].run == other
    assert drop_redundant([one, other], any_of(1), worth=count_computed_values) == (other,)


def test_what_a_run_computed_is_neither_an_input_nor_a_truth_value() -> None:
    assert count_computed_values(replace(run(1, 6, 7), outputs=(6, 7, 42, 42, 1, 0, None, 13))) == 2
