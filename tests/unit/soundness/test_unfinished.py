"""Blocks that runs came to, and left before their end."""

from __future__ import annotations

from tightrope.program.flow.points import number_points
from tightrope.program.ir.read_ir import read_program
from tightrope.soundness.unfinished import unfinished_points

PROGRAM = read_program("""
declare void @exit(i32)
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %then, label %next
then:
  call void @stop(i1 %c)
  br label %behind
behind:
  br label %next
next:
  ret i32 0
}
define void @stop(i1 %c) {
entry:
  br i1 %c, label %over, label %back
over:
  call void @exit(i32 1)
  unreachable
back:
  ret void
}
""")
POINTS = number_points(PROGRAM.functions.values())


def unfinished(*seen: tuple[str, str, int | None]) -> set[tuple[str, str]]:
    mask = sum(1 << POINTS.numbers[each] for each in seen)
    found = unfinished_points(PROGRAM, "@f", POINTS, mask)
    return {place[:2] for place, number in POINTS.numbers.items() if found >> number & 1}


ENTRY, STOPPED = ("@f", "entry", None), ("@stop", "entry", None)


def test_a_block_with_a_call_that_does_not_return() -> None:
    seen = (ENTRY, ("@f", "entry", 1), STOPPED, ("@stop", "entry", 1), ("@stop", "over", None))
    assert unfinished(*seen) == {("@f", "then")}


def test_what_no_run_came_to_is_not_unfinished() -> None:
    assert unfinished(ENTRY, ("@f", "entry", 0), ("@f", "next", None)) == set()


def test_the_entry_is_entered_by_every_run() -> None:
    assert unfinished() == {("@f", "entry")}


def test_a_callee_that_ends_in_its_first_block_is_entered() -> None:
    assert unfinished(ENTRY, ("@f", "entry", 1)) == {("@f", "then"), ("@stop", "entry")}
