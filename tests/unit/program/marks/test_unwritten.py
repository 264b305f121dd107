"""Where a local has no value yet, a load or copy says so; everything else stays as it is."""

from __future__ import annotations

import pytest

from tightrope.program.ir.read_ir import assemble, read_bitcode
from tightrope.program.marks.unwritten import mark_unwritten, unwritten_source, without_idle_marks

MODULE = """\
%struct.s = type {{ i32, i8 }}
define i32 @f(i32 noundef %c) {{
entry:
  %c.addr = alloca i32, align 4
{lines}
  ret i32 0
}}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
!7 = !{{!"auto-init"}}
"""
BRANCH = """\
define i32 @f(i1 %c) {
entry:
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  store i32 0, ptr %x, align 4, !annotation !7
  store i32 7, ptr %y, align 4
  br i1 %c, label %set, label %end
set:
  store i32 1, ptr %x, align 4
  br label %end
end:
  %v = load i32, ptr %x, align 4
  %w = load i32, ptr %y, align 4
  %sum = add i32 %v, %w
  ret i32 %sum
}
!7 = !{!"auto-init"}
"""


def marked(*lines: str) -> str:
    text = mark_unwritten(MODULE.format(lines="\n".join(f"  {line}" for line in lines)))
    assemble(text)  # LLVM takes it
    return text


@pytest.mark.parametrize(("kind", "zero", "size"), [("i32", "0", 4), ("ptr", "null", 8), ("double", "0.000000e+00", 8)])
def test_a_scalar(kind: str, zero: str, size: int) -> None:
    text = marked(f"%x = alloca {kind}, align 8", f"store {kind} {zero}, ptr %x, align 8, !annotation !7")
    assert f"call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @tightrope_unwritten.x, i64 {size}, i1 false)" in text
    assert "!annotation" not in text


def test_a_scalar_that_has_no_bytes_of_its_own() -> None:
    text = marked("%x = alloca i1, align 8", "store i1 false, ptr %x, align 8, !annotation !7")
    assert "%tightrope_unwritten.1 = load i1, ptr @tightrope_unwritten.x" in text
    assert "store i1 %tightrope_unwritten.1, ptr %x" in text
    assert "!annotation" not in text


def test_an_array_or_struct() -> None:
    zeros = "call void @llvm.memset.p0.i64(ptr align 4 %x, i8 0, i64 12, i1 false), !annotation !7"
    text = marked("%x = alloca [3 x i32], align 4", zeros)
    assert "call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @tightrope_unwritten.x, i64 12, i1 false)" in text
    assert "!annotation" not in text


def test_what_clang_gives_no_zeros_has_none_where_it_is_made() -> None:
    assert "load i32, ptr @tightrope_unwritten.retval" in marked("%retval = alloca i32, align 4")


def test_parameters_and_values_of_the_c_stay() -> None:
    assert "load" not in marked("store i32 %c, ptr %c.addr, align 4")


def test_functions_of_tightrope_stay() -> None:
    text = MODULE.format(lines="  %x = alloca i32, align 4").replace("@f(", "@tightrope_drive(")
    assert "load" not in mark_unwritten(text)


def test_only_what_may_be_used_is_left() -> None:
    program = without_idle_marks(read_bitcode(assemble(mark_unwritten(BRANCH)))[0])
    found = [unwritten_source(each) for each in program.functions["@f"].instructions()]
    assert [name for name in found if name] == ["x"]
