"""The small functions of the weaver that work on text."""

from __future__ import annotations

import pytest

from tightrope.execution.weave import _redirect
from tightrope.execution.weave_function import constant_bits, defined_text, element_of, signature, suffixed
from tightrope.execution.weave_intrinsics import UNLIKE, intrinsic_name
from tightrope.program.model import Value
from tightrope.program.types import IntType, PointerType


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
    assert defined_text('call void @undef(ptr %"undef.x", i32 poison)') == 'call void @undef(ptr %"undef.x", i32 zeroinitializer)'


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
    assert _redirect(line, models) == '@hooks = global { ptr, ptr } { ptr @tightrope_model_free, ptr @freeze }, section "@free"'
    assert _redirect("%x = load ptr, ptr @free.1", models) == "%x = load ptr, ptr @free.1"


@pytest.mark.parametrize(("callee", "name", "is_unlike"), [
    ("@llvm.memcpy.p0.p0.i64", "memcpy", False), ("@llvm.sadd.with.overflow.i32", "sadd", False),
    ("@llvm.sadd.sat.i32", "sadd", True), ("@llvm.umul.fix.i32", "umul", True), ("@llvm.is.fpclass.f64", "is", False),
    ("@llvm.is.constant.i32", "is", True),
])  # fmt: skip
def test_intrinsics_that_only_look_alike(callee: str, name: str, is_unlike: bool) -> None:
    assert intrinsic_name(callee) == name
    assert bool(UNLIKE.match(callee)) == is_unlike
