"""C for accesses whose address is known only when they are made: one of the registers, or memory.

    unsigned int tightrope_read_4_at(const volatile void *at)
    {
        if (at == (void *)0x40020010) return tightrope_read_GPIOA_IDR();
        if (at == (void *)0x40020410) return tightrope_read_GPIOB_IDR();
        return *(const unsigned int *)at;           there is nothing: the run ends here, as it does without us
    }

`..._or_memory`: a variable of the program may be accessed as well, and is volatile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.harness.fill import UNSIGNED
from tightrope.program.declarations.stubs import RegisterAccess, Stub, access_name


def define_accesses(stubs: Sequence[Stub]) -> Iterator[str]:
    """The functions for all kinds of access that the registers have."""
    known = {stub.register: stub for stub in stubs if stub.register is not None}
    kinds = dict.fromkeys((one.size, one.is_write) for one in known)
    for size, is_write in kinds:
        alike = {one: stub for one, stub in known.items() if (one.size, one.is_write) == (size, is_write)}
        for may_be_memory in (False, True):
            yield from _define(alike, size, is_write, may_be_memory)


def _define(known: dict[RegisterAccess, Stub], size: int, is_write: bool, may_be_memory: bool) -> Iterator[str]:
    name, kind = access_name(next(iter(known)), may_be_memory), UNSIGNED[size]
    value, result, verb = (f", {kind} value", "void", "") if is_write else ("", kind, "return ")
    head = f"{result} {name}(const volatile void *at{value})"
    yield from (f"{head};", head, "{")
    for one, stub in known.items():
        call = f"{stub.name}(value); return;" if is_write else f"return {stub.name}();"
        yield f"    if (at == (void *)0x{one.address:x}ULL) {{ {call} }}"
    place = f"*({'volatile ' * may_be_memory}{kind} *)at"
    yield f"    {verb}{place}{' = value' * is_write};"
    yield "}"
