"""Questions about all code that a unit may reach: does it call functions that return twice, and does it write to memory
that other code may see?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tightrope.errors import UnsupportedError
from tightrope.library.table import FUNCTIONS
from tightrope.location import Location
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.ir.model import Function, Instruction, Program, Value

_COPIES = ("@llvm.memcpy", "@llvm.memmove", "@llvm.memset")
_OURS = "@tightrope_"  # driver and runtime; the models of the C library have names of their own below
_MODELS = "@tightrope_model_"
RETURNING_TWICE = {f"@{name}": one.twice for name, one in FUNCTIONS.items() if one.twice}
"""Functions of the C library that return twice, or into another function: symbol -> name in C. They are rejected,
because probes and call frames would no longer match. `longjmp` alone is allowed: without a `setjmp` it ends the run."""


def refuse_jumps(program: Program, function: str) -> None:
    """Reject a function that may reach a call of one of them. `function` is its name in IR."""
    known = [name for name in RETURNING_TWICE if name in program.functions and not program.functions[name].is_defined]
    if not known:
        return
    reached = reachable_functions(program, function)
    for caller in reached:
        for name, place in _calls(program, caller):
            where = "" if caller == function else f" in `{caller[1:]}`"
            raise UnsupportedError(
                f"{function[1:]}: it may reach a call of `{RETURNING_TWICE[name]}`{where}, which is not supported",
                location=place,
                hint="select only functions that do not reach it; `--link none` leaves out linked files",
                slug="setjmp",
            )


def _calls(program: Program, caller: str) -> list[tuple[str, Location | None]]:
    return [
        (instruction.callee, instruction.location)
        for instruction in program.functions[caller].instructions()
        if instruction.opcode == "call" and instruction.callee in RETURNING_TWICE
    ]


def writes_memory(program: Program, unit: str) -> bool:
    """Whether the unit, or code that it may call, writes to anything but locals. A write through a parameter counts,
    though the target may be a local of the caller."""
    names = [name for name in reachable_functions(program, unit) if name in program.functions]
    ours = [name for name in names if name.startswith(_OURS) and not name.startswith(_MODELS)]
    return any(_writes(program.functions[name]) for name in names if name not in ours)


def _writes(function: Function) -> bool:
    every = list(function.instructions())
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
