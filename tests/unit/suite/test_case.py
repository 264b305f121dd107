from tightrope.location import Location
from tightrope.objectives.objective import Objective
from tightrope.suite.case import name_case


def objective(line, kind):
    return Objective(f"f:branch:+{line}:{kind}", "branch", kind, Location("f.c", line, 3), "x", (0,), "")


def test_a_case_is_named_after_its_first_objective():
    assert name_case("f", [objective(7, "true"), objective(9, "false")], ()) == "f_line_7_true"
    assert name_case("f", [objective(7, "line")], ()) == "f_line_7"
    assert name_case("f", [], ()) == "f"


def test_names_are_unique():
    taken = ["f_line_7_case", "f_line_7_case_2"]
    assert name_case("f", [objective(7, "case")], taken) == "f_line_7_case_3"
