"""Registers: volatile data at constant addresses. A read may give anything, each time; a write is seen outside.

So every access is a call of a stub (`program/declarations/stubs.py`); engines, notes and tests see nothing else:

    %1 = load volatile i32, ptr inttoptr (i64 1073872912 to ptr)     →   %1 = call i32 @tightrope_read_GPIOA_IDR()
    store volatile i32 %x, ptr inttoptr (i64 1073872916 to ptr)      →   call void @tightrope_write_GPIOA_ODR(i32 %x)

What is not volatile stays as it is: memory of the program at a fixed place, not a device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tightrope.program.declarations.stubs import RegisterAccess, Stub
from tightrope.program.devices.constant_addresses import ConstantAddresses, results_of
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.ir.editing import open_body
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.types import FloatType, IntType, Type

_WIDTHS = {8: 1, 16: 2, 32: 4, 64: 8}
_FLOATS = {"float": 32, "double": 64}


def find_register_accesses(program: Program, root: str) -> tuple[RegisterAccess, ...]:
    """What the function and its callees access, each once, in the order of addresses."""
    addresses = ConstantAddresses(program)
    functions = [program.functions[name] for name in reachable_functions(program, root)]
    found = {access for each in functions for _, access in _accesses(each, addresses)}
    return tuple(sorted(found, key=lambda one: (one.address, one.size, one.is_write)))


def _accesses(function: Function, addresses: ConstantAddresses) -> Iterator[tuple[Instruction, RegisterAccess]]:
    candidates = [each for each in function.instructions() if "volatile" in each.flags and _accessed(each) is not None]
    made = results_of(function) if candidates else {}
    for each in candidates:
        value = _accessed(each)
        address = addresses.of(each.operands[-1], made)
        size = _WIDTHS.get(_bits(value.type)) if value else None
        if address is not None and size is not None:
            yield each, RegisterAccess(address, size, is_write=each.opcode == "store")


def _accessed(each: Instruction) -> Value | None:
    """What is read or written, if it is a plain load or store."""
    if "atomic" in each.flags or each.opcode not in ("load", "store"):
        return None
    return each.operands[0] if each.opcode == "store" else Value(each.type, each.result or "")


def _bits(kind: Type) -> int:
    if isinstance(kind, IntType):
        return kind.bits
    return _FLOATS.get(kind.name, 0) if isinstance(kind, FloatType) else 0


# -- accesses become calls


def redirect_accesses(program: Program, stubs: Iterable[Stub]) -> Program:
    """The same program, calling stubs where it accesses their registers."""
    known = {stub.register: stub for stub in stubs if stub.register is not None}
    if not known:
        return program
    addresses = ConstantAddresses(program)
    functions = {name: _redirected(one, addresses, known, program) for name, one in program.functions.items()}
    return replace(program, functions=functions)


def _redirected(
    function: Function, addresses: ConstantAddresses, known: Mapping[RegisterAccess, Stub], program: Program
) -> Function:
    calls = {id(each): known[access] for each, access in _accesses(function, addresses) if access in known}
    if not calls:
        return function
    body = open_body(function, program.named_types)
    for name, block in body.blocks.items():
        instructions: list[Instruction] = []
        for each in block.instructions:
            stub = calls.get(id(each))
            lines = _call(each, stub, f"%{body.fresh('register')}") if stub else ()
            instructions += [read_instruction(line, each.location, program.named_types) for line in lines] or [each]
        body.put(name, instructions)
    return replace(function, blocks=tuple(body.blocks.values()))


def _call(access: Instruction, stub: Stub, fresh: str) -> Iterator[str]:
    """A register holds bits: a float is cast."""
    value = _accessed(access)
    assert value is not None
    bits = f"i{_bits(value.type)}"
    is_number = isinstance(value.type, IntType)
    if access.opcode == "load":
        result = value.text if is_number else fresh
        yield f"{result} = call {bits} @{stub.name}()"
        yield from [] if is_number else [f"{value.text} = bitcast {bits} {fresh} to {value.type}"]
    else:
        yield from [] if is_number else [f"{fresh} = bitcast {value.type} {value.text} to {bits}"]
        extended = " zeroext" if bits in ("i8", "i16") else ""
        yield f"call void @{stub.name}({bits}{extended} {value.text if is_number else fresh})"
