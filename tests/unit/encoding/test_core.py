"""The fewest members that contradict each other, held against trying all subsets; a solver that tries all values."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from tightrope.encoding.core import Role, contradict_goal, find_contradiction
from tightrope.encoding.watched import ASSUMPTION, CONDITION, Watcher
from tightrope.expr import plain
from tightrope.expr.build import negate, truth
from tightrope.expr.evaluate import holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable
from tightrope.solving.query import Sat, SolverUnknown, Unsat, WhyUnknown

BITS = 3


class Solver:
    """Tries all values of all slots."""

    def __init__(self, bits):
        self.bits, self.asked = bits, 0  # bits: by slot

    def ask(self, terms):
        self.asked += 1
        support = 0
        for term in terms:
            support |= term.support
        domains = [range(1 << bits) if support >> slot & 1 else (0,) for slot, bits in enumerate(self.bits)]
        for values in product(*domains):
            if all(holds(term, values) for term in terms):
                return Sat({slot: value for slot, value in enumerate(values) if support >> slot & 1})
        return Unsat(frozenset(terms))


def always():
    return True


def less(table, slot, than):
    return plain.compare(table, Op.ULT, table.input(slot, BITS), table.constant(than, BITS))


def test_idle_members_are_left_out():
    table = TermTable()
    members = [less(table, 0, 5), less(table, 1, 3), negate(table, less(table, 0, 6)), less(table, 1, 7)]
    found = find_contradiction(Solver([BITS] * 2).ask, truth(table, True), members, always)
    assert (found.members, found.is_smallest) == ((0, 2), True)


def test_what_can_hold_together_is_no_contradiction():
    table = TermTable()
    assert find_contradiction(Solver([BITS]).ask, truth(table, True), [less(table, 0, 5)], always) is None


def test_a_goal_that_contradicts_itself_needs_no_members():
    table = TermTable()
    goal = plain.all_of(table, [less(table, 0, 2), negate(table, less(table, 0, 3))])
    found = find_contradiction(Solver([BITS]).ask, goal, [less(table, 0, 5)], always)
    assert (found.members, found.is_smallest) == ((), True)


def test_two_that_contradict_each_other_win_over_three():
    """Left out one by one from the end, {0, 1, 2} would remain."""
    table = TermTable()
    x, y = (lambda than: less(table, 0, than)), (lambda than: less(table, 1, than))
    three = [plain.any_of(table, [x(2), y(2)]), negate(table, x(3)), negate(table, y(3))]
    members = [*three, x(1)]
    found = find_contradiction(Solver([BITS] * 2).ask, truth(table, True), members, always)
    assert (found.members, found.is_smallest) == ((1, 3), True)


def test_without_time_nothing_is_called_the_smallest():
    table = TermTable()
    members = [less(table, 0, 5), less(table, 1, 3), negate(table, less(table, 0, 6))]
    found = find_contradiction(Solver([BITS] * 2).ask, truth(table, True), members, lambda: False)
    assert found.members == (0, 1, 2)
    assert not found.is_smallest


def test_a_solver_that_does_not_know_shows_nothing():
    table = TermTable()
    answer = SolverUnknown(WhyUnknown.TIME_LIMIT)
    assert find_contradiction(lambda terms: answer, truth(table, True), [less(table, 0, 5)], always) is None


@pytest.mark.parametrize("seed", range(12))
def test_no_subset_is_smaller(seed):
    random, table, solver = Random(seed), TermTable(), Solver([BITS] * 2)
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


# --- what sites have to do -------------------------------------------------------------------------


class Unit:
    """Conditions are shown to a watcher, as an encoder does."""

    def __init__(self, inputs):
        self.table, self.bits = TermTable(), [BITS] * inputs
        self.watcher = Watcher(self.table, {("@f", "tests"): 7})

    def fresh(self, bits):
        self.bits.append(bits)
        return self.table.input(len(self.bits) - 1, bits)

    def watch(self, site, reach, condition):
        return self.watcher(site, reach, condition, self.fresh)

    def roles(self, goal):
        (way,) = self.ways(goal)
        return way

    def ways(self, goal, whole=None):
        return contradict_goal(Solver(self.bits).ask, goal, whole or goal, self.watcher, always)[1]


def test_both_sides_of_a_contradiction_are_named():
    """if (x < 3) if (!(x < 5)) goal"""
    unit = Unit(1)
    first = unit.watch(("@f", "entry", 1), truth(unit.table, True), less(unit.table, 0, 3))
    second = unit.watch(("@f", "then", 1), first, less(unit.table, 0, 5))
    goal = plain.all_of(unit.table, [first, negate(unit.table, second)])
    assert unit.roles(goal) == (Role(("@f", "entry", 0), (1,), (1,), 1), Role(("@f", "then", 0), (0,), (0,), 1))


def test_a_branch_beside_the_way_is_not_named():
    unit = Unit(2)
    unit.watch(("@f", "beside", 1), truth(unit.table, True), less(unit.table, 1, 3))
    only = unit.watch(("@f", "entry", 1), truth(unit.table, True), less(unit.table, 0, 0))
    assert unit.roles(only) == (Role(("@f", "entry", 0), (1,), (1,), 1),)


def test_a_site_that_is_visited_twice_may_have_to_go_both_ways():
    """The loop goes round once and not twice, but x < 2 if x < 1."""
    unit = Unit(1)
    once = unit.watch(("@f", "head", 1), truth(unit.table, True), less(unit.table, 0, 1))
    twice = unit.watch(("@f", "head", 1), once, less(unit.table, 0, 2))
    goal = plain.all_of(unit.table, [once, negate(unit.table, twice)])
    assert unit.roles(goal) == (Role(("@f", "head", 0), (0, 1), (0, 1), 2),)


def test_two_ways_to_a_goal_are_told_apart():
    """if (x < 2) if (y < 1 || x < 0) if (!(x < 3) || y) goal: with y < 1, x is too small; without, x < 0 never holds."""
    unit = Unit(2)
    there = truth(unit.table, True)
    small = unit.watch(("@f", "a", 1), there, less(unit.table, 0, 2))
    left = unit.watch(("@f", "b", 1), small, less(unit.table, 1, 1))
    on = plain.all_of(unit.table, [small, negate(unit.table, left)])
    right = unit.watch(
        ("@f", "c", 1), on, plain.all_of(unit.table, [less(unit.table, 0, 2), negate(unit.table, small_x(unit))])
    )
    through = plain.any_of(unit.table, [plain.all_of(unit.table, [small, left]), plain.all_of(unit.table, [on, right])])
    last = unit.watch(("@f", "d", 1), through, negate(unit.table, less(unit.table, 1, 1)))
    goal = plain.all_of(unit.table, [through, last])
    ways = {tuple((role.site[1], role.may) for role in way) for way in unit.ways(goal)}
    assert ways == {(("b", (1,)), ("d", (1,))), (("c", (1,)),)}


def small_x(unit):
    return less(unit.table, 0, 7)


def test_what_keeps_runs_within_the_encoding_is_named_too():
    """if (!(x < 6)) leave; if (x < 3) if (!(x < 4)) goal: leaving is excluded by an assumption."""
    unit = Unit(1)
    assumed = unit.watch(("@tightrope_drive", ASSUMPTION, 1), truth(unit.table, True), less(unit.table, 0, 5))
    stays = unit.watch(("@f", "loop", 1), assumed, less(unit.table, 0, 6))
    first = unit.watch(("@f", "a", 1), stays, less(unit.table, 0, 3))
    second = unit.watch(("@f", "b", 1), first, less(unit.table, 0, 4))
    goal = plain.all_of(unit.table, [assumed, stays, first, negate(unit.table, second)])
    leaves = plain.all_of(unit.table, [assumed, negate(unit.table, stays)])
    ((*roles,),) = unit.ways(goal, plain.any_of(unit.table, [goal, leaves]))
    assert [(role.site[1], role.may) for role in roles] == [
        (ASSUMPTION, (1,)),
        ("loop", (0,)),
        ("a", (1,)),
        ("b", (0,)),
    ]


def test_a_case_is_a_side_of_its_switch():
    unit = Unit(1)
    x = unit.table.input(0, BITS)
    always_there = truth(unit.table, True)
    assumed = unit.watch(("@tightrope_drive", ASSUMPTION, 1), always_there, less(unit.table, 0, 2))
    cases = [
        unit.watch(
            ("@f", "switch", side), assumed, plain.compare(unit.table, Op.EQ, x, unit.table.constant(value, BITS))
        )
        for side, value in enumerate((1, 5), start=1)
    ]
    goal = plain.all_of(unit.table, [assumed, cases[1]])
    roles = unit.roles(goal)
    assert roles == (
        Role(("@tightrope_drive", ASSUMPTION, 1), (1,), (1,), 1),
        Role(("@f", "switch", 0), (2,), (2,), 1),
    )
    assert unit.watcher.sides(("@f", "switch", 0)) == (0, 1, 2)


# --- the watcher -----------------------------------------------------------------------------------


def test_a_condition_and_the_branch_on_it_are_one_site():
    unit = Unit(1)
    there, condition = truth(unit.table, True), less(unit.table, 0, 3)
    marked = unit.watch(("@f", CONDITION, 7), there, condition)
    assert unit.watch(("@f", "tests", 1), there, condition) is marked
    assert unit.watch(("@f", "tests", 1), there, negate(unit.table, condition)) is negate(unit.table, marked)
    assert unit.watch(("@f", "elsewhere", 1), there, condition) is not marked
    assert unit.watcher.sites == (("@f", CONDITION, 7), ("@f", "elsewhere", 0))


def test_equal_visits_in_two_iterations_are_kept_apart():
    unit = Unit(1)
    there = truth(unit.table, True)
    first = unit.watch(("@f", "head", 1), there, less(unit.table, 0, 3))
    second = unit.watch(("@f", "head", 1), there, less(unit.table, 0, 4))
    assert first is not second
    assert len(unit.watcher.visits(("@f", "head", 0))) == 2


def test_with_all_bonds_a_stand_in_is_its_condition():
    unit = Unit(1)
    condition = less(unit.table, 0, 3)
    free = unit.watch(("@f", "entry", 1), truth(unit.table, True), condition)
    bond = unit.watcher.bond(("@f", "entry", 0))
    solver = Solver(unit.bits)
    assert isinstance(solver.ask([bond, free, negate(unit.table, condition)]), Unsat)
    assert isinstance(solver.ask([bond, negate(unit.table, free), condition]), Unsat)
    assert isinstance(solver.ask([free, negate(unit.table, condition)]), Sat)
