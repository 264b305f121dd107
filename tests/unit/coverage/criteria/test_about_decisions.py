"""What the criteria about decisions ask for, on decisions made by hand: no compiler, no run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from decision_shapes import CASES, A, B, C, Case, D, Table, as_c
from hypothesis import given
from hypothesis import strategies as st

from tightrope.coverage.criteria import find_objectives
from tightrope.coverage.criterion import Subject
from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.truth_table import TOO_LARGE, TOO_MANY_PAIRS, make_table, shorten
from tightrope.coverage.witnesses import is_covered
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.decisions.boolean_tree import And, Choice, ConditionRef, Differ, Not, Or, Tree, count_vectors
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.flow.points import number_points
from tightrope.program.ir.model import Function
from tightrope.program.ir.types import VOID, FunctionType
from tightrope.program.marks.marks import Marks

FUNCTION = Function("@f", FunctionType(VOID, ()), (), (), location=Location("f.c", 10, 0))
CRITERIA = ("decision", "condition", "decision-condition", "mcdc", "mcc", "ncc", "gacc", "cacc", "racc")


def make_decision(case: Case, line: int = 12) -> Decision:
    conditions = tuple(
        Condition(f"c{at}", Location("f.c", line, 10 + at), 0, 0, case.constants.get(at)) for at in range(case.size)
    )
    return Decision("@f", as_c(case.tree), Location("f.c", line, 7), "if", case.tree, conditions)


def objectives_of(criterion: str, *decisions: Decision, form: str = "masking") -> tuple[Objective, ...]:
    counts = [0 if each.problem else count_vectors(each.tree, each.constants) for each in decisions]
    points = number_points((), counts)
    return find_objectives([criterion], Subject(FUNCTION, points, SourceText(), Marks(decisions), mcdc_form=form))


def ids(found: tuple[Objective, ...]) -> list[str]:
    return [each.id.split(":", 2)[2] + ("  !" if each.is_constant else "") for each in found]


EXAMPLE = make_decision(Case(And(A, Or(B, C)), 3))  # F - -, T F F, T F T, T T -


def test_decision() -> None:
    found = objectives_of("decision", EXAMPLE)
    assert [each.id for each in found] == ["f:decision:+2.7:true", "f:decision:+2.7:false"]
    assert [each.points for each in found] == [(2, 3), (0, 1)]
    assert found[0].text == "`(c0 && (c1 || c2))` is true"
    assert found[1].sentence == "in no test `(c0 && (c1 || c2))` is false"


def test_condition() -> None:
    found = objectives_of("condition", EXAMPLE)
    assert [each.points for each in found] == [(1, 2, 3), (0,), (3,), (1, 2), (2,), (1,)]
    assert [each.location.column for each in found] == [10, 10, 11, 11, 12, 12]
    assert found[2].id == "f:condition:+2.7:c2:true"
    assert found[2].text == "`c1` is true in `(c0 && (c1 || c2))`"


def test_decision_condition_asks_a_lone_condition_once() -> None:
    assert len(objectives_of("decision-condition", EXAMPLE)) == 8
    assert ids(objectives_of("decision-condition", make_decision(Case(Not(A), 1)))) == ["+2.7:true", "+2.7:false"]


def test_masking_mcdc() -> None:
    found = objectives_of("mcdc", EXAMPLE)
    assert ids(found)[:2] == ["+2.7:c1:true", "+2.7:c1:false"]
    assert [each.points for each in found] == [(2, 3), (0,), (3,), (1,), (2,), (1,)]
    assert found[2].text == "`c1` matters in `(c0 && (c1 || c2))`, true"
    assert found[2].sentence == "no test shows that `c1` true alone decides `(c0 && (c1 || c2))`"


def test_mcdc_is_a_pair_where_polarity_is_not_fixed() -> None:
    found = objectives_of("mcdc", make_decision(Case(And(Differ(A, B), C), 3)))
    assert ids(found) == ["+2.7:c1:pair", "+2.7:c2:pair", "+2.7:c3:true", "+2.7:c3:false"]
    assert [each.relation for each in found] == [Relation.PAIR, Relation.PAIR, Relation.ANY, Relation.ANY]
    # F F -, F T F, F T T, T F F, T F T, T T -: the first matters whenever the third is true or not evaluated
    assert found[0].pairs == ((4, 0), (5, 2))
    assert found[0].points == (0, 2, 4, 5)


def test_the_chooser_is_a_pair_and_its_arms_are_not() -> None:
    found = objectives_of("mcdc", make_decision(Case(Choice(A, B, C), 3)))
    assert ids(found) == ["+2.7:c1:pair", "+2.7:c2:true", "+2.7:c2:false", "+2.7:c3:true", "+2.7:c3:false"]


def test_lone_conditions_read_plainly() -> None:
    lone = make_decision(Case(Not(A), 1))
    found = objectives_of("mcdc", lone)
    assert (found[1].text, found[1].sentence) == ("`c0` is false", "in no test `c0` is false")
    (pair,) = objectives_of("racc", lone)
    assert (pair.text, pair.sentence) == ("`c0` is true and false", "no two tests make `c0` true and false")


def test_unique_cause_mcdc() -> None:
    found = objectives_of("mcdc", EXAMPLE, form="unique-cause")
    assert ids(found) == ["+2.7:c1:pair", "+2.7:c2:pair", "+2.7:c3:pair"]
    assert [each.pairs for each in found] == [((2, 0), (3, 0)), ((3, 1),), ((2, 1),)]
    assert found[0].text == "`c0` matters in `(c0 && (c1 || c2))`, both ways"
    assert found[0].sentence == "no two tests show that `c0` alone decides `(c0 && (c1 || c2))`"


def test_mcc_names_each_vector() -> None:
    found = objectives_of("mcc", EXAMPLE)
    assert ids(found) == ["+2.7:F--", "+2.7:TFF", "+2.7:TFT", "+2.7:TT-"]
    assert [each.points for each in found] == [(0,), (1,), (2,), (3,)]
    assert found[3].text == "`c0` true, `c1` true in `(c0 && (c1 || c2))`"


def test_ncc_asks_for_what_evaluation_allows() -> None:
    found = objectives_of("ncc", EXAMPLE)
    assert {each.id.split(":", 3)[3]: each.points for each in found} == {
        "c1:true:c2:true": (3,),
        "c1:true:c2:false": (1, 2),
        "c1:true:c3:true": (2,),
        "c1:true:c3:false": (1,),
        "c2:false:c3:true": (2,),
        "c2:false:c3:false": (1,),
    }
    assert ids(objectives_of("ncc", make_decision(Case(A, 1)))) == ["+2.7:c1:true", "+2.7:c1:false"]


def test_active_clauses() -> None:
    assert [each.points for each in objectives_of("gacc", EXAMPLE)] == [(2, 3), (0,), (3,), (1,), (2,), (1,)]
    assert [each.pairs for each in objectives_of("cacc", EXAMPLE)] == [((2, 0), (3, 0)), ((3, 1),), ((2, 1),)]
    # with a third operand masking and unique cause part: c0 may matter with another of c1, c2 true
    wide = make_decision(Case(Or(And(A, B), And(C, D)), 4))
    cacc, racc = (objectives_of(name, wide) for name in ("cacc", "racc"))
    assert all(set(strict.pairs) <= set(loose.pairs) for strict, loose in zip(racc, cacc, strict=True))
    assert any(set(strict.pairs) < set(loose.pairs) for strict, loose in zip(racc, cacc, strict=True))


def test_constants_make_objectives_infeasible() -> None:
    found = objectives_of("mcdc", make_decision(Case(And(A, B), 2, {1: True})))  # a && 1
    assert ids(found) == ["+2.7:c1:true", "+2.7:c1:false", "+2.7:c2:true", "+2.7:c2:false  !"]
    found = objectives_of("mcdc", make_decision(Case(And(A, B), 2, {1: False})))  # a && 0: a never matters
    assert ids(found) == ["+2.7:c1:true  !", "+2.7:c1:false  !", "+2.7:c2:true  !", "+2.7:c2:false"]
    assert ids(objectives_of("decision", make_decision(Case(And(A, B), 2, {1: False})))) == [
        "+2.7:true  !",
        "+2.7:false",
    ]
    assert ids(objectives_of("mcc", make_decision(Case(And(A, B), 2, {1: False})))) == ["+2.7:F-", "+2.7:TF"]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_nothing_is_asked_of_a_constant_decision(criterion: str) -> None:
    assert objectives_of(criterion, make_decision(Case(Or(A, B), 2, {0: True, 1: False}))) == ()
    assert objectives_of(criterion, make_decision(Case(And(Not(A), B), 2, {0: True}))) == ()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_problem_leaves_every_objective_without_points(criterion: str) -> None:
    lost = replace(make_decision(Case(And(A, B), 2, {1: True})), problem="no way")
    found = objectives_of(criterion, lost)
    assert any(each.problem for each in found)
    for each in found:
        assert each.points == each.pairs == ()
        assert each.problem == ("" if each.is_constant else "no way")
    assert objectives_of(criterion, lost, replace(EXAMPLE, location=Location("f.c", 30, 1)))[len(found) :] == tuple(
        objectives_of(criterion, replace(EXAMPLE, location=Location("f.c", 30, 1)))
    )


def exclusive(size: int) -> Decision:
    tree: Tree = ConditionRef(0)
    for index in range(1, size):
        tree = Differ(tree, ConditionRef(index))
    return make_decision(Case(tree, size))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_too_many_vectors_are_a_problem_that_is_listed(criterion: str) -> None:
    found = objectives_of(criterion, replace(exclusive(13), problem=TOO_LARGE))
    assert found and all(each.problem == TOO_LARGE and not each.is_constant for each in found)


def test_too_many_pairs_are_a_problem() -> None:
    assert {each.problem for each in objectives_of("cacc", exclusive(10))} == {TOO_MANY_PAIRS}
    assert {each.problem for each in objectives_of("racc", exclusive(10))} == {""}
    assert {len(each.pairs) for each in objectives_of("racc", exclusive(10))} == {2**9}


def test_equal_places_are_numbered() -> None:
    assert ids(objectives_of("decision", EXAMPLE, EXAMPLE))[2:] == ["+2.7:true#2", "+2.7:false#2"]


def test_long_texts_are_shortened() -> None:
    assert shorten("a  &&\n b") == "a && b"
    assert shorten("x" * 100 + "y" * 100) == "x" * 30 + " … " + "y" * 30


def test_pairs_are_those_of_brute_force() -> None:
    for case in CASES[::3] + CASES[-50:]:
        force, table = Table(case), make_table(make_decision(case))
        rows = [(row, force.unmasked(row.vector)) for row in table.rows]
        for index in range(case.size):
            masking, unique = set(), set()
            for one, matters_in_one in rows:
                for other, matters_in_other in rows:
                    if (one.value(index), other.value(index)) != (True, False) or one.outcome is other.outcome:
                        continue
                    if index in matters_in_one and index in matters_in_other:
                        masking.add((one.number, other.number))
                    if all(at == index or None in both or both[0] is both[1] for at, both in paired(one, other)):
                        unique.add((one.number, other.number))
            assert {(one.number, other.number) for one, other in table.masking_pairs(index)} == masking
            assert {(one.number, other.number) for one, other in table.unique_cause_pairs(index)} == unique


def paired(one, other):
    return enumerate(zip(one.vector.values, other.vector.values, strict=True))


@given(st.sampled_from(CASES), st.randoms(use_true_random=False))
def test_who_covers_the_stronger_criterion_covers_the_weaker(case: Case, random) -> None:
    decision = make_decision(case)
    total = count_vectors(case.tree, case.constants)
    points = sum(1 << point for point in range(total) if random.random() < 0.6)

    def covered(criterion: str, form: str = "masking") -> list[bool]:
        return [is_covered(each, points) for each in objectives_of(criterion, decision, form=form)]

    assert covered("racc") == covered("mcdc", "unique-cause")
    if total == 1:
        return
    assert all(not strict or loose for strict, loose in zip(covered("racc"), covered("cacc"), strict=True))
    gacc = covered("gacc")
    assert all(not pair or (gacc[2 * at] and gacc[2 * at + 1]) for at, pair in enumerate(covered("cacc")))
    if not case.constants:
        assert not all(covered("cacc")) or all(covered("mcdc"))
        assert not all(covered("mcdc")) or all(covered("decision-condition"))
        assert not all(covered("mcc")) or all(covered("racc") + covered("ncc"))
