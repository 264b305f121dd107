"""Where a local has no value yet, a call says so; everything else stays as it is."""

from __future__ import annotations

import pytest

from tightrope.equality.uninitialised_memory import mark_unwritten
from tightrope.program.ir.read_ir import assemble

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


def marked(*lines: str) -> str:
    text = mark_unwritten(MODULE.format(lines="\n".join(f"  {line}" for line in lines)))
    assemble(text)  # LLVM takes it
    return text


@pytest.mark.parametrize(("kind", "zero"), [("i32", "0"), ("ptr", "null"), ("double", "0.000000e+00"), ("i1", "false")])
def test_a_scalar(kind: str, zero: str) -> None:
    text = marked(f"%x = alloca {kind}, align 8", f"store {kind} {zero}, ptr %x, align 8, !annotation !7")
    assert f"%tightrope_unwritten.1 = call {kind} @tightrope_unwritten.1()" in text
    assert f"store {kind} %tightrope_unwritten.1, ptr %x" in text
    assert f"declare {kind} @tightrope_unwritten.1()" in text
    assert "!annotation" not in text


@pytest.mark.parametrize("kind", ["[3 x i32]", "%struct.s", "[2 x [2 x i8]]", "[2 x %struct.s]"])
def test_an_array_or_struct(kind: str) -> None:
    zeros = "call void @llvm.memset.p0.i64(ptr align 4 %x, i8 0, i64 4, i1 false), !annotation !7"
    text = marked(f"%x = alloca {kind}, align 4", zeros)
    assert f"store {kind} %tightrope_unwritten.1, ptr %x" in text
    assert "!annotation" not in text


def test_what_clang_gives_no_zeros() -> None:
    assert "store [40 x i32] %tightrope_unwritten.1, ptr %x" in marked("%x = alloca [40 x i32], align 16")


def test_a_huge_one_is_left_alone() -> None:
    assert "call" not in marked("%x = alloca [4000 x i32], align 16").replace("@llvm", "")


def test_values_of_the_c_stay() -> None:
    text = marked("%x = alloca i32, align 4", "store i32 0, ptr %x, align 4", "store i32 %c, ptr %c.addr, align 4")
    assert "tightrope_unwritten" not in text


def test_each_place_has_a_value_of_its_own() -> None:
    zero = "store i32 0, ptr %x, align 4, !annotation !7"
    text = marked("%x = alloca i32, align 4", zero, zero)
    assert text.count("call i32 @tightrope_unwritten.1()") == 2
    assert "%tightrope_unwritten.2 =" in text
