"""The small functions of the weaver that work on text."""

from __future__ import annotations

import pytest

from tightrope.program.ir.model import Value
from tightrope.program.ir.read_ir import read_program
from tightrope.program.ir.types import IntType, PointerType
from tightrope.weaving.weave import _redirect, weave
from tightrope.weaving.weave_function import (
    constant_bits,
    defined_text,
    element_of,
    signature,
    suffixed,
    wrapping_text,
)
from tightrope.weaving.weave_intrinsics import UNLIKE, intrinsic_name


@pytest.mark.parametrize(("text", "bits", "number"), [
    ("true", 1, 1), ("false", 1, 0), ("-1", 8, 255), ("255", 8, 255), ("undef", 32, 0), ("poison", 64, 0),
    ("-9223372036854775808", 64, 1 << 63), ("%x", 32, None), ("ptrtoint (ptr @g to i64)", 64, None),
])  # fmt: skip
def test_numbers_of_constants(text: str, bits: int, number: int | None) -> None:
    assert constant_bits(Value(IntType(bits), text)) == number


def test_null_is_zero() -> None:
    assert constant_bits(Value(PointerType(), "null")) == 0


def test_undefined_values_become_zero_and_names_stay() -> None:
    assert defined_text("%r = add i32 undef, %poison") == "%r = add i32 zeroinitializer, %poison"
    assert (
        defined_text('call void @undef(ptr %"undef.x", i32 poison)')
        == 'call void @undef(ptr %"undef.x", i32 zeroinitializer)'
    )


def test_names_of_shadows_keep_their_quotes() -> None:
    assert suffixed("%x", "tr0") == "%x.tr0"
    assert suffixed('%"a b"', "tr0") == '%"a b.tr0"'


def test_elements_of_the_runtimes_arrays() -> None:
    assert element_of("tr_arguments", 0) == "@tr_arguments"
    assert element_of("tr_arguments", 3).endswith("i64 12)")
    assert element_of("tr_copied", 3).endswith("i64 24)")


def test_signatures_tell_types_apart() -> None:
    kinds = ["i32 (i32)", "i32 (i64)", "i64 (i32)", "i32 (i32, ...)", "void ()"]
    assert len({signature(kind) for kind in kinds}) == len(kinds)


def test_pointers_lead_to_models_but_strings_stay() -> None:
    models = {"@free": "@tightrope_model_free"}
    line = '@hooks = global { ptr, ptr } { ptr @free, ptr @freeze }, section "@free"'
    assert (
        _redirect(line, models)
        == '@hooks = global { ptr, ptr } { ptr @tightrope_model_free, ptr @freeze }, section "@free"'
    )
    assert _redirect("%x = load ptr, ptr @free.1", models) == "%x = load ptr, ptr @free.1"


@pytest.mark.parametrize(("text", "plain"), [
    ("  %r = add nsw i32 %a, 1", "  %r = add i32 %a, 1"), ("  %r = mul nuw nsw i64 %a, %b", "  %r = mul i64 %a, %b"),
    ("  %r = lshr exact i32 %a, 2", "  %r = lshr i32 %a, 2"), ("  %nsw = sub i32 0, %nsw.1", "  %nsw = sub i32 0, %nsw.1"),
])  # fmt: skip
def test_nobody_may_rely_on_a_result_that_fits(text: str, plain: str) -> None:
    assert wrapping_text(text) == plain


PROGRAM = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@table = internal global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@row = global i32 7, section "rows", align 4
define i32 @f(ptr %p, i64 %i) {
entry:
  %a = alloca [5 x i32], align 16
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  %r = getelementptr inbounds i8, ptr %q, i64 -4
  store i32 1, ptr %r, align 4
  %x = load i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 9), align 4
  ret i32 %x
}
"""


def test_objects_lie_apart_and_accesses_know_where_their_address_came_from() -> None:
    lines = weave(read_program(PROGRAM)).text.splitlines()
    apart = "<{ [4 x i32], [128 x i8] }> <{ [4 x i32] [i32 1, i32 2, i32 3, i32 4], [128 x i8] zeroinitializer }>"
    assert f"@table = internal global {apart}, align 16" in lines
    assert '@row = global i32 7, section "rows", align 4' in lines
    assert "  %a.room = alloca i8, i64 84, align 16" in lines
    assert "  %a = getelementptr i8, ptr %a.room, i64 32" in lines
    assert any("@tr_store(ptr %r, ptr %p, " in line for line in lines)
    assert any("@tr_load(ptr getelementptr" in line and ", ptr @table, i32 0" in line for line in lines)


@pytest.mark.parametrize(("callee", "name", "is_unlike"), [
    ("@llvm.memcpy.p0.p0.i64", "memcpy", False), ("@llvm.sadd.with.overflow.i32", "sadd", False),
    ("@llvm.sadd.sat.i32", "sadd", True), ("@llvm.umul.fix.i32", "umul", True), ("@llvm.is.fpclass.f64", "is", False),
    ("@llvm.is.constant.i32", "is", True),
])  # fmt: skip
def test_intrinsics_that_only_look_alike(callee: str, name: str, is_unlike: bool) -> None:
    assert intrinsic_name(callee) == name
    assert bool(UNLIKE.match(callee)) == is_unlike
