"""Regions: from a begin to its end, whatever the blocks."""

from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.regions import label_blocks, region_blocks, unended_begin

TEXT = """
define i32 @f(i1 %a) {
entry:
  call void @tightrope_label_begin(i32 0)
  call void @tightrope_label_end(i32 0, i1 %a)
  call void @tightrope_label_begin(i32 1)
  br i1 %a, label %rhs, label %end

rhs:
  br label %end

end:
  %p = phi i1 [ false, %entry ], [ true, %rhs ]
  call void @tightrope_label_end(i32 1, i1 %p)
  br i1 %a, label %then, label %out

then:
  br label %out

out:
  ret i32 0
}

declare void @tightrope_label_begin(i32)
declare void @tightrope_label_end(i32, i1)
"""


def function() -> Function:
    return read_program(TEXT).functions["@f"]


def test_blocks_that_are_entered_and_left_in_the_midst() -> None:
    assert region_blocks(function()) == {"rhs", "end"}
    assert label_blocks(function()) == {"entry", "rhs"}


def test_the_begin_that_has_no_end_in_its_block() -> None:
    begins = {block.name: unended_begin(block) for block in function().blocks}
    assert [name for name, begin in begins.items() if begin] == ["entry"]
    begin = begins["entry"]
    assert begin is not None and "i32 1" in begin.text
