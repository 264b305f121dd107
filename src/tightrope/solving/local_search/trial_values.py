"""Values worth trying in a slot: numbers in the query and their neighbours, powers of two around the current value, and
for a float the steps that suit floats.

    slot of 8 bits, now 5, the query names 65      leaps 0, 1, 255 ... 65, 66, 64      steps 5 +- 128, 5 +- 64, ...
    slot of a double, now 2.25                     leaps 0.0, 1.0 ... 4.5, 1.125       steps in the order of doubles
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from tightrope.expr import ieee
from tightrope.expr.distance import float_number
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk

MOST_NUMBERS = 48  # taken from one query
SMALL = (0, 1, -1, 2, 3, 10, 100)


@dataclass(frozen=True, slots=True)
class TrialValues:
    """What the constraints of a query show about values: widths of slots, which slots hold floats, which numbers
    occur."""

    bits: dict[int, int]
    float_slots: frozenset[int]
    integers: tuple[int, ...]
    floats: tuple[float, ...]

    def leaps(self, slot: int, now: int) -> list[int]:
        """Small numbers, those of the query, and for a float simple sums and multiples."""
        bits = self.bits[slot]
        if slot in self.float_slots:
            found = [ieee.from_python(value, bits) for value in (*SMALL, *self.floats, *_beside(now, bits))]
        else:
            near = [number + step for number in self.integers for step in (0, 1, -1)]
            found = [number & ((1 << bits) - 1) for number in (*SMALL, *near)]
        return list(dict.fromkeys(found))

    def steps(self, slot: int, now: int, power: int) -> tuple[int, ...]:
        """By this power of two, up, down, and for an integer the flipped bit; a float in the order of floats."""
        bits, step = self.bits[slot], 1 << power
        if slot in self.float_slots:
            number = 0 if ieee.is_nan(now, bits) else float_number(now, bits)
            return float_at(number + step, bits), float_at(number - step, bits)
        mask = (1 << bits) - 1
        return now + step & mask, now - step & mask, now ^ step

    def drawn(self, slot: int, source: random.Random) -> int:
        """A random value, often a significant one."""
        if source.random() < 0.5:
            return source.choice(self.leaps(slot, 0))
        return source.getrandbits(source.randint(1, self.bits[slot]))


def find_trial_values(constraints: Sequence[Term]) -> TrialValues:
    bits: dict[int, int] = {}
    float_slots: set[int] = set()
    integers: dict[int, None] = {}
    floats: dict[float, None] = {}
    for term in walk(*constraints):
        if term.op is Op.INPUT:
            bits[term.number] = term.bits
        elif term.op is Op.F_FROM_BITS and term.args[0].op is Op.INPUT:
            float_slots.add(term.args[0].number)
        elif term.op is Op.CONSTANT and term.is_float:
            floats[ieee.to_python(ieee.canonical(term.number, term.bits), term.bits)] = None
        elif term.op is Op.CONSTANT and term.bits > 1:
            integers[term.number] = None
    return TrialValues(bits, frozenset(float_slots), tuple(integers)[-MOST_NUMBERS:], tuple(floats)[-MOST_NUMBERS:])


def _beside(pattern: int, bits: int) -> tuple[float, ...]:
    value = ieee.to_python(pattern, bits)
    if not math.isfinite(value):
        return ()
    return -value, value + 1, value - 1, float(round(value)), value * 2, value / 2


def float_at(number: int, bits: int) -> int:
    """The float with this number in the order of floats; beyond the last one, infinity."""
    magnitude = min(abs(number), ieee.INFINITY[bits])
    return magnitude | ieee.SIGN[bits] if number < 0 else magnitude
