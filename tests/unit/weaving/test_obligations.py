from __future__ import annotations

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, ConditionRef, Not
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.flow.points import number_points
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import Marks
from tightrope.weaving.obligations import points_of_obligations

PLACE = Location("a.c", 1)
LABEL = Label("wm", "ror", "@f", PLACE, "", "")


def decision(conditions: int, problem: str = "") -> Decision:
    tree = And(ConditionRef(0), Not(ConditionRef(1))) if conditions == 2 else ConditionRef(0)
    leaves = tuple(Condition(str(each), PLACE, 0, 0) for each in range(conditions))
    return Decision("@f", "", PLACE, "if", tree, leaves, problem=problem)


def test_labels_have_a_point_and_conditions_the_vectors_with_their_value() -> None:
    marks = Marks((decision(1), decision(2)), (LABEL, LABEL))
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
    marks = Marks((decision(2, "a problem"), decision(1)))
    assert points_of_obligations(marks, number_points([], [0, 2])) == ((0, 0), (0, 0), (1, 2))
