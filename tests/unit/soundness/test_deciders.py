"""What decides a point: its branch, the branches and observed conditions of its decision, the region of its label."""

from __future__ import annotations

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, ConditionRef
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.flow.points import number_points
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import Marks
from tightrope.soundness.deciders import find_deciders

PROGRAM = read_program("""
declare void @tightrope_condition(i32, i1)
declare void @tightrope_label_begin(i32)
declare void @tightrope_label_end(i32, i1)
declare i1 @g()
define i1 @f(i1 %a, i1 %b) {
entry:
  call void @tightrope_label_begin(i32 0)
  br i1 %a, label %right, label %joined
right:
  br label %joined
joined:
  %p = phi i1 [ false, %entry ], [ %b, %right ]
  call void @tightrope_label_end(i32 0, i1 %p)
  call void @tightrope_label_begin(i32 1)
  call void @tightrope_label_end(i32 1, i1 %a)
  call void @tightrope_label_begin(i32 2)
  %called = call i1 @g()
  call void @tightrope_label_end(i32 2, i1 %called)
  call void @tightrope_condition(i32 1, i1 %a)
  br i1 %a, label %then, label %out
then:
  call void @tightrope_condition(i32 2, i1 %b)
  br label %out
out:
  %x = phi i1 [ false, %joined ], [ %b, %then ]
  ret i1 %x
}
""")
PLACE = Location("a.c", 1)
SINGLE = Decision("@f", "", PLACE, "if", ConditionRef(0), (Condition("", PLACE, 0, 0),))
DECISION = Decision("@f", "", PLACE, "value", And(ConditionRef(0), ConditionRef(1)), (Condition("", PLACE, 0, 0),) * 2)
LABEL = Label("wm", "ror", "@f", PLACE, "", "")
MARKS = Marks((SINGLE, DECISION), (LABEL,) * 3)
POINTS = number_points(PROGRAM.functions.values(), [2, 3], 3)


def site(block: str) -> int:
    return POINTS.numbers["@f", block, 0]


def deciders(*points: int) -> tuple[set[str], set[int], set[int], bool]:
    found = find_deciders(PROGRAM, POINTS, MARKS, points)
    return {block for _, block in found.blocks}, set(found.sites), set(found.obligations), found.is_known


def test_a_side_is_decided_by_its_branch() -> None:
    assert deciders(site("joined") + 1) == ({"joined"}, {site("joined")}, set(), True)


def test_more_than_branches_decides_whether_a_block_is_executed() -> None:
    assert not deciders(POINTS.numbers["@f", "then", None])[-1]


def test_a_vector_is_decided_by_all_conditions_of_its_decision() -> None:
    for vector in POINTS.vectors[1]:
        assert deciders(vector) == ({"joined", "then"}, {site("joined")}, {5}, True)


def test_a_label_is_decided_by_itself_and_the_branches_of_its_region() -> None:
    assert deciders(POINTS.labels[0]) == ({"entry"}, {site("entry")}, {0}, True)
    assert deciders(POINTS.labels[1]) == ({"joined"}, set(), {1}, True)


def test_a_label_that_calls_a_function_may_depend_on_anything() -> None:
    assert not deciders(POINTS.labels[2])[-1]


def test_several_points_are_decided_by_all_that_decides_one() -> None:
    blocks, sites, obligations, is_known = deciders(POINTS.labels[0], POINTS.labels[1])
    assert (blocks, sites, obligations, is_known) == ({"entry", "joined"}, {site("entry")}, {0, 1}, True)
