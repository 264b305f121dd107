"""What the reader says of compiled C, judged by LLVM: written back it verifies, and LLVM's own view agrees."""

from itertools import zip_longest
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from tightrope.program.ir.read_instruction import is_known
from tightrope.program.ir.read_ir import link_bitcode, normalise, read_program

ODD = (Path(__file__).parent / "odd.c").read_text()
BITS_32 = """
struct wide { double d; long long l; char c; };
long long sum(struct wide w, int n, ...) { return w.l + (long long)w.d + n; }
int first(const int *p) { switch (*p) { case -1: return 1; case 1: return 2; } return p[0]; }
"""


def write_back(program):
    lines = list(program.prelude)
    for function in program.functions.values():
        if function.is_defined:
            lines.append(function.header)
            for block in function.blocks:
                lines.append(f"{block.name}:")
                lines += [f"  {instruction.text}" for instruction in block.instructions]
            lines.append("}")
    return "\n".join(lines)


@pytest.fixture(
    scope="module",
    params=["odd", "i386", "arm", "aarch64", "riscv64"],
)
def texts(request, compile_c):
    """Raw and normal text of one program."""
    if request.param == "odd":
        return normalise(compile_c(ODD))
    triple = {"i386": "x86-linux-gnu", "arm": "arm-linux-gnueabihf"}.get(request.param, f"{request.param}-linux-gnu")
    return normalise(compile_c(BITS_32, "-target", triple))


@pytest.mark.parametrize("which", ["raw", "normal"])
def test_what_was_read_can_be_written_back(texts, which):
    text = texts[0] if which == "raw" else texts[1]
    program = read_program(text)
    again = llvm.parse_assembly(write_back(program), llvm.create_context())
    again.verify()
    assert all(is_known(each) for function in program.functions.values() for each in function.instructions())


def test_reading_what_was_written_back_gives_the_same_program(texts):
    program = read_program(texts[1])
    again = read_program(write_back(program))
    assert [f.header for f in again.functions.values() if f.blocks] == [
        f.header for f in program.functions.values() if f.blocks
    ]
    for name, function in program.functions.items():
        for block, other in zip(function.blocks, again.functions[name].blocks, strict=True):
            assert [i.text for i in block.instructions] == [i.text for i in other.instructions]


@pytest.mark.parametrize("which", ["raw", "normal"])
def test_llvm_sees_the_same_instructions(texts, which):
    text = texts[0] if which == "raw" else texts[1]
    program = read_program(text)
    module = llvm.parse_assembly(text, llvm.create_context())
    for theirs in module.functions:
        ours = program.functions[f"@{theirs.name}"]
        assert_same_signature(ours, theirs)
        for block, their_block in zip_longest(ours.blocks, theirs.blocks):
            assert block.name == their_block.name
            for mine, other in zip_longest(block.instructions, their_block.instructions):
                assert_same_instruction(mine, other)


def assert_same_signature(ours, theirs):
    assert [str(p.type) for p in ours.parameters] == [type_text(a.type) for a in theirs.arguments]
    if ours.is_defined:
        assert [p.name for p in ours.parameters] == [f"%{a.name}" for a in theirs.arguments]


def assert_same_instruction(mine, other):
    assert mine.opcode == other.opcode, mine.text
    assert str(mine.type) == type_text(other.type), mine.text
    assert mine.result == (f"%{other.name}" if other.name else None), mine.text
    expected = [operand_text(operand) for operand in other.operands]
    if mine.opcode == "call":
        expected = expected[:-1]  # the callee
        assert [str(p) for p in mine.function_type.parameters] == [t for t, _ in expected][
            : len(mine.function_type.parameters)
        ]
    if mine.opcode == "callbr":
        return
    got = [value_text(value) for value in values_of(mine)]
    assert [e for e in expected if e[0] != "label"] == got, mine.text


def values_of(instruction):
    if instruction.opcode == "call":
        return [argument.value for argument in instruction.arguments]
    if instruction.opcode == "phi":
        return [value for value, _ in instruction.incoming]
    if instruction.opcode == "switch":
        return instruction.operands  # LLVM keeps the case values elsewhere
    if instruction.opcode == "shufflevector":
        return instruction.operands[:2]  # and the order of elements, too
    if instruction.opcode == "alloca" and not instruction.operands:
        return [None]
    return instruction.operands


def value_text(value):
    """The type and, where it has one, the name of a value."""
    if value is None:
        return ("i32", "")  # a count of one, not written
    name = value.text[1:].strip('"') if value.text[:1] in "%@" else ""
    return (str(value.type), name)


def operand_text(operand):
    return (type_text(operand.type), operand.name)


def type_text(kind):
    return str(kind).partition(" = type")[0]


def test_places_of_blocks_come_from_the_raw_text(compile_c):
    source = "int f(int a) {\n  int b = 0;\n  if (a > 3)\n    b = 1;\n  else\n    b = 2;\n  return b;\n}\n"
    raw, normal = normalise(compile_c(source))
    blocks = {block.name: block for block in read_program(normal, raw).functions["@f"].blocks}
    assert [place.line for place in blocks["if.then"].places] == [4, 4]
    assert {place.line for place in blocks["if.else"].places} == {6}
    assert len(blocks["if.then"].instructions) == 1  # SROA left nothing but the jump
    assert blocks["if.then"].places[0].file.endswith("/unit.c")


def test_modules_are_linked(compile_c):
    joined = link_bitcode(
        [compile_c("int f(int); int g(void) { return f(1); }"), compile_c("int f(int x) { return x; }")]
    )
    program = read_program(normalise(joined)[1])
    assert program.functions["@f"].is_defined
    assert program.functions["@g"].is_defined


def test_type_names_do_not_depend_on_earlier_modules(compile_c):
    bitcode = compile_c("struct s { int a; } x;")
    assert normalise(bitcode) == normalise(bitcode)
