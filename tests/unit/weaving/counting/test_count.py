"""IR that notes points: what is written, and that LLVM takes it."""

from __future__ import annotations

import re

import pytest

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, ConditionRef, Differ
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.flow.points import Points, number_points
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.marks import Marks
from tightrope.weaving.counting.count import compile_ir, count
from tightrope.weaving.mark_table import vector_counts

TEXT = """\
target triple = "x86_64-unknown-linux-gnu"
declare void @tightrope_condition(i32, i1)
declare void @stop() noreturn
define i32 @f(i32 %a) {
entry:
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %x, label %y
x:
  %p = phi i32 [ 1, %entry ], [ 2, %y ], [ 2, %y ]
  ret i32 %p
y:
  switch i32 %a, label %z [
    i32 1, label %x
    i32 2, label %x
  ]
z:
  call void @stop()
  unreachable
}
define void @test_one() {
entry:
  %r = call i32 @f(i32 1)
  ret void
}
"""
MARKED = """\
target triple = "x86_64-unknown-linux-gnu"
declare void @tightrope_condition(i32, i1)
define i1 @f(i1 %a, i1 %b) {
entry:
  call void @tightrope_condition(i32 0, i1 %a)
  br i1 %a, label %rhs, label %end
rhs:
  call void @tightrope_condition(i32 1, i1 %b)
  br label %end
end:
  %v = phi i1 [ false, %entry ], [ %b, %rhs ]
  ret i1 %v
}
"""
HERE = Location("f.c", 1, 1)


def points_of(text: str) -> Points:
    return number_points([read_program(text).functions["@f"]])


def stores(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"store volatile i8 1, ptr getelementptr \(i8, .* i64 (\d+)\)", text)]


def test_only_points_that_are_wanted_are_noted() -> None:
    points = points_of(TEXT)
    side = points.numbers["@f", "entry", 1]
    assert stores(count(read_program(TEXT), points, {side})) == [side]
    assert stores(count(read_program(TEXT), points)) == []


def test_every_point_is_noted_once_and_llvm_takes_it() -> None:
    points = points_of(TEXT)
    text = count(read_program(TEXT), points, range(len(points)), {"@test_one": 1})
    assert sorted(stores(text)) == list(range(1, len(points)))
    assert text.count("store volatile i8 1, ptr @tightrope_points\n") == 1  # point 0
    assert compile_ir(text)
    assert compile_ir(text, 0)


def test_a_block_is_noted_before_the_call_that_does_not_return() -> None:
    points = points_of(TEXT)
    text = count(read_program(TEXT), points, {points.numbers["@f", "z", None]})
    assert re.search(r"z:\n  store volatile [^\n]*\n  call void @stop\(\)", text)


def test_a_test_says_when_it_begins_and_ends() -> None:
    text = count(read_program(TEXT), points_of(TEXT), (), {"@test_one": 7})
    wrapper = text[text.index("define void @test_one() noinline {") :]
    assert "define void @test_one.measured() {" in text
    assert wrapper.index("@tightrope_begin(i32 7, ptr %tr.frame)") < wrapper.index("@test_one.measured()")
    assert wrapper.index("@test_one.measured()") < wrapper.index("@tightrope_end(i32 %tr.before)")


@pytest.mark.parametrize("tree", [And(ConditionRef(0), ConditionRef(1)), Differ(ConditionRef(0), ConditionRef(1))])
def test_marks_become_code_that_llvm_takes(tree: And | Differ) -> None:
    conditions = tuple(Condition(word, HERE, 0, 1) for word in "ab")
    marks = Marks((Decision("@f", "a ? b", HERE, "value", tree, conditions),))
    program = read_program(MARKED)
    points = number_points([program.functions["@f"]], vector_counts(marks))
    text = count(program, points, points.vectors[0], {}, marks)
    assert "@tightrope_condition" not in text
    assert compile_ir(text)


def test_a_condition_that_steers_costs_no_arithmetic() -> None:
    """`a` of `a && b` ends the decision where it is false: one store on that way, at a place that is known."""
    conditions = tuple(Condition(word, HERE, 0, 1) for word in "ab")
    marks = Marks((Decision("@f", "a && b", HERE, "value", And(ConditionRef(0), ConditionRef(1)), conditions),))
    program = read_program(MARKED)
    points = number_points([program.functions["@f"]], vector_counts(marks))
    text = count(program, points, points.vectors[0], {}, marks)
    first = points.vectors[0].start
    assert re.search(rf"entry.tr.way\d*:\n  store volatile i8 1, ptr getelementptr \(i8, .* i64 {first}\)\n", text)
