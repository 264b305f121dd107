"""<condition, value> against vectors where both are possible, and against evaluation by Python where they are not."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest
from decision_shapes import CASES, as_python
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.coverage.criteria import find_objectives
from tightrope.coverage.criterion import Subject
from tightrope.coverage.objective import Objective
from tightrope.coverage.truth_table import NEEDS_VECTORS
from tightrope.coverage.witnesses import is_covered
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.decisions import condition_values
from tightrope.program.decisions.boolean_tree import (
    And,
    Both,
    Choice,
    ConditionRef,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
    Vector,
    leaves,
    vectors,
)
from tightrope.program.decisions.condition_values import (
    Booleans,
    count_condition_points,
    first_condition,
    follow,
    may_end,
    point_of_mattering,
    point_of_outcome,
    point_of_value,
    points_with_value,
)
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.decisions.masking import is_static, mark, unmasked
from tightrope.program.decisions.numbering import number_vectors
from tightrope.program.flow.points import number_points
from tightrope.program.ir.model import Function
from tightrope.program.ir.types import VOID, FunctionType
from tightrope.program.marks.marks import Marks
from tightrope.weaving.mark_table import vector_counts

FUNCTION = Function("@f", FunctionType(VOID, ()), (), (), location=Location("f.c", 10, 0))
LINEAR = ("decision", "condition", "decision-condition", "mcdc", "gacc", "cacc")


def make_tree(random: Random, size: int, first: int = 0, *, is_plain: bool = False) -> Tree:
    """A random tree over this many conditions."""
    if size == 1:
        tree: Tree = ConditionRef(first)
    elif size > 2 and not is_plain and random.random() < 0.15:
        one = random.randrange(1, size - 1)
        two = random.randrange(1, size - one)
        parts = ((one, first), (two, first + one), (size - one - two, first + one + two))
        tree = Choice(*(make_tree(random, count, start) for count, start in parts))
    else:
        left = random.randrange(1, size)
        kind = random.choice((And, Or) if is_plain else (And, Or, And, Or, Both, Either, Differ, Same))
        tree = kind(
            make_tree(random, left, first, is_plain=is_plain),
            make_tree(random, size - left, first + left, is_plain=is_plain),
        )
    return Not(tree) if random.random() < 0.2 else tree


def make_constants(random: Random, size: int) -> dict[int, bool]:
    return {at: random.random() < 0.5 for at in range(size) if random.random() < 0.1}


def points_of(tree: Tree, vector: Vector, constants: Mapping[int, bool]) -> set[int]:
    """What is hit when these are the bits of a run."""
    values = {at: value for at, value in enumerate(vector.values) if value is not None and at not in constants}
    is_over, found = follow(tree, constants, Booleans(), values.__contains__, lambda at: values.get(at, False))
    assert is_over
    return {point for point, when in found if when}


def expected_points(tree: Tree, vector: Vector, constants: Mapping[int, bool]) -> set[int]:
    found = {point_of_outcome(vector.outcome)}
    found |= {point_of_value(at, value) for at, value in enumerate(vector.values) if value is not None}
    for at in unmasked(tree, vector, constants):
        found.add(point_of_mattering(at, bool(vector.values[at]), vector.outcome))
    return found


@given(st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_each_vector_hits_what_it_shows(seed: int) -> None:
    random = Random(seed)
    size = random.randrange(1, 11)
    tree, constants = make_tree(random, size), make_constants(random, size)
    for vector in vectors(tree, constants):
        found = points_of(tree, vector, constants)
        assert found == expected_points(tree, vector, constants)
        for at, value in enumerate(vector.values):
            assert value is None or found <= set(points_with_value(tree, at, value))


def test_each_vector_of_the_usual_shapes() -> None:
    for case in CASES:
        for vector in vectors(case.tree, case.constants):
            assert points_of(case.tree, vector, case.constants) == expected_points(case.tree, vector, case.constants)


@given(st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_an_evaluation_is_over_when_it_is(seed: int) -> None:
    """No earlier, and only behind conditions that may end it; all start with the same one."""
    random = Random(seed)
    size = random.randrange(1, 9)
    tree, constants = make_tree(random, size), make_constants(random, size)
    first = first_condition(tree, constants)
    assert first == number_vectors(tree, constants).first
    for vector in vectors(tree, constants):
        order = [at for at in leaves(tree) if vector.values[at] is not None and at not in constants]
        assert order[:1] == ([] if first is None else [first])
        for count in range(len(order)):
            now = {at: bool(vector.values[at]) for at in order[:count]}
            over, found = follow(tree, constants, Booleans(), now.__contains__, lambda at, now=now: now.get(at, False))
            assert not over and not any(when for _, when in found)
        assert not order or may_end(tree, constants, order[-1])


def as_decision(tree: Tree, constants: Mapping[int, bool]) -> Decision:
    conditions = tuple(
        Condition(f"c{at}", Location("f.c", 12, 10 + at), 0, 0, constants.get(at)) for at in range(len(leaves(tree)))
    )
    return Decision("@f", "it", Location("f.c", 12, 7), "if", tree, conditions)


def objectives_of(criterion: str, decision: Decision, form: str = "masking") -> tuple[Objective, ...]:
    marks = Marks((decision,))
    subject = Subject(FUNCTION, number_points((), vector_counts(marks)), SourceText(), marks, mcdc_form=form)
    return find_objectives([criterion], subject)


@given(st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_the_same_is_covered_by_the_same_evaluations(seed: int) -> None:
    """By vectors, and by <condition, value>: whatever set of vectors a suite evaluates."""
    random = Random(seed)
    size = random.randrange(1, 11)
    tree, constants = make_tree(random, size), make_constants(random, size)
    every = vectors(tree, constants)
    if len(every) == 1:
        return
    decision, share = as_decision(tree, constants), random.random()
    chosen = [number for number in range(len(every)) if random.random() < share]
    hit = {point for number in chosen for point in points_of(tree, every[number], constants)}
    for criterion in LINEAR:
        by_vectors = objectives_of(criterion, decision)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(condition_values, "MAX_VECTORS", 1)
            by_conditions = objectives_of(criterion, decision)
        assert [each.id for each in by_vectors] == [each.id for each in by_conditions]
        for one, other in zip(by_vectors, by_conditions, strict=True):
            if not one.problem:  # too many pairs of vectors
                covered = is_covered(other, sum(1 << point for point in hit))
                assert is_covered(one, sum(1 << number for number in chosen)) == covered
                assert one.is_constant or not other.is_constant


@pytest.mark.parametrize("size", range(12, 61, 6))
@pytest.mark.parametrize("seed", range(4))
def test_large_decisions_by_direct_evaluation(size: int, seed: int) -> None:
    """Python evaluates the tree. A condition mattered if, with some values of those that were not evaluated, its other
    value gives the other outcome: all of them are tried where they are few, and many where they are not."""
    random = Random(1000 * size + seed)
    tree = make_tree(random, size, is_plain=seed % 2 == 0)
    evaluate = eval(f"lambda ask: bool({as_python(tree)})")
    mattered = 0
    for _ in range(12):
        values = {at: random.random() < 0.5 for at in range(size)}
        asked: dict[int, bool] = {}
        outcome = evaluate(lambda at, asked=asked, values=values: asked.setdefault(at, values[at]))
        vector = Vector(tuple(asked.get(at) for at in range(size)), outcome)
        found = points_of(tree, vector, {})
        marked = {at for at in asked if point_of_mattering(at, asked[at], outcome) in found}
        assert not is_static(tree) or marked == mark(tree, vector)
        free = [at for at in range(size) if at not in asked]
        for at in asked:
            known = {**asked, at: not asked[at]}
            others = [known | dict(zip(free, each, strict=True)) for each in completions(random, len(free))]
            can_flip = any(evaluate(each.__getitem__) is not outcome for each in others)
            assert at in marked if can_flip else at not in marked or len(free) > 10
        mattered += len(marked)
    assert mattered


def completions(random: Random, count: int) -> list[tuple[bool, ...]]:
    if count <= 10:
        return list(product((False, True), repeat=count))
    return [tuple(random.random() < 0.5 for _ in range(count)) for _ in range(200)]


def test_points_are_linear() -> None:
    tree = make_tree(Random(3), 60)
    assert count_condition_points(tree) == 362
    marks = Marks((as_decision(tree, {}),))
    assert vector_counts(marks) == [362]
    found = objectives_of("mcdc", marks.decisions[0])
    assert found and all(each.points and not each.problem for each in found)


def test_unique_cause_needs_vectors() -> None:
    decision = as_decision(make_tree(Random(4), 60), {})
    assert {each.problem for each in objectives_of("mcdc", decision, "unique-cause")} == {NEEDS_VECTORS}
    assert {each.problem for each in objectives_of("racc", decision)} == {NEEDS_VECTORS}
    (one,) = objectives_of("mcc", decision)
    assert "more than 4096 ways" in one.problem
