"""The ledger: verdicts are final, and a run against a proof is never silent."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.coverage.ledger import ContradictionError, Ledger
from tightrope.coverage.objective import Objective, Relation, number_equals, relative_place
from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason, Unknown
from tightrope.coverage.witnesses import is_covered
from tightrope.location import Location


def objective(name: str, *points: int, is_constant: bool = False, **more: Any) -> Objective:
    return Objective(name, "branch", "true", Location("f.c", 3, 4), name, points, f"not {name}", is_constant, **more)


def pair(name: str, *pairs: tuple[int, int]) -> Objective:
    points = tuple(sorted({point for each in pairs for point in each}))
    return objective(name, *points, relation=Relation.PAIR, pairs=pairs)


def every(name: str, *points: int) -> Objective:
    return objective(name, *points, relation=Relation.ALL)


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


def test_pair_is_covered_by_the_first_run_of_each_side() -> None:
    both = pair("both", (0, 1), (0, 2), (3, 4))
    ledger = Ledger([both])
    assert ledger.record(0b00100, "a") == ()
    assert ledger.record(0b10100, "b") == ()
    assert ledger.record(0b00001, "c") == (both,)
    assert ledger.verdict(both) == Covered(("a", "c"))
    assert ledger.is_done


def test_one_run_may_make_the_pair() -> None:
    both = pair("both", (0, 1))
    ledger = Ledger([both])
    ledger.record(0b11, 5)
    assert ledger.verdict(both) == Covered(("5",))


def test_points_of_a_pair_are_open_until_they_were_hit() -> None:
    ledger = Ledger([pair("both", (0, 1), (2, 3)), objective("one", 0)])
    ledger.record(0b0101, 0)
    assert ledger.open_points == 0b1010
    assert not ledger.is_done


def test_all_takes_every_point() -> None:
    three = every("three", 0, 1, 2)
    ledger = Ledger([three])
    assert ledger.record(0b101, "a") == ledger.record(0b101, "b") == ()
    assert ledger.open_points == 0b010
    assert ledger.record(0b110, "c") == (three,)
    assert ledger.verdict(three) == Covered(("a", "c"))


def test_sequence_is_one_run() -> None:
    flow = objective("flow", 3, relation=Relation.SEQUENCE)
    ledger = Ledger([flow])
    assert ledger.record(0b1000, 2) == (flow,)


def test_half_a_pair_does_not_contradict_the_proof() -> None:
    both = pair("both", (0, 1), (2, 3))
    ledger = Ledger([both])
    ledger.record(0b0001, "before")
    ledger.refute_open(Proof.EXHAUSTED)
    assert ledger.is_done
    assert ledger.record(0b0101, "after") == ()
    assert ledger.verdict(both) == Infeasible(Proof.EXHAUSTED)
    with pytest.raises(ContradictionError, match="run late covers what was proved infeasible: both"):
        ledger.record(0b0010, "late")


def test_part_of_all_does_not_contradict_the_proof() -> None:
    ledger = Ledger([every("two", 0, 1), objective("one", 0)])
    ledger.refute(ledger.objectives[0], Infeasible(Proof.UNSATISFIABLE))
    assert [each.id for each in ledger.record(0b01, 1)] == ["one"]
    with pytest.raises(ContradictionError, match="two"):
        ledger.record(0b10, 2)


def test_what_cannot_be_followed_stays_unknown_with_its_problem() -> None:
    lost = objective("lost", problem="it has more than 4096 ways to be evaluated")
    ledger = Ledger([lost, objective("one", 0)])
    expected = Unknown(Reason.NOT_FOLLOWED, "it has more than 4096 ways to be evaluated")
    assert ledger.verdict(lost) == expected
    ledger.record(1, 0)
    assert ledger.is_done
    ledger.refute_open(Proof.EXHAUSTED)
    ledger.explain_open(Reason.TIME_LIMIT)
    ledger.explain(lost, Reason.SHAPE)
    assert ledger.verdict(lost) == expected
    assert ledger.open_objectives == ()


def test_constant_needs_no_run_to_be_followed() -> None:
    dead = objective("dead", is_constant=True, problem="lost")
    assert Ledger([dead]).verdict(dead) == Infeasible(Proof.CONSTANT)


POINTS = st.integers(0, 9)
MANY_POINTS = st.lists(POINTS, min_size=1, max_size=4)
OBJECTIVES = st.one_of(
    st.builds(lambda points: objective("any", *points), MANY_POINTS),
    st.builds(lambda points: every("all", *points), MANY_POINTS),
    st.builds(lambda pairs: pair("pair", *pairs), st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=4)),
)
RUNS = st.lists(st.integers(0, 2**10 - 1), max_size=6)


def numbered(objectives: list[Objective]) -> list[Objective]:
    return [replace(each, id=f"{each.id}{number}") for number, each in enumerate(objectives)]


@given(st.lists(OBJECTIVES, max_size=8), RUNS)
def test_covered_exactly_when_the_runs_together_do_it(drawn: list[Objective], runs: list[int]) -> None:
    objectives = numbered(drawn)
    ledger = Ledger(objectives)
    news = [each for number, run in enumerate(runs) for each in ledger.record(run, number)]
    union = reduce(or_, runs, 0)
    expected = [each.id for each in objectives if is_covered(each, union)]
    assert sorted(each.id for each in news) == sorted(expected)
    assert ledger.is_done == (len(expected) == len(objectives))


@given(st.lists(OBJECTIVES, max_size=8), RUNS)
def test_the_runs_that_are_named_cover_it(drawn: list[Objective], runs: list[int]) -> None:
    ledger = Ledger(numbered(drawn))
    for number, run in enumerate(runs):
        ledger.record(run, number)
    for each, verdict in ledger:
        if isinstance(verdict, Covered):
            assert is_covered(each, reduce(or_, (runs[int(name)] for name in verdict.tests)))
            assert each.relation is Relation.ALL or len(verdict.tests) <= 2


@given(st.lists(OBJECTIVES, max_size=8), RUNS)
def test_points_that_are_not_open_bring_nothing(drawn: list[Objective], runs: list[int]) -> None:
    ledger = Ledger(numbered(drawn))
    for number, run in enumerate(runs):
        before = ledger.open_points
        assert ledger.record(run & ~before, number) == () and ledger.open_points == before
        ledger.record(run, number)
        assert not ledger.open_points & run


@given(st.lists(OBJECTIVES, min_size=1, max_size=8), RUNS, RUNS)
def test_contradiction_exactly_when_a_refuted_one_is_covered(
    drawn: list[Objective], before: list[int], after: list[int]
) -> None:
    ledger = Ledger(numbered(drawn))
    for number, run in enumerate(before):
        ledger.record(run, number)
    refuted = ledger.open_objectives
    ledger.refute_open(Proof.EXHAUSTED)
    union = reduce(or_, before, 0)
    for number, run in enumerate(after):
        union |= run
        if any(is_covered(each, union) for each in refuted):
            with pytest.raises(ContradictionError):
                ledger.record(run, f"after {number}")
            return
        ledger.record(run, f"after {number}")


def test_a_run_that_brings_nothing_new_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger([objective(f"o{number}", number) for number in range(500)])
    mask = (1 << 400) - 1
    looked_at = counted(monkeypatch, "_objectives_at")
    assert [len(ledger.record(mask, run)) for run in range(5)] == [400, 0, 0, 0, 0]
    assert len(looked_at) == 1


def test_half_of_a_refuted_pair_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger([pair(f"o{number}", (number, 1000 + number)) for number in range(500)])
    ledger.record((1 << 250) - 1, 0)
    ledger.refute_open(Proof.EXHAUSTED)
    looked_at = counted(monkeypatch, "_check_proofs")
    for run in range(5):
        ledger.record((1 << 500) - 1, run)
    assert len(looked_at) == 1


def counted(monkeypatch: pytest.MonkeyPatch, method: str) -> list[int]:
    """The points that a method of ledgers is called with from now on."""
    calls: list[int] = []
    plain = getattr(Ledger, method)

    def count(ledger: Ledger, points: int, *rest: Any) -> Any:
        calls.append(points)
        return plain(ledger, points, *rest)

    monkeypatch.setattr(Ledger, method, count)
    return calls


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


def test_a_ledger_takes_over_verdicts_and_what_was_hit() -> None:
    one, other, third = objective("one", 0), objective("other", 1), objective("third", 2)
    before = Ledger([one, other])
    before.record(0b1, 7)
    before.refute(other, Infeasible(Proof.EXHAUSTED))
    ledger = Ledger([one, other, third])
    ledger.adopt(before)
    assert ledger.verdict(one) == Covered(("7",))
    assert ledger.verdict(other) == Infeasible(Proof.EXHAUSTED)
    assert ledger.open_objectives == (third,)
    with pytest.raises(ContradictionError):
        ledger.record(0b10, 8)


def test_what_is_dropped_is_no_longer_looked_for() -> None:
    one, two, three = objective("one", 0), objective("two", 0, 1), objective("three", 2)
    ledger = Ledger([one, two, three])
    ledger.record(0b100, 1)
    ledger.drop({"two", "three"})  # what is covered stays
    assert ledger.objectives == (one, three) and ledger.open_points == 0b001
    assert [each for each, _ in ledger] == [one, three]
    assert ledger.record(0b011, 2) == (one,) and ledger.is_done and ledger.count(Covered) == 2
