"""The code without the predicates of some labels: what a run may jump over, within one block, and nothing else."""

from __future__ import annotations

from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.without_labels import LabelledProgram

TEXT = """
define i32 @f(i1 %a, i32 %x, ptr %p) {
entry:
  call void @tightrope_label_begin(i32 0)
  %zero = icmp eq i32 %x, 0
  call void @tightrope_label_end(i32 0, i1 %zero)
  %kept = add i32 %x, 1
  call void @tightrope_label_begin(i32 1)
  %shared = icmp eq i32 %kept, 7
  call void @tightrope_label_end(i32 1, i1 %shared)
  call void @tightrope_label_begin(i32 2)
  store i32 1, ptr %p
  call void @tightrope_label_end(i32 2, i1 %a)
  call void @tightrope_label_begin(i32 3)
  br i1 %a, label %rhs, label %end

rhs:
  br label %end

end:
  %both = phi i1 [ false, %entry ], [ %shared, %rhs ]
  call void @tightrope_label_end(i32 3, i1 %both)
  ret i32 %kept
}

declare void @tightrope_label_begin(i32)
declare void @tightrope_label_end(i32, i1)
"""


def texts(program: Program) -> list[str]:
    function: Function = program.functions["@f"]
    return [each.text for each in function.instructions()]


def test_only_the_predicate_is_left_out() -> None:
    before = texts(read_program(TEXT))
    after = texts(LabelledProgram(read_program(TEXT)).keep(0b1110))
    assert [each for each in before if each not in after] == before[:3]
    assert len(after) == len(before) - 3


def test_what_others_use_is_kept_and_what_writes_and_what_has_several_blocks() -> None:
    """Label 1 computes what label 3 reads, label 2 writes, label 3 goes on in other blocks."""
    program = LabelledProgram(read_program(TEXT))
    assert texts(program.keep(0)) == texts(program.keep(0b1110))


def test_it_may_be_asked_for_again_with_other_labels() -> None:
    program = LabelledProgram(read_program(TEXT))
    assert len(texts(program.keep(0))) < len(texts(program.keep(1)))
    assert texts(program.keep(1)) == texts(read_program(TEXT))
