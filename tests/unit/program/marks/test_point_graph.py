"""What control can still come to, on small graphs of blocks."""

from __future__ import annotations

import pytest

from tightrope.program.flow.points import Points, number_points
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.marks import NOTHING
from tightrope.program.marks.point_graph import ENTRY, PointGraph, build_point_graph

BRANCHES = """
define i32 @f(i32 %a) {
entry:
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %then, label %else
then:
  %d = icmp sgt i32 %a, 9
  br i1 %d, label %deep, label %end
deep:
  br label %end
else:
  br label %end
end:
  ret i32 0
}
"""
LOOP = """
define i32 @f(i32 %a) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %n, %body ]
  %c = icmp slt i32 %i, %a
  br i1 %c, label %body, label %end
body:
  %n = add i32 %i, 1
  br label %head
end:
  ret i32 0
}
"""
CALLS = """
define i32 @f(i32 %a) {
entry:
  %x = call i32 @g(i32 %a)
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %early, label %late
early:
  br label %late
late:
  %y = call i32 @g(i32 %a)
  %d = icmp sgt i32 %y, 3
  br i1 %d, label %last, label %end
last:
  br label %end
end:
  ret i32 0
}
define i32 @g(i32 %b) {
entry:
  %c = icmp sgt i32 %b, 5
  br i1 %c, label %one, label %two
one:
  ret i32 1
two:
  ret i32 2
}
"""
POINTER = """
@table = global ptr @h
define i32 @f(i32 %a, ptr %p) {
entry:
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %call, label %end
call:
  %x = call i32 %p(i32 %a, i32 %a, i32 %a)
  br label %end
end:
  ret i32 0
}
define i32 @h(i32 %b) {
entry:
  br label %more
more:
  ret i32 1
}
"""
GIVEN = """
declare i32 @atexit(ptr)
define i32 @f(i32 %a) {
entry:
  %x = call i32 @atexit(ptr @h)
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  ret i32 0
}
define void @h() {
entry:
  ret void
}
"""


class Known:
    def __init__(self, text: str) -> None:
        self.program: Program = read_program(text)
        functions = [each for each in self.program.functions.values() if each.is_defined]
        self.points: Points = number_points(functions)
        self.graph: PointGraph = build_point_graph(self.program, "@f", self.points, NOTHING, ())

    def reach(self, function: str, block: str, side: int) -> set[str]:
        mask = self.graph.reach(self.points.numbers[f"@{function}", block, side])
        return {
            f"{name[1:]}.{block}" + ("" if side is None else f".{side}")
            for (name, block, side), point in self.points.numbers.items()
            if mask >> point & 1
        }


def test_a_side_leads_to_itself_and_to_what_is_behind_it() -> None:
    known = Known(BRANCHES)
    assert known.reach("f", "entry", 0) == {"f.entry.0", "f.else", "f.end"}
    assert known.reach("f", "then", 1) == {"f.then.1", "f.deep", "f.end"}
    assert known.reach("f", "entry", 1) == {
        "f.entry.1", "f.then", "f.then.0", "f.then.1", "f.deep", "f.end",
    }  # fmt: skip


def test_a_loop_leads_back() -> None:
    known = Known(LOOP)
    assert known.reach("f", "head", 1) == {"f.head", "f.head.0", "f.head.1", "f.body", "f.end"}
    assert known.reach("f", "head", 0) == {"f.head.0", "f.end"}


def test_a_call_returns_to_its_caller_alone() -> None:
    """Behind `late`, @g is called again; it does not return to the first call."""
    reached = Known(CALLS).reach("f", "entry", 0)
    assert {"g.entry.0", "g.entry.1", "f.last"} <= reached
    assert "f.early" not in reached
    assert "f.entry.1" not in reached


def test_a_callee_may_return_to_every_caller() -> None:
    reached = Known(CALLS).reach("g", "entry", 1)
    assert {"f.entry.0", "f.entry.1", "f.early", "f.last", "g.entry.0"} <= reached


def test_a_call_through_a_pointer_may_be_of_any_function_whose_address_is_taken() -> None:
    """Whatever its type: nobody checks."""
    known = Known(POINTER)
    assert "h.more" in known.reach("f", "entry", 1)
    assert "h.more" not in known.reach("f", "entry", 0)


def test_what_outside_code_was_given_may_run_at_any_time() -> None:
    assert "h.entry" in Known(GIVEN).reach("f", "entry", 0)


@pytest.mark.parametrize("text", [BRANCHES, LOOP, CALLS, POINTER, GIVEN])
def test_from_the_entry_and_from_a_side_that_nobody_knows_everything_is_reached(text: str) -> None:
    known = Known(text)
    assert known.graph.reach(ENTRY) == known.graph.reach(10_000) == known.graph.everything


def test_a_point_that_hangs_nowhere_is_within_reach_of_everything() -> None:
    program = read_program(BRANCHES)
    points = number_points(program.functions.values(), labels=1)
    graph = build_point_graph(program, "@f", points, NOTHING, ())
    assert all(graph.reach(side) >> points.labels[0] & 1 for side in graph.sides)
