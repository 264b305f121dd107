"""What `tightrope objectives` lists of a function."""

from __future__ import annotations

import json

import pytest
from schema_check import check

from tightrope.coverage.objective import Objective, Relation
from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, Both, Choice, ConditionRef, Differ, Not, Or, Same, vectors
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.flow.points import number_points
from tightrope.program.ir.model import Argument, Block, Function, Instruction, Value
from tightrope.program.ir.types import BOOL, VOID, FunctionType, IntType
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, Marks
from tightrope.report.as_json import render_json
from tightrope.report.as_listing import function_lines, show_conditions
from tightrope.report.listing import (
    ListedFunction,
    Listing,
    PlaceInIr,
    list_decisions,
    list_labels,
    list_objectives,
    list_points,
    show_formula,
)
from tightrope.report.model import Tool
from tightrope.report.schema import make_schema

TREE = And(ConditionRef(0), Or(ConditionRef(1), ConditionRef(2)))


def mark(callee: str, number: int, *value: str) -> Instruction:
    numbers = Argument(Value(IntType(32), str(number)))
    return Instruction("call", "", VOID, callee=callee, arguments=(numbers, *(Argument(Value(BOOL, v)) for v in value)))


def condition(text: str, column: int, **rest) -> Condition:
    return Condition(text, Location("f.c", 12, column), 0, 0, **rest)


DECISION = Decision(
    "@f",
    "a && (b || c)",
    Location("f.c", 12, 9),
    "if",
    TREE,
    (condition("a", 9), condition("b", 15), condition("c", 20)),
)
PROBLEM = Decision(
    "@f", "d", Location("f.c", 14, 9), "while", ConditionRef(0), (condition("d", 9),), problem="it is odd"
)
LABEL = Label("wm", "ror", "@f", Location("f.c", 13, 5), "a < b as a <= b", "a == b", place=Location("f.c", 13, 3))
MARKS = Marks((DECISION, PROBLEM), (LABEL,))
RETURN = Instruction("ret", "ret void", VOID)
BLOCKS = (
    Block("entry", (mark(CONDITION, 0, "%tobool"), RETURN)),
    Block("land.rhs", (mark(CONDITION, 1, "%tobool1"), mark(LABEL_BEGIN, 0), RETURN)),
)
FUNCTION = Function("@f", FunctionType(VOID, ()), (), BLOCKS, location=Location("f.c", 10))
POINTS = number_points([FUNCTION], [len(vectors(TREE)), 0], 1)
FIRST = POINTS.vectors[0].start
OBJECTIVES = (
    Objective("f:mcdc:+2.9:c1:true", "mcdc", "true", Location("f.c", 12, 9), "a decides", (FIRST + 2, FIRST + 3), ""),
    Objective(
        "f:x:+2.9:c1", "mcdc", "pair", Location("f.c", 12, 9), "a alone", (FIRST, FIRST + 3), "",
        relation=Relation.PAIR, pairs=((FIRST + 3, FIRST),),
    ),
    Objective("f:wm:+3.5:ror", "wm", "ror", Location("f.c", 13, 5), "a < b as a <= b", (POINTS.labels.start,), ""),
    Objective("f:mcdc:+4.9:c1:true", "mcdc", "true", Location("f.c", 14, 9), "d", (), "", problem="it is odd"),
)  # fmt: skip


def listed() -> ListedFunction:
    functions = {"@f": FUNCTION}
    decisions = list_decisions(MARKS, POINTS, functions, OBJECTIVES)
    labels = list_labels(MARKS, POINTS, functions)
    points = tuple(list_points(POINTS, decisions))
    return ListedFunction(
        "f", "f.c", 10, ("mcdc", "wm"), "masking", decisions, labels, list_objectives(OBJECTIVES), points
    )


def test_conditions_have_masks_terminations_and_a_place_in_the_ir() -> None:
    a, b, c = listed().decisions[0].conditions
    assert (a.masks.true, a.masks.false, a.terminates.true, a.terminates.false) == ((), (), False, True)
    assert (b.terminates.true, b.terminates.false) == (True, False)
    assert (c.masks.true, c.masks.false, c.terminates.true, c.terminates.false) == ((2,), (1,), True, True)
    assert (a.ir, b.ir, c.ir) == (PlaceInIr("@f", "entry", "%tobool"), PlaceInIr("@f", "land.rhs", "%tobool1"), None)


def test_vectors_say_which_objectives_they_serve() -> None:
    first, *_, last = listed().decisions[0].vectors
    assert (first.values, first.outcome, first.unmasked) == ((False, None, None), False, (1,))
    assert first.serves == ("f:x:+2.9:c1",)
    assert last.serves == ("f:mcdc:+2.9:c1:true", "f:x:+2.9:c1")
    assert last.point == FIRST + 3


def test_what_cannot_be_followed_is_listed_with_its_problem() -> None:
    decision = listed().decisions[1]
    assert (decision.problem, decision.vectors, decision.id) == ("it is odd", (), "f:+4.9")


def test_every_point_of_an_objective_is_listed() -> None:
    function = listed()
    numbers = [point.number for point in function.points]
    assert numbers == list(range(len(POINTS)))
    kinds = {point.number: point.kind for point in function.points}
    assert kinds[FIRST] == "vector"
    assert kinds[function.labels[0].point] == "label"
    assert function.labels[0].ir == PlaceInIr("@f", "land.rhs")


def test_the_json_is_as_its_schema_says() -> None:
    text = render_json(Listing(Tool("tightrope", "1"), (listed(), ListedFunction("g", "f.c", 0, refusal="it has ..."))))
    check(json.loads(text), make_schema("listing_schema.json"))


def test_the_text_for_people() -> None:
    lines = [line.plain for line in function_lines(listed())]
    assert lines == [
        "f  f.c:10   2 decisions, 4 conditions",
        "",
        "  f.c:12:9  if  a && (b || c)",
        "    C1  12:9   a  true goes on, false ends                         %tobool in entry",
        "    C2  12:15  b  true ends, false goes on                         %tobool1 in land.rhs",
        "    C3  12:20  c  true ends and masks C2, false ends and masks C1",
        "    C1 C2 C3       matters",
        "     F  -  - = F   C1",
        "     T  F  F = F   C2 C3",
        "     T  F  T = T   C1 C3",
        "     T  T  - = T   C1 C2",
        "",
        "  f.c:14:9  while  d",
        "    not followed: it is odd",
        "    C1  12:9  d",
        "",
        "  mcdc  3 objectives",
        "    12:9  a decides  [f:mcdc:+2.9:c1:true]",
        "    12:9  a alone (a pair of tests, one of 1)  [f:x:+2.9:c1]",
        "    14:9  d  [f:mcdc:+4.9:c1:true]",
        "            not followed: it is odd",
        "",
        "  wm  1 objective",
        "    13:5  a < b as a <= b  [f:wm:+3.5:ror]",
        "            when a == b before 13:3",
    ]


@pytest.mark.parametrize(
    ("tree", "shown"),
    [
        (TREE, "C1 && (C2 || C3)"),
        (And(And(ConditionRef(0), ConditionRef(1)), Not(ConditionRef(2))), "C1 && C2 && !C3"),
        (And(ConditionRef(0), And(ConditionRef(1), ConditionRef(2))), "C1 && (C2 && C3)"),
        (Not(Or(ConditionRef(0), ConditionRef(1))), "!(C1 || C2)"),
        (Choice(ConditionRef(0), ConditionRef(1), Differ(ConditionRef(2), ConditionRef(3))), "C1 ? C2 : (C3 != C4)"),
        (Same(Both(ConditionRef(0), ConditionRef(1)), ConditionRef(2)), "(C1 & C2) == C3"),
    ],
)
def test_the_formula_is_c(tree, shown) -> None:
    assert show_formula(tree) == shown


def test_a_decision_of_thousands_of_conditions_is_listed_as_far_as_can_be() -> None:
    tree = ConditionRef(0)
    for index in range(1, 3000):
        tree = Or(tree, ConditionRef(index))
    huge = Decision(
        "@f",
        "a || ...",
        Location("f.c", 12, 9),
        "if",
        tree,
        tuple(condition("a", 9) for _ in range(3000)),
        problem="too many",
    )
    (found,) = list_decisions(Marks((huge,)), number_points([FUNCTION], [0]), {"@f": FUNCTION}, ())
    assert (found.formula, len(found.conditions), found.conditions[7].terminates.true) == ("", 3000, None)


def test_many_conditions_are_shown_as_ranges() -> None:
    assert show_conditions((1, 2, 4, 5, 6, 7, 9)) == "C1 C2 C4-C7 C9"
    assert show_conditions(()) == ""
