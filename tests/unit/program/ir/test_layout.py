"""Our arithmetic against LLVM's own, for the layouts of many machines and random types."""

import random

import llvmlite.binding as llvm
import pytest

from tightrope.program.ir.layout import Layout
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_type import parse_type
from tightrope.program.ir.types import NamedType, OtherType, StructType

LAYOUTS = {
    "x86-64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "i386": "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128",
    "arm": "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64",
    "aarch64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
    "riscv64": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
    "powerpc": "E-m:e-p:32:32-Fn32-i64:64-n32",
    "msp430": "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16",
    "avr": "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8:16-a:8",
}


def layout(data_layout="", named_types=None):
    return Layout(Program({}, {}, named_types or {}, data_layout, ""))


def draw_type(source, depth):
    shape = source.randrange(9 if depth else 5)
    if shape < 2:
        return source.choice("i1 i8 i16 i32 i64 i128 i7 i24 i33 i65 i48 i200".split())
    if shape == 2:
        return source.choice("half float double x86_fp80 fp128 bfloat".split())
    if shape == 3:
        return source.choice(["ptr", "ptr addrspace(270)", "ptr addrspace(272)"])
    if shape == 4:
        return f"<{source.choice([1, 2, 3, 4, 16])} x {source.choice('i1 i8 i32 i64 float double ptr i24'.split())}>"
    if shape == 5:
        return f"[{source.randrange(5)} x {draw_type(source, depth - 1)}]"
    elements = [draw_type(source, depth - 1) for _ in range(source.randrange(5))]
    body = "{ " + ", ".join(elements) + " }" if elements else "{}"
    return f"<{body}>" if shape == 8 else body


@pytest.mark.parametrize("machine", LAYOUTS)
def test_llvm_lays_out_alike(machine):
    source = random.Random(7)
    texts = [draw_type(source, 3) for _ in range(200)]
    rules = llvm.create_target_data(LAYOUTS[machine])
    lines = [f"@g{number} = external global {text}" for number, text in enumerate(texts)]
    module = llvm.parse_assembly("\n".join(lines), llvm.create_context())
    ours = layout(LAYOUTS[machine])
    for number, text in enumerate(texts):
        theirs = module.get_global_variable(f"g{number}").global_value_type
        kind = parse_type(text)
        assert ours.size_of(kind) == rules.get_abi_size(theirs), text
        assert ours.align_of(kind) == rules.get_abi_alignment(theirs), text
        for index in range(len(kind.elements) if isinstance(kind, StructType) else 0):
            assert ours.offset_of(kind, index) == rules.get_element_offset(theirs, index), text


def test_leaves_are_flat():
    named = {"%struct.s": parse_type("{ i8, [2 x { i16, ptr }], <2 x float> }")}
    leaves = layout(LAYOUTS["x86-64"], named).leaves(NamedType("%struct.s"))
    assert [(str(kind), offset) for kind, offset in leaves] == [
        ("i8", 0),
        ("i16", 8),
        ("ptr", 16),
        ("i16", 24),
        ("ptr", 32),
        ("float", 40),
        ("float", 44),
    ]


def test_a_vector_of_bits_is_a_leaf():
    assert [str(kind) for kind, _ in layout().leaves(parse_type("[2 x <8 x i1>]"))] == ["<8 x i1>", "<8 x i1>"]


def test_elements_of_arrays_have_offsets():
    assert layout().offset_of(parse_type("[4 x i32]"), 3) == 12


@pytest.mark.parametrize("kind", [NamedType("%opaque"), OtherType("void"), parse_type("void ()")])
def test_what_has_no_size_is_an_error(kind):
    with pytest.raises(ValueError, match="size"):
        layout().size_of(kind)


def test_store_size_has_no_padding():
    ours = layout(LAYOUTS["x86-64"])
    assert (ours.store_size_of(parse_type("x86_fp80")), ours.size_of(parse_type("x86_fp80"))) == (10, 16)
    assert ours.bits_of(parse_type("i7")) == 7


def test_byte_order():
    assert layout("e").rules.is_little_endian
    assert not layout("E-m:e").rules.is_little_endian
