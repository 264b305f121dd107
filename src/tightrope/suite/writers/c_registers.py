"""The registers of a written test: what connects addresses with the stubs that stand for reads and writes of them.

    enum { TIGHTROPE_REGISTERS = 2 };
    static const struct { const volatile void *at; unsigned long size; int is_variable; } tightrope_registers[] = {
        {(void *)0x40020010, 4, 0}, /* GPIOA->IDR */
        {(const volatile char *)&STATUS + 0, 4, 1}, /* STATUS */
    };

The unit accesses the addresses as it does on its machine; `registers.c` beside this file catches the accesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tightrope.harness.fill import UNSIGNED
from tightrope.program.declarations.stubs import RegisterPlace, Stub
from tightrope.suite.case import Suite

LOW = 0x10000  # below this address, systems map no memory


def needs_barrier(suite: Suite) -> bool:
    """Whether calls see memory change in ways that an optimiser does not expect: by registers, or in a constant of
    another file, which tests set."""
    return has_registers(suite.shape.stubs) or any(one.storage for one in suite.interface.globals)


def define_barrier(suite: Suite) -> Iterator[str]:
    if needs_barrier(suite):
        yield "/* An optimiser does not expect that tests set constants, or that accessing a register changes more. */"
        yield '#define MEMORY_BARRIER() __asm__ volatile("" ::: "memory")'


def define_registers(stubs: Sequence[Stub]) -> Iterator[str]:
    """The table of the registers, and one function each to read and to write them."""
    known = {(stub.register.place, stub.register.is_write): stub for stub in stubs if stub.register is not None}
    places = dict.fromkeys(place for place, _ in known)
    yield "/* Registers of devices, which are memory at given addresses. */"
    yield f"enum {{ TIGHTROPE_REGISTERS = {len(places)} }};"
    members = "const volatile void *at; unsigned long size; int is_variable;"
    yield f"static const struct {{ {members} }} tightrope_registers[] = {{"
    for symbol, address, size in places:
        named = next(stub for (place, _), stub in known.items() if place == (symbol, address, size))
        at = f"(const volatile char *)&{symbol} + {address}" if symbol else f"(void *)0x{address:x}"
        yield f"    {{{at}, {size}, {int(bool(symbol))}}}, /* {named.register_name} */"
    yield "};"
    for is_write in (False, True):
        yield from _define_access(known, list(places), is_write)


def _define_access(
    known: Mapping[tuple[RegisterPlace, bool], Stub], places: Sequence[RegisterPlace], is_write: bool
) -> Iterator[str]:
    name, result = ("write", "void") if is_write else ("read", "unsigned long long")
    parameters = "int number, unsigned long long value" if is_write else "int number"
    yield f"static {result} tightrope_{name}_register({parameters})"
    yield "{"
    for number, place in enumerate(places):
        size = place[-1]
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
    accesses = [stub.register for stub in stubs if stub.register is not None]
    return any(one.address < LOW and not one.symbol for one in accesses)


def symbols_of_registers(stubs: Sequence[Stub]) -> list[str]:
    """Variables that are registers."""
    return list(dict.fromkeys(stub.register.symbol for stub in stubs if stub.register and stub.register.symbol))


def define_symbols(names: Sequence[str]) -> Iterator[str]:
    """Each has a page of its own, so that nothing else faults."""
    if not names:
        return
    yield "/* Variables that the linker or another file provides, and that change at any time: registers. */"
    for name in names:
        page = f"tightrope_page_{name}"
        yield "#ifdef __linux__"
        yield f"static __attribute__((aligned(4096), used)) char {page}[(sizeof({name}) + 4095) / 4096 * 4096];"
        yield f'extern __typeof__({name}) {name} __attribute__((weak, alias("{page}")));'
        yield "#else"
        yield f"__attribute__((weak)) __typeof__({name}) {name};"
        yield "#endif"
    yield ""
