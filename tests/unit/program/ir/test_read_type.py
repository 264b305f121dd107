import pytest

from tightrope.program.ir.read_type import element_type, parse_type
from tightrope.program.ir.types import (
    ArrayType,
    FunctionType,
    IntType,
    NamedType,
    OtherType,
    PointerType,
    StructType,
    VectorType,
)


@pytest.mark.parametrize(
    "text",
    [
        "i1",
        "i65",
        "x86_fp80",
        "ptr",
        "ptr addrspace(270)",
        "[4 x [2 x i8]]",
        "<4 x ptr>",
        "{}",
        "{ i32, { ptr, i8 } }",
        "<{ i8, i32 }>",
        "%struct.point",
        '%"struct.a b"',
        "i32 (ptr, ...)",
        "void ()",
        "ptr (i32 (i8), [2 x i8])",
        "[2 x <{ %union.u, <2 x float> }>]",
    ],
)
def test_a_type_is_spelt_as_it_was_read(text):
    assert str(parse_type(text)) == text


def test_types_are_told_apart():
    assert parse_type("[2 x i8]") == ArrayType(2, IntType(8))
    assert parse_type("<2 x i8>") == VectorType(2, IntType(8))
    assert parse_type("<{ i8 }>") == StructType((IntType(8),), is_packed=True)
    assert parse_type("void (...)") == FunctionType(OtherType("void"), (), is_variadic=True)
    assert parse_type("ptr addrspace(1)") == PointerType(1)


def test_types_of_unknown_size_are_carried():
    assert parse_type("<vscale x 4 x i32>") == OtherType("<vscale x 4 x i32>")
    assert parse_type('target("spirv.Image", void, 1)') == OtherType('target("spirv.Image", void, 1)')


@pytest.mark.parametrize("text", ["", "i32 %x", "nonsense", "i"])
def test_what_is_no_type_is_an_error(text):
    with pytest.raises((ValueError, IndexError)):
        parse_type(text)


def test_parts_of_aggregates_are_found_through_names():
    named = {"%s": parse_type("{ i8, [2 x i64] }")}
    assert element_type(NamedType("%s"), (1, 0), named) == IntType(64)
