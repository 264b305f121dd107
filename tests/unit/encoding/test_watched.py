"""What watched conditions would have to do, were they free; a solver that tries all values."""

from __future__ import annotations

from exhaustive_solver import BITS, ExhaustiveSolver, always, less

from tightrope.encoding.watched import ASSUMPTION, CONDITION, Role, Watcher, contradict_goal
from tightrope.expr import plain
from tightrope.expr.build import negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable
from tightrope.solving.query import Sat, Unsat


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
        return contradict_goal(ExhaustiveSolver(self.bits).ask, goal, whole or goal, self.watcher, always)[1]


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
    solver = ExhaustiveSolver(unit.bits)
    assert isinstance(solver.ask([bond, free, negate(unit.table, condition)]), Unsat)
    assert isinstance(solver.ask([bond, negate(unit.table, free), condition]), Unsat)
    assert isinstance(solver.ask([free, negate(unit.table, condition)]), Sat)
