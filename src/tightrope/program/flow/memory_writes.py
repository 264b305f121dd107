"""Whether code writes to memory that others may see: anything but its own locals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.ir.model import Function, Instruction, Program, Value

_COPIES = ("@llvm.memcpy", "@llvm.memmove", "@llvm.memset")
_OURS = "@tightrope_"  # driver and runtime; the models of the C library have names of their own below
_MODELS = "@tightrope_model_"


def writes_memory(program: Program, unit: str) -> bool:
    """False when neither the unit nor what it may call writes anywhere but to locals. What a function writes through
    a parameter counts, though it may be a local of its caller."""
    names = [name for name in reachable_functions(program, unit) if name in program.functions]
    ours = [name for name in names if name.startswith(_OURS) and not name.startswith(_MODELS)]
    return any(_writes(program.functions[name]) for name in names if name not in ours)


def _writes(function: Function) -> bool:
    every = [each for block in function.blocks for each in block.instructions]
    made = {each.result: each for each in every if each.result}
    return any(not _is_local(made, target) for each in every for target in _written(each))


def _written(instruction: Instruction) -> Iterator[Value]:
    """The addresses that the instruction writes to."""
    match instruction.opcode:
        case "store":
            yield instruction.operands[1]
        case "cmpxchg" | "atomicrmw":
            yield instruction.operands[0]
        case "call" if instruction.callee.startswith(_COPIES):
            yield instruction.arguments[0].value


def _is_local(made: Mapping[str, Instruction], address: Value) -> bool:
    """Whether the address is that of a local variable, or of a part of one."""
    source = made.get(address.text)
    while source is not None and source.opcode in ("getelementptr", "bitcast", "addrspacecast"):
        source = made.get(source.operands[0].text)
    return source is not None and source.opcode == "alloca"
