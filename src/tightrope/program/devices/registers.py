"""Registers: volatile data at constant addresses. A read may give anything, each time; a write is seen outside.

So every access is a call of a stub (`program/declarations/stubs.py`); engines, notes and tests see nothing else:

    %1 = load volatile i32, ptr inttoptr (i64 1073872912 to ptr)     →   %1 = call i32 @tightrope_read_GPIOA_IDR()
    store volatile i32 %x, ptr inttoptr (i64 1073872916 to ptr)      →   call void @tightrope_write_GPIOA_ODR(i32 %x)
    %2 = load volatile i32, ptr %port                                →   %2 = call i32 @tightrope_read_4_at(ptr %port)

The last one, of the driver (`harness/register_access.py`), looks at the address. What is not volatile is a register,
too, if the address is in the instruction itself and is only read, as an identity in flash, or only written. Otherwise
it is memory of the program at a fixed place, not a device, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.program.declarations.stubs import RegisterAccess, Stub, access_name
from tightrope.program.devices.device_pointers import OTHER, DevicePointers, may_access_registers
from tightrope.program.ir.editing import open_body
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.types import FloatType, IntType, PointerType, Type

_WIDTHS = {8: 1, 16: 2, 32: 4, 64: 8}
_FLOATS = {"float": 32, "double": 64}


@dataclass(frozen=True, slots=True)
class _Found:
    """A load or store that may access registers."""

    instruction: Instruction
    value: Value  # that is read or written
    registers: tuple[RegisterAccess, ...]
    is_known: bool  # it accesses just one register, always
    may_be_memory: bool


def find_register_accesses(program: Program, root: str) -> tuple[RegisterAccess, ...]:
    """What the function and its callees access, each once, in the order of addresses."""
    if not may_access_registers(program):
        return ()
    pointers = DevicePointers(program, root)
    found = {one for function in pointers.functions for each in _accesses(function, pointers) for one in each.registers}
    devices = {one.place for one in found if one.is_volatile}
    found = {replace(one, is_volatile=True) if one.place in devices else one for one in found}
    is_lent = _is_address_lent(pointers)
    known = (one for one in found if one.is_volatile or not (is_lent or any(_overlap(one, other) for other in found)))
    return tuple(sorted(known, key=lambda one: (one.address, one.size, one.is_write)))


def find_compared_addresses(program: Program, root: str) -> Mapping[str, tuple[int, ...]]:
    """Parameter of the function (`%port`) -> the constant addresses that the code compares it with."""
    return DevicePointers(program, root).compared if may_access_registers(program) else {}


def _is_address_lent(pointers: DevicePointers) -> bool:
    """True if a function that is not here gets a constant address, and may write there."""
    return any(
        each.opcode == "call"
        and each.callee not in defined
        and any(pointers.of(function, one.value) for one in each.arguments if isinstance(one.value.type, PointerType))
        for defined in [{function.name for function in pointers.functions}]
        for function in pointers.functions
        for each in function.instructions()
    )


def _overlap(one: RegisterAccess, other: RegisterAccess) -> bool:
    """True for different accesses to the same bytes."""
    return one != other and one.address < other.address + other.size and other.address < one.address + one.size


def _accesses(function: Function, pointers: DevicePointers) -> Iterator[_Found]:
    for each in function.instructions():
        is_volatile, value = "volatile" in each.flags, _accessed(each)
        size = _WIDTHS.get(_bits(value.type)) if value else None
        if value is None or size is None or not (is_volatile or "inttoptr" in each.operands[-1].text):
            continue
        addresses = pointers.of(function, each.operands[-1])
        places = sorted(addresses - {OTHER})
        if places:
            registers = tuple(RegisterAccess(at, size, each.opcode == "store", is_volatile) for at in places)
            is_known = len(addresses) == 1 and not each.operands[-1].is_local
            yield _Found(each, value, registers, is_known, OTHER in addresses)


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


def redirect_accesses(program: Program, root: str, stubs: Iterable[Stub]) -> Program:
    """The same program, calling stubs where it accesses their registers."""
    known = {_key(stub.register): stub for stub in stubs if stub.register is not None}
    if not known:
        return program
    pointers = DevicePointers(program, root)
    changed: dict[str, Function] = {}
    for function in pointers.functions:
        found = {id(each.instruction): each for each in _accesses(function, pointers)}
        calls = {key: each for key, each in found.items() if known.keys() & set(map(_key, each.registers))}
        if calls:
            changed[function.name] = _redirected(function, program, calls, known)
    return replace(program, functions={**program.functions, **changed})


Key = tuple[tuple[int, int], bool]


def _key(one: RegisterAccess) -> Key:
    return one.place, one.is_write


def _redirected(function: Function, program: Program, calls: dict[int, _Found], known: dict[Key, Stub]) -> Function:
    body = open_body(function, program.named_types)
    for name, block in body.blocks.items():
        instructions: list[Instruction] = []
        for each in block.instructions:
            found = calls.get(id(each))
            if found is None:
                instructions.append(each)
                continue
            callee, address = _callee(found, known)
            lines = _call(found, callee, address, f"%{body.fresh('register')}")
            instructions += [read_instruction(line, each.location, program.named_types) for line in lines]
        body.put(name, instructions)
    return replace(function, blocks=tuple(body.blocks.values()))


def _callee(found: _Found, known: dict[Key, Stub]) -> tuple[str, str]:
    """The function, and its argument for the address."""
    first = found.registers[0]
    if found.is_known:
        return known[_key(first)].name, ""
    return access_name(first, found.may_be_memory), f"ptr {found.instruction.operands[-1].text}"


def _call(found: _Found, callee: str, address: str, fresh: str) -> Iterator[str]:
    """A register holds bits: a float is cast."""
    value, bits = found.value, f"i{_bits(found.value.type)}"
    is_number = isinstance(value.type, IntType)
    if found.instruction.opcode == "load":
        yield f"{value.text if is_number else fresh} = call {bits} @{callee}({address})"
        yield from [] if is_number else [f"{value.text} = bitcast {bits} {fresh} to {value.type}"]
        return
    yield from [] if is_number else [f"{fresh} = bitcast {value.type} {value.text} to {bits}"]
    extended = " zeroext" if bits in ("i8", "i16") else ""
    arguments = [*([address] if address else []), f"{bits}{extended} {value.text if is_number else fresh}"]
    yield f"call void @{callee}({', '.join(arguments)})"
