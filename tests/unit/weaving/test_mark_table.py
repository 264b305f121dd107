"""What weaving must know of the marks of a function."""

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, ConditionRef, Differ, Not, Tree
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.flow.points import number_points
from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import Marks
from tightrope.weaving.mark_table import NO_MARKS, MarkTable, points_of_obligations, vector_counts

HERE = Location("f.c", 1)


def decision(tree: Tree, count: int, problem: str = "", constant: bool | None = None) -> Decision:
    conditions = tuple(Condition(str(number), HERE, 0, 0, constant if number else None) for number in range(count))
    return Decision("@f", "", HERE, "if", tree, conditions, problem=problem)


BOTH, DIFFER = And(ConditionRef(0), ConditionRef(1)), Differ(ConditionRef(0), ConditionRef(1))
TABLE = MarkTable(Marks((decision(BOTH, 2), decision(DIFFER, 2), decision(ConditionRef(0), 1))))


def function(body: str) -> Function:
    text = f"define void @f(i1 %a, i1 %b) {{\n{body}\n}}\ndeclare void @tightrope_condition(i32, i1)\n"
    return read_program(text).functions["@f"]


def mark(number: int, value: str) -> str:
    return f"  call void @tightrope_condition(i32 {number}, i1 {value})\n"


def test_vectors_of_what_is_followed() -> None:
    marks = Marks((decision(BOTH, 2), decision(BOTH, 2, problem="no"), decision(BOTH, 2, constant=True)))
    assert vector_counts(marks) == [3, 0, 2]


def test_conditions_are_found_by_their_numbers() -> None:
    assert [TABLE.find(number) for number in range(5)] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]


def test_a_condition_is_tested_by_a_branch_on_it_or_on_its_opposite() -> None:
    branches = (
        f"  br i1 %a, label %x, label %y\nx:\n  %n = xor i1 %b, true\n{mark(1, '%b')}  br i1 %n, label %y, label %z\n"
    )
    found = TABLE.marks_in(function(mark(0, "%a") + branches + "y:\n  ret void\nz:\n  ret void"))
    assert found.decisions == (0,) and found.untested == {}
    assert found.locals() == ["%tr.decision.0 = alloca i32"]


def test_a_branch_elsewhere_may_not_be_come_to() -> None:
    branches = "  br i1 %a, label %x, label %y\nx:\n  br i1 %b, label %y, label %z\n"
    found = TABLE.marks_in(function(mark(0, "%a") + mark(1, "%b") + branches + "y:\n  ret void\nz:\n  ret void"))
    assert found.untested == {0: {1}}


def test_a_condition_that_no_branch_tests() -> None:
    found = TABLE.marks_in(function(mark(2, "%a") + mark(3, "%b") + "  ret void"))
    assert found.untested == {1: {0, 1}}
    assert found.locals() == ["%tr.decision.1 = alloca i32", "%tr.observed.1 = alloca i32"]


def test_a_known_value_needs_no_test() -> None:
    assert TABLE.marks_in(function(mark(4, "true") + "  ret void")).untested == {}


def test_a_function_without_marks() -> None:
    assert TABLE.marks_in(function("  ret void")) is NO_MARKS


# -- points of obligations

LABEL = Label("wm", "ror", "@f", HERE, "", "")


def decision_of(conditions: int, problem: str = "") -> Decision:
    tree = And(ConditionRef(0), Not(ConditionRef(1))) if conditions == 2 else ConditionRef(0)
    leaves = tuple(Condition(str(each), HERE, 0, 0) for each in range(conditions))
    return Decision("@f", "", HERE, "if", tree, leaves, problem=problem)


def test_labels_have_a_point_and_conditions_the_vectors_with_their_value() -> None:
    marks = Marks((decision_of(1), decision_of(2)), (LABEL, LABEL))
    points = number_points([], [2, 3], 2)
    single, vectors, labels = *points.vectors, points.labels  # a; F-, TF, TT
    assert points_of_obligations(marks, points) == (
        (1 << labels[0], 1 << labels[0]),
        (1 << labels[1], 1 << labels[1]),
        (1 << single[0], 1 << single[1]),
        (1 << vectors[0], 1 << vectors[1] | 1 << vectors[2]),
        (1 << vectors[1], 1 << vectors[2]),
    )


def test_a_decision_that_is_not_followed_has_conditions_without_points() -> None:
    marks = Marks((decision_of(2, "a problem"), decision_of(1)))
    assert points_of_obligations(marks, number_points([], [0, 2])) == ((0, 0), (0, 0), (1, 2))
