"""The largest index that constants of the code allow, in hand-written IR and in C."""

from __future__ import annotations

import pytest

from tightrope.program.ir.read_ir import read_program
from tightrope.program.pointers.pointer_use import find_pointer_uses

LOOP = """
define void @f(ptr %p, i32 %n) {{
entry:
  br label %head
head:
  %i = phi i32 [ {start}, %entry ], [ %next, %body ]
  %c = icmp {test}
  br i1 %c, label %body, label %out
body:
  %x = {index}
  %a = getelementptr i32, ptr %p, i32 %x
  store i32 1, ptr %a
  %next = add i32 %i, {step}
  br label %head
out:
  ret void
}}
"""


def count(start: str = "0", test: str = "slt i32 %i, 20", index: str = "add i32 %i, 0", step: str = "1") -> int:
    text = LOOP.format(start=start, test=test, index=index, step=step)
    return find_pointer_uses(read_program(text), "@f").of(("parameter", 0)).least_count


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("slt i32 %i, 20", 20),
        ("ule i32 %i, 20", 21),
        ("sgt i32 20, %i", 20),
        ("ne i32 %i, 20", 20),
        ("eq i32 %i, 20", 21),
        ("slt i32 %i, %n", 1),
        ("sge i32 %i, 20", 1),
    ],
)
def test_a_comparison_on_every_way_there(test: str, expected: int) -> None:
    assert count(test=test) == expected


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("mul i32 %i, 4", 77),
        ("shl i32 %i, 2", 77),
        ("add i32 %i, 3", 23),
        ("sub i32 %i, 3", 17),
        ("and i32 %n, 15", 16),
        ("urem i32 %n, 10", 10),
        ("lshr i32 %i, 1", 10),
        ("sdiv i32 %i, 4", 5),
        ("add i32 %i, %n", 1),
        ("sub i32 %i, %n", 1),
    ],
)
def test_a_computed_index(index: str, expected: int) -> None:
    assert count(index=index) == expected


def test_a_narrow_number_tells_how_large_a_table_is_unless_it_counts_the_elements() -> None:
    def least(step: str) -> int:
        text = f"""
define i32 @f(ptr %p, i8 %n) {{
entry:
  %wide = zext i8 %n to i32
  %i = {step}
  %w = zext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %w
  %v = load i32, ptr %a
  ret i32 %v
}}
"""
        return find_pointer_uses(read_program(text), "@f").of(("parameter", 0)).least_count

    assert least("add i32 %wide, 0") == 256
    assert least("sub i32 %wide, 97") == 159
    assert least("sub i32 %wide, 1") == 1


def test_a_loop_that_counts_down() -> None:
    assert count(start="19", test="sge i32 %i, 0", step="-1") == 20


def test_a_bound_that_is_bounded() -> None:
    text = """
define void @f(ptr %p, i32 %n, i32 %i) {
entry:
  %few = icmp ule i32 %n, 16
  br i1 %few, label %inside, label %out
inside:
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %out
body:
  %w = zext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %w
  store i32 1, ptr %a
  br label %out
out:
  ret void
}
"""
    assert find_pointer_uses(read_program(text), "@f").of(("parameter", 0)).least_count == 16


def test_both_operands_of_a_conjunction_hold_behind_it() -> None:
    text = """
define void @f(ptr %p, i1 %more) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, 12
  br i1 %c, label %rhs, label %end
rhs:
  br label %end
end:
  %both = phi i1 [ false, %head ], [ %more, %rhs ]
  br i1 %both, label %body, label %out
body:
  %a = getelementptr i16, ptr %p, i32 %i
  store i16 1, ptr %a
  %next = add i32 %i, 1
  br label %head
out:
  ret void
}
"""
    assert find_pointer_uses(read_program(text), "@f").of(("parameter", 0)).least_count == 12


def test_a_pointer_that_moves_in_a_counting_loop() -> None:
    text = """
define void @f(ptr %p) {
entry:
  br label %head
head:
  %at = phi ptr [ %p, %entry ], [ %after, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, 10
  br i1 %c, label %body, label %out
body:
  %after = getelementptr i32, ptr %at, i32 1
  store i32 1, ptr %at
  %next = add i32 %i, 1
  br label %head
out:
  ret void
}
"""
    assert find_pointer_uses(read_program(text), "@f").of(("parameter", 0)).least_count == 10
