"""Regions: from a begin to its end, whatever the blocks; and which of them may be jumped over."""

from __future__ import annotations

import pytest

from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.regions import find_jumps, label_blocks, region_blocks, unended_begin

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


FRAME = """
define i32 @f(i1 %a, i32 %x, ptr %p) {
entry:
  BEFORE
  call void @tightrope_label_begin(i32 1)
  FIRST
  br i1 %a, label %rhs, label %end

rhs:
  SECOND
  br label %end

end:
  %holds = phi i1 [ false, %entry ], [ true, %rhs ]
  call void @tightrope_label_end(i32 1, i1 %holds)
  BEHIND
}

@g = global i32 0
declare void @tightrope_label_begin(i32)
declare void @tightrope_label_end(i32, i1)
declare i32 @h(i32)
declare i32 @llvm.abs.i32(i32, i1)
"""
PARTS = {"BEFORE": "%b = add i32 %x, 1", "FIRST": "%c = add i32 %x, 2", "SECOND": "%d = add i32 %c, 3"}


def jumps(text: str = FRAME, **parts: str) -> list[tuple[str, str, str]]:
    for word, line in {**PARTS, "BEHIND": "ret i32 %b", **parts}.items():
        text = text.replace(word, line)
    found = find_jumps(read_program(text).functions["@f"])
    assert all(each.begin.arguments[0] == each.end.arguments[0] for each in found)
    return [(each.begin.arguments[0].value.text, each.begins_in, each.ends_in) for each in found]


WHOLE = [("1", "entry", "end")]
IN_A_ROW = """call void @tightrope_label_begin(i32 {0})
  %r{0} = udiv i32 %x, 3
  %s{0} = icmp eq i32 %r{0}, 3
  call void @tightrope_label_end(i32 {0}, i1 %s{0})"""


def test_a_region_of_several_blocks() -> None:
    assert jumps() == WHOLE


def test_regions_in_a_row_share_blocks() -> None:
    before, behind = IN_A_ROW.format(0), IN_A_ROW.format(2) + "\n  ret i32 0"
    assert jumps(BEFORE=before, BEHIND=behind) == [("0", "entry", "entry"), *WHOLE, ("2", "end", "end")]


@pytest.mark.parametrize("behind", ["ret i32 %c", "%e = zext i1 %holds to i32\n ret i32 %e"])
def test_what_it_computes_is_used_behind_it(behind: str) -> None:
    assert jumps(BEHIND=behind) == []


@pytest.mark.parametrize(
    "line",
    [
        "store i32 0, ptr %p",
        "%d = call i32 @h(i32 %x)",
        "%d = load volatile i32, ptr %p",
        "%d = atomicrmw add ptr %p, i32 1 seq_cst",
        "%d = alloca i32",
    ],
)
def test_it_does_more_than_compute(line: str) -> None:
    assert jumps(SECOND=line) == []


@pytest.mark.parametrize(
    "line",
    ["%d = load i32, ptr %p", "%d = sdiv i32 %x, %c", "%d = call i32 @llvm.abs.i32(i32 %x, i1 false)"],
)
def test_it_only_computes(line: str) -> None:
    assert jumps(SECOND=line) == WHOLE


def test_control_enters_it_from_elsewhere() -> None:
    text = FRAME.replace("entry:\n", "entry:\n  br i1 %a, label %start, label %rhs\n\nstart:\n")
    text = text.replace("[ false, %entry ]", "[ false, %start ]")
    assert jumps(text) == []


def test_it_has_two_ends() -> None:
    end = "call void @tightrope_label_end(i32 1, i1 true)\n  ret i32 0\n\nnever:"
    text = FRAME.replace("[ true, %rhs ]", "[ true, %never ]")
    assert jumps(text, SECOND=end) == []
