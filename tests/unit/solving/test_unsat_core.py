"""The fewest members that contradict each other, held against trying all subsets; a solver that tries all values."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from exhaustive_solver import BITS, ExhaustiveSolver, always, less

from tightrope.expr import plain
from tightrope.expr.build import negate, truth
from tightrope.expr.terms import TermTable
from tightrope.solving.query import SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.unsat_core import find_contradiction


def test_idle_members_are_left_out():
    table = TermTable()
    members = [less(table, 0, 5), less(table, 1, 3), negate(table, less(table, 0, 6)), less(table, 1, 7)]
    found = find_contradiction(ExhaustiveSolver([BITS] * 2).ask, truth(table, True), members, always)
    assert (found.members, found.is_smallest) == ((0, 2), True)


def test_what_can_hold_together_is_no_contradiction():
    table = TermTable()
    assert find_contradiction(ExhaustiveSolver([BITS]).ask, truth(table, True), [less(table, 0, 5)], always) is None


def test_a_goal_that_contradicts_itself_needs_no_members():
    table = TermTable()
    goal = plain.all_of(table, [less(table, 0, 2), negate(table, less(table, 0, 3))])
    found = find_contradiction(ExhaustiveSolver([BITS]).ask, goal, [less(table, 0, 5)], always)
    assert (found.members, found.is_smallest) == ((), True)


def test_two_that_contradict_each_other_win_over_three():
    """Left out one by one from the end, {0, 1, 2} would remain."""
    table = TermTable()
    x, y = (lambda than: less(table, 0, than)), (lambda than: less(table, 1, than))
    three = [plain.any_of(table, [x(2), y(2)]), negate(table, x(3)), negate(table, y(3))]
    members = [*three, x(1)]
    found = find_contradiction(ExhaustiveSolver([BITS] * 2).ask, truth(table, True), members, always)
    assert (found.members, found.is_smallest) == ((1, 3), True)


def test_without_time_nothing_is_called_the_smallest():
    table = TermTable()
    members = [less(table, 0, 5), less(table, 1, 3), negate(table, less(table, 0, 6))]
    found = find_contradiction(ExhaustiveSolver([BITS] * 2).ask, truth(table, True), members, lambda: False)
    assert found.members == (0, 1, 2)
    assert not found.is_smallest


def test_a_solver_that_does_not_know_shows_nothing():
    table = TermTable()
    answer = SolverUnknown(WhyUnknown.TIME_LIMIT)
    assert find_contradiction(lambda terms: answer, truth(table, True), [less(table, 0, 5)], always) is None


@pytest.mark.parametrize("seed", range(12))
def test_no_subset_is_smaller(seed):
    random, table, solver = Random(seed), TermTable(), ExhaustiveSolver([BITS] * 2)
    members = []
    for _ in range(6):
        parts = [less(table, random.randrange(2), random.randrange(1, 8)) for _ in range(random.choice((1, 1, 2)))]
        parts = [negate(table, part) if random.random() < 0.5 else part for part in parts]
        members.append(random.choice((plain.all_of, plain.any_of))(table, parts))
    members = list(dict.fromkeys(members))
    goal = truth(table, True)
    found = find_contradiction(solver.ask, goal, members, always)
    sizes = [
        count
        for count in range(len(members) + 1)
        if any(isinstance(solver.ask([goal, *chosen]), Unsat) for chosen in combinations(members, count))
    ]
    assert (found is None) == (not sizes)
    if found is not None:
        assert found.is_smallest
        assert len(found.members) == sizes[0]
        assert isinstance(solver.ask([goal, *(members[number] for number in found.members)]), Unsat)
        assert found == find_contradiction(solver.ask, goal, members, always)
