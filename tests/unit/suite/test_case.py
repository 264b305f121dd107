from dataclasses import replace
from types import SimpleNamespace

from tightrope.coverage.objective import Objective, Relation
from tightrope.location import Location
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.case import (
    MOST_LINES,
    Case,
    credit,
    describe_objective,
    describe_purpose,
    in_order,
    name_cases,
)


def case(points, name=""):
    return Case(name, (), Ending(Outcome.RETURNED), (), points=points)


ONE = Objective("f:branch:+1:true", "branch", "true", Location("f.c", 1), "x is true", (0,), "")
PAIR = Objective(
    "f:mcdc:+2:c1", "mcdc", "c1", Location("f.c", 2), "x decides", (1, 2), "", relation=Relation.PAIR, pairs=((1, 2),)
)


def test_a_case_is_credited_for_all_that_it_covers_also_with_others():
    first, second, third = credit([case(0b011), case(0b001), case(0b100)], [ONE, PAIR])
    assert first.objectives == (ONE, PAIR)
    assert second.objectives == (ONE,)
    assert third.objectives == (PAIR,)


def test_without_its_partner_half_a_pair_is_nothing():
    assert [each.objectives for each in credit([case(0b011), case(0b001)], [ONE, PAIR])] == [(ONE,), (ONE,)]


def test_cases_are_named_after_what_they_are_first_to_cover():
    credited = credit([case(0b001), case(0b011), case(0b100)], [ONE, PAIR])
    assert [each.name for each in name_cases("f", credited)] == ["f__x_T", "f__x_decides", "f__x_decides_2"]


def test_the_comment_of_a_pair_names_the_other_test():
    cases = credit([case(0b011, "one"), case(0b101, "other")], [ONE, PAIR])
    suite = SimpleNamespace(cases=cases)
    assert describe_objective(suite, cases[0], PAIR) == "line 2: x decides (with other)  [f:mcdc:+2:c1]"
    assert describe_objective(suite, cases[0], ONE) == "line 1: x is true  [f:branch:+1:true]"


def test_the_comment_is_short_and_begins_with_what_is_new():
    many = [replace(ONE, id=f"f:wm:{number}", points=(number,)) for number in range(8)]
    cases = credit([case(0b111, "one"), case((1 << len(many)) - 1, "other")], many)
    suite = SimpleNamespace(cases=cases)
    lines = describe_purpose(suite, cases[1])
    assert len(lines) == MOST_LINES
    assert [line[-8:] for line in lines[:-1]] == ["[f:wm:3]", "[f:wm:4]"]
    assert lines[-1] == "and 6 more: see the report of --json"
    assert len(describe_purpose(suite, cases[0])) == 3
    assert len(describe_purpose(suite, cases[0], 2)) == 2


def test_cases_are_in_the_order_of_what_they_cover_and_those_with_names_stay():
    found = credit([case(0b100, "kept"), case(0b010), case(0b001), case(0b100, "boundary")], [ONE, PAIR])
    assert [(each.name, each.points) for each in in_order(found, [ONE, PAIR])] == [
        ("kept", 0b100),
        ("", 0b001),
        ("", 0b010),
        ("boundary", 0b100),
    ]
