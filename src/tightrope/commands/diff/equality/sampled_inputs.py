"""Inputs made of numbers that matter to a unit, of which a formula is evaluated before a solver is asked: what many
inputs tell apart is found at once, also where two products are hard to compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random

from tightrope.inputs.scalars import Input, Scalar, Slot, first_input, float_to_bits
from tightrope.program.flow.unit_constants import UnitConstants

SAMPLES = 600
MOST_NUMBERS = 40  # of the unit's own


def sample_inputs(slots: Sequence[Slot], constants: Iterable[UnitConstants], random: Random) -> Iterator[Input]:
    """Each slot has one of its numbers, or any."""
    known = list(constants)
    integers = list(dict.fromkeys(number for each in known for number in each.integers))[:MOST_NUMBERS]
    floats = list(dict.fromkeys(number for each in known for number in each.floats))[:MOST_NUMBERS]
    pools = [_pool(slot.scalar, integers, floats) for slot in slots]
    first = first_input(slots)
    yield first
    for _ in range(SAMPLES):
        is_wild = random.random() < 0.2
        yield tuple(
            random.getrandbits(slot.scalar.bits) if is_wild and slot.scalar.bits else random.choice(pool)
            for slot, pool in zip(slots, pools, strict=True)
        )


def _pool(scalar: Scalar, integers: Sequence[int], floats: Sequence[float]) -> list[int]:
    if scalar.members:
        return [value & scalar.mask for _, value in scalar.members]
    if scalar.kind == "float":
        numbers = (0.0, -0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), *floats, *map(float, integers))
        return [float_to_bits(number, scalar.bits) for number in numbers]
    near = (number + step for number, step in product((0, *integers), (0, 1, -1)))
    return list(dict.fromkeys(number & scalar.mask for number in (*near, 2, 3, 1 << max(scalar.bits - 1, 0))))
