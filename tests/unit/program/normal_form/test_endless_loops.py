"""Loops that nothing ends."""

from __future__ import annotations

import pytest

from tightrope.program.ir.read_ir import read_program
from tightrope.program.normal_form.endless_loops import ENDLESS, end_endless_loops

HEAD = "@g = global i32 0\ndeclare void @other()\ndeclare void @assembly__wfi()\n"


def blocks_that_stay(body: str) -> list[str]:
    text = f"{HEAD}define void @f(i1 %c, i32 %n, ptr %p) {{\nentry:\n{body}\n}}\n"
    found = end_endless_loops(read_program(text)).functions["@f"]
    return [block.name for block in found.blocks if any(each.callee == ENDLESS for each in block.instructions)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("br label %a\na:\n  br label %a", ["a"]),
        ("br label %a\na:\n  br label %b\nb:\n  br label %a", ["b"]),
        ("br label %a\na:\n  call void @assembly__wfi()\n  br label %a", ["a"]),
        ("br label %a\na:\n  store volatile i32 1, ptr @g\n  br label %a", ["a"]),
        ("br label %a\na:\n  call void @other()\n  br label %a", []),
        ("br label %a\na:\n  store i32 1, ptr %p\n  br label %a", []),
        ("br label %a\na:\n  %x = sdiv i32 %n, 0\n  br label %a", []),
        ("br label %a\na:\n  br i1 %c, label %a, label %b\nb:\n  ret void", []),
        # entered at both blocks: neither may be cut off
        ("br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  br label %a", []),
    ],
)
def test_a_loop_ends_the_run_if_nothing_can_end_the_loop(body: str, expected: list[str]):
    assert blocks_that_stay(f"  {body}") == expected
