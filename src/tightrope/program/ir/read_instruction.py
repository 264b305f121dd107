"""Text -> one instruction. One small function per shape of instruction, and one table from opcode to function.

What no function can read is not an error: the instruction is carried as its text, with the type `UNKNOWN`
and whatever labels it names as targets, so that it can be written back and reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from tightrope.location import Location
from tightrope.program.ir.lexer import NAME, find_close, split_commas
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.read_operand import read_argument, read_callee, read_value, skip_attributes
from tightrope.program.ir.read_type import UNKNOWN, element_type, parse_type, read_type, truth_type
from tightrope.program.ir.types import (
    BOOL,
    POINTER,
    VOID,
    FunctionType,
    IntType,
    StructType,
    Type,
    VectorType,
)

_RESULT = re.compile(rf"(%{NAME}) = ")
_LABEL = re.compile(rf"label %({NAME})")
_PHI = re.compile(rf"\[ ([^\s\[\]]+), %({NAME}) \](?:, |$)")
_ORDERING = re.compile(r'(?: syncscope\("[^"]*"\))?(?: (?:unordered|monotonic|acquire|release|acq_rel|seq_cst)){1,2}$')
_FLAGS = frozenset(
    "nuw nsw exact disjoint nneg samesign inbounds nusw volatile atomic weak inalloca swifterror"
    " fast nnan ninf nsz arcp contract afn reassoc tail musttail notail".split()
)
_NO_FLAGS: frozenset[str] = frozenset()


class InstructionText(NamedTuple):
    """An instruction before its opcode is looked up. `rest` is the text after the opcode."""

    text: str
    result: str | None
    opcode: str
    rest: str
    location: Location | None
    named_types: Mapping[str, Type]


def read_instruction(text: str, location: Location | None, named_types: Mapping[str, Type]) -> Instruction:
    """The instruction that the text (without metadata and indentation) spells."""
    line = _start(text, location, named_types)
    reader = READERS.get(line.opcode)
    if reader is None:
        return _read_unknown(line)
    try:
        return reader(line)
    except (ValueError, KeyError, IndexError):
        return _read_unknown(line)


def is_known(instruction: Instruction) -> bool:
    """False for an instruction that is only carried as text."""
    return instruction.type is not UNKNOWN


def _start(text: str, location: Location | None, named_types: Mapping[str, Type]) -> InstructionText:
    found = _RESULT.match(text) if text[0] == "%" else None
    if not found:
        opcode, _, rest = text.partition(" ")
        return InstructionText(text, None, opcode, rest, location, named_types)
    opcode, _, rest = text[found.end() :].partition(" ")
    return InstructionText(text, found.group(1), opcode, rest, location, named_types)


def _take_flags(rest: str) -> tuple[frozenset[str], str]:
    """The flags in front, and what follows them."""
    word, _, after = rest.partition(" ")
    if word not in _FLAGS:
        return _NO_FLAGS, rest
    flags = []
    while word in _FLAGS:
        flags.append(word)
        rest = after
        word, _, after = rest.partition(" ")
    return frozenset(flags), rest


def _read_unknown(line: InstructionText) -> Instruction:
    labels = tuple(_LABEL.findall(line.text))
    return Instruction(line.opcode, line.text, UNKNOWN, line.result, location=line.location, targets=labels)


def _plain(
    line: InstructionText,
    kind: Type,
    operands: tuple[Value, ...],
    flags: frozenset[str] = _NO_FLAGS,
    predicate: str = "",
) -> Instruction:
    return Instruction(line.opcode, line.text, kind, line.result, operands, line.location, predicate, flags)


def _read_binary(line: InstructionText) -> Instruction:
    """`add nuw i32 %a, %b`: both operands have the type that is written once."""
    flags, rest = _take_flags(line.rest)
    left, right = split_commas(rest)
    first = read_value(left)
    return _plain(line, first.type, (first, Value(first.type, right)), flags)


def _read_unary(line: InstructionText) -> Instruction:
    """`fneg float %a`, `freeze i32 %a`."""
    flags, rest = _take_flags(line.rest)
    value = read_value(rest)
    return _plain(line, value.type, (value,), flags)


def _read_comparison(line: InstructionText) -> Instruction:
    """`icmp samesign slt i32 %a, %b`."""
    flags, rest = _take_flags(line.rest)
    predicate, _, rest = rest.partition(" ")
    left, right = split_commas(rest)
    first = read_value(left)
    return _plain(line, truth_type(first.type), (first, Value(first.type, right)), flags, predicate)


def _read_cast(line: InstructionText) -> Instruction:
    """`zext nneg i8 %a to i32`."""
    flags, rest = _take_flags(line.rest)
    source, _, target = rest.rpartition(" to ")
    return _plain(line, parse_type(target), (read_value(source),), flags)


def _read_load(line: InstructionText) -> Instruction:
    """`load atomic volatile i32, ptr %p acquire, align 4`."""
    flags, rest = _take_flags(line.rest)
    parts = split_commas(rest)
    return _plain(line, parse_type(parts[0]), (_read_ordered(parts[1], flags),), flags)


def _read_store(line: InstructionText) -> Instruction:
    """`store atomic volatile i32 %v, ptr %p release, align 4`."""
    flags, rest = _take_flags(line.rest)
    parts = split_commas(rest)
    return _plain(line, VOID, (read_value(parts[0]), _read_ordered(parts[1], flags)), flags)


def _read_ordered(text: str, flags: frozenset[str]) -> Value:
    """An operand that a memory ordering may follow."""
    return read_value(_ORDERING.sub("", text) if "atomic" in flags else text)


def _read_alloca(line: InstructionText) -> Instruction:
    """`alloca [4 x i32], i64 %n, align 16`: the count is optional."""
    flags, rest = _take_flags(line.rest)
    allocated, *others = split_commas(rest)
    counts = tuple(read_value(part) for part in others if not part.startswith(("align ", "addrspace(")))
    return Instruction(
        "alloca",
        line.text,
        _alloca_type(others),
        line.result,
        counts,
        line.location,
        flags=flags,
        source_type=parse_type(allocated),
    )


def _alloca_type(parts: list[str]) -> Type:
    return parse_type("ptr " + parts[-1]) if parts and parts[-1].startswith("addrspace(") else POINTER


def _read_address(line: InstructionText) -> Instruction:
    """`getelementptr inbounds nuw %struct.s, ptr %p, i32 0, i32 2`; with a vector operand, a vector of pointers."""
    flags, rest = _take_flags(line.rest)
    element, *parts = split_commas(rest)
    operands = tuple(map(read_value, parts))
    kind = operands[0].type
    for operand in operands:
        if isinstance(operand.type, VectorType) and not isinstance(kind, VectorType):
            kind = VectorType(operand.type.count, kind)
    return Instruction(
        line.opcode,
        line.text,
        kind,
        line.result,
        operands,
        line.location,
        flags=flags,
        source_type=parse_type(element),
    )


def _read_select(line: InstructionText) -> Instruction:
    """`select i1 %c, i32 %a, i32 %b`."""
    flags, rest = _take_flags(line.rest)
    condition, first, second = map(read_value, split_commas(rest))
    return _plain(line, first.type, (condition, first, second), flags)


def _read_phi(line: InstructionText) -> Instruction:
    """`phi i32 [ %a, %then ], [ 7, %entry ]`."""
    flags, rest = _take_flags(line.rest)
    kind, end = read_type(rest, 0)
    rest = rest[end + 1 :]
    pairs = _PHI.findall(rest)
    if len(pairs) != rest.count("[") or '"' in rest:  # a constant with brackets or a name with quotes
        pairs = [_split_incoming(part) for part in split_commas(rest)]
    incoming = tuple([(Value(kind, value), block) for value, block in pairs])
    return Instruction("phi", line.text, kind, line.result, location=line.location, flags=flags, incoming=incoming)


def _split_incoming(pair: str) -> tuple[str, str]:
    value, block = split_commas(pair[1:-1].strip())
    return value, block[1:]


def _read_branch(line: InstructionText) -> Instruction:
    """`br label %next` or `br i1 %c, label %then, label %else`."""
    condition, *_ = split_commas(line.rest)
    operands = () if condition.startswith("label ") else (read_value(condition),)
    targets = tuple(_LABEL.findall(line.rest))
    return Instruction("br", line.text, VOID, None, operands, line.location, targets=targets)


def _read_switch(line: InstructionText) -> Instruction:
    """`switch i32 %v, label %default [` and one `i32 5, label %case` per line."""
    opening = line.rest.index("[\n") if "[\n" in line.rest else line.rest.rindex("[")
    value = read_value(split_commas(line.rest[:opening])[0])
    cases = [_case_number(case) for case in line.rest[opening + 1 :].split("\n")[1:-1]]
    targets = tuple(_LABEL.findall(line.rest))
    return Instruction("switch", line.text, VOID, None, (value,), line.location, targets=targets, cases=tuple(cases))


def _case_number(text: str) -> int:
    value = read_value(text.strip().partition(",")[0])
    if not isinstance(value.type, IntType):
        raise ValueError(f"a case that is no number: {text}")
    number = {"true": 1, "false": 0}.get(value.text)
    return (int(value.text) if number is None else number) & ((1 << value.type.bits) - 1)


def _read_indirect_branch(line: InstructionText) -> Instruction:
    """`indirectbr ptr %address, [label %a, label %b]`."""
    address = read_value(split_commas(line.rest)[0])
    targets = tuple(_LABEL.findall(line.rest))
    return Instruction(line.opcode, line.text, VOID, None, (address,), line.location, targets=targets)


def _read_return(line: InstructionText) -> Instruction:
    """`ret void` or `ret i32 %x`."""
    return _plain(line, VOID, () if line.rest == "void" else (read_value(line.rest),))


def _read_bare(line: InstructionText) -> Instruction:
    """`unreachable`, `fence seq_cst`: no operands."""
    return _plain(line, VOID, ())


def _read_part(line: InstructionText) -> Instruction:
    """`extractvalue { i32, i1 } %pair, 1`."""
    aggregate, *numbers = split_commas(line.rest)
    value, indices = read_value(aggregate), tuple(map(int, numbers))
    kind = element_type(value.type, indices, line.named_types)
    return Instruction(line.opcode, line.text, kind, line.result, (value,), line.location, indices=indices)


def _read_insertion(line: InstructionText) -> Instruction:
    """`insertvalue { i32, i1 } %pair, i1 true, 1`."""
    aggregate, part, *numbers = split_commas(line.rest)
    value = read_value(aggregate)
    return Instruction(
        line.opcode,
        line.text,
        value.type,
        line.result,
        (value, read_value(part)),
        line.location,
        indices=tuple(map(int, numbers)),
    )


def _read_vector(line: InstructionText) -> Instruction:
    """`extractelement <4 x i32> %v, i32 0`, `insertelement ...`, `shufflevector ...`."""
    operands = tuple(map(read_value, split_commas(line.rest)))
    return _plain(line, _vector_result(line.opcode, operands), operands)


def _vector_result(opcode: str, operands: tuple[Value, ...]) -> Type:
    vector, last = operands[0].type, operands[-1].type
    if not isinstance(vector, VectorType):
        raise ValueError(f"{vector} is no vector of a known length")
    if opcode == "extractelement":
        return vector.element
    if opcode == "shufflevector" and isinstance(last, VectorType):
        return VectorType(last.count, vector.element)
    return vector


def _read_atomic_update(line: InstructionText) -> Instruction:
    """`atomicrmw volatile add ptr %p, i32 %v seq_cst, align 4`."""
    flags, rest = _take_flags(line.rest)
    operation, _, rest = rest.partition(" ")
    pointer, value = split_commas(rest)[:2]
    changed = read_value(_ORDERING.sub("", value))
    return _plain(line, changed.type, (read_value(pointer), changed), flags, operation)


def _read_exchange(line: InstructionText) -> Instruction:
    """`cmpxchg weak ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4` gives { i32, i1 }."""
    flags, rest = _take_flags(line.rest)
    pointer, expected, wanted = split_commas(rest)[:3]
    replacement = read_value(_ORDERING.sub("", wanted))
    operands = (read_value(pointer), read_value(expected), replacement)
    return _plain(line, StructType((replacement.type, BOOL)), operands, flags)


def _read_variadic(line: InstructionText) -> Instruction:
    """`va_arg ptr %list, i32`."""
    pointer, kind = split_commas(line.rest)
    return _plain(line, parse_type(kind), (read_value(pointer),))


def _read_call(line: InstructionText) -> Instruction:
    """`call fastcc noundef i32 (ptr, ...) @printf(ptr noundef @.str, i32 %x) #3`, and `callbr`, `invoke`.

    The type in front is the result's, or the whole function type when the callee is variadic.
    """
    flags, rest = _take_flags(line.rest)
    at = skip_attributes(rest)
    kind, end = read_type(rest, at)
    callee, opening = read_callee(rest, end + 1)
    close = find_close(rest, opening)
    inner = rest[opening + 1 : close]
    arguments = tuple(map(read_argument, split_commas(inner))) if inner else ()
    if not isinstance(kind, FunctionType):
        kind = FunctionType(kind, tuple([argument.value.type for argument in arguments]))
    is_assembly = callee.startswith("asm ")
    return Instruction(
        line.opcode,
        line.text,
        kind.result,
        line.result,
        location=line.location,
        flags=flags,
        targets=tuple(_LABEL.findall(rest, close)) if line.opcode != "call" else (),
        callee="" if is_assembly else callee,
        is_assembly=is_assembly,
        function_type=kind,
        arguments=arguments,
    )


def _read_tail_call(line: InstructionText) -> Instruction:
    """`tail call ...`: a call with a flag."""
    call = _read_call(line._replace(opcode="call", rest=line.rest.removeprefix("call ")))
    return replace(call, flags=call.flags | {line.opcode})


_SHAPES: Mapping[Callable[[InstructionText], Instruction], str] = {
    _read_binary: "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem",
    _read_unary: "fneg freeze",
    _read_comparison: "icmp fcmp",
    _read_cast: "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast"
    " addrspacecast",
    _read_load: "load",
    _read_store: "store",
    _read_alloca: "alloca",
    _read_address: "getelementptr",
    _read_select: "select",
    _read_phi: "phi",
    _read_branch: "br",
    _read_switch: "switch",
    _read_indirect_branch: "indirectbr",
    _read_return: "ret",
    _read_bare: "unreachable fence",
    _read_part: "extractvalue",
    _read_insertion: "insertvalue",
    _read_vector: "extractelement insertelement shufflevector",
    _read_atomic_update: "atomicrmw",
    _read_exchange: "cmpxchg",
    _read_variadic: "va_arg",
    _read_call: "call callbr invoke",
    _read_tail_call: "tail musttail notail",
}
READERS: Mapping[str, Callable[[InstructionText], Instruction]] = {
    opcode: reader for reader, opcodes in _SHAPES.items() for opcode in opcodes.split()
}
