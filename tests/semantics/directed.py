"""Small C functions written for one purpose each, held against a plain build (see differential.py).

The function under test is called `target` and has scalars for parameters and result. `KEEP(x)` makes `x` part of the
result and pins it, so that its whole expression is recorded and evaluated.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from pathlib import Path
from random import Random

from c_kinds import BOOL, FLOAT, KINDS, Kind
from differential import PIN, ZIG, Tally, examine
from random_inputs import random_values
from random_programs import Parameter, RandomProgram

from tightrope.inputs.scalars import Input

KEEP = """
#define KEEP(x) do { __typeof__((x)) kept = (x); PIN(kept); result = result * 31 + BITS(kept); } while (0)
#define BITS(x) _Generic((x), float: float_bits, double: double_bits, default: integer_bits)(x)
static unsigned long integer_bits(unsigned long x) { return x; }
static unsigned long float_bits(float x)
{
    unsigned int bits = 7;
    if (x == x) __builtin_memcpy(&bits, &x, 4);
    return bits;
}
static unsigned long double_bits(double x)
{
    unsigned long bits = 7;
    if (x == x) __builtin_memcpy(&bits, &x, 8);
    return bits;
}
"""

_SIGNATURE = re.compile(r"^(?P<result>[\w ]+?) target\((?P<parameters>[^)]*)\)", re.MULTILINE)
_BY_NAME = {kind.name: kind for kind in KINDS} | {"unsigned": next(k for k in KINDS if k.name == "unsigned int")}

_BORDERS = (
    0.0, -0.0, 0.5, -0.5, 0.49999999999999994, 1.0, -1.0, 1.5, 2.5, -2.5, 3.5, -1.5, 127.0, 127.5, 128.0, -128.5,
    -129.0, 255.9, 256.0, 32767.9, -32769.0, 65536.0, 2.0**24, 2.0**24 + 2, 2.0**31, 2.0**31 - 1, -(2.0**31),
    -(2.0**31) - 1, 2.0**32, 2.0**32 - 1, 2.0**53, 2.0**63, -(2.0**63), 2.0**63 - 1024, 2.0**64, 2.0**64 - 2048,
    4503599627370497.5, 1e-310, 1.1754943508222875e-38, 3.4028234663852886e38, 1.7976931348623157e308, 1e-45,
    float("inf"), float("-inf"), float("nan"), 0.1, -3.7, 1e10,
)  # fmt: skip


def c_function(text: str) -> RandomProgram:
    """The program around a function called `target`."""
    found = _SIGNATURE.search(text)
    assert found, "there must be a line `KIND target(KIND NAME, ...)`"
    parameters = tuple(_parameter(word.strip()) for word in found["parameters"].split(",") if word.strip() != "void")
    result = _BY_NAME[found["result"]]
    return RandomProgram(0, PIN + KEEP + text, "target", parameters, result, may_trap=False)


def _parameter(text: str) -> Parameter:
    kind, name, count = re.fullmatch(r"(.*?) ?(\w+)(?:\[(\d+)\])?", text).groups()  # type: ignore[union-attr]
    return Parameter(name, _BY_NAME[kind], int(count or 0))


def many_inputs(program: RandomProgram, count: int) -> list[Input]:
    """Half of them plainly random, half with a border of its kind in most places."""
    random = Random(program.text)
    bordered = [tuple(_border(random, kind) for kind in program.slots) for _ in range(count // 2)]
    return [*bordered, *(random_values(program, seed) for seed in range(count - count // 2))]


def _border(random: Random, kind: Kind) -> int:
    if kind == BOOL:
        return random.randrange(2)
    if kind.is_float:
        return _bits(kind, random.choice(_BORDERS))
    power = 1 << random.randrange(kind.bits)
    return random.choice((0, 1, -1, -2, 2, power, power - 1, power + 1, -power, -power - 1)) % (1 << kind.bits)


def _bits(kind: Kind, value: float) -> int:
    try:
        return int.from_bytes(struct.pack("<f" if kind == FLOAT else "<d", value), "little")
    except OverflowError:
        return 0x7F800000


def examine_text(
    text: str,
    folder: Path,
    *,
    count: int = 60,
    flips: int = 0,
    extra: Sequence[Input] = (),
    is_clang_only: bool = False,
    **options: object,
) -> Tally:
    """Run many inputs, then so many flips, and give what was found."""
    program = c_function(text)
    inputs = [*extra, *many_inputs(program, count)]
    return examine(program, folder, inputs, flips=flips, compiler=ZIG if is_clang_only else (), **options)
