"""The ledger: verdicts are final, and a run against a proof is never silent."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.location import Location
from tightrope.objectives.ledger import ContradictionError, Ledger
from tightrope.objectives.objective import Objective, number_equals, relative_place
from tightrope.objectives.verdict import Covered, Infeasible, Proof, Reason, Unknown


def objective(name: str, *points: int, is_constant: bool = False) -> Objective:
    return Objective(name, "branch", "true", Location("f.c", 3, 4), name, points, f"not {name}", is_constant)


def test_first_run_that_hits_a_point_covers() -> None:
    one, two = objective("one", 0), objective("two", 1)
    ledger = Ledger([one, two])
    assert ledger.record(0b01, 7) == (one,)
    assert ledger.record(0b01, 8) == ()
    assert ledger.verdict(one) == Covered(("7",))
    assert ledger.verdict(two) == Unknown(Reason.NOT_TRIED)
    assert not ledger.is_done
    assert ledger.open_points == 0b10


def test_any_point_is_enough_and_all_of_them_close() -> None:
    line = objective("line", 1, 4)
    ledger = Ledger([line])
    assert ledger.record(1 << 4, 1) == (line,)
    assert ledger.open_points == 0
    assert ledger.is_done


def test_shared_point_stays_open_while_another_objective_needs_it() -> None:
    line, other = objective("line", 1, 2), objective("other", 2, 3)
    ledger = Ledger([line, other])
    ledger.record(0b010, 1)
    assert ledger.open_points == 0b1100
    assert ledger.record(0b100, 2) == (other,)


def test_constant_is_infeasible_from_the_start() -> None:
    dead, alive = objective("dead", 0, is_constant=True), objective("alive", 1)
    ledger = Ledger([dead, alive])
    assert ledger.verdict(dead) == Infeasible(Proof.CONSTANT)
    assert ledger.open_points == 0b10


def test_run_against_a_proof_is_a_contradiction() -> None:
    ledger = Ledger([objective("dead", 0, is_constant=True)])
    with pytest.raises(ContradictionError, match="run 3 covers what was proved infeasible: dead"):
        ledger.record(1, 3)


def test_proof_against_a_run_is_a_contradiction() -> None:
    one = objective("one", 0)
    ledger = Ledger([one])
    ledger.record(1, 0)
    with pytest.raises(ContradictionError):
        ledger.refute(one, Infeasible(Proof.EXHAUSTED))


def test_what_is_open_at_the_end_gets_the_reason_or_the_proof() -> None:
    one, two = objective("one", 0), objective("two", 1)
    ledger = Ledger([one, two])
    ledger.record(1, 0)
    ledger.explain_open(Reason.TIME_LIMIT)
    assert ledger.verdict(two) == Unknown(Reason.TIME_LIMIT)
    assert not ledger.is_done
    ledger.refute_open(Proof.EXHAUSTED)
    assert ledger.verdict(two) == Infeasible(Proof.EXHAUSTED)
    assert ledger.is_done
    assert (ledger.count(Covered), ledger.count(Infeasible), ledger.count(Unknown)) == (1, 1, 0)


def test_tests_replace_runs() -> None:
    one = objective("one", 0)
    ledger = Ledger([one])
    ledger.record(1, 12)
    ledger.name_tests(one, ["test_1", "test_3"])
    assert list(ledger) == [(one, Covered(("test_1", "test_3")))]


@given(st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=3), max_size=8), st.lists(st.integers(0, 2**13 - 1)))
def test_covered_exactly_when_some_run_hit_a_point(points: list[list[int]], runs: list[int]) -> None:
    objectives = [objective(f"o{number}", *each) for number, each in enumerate(points)]
    ledger = Ledger(objectives)
    news = [each for number, run in enumerate(runs) for each in ledger.record(run, number)]
    union = 0
    for run in runs:
        union |= run
    expected = [each.id for each in objectives if each.mask & union]
    assert sorted(each.id for each in news) == sorted(expected)
    assert ledger.is_done == (len(expected) == len(objectives))


def test_recording_nothing_new_is_quick() -> None:
    ledger = Ledger([objective(f"o{number}", number) for number in range(500)])
    mask = (1 << 400) - 1
    ledger.record(mask, 0)
    started = time.perf_counter()
    for run in range(10_000):
        ledger.record(mask, run)
    assert time.perf_counter() - started < 0.5


def test_every_reason_has_a_sentence() -> None:
    assert all(reason.sentence and reason.word == reason.word.lower() for reason in Reason)
    assert len({reason.word for reason in Reason}) == len(Reason)
    assert all(proof.sentence for proof in Proof)


def test_relative_place() -> None:
    first = Location("a/f.c", 10)
    assert relative_place(Location("a/f.c", 12, 5), first) == "+2.5"
    assert relative_place(Location("a/f.c", 10), first) == "+0"
    assert relative_place(Location("a/body.inc", 7, 3), first) == "body.inc.7.3"


def test_equal_ids_get_an_ordinal() -> None:
    numbered = number_equals([objective("x", 0), objective("y", 1), objective("x", 2), objective("x", 3)])
    assert [each.id for each in numbered] == ["x", "y", "x#2", "x#3"]
