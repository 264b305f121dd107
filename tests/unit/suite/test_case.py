from dataclasses import replace
from types import SimpleNamespace

from tightrope.coverage.objective import Objective, Relation
from tightrope.location import Location
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.case import (
    MOST_DESCRIBED,
    Case,
    credit,
    describe_objective,
    describe_purpose,
    name_case,
    name_cases,
)


def objective(line, kind):
    return Objective(f"f:branch:+{line}:{kind}", "branch", kind, Location("f.c", line, 3), "x", (0,), "")


def test_a_case_is_named_after_its_first_objective():
    assert name_case("f", [objective(7, "true"), objective(9, "false")], ()) == "f_line_7_true"
    assert name_case("f", [objective(7, "line")], ()) == "f_line_7"
    assert name_case("f", [], ()) == "f"


def test_names_are_unique():
    taken = ["f_line_7_case", "f_line_7_case_2"]
    assert name_case("f", [objective(7, "case")], taken) == "f_line_7_case_3"


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
    assert [each.name for each in name_cases("f", credited)] == ["f_line_1_true", "f_line_2_c1", "f_line_2_c1_2"]


def test_the_comment_of_a_pair_names_the_other_test():
    cases = credit([case(0b011, "one"), case(0b101, "other")], [ONE, PAIR])
    suite = SimpleNamespace(cases=cases)
    assert describe_objective(suite, cases[0], PAIR) == "line 2: x decides (with other)  [f:mcdc:+2:c1]"
    assert describe_objective(suite, cases[0], ONE) == "line 1: x is true  [f:branch:+1:true]"


def test_where_a_test_is_for_much_the_comment_begins_with_what_is_new():
    many = [replace(ONE, id=f"f:wm:{number}", points=(number,)) for number in range(MOST_DESCRIBED + 5)]
    cases = credit([case(0b1111, "one"), case((1 << len(many)) - 1, "other")], many)
    lines = describe_purpose(SimpleNamespace(cases=cases), cases[1])
    assert len(lines) == MOST_DESCRIBED + 1
    assert lines[0].endswith("[f:wm:4]")
    assert lines[-1] == "and 5 more, listed in the report of --json"
    assert len(describe_purpose(SimpleNamespace(cases=cases), cases[0])) == 4
