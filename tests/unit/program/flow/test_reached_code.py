"""Which code writes to memory that others may see."""

from __future__ import annotations

import pytest

from tightrope.program.flow.reached_code import writes_memory
from tightrope.program.ir.read_ir import read_program

READS = "define i32 @f(ptr %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"
LOCAL = """define void @f(i64 %i) {
  %a = alloca [4 x i32]
  %e = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  store i32 1, ptr %e
  ret void
}
"""
GLOBAL = "@g = global i32 0\ndefine void @f() {\n  store i32 1, ptr @g\n  ret void\n}\n"
THROUGH = "define void @f(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"
CALLED = "define void @f(ptr %p) {\n  call void @h(ptr %p)\n  ret void\n}\n" + THROUGH.replace("@f", "@h")
COPIED = """declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  ret void
}
"""


@pytest.mark.parametrize(
    ("text", "writes"),
    [(READS, False), (LOCAL, False), (GLOBAL, True), (THROUGH, True), (CALLED, True), (COPIED, True)],
)
def test_writes(text, writes):
    assert writes_memory(read_program(text, text), "@f") is writes
