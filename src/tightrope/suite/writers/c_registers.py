"""The registers of a written test: what connects addresses with the stubs that stand for reads and writes of them.

    enum { TIGHTROPE_REGISTERS = 2 };
    static const struct { unsigned long address, size; } tightrope_registers[] = {
        {0x40020010, 4}, /* GPIOA->IDR */
        {0x40020014, 4}, /* GPIOA->ODR */
    };

The unit accesses the addresses as it does on its machine; `registers.c` beside this file catches the accesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tightrope.harness.fill import UNSIGNED
from tightrope.program.declarations.stubs import Stub

LOW = 0x10000  # below this address, systems map no memory


def define_registers(stubs: Sequence[Stub]) -> Iterator[str]:
    """The table of the registers, and one function each to read and to write them."""
    known = {(stub.register.place, stub.register.is_write): stub for stub in stubs if stub.register is not None}
    places = dict.fromkeys(place for place, _ in known)
    yield "/* Registers of devices, which are memory at constant addresses. An optimiser does not expect that an access"
    yield "   changes other variables of this file; hence the barrier. */"
    yield '#define MEMORY_BARRIER() __asm__ volatile("" ::: "memory")'
    yield f"enum {{ TIGHTROPE_REGISTERS = {len(places)} }};"
    yield "static const struct { unsigned long address, size; } tightrope_registers[] = {"
    for address, size in places:
        named = next(stub for (place, _), stub in known.items() if place == (address, size))
        yield f"    {{0x{address:x}, {size}}}, /* {named.register_name} */"
    yield "};"
    for is_write in (False, True):
        yield from _define_access(known, list(places), is_write)


def _define_access(
    known: Mapping[tuple[tuple[int, int], bool], Stub], places: Sequence[tuple[int, int]], is_write: bool
) -> Iterator[str]:
    name, result = ("write", "void") if is_write else ("read", "unsigned long long")
    parameters = "int number, unsigned long long value" if is_write else "int number"
    yield f"static {result} tightrope_{name}_register({parameters})"
    yield "{"
    for number, place in enumerate(places):
        size = place[1]
        stub = known.get((place, is_write))
        if stub is not None:
            call = f"{stub.name}({f'({UNSIGNED[size]})value' if is_write else ''})"
            yield f"    if (number == {number}) {f'{call};' if is_write else f'return {_bits(call, size)};'}"
    yield from ["    (void)number, (void)value;"] if is_write else ["    return (void)number, 0;"]
    yield "}"


def _bits(call: str, size: int) -> str:
    return f"({UNSIGNED[size]}){call}"


def has_registers(stubs: Sequence[Stub]) -> bool:
    return any(stub.register is not None for stub in stubs)


def has_low_address(stubs: Sequence[Stub]) -> bool:
    return any(stub.register is not None and stub.register.address < LOW for stub in stubs)
