"""Random inputs for random programs, and the plain C program that runs them: the reference."""

from __future__ import annotations

import struct
from random import Random

from c_kinds import BOOL, FLOAT, Kind
from random_programs import RandomProgram


def random_values(program: RandomProgram, seed: int) -> tuple[int, ...]:
    """One input: an unsigned number per slot, holding the slot's bits; small and extreme values are frequent."""
    random = Random(f"values {program.seed} {seed}")
    return tuple(_random_value(random, kind) for kind in program.slots)


_FLOATS = (0, 0x3F800000, 0xBF800000, 0x3F000000, 0x40490FDB, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 1)
_DOUBLES = (0, 0x3FF0000000000000, 0xBFF0000000000000, 0x3FE0000000000000, 0x400921FB54442D18, 1 << 63,
            0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1)  # fmt: skip


def _random_value(random: Random, kind: Kind) -> int:
    if kind == BOOL:
        return random.randrange(2)
    pick = random.random()
    if kind.is_float and pick < 0.6:
        return random.choice(_FLOATS if kind == FLOAT else _DOUBLES)
    if kind.is_float and pick < 0.9:
        return _float_bits(kind, random.randrange(-400, 400) / 4)
    if pick < 0.5:
        return random.randrange(-20, 130) % (1 << kind.bits)
    if pick < 0.7:
        return ((1 << random.randrange(kind.bits)) + random.choice((-1, 0, 1))) % (1 << kind.bits)
    return _without_nan_payload(kind, random.getrandbits(kind.bits))


def _float_bits(kind: Kind, value: float) -> int:
    return int.from_bytes(struct.pack("<f" if kind == FLOAT else "<d", value), "little")


def _without_nan_payload(kind: Kind, bits: int) -> int:
    """Every NaN becomes the usual quiet one, as a solver's model would give it."""
    if not kind.is_float:
        return bits
    exponent, quiet = (0x7F800000, 0x7FC00000) if kind == FLOAT else (0x7FF << 52, 0x7FF8 << 48)
    mantissa = exponent & -exponent
    return quiet if bits & exponent == exponent and bits % mantissa else bits


def reference_program(program: RandomProgram) -> str:
    """The program with a `main` that reads inputs, one line of hexadecimal numbers each, and prints results.

    A result is the hexadecimal bits of what the function returned, sign-extended to 64 bits
    (a float's or double's IEEE bits), or `trap`.
    """
    reads, arguments, slot = [], [], 0
    for parameter in program.parameters:
        reads.append(f"{parameter.kind.name} {parameter.name}[{max(1, parameter.count)}];")
        for i in range(max(1, parameter.count)):
            reads.append(f"memcpy(&{parameter.name}[{i}], &slots[{slot}], sizeof {parameter.name}[{i}]);")
            slot += 1
        arguments.append(parameter.name if parameter.count else f"{parameter.name}[0]")
    call = f"{program.function}({', '.join(arguments)})"
    lines = "\n        ".join(reads)
    return program.text + _REFERENCE % {"slots": slot, "reads": lines, "call": call, "result": _raw(program.result)}


def _raw(kind: Kind) -> str:
    """How the result's bits are taken."""
    if kind.is_float:
        return f"({{ {kind.name} r = CALL; unsigned long long b = 0; memcpy(&b, &r, sizeof r); b; }})"
    return "(unsigned long long)CALL"


_REFERENCE = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static sigjmp_buf before;

static void trapped(int signal)
{
    siglongjmp(before, signal);
}

int main(void)
{
    unsigned long long slots[%(slots)d];
    signal(SIGFPE, trapped);
    for (;;) {
        for (int i = 0; i < %(slots)d; i++)
            if (scanf("%%llx", &slots[i]) != 1)
                return 0;
        %(reads)s
#define CALL %(call)s
        if (sigsetjmp(before, 1))
            printf("trap\\n");
        else
            printf("%%llx\\n", %(result)s);
    }
}
"""
