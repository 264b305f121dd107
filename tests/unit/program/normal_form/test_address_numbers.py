"""Constant expressions with numbers of addresses become instructions; everything else stays."""

from __future__ import annotations

import pytest

from tightrope.program.ir.read_ir import read_program
from tightrope.program.normal_form.address_numbers import unfold_addresses

HEAD = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@t = internal global [4 x i32] zeroinitializer, align 16
@g = global i32 7, align 4
declare i64 @use(i64, i64)
"""
FUNCTION = "define i64 @f(i64 %a, i1 %c) {{\n{body}\n}}\n"
T, G = "ptrtoint (ptr @t to i64)", "ptrtoint (ptr @g to i64)"
NEXT = "ptrtoint (ptr getelementptr inbounds nuw (i8, ptr @t, i64 4) to i64)"


def unfolded(body: str) -> list[str]:
    """The instructions of `@f`, after they were read again as LLVM reads them."""
    program = read_program(HEAD + FUNCTION.format(body=body))
    function = unfold_addresses(program.functions["@f"], program.named_types)
    text = "\n".join(
        f"{block.name}:\n" + "\n".join(f"  {each.text}" for each in block.instructions) for block in function.blocks
    )
    again = read_program(HEAD + FUNCTION.format(body=text)).functions["@f"]
    assert "ptrtoint (" not in "".join(each.text for each in again.instructions())
    return [each.text for each in function.instructions()]


def test_each_operand_is_computed_before_its_user() -> None:
    assert unfolded(f"  %d = and i64 {T}, %a\n  ret i64 %d") == [
        "%address = ptrtoint ptr @t to i64",
        "%d = and i64 %address, %a",
        "ret i64 %d",
    ]


def test_what_is_nested_is_computed_from_the_inside() -> None:
    found = unfolded(
        f"  %d = call i64 @use(i64 noundef xor (i64 {NEXT}, i64 5), i64 sub (i64 {G}, i64 {T}))\n  ret i64 %d"
    )
    opcodes = [each.partition(" = ")[2].partition(" ")[0] or each.partition(" ")[0] for each in found]
    assert opcodes == ["ptrtoint", "xor", "ptrtoint", "ptrtoint", "sub", "call", "ret"]
    assert found[-2].startswith("%d = call i64 @use(i64 noundef %address")


def test_what_flows_into_a_phi_is_computed_where_it_comes_from() -> None:
    body = f"""
entry:
  br i1 %c, label %one, label %two
one:
  br label %both
two:
  br label %both
both:
  %p = phi i64 [ {T}, %one ], [ {T}, %two ]
  ret i64 %p"""
    found = unfolded(body)
    assert [each for each in found if "ptrtoint" in each] == [
        "%address = ptrtoint ptr @t to i64",
        "%address1 = ptrtoint ptr @t to i64",
    ]
    assert "%p = phi i64 [ %address, %one ], [ %address1, %two ]" in found


@pytest.mark.parametrize(
    "line", ["%d = add i64 %a, 3", "%d = ptrtoint ptr @t to i64", "%d = load i64, ptr @g, align 4"]
)
def test_everything_else_stays(line: str) -> None:
    program = read_program(HEAD + FUNCTION.format(body=f"  {line}\n  ret i64 %d"))
    function = program.functions["@f"]
    assert unfold_addresses(function, program.named_types) is function
